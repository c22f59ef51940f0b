/** The one socket of this tab: it comes back by itself, asks again for what it follows, and repeats what was not acknowledged. */
import {
  VERSION,
  type Ack,
  type ClientMessage,
  type PlayerFacts,
  type Refusal,
  type ServerMessage,
  type Watch,
} from "../protocol";
import { upgrade } from "../app/upgrade.svelte";
import { spoken } from "../app/words.svelte";

type Listener = (message: Extract<ServerMessage, { type: "update" | "presence" }>) => void;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Command = DistributiveOmit<Extract<ClientMessage, { id: string }>, "id">;
interface Pending {
  message: ClientMessage;
  done: (answer: Ack | Refusal) => void;
}

const PING_MS = 2_500;
const SILENCE_MS = 9_000;
/** Why a table cannot be shown just now: that passes, and until then the line counts as lost. */
const PASSING: ReadonlySet<string> = new Set(["storage", "too_fast"]);
const PASSING_MS = 1_000;

export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

class Socket {
  state = $state<"idle" | "connecting" | "open" | "lost">("idle");
  /** What the server's clock says, less what ours says. */
  skew = $state(0);

  /** Who the server says we are; known with its first message. */
  onWelcome: ((player: PlayerFacts | null) => void) | null = null;

  #socket: WebSocket | null = null;
  #heard = 0;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watches = new Map<
    string,
    { listener: Listener; watch: () => Watch; refused: (refusal: Refusal) => void }
  >();
  #lobby = new Set<() => void>();
  #pending = new Map<string, Pending>();
  #epoch: number | null = null; // another one: the server's past is another one than we know

  constructor() {
    setInterval(() => this.#beat(), PING_MS);
    addEventListener("online", () => this.#hurry());
    addEventListener("offline", () => this.#drop());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.#hurry(),
    );
  }

  /** Follow a table. `watch` says what to ask for, also after a reconnection. */
  follow(
    table: string,
    listener: Listener,
    watch: () => Watch,
    refused: (refusal: Refusal) => void,
  ): () => void {
    this.#watches.set(table, { listener, watch, refused });
    this.#open();
    this.#send(watch());
    return () => {
      this.#watches.delete(table);
      this.#send({ type: "unwatch", table });
    };
  }

  again(table: string): void {
    const followed = this.#watches.get(table);
    if (followed) this.#send(followed.watch());
  }

  onLobby(listener: () => void): () => void {
    this.#lobby.add(listener);
    this.#open();
    this.#send({ type: "watch_lobby", on: true });
    return () => {
      this.#lobby.delete(listener);
      if (!this.#lobby.size) this.#send({ type: "watch_lobby", on: false });
    };
  }

  /** Send a command; it is repeated after a reconnection, with the same id, until it is answered. */
  command(command: Command): Promise<Ack | Refusal> {
    const message = { ...command, id: commandId() };
    return new Promise((done) => {
      this.#pending.set(message.id, { message, done });
      this.#open();
      this.#send(message);
    });
  }

  /** Be connected, also when nothing is followed yet. */
  open(): void {
    this.#open();
  }

  isChanging = false; // this page itself is about to become somebody else, and says when it is done

  /** The browser has become somebody else: the socket must know. */
  renew(): void {
    if (this.#socket) this.#drop(0);
  }

  #open(): void {
    if (this.#socket) return;
    clearTimeout(this.#retry);
    this.state = this.state === "lost" ? "lost" : "connecting";
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => socket === this.#socket && this.#drop();
  }

  #drop(delay = Math.min(250 * 2 ** this.#tries, 8_000) * (0.75 + Math.random() / 2)): void {
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onclose = socket.onmessage = null;
      socket.close();
    }
    if (!this.#watches.size && !this.#lobby.size && !this.#pending.size) {
      this.state = "idle";
      return;
    }
    if (delay > 0) this.state = "lost";
    this.#tries += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), delay);
  }

  #hurry(): void {
    if (this.state === "lost" && !this.#socket) {
      this.#tries = 0;
      this.#open();
    }
  }

  #beat(): void {
    if (!this.#socket) return;
    if (Date.now() - this.#heard > SILENCE_MS) this.#drop();
    else this.#send({ type: "ping", t: Date.now() });
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN && this.state === "open")
      this.#socket.send(JSON.stringify(message));
  }

  #hear(message: ServerMessage): void {
    this.#heard = Date.now();
    switch (message.type) {
      case "welcome":
        this.state = "open";
        upgrade.hear(message.build, message.version === VERSION);
        this.#tries = 0;
        this.skew = message.now_ms - Date.now();
        this.onWelcome?.(message.player);
        this.#send({ type: "hello", language: spoken() });
        for (const { watch } of this.#watches.values())
          this.#send(this.#epoch === message.epoch ? watch() : { ...watch(), seq: null });
        this.#epoch = message.epoch;
        if (this.#lobby.size) this.#send({ type: "watch_lobby", on: true });
        for (const { message: again } of this.#pending.values()) this.#send(again);
        return;
      case "update":
        this.#watches.get(message.table.id)?.listener(message);
        return;
      case "presence":
        this.#watches.get(message.table)?.listener(message);
        return;
      case "ack":
        this.#answer(message.id, message);
        return;
      case "refused":
        if (message.id) this.#answer(message.id, message);
        else if (message.table && PASSING.has(message.code)) this.#drop(PASSING_MS * (1 + Math.random()));
        else if (message.table) this.#watches.get(message.table)?.refused(message);
        return;
      case "lobby":
        for (const listener of this.#lobby) listener();
        return;
      case "gone":
        if (message.reason === "signed_out" && !this.isChanging) return location.reload(); // nothing of that player stays
        this.#drop();
        return;
      case "pong":
        this.skew = message.now_ms - Math.round((message.t + Date.now()) / 2);
    }
  }

  #answer(id: string, answer: Ack | Refusal): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.done(answer);
  }
}

export const socket = new Socket();

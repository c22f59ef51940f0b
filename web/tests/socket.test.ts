import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VERSION, type ClientMessage, type ServerMessage } from "../src/protocol";

class FakeSocket {
  static all: FakeSocket[] = [];
  static readonly OPEN = 1;
  readyState = 1;
  sent: ClientMessage[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    this.readyState = 3;
  }
  hear(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcome(build = "one", epoch = 0): void {
    this.hear({ type: "welcome", version: VERSION, player: null, now_ms: Date.now(), build, epoch });
  }
}

describe("the socket", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.resetModules();
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
  });
  afterEach(() => void vi.useRealTimers());

  it("repeats a command with the same id after the network came back, and only until it is answered", async () => {
    const { socket } = await import("../src/server/socket.svelte");
    const answer = socket.command({ type: "play", table: "table1", seat: 0, ply: 1, action: "N1" });
    const first = FakeSocket.all[0]!;
    first.welcome();
    const played = first.sent.find((message) => message.type === "play")!;
    first.onclose?.();
    expect(socket.state).toBe("lost");
    await vi.advanceTimersByTimeAsync(2_000);
    const second = FakeSocket.all[1]!;
    second.welcome();
    const again = second.sent.find((message) => message.type === "play")!;
    expect(again).toEqual(played);
    second.hear({
      type: "ack",
      id: (again as { id: string }).id,
      table: "table1",
      seq: 3,
      ply: 2,
      next: null,
      commitment: null,
    });
    await expect(answer).resolves.toMatchObject({ type: "ack", seq: 3 });
    second.onclose?.();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.all).toHaveLength(2); // nothing is followed and nothing pending: no reason to come back
  });

  it("asks again for what it follows, from where it stopped", async () => {
    const { socket } = await import("../src/server/socket.svelte");
    let seq: number | null = null;
    socket.follow(
      "table1",
      () => undefined,
      () => ({ type: "watch", table: "table1", seat: 0, seq }),
      () => undefined,
    );
    FakeSocket.all[0]!.welcome();
    seq = 7;
    FakeSocket.all[0]!.onclose?.();
    await vi.advanceTimersByTimeAsync(2_000);
    FakeSocket.all[1]!.welcome();
    expect(FakeSocket.all[1]!.sent).toContainEqual({ type: "watch", table: "table1", seat: 0, seq: 7 });
  });

  it("drops what it has when a copy of the server's past was put back", async () => {
    const { socket } = await import("../src/server/socket.svelte");
    socket.follow(
      "table1",
      () => undefined,
      () => ({ type: "watch", table: "table1", seat: 0, seq: 7 }),
      () => undefined,
    );
    FakeSocket.all[0]!.welcome("one", 5);
    FakeSocket.all[0]!.onclose?.();
    await vi.advanceTimersByTimeAsync(2_000);
    FakeSocket.all[1]!.welcome("one", 9);
    expect(FakeSocket.all[1]!.sent).toContainEqual({ type: "watch", table: "table1", seat: 0, seq: null });
    FakeSocket.all[1]!.onclose?.();
    await vi.advanceTimersByTimeAsync(2_000);
    FakeSocket.all[2]!.welcome("one", 9);
    expect(FakeSocket.all[2]!.sent).toContainEqual({ type: "watch", table: "table1", seat: 0, seq: 7 });
  });

  it("comes back to a table that could not be read just now, and tells of one that cannot be seen", async () => {
    const { socket } = await import("../src/server/socket.svelte");
    const told: string[] = [];
    socket.follow(
      "table1",
      () => undefined,
      () => ({ type: "watch", table: "table1", seat: 0, seq: null }),
      (refusal) => void told.push(refusal.code),
    );
    const refuse = (line: FakeSocket, code: "storage" | "not_found"): void =>
      line.hear({
        type: "refused",
        code,
        text: "",
        key: "",
        values: {},
        clause: null,
        id: null,
        table: "table1",
      });
    FakeSocket.all[0]!.welcome();
    refuse(FakeSocket.all[0]!, "storage");
    expect(socket.state).toBe("lost");
    await vi.advanceTimersByTimeAsync(2_500);
    const second = FakeSocket.all[1]!;
    second.welcome();
    expect(socket.state).toBe("open");
    expect(second.sent).toContainEqual({ type: "watch", table: "table1", seat: 0, seq: null });
    expect(told).toEqual([]);
    refuse(second, "not_found");
    expect(told).toEqual(["not_found"]);
    expect(socket.state).toBe("open");
  });

  it("gives up a socket that has been silent for too long", async () => {
    const { socket } = await import("../src/server/socket.svelte");
    socket.onLobby(() => undefined);
    FakeSocket.all[0]!.welcome();
    await vi.advanceTimersByTimeAsync(13_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it("says when the server has newer pages, and when it is not understood any more", async () => {
    const { socket } = await import("../src/server/socket.svelte");
    const { upgrade } = await import("../src/app/upgrade.svelte");
    socket.onLobby(() => undefined);
    FakeSocket.all[0]!.welcome("one");
    expect([upgrade.isDue, upgrade.isNeeded]).toEqual([false, false]);
    FakeSocket.all[0]!.welcome("two");
    expect([upgrade.isDue, upgrade.isNeeded]).toEqual([true, false]);
    FakeSocket.all[0]!.hear({
      type: "welcome",
      epoch: 0,
      version: VERSION + 1,
      player: null,
      now_ms: 0,
      build: "three",
    });
    expect(upgrade.isNeeded).toBe(true);
  });
});

/** A table as this browser sees it: what the server told, what is being shown, and what the reader is about to do. */
import type { Ack, EventFacts, EventKind, Hint, RecordFacts, Refusal, SeatFacts, TableFacts, Update } from "../protocol";
import { NOTHING, type Draft, type GameUi, type Odds, type Past, type View, loadUi } from "../games/game";
import { api, explain, reason, Refused } from "./api";
import { link, type Command } from "./link.svelte";
import { live } from "./live.svelte";
import { motion } from "./motion.svelte";
import { renewal } from "./renewal.svelte";
import { settings } from "./settings.svelte";
import { chime } from "./sound";
import { learn, t, word } from "./words.svelte";

const ORDINALS = ["I", "II", "III", "IV", "V"] as const;
const SHOWN: readonly EventKind[] = ["declined", "taken_over", "reclaimed", "resigned", "flagged", "rematch"];
const PACE_MS = 420; // between two actions shown one after another
const GLANCE_MS = 900; // at what came of a dispute, before an own decision takes its place
const HURRY = 6; // so many that wait are shown without motion
let motions = 0;
/** What the words on the page are about: what is shown, or, while that is still moving, what was shown before. */
interface Words { view: View; records: readonly RecordFacts[]; facts: TableFacts }
type Rest<C extends Command["type"]> = Omit<Extract<Command, { type: C }>, "type" | "table">;

export class TableStore {
  facts = $state.raw<TableFacts | null>(null);
  view = $state.raw<View | null>(null);
  records = $state.raw<readonly RecordFacts[]>([]);
  events = $state.raw<readonly EventFacts[]>([]);
  online = $state.raw<readonly boolean[]>([]);
  watchers = $state(0);
  seat = $state<number | null>(null); // the seat looked from
  ui = $state.raw<GameUi | null>(null);
  refused = $state.raw<Refusal | null>(null); // the table cannot be seen
  busy = $state(false);
  hint = $state.raw<Hint | null>(null);
  draft = $state<Draft>({ ...NOTHING });
  previews = $state.raw<Readonly<Record<string, View>>>({});
  odds = $state.raw<Odds | null>(null);
  past = $state.raw<Past>({}); // only where the game wants it
  passing = $state<number | null>(null); // hot-seat with secrets: the seat that the device goes to
  elsewhere = $state(false); // the same seat is open in another tab

  // replay: the views of all plies, and the one that is shown
  frames = $state.raw<readonly View[]>([]);
  moment = $state<number | null>(null);

  #held = $state.raw<Words | null>(null); // told until the motion on the board is over
  #news: (() => void) | null = null; // said aloud then
  #seq = 0;
  #queue: Update[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false; // the timer leaves time to read
  #playing = 0; // the motion that is waited for; 0: none
  #unfollow: () => void;
  #chosen = false; // the reader looks from a seat on purpose
  #asked = ""; // the moment for which previews and odds were asked
  #tabs: BroadcastChannel | null = null;

  constructor(readonly id: string, readonly invite: string) {
    this.#unfollow = link.follow(
      id,
      (message) => {
        if (message.type === "presence") {
          this.online = message.online;
          this.watchers = message.watchers;
        } else this.#enqueue(message);
      },
      () => ({ type: "watch", table: id, seat: this.seat, seq: this.#seq || null, ...(invite ? { invite } : {}) }),
      (refusal) => (this.refused = refusal),
    );
    if ("BroadcastChannel" in globalThis) {
      this.#tabs = new BroadcastChannel(`regalia.${id}`);
      this.#tabs.onmessage = (event) => {
        if (event.data === "here?" && this.seat !== null) this.#tabs?.postMessage("here");
        if (event.data === "here") this.elsewhere = true;
      };
      this.#tabs.postMessage("here?");
    }
  }

  close(): void {
    this.#playing = 0;
    this.#unfollow();
    this.#tabs?.close();
    clearTimeout(this.#timer);
  }

  // --- What is shown ---

  get shown(): View | null { return this.moment === null ? this.view : (this.frames[this.moment - this.first] ?? this.view); }
  get first(): number { return this.frames[0]?.ply ?? 0; }
  get isHeld(): boolean { return this.#held !== null && this.moment === null; }
  get told(): View | null { return (this.isHeld && this.#held!.view) || this.shown; }
  get toldRecords(): readonly RecordFacts[] { return this.isHeld ? this.#held!.records : this.records; }
  get toldFacts(): TableFacts | null { return this.isHeld ? this.#held!.facts : this.facts; }
  /** The log in words, a sentence per record. */
  sentences = $derived.by((): readonly string[] => {
    const view = (this.#held && this.moment === null ? this.#held.view : this.view) ?? this.shown;
    return this.ui && view ? this.ui.tell(this.toldRecords, view, (seat) => this.name(seat), this.past) : [];
  });
  get line(): readonly RecordFacts[] { return this.moment === null ? this.records : this.records.slice(0, this.moment); }
  get isReady(): boolean { return link.state === "open" && !this.busy && !this.#queue.length && this.moment === null && this.passing === null; }
  get own(): number[] { return this.facts?.seats.filter((seat) => seat.is_yours).map(({ seat }) => seat) ?? []; }
  get mine(): number[] { return this.facts?.seats.filter((seat) => seat.is_yours && !seat.is_out).map(({ seat }) => seat) ?? []; }
  get isMyTurn(): boolean { return this.isDue && !this.isHeld; }
  get isDue(): boolean { return !!this.view && this.seat !== null && this.view.actors.includes(this.seat) && this.facts?.status === "running" && !this.facts.seats[this.seat]?.bot; }
  get actions(): readonly string[] { return this.isMyTurn && this.isReady ? this.view!.actions : []; }
  get names(): string[] { return this.facts?.seats.map((seat) => this.name(seat.seat)) ?? []; }
  /** Who sits there; the second of that name is the Second, so that nobody is taken for somebody else. */
  name(seat: number): string {
    const facts = this.facts?.seats[seat];
    if (!facts || facts.kind === "open") return t("ui.seat.open");
    const name = plainName(facts);
    const before = this.facts!.seats.slice(0, seat).filter((other) => other.kind !== "open" && plainName(other) === name).length;
    return before ? `${name} ${ORDINALS[before]}` : name;
  }

  /** What happened beside the game's own actions, in words. */
  happened(event: EventFacts): string {
    const name = event.name || (event.seat !== null ? this.name(event.seat) : "");
    if (event.kind === "taken_over") return t("ui.event.taken_over", { name, bot: botName(event.text) });
    return t(`ui.event.${event.kind as "sat"}`, { name });
  }

  /** Why it is over, in words. */
  get ending(): string {
    const result = this.facts?.result;
    if (!result) return t("ui.result.over");
    if (result.reason === "draw") return t("ui.reason.draw");
    if (result.reason !== "resigned" && result.reason !== "time") return word(`${this.facts!.game}.reason.${result.reason}`);
    return t(`ui.reason.${result.reason}`, { name: this.name(result.ranks.indexOf(Math.max(...result.ranks))) });
  }

  // --- What the server tells ---

  #enqueue(update: Update): void {
    this.#queue.push(update);
    if (this.#queue.length === 1 && !this.#timer && !this.#playing) this.#step();
    else if (this.#isReading && this.#isAwaited) this.#pause(GLANCE_MS);
  }

  /** Show one update after another, so that each action can be seen. */
  #step(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReading = false;
    const update = this.#queue.shift();
    if (!update) return;
    const moved = this.#apply(update);
    if (moved && this.#isSeen) void this.#watch();
    else if (this.#queue.length) this.#step();
  }

  /** Wait for the motion, tell what came of it, and leave time to see and to read it before the next update. */
  async #watch(): Promise<void> {
    const mine = (this.#playing = ++motions);
    const began = performance.now();
    if (this.#held) await motion.over();
    if (mine !== this.#playing) return;
    this.#playing = 0;
    this.#tell();
    const read = Math.min(this.view ? (this.ui?.linger?.(this.view, this.records, this.past) ?? 0) : 0, this.#isAwaited ? GLANCE_MS : Infinity);
    const hurry = settings.isStill || this.#queue.length > HURRY;
    this.#pause(read || (hurry ? 0 : Math.max(0, PACE_MS - (performance.now() - began))), read > 0);
  }

  #pause(ms: number, isReading = false): void {
    clearTimeout(this.#timer);
    this.#isReading = isReading;
    if (ms) this.#timer = setTimeout(() => this.#step(), ms);
    else this.#step();
  }

  /** Whether an own decision is on its way to the screen: it waits for motion and a glance, not for reading. */
  get #isAwaited(): boolean {
    return this.#queue.some(({ view }) => this.mine.some((seat) => (view as View | null)?.actors.includes(seat)));
  }
  get #isSeen(): boolean { return document.visibilityState !== "hidden"; }

  /** End all motion and show all that has come in, at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReading = false;
    this.#playing = 0;
    motion.skip();
    this.#tell();
    while (this.#queue.length) this.#apply(this.#queue.shift()!);
    this.#tell();
  }

  /** The words catch up with the board. */
  #tell(): void {
    this.#held = null;
    const news = this.#news;
    this.#news = null;
    news?.();
  }

  #apply(update: Update): boolean {
    if (update.since !== null && update.since !== this.#seq) {
      this.#seq = 0;
      link.again(this.id);
      return false;
    }
    this.#tell();
    const shown = this.view;
    const before = shown?.ply ?? 0;
    const first = !this.facts;
    const words = { records: this.records, facts: this.facts };
    this.refused = null;
    this.#seq = update.seq;
    this.facts = update.table;
    this.records = update.since === null ? update.records : [...this.records.slice(0, update.from_ply), ...update.records];
    this.events = update.since === null ? update.events : [...this.events, ...update.events];
    if (update.seat === this.seat || this.seat === null) {
      this.view = update.view as View | null;
      if (this.view && this.ui?.wantsPast) this.past = { ...this.past, [this.view.ply]: this.view };
    }
    if (first) void this.#begin(update.table.game);
    else for (const event of update.events) if (update.since !== null) this.#announce(event);
    const ply = this.view?.ply ?? 0;
    const moved = !first && ply > before;
    if (moved && this.#isSeen && !settings.isStill && this.#queue.length <= HURRY)
      this.#held = { view: shown ?? this.view!, records: shown ? words.records : this.records.slice(0, -1), facts: words.facts! };
    if (ply !== before) this.#onPly(first, shown, update.since === null ? before : Math.min(before, update.from_ply)); // what was sealed is told when it is shown
    this.#takeSeat();
    this.#ask();
    if (!this.#held) this.#tell();
    return moved;
  }

  async #begin(game: string): Promise<void> {
    try {
      [this.ui] = await Promise.all([loadUi(game), learn(game)]);
    } catch {
      renewal.isNeeded = true; // the board of this page's time is gone
      return;
    }
    const ui = this.ui;
    this.#takeSeat();
    this.#ask();
    if (ui?.wantsPast) void this.#remember();
  }

  /** What was played before one came. */
  async #remember(): Promise<void> {
    const last = this.view?.ply ?? this.records.length;
    try {
      for (let ply = 1; ply <= last; ) {
        const { views } = await api.frames(this.id, this.seat, ply, this.invite);
        if (!views.length) break;
        this.past = { ...Object.fromEntries((views as View[]).map((view) => [view.ply, view])), ...this.past };
        ply = (views as View[]).at(-1)!.ply + 1;
      }
    } catch {
      // the log then tells less of what came of each action
    }
  }

  #onPly(first: boolean, shown: View | null, from: number): void {
    const isSame = !!shown && !!this.view && !!this.ui?.keepsDraft?.(shown, this.view); // the question is still the same
    if (!isSame) {
      this.draft = { ...NOTHING };
      this.previews = {};
      this.odds = null;
    }
    this.hint = null;
    if (first) return;
    this.#news = () => {
      if (!this.ui || !this.view) return;
      const news = shown ? this.sentences.slice(from).join(" ") : "";
      const due = this.isMyTurn && !isSame ? ` ${this.ui.prompt(this.view, this.draft, (seat) => this.name(seat)).text}` : "";
      if (news || due) live.say(`${news}${due}`);
      chime(this.view.outcome ? "end" : this.isMyTurn ? "turn" : "move");
    };
  }

  /** Say what others did beside the game; what asks for attention is shown as well. */
  #announce(event: EventFacts): void {
    if (event.seat !== null && this.own.includes(event.seat)) return;
    if (event.kind === "chat") live.say(`${event.name}: ${event.text}`);
    else if (SHOWN.includes(event.kind)) live.show({ kind: "info", text: this.happened(event) });
  }

  /** Look from one's own seat; in hot-seat play from the one that is due. */
  #takeSeat(): void {
    const mine = this.mine;
    if (!mine.length || this.#chosen || (mine.length > 1 && !this.ui)) return; // only the game knows whether hands are hidden
    const due = this.view?.actors.find((seat) => mine.includes(seat));
    if (due === undefined && this.passing !== null) return;
    const next = due ?? (this.seat !== null && mine.includes(this.seat) ? this.seat : mine[0]!);
    if (next === this.seat || next === this.passing) return;
    if (mine.length > 1 && this.facts!.status === "running" && this.ui?.hasSecrets) {
      this.look(null); // until the device has been passed it shows what everyone may see
      this.passing = next;
    } else this.look(next);
  }

  /** The device has been passed: nothing of the one before stays. */
  pass(): void {
    const next = this.passing;
    if (next === null) return;
    this.passing = null;
    this.view = null;
    this.past = {};
    this.look(next);
    if (this.ui?.wantsPast) void this.#remember();
  }

  look(seat: number | null, onPurpose = false): void {
    this.seat = seat;
    this.passing = null;
    this.frames = [];
    this.#chosen = onPurpose;
    this.#seq = 0;
    link.again(this.id);
    this.#tabs?.postMessage("here?");
  }

  // --- What is asked of the server beside the game ---

  #ask(): void {
    const [view, ui, seat] = [this.view, this.ui, this.seat];
    if (!view || !ui || seat === null || view.you !== seat || !this.isDue) return;
    const turn = `${seat} ${view.ply}`;
    if (turn === this.#asked) return;
    this.#asked = turn;
    for (const action of ui.previews(view, this.draft))
      void api.preview(this.id, seat, view.ply, action).then(
        (next) => { if (next && turn === this.#asked && view.ply === this.view?.ply) this.previews = { ...this.previews, [action]: next as View }; },
        () => undefined, // a board without a preview is still a board
      );
    if (ui.wantsOdds?.(view) && this.facts?.hints)
      void api.odds(this.id, seat, view.ply).then((found) => {
        if (found && turn === this.#asked && view.ply === this.view?.ply) this.odds = Object.fromEntries(found.targets.filter(({ available }) => available).map(({ target, odds, exact }) => [target, { odds, exact }]));
      }, () => undefined);
  }

  async askHint(): Promise<void> {
    if (!this.view || this.seat === null) return;
    try {
      const [hint] = await Promise.all([api.hint(this.id, this.seat, this.view.ply), learn("bots")]);
      this.hint = hint;
      this.draft.point = hint.action;
    } catch (error) {
      this.#complain(error);
    }
  }

  // --- What the reader does ---

  async send<C extends Command["type"]>(type: C, rest: Rest<C>): Promise<Ack | null> {
    this.busy = true;
    const answer = await link.command({ type, table: this.id, ...rest } as unknown as Command);
    this.busy = false;
    if (answer.type === "ack") return answer;
    this.#complain(new Refused(answer));
    if (answer.code === "stale") link.again(this.id);
    return null;
  }

  async act(action: string): Promise<void> {
    if (!this.view || this.seat === null || this.busy || this.moment !== null) return;
    this.flush();
    await this.send("play", { seat: this.seat, ply: this.view.ply, action } as Rest<"play">);
  }

  async undo(): Promise<void> {
    if (this.view && this.seat !== null) await this.send("undo", { seat: this.seat, ply: this.view.ply } as Rest<"undo">);
  }

  #complain(error: unknown): void {
    if (error instanceof Refused && this.facts) {
      const { clause, code } = error.refusal;
      const text = explain(error.refusal);
      live.show({ kind: "refused", text: code === "illegal_action" ? t("ui.refused", { why: text }) : code === "stale" ? t("ui.stale") : text, ...(clause ? { clause, game: this.facts.game } : {}) });
    } else live.show({ kind: "refused", text: reason(error) });
    chime("refused");
  }

  // --- Going back in time ---

  async replay(ply: number | null): Promise<void> {
    if (ply === null) {
      this.moment = null;
      return;
    }
    const last = this.view?.ply ?? 0;
    if (this.frames.at(-1)?.ply !== last) {
      const seat = this.facts?.status === "ended" ? null : this.seat;
      const all: View[] = [];
      while (all.length === 0 || all.at(-1)!.ply < last) {
        const { views } = await api.frames(this.id, seat, all.length ? all.at(-1)!.ply + 1 : 1, this.invite);
        if (!views.length) break;
        all.push(...(views as View[]));
      }
      this.frames = all;
    }
    this.moment = Math.max(this.first, Math.min(ply, last));
  }
}

const plainName = (seat: SeatFacts): string => (seat.kind === "bot" ? botName(seat.bot || seat.name) : seat.name);

/** Bots go by a name and a strength. */
export function botName(id: string): string {
  return t(`ui.bot.${id as "random"}`) || id;
}

export function botRank(id: string): string {
  return t(`ui.rank.${id as "random"}`);
}

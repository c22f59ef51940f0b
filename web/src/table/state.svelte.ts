/** What a table is made of, what of it is shown and worded, and what may be done now. */
import type { Note } from "../app/announcer.svelte";
import { socket } from "../server/socket.svelte";
import { api, type Pass } from "../server/api";
import { type Draft, type GameUi, NOTHING, type View } from "../games/contract";
import type { DueFacts, Notice, RecordFacts, TableFacts, Update } from "../protocol";
import { list, t, word } from "../app/words.svelte";
import { Feed, type Line } from "./feed.svelte";
import { endingOf, nameOf, noticeText } from "./naming";
import { Playback } from "./playback.svelte";
import { Questions } from "./questions.svelte";
import { Replay } from "./replay.svelte";
import { activeSeats, ownSeats, Seats } from "./seats.svelte";

/** An action together with what it was chosen for, however late it is sent. */
export interface Decision {
  seat: number;
  seq: number; // the update that was shown when it was chosen
  action: string;
}
export type Server = Pick<typeof api, "games" | "frames" | "previews" | "odds" | "hint">;

/** The parts of a table's state and what follows from them. */
export abstract class TableState {
  ui = $state.raw<GameUi | null>(null);
  draft = $state<Draft>({ ...NOTHING });
  hasSecrets: boolean | null = null; // hot-seat: the device is passed before another's hand shows; null: not known yet
  pending = $state.raw<Decision | null>(null); // chosen, and to be confirmed
  note = $state.raw<Note | null>(null); // beside the prompt, until the match goes on
  readonly feed: Feed;
  readonly playback: Playback;
  readonly seats: Seats;
  readonly questions: Questions;
  protected readonly moments: Replay;

  constructor(
    readonly id: string,
    readonly pass: Pass,
    readonly line: Line = socket,
    readonly server: Server = api,
  ) {
    this.moments = new Replay(async (seat, first) => (await server.frames(id, seat, first, pass)).views);
    this.questions = new Questions(id, server);
    this.seats = new Seats(id, () => {
      this.moments.clear();
      this.feed.startOver();
    });
    this.playback = new Playback({
      apply: (update) => this.apply(update),
      isAwaited: ({ view }) => this.activeSeats.some((seat) => view?.actors.includes(seat)),
      readingTime: () => this.ui?.linger?.(this.records.at(-1)!) ?? 0,
    });
    this.feed = new Feed(
      id,
      pass,
      line,
      () => this.seat,
      (update) => this.playback.enqueue(update),
    );
  }

  /** Show an update. True: something moved. */
  protected abstract apply(update: Update): boolean;

  close(): void {
    this.playback.close();
    this.feed.close();
    this.seats.close();
  }

  // --- What is shown ---

  get facts(): TableFacts | null {
    return this.feed.facts;
  }
  get view(): View | null {
    return this.feed.view;
  }
  get records(): readonly RecordFacts[] {
    return this.feed.records;
  }
  get seat(): number | null {
    return this.seats.seat;
  }
  get shownPly(): number | null {
    return this.moments.shownPly;
  }
  get shown(): View | null {
    return this.moments.view ?? this.view;
  }
  /** What was to be seen at a ply, once a moment was looked at. */
  viewAt(ply: number): View | null {
    return this.moments.at(ply);
  }
  get shownRecords(): readonly RecordFacts[] {
    return this.shownPly === null ? this.records : this.records.slice(0, this.shownPly);
  }

  // what the words are about: while the board moves, what was shown before
  get isHeld(): boolean {
    return this.playback.held !== null && this.shownPly === null;
  }
  get worded(): View | null {
    return (this.isHeld && this.playback.held!.view) || this.shown;
  }
  get wordedRecords(): readonly RecordFacts[] {
    return this.isHeld ? this.playback.held!.records : this.records;
  }
  get wordedFacts(): TableFacts | null {
    return this.isHeld ? this.playback.held!.facts : this.facts;
  }
  /** The log in words, a sentence per record. */
  sentences = $derived.by((): readonly string[] => {
    const view = this.isHeld ? this.playback.held!.view : (this.view ?? this.shown);
    const name = (seat: number): string => this.name(seat);
    return this.ui && view ? this.ui.tell(this.wordedRecords, view, name) : [];
  });

  get ownSeats(): number[] {
    return ownSeats(this.facts);
  }
  get activeSeats(): number[] {
    return activeSeats(this.facts);
  }
  get names(): string[] {
    return this.facts?.seats.map((seat) => this.name(seat.seat)) ?? [];
  }
  name(seat: number): string {
    return nameOf(this.facts?.seats ?? [], seat);
  }
  noticeText(event: Notice): string {
    return noticeText(event, this.facts?.seats ?? []);
  }
  get ending(): string {
    return this.facts ? endingOf(this.facts) : "";
  }

  /** What a bot advises, while its hint is open. */
  get advised(): string | null {
    return this.shownPly === null ? (this.questions.hint?.action ?? null) : null;
  }
  /** The action that is looked at: the one pointed at, or else the one advised. */
  get pointed(): string | null {
    return this.draft.point ?? this.advised;
  }
  /** An action in the reader's words. */
  describe(action: string): string {
    return this.ui && this.view ? this.ui.describe(action, this.view) : "";
  }

  /** The notation of an action in the reader's letters. */
  spell(action: string): string {
    return this.ui?.spell?.(action) ?? action;
  }

  // --- What may be done ---

  /** Came by the key of a link: sees everything that a spectator sees, and nothing else is open here. */
  get isByKey(): boolean {
    const facts = this.facts;
    return !!facts && !facts.is_public && !facts.is_host && !this.ownSeats.length && !this.pass.invite;
  }

  get isReady(): boolean {
    const isQuiet = !this.feed.busy && this.playback.isIdle;
    return this.line.state === "open" && isQuiet && this.shownPly === null && this.seats.passing === null;
  }
  get isDue(): boolean {
    return (
      !!this.view &&
      this.seat !== null &&
      this.view.actors.includes(this.seat) &&
      this.facts?.status === "running" &&
      !this.facts.seats[this.seat]?.bot
    );
  }
  get isMyTurn(): boolean {
    return this.isDue && !this.isHeld;
  }
  /** What is rolled or dealt at a real table now, and typed; shown when the motion before it is over. */
  get due(): DueFacts | null {
    return this.shownPly === null && !this.isHeld ? (this.facts?.due ?? null) : null;
  }
  /** … and what of it is asked: whose roll it is, and of how many dice. */
  get dueText(): string {
    const due = this.due;
    if (!due || !this.facts) return "";
    if (due.awaited.length && !due.can_type)
      return t("ui.pad.waiting", { names: list(due.awaited.map((seat) => this.name(seat))) });
    const name = due.seat === null ? "" : this.name(due.seat);
    return word(`${this.facts.game}.type.${due.phase}`, { name, count: due.count });
  }
  /** Back by one action, or (alone against bots) to one's last decision. */
  get canTakeBack(): boolean {
    const isAllowed = !!this.facts && (this.facts.can_undo || this.facts.can_go_back);
    return isAllowed && this.shownPly === null && !this.isHeld;
  }
  get actions(): readonly string[] {
    return this.isMyTurn && this.isReady ? this.view!.actions : [];
  }
}

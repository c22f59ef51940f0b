/** What the server tells of a table, and what is sent to it. */
import type { View } from "../games/contract";
import type { Ack, Notice, RecordFacts, Refusal, TableFacts, Update } from "../protocol";
import type { Pass } from "../server/api";
import type { Command, socket } from "../server/socket.svelte";

/** The socket, as far as a table needs it. */
export type Line = Pick<typeof socket, "state" | "follow" | "again" | "command" | "renew">;
type WithoutTable<C> = C extends unknown ? Omit<C, "table"> : never;
export type TableCommand = WithoutTable<Command>;

/** What an update changed. */
export interface Change {
  isFirst: boolean;
  kept: number; // so many records stand as they were: what is known of later positions no longer holds
  isMoved: boolean; // the position is another one than before
  isOtherSeat: boolean; // it is seen from another seat than before, or for the first time
}

const PATIENCE_MS = 10_000; // for an answer

export class Feed {
  facts = $state.raw<TableFacts | null>(null); // everything but the position
  view = $state.raw<View | null>(null); // the position, from the seat looked from
  records = $state.raw<readonly RecordFacts[]>([]); // the match so far
  events = $state.raw<readonly Notice[]>([]); // what happened beside it
  online = $state.raw<readonly boolean[]>([]); // per seat: somebody is connected
  watchers = $state(0); // how many only watch
  refused = $state.raw<Refusal | null>(null); // the table cannot be seen
  seq = $state(0); // the update that is shown: what is decided now is decided on it
  positionSeq = $state(0); // the last one that changed the position or the seat looked from
  #unanswered = $state(0); // commands under way
  #since: number | null = null; // what the server need not tell again; null: it tells all
  #unfollow: () => void;

  constructor(
    readonly id: string,
    pass: Pass,
    readonly line: Line,
    seat: () => number | null,
    onupdate: (update: Update) => void,
  ) {
    this.#unfollow = line.follow(
      id,
      (message) => {
        if (message.type === "update") return onupdate(message);
        this.online = message.online;
        this.watchers = message.watchers;
      },
      () => ({
        type: "watch",
        table: id,
        seat: seat(),
        seq: this.#since,
        ...pass,
      }),
      (refusal) => (this.refused = refusal),
    );
  }

  close(): void {
    this.#unfollow();
  }

  get busy(): boolean {
    return this.#unanswered > 0;
  }

  /** Ask for all there is to see, for example from another seat. */
  startOver(): void {
    this.#since = null;
    this.line.again(this.id);
  }

  /** Take in what an update tells. Null if something before it is missing: then all is asked for again. */
  apply(update: Update, seat: number | null): Change | null {
    if (update.since !== null && update.since !== this.#since) {
      this.startOver();
      return null;
    }
    const before = this.records;
    const isFirst = !this.facts;
    this.refused = null;
    this.seq = this.#since = update.seq;
    this.facts = update.table;
    const isWhole = update.since === null;
    this.records = isWhole ? update.records : [...before.slice(0, update.from_ply), ...update.records];
    this.events = isWhole ? update.events : [...this.events, ...update.events];
    const kept = isWhole ? sharedLength(before, update.records) : Math.min(before.length, update.from_ply);
    const you = this.view?.you;
    if (update.seat === seat || seat === null) this.view = update.view;
    const isMoved = kept < before.length || kept < this.records.length;
    const isOtherSeat = you !== this.view?.you;
    if (isMoved || isOtherSeat) this.positionSeq = update.seq;
    return { isFirst, kept, isMoved, isOtherSeat };
  }

  /** Send a command. One that gets no answer in time does not lock the page: the connection is made anew. */
  async send(command: TableCommand): Promise<Ack | Refusal> {
    this.#unanswered++;
    let isWaiting = true;
    const goOn = (): void => {
      if (isWaiting) this.#unanswered--;
      isWaiting = false;
    };
    const patience = setTimeout(() => {
      goOn();
      this.line.renew();
    }, PATIENCE_MS);
    const answer = await this.line.command({ ...command, table: this.id });
    clearTimeout(patience);
    goOn();
    return answer;
  }
}

/** How many records two tellings of a match have in common from the start. */
function sharedLength(one: readonly RecordFacts[], other: readonly RecordFacts[]): number {
  const differs = one.findIndex((record, index) => {
    const same = other[index];
    return (
      !same ||
      record.seat !== same.seat ||
      record.at_ms !== same.at_ms ||
      record.action !== same.action ||
      record.outcomes.join() !== same.outcomes.join()
    );
  });
  return differs < 0 ? one.length : differs;
}

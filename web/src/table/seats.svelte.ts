/** From which seat this browser looks: its own, the one that is due when several play here, or none. */
import type { View } from "../games/contract";
import type { TableFacts, Update } from "../protocol";

export const ownSeats = (facts: TableFacts | null): number[] =>
  facts?.seats.filter((seat) => seat.is_yours).map(({ seat }) => seat) ?? [];

/** Without those that were given up. */
export const activeSeats = (facts: TableFacts | null): number[] =>
  facts?.seats.filter((seat) => seat.is_yours && !seat.is_out).map(({ seat }) => seat) ?? [];

export class Seats {
  seat = $state<number | null>(null); // the seat looked from; null: as a spectator
  passing = $state<number | null>(null); // hot-seat with secrets: the seat that the device goes to
  showing = $state<number | null>(null); // and to which it will go as soon as all have seen what came up
  isElsewhere = $state(false); // the same seat is open in another tab
  #seen = -1; // the last ply that all have been shown
  #isChosen = false; // the reader looks from a seat on purpose
  #tabs: BroadcastChannel | null = null;

  constructor(
    id: string,
    readonly onlook: () => void, // all is to be seen anew
  ) {
    if (!("BroadcastChannel" in globalThis)) return;
    this.#tabs = new BroadcastChannel(`regalia.${id}`);
    this.#tabs.onmessage = (event) => {
      if (event.data === "here?" && this.seat !== null) this.#tabs?.postMessage("here");
      if (event.data === "here") this.isElsewhere = true;
    };
    this.#tabs.postMessage("here?");
  }

  close(): void {
    this.#tabs?.close();
  }

  /** Somebody else has the seat by now, and the server shows what a spectator sees. */
  noticeLoss({ seat, table }: Update): void {
    if (this.seat === null || seat !== null || table.seats[this.seat]?.is_yours) return;
    this.seat = null;
    this.#isChosen = false;
  }

  /** Look from one's own seat; in hot-seat play from the one that is due, once all have seen the news of this ply. */
  follow(facts: TableFacts, view: View | null, hasSecrets: boolean | null, news = -1): void {
    const active = activeSeats(facts);
    if (!active.length || this.#isChosen || (active.length > 1 && hasSecrets === null)) return; // not known yet whether hands are hidden
    const awaited = facts.due?.awaited.length ? facts.due.awaited : view?.actors; // real cards: to type the own ones
    const due = awaited?.find((seat) => active.includes(seat));
    if (due === undefined && (this.passing ?? this.showing) !== null) return;
    const next = due ?? (this.seat !== null && active.includes(this.seat) ? this.seat : active[0]!);
    if (next === this.passing || next === this.showing) return;
    const isPassed = active.length > 1 && facts.status === "running" && hasSecrets;
    const isShown = isPassed && news > this.#seen;
    if (next === this.seat && !isShown) return;
    if (isPassed) {
      this.lookFrom(null); // until the device has been passed it shows what everyone may see
      if (isShown) this.showing = next;
      else this.passing = next;
      this.#seen = Math.max(this.#seen, news);
    } else this.lookFrom(next);
  }

  /** All have seen what came up: now the device goes on. */
  passOn(): void {
    this.passing = this.showing;
    this.showing = null;
  }

  lookFrom(seat: number | null, onPurpose = false): void {
    this.seat = seat;
    this.passing = this.showing = null;
    this.#isChosen = onPurpose;
    this.onlook();
    this.#tabs?.postMessage("here?");
  }
}

/** Going back in time: the views of earlier plies, fetched when they are first looked at. */
import type { View } from "../games/contract";

/** The views from a ply on, as many as the server gives at once, as one seat or (null) a spectator saw them. */
export type FetchViews = (seat: number | null, first: number) => Promise<View[]>;

export class Replay {
  shownPly = $state<number | null>(null); // null: what is now
  #views = $state.raw<readonly View[]>([]); // one per ply, without a gap
  #seat: number | null = null; // from which they were seen

  constructor(readonly fetch: FetchViews) {}

  get view(): View | null {
    return this.shownPly === null ? null : (this.#views[this.shownPly - this.first] ?? null);
  }
  /** As it was then, if it has been fetched. */
  at(ply: number): View | null {
    return this.#views[ply - this.first] ?? null;
  }
  get first(): number {
    return this.#views[0]?.ply ?? 0;
  }

  async show(ply: number, last: number, seat: number | null): Promise<void> {
    if (seat !== this.#seat) this.clear();
    this.#seat = seat;
    while ((this.#views.at(-1)?.ply ?? 0) < last) {
      const known = this.#views;
      const more = await this.fetch(seat, (known.at(-1)?.ply ?? 0) + 1);
      if (!more.length) break;
      if (known === this.#views) this.#views = [...known, ...more]; // else what was asked for no longer holds
    }
    this.shownPly = Math.max(this.first, Math.min(ply, last));
  }

  leave(): void {
    this.shownPly = null;
  }

  /** The match went back to this ply and on from there: what was later is another match. */
  forgetAfter(ply: number): void {
    if ((this.#views.at(-1)?.ply ?? 0) > ply) this.#views = this.#views.filter((view) => view.ply <= ply);
    if (this.shownPly !== null && this.shownPly > ply) this.shownPly = this.#views.at(-1)?.ply ?? null;
  }

  clear(): void {
    this.#views = [];
  }
}

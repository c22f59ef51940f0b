/** The views of the match so far, for the games that word what came of an action by comparing them. */
import type { Past as Views, View } from "../games/contract";
import type { FetchViews } from "./replay.svelte";

export class Past {
  views = $state.raw<Views>({}); // by ply, as many as are known

  constructor(readonly fetch: FetchViews) {}

  add(view: View): void {
    this.views = { ...this.views, [view.ply]: view };
  }

  /** What was played before one came. */
  async load(seat: number | null, last: number): Promise<void> {
    try {
      for (let ply = 1; ply <= last;) {
        const views = await this.fetch(seat, ply);
        if (!views.length) break;
        this.views = { ...Object.fromEntries(views.map((view) => [view.ply, view])), ...this.views };
        ply = views.at(-1)!.ply + 1;
      }
    } catch {
      // the log then tells less of what came of each action
    }
  }

  forgetAfter(ply: number): void {
    this.views = Object.fromEntries(Object.entries(this.views).filter(([key]) => Number(key) <= ply));
  }

  clear(): void {
    this.views = {};
  }
}

/** How far the games are that the server had to compile: asked at the start, and every second until all are ready. */
import type { Preparing } from "../protocol";
import { api } from "./api";

const PAUSE_MS = 1000;

export class Preparation {
  games = $state.raw<readonly Preparing[]>([]);
  /** Parts of all games, those that are ready included; the total is 0 before they are counted. */
  readonly done = $derived(sum(this.hopeful, ({ done }) => done));
  readonly total = $derived(
    this.hopeful.every(({ total }) => total) ? sum(this.hopeful, ({ total }) => total) : 0,
  );

  constructor(private readonly server: Pick<typeof api, "preparation">) {}

  get hopeful(): readonly Preparing[] {
    return this.games.filter(({ has_failed }) => !has_failed);
  }
  get underWay(): readonly Preparing[] {
    return this.hopeful.filter(({ is_ready }) => !is_ready);
  }
  get failed(): readonly Preparing[] {
    return this.games.filter(({ has_failed }) => has_failed);
  }

  /** Follow it for a page about this game, if any: that one is compiled first. Returns how to stop. */
  follow(game: string | undefined): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async (): Promise<void> => {
      this.games = await this.server.preparation(game).catch(() => this.games);
      if (!isOver && this.underWay.length) timer = setTimeout(() => void ask(), PAUSE_MS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }
}

const sum = (games: readonly Preparing[], of: (game: Preparing) => number): number =>
  games.reduce((all, game) => all + of(game), 0);

export const preparation = new Preparation(api);

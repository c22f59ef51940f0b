/** What is asked of the server beside the game: what actions would lead to, how likely, and what a bot would do. */
import type { Draft, GameUi, Odds, View } from "../games/contract";
import type { Hint } from "../protocol";
import type { api } from "../server/api";

export type Server = Pick<typeof api, "previews" | "odds" | "hint">;

/** What the questions are about. */
export interface Position {
  seat: number;
  seq: number; // the update that is shown
  positionSeq: number; // the one that brought this position
  view: View;
}

const MOST_PREVIEWS = 16; // in one question

export class Questions {
  previews = $state.raw<Readonly<Record<string, View>>>({}); // what an action would lead to, as far as it is known
  odds = $state.raw<Odds | null>(null);
  hint = $state.raw<Hint | null>(null);
  #about = ""; // the position that was asked about
  #asked = new Set<string>(); // the actions in it whose outcome was asked for
  #answered: Record<string, View> = {}; // what they lead to, as far as it is known

  constructor(
    readonly id: string,
    readonly server: Server,
  ) {}

  /** Ask what the board wants to show, once for each position, and for more as more is chosen in it. */
  ask({ seat, seq, positionSeq, view }: Position, ui: GameUi, draft: Draft, withOdds: boolean): void {
    const about = `${seat} ${positionSeq}`;
    const isNew = about !== this.#about;
    if (isNew) {
      this.#about = about;
      this.#asked.clear();
      this.#answered = {};
    }
    const isCurrent = (): boolean => about === this.#about;
    const wanted = ui.previews(view, draft).slice(0, MOST_PREVIEWS);
    const actions = wanted.filter((action) => !this.#asked.has(action));
    actions.forEach((action) => this.#asked.add(action));
    if (actions.length)
      void this.server.previews(this.id, seat, seq, actions).then(
        (reply) => {
          if (reply && isCurrent()) this.previews = this.#answered = { ...this.#answered, ...reply.views };
        },
        () => undefined, // a board without a preview is still a board
      );
    if (isNew && withOdds && ui.wantsOdds?.(view))
      void this.server.odds(this.id, seat, seq).then(
        (reply) => {
          if (reply && isCurrent()) this.odds = byTarget(reply.targets);
        },
        () => undefined,
      );
  }

  async askHint({ seat, seq }: Position): Promise<Hint | null> {
    const about = this.#about;
    const hint = await this.server.hint(this.id, seat, seq);
    if (about !== this.#about) return null; // the match went on
    return (this.hint = hint);
  }

  /** The position is another one. Previews and odds may stay while the question is the same. */
  forget(isSameQuestion: boolean): void {
    this.#about = "";
    this.hint = null;
    if (isSameQuestion) return;
    this.previews = {};
    this.odds = null;
  }
}

interface Target {
  target: string;
  odds: number;
  exact: boolean;
  available: boolean;
}
const byTarget = (targets: readonly Target[]): Odds =>
  Object.fromEntries(
    targets.filter(({ available }) => available).map(({ target, odds, exact }) => [target, { odds, exact }]),
  );

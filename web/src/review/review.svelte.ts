/** The review of a match: asked for, growing while it is made, and then read. */
import type { ReviewFacts, ReviewLevel, ReviewValue } from "../protocol";
import { api, type Pass, reason } from "../server/api";
import { me } from "../server/me.svelte";

export interface Side {
  seats: number[];
  start: number;
  result: number;
  luck: number;
  own: number;
  others: number;
  rest: number;
}
export type Mark = "doubtful" | "mistake" | "blunder";
export interface Judged {
  ply: number;
  seat: number;
  played: string;
  best: string;
  loss: number;
  error: number;
  mark: Mark | null;
}
export interface Lucky {
  ply: number;
  text: string;
  by_side: number[];
}
export interface TurningPoint {
  ply: number;
  seat: number | null;
  side: number;
  change: number;
  cause: "luck" | "decision";
  text: string;
}
export interface Kingmaker {
  ply: number;
  seat: number;
  cost: number;
  loser: number;
  winner: number;
  moved: number;
}
/** As `regalia review --json` has it. */
export interface Review {
  level: ReviewLevel;
  version: number;
  view: "open" | number;
  sides: Side[];
  values: ReviewValue[];
  decisions: Judged[];
  luck: Lucky[];
  turning_points: TurningPoint[];
  kingmakers: Kingmaker[];
}
/** What more there is to say of a marked decision. */
export interface Remark {
  ply: number;
  facts: [string, Record<string, unknown>][];
  sealed: boolean;
  enough: number; // what costs no more is as good as the best
  lines: { action: string; loss: number }[]; // the actions that were compared
}

const AGAIN_MS = 700;
const LATER_MS = 4000; // after a failure of the network

export class ReviewStore {
  facts = $state.raw<ReviewFacts | null>(null);
  values = $state.raw<readonly ReviewValue[]>([]); // as far as they are known, by ply
  trouble = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    readonly id: string,
    readonly pass: Pass,
    readonly view: number | null, // as this seat knew it
    readonly server: Pick<typeof api, "review" | "makeReview"> = api,
  ) {}

  get #body(): { review: Review; remarks: Remark[] } | null {
    return (this.facts?.body ?? null) as { review: Review; remarks: Remark[] } | null;
  }
  get review(): Review | null {
    return this.#body?.review ?? null;
  }
  get remarks(): readonly Remark[] {
    return this.#body?.remarks ?? [];
  }
  get isGrowing(): boolean {
    return this.facts?.state === "waiting" || this.facts?.state === "making";
  }

  /** Look; and if nobody has asked for it yet, ask, where this browser is somebody. */
  async begin(): Promise<void> {
    await this.#take(() => this.server.review(this.id, this.view, 0, this.pass));
    if (this.facts?.state !== "none") return;
    await me.know();
    if (me.player) await this.make(null);
  }

  async make(level: ReviewLevel | null, renew = false): Promise<void> {
    await me.ensure();
    this.values = [];
    await this.#take(() => this.server.makeReview(this.id, { level, view: this.view, renew, ...this.pass }));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #take(ask: () => Promise<ReviewFacts>): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const facts = await ask();
      if (this.#isClosed) return;
      const known = new Map(this.values.map((value) => [value.ply, value]));
      const body = facts.body as { review: Review } | null;
      for (const value of body?.review.values ?? facts.values) known.set(value.ply, value);
      this.values = [...known.values()].sort((one, other) => one.ply - other.ply);
      this.facts = facts;
      this.trouble = "";
      if (this.isGrowing) this.#later(AGAIN_MS);
    } catch (error) {
      if (this.#isClosed) return;
      this.trouble = reason(error);
      if (this.isGrowing) this.#later(LATER_MS);
    }
  }

  #later(ms: number): void {
    this.#timer = setTimeout(
      () => void this.#take(() => this.server.review(this.id, this.view, this.facts?.told ?? 0, this.pass)),
      ms,
    );
  }
}

/** Points of 100, in the reader's way of writing them. */
export function points(share: number, language: string, signed = false): string {
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    ...(signed ? { signDisplay: "exceptZero" } : {}),
  }).format(100 * share);
}

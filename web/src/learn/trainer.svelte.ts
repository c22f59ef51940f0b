/** Hand after hand of a game's trainer. How somebody does is kept in this browser. */
import { announcer } from "../app/announcer.svelte";
import { learn, t } from "../app/words.svelte";
import { NOTHING, type Draft, type GameUi, type View } from "../games/contract";
import { loadUi } from "../games/registry";
import type { TrainerFacts } from "../protocol";
import { api, reason } from "../server/api";
import type { Place } from "./place";

const KEY = "regalia.trainer";
const KEPT = 20; // hands of a level
const HANDS = 1_000_000;
export const TEN = 10; // hands whose mean is shown
export const EXACT_EYE = 1; // points a hand

type Losses = Readonly<Record<string, readonly number[]>>; // points, by game and level

function read(): Losses {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Losses;
  } catch {
    return {};
  }
}

/** The mean of the last ten. */
export function meanOf(losses: readonly number[]): number {
  const last = losses.slice(-TEN);
  return last.reduce((sum, loss) => sum + loss, 0) / Math.max(1, last.length);
}

export class Training implements Place {
  ui = $state.raw<GameUi | null>(null);
  facts = $state.raw<TrainerFacts | null>(null);
  draft = $state<Draft>({ ...NOTHING });
  remark = $state("");
  trouble = $state("");
  isBusy = $state(false);
  readonly previews = {};
  readonly records = [];
  readonly marks = [];
  #losses = $state.raw<Losses>(read());
  #asked = 0;

  constructor(readonly game: string) {}

  get view(): View | null {
    return this.facts?.view ?? null;
  }
  get actions(): readonly string[] {
    return this.isReady ? this.facts!.view.actions : [];
  }
  get isReady(): boolean {
    return !!this.facts && !this.isBusy && this.facts.answer === null;
  }
  get loss(): number {
    const { rows = [], answer = null } = this.facts ?? {};
    return 100 * ((rows[0]?.odds ?? 0) - (rows.find(({ action }) => action === answer)?.odds ?? 0));
  }
  losses(level: string): readonly number[] {
    return this.#losses[`${this.game}/${level}`] ?? [];
  }
  say(text: string): void {
    this.remark = text;
  }
  look(): Promise<void> {
    return Promise.resolve(); // the answer shows what comes of it
  }

  async load(level: string, hand: number | null): Promise<void> {
    try {
      [this.ui] = await Promise.all([loadUi(this.game), learn(this.game), learn("bots")]);
    } catch (error) {
      this.trouble = reason(error);
      return;
    }
    await this.deal(level, hand);
  }

  /** A hand of a level: any, or the one of this number. */
  async deal(level: string, hand: number | null = null): Promise<void> {
    await this.#ask(level, hand ?? Math.floor(Math.random() * HANDS), null);
    if (this.facts) announcer.say(this.facts.ask);
  }

  async answer(action: string): Promise<void> {
    if (!this.facts || !this.isReady) return;
    const { level, hand } = this.facts;
    await this.#ask(level, hand, action);
    if (this.facts.answer === null || this.facts.hand !== hand) return;
    this.#keep(`${this.game}/${level}`, this.loss);
    announcer.say([lostText(this.loss), ...this.facts.why].join(" "));
  }

  #keep(key: string, loss: number): void {
    const before = read(); // another tab may have gone on
    this.#losses = { ...before, [key]: [...(before[key] ?? []), loss].slice(-KEPT) };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#losses));
    } catch {
      // a browser that keeps nothing: the hands go on
    }
  }

  async #ask(level: string, hand: number, answer: string | null): Promise<void> {
    const asked = ++this.#asked;
    this.isBusy = true;
    try {
      const facts = await api.trainer(this.game, level, hand, answer);
      if (asked !== this.#asked) return;
      [this.facts, this.draft, this.remark, this.trouble] = [facts, { ...NOTHING }, "", ""];
    } catch (error) {
      if (asked !== this.#asked) return;
      if (this.facts) this.remark = reason(error);
      else this.trouble = reason(error) || t("ui.error.network");
    } finally {
      if (asked === this.#asked) this.isBusy = false;
    }
  }
}

/** What an answer cost. */
export function lostText(loss: number): string {
  const points = Number(loss.toFixed(loss < 10 ? 1 : 0));
  return points ? t("ui.trainer.lost", { points }) : t("ui.trainer.none");
}

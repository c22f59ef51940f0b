/** A step of a guide that is being done. The server judges every answer; what was right is sent along with the next. */
import { announcer } from "../app/announcer.svelte";
import { learn, t } from "../app/words.svelte";
import { NOTHING, type Draft, type GameUi, type View } from "../games/contract";
import { loadUi } from "../games/registry";
import type { LessonFacts } from "../protocol";
import { api, reason } from "../server/api";
import type { Place } from "./place";
import { progress } from "./progress.svelte";

export type LessonServer = Pick<typeof api, "guide" | "lesson">;

export class Lesson implements Place {
  ui = $state.raw<GameUi | null>(null);
  titles = $state.raw<readonly string[]>([]);
  facts = $state.raw<LessonFacts | null>(null);
  previews = $state.raw<Readonly<Record<string, View>>>({});
  draft = $state<Draft>({ ...NOTHING });
  remark = $state(""); // what the board says of something that was pressed
  trouble = $state(""); // why nothing can be shown
  isBusy = $state(false);
  #right: readonly string[] = []; // answers in this step that were right
  #asked = 0; // questions so far: an answer that comes late is not shown

  constructor(
    readonly game: string,
    readonly server: LessonServer = api,
  ) {}

  async load(step: number): Promise<void> {
    try {
      const [guide, ui] = await Promise.all([
        this.server.guide(this.game),
        loadUi(this.game),
        learn(this.game),
        learn("bots"),
      ]);
      this.titles = guide.steps;
      this.ui = ui;
    } catch (error) {
      this.trouble = reason(error);
      return;
    }
    await this.go(step);
  }

  get view(): View | null {
    return this.facts?.view ?? null;
  }
  get records(): LessonFacts["records"] {
    return this.facts?.records ?? [];
  }
  get marks(): readonly string[] {
    return this.facts?.marks ?? [];
  }
  get actions(): readonly string[] {
    return this.isReady ? this.facts!.view.actions : [];
  }
  /** Tell something of what was pressed. */
  say(text: string): void {
    this.remark = text;
  }
  get isReady(): boolean {
    return !!this.facts && !this.isBusy && !this.isDone;
  }
  get isDone(): boolean {
    return !!this.facts && this.facts.done === this.facts.tasks;
  }
  get isLast(): boolean {
    return !!this.facts && this.facts.step === this.titles.length - 1;
  }

  /** To a step, from its beginning. */
  async go(step: number): Promise<void> {
    const number = Math.max(0, Math.min(step, this.titles.length - 1));
    await this.#ask(number, []);
    progress.reach(this.game, number);
    if (this.facts) announcer.say(`${this.facts.title}. ${this.facts.say}`);
  }

  /** An action, or one of the answers to a question. */
  async answer(text: string): Promise<void> {
    if (!this.facts || !this.isReady) return;
    const { step } = this.facts;
    await this.#ask(step, [...this.#right, text]);
    if (this.facts.step !== step || !this.facts.verdict) return;
    if (this.isDone) progress.finish(this.game, step, this.titles.length);
    const isNext = this.facts.verdict.kind === "right" && !this.isDone;
    announcer.say([this.facts.verdict.text, isNext ? this.facts.say : ""].filter(Boolean).join(" "));
  }

  /** What the board wants to show of actions that are looked at. */
  async look(actions: readonly string[]): Promise<void> {
    const { facts } = this;
    const unknown = actions.filter((action) => !(action in this.previews)).slice(0, 16);
    if (!facts || !unknown.length) return;
    try {
      const { previews } = await this.server.lesson(this.game, facts.step, this.#right, unknown);
      if (this.facts === facts) this.previews = { ...this.previews, ...previews };
    } catch {
      // the board shows nothing ahead
    }
  }

  async #ask(step: number, answers: readonly string[]): Promise<void> {
    const asked = ++this.#asked;
    this.isBusy = true;
    try {
      const facts = await this.server.lesson(this.game, step, answers);
      if (asked !== this.#asked) return;
      if (facts.verdict === null || facts.verdict.kind === "right") {
        this.#right = answers;
        this.previews = {};
      }
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

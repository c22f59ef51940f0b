/** Trying an example out: one plays for whoever is due, and the server judges every action. */
import { announcer } from "../app/announcer.svelte";
import { learn, t } from "../app/words.svelte";
import { NOTHING, type Draft, type GameUi, type View } from "../games/contract";
import { loadUi } from "../games/registry";
import type { AttemptFacts } from "../protocol";
import { api, reason } from "../server/api";
import type { Place } from "./place";

export class Attempt implements Place {
  ui = $state.raw<GameUi | null>(null);
  facts = $state.raw<AttemptFacts | null>(null);
  previews = $state.raw<Readonly<Record<string, View>>>({});
  draft = $state<Draft>({ ...NOTHING });
  remark = $state("");
  trouble = $state("");
  isBusy = $state(false);
  #done: readonly string[] = []; // actions that were not refused
  #asked = 0;

  constructor(
    readonly game: string,
    readonly clause: string,
  ) {}

  get view(): View | null {
    return this.facts?.view ?? null;
  }
  get records(): AttemptFacts["records"] {
    return this.facts?.records ?? [];
  }
  get marks(): readonly string[] {
    return [];
  }
  get actions(): readonly string[] {
    return this.isReady ? this.facts!.view.actions : [];
  }
  get isReady(): boolean {
    return !!this.facts && !this.isBusy;
  }
  get isBegun(): boolean {
    return this.#done.length > 0 || !!this.facts?.verdict;
  }
  say(text: string): void {
    this.remark = text;
  }

  async load(): Promise<void> {
    try {
      [this.ui] = await Promise.all([loadUi(this.game), learn(this.game), learn("bots")]);
    } catch (error) {
      this.trouble = reason(error);
      return;
    }
    await this.again();
  }

  /** From the beginning. */
  again(): Promise<void> {
    return this.#ask([]);
  }

  async answer(text: string): Promise<void> {
    if (!this.isReady) return;
    await this.#ask([...this.#done, text]);
    if (this.facts?.verdict?.text) announcer.say(this.facts.verdict.text);
  }

  async look(actions: readonly string[]): Promise<void> {
    const { facts } = this;
    const unknown = actions.filter((action) => !(action in this.previews)).slice(0, 16);
    if (!facts || !unknown.length) return;
    try {
      const { previews } = await api.attempt(this.game, this.clause, this.#done, unknown);
      if (this.facts === facts) this.previews = { ...this.previews, ...previews };
    } catch {
      // the board shows nothing ahead
    }
  }

  async #ask(actions: readonly string[]): Promise<void> {
    const asked = ++this.#asked;
    this.isBusy = true;
    try {
      const facts = await api.attempt(this.game, this.clause, actions);
      if (asked !== this.#asked) return;
      if (!facts.verdict || facts.verdict.kind === "right") {
        this.#done = actions;
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

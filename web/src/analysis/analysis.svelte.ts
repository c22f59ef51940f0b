/** An analysis: trees of positions in which every side and all chance are in one's own hand. The server judges every
 * step and keeps none; what was done so far stays whatever it refuses. */
import { announcer } from "../app/announcer.svelte";
import { learn, spoken, t } from "../app/words.svelte";
import { NOTHING, type Draft, type GameUi, type View } from "../games/contract";
import { loadUi } from "../games/registry";
import type { AnalysisFacts, AnalysisRequest, RecordFacts, StudyFacts } from "../protocol";
import { api, explain, reason, Refused } from "../server/api";
import { commandId } from "../server/socket.svelte";
import { kept } from "./kept";
import { write } from "./text";
import { Thinking } from "./thinking.svelte";
import { MOST_CHAPTERS, MOST_NODES, newNode, type Node, pathTo, plyOf, studyOf, Tree } from "./tree.svelte";

export type AnalysisServer = Pick<typeof api, "analysis" | "study">;
export type How = NonNullable<AnalysisRequest["chance"]>;
export interface Refusal {
  text: string;
  clause: string | null;
}
const KEEP_MS = 400;

export class Analysis {
  ui = $state.raw<GameUi | null>(null);
  trees = $state.raw<readonly Tree[]>([]);
  tree = $state.raw<Tree | null>(null);
  facts = $state.raw<AnalysisFacts | null>(null); // of the node that is shown
  shown = $state.raw<Node | null>(null); // the current node is, once it is known
  previews = $state.raw<Readonly<Record<string, View>>>({});
  draft = $state<Draft>({ ...NOTHING });
  remark = $state(""); // what the board says of something that was pressed
  refusal = $state.raw<Refusal | null>(null); // why the last wish was not done
  title = $state("");
  isBusy = $state(false);
  isKept = $state(true); // what was done is in this browser's store
  readonly thinking = new Thinking();
  id = commandId(); // of the study in this browser
  #seat: number | null = null; // looked from, where several decide at once
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly server: AnalysisServer = api) {}

  get node(): Node | null {
    void this.tree?.version;
    return this.tree?.current ?? null;
  }
  /** What the board shows, numbered from the beginning of the line. */
  view = $derived.by((): View | null => {
    const { facts, shown } = this;
    return facts && shown ? { ...facts.view, ply: plyOf(shown) + 1 } : null;
  });
  records = $derived.by((): readonly RecordFacts[] =>
    this.shown && this.facts
      ? pathTo(this.shown).map(({ facts, seat, action, outcomes }, ply) => ({
          ...(facts?.record ?? { seat, action, outcomes: [...outcomes], effects: [], at_ms: 0 }),
          ply,
        }))
      : [],
  );
  get isChance(): boolean {
    return !!this.facts?.falls.length;
  }
  get isReady(): boolean {
    return !!this.facts && !this.isBusy;
  }
  get actions(): readonly string[] {
    return this.isReady && this.facts!.view.you !== null ? this.facts!.view.actions : [];
  }
  say(text: string): void {
    this.remark = text;
  }

  // --- Beginnings ---

  /** A study, a transcript or a position. */
  async openText(text: string, ply: number | null = null): Promise<boolean> {
    return this.#try(async () => {
      const study = await this.server.study(text.trim());
      await this.openStudy(study);
      for (let count = 0; ply !== null && count < ply && this.tree!.current.children[0]; count++)
        this.tree!.go(this.tree!.current.children[0]);
      if (ply !== null) await this.#show();
    });
  }

  async openStudy(study: StudyFacts, id = commandId()): Promise<void> {
    const trees = study.chapters.map((chapter) => Tree.of(chapter));
    if (!trees[0]) throw new Error("a study without chapters");
    [this.trees, this.title, this.id] = [trees, study.title, id];
    await this.choose(trees[0]);
  }

  /** The usual start of a game, or (as a chapter of its own) a position of it. */
  async begin(game: string, seats: number | null, position: string | null = null): Promise<boolean> {
    return this.#try(async () => {
      const start = { position, seats, options: {} };
      const facts = await this.server.analysis(game, { start, records: [] });
      const { rules, options } = facts.view;
      const tree = new Tree({ game, rules, seats: facts.view.seats, options, position });
      tree.root.facts = facts;
      tree.root.outcomes = facts.record.outcomes;
      const isMore = position !== null && this.tree?.beginning.game === game;
      if (isMore && this.trees.length >= MOST_CHAPTERS)
        throw new Refused(refused(t("ui.analysis.too_many_chapters", { most: MOST_CHAPTERS })));
      this.trees = isMore ? [...this.trees, tree] : [tree];
      if (!isMore) [this.title, this.id] = ["", commandId()];
      await this.choose(tree);
    });
  }

  async choose(tree: Tree): Promise<void> {
    const { game } = tree.beginning;
    const [ui] = await Promise.all([loadUi(game), learn(game), learn("bots")]);
    this.tree = tree;
    this.ui = ui;
    await this.#show();
  }

  // --- What one does ---

  async go(node: Node): Promise<void> {
    this.tree!.go(node);
    await this.#try(() => this.#show());
  }

  /** An action of the seat that decides. */
  async play(action: string): Promise<void> {
    const { tree, facts } = this;
    if (!tree || !facts || !this.isReady) return;
    if (tree.size >= MOST_NODES) {
      this.refusal = { text: t("ui.analysis.too_many", { most: MOST_NODES }), clause: null };
      return;
    }
    const parent = tree.current;
    const node = newNode(parent, { seat: facts.view.you, action, outcomes: [] });
    await this.#try(async () => {
      node.facts = await this.#ask({ ...tree.where(node) });
      if (node.facts.record.seat === node.seat) node.action = node.facts.record.action;
      tree.go(tree.add(node));
      this.#settle();
    });
  }

  /** What is due falls so, or as it is wished. */
  async fall(what: readonly string[] | How): Promise<void> {
    const { tree } = this;
    if (!tree || !this.isChance || this.isBusy) return;
    const node = tree.current;
    const outcomes = typeof what === "string" ? node.outcomes : [...node.outcomes, ...what];
    await this.#try(async () => {
      const where = tree.where({ ...node, outcomes });
      const facts = await this.#ask({ ...where, chance: typeof what === "string" ? what : null });
      [node.outcomes, node.facts] = [facts.record.outcomes, facts];
      tree.go(node.parent ? tree.add(node) : node);
      this.#settle();
    });
  }

  /** Look from another seat, where several decide at once. */
  async lookFrom(seat: number): Promise<void> {
    this.#seat = seat;
    await this.#try(async () => {
      this.tree!.current.facts = await this.#ask(this.tree!.where(this.tree!.current));
      this.#settle();
    });
  }

  async promote(): Promise<void> {
    this.tree!.promote(this.tree!.current);
    this.#keep();
  }

  async remove(): Promise<void> {
    this.tree!.remove(this.tree!.current);
    await this.#try(() => this.#show());
    this.#keep();
  }

  annotate(what: { comment?: string; mark?: string | null }): void {
    this.tree!.change(this.tree!.current, what);
    this.#keep();
  }

  rename(title: string): void {
    this.title = title;
    this.#keep();
  }

  get text(): string {
    for (const tree of this.trees) void tree.version;
    return write(studyOf(this.trees, this.title, spoken()));
  }

  /** What the board wants to show of actions that are looked at. */
  async look(actions: readonly string[]): Promise<void> {
    const { facts, tree } = this;
    const unknown = actions.filter((action) => !(action in this.previews)).slice(0, 16);
    if (!facts || !tree || tree.current.facts !== facts || !unknown.length) return; // on the way elsewhere
    try {
      const { previews } = await this.server.analysis(tree.beginning.game, {
        ...tree.where(tree.current),
        previews: unknown,
        seat: facts.view.you,
      });
      if (this.facts === facts) this.previews = { ...this.previews, ...previews };
    } catch {
      // the board shows nothing ahead
    }
  }

  think(): void {
    const { tree, facts } = this;
    if (!tree || !facts) return;
    const where = { start: { position: facts.position, seats: null, options: {} }, records: [] };
    void this.thinking.start(tree.beginning.game, { ...where, seat: facts.view.you, lines: 5 });
  }

  // --- Asking ---

  async #ask(body: Partial<AnalysisRequest>): Promise<AnalysisFacts> {
    const { game } = this.tree!.beginning;
    return this.server.analysis(game, { ...body, seat: this.#seat });
  }

  /** Show the node that is the current one, asking for what is not known of it. */
  async #show(): Promise<void> {
    const tree = this.tree!;
    const node = tree.current;
    this.#seat = null;
    const asked = ++this.#asked;
    node.facts ??= await this.#ask(tree.where(node));
    if (asked === this.#asked) this.#settle();
  }

  #settle(): void {
    const { tree } = this;
    [this.shown, this.facts] = [tree!.current, tree!.current.facts];
    [this.draft, this.previews, this.remark, this.refusal] = [{ ...NOTHING }, {}, "", null];
    this.#seat = null;
    this.thinking.clear();
    this.#keep();
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    this.isBusy = true;
    this.refusal = null;
    try {
      await work();
      return true;
    } catch (error) {
      this.refusal =
        error instanceof Refused
          ? { text: explain(error.refusal), clause: error.refusal.clause }
          : { text: reason(error), clause: null };
      announcer.alert(this.refusal.text);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  #keep(): void {
    this.isKept = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.keep(), KEEP_MS);
  }

  async keep(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.trees.length) return;
    try {
      await kept.put(this.id, studyOf(this.trees, this.title, spoken()));
      this.isKept = true;
    } catch {
      // this browser keeps nothing: the text can be copied
    }
  }
}

/** A refusal by this page itself. */
function refused(text: string): ConstructorParameters<typeof Refused>[0] {
  return {
    type: "refused",
    code: "bad_message",
    text,
    key: "",
    values: {},
    clause: null,
    id: null,
    table: null,
  };
}

import { beforeAll, describe, expect, it, vi } from "vitest";
import { Analysis, type AnalysisServer } from "../src/analysis/analysis.svelte";
import { write } from "../src/analysis/text";
import { pathTo, plyOf, Tree, walk } from "../src/analysis/tree.svelte";
import { learn, speak } from "../src/app/words.svelte";
import type { AnalysisFacts, AnalysisRequest, StudyFacts } from "../src/protocol";
import { Refused } from "../src/server/api";
import fixture from "./study.json";

const study = fixture.study as unknown as StudyFacts;

beforeAll(async () => {
  await speak("en");
  await learn("more");
});

describe("a study", () => {
  it("is written as Python writes it", () => {
    expect(write(study)).toBe(fixture.text);
  });
  it("is the same after it was a tree", () => {
    const again = { ...study, chapters: study.chapters.map((chapter) => Tree.of(chapter).facts()) };
    expect(again).toEqual(study);
    expect(write(again)).toBe(fixture.text);
  });
});

describe("a tree", () => {
  const branching = (): Tree => Tree.of(study.chapters.find(({ nodes }) => nodes.length > 6)!);
  const branchOf = (tree: Tree) =>
    walk(tree.root).find((node) => node.parent && node.parent.children[0] !== node)!;

  it("says where a node is from the nearest position that is known", () => {
    const tree = branching();
    const node = walk(tree.root)[4]!;
    expect(tree.where(node).records).toHaveLength(plyOf(node) + 1);
    node.parent!.facts = { position: "known" } as AnalysisFacts;
    expect(tree.where(node)).toEqual({
      start: { position: "known", seats: null, options: {} },
      records: [{ seat: node.seat, action: node.action, outcomes: [...node.outcomes] }],
    });
  });
  it("has a branch for its main line once it is promoted, and loses nothing", () => {
    const tree = branching();
    const size = tree.size;
    const branch = branchOf(tree);
    tree.promote(branch);
    expect(branch.parent!.children[0]).toBe(branch);
    expect(tree.size).toBe(size);
    expect(pathTo(branch).every((node) => !node.parent || node.parent.children[0] === node)).toBe(true);
  });
  it("goes back to where a branch began when that is deleted", () => {
    const tree = branching();
    const branch = branchOf(tree);
    const size = tree.size;
    tree.go(branch);
    const gone = walk(branch).length;
    tree.remove(branch);
    expect(tree.current).toBe(branch.parent);
    expect(tree.size).toBe(size - gone);
  });
});

/** A server of a game of rose_king in which anything may be played, and "draw" waits for a card. */
function fakeServer(): AnalysisServer & { asked: Partial<AnalysisRequest>[] } {
  const asked: Partial<AnalysisRequest>[] = [];
  return {
    asked,
    study: vi.fn(async () => study),
    analysis: vi.fn(async (game: string, body: Partial<AnalysisRequest>) => {
      asked.push(body);
      const last = body.records!.at(-1) ?? { seat: null, action: "", outcomes: [] };
      if (last.action === "nonsense")
        throw new Refused({
          type: "refused",
          code: "illegal_action",
          text: "no",
          key: "",
          values: {},
          clause: "RK-22",
          id: null,
          table: null,
        });
      const outcomes = body.chance ? ["N1"] : (last.outcomes ?? []);
      const isDue = last.action === "draw" && !outcomes.length;
      return {
        game,
        position: `rose_king rules=1 seats=2 {"n":${asked.length}}`,
        view: {
          game,
          seats: 2,
          rules: 1,
          options: {},
          you: isDue ? null : 0,
          actors: [0],
          actions: ["draw"],
        },
        record: { ply: 0, ...last, outcomes, effects: [], at_ms: 0 },
        falls: isDue
          ? [
              { outcomes: ["N1"], odds: 0.5 },
              { outcomes: ["N2"], odds: 0.5 },
            ]
          : [],
        previews: {},
      } as unknown as AnalysisFacts;
    }),
  };
}

describe("an analysis", () => {
  it("plays all sides, lets chance fall as one says, and branches", async () => {
    const analysis = new Analysis(fakeServer());
    expect(await analysis.begin("rose_king", 2)).toBe(true);
    await analysis.play("draw");
    expect(analysis.isChance).toBe(true);
    await analysis.fall(["N1"]);
    expect(analysis.node!.outcomes).toEqual(["N1"]);
    const first = analysis.node!;
    await analysis.go(analysis.tree!.root);
    await analysis.play("draw");
    await analysis.fall(["N2"]);
    expect(analysis.tree!.root.children).toHaveLength(2);
    await analysis.go(analysis.tree!.root);
    await analysis.play("draw");
    await analysis.fall("roll"); // N1 again: the node that is there
    expect(analysis.node).toBe(first);
    expect(analysis.tree!.root.children).toHaveLength(2);
  });
  it("loses nothing of what is there when something is refused", async () => {
    const analysis = new Analysis(fakeServer());
    await analysis.begin("rose_king", 2);
    await analysis.play("NE2");
    const { node } = analysis;
    await analysis.play("nonsense");
    expect(analysis.refusal).toEqual({ text: "no", clause: "RK-22" });
    expect(analysis.node).toBe(node);
    expect(analysis.tree!.size).toBe(2);
    await analysis.play("NE3");
    expect(analysis.refusal).toBeNull();
  });
  it("opens a text at a moment", async () => {
    const analysis = new Analysis(fakeServer());
    await analysis.openText(fixture.text, 2);
    expect(plyOf(analysis.node!)).toBe(2);
    expect(analysis.text).toBe(fixture.text.replace(/^language .*$/m, "language en"));
  });
});

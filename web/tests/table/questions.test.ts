import { describe, expect, it } from "vitest";
import { NOTHING, type Draft, type GameUi, type View } from "../../src/games/contract";
import type { Hint } from "../../src/protocol";
import { Questions, type Position, type Server } from "../../src/table/questions.svelte";
import { view } from "./telling";

const UI = { previews: ({ actions }: View) => actions, wantsOdds: () => true } as unknown as GameUi;
const HINT: Hint = { ply: 4, action: "N1", bot: "regent", reasons: [] };
const at = (seq: number, positionSeq = seq): Position => ({ seat: 0, seq, positionSeq, view: view(seq) });
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Answers wait until they are let go. */
class Oracle implements Server {
  asked: unknown[] = [];
  #held: (() => void)[] = [];
  #later<T>(question: unknown, answer: T): Promise<T> {
    this.asked.push(question);
    return new Promise((done) => this.#held.push(() => done(answer)));
  }
  async letGo(): Promise<void> {
    this.#held.splice(0).forEach((answer) => answer());
    await settled();
  }
  previews: Server["previews"] = (_, seat, seq, actions) =>
    this.#later(["previews", seat, seq, ...actions], {
      ply: seq,
      views: Object.fromEntries(actions.map((action) => [action, view(seq + 1)])),
    });
  odds: Server["odds"] = (_, seat, seq) =>
    this.#later(["odds", seat, seq], {
      targets: [
        { target: "guard", odds: 0.5, exact: true, available: true },
        { target: "king", odds: 0, exact: true, available: false },
      ],
    });
  hint: Server["hint"] = (_, seat, seq) => this.#later(["hint", seat, seq], HINT);
}

describe("what is asked beside the game", () => {
  it("is asked once for each position, with the update that is shown", async () => {
    const oracle = new Oracle();
    const questions = new Questions("table1", oracle);
    questions.ask(at(4), UI, NOTHING, true);
    questions.ask(at(5, 4), UI, NOTHING, true); // somebody spoke
    await oracle.letGo();
    expect(oracle.asked).toEqual([
      ["previews", 0, 4, "N1", "draw"],
      ["odds", 0, 4],
    ]);
    expect(questions.previews["N1"]?.ply).toBe(5);
    expect(questions.odds).toEqual({ guard: { odds: 0.5, exact: true } });
  });

  it("is asked for more as more is chosen, and keeps what was answered", async () => {
    const oracle = new Oracle();
    const questions = new Questions("table1", oracle);
    const ui = { previews: (_: View, { using }: Draft) => (using ? [using] : []) } as unknown as GameUi;
    questions.ask(at(4), ui, NOTHING, true);
    questions.ask(at(4), ui, { ...NOTHING, using: "N1" }, true);
    questions.ask(at(5, 4), ui, { ...NOTHING, using: "N1" }, true); // somebody spoke
    questions.ask(at(5, 4), ui, { ...NOTHING, using: "draw" }, true);
    expect(oracle.asked).toEqual([
      ["previews", 0, 4, "N1"],
      ["previews", 0, 5, "draw"],
    ]);
    await oracle.letGo();
    expect(Object.keys(questions.previews)).toEqual(["N1", "draw"]);
  });

  it("is no answer to another position, even at the same ply", async () => {
    const oracle = new Oracle();
    const questions = new Questions("table1", oracle);
    questions.ask(at(4), UI, NOTHING, true);
    const hint = questions.askHint(at(4));
    questions.forget(false);
    await oracle.letGo();
    expect(await hint).toBeNull();
    expect([questions.previews, questions.odds, questions.hint]).toEqual([{}, null, null]);
  });

  it("stays on the board while the question is the same", async () => {
    const oracle = new Oracle();
    const questions = new Questions("table1", oracle);
    questions.ask(at(4), UI, NOTHING, true);
    await oracle.letGo();
    questions.forget(true);
    expect(questions.odds).not.toBeNull();
    questions.ask(at(6), UI, NOTHING, true);
    expect(oracle.asked).toHaveLength(4);
  });
});

import { fireEvent, render } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { NOTHING, type BoardProps, type Draft, type RecordOf } from "$web/games/contract";
import ui from "$games/court_the_king/web";
import { looked } from "$games/court_the_king/web/looked.svelte";
import {
  chanceText,
  diceOf,
  madeBy,
  offersOf,
  sameDice,
  storyText,
  type CourtView,
} from "$games/court_the_king/web/view";
import type { CharacterName, Effect } from "$games/court_the_king/web/types";
import { learn, speak } from "$web/app/words.svelte";
import fixture from "./board.json";

const { view, records } = fixture as unknown as { view: CourtView; records: RecordOf<Effect>[] };
const names = ["Ann", "Bea", "Cleo"];
const props = (
  onact: (action: string) => void,
  draft: Partial<Draft> = {},
): BoardProps<CourtView, Effect> => ({
  view,
  actions: view.actions,
  onact,
  onsay: () => undefined,
  draft: { ...NOTHING, ...draft },
  records,
  mark: records.length - 1,
  previews: {},
  odds: null,
  names,
});

describe("To Court the King", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("court_the_king");
  });

  it("reads the dice that a use names from its notation", () => {
    expect(diceOf("use maid 2+3")).toEqual([2]);
    expect(diceOf("use philosopher 5-2>1")).toEqual([1, 5]);
    expect(diceOf("use alchemist 2 5 5 = 4 4 4")).toEqual([2, 5, 5]);
    expect(diceOf("use magician 4=6")).toEqual([4]);
    expect(diceOf("use merchant 1 1 3")).toEqual([1, 1, 3]);
    expect(sameDice([1, 2, 2], [2, 1, 2])).toBe(true);
  });

  it("sees what dice become from the outcome of a use", () => {
    const made = (action: string, before: number[], after: number[]): number[] =>
      madeBy(action, { ...view, active: before }, { ...view, active: after });
    expect(made("use lady 3 4", [3, 4, 4], [4, 4, 5])).toEqual([4, 5]);
    expect(made("use philosopher 5-2>1", [1, 3, 5], [3, 3, 3])).toEqual([3, 3]);
    expect(made("use fool 3", [3, 4, 4], [4, 4])).toEqual([]);
  });

  it("offers only uses that the server allows for the dice that were picked", () => {
    const index = view.active.findIndex((face) => face < 6);
    const offers = (draft: Partial<Draft>): string[] =>
      offersOf(view, view.actions, { ...NOTHING, using: "maid", ...draft });
    const uses = offers({ chosen: [index] });
    expect(uses.length).toBeGreaterThan(0);
    expect(
      uses.every(
        (action) => view.actions.includes(action) && action.startsWith(`use maid ${view.active[index]}+`),
      ),
    ).toBe(true);
    expect(offers({})).toEqual(view.actions.filter((action) => action.startsWith("use maid ")));
    expect(offers({ using: null })).toEqual([]);
    expect(offers({ using: "queen", chosen: [index] })).toEqual([]);
  });

  it("shows what an offered use does to the dice once it is known", () => {
    const after = { ...view, active: [3, 5, 6, 6] };
    const rolling = { ...view, active: [1, 6, 6], rolling: 1 };
    const { container } = render(ui.Tray, {
      ...props(vi.fn(), { using: "maid", chosen: [0] }),
      previews: { "use maid 1+2": after, "use maid 1+3": rolling },
    });
    const [unknown, changed, rolled] = [...container.querySelectorAll(".offers button")];
    const drawn = (offer: Element | undefined): (string | null)[] =>
      [...offer!.querySelectorAll("use")].map((die) => die.getAttribute("href"));
    expect(drawn(unknown)).toEqual(["#die-1"]);
    expect(drawn(changed)).toEqual(["#die-1", "#die-3"]);
    expect(drawn(rolled)).toEqual(["#die-1"]);
    expect(rolled!.textContent).toContain("again");
  });

  it("shows twenty characters and their copies", () => {
    const { container } = render(ui.Board, props(vi.fn()));
    expect(container.querySelectorAll(".card")).toHaveLength(20);
    expect(container.querySelector(".card.can")).toBeNull();
  });

  it("tells of a character at the first press and takes it at the second", async () => {
    const onact = vi.fn();
    const taking = { ...view, active: [], aside: [4, 4, 4], actions: ["take guard", "take none"] };
    const { getByRole, queryByRole } = render(ui.Board, {
      ...props(onact),
      view: taking,
      actions: taking.actions,
    });
    await fireEvent.click(getByRole("button", { name: /^take, Guard/ }));
    expect(onact).not.toHaveBeenCalled();
    expect(getByRole("dialog", { name: "Guard" }).textContent).toContain("three of a kind");
    await fireEvent.click(getByRole("button", { name: /^King/ }));
    expect(getByRole("dialog", { name: "King" }).textContent).toContain("Your result does not pay for it.");
    await fireEvent.click(getByRole("button", { name: /^King/ }));
    expect(queryByRole("dialog")).toBeNull();
    expect(onact).not.toHaveBeenCalled();
    await fireEvent.click(getByRole("button", { name: /^take, Guard/ }));
    await fireEvent.click(getByRole("button", { name: /^take, Guard/ }));
    expect(onact.mock.calls).toEqual([["take guard"]]);
    expect(looked.at).toBeNull();
  });

  it("marks what a bot advises: dice, a character of one's own, a card of the display", () => {
    const tray = render(ui.Tray, props(vi.fn(), { point: "keep 6 6" }));
    expect(tray.container.querySelectorAll(".die.advised")).toHaveLength(2);
    tray.unmount();
    const own = { ...view, characters: [["maid", "fool"], [], []] as CharacterName[][] };
    const using = render(ui.Tray, { ...props(vi.fn(), { point: "use maid 1+3" }), view: own });
    expect(using.container.querySelectorAll(".mine.advised")).toHaveLength(1);
    expect(using.container.querySelectorAll(".die.advised")).toHaveLength(1);
    using.unmount();
    const { container } = render(ui.Board, props(vi.fn(), { point: "take guard" }));
    expect(container.querySelectorAll(".mark")).toHaveLength(1);
  });

  it("shows in the log what a result of the final round is worth", () => {
    const effect: Effect = {
      type: "final_result",
      seat: 0,
      dice: [6, 6, 6],
      count: 3,
      face: 6,
      is_best: true,
    };
    expect(ui.score!({ ...records[1]!, effects: [effect] })).toBe("3 × 6");
    expect(ui.score!(records[1]!)).toBe("");
  });

  it("names in the prompt only what can be done", () => {
    const said = (actions: string[], more: Partial<CourtView> = {}): string =>
      ui.prompt({ ...view, usable: [], actions, ...more }, NOTHING, (seat) => names[seat]!).text;
    expect(said(["roll"])).toBe("Your turn: roll the dice.");
    expect(said(["keep 1"])).toBe("Your turn: set at least one die aside.");
    expect(said(["keep 1", "use fool 1"])).toBe("Your turn: set at least one die aside, or use a character.");
    expect(said(["roll", "keep 1"])).toBe("Your turn: roll again, or set more dice aside.");
    expect(said(["roll", "pass"])).toBe("Final round: roll to beat the best result, or pass.");
    expect(said(["take none"], { takeable: [] })).toBe("Your result stands, but wins nobody over.");
    expect(said(["take fool", "take none"], { takeable: ["fool"] })).toContain("take a character, or none");
  });

  it("calls nothing certain that is not", () => {
    const chance = (odds: number, exact = true): string => chanceText({ best: { odds, exact } }, "best");
    expect(chance(1)).toBe("100%");
    expect(chance(0.9996, false)).toBe("> 99%");
    expect(chance(0.42, false)).toBe("≥ 42%");
    const best = { seat: 1, count: 7, face: 6 };
    expect(storyText({ ...view, best }, names, { best: { odds: 0.02, exact: true } })).toBe(
      "Best so far: Bea with 7 times 6. Your chance to be best after this turn: 2%.",
    );
  });

  it("shows the dice that won the King in the reckoning", () => {
    const effect: Effect = {
      type: "character_taken",
      seat: 1,
      character: "king",
      dice: [6, 6, 6, 6, 6, 6, 6],
    };
    const { getByRole } = render(ui.Reckoning, {
      view: { ...view, results: [[1, 2], null, null], best: { seat: 1, count: 7, face: 6 } },
      names,
      records: [{ ...records[1]!, effects: [effect] }],
    });
    expect(getByRole("img", { name: "6 6 6 6 6 6 6" })).toBeTruthy();
    expect(document.body.textContent).toContain("The King was won by Bea with 7 times 6.");
  });

  it("picks dice and names them on the button", async () => {
    const { container } = render(ui.Tray, props(vi.fn()));
    expect(container.querySelectorAll(".zone.active button.die")).toHaveLength(view.active.length);
    await fireEvent.click(container.querySelector(".zone.active button.die")!);
    const choice = ui.choices(view, view.actions, { ...NOTHING, chosen: [0] }).find(({ key }) => key === "k");
    expect(choice?.action).toBe(`keep ${view.active[0]}`);
  });

  it("tells every record in words, without a hole left open", () => {
    const told = ui.tell(records, view, (seat) => names[seat]!);
    expect(told.every((sentence) => sentence && !/[{}]/.test(sentence))).toBe(true);
    expect(told.at(-1)).toMatch(/^Ann rolls 6, 6, 1,? and 5\.$/);
  });

  it("words what a character did", () => {
    const told = (...effects: Effect[]): string =>
      ui.tell([{ ...records[1]!, seat: 0, effects }], view, (seat) => names[seat]!)[0]!;
    const used = (character: CharacterName): Effect => ({ type: "character_used", seat: 0, character });
    const changed = (from: number, to: number): Effect => ({ type: "die_changed", seat: 0, from, to });
    const die = <T extends "die_added" | "die_rerolled" | "die_rolled">(type: T, face: number) =>
      ({ type, seat: 0, face }) as const;
    expect(told(used("maid"), changed(2, 5))).toBe("Ann uses the Maid and adds 3 to a 2.");
    expect(told(used("philosopher"), changed(5, 4), changed(2, 3))).toBe(
      "Ann uses the Philosopher, takes 1 off a 5 and adds it to a 2.",
    );
    expect(told(used("alchemist"), changed(2, 4), changed(5, 4), changed(5, 4))).toMatch(
      /^Ann uses the Alchemist and turns 2, 5,? and 5 into 4, 4,? and 4\.$/,
    );
    expect(told(used("lady"), changed(2, 3), changed(5, 6))).toBe(
      "Ann uses the Lady-in-waiting: +1 on 2 and 5.",
    );
    expect(told(used("queen"), die("die_added", 4))).toBe("Ann uses the Queen: one more die, showing 4.");
    expect(told(used("queen"), { type: "die_added", seat: 0, face: null })).toBe(
      "Ann uses the Queen: one more die to roll.",
    );
    expect(told(used("fool"), die("die_rerolled", 6), die("die_rolled", 3))).toMatch(
      /^Ann uses the Fool and re-rolls a 6\. .*3/,
    );
  });
});

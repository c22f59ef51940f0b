import { beforeAll, describe, expect, it } from "vitest";
import type { RecordOf } from "$web/games/contract";
import { learn } from "$web/app/words.svelte";
import { arrange, cut, filled, fit, lines, widthOf } from "$games/court_the_king/web/court";
import Diagram, { isPlace } from "$games/court_the_king/web/Diagram.svelte";
import type { Effect } from "$games/court_the_king/web/types";
import type { CourtView } from "$games/court_the_king/web/view";
import { draw, faults } from "../../../web/tests/picture";
import fixture from "./board.json";

const { view, records } = fixture as unknown as { view: CourtView; records: RecordOf<Effect>[] };
const count = (picture: string, part: string): number => picture.split(part).length - 1;

describe("the diagram of To Court the King", () => {
  beforeAll(() => learn("court_the_king"));

  it.each([
    ["as it is by itself", {}],
    ["on a laptop", { wide: 808, high: 554, hasDice: false }],
    ["on a tablet", { wide: 580, high: 470 }],
    ["on a phone", { wide: 390, high: 440 }],
    [
      "on a phone at twice its size",
      { wide: 195, high: 331, hasDice: false, view: { ...view, display: { ...view.display, magician: 5 } } },
    ],
  ])("is nothing but SVG, %s", (_, room) => {
    for (const more of [{}, { odds: { guard: { odds: 0.42, exact: true } }, names: ["Ann", "Bea", "Cleo"] }])
      expect(faults(draw(Diagram, { view, last: records.at(-1), ...room, ...more }))).toEqual([]);
  });

  it("draws twenty characters and the dice of the turn", () => {
    const picture = draw(Diagram, { view: { ...view, active: [1, 5, 6], aside: [6] } });
    expect(count(picture, 'href="#ck-shield"')).toBe(20);
    expect([1, 5, 6].map((face) => count(picture, `href="#die-${face}"`))).toEqual([1, 1, 2]);
    expect(picture).toContain("Round 4");
    expect(count(draw(Diagram, { view, hasDice: false }), 'href="#die-')).toBe(0);
    expect(count(draw(Diagram, { view: { ...view, active: [], in_hand: 3 } }), 'href="#die-0"')).toBe(3);
  });

  it("tells who is the player's own, who would be, and who has gone", () => {
    const picture = draw(Diagram, { view });
    const marked = (word: string): number => count(picture, `>${word}</text>`);
    expect(marked("yours")).toBe(1); // the Maid; a second Charlatan may be had
    expect(marked("none left")).toBe(2); // Fool and Farmer
    expect(marked("now")).toBe(1); // the Laborer
    expect(count(draw(Diagram, { view, actions: ["take laborer"] }), ">take</text>")).toBe(1);
  });

  it("marks who was taken, and who is pointed out", () => {
    const taken: Effect = { type: "character_taken", seat: 0, character: "maid", dice: [1, 3, 5] };
    expect(count(draw(Diagram, { view, marks: ["king", "guard"] }), 'class="mark ')).toBe(2);
    expect(["king", "charlatan", "jester"].map(isPlace)).toEqual([true, true, false]);
    expect(count(draw(Diagram, { view, last: { ...records[1]!, effects: [taken] } }), 'class="taken ')).toBe(
      1,
    );
  });

  it("keeps every card within its room, and none upon another", () => {
    for (const [wide, high] of [
      [808, 554],
      [689, 420],
      [688, 420],
      [540, 420],
      [539, 420],
      [300, 240],
    ] as const) {
      const { cards } = arrange(wide, high);
      expect(new Set(cards.map(({ name }) => name)).size).toBe(20);
      for (const [index, a] of cards.entries()) {
        expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= wide + 0.01 && a.y + a.h <= high + 0.01).toBe(true);
        for (const b of cards.slice(index + 1))
          expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true);
      }
    }
  });

  it("cuts words to their room", () => {
    expect(lines("Lady-in-waiting", 80, 15.5)).toEqual(["Lady-in-", "waiting"]);
    expect(lines("yours if the turn ended here", 151, 14)).toEqual(["yours if the turn ended", "here"]);
    expect(fit("Philosopher", 84, [15.5, 13]).size).toBe(15.5);
    expect(fit("Philosopher", 75, [15.5, 13]).size).toBe(13);
    expect(lines("Philosopher", 53, 12)).toEqual(["Philoso-", "pher"]);
    expect(cut("Narr umdrehen", 60, 12)).toMatch(/^Narr u\w*…$/);
    expect(widthOf(cut("Narr umdrehen", 60, 12), 12)).toBeLessThanOrEqual(60);
  });

  it("fills a pill by its share", () => {
    expect(filled(40, 20, 0)).toBe("");
    expect(filled(40, 20, 0.5)).toBe("M10 0H20V20H10A10 10 0 0 1 10 0Z");
    expect(filled(40, 20, 0.1)).toMatch(/^M4 2A10 10 0 0 0 4 18Z$/);
    expect(filled(40, 20, 1)).toContain("H30A10 10 0 0 1 40 10V10A10 10 0 0 1 30 20");
  });
});

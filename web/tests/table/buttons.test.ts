import { describe, expect, it } from "vitest";
import type { Choice } from "../../src/games/contract";
import { buttonsOf, MOST_ELSEWHERE } from "../../src/table/buttons";

const cards = (count: number): Choice[] =>
  Array.from({ length: count }, (_, index) => ({
    label: `card ${index}`,
    action: `${index}`,
    elsewhere: true,
  }));

describe("the buttons beside the prompt", () => {
  it("are all choices while they fit", () => {
    const pass: Choice = { label: "pass", action: "pass" };
    expect(buttonsOf([...cards(MOST_ELSEWHERE), pass])).toHaveLength(MOST_ELSEWHERE + 1);
  });

  it("are only what the hand and the board do not offer when there are too many", () => {
    const pass: Choice = { label: "pass", action: "pass" };
    expect(buttonsOf([...cards(MOST_ELSEWHERE + 1), pass])).toEqual([pass]);
    expect(buttonsOf(cards(13))).toEqual([]);
  });
});

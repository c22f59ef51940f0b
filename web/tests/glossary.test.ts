import { expect, test } from "vitest";
import { linked } from "../src/learn/glossary.svelte";
import { lostText, meanOf } from "../src/learn/trainer.svelte";
import type { TermFacts } from "../src/protocol";

const term = (name: string, ...forms: string[]): TermFacts => ({
  term: name,
  names: {},
  forms,
  text: "",
  clauses: [],
  view: {} as TermFacts["view"],
  marks: [],
});
const TERMS = [term("crown", "crown"), term("card", "power card", "power cards"), term("regio", "regio’s")];
const shown = (text: string): string =>
  linked(text, TERMS)
    .map((piece) => (piece.term ? `[${piece.term.term}:${piece.text}]` : piece.text))
    .join("");

test("each word is linked where it first stands, in the form that the text has", () => {
  expect(shown("The Crown and a crown: two power cards.")).toBe(
    "The [crown:Crown] and a crown: two [card:power cards].",
  );
  expect(shown("Crowned, half-crown, crowns")).toBe("Crowned, half-crown, crowns");
  expect(shown("Twee regio’s.")).toBe("Twee [regio:regio’s].");
  expect(shown("")).toBe("");
});

test("without a glossary a text is itself", () => {
  expect(linked("The crown", [])).toEqual([{ text: "The crown" }]);
});

test("the mean is that of the last ten hands", () => {
  expect(meanOf([])).toBe(0);
  expect(meanOf([100, ...Array.from({ length: 10 }, () => 2)])).toBe(2);
  expect(lostText(0.01)).toBe(lostText(0));
});

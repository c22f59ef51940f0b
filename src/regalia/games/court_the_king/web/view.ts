/** To Court the King's part of a view, and what is printed on the cards. */
import type { View } from "$web/games/contract";
import type { CharacterName, Derived, Position } from "./types";

export type CourtView = View & Position & Derived;

/** The court by rows of the pyramid; Fool and Charlatan, who have no level, flank the second row. */
export const ROWS: readonly (readonly [number, readonly CharacterName[]])[] = [
  [5, ["king", "queen"]],
  [4, ["alchemist", "bishop", "nobleman", "general"]],
  [3, ["pawnbroker", "knight", "magician", "lady"]],
  [2, ["fool", "astronomer", "merchant", "hunter", "charlatan"]],
  [1, ["farmer", "maid", "philosopher", "laborer", "guard"]],
];
export const ROMAN = ["", "I", "II", "III", "IV", "V"];
export const LEVEL: Readonly<Record<string, number>> = {
  ...Object.fromEntries(ROWS.flatMap(([level, names]) => names.map((name) => [name, level]))),
  fool: 0,
  charlatan: 0,
};

/** How the cost looks: small dice by face, or alike by sign; a word where dice do not say it. */
export const COST: Readonly<
  Record<string, { dice: string; word?: "odd" | "even" | "15" | "20" | "30" | "king" | "fool" | "any" }>
> = {
  king: { dice: "aaaaaaa" },
  queen: { dice: "", word: "king" },
  alchemist: { dice: "123456" },
  bishop: { dice: "aa bb cc" },
  nobleman: { dice: "aaa bbb" },
  general: { dice: "aaaaaa" },
  pawnbroker: { dice: "", word: "30" },
  knight: { dice: "aaaaa" },
  magician: { dice: "1-5/2-6" },
  lady: { dice: "aaa bb" },
  fool: { dice: "x", word: "any" },
  astronomer: { dice: "aa bb" },
  merchant: { dice: "", word: "20" },
  hunter: { dice: "aaaa" },
  charlatan: { dice: "", word: "fool" },
  farmer: { dice: "aa" },
  maid: { dice: "135", word: "odd" },
  philosopher: { dice: "246", word: "even" },
  laborer: { dice: "", word: "15" },
  guard: { dice: "aaa" },
};

/** The dice a `use` names, and what they become: read from its text. */
export function partsOf(action: string): { from: number[]; to: number[] } {
  const [, name = "", ...rest] = action.split(" ");
  const text = rest.join(" ");
  const numbers = (of: string): number[] => (of.match(/\d+/g) ?? []).map(Number);
  const [before = "", after = ""] = text.split("=");
  if (text.includes("=")) return { from: numbers(before), to: numbers(after) };
  const [first = 0, second = 0, third = 0] = numbers(text);
  if (text.includes("+")) return { from: [first], to: [first + second] };
  if (text.includes(">")) return { from: [first, third], to: [first - second, third + second] };
  if (name === "queen") return { from: [], to: numbers(text) };
  const shift = { lady: 1, nobleman: 2 }[name] ?? 0;
  return { from: numbers(text), to: shift ? numbers(text).map((face) => face + shift) : [] };
}

export const sameDice = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.toSorted().every((face, index) => face === b.toSorted()[index]);
export const chosenFaces = (view: CourtView, chosen: readonly number[]): number[] =>
  chosen.map((index) => view.active[index]).filter((face): face is number => face !== undefined);
export const usesOf = (actions: readonly string[], name: string): string[] =>
  actions.filter((action) => action === `use ${name}` || action.startsWith(`use ${name} `));
/** The uses that the picked dice stand for. */
export const fitting = (
  view: CourtView,
  actions: readonly string[],
  name: string,
  chosen: readonly number[],
): string[] =>
  usesOf(actions, name).filter((action) => sameDice(partsOf(action).from, chosenFaces(view, chosen)));

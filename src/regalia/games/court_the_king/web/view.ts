/** To Court the King's part of a view, and what is printed on the cards. */
import type { Draft, View } from "$web/games/contract";
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

/** The dice that a use names; of the Queen, who acts on none, the face of hers. */
export function diceOf(action: string): number[] {
  const text = action.split(" ").slice(2).join(" ");
  const named = text.replace(/=.*|[+-]\d/g, ""); // without new faces and pips
  return (named.match(/\d/g) ?? []).map(Number).toSorted();
}

const without = (dice: readonly number[], others: readonly number[]): number[] => {
  const left = [...others];
  return dice.filter((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};
/** What the dice that a use names become: the active dice after it but for those that it left alone. */
export const madeBy = (action: string, before: CourtView, after: CourtView): number[] =>
  without(after.active, without(before.active, diceOf(action)));

export const sameDice = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.toSorted().every((face, index) => face === b.toSorted()[index]);
export const chosenFaces = (view: CourtView, chosen: readonly number[]): number[] =>
  chosen.map((index) => view.active[index]).filter((face): face is number => face !== undefined);
export const usesOf = (actions: readonly string[], name: string): string[] =>
  actions.filter((action) => action === `use ${name}` || action.startsWith(`use ${name} `));

const MOST_OFFERS = 12; // before dice are picked
/** The uses that the picked dice stand for; without any, all uses if they are few. */
export function offersOf(view: CourtView, actions: readonly string[], { using, chosen }: Draft): string[] {
  const uses = using ? usesOf(actions, using) : [];
  if (!chosen.length) return uses.length <= MOST_OFFERS ? uses : [];
  if (using === "queen") return [];
  return uses.filter((action) => sameDice(diceOf(action), chosenFaces(view, chosen)));
}

/** To Court the King's part of a view, and what is printed on the cards. */
import { percent } from "$web/app/words.svelte";
import type { Draft, Odds, View } from "$web/games/contract";
import { CHARACTER_NAMES, type CharacterName, type Derived, type Position } from "./types";
import { t } from "./words";

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

/** How a character stands to the seat that looks, or whose turn it is: may be taken, would be its own if the turn ended
 * here, is its own, or is with the others. */
export type Standing = "take" | "now" | "own" | "gone" | "";
export function standing(view: CourtView, name: CharacterName, actions: readonly string[] = []): Standing {
  const mine = view.characters[view.you ?? view.turn] ?? [];
  if (actions.includes(`take ${name}`)) return "take";
  if (mine.includes(name) && name !== "charlatan") return "own";
  if (view.display[name] === 0) return "gone";
  if (COST[name]?.word === "fool" && !mine.includes("fool")) return ""; // nothing to turn over
  const isPaid =
    view.paid.includes(name) && view.final === "none" && view.active.length + view.aside.length > 0;
  return view.takeable.includes(name) || isPaid ? "now" : "";
}
/** How likely a character, or a better result, is reached; only what is certain is said to be so. */
export function chanceText(odds: Odds | null, name: string): string {
  const found = odds?.[name];
  if (!found) return "";
  if (found.odds < 1 && found.odds > 0.99) return `> ${percent(0.99)}`;
  return `${found.exact ? "" : "≥ "}${percent(found.odds)}`;
}

export const roundText = (view: CourtView): string =>
  view.final === "none" ? t("ui.round", { round: view.round }) : t("ui.final");
/** Who began the round, or who is best in the final one and how likely that is beaten; nothing where nobody has a name. */
export function storyText(view: CourtView, names: readonly string[], odds: Odds | null): string {
  const name = names[view.best?.seat ?? view.starter];
  if (name === undefined) return "";
  const told = view.best
    ? t(view.outcome ? "ui.won_with" : "ui.best", { name, count: view.best.count, face: view.best.face })
    : t("ui.started", { name });
  const chance = chanceText(odds, "best");
  return chance ? `${told} ${t("ui.odds_best", { odds: chance })}` : told;
}

/** The dice that a use names; of the Queen, who acts on none, the face of hers. */
export function diceOf(action: string): number[] {
  const text = action.split(" ").slice(2).join(" ");
  const named = text.replace(/=.*|[+-]\d/g, ""); // without new faces and pips
  return (named.match(/\d/g) ?? []).map(Number).toSorted();
}

/** The character that an action is about: taken from the display, or used from one's own court. */
export function characterOf(action: string | null, verb: "take" | "use"): CharacterName | null {
  const [said, name] = (action ?? "").split(" ");
  return said === verb ? (CHARACTER_NAMES.find((each) => each === name) ?? null) : null;
}

/** Which of the active dice an action is about. The Queen's use names a face and no die. */
export function diceIn(action: string | null, view: CourtView): boolean[] {
  const [verb, name] = (action ?? "").split(" ");
  const left =
    verb === "keep"
      ? [...action!.slice(5)].filter((each) => each !== " ").map(Number)
      : verb === "use" && name !== "queen"
        ? diceOf(action!)
        : [];
  return view.active.map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
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

/** Use a character: at once, if there is nothing to choose. */
export function use(
  name: string,
  actions: readonly string[],
  draft: Draft,
  onact: (action: string) => void,
): void {
  const uses = usesOf(actions, name);
  if (uses.length === 1 && uses[0] === `use ${name}`) onact(uses[0]);
  else if (uses.length) {
    draft.using = name;
    draft.chosen = [];
  }
}

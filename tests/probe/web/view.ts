/** The probe's part of a view, and its dice and cards one by one. */
import type { View } from "$web/games/contract";
import type { Derived, Position } from "./types";

export type GameView = View & Position & Derived;

/** Each as often as it is there: [0, 2, 1] is 2 2 3. */
const spread = (counts: readonly (number | null)[]): number[] =>
  counts.flatMap((count, index) => Array.from({ length: count ?? 0 }, () => index + 1));

/** The faces of the dice on the table. */
export const diceOf = (view: GameView): number[] => spread(view.dice);
/** The values of the cards that a seat holds, as far as they are known. */
export const handOf = (view: GameView, seat: number): number[] => spread(view.hands[seat] ?? []);
export const teamName = (team: number): string => "AB".charAt(team);

/** The action that rolls the picked dice again: `reroll 1 1 3`. */
export const rerollOf = (view: GameView, picked: readonly number[]): string =>
  ["reroll", ...diceOf(view).filter((_, index) => picked.includes(index))].join(" ");

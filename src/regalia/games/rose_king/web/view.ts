/** The Rose King's part of a view, and where things lie on the board. */
import { word } from "$web/app/words.svelte";
import type { View } from "$web/games/contract";
import type { Derived, Position } from "./types";

export type RoseView = View & Position & Derived;

export const COLUMNS = "abcdefghi";
export const DIRECTIONS: readonly string[] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
export const ROMAN = ["", "I", "II", "III"];
export const CELL = 66;
export const STONES = ["red", "white"] as const;

/** The centre of a field in the drawing of 660 × 660. */
export const centre = (field: string): [number, number] => [
  CELL * (COLUMNS.indexOf(field[0]!) + 1),
  CELL * (10 - Number(field[1])),
];
export const fieldAt = (column: number, row: number): string => `${COLUMNS[column] ?? ""}${row}`;
export const ownerOf = (view: RoseView, field: string): number =>
  "rw".indexOf(view.board[9 - Number(field[1])]?.[COLUMNS.indexOf(field[0]!)] ?? ".");
export const cardOf = (action: string): string => action.replace("*", "");
export const split = (card: string): [string, number] => [card.slice(0, -1), Number(card.slice(-1))];
/** The letters of a direction in the reader's language. */
export const short = (direction: string): string => word(`rose_king.short.${direction}`);
/** A card as it looks: `NE II`. */
export const spoken = (card: string): string => `${short(split(card)[0])} ${ROMAN[split(card)[1]] ?? ""}`;
/** Notation in the reader's letters. */
export const spell = (text: string): string => text.replace(/\b[NESW]+(?=[123])/g, short);
export const squares = (view: RoseView, seat: number): number[] =>
  view.regions
    .filter((region) => region.seat === seat)
    .map((region) => region.cells.length ** 2)
    .sort((a, b) => b - a);
export const stones = (view: RoseView, seat: number): number =>
  view.regions.reduce((sum, region) => sum + (region.seat === seat ? region.cells.length : 0), 0);

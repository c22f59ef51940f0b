/** Long Live the King's part of a view, and how its parts are named. */
import { word } from "$web/app/words.svelte";
import type { RecordFacts } from "$web/protocol";
import type { Past, View } from "$web/games/contract";
import {
  VALUES,
  type AreaName,
  type Counts,
  type Derived,
  type Dispute,
  type Position,
  type Value,
} from "./types";

export const SEATS = 5; // at most
export { VALUES };
export type { AreaName, Counts, Dispute, Value };
export const MOST_STAKED = 5;
export const NEEDS: Readonly<Record<Value, number>> = { x1: 4 / 6, x2: 5 / 6, x3: 1 }; // how likely a favour roll succeeds

export type KingView = View & Position & Derived;

export const sizeOf = (cards: Counts): number => VALUES.reduce((sum, value) => sum + cards[value], 0);
export const cardsText = (cards: readonly string[]): string =>
  cards.length ? cards.join(" ") : word("long_live_the_king.board.none");
export const cardName = (value: string): string => word(`long_live_the_king.piece.${value}`);
export const needsText = (value: string): string => word(`long_live_the_king.piece.needs_${value}`);
export const piece = (name: string): string => word(`long_live_the_king.piece.${name}`);

/** The seats of a dispute as they stake and roll: clockwise from the intruder. */
export const around = (view: KingView): number[] =>
  Array.from({ length: view.seats }, (_, index) => (view.turn + index) % view.seats);

export function roleOf(view: KingView, seat: number): "intruder" | "defender" | "third_party" {
  if (seat === view.turn) return "intruder";
  return seat === view.dispute?.defender ? "defender" : "third_party";
}

/** Where the noble of the player in turn may go now, and with which cards: none for a free move. */
export function movesOf(actions: readonly string[]): Map<AreaName, Value[]> {
  const found = new Map<AreaName, Value[]>();
  for (const action of actions) {
    const [verb, name, card] = action.split(" ");
    const area = name as AreaName;
    if (verb === "move") found.set(area, [...(found.get(area) ?? []), ...(card ? [card as Value] : [])]);
  }
  return found;
}

export const banishments = (actions: readonly string[]): AreaName[] =>
  actions.filter((action) => action.startsWith("banish ")).map((action) => action.slice(7) as AreaName);

/** The stake of the cards picked so far: their values, 1 to 3, in any order. */
export const stakeOf = (chosen: readonly number[]): string =>
  `stake ${chosen
    .toSorted((a, b) => a - b)
    .map((value) => `x${value}`)
    .join(" ")}`;
export const countOf = (chosen: readonly number[], value: Value): number =>
  chosen.filter((each) => `x${each}` === value).length;

/** Dice put on cards, highest cards first; on equal cards they are written ascending. */
export function diceText(cards: readonly Value[], dice: readonly number[]): string {
  const pairs = cards.map((card, index) => [card, dice[index]!] as const);
  return `dice ${pairs
    .toSorted((a, b) => b[0].localeCompare(a[0]) || a[1] - b[1])
    .map(([card, die]) => `${die}>${card}`)
    .join(" ")}`;
}
export const highestFirst = (cards: readonly Value[]): Value[] =>
  cards.toSorted((a, b) => b.localeCompare(a));

/** The view that a record was decided in, and the one it led to. */
export const viewsOf = (
  records: readonly RecordFacts[],
  index: number,
  view: KingView,
  past: Past,
): [KingView | undefined, KingView | undefined] => {
  const at = (ply: number): KingView | undefined =>
    view.ply === ply ? view : (past[ply] as KingView | undefined);
  return records[index] ? [at(index), at(index + 1)] : [undefined, undefined];
};

/** Where a record happened: for the mark on the map. */
export function areaOf(record: RecordFacts | undefined, before: KingView | undefined): AreaName | null {
  if (!record || record.seat === null) return null;
  const [verb, area] = record.action.split(" ");
  if (verb === "move" || verb === "banish") return area as AreaName;
  return verb === "place" || verb === "roll" ? (before?.placing ?? null) : (before?.dispute?.area ?? null);
}

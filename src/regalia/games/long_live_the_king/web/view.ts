/** Long Live the King's part of a view, and how its parts are named. */
import { memberOf } from "$web/app/typed";
import { word } from "$web/app/words.svelte";
import type { RecordOf, View } from "$web/games/contract";
import { VOTES } from "./chart";
import {
  AREA_NAMES,
  VALUES,
  type AreaName,
  type Counts,
  type Derived,
  type Dispute,
  type Effect,
  type Position,
  type Value,
} from "./types";

export const SEATS = 5; // at most
export { VALUES };
export type { AreaName, Counts, Dispute, Value };

export type KingView = View & Position & Derived;

export const sizeOf = (cards: Counts): number => VALUES.reduce((sum, value) => sum + cards[value], 0);
export const cardsText = (cards: readonly string[]): string =>
  cards.length ? cards.join(" ") : word("long_live_the_king.board.none");
export const cardName = (value: string): string => word(`long_live_the_king.piece.${value}`);
export const needsText = (value: string): string => word(`long_live_the_king.piece.needs_${value}`);
export const piece = (name: string): string => word(`long_live_the_king.piece.${name}`);

export const isOutOfPlay = (view: KingView, area: AreaName): boolean => area === "Man" && view.seats === 3;
export const holderOf = (view: KingView, area: AreaName): number | null => view.areas[area]?.seat ?? null;
export const noblesIn = (view: KingView, area: AreaName): number[] =>
  view.nobles.flatMap((where, seat) => (where === area ? [seat] : []));

/** An area in words: whose it is, and what stands there. */
export function areaText(view: KingView, area: AreaName, name: (seat: number) => string): string {
  const held = view.areas[area];
  if (!held) return word("long_live_the_king.piece.area_empty", { area, votes: VOTES[area] ?? 0 });
  return word(`long_live_the_king.piece.area_held${view.nobles[held.seat] === area ? "_noble" : ""}`, {
    area,
    votes: VOTES[area] ?? 0,
    name: name(held.seat),
    count: held.courtiers,
  });
}

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
    const [verb, name = "", paid = ""] = action.split(" ");
    const [area, card] = [memberOf(AREA_NAMES, name), memberOf(VALUES, paid)];
    if (verb === "move" && area) found.set(area, [...(found.get(area) ?? []), ...(card ? [card] : [])]);
  }
  return found;
}

/** The area that an action is about. */
export function targetOf(action: string | null, view: KingView): AreaName | null {
  const [verb = "", name = ""] = (action ?? "").split(" ");
  if (verb === "area" || verb === "move" || verb === "banish") return memberOf(AREA_NAMES, name) ?? null;
  return verb === "place" || verb === "roll" ? view.placing : null;
}

/** How many cards of a value an action pays or stakes. */
export function cardsIn(action: string | null, value: Value): number {
  const [verb = "", ...rest] = (action ?? "").split(" ");
  return ["move", "roll", "stake"].includes(verb) ? rest.filter((each) => each === value).length : 0;
}

export const banishments = (actions: readonly string[]): AreaName[] =>
  actions.flatMap((action) => {
    const [verb, area = ""] = action.split(" ");
    return verb === "banish" ? (memberOf(AREA_NAMES, area) ?? []) : [];
  });

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

/** Where a record happened: for the mark on the map. */
export function areaOf(record: RecordOf<Effect> | undefined): AreaName | null {
  for (const effect of record?.effects ?? [])
    switch (effect.type) {
      case "noble_moved":
      case "noble_banished":
        return effect.to;
      case "courtier_placed":
      case "favour_paid":
      case "stopped":
      case "stake_sealed":
      case "die_put":
      case "cards_reclaimed":
        return effect.area;
    }
  return null;
}

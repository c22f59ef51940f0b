/** A dispute and an election as they are shown: read back from the records and the views around them. */
import type { RecordFacts } from "$web/protocol";
import type { Past } from "$web/games/contract";
import { around, highestFirst, roleOf, viewsOf, type KingView, type Value } from "./view";

// --- A favour roll ---

export interface Favour {
  seat: number;
  card: Value;
  die: number;
  area: string;
  isMove: boolean;
  succeeded: boolean;
}

/** The favour roll of a record, if it is one. What came of it is seen in where the noble stands, or how many courtiers. */
export function favourAt(
  records: readonly RecordFacts[],
  index: number,
  view: KingView,
  past: Past,
): Favour | null {
  const record = records[index];
  const read = /^(?:move (\w+)|roll) (x[123])$/.exec(record?.action ?? "");
  const [before, after] = viewsOf(records, index, view, past);
  if (!record || record.seat === null || !read || !record.outcomes.length || !before || !after) return null;
  const { seat } = record;
  const succeeded = read[1] ? after.nobles[seat] === read[1] : after.supply[seat]! < before.supply[seat]!;
  return {
    seat,
    card: read[2] as Value,
    die: Number(record.outcomes[0]),
    area: read[1] ?? before.placing ?? "",
    isMove: !!read[1],
    succeeded,
  };
}

// --- A dispute ---

export interface Pair {
  card: Value;
  die: number | null;
} // a staked card and the die on it
export interface Roll {
  seat: number;
  pairs: Pair[];
  total: number;
  round: number;
}
export interface Contender {
  seat: number;
  role: "intruder" | "defender" | "third_party";
  state: "choosing" | "sealed" | "none" | "shown"; // what everyone knows of the stake
  cards: Value[]; // highest first; one's own also while it is sealed
  pairs: Pair[];
  addition: number;
  total: number;
}
export interface Scene {
  area: string;
  from: string;
  intruder: number;
  defender: number;
  winner: number | null;
  isRevealed: boolean;
  contenders: Contender[]; // clockwise from the intruder
  rolls: Roll[]; // one after the other as they fell, ties again; empty where the record does not tell
}

const VALUE: Readonly<Record<Value, number>> = { x1: 1, x2: 2, x3: 3 };
export const worth = (pairs: readonly Pair[]): number =>
  pairs.reduce((sum, { card, die }) => sum + VALUE[card] * (die ?? 0), 0);
/** Dice lie where they give most, unless their player put them. */
export function laid(cards: readonly Value[], dice: readonly number[]): Pair[] {
  const high = dice.toSorted((a, b) => b - a);
  return highestFirst(cards).map((card, index) => ({ card, die: high[index] ?? null }));
}
function readPairs(action: string): Pair[] {
  return action
    .split(" ")
    .slice(1)
    .map((pair) => ({ card: pair.slice(2) as Value, die: Number(pair[0]) }));
}

/** The records of the dispute that is on: its stakes, and what was played since. */
function line(records: readonly RecordFacts[]): { stakes: RecordFacts[]; after: RecordFacts[] } {
  const last = records.findLastIndex(({ action }) => action.startsWith("stake "));
  let first = last;
  while (first > 0 && records[first - 1]!.action.startsWith("stake ")) first--;
  return last < 0
    ? { stakes: [], after: [] }
    : { stakes: records.slice(first, last + 1), after: records.slice(last + 1) };
}

/** Which dice were whose: in the order of the dispute, then those level at the top again. */
function rollsOf(
  order: readonly number[],
  cards: ReadonlyMap<number, Value[]>,
  additions: ReadonlyMap<number, number>,
  fallen: readonly number[],
): Roll[] {
  const totals = new Map(additions);
  const rolls: Roll[] = [];
  const dice = [...fallen];
  let rolling = order.filter((seat) => cards.get(seat)?.length);
  for (let round = 0; dice.length && rolling.length; round++) {
    for (const seat of rolling) {
      const pairs = laid(cards.get(seat)!, dice.splice(0, cards.get(seat)!.length));
      totals.set(seat, (additions.get(seat) ?? 0) + worth(pairs));
      rolls.push({ seat, pairs, total: totals.get(seat)!, round });
    }
    const top = Math.max(...totals.values());
    rolling = order.filter((seat) => totals.get(seat) === top && cards.get(seat)?.length);
  }
  return rolls;
}

export function sceneOf(view: KingView, records: readonly RecordFacts[]): Scene | null {
  const dispute = view.dispute;
  if (!dispute) return null;
  const isRevealed = view.phase !== "stakes";
  const order = around(view);
  const told = isRevealed ? line(records.slice(0, view.ply)) : { stakes: [], after: [] };
  const staked = new Map(
    told.stakes.map(({ seat, action }) => [seat!, highestFirst(action.split(" ").slice(1) as Value[])]),
  );
  const contenders = order.map((seat): Contender => {
    const own = view.sealed[seat] ?? [];
    const cards = isRevealed
      ? (staked.get(seat) ?? highestFirst(dispute.stakes[seat] ?? []))
      : highestFirst(own);
    const put = told.after.findLast((record) => record.seat === seat && record.action.startsWith("dice "));
    const isPutting = view.phase === "dice" && view.active === seat;
    const pairs = isPutting
      ? cards.map((card): Pair => ({ card, die: null }))
      : put
        ? readPairs(put.action)
        : laid(cards, dispute.dice[seat] ?? []);
    const state = isRevealed
      ? cards.length
        ? "shown"
        : "none"
      : view.chosen?.includes(seat)
        ? "sealed"
        : view.cards[seat]
          ? "choosing"
          : "none";
    const total = isRevealed ? (dispute.totals[seat] ?? 0) : (view.additions?.[seat] ?? 0);
    return {
      seat,
      role: roleOf(view, seat),
      state,
      cards,
      pairs,
      addition: isRevealed ? total - worth(pairs) : total,
      total,
    };
  });
  const additions = new Map(contenders.map(({ seat, addition }) => [seat, addition]));
  const rolls =
    view.options.dice_by_hand === "true"
      ? []
      : rollsOf(order, staked, additions, (told.stakes.at(-1)?.outcomes ?? []).map(Number));
  return {
    area: dispute.area,
    from: dispute.from,
    intruder: view.turn,
    defender: dispute.defender,
    winner: dispute.winner,
    isRevealed,
    contenders,
    rolls,
  };
}

/** Whether the view is the first after all have staked: then dice fall before the reader's eyes. */
export const isReveal = (view: KingView, records: readonly RecordFacts[]): boolean =>
  !!view.dispute && view.phase !== "stakes" && !!records[view.ply - 1]?.action.startsWith("stake ");

// --- How long things move: together a second or two, however many roll ---
export const REVEAL_MS = 350; // stakes are turned over
const ROLL_MS = 300; // from one player's dice to the next
const ROLLS_MS = 1_000; // all of them, and ties
export const LAND_MS = 560; // the last dice come to rest
export const FAVOUR_MS = 450;
export const CEREMONY_MS = 1_300; // until bars, totals and gains are there
export const DEAL_MS = 600; // then cards are dealt
export const paceOf = (rolls: number): number => Math.min(ROLL_MS, ROLLS_MS / Math.max(1, rolls));

// --- An election ---

/** How many cards a seat was dealt by the election before this view. */
export function dealtTo(view: KingView, seat: number, past: Past): number {
  const before = past[view.ply - 1] as KingView | undefined;
  return before && view.elections > before.elections && !view.outcome
    ? Math.max(0, view.cards[seat]! - before.cards[seat]!)
    : 0;
}

export interface Candidate {
  seat: number;
  held: number; // area votes before anything is lost
  lost: number; // by an empty hand
  area: number;
  bonus: number; // before this election
  total: number;
  gain: number; // bonus votes of this election
  cards: number; // in hand when it was held
  sum: number[]; // dice for a tie, as often as they were rolled
}
export interface Ceremony {
  number: number;
  needed: number;
  winner: number | null;
  candidates: Candidate[];
  dealt: number; // cards to each
  ply: number;
}

/** The five dice each of those who were level, the best of them first, level sums again. */
function tieSums(groups: readonly number[][], dice: number[]): Map<number, number[]> {
  const sums = new Map<number, number[]>();
  const waiting = groups.filter((group) => group.length > 1);
  while (waiting.length && dice.length >= 5) {
    const group = waiting.shift()!.toSorted((a, b) => a - b);
    const rolled = group.map((seat) => ({ seat, sum: dice.splice(0, 5).reduce((all, die) => all + die, 0) }));
    for (const { seat, sum } of rolled) sums.set(seat, [...(sums.get(seat) ?? []), sum]);
    const levels = [...new Set(rolled.map(({ sum }) => sum))].sort((a, b) => b - a);
    waiting.unshift(
      ...levels
        .map((level) => rolled.filter(({ sum }) => sum === level).map(({ seat }) => seat))
        .filter((level) => level.length > 1),
    );
  }
  return sums;
}

/** The election that a record brought about, if it did. */
export function ceremonyAt(
  records: readonly RecordFacts[],
  index: number,
  view: KingView,
  past: Past,
): Ceremony | null {
  const [before, after] = viewsOf(records, index, view, past);
  const record = records[index];
  if (!record || !before || !after || after.elections === before.elections) return null;
  const isOver = after.outcome !== null;
  const dealt =
    record.outcomes.filter((outcome) => outcome === "?" || outcome.startsWith("x")).length / after.seats;
  const seats = Array.from({ length: after.seats }, (_, seat) => seat);
  const candidates = seats.map((seat): Candidate => {
    const cards = after.cards[seat]! - dealt;
    const held = after.held_votes[seat]!;
    const area = cards ? held : after.reduced_votes[seat]!;
    const bonus = before.bonus[seat]!;
    return {
      seat,
      held,
      lost: held - area,
      area,
      bonus,
      total: area + bonus,
      gain: after.bonus[seat]! - bonus,
      cards,
      sum: [],
    };
  });
  if (!isOver) {
    const places = [...new Set(candidates.map(({ area, cards }) => area * 1000 + cards))].sort(
      (a, b) => b - a,
    );
    const groups = places.map((place) =>
      candidates.filter(({ area, cards }) => area * 1000 + cards === place).map(({ seat }) => seat),
    );
    const favour = record.action.startsWith("move ") ? 1 : 0; // the failed roll that ended the turn
    const sums = tieSums(
      groups,
      record.outcomes
        .filter((outcome) => /^[1-6]$/.test(outcome))
        .slice(favour)
        .map(Number),
    );
    for (const candidate of candidates) candidate.sum = sums.get(candidate.seat) ?? [];
  }
  const ranks = after.outcome?.ranks;
  return {
    number: after.elections,
    needed: after.needed_votes,
    winner: ranks ? ranks.indexOf(1) : null,
    candidates,
    dealt,
    ply: after.ply,
  };
}

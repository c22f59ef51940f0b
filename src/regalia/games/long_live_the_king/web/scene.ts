/** A favour roll, a dispute and an election as they are shown, from what records tell. */
import { effectsOf, type RecordOf } from "$web/games/contract";
import type { Effect, FavourRolled, Pair, Stake, StakesRevealed, Value, Votes } from "./types";
import { around, highestFirst, roleOf, type KingView } from "./view";

export type KingRecord = RecordOf<Effect>;

/** The favour roll of a record, if it is one. */
export const favourOf = (record: KingRecord | undefined): FavourRolled | null =>
  effectsOf(record, "favour_rolled")[0] ?? null;

// --- A dispute ---

export interface Covered {
  card: Value;
  die: number | null;
} // a staked card, and the die on it as soon as one lies there
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
  pairs: Covered[];
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
  rolls: Roll[]; // one after the other as they fell, ties again; empty where players put their dice themselves
}

/** What was told since the dispute that is on was opened. */
function toldOf(records: readonly KingRecord[]): Effect[] {
  const first = records.findLastIndex((record) => effectsOf(record, "dispute_opened").length > 0);
  return records.slice(Math.max(0, first)).flatMap(({ effects }) => effects);
}

/** Which dice fell for whom, in which round. */
function rollsOf(told: readonly Effect[]): Roll[] {
  const rolls: Roll[] = [];
  let round = 0;
  for (const effect of told)
    if (effect.type === "dispute_tied") round++;
    else if (effect.type === "dice_rolled" && effect.pairs.length)
      rolls.push({ seat: effect.seat, pairs: effect.pairs, total: effect.total, round });
  return rolls;
}

/** Which dice lie on the cards of each seat. */
function lyingOf(told: readonly Effect[]): Map<number, Pair[]> {
  const lying = new Map<number, Pair[]>();
  for (const effect of told)
    if (effect.type === "dice_rolled") lying.set(effect.seat, effect.pairs);
    else if (effect.type === "dispute_tied") for (const seat of effect.seats) lying.delete(seat);
    else if (effect.type === "die_put")
      lying.set(effect.seat, [...(lying.get(effect.seat) ?? []), { card: effect.card, die: effect.die }]);
  return lying;
}

/** The stakes that lie open. A match that began in the middle of a dispute has told of none. */
function stakesOf(view: KingView, told: readonly Effect[]): Map<number, Stake> {
  const revealed = told.find((effect): effect is StakesRevealed => effect.type === "stakes_revealed");
  const stakes =
    revealed?.stakes ??
    (view.dispute?.stakes ?? []).map((cards, seat) => ({
      seat,
      cards: highestFirst(cards),
      addition: view.additions?.[seat] ?? 0,
    }));
  return new Map(stakes.map((stake) => [stake.seat, stake]));
}

/** The dice of a dispute of which nothing was told, on the cards where they count most: by themselves they lie nowhere else. */
function inferredDice(view: KingView, seat: number, cards: readonly Value[]): Pair[] {
  const dice = (view.dispute?.dice[seat] ?? []).toSorted((a, b) => b - a);
  if (view.options.dice_by_hand === "true" || dice.length !== cards.length) return [];
  return cards.map((card, index) => ({ card, die: dice[index]! }));
}
const worth = (pairs: readonly Pair[]): number =>
  pairs.reduce((sum, { card, die }) => sum + Number(card[1]) * die, 0);

export function sceneOf(view: KingView, records: readonly KingRecord[]): Scene | null {
  const dispute = view.dispute;
  if (!dispute) return null;
  const isRevealed = view.phase !== "stakes";
  const told = isRevealed ? toldOf(records.slice(0, view.ply)) : [];
  const stakes = isRevealed ? stakesOf(view, told) : new Map<number, Stake>();
  const lying = lyingOf(told);
  const isTold = told.some(({ type }) => type === "dispute_opened"); // not where the match began in the dispute
  const stateOf = (seat: number): Contender["state"] => {
    if (isRevealed) return stakes.get(seat)?.cards.length ? "shown" : "none";
    return view.chosen?.includes(seat) ? "sealed" : view.cards[seat] ? "choosing" : "none";
  };
  const contenders = around(view).map((seat): Contender => {
    const cards = stakes.get(seat)?.cards ?? highestFirst(view.sealed[seat] ?? []);
    const inferred = isRevealed && !isTold ? inferredDice(view, seat, cards) : [];
    const addition = inferred.length // what stood there then may be gone by now
      ? (dispute.totals[seat] ?? 0) - worth(inferred)
      : (stakes.get(seat)?.addition ?? view.additions?.[seat] ?? 0);
    const pairs = lying.get(seat) ?? inferred;
    return {
      seat,
      role: roleOf(view, seat),
      state: stateOf(seat),
      cards,
      pairs: pairs.length ? pairs : cards.map((card) => ({ card, die: null })),
      addition,
      total: isRevealed ? (dispute.totals[seat] ?? 0) : addition,
    };
  });
  return {
    area: dispute.area,
    from: dispute.from,
    intruder: view.turn,
    defender: dispute.defender,
    winner: dispute.winner,
    isRevealed,
    contenders,
    rolls: rollsOf(told),
  };
}

/** Whether a record turned the stakes up: then dice fall before the reader's eyes. */
export const isReveal = (record: KingRecord | undefined): boolean =>
  effectsOf(record, "stakes_revealed").length > 0;

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

/** The cards that a record dealt to a seat; null for one that only its owner may see. */
export const dealtTo = (record: KingRecord | undefined, seat: number): (Value | null)[] =>
  effectsOf(record, "card_dealt")
    .filter((dealt) => dealt.seat === seat)
    .map(({ card }) => card);

export interface Candidate extends Votes {
  place: number; // by which bonus votes were given, or the final one
  gain: number; // bonus votes of this election
  sums: number[]; // dice for a tie over bonus votes, as often as they were rolled
}
export interface Ceremony {
  number: number;
  needed: number;
  winner: number | null;
  candidates: Candidate[];
  dealt: number; // cards to each
  ply: number;
}

/** The election that a record brought about, if it did. */
export function ceremonyOf(record: KingRecord | undefined): Ceremony | null {
  const held = effectsOf(record, "election_held")[0];
  if (!record || !held) return null;
  const gains = effectsOf(record, "bonus_gained");
  const places = effectsOf(record, "places_decided")[0]?.places;
  const rolled = effectsOf(record, "tie_rolled").filter(({ deciding }) => deciding === "bonus");
  return {
    number: held.number,
    needed: held.needed,
    winner: effectsOf(record, "king_elected")[0]?.seat ?? null,
    candidates: held.votes.map((votes) => {
      const gained = gains.find(({ seat }) => seat === votes.seat);
      return {
        ...votes,
        place: gained?.place ?? places?.[votes.seat] ?? 0,
        gain: gained?.votes ?? 0,
        sums: rolled.filter(({ seat }) => seat === votes.seat).map(({ sum }) => sum),
      };
    }),
    dealt: effectsOf(record, "deal_begun")[0]?.cards ?? 0,
    ply: record.ply + 1,
  };
}

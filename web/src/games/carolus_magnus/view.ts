/** Carolus Magnus's part of a view, and how its parts are named. */
import { list, word } from "../../lib/words.svelte";
import type { RecordFacts } from "../../protocol";
import type { View } from "../game";

export const FAMILIES = ["red", "purple", "blue", "yellow", "green"] as const;
export type Family = (typeof FAMILIES)[number];
export type Counts = Record<Family, number>;
export type Side = "black" | "white" | "grey";
export type Strengths = Partial<Record<Side, number>>;
export const CHARGE: Readonly<Record<Family, string>> = { red: "lily", purple: "lion", blue: "eagle", yellow: "tower", green: "star" };
export const FACES = [...FAMILIES, "crown"] as const; // of a die, from 1

export interface Place {
  place: number; // its lowest province
  provinces: number[]; // clockwise
  knights: Counts;
  owner: Side | null;
  castles: number;
}

/** What a move of the emperor would do. */
export interface Stop {
  action: string;
  place: number;
  strengths: Strengths;
  takes: Side | null;
  loses: Side | null;
  castles: number;
  merges: number[];
  region: number[];
  ends: string | null;
  winners: number[];
}

export interface CarolusView extends View {
  round: number;
  order: number[]; // as discs are laid, then as they act
  turn: number | null;
  due: number;
  crowns: number;
  emperor: number | null;
  ring: Place[];
  control: Record<Family, number | null>;
  players: { court: Counts; reserve: Counts; disc: number | null; used: number[] }[];
  supply: Counts;
  sides: { side: Side; seats: number[]; castles: number; stock: number; colours: Family[] }[];
  strengths: Strengths[]; // per place of the ring
  previews: Stop[];
}

export const DISCS = [1, 2, 3, 4, 5] as const;
export const LEAST_SCALE = 12; // knights that a row of a court has room for; more when a court has more

export const sideOf = (view: CarolusView, seat: number): Side => view.sides.find(({ seats }) => seats.includes(seat))?.side ?? "black";
export const placeWith = (ring: readonly Place[], province: number): Place | undefined => ring.find(({ provinces }) => provinces.includes(province));
export const size = (counts: Counts): number => FAMILIES.reduce((sum, family) => sum + counts[family], 0);
export const scaleOf = (view: CarolusView): number => Math.max(LEAST_SCALE, ...view.players.flatMap(({ court }) => Object.values(court)));
export const span = (provinces: readonly number[]): string => (provinces.length > 1 ? `${provinces[0]}–${provinces.at(-1)}` : `${provinces[0]}`);

export const familyName = (family: string): string => word(`carolus_magnus.piece.${family}`);
export const knightName = (family: string): string => word(`carolus_magnus.piece.knight_${family}`);
export const sideName = (side: string): string => word(`carolus_magnus.piece.${side}`);
export const placeName = ({ provinces }: { provinces: readonly number[] }): string =>
  provinces.length > 1 ? word("carolus_magnus.piece.region", { provinces: span(provinces) }) : word("carolus_magnus.piece.province", { number: provinces[0] ?? 0 });

/** The sides by strength, the strongest first. */
export const ranked = (strengths: Strengths): [Side, number][] => (Object.entries(strengths) as [Side, number][]).sort((a, b) => b[1] - a[1]);
export const strengthsText = (strengths: Strengths): string => ranked(strengths).map(([side, count]) => `${sideName(side)} ${count}`).join(", ");

/** What a stop of the emperor means, in words. */
export function outlook(stop: Stop): string {
  const parts: string[] = [];
  if (!stop.takes) parts.push(word("carolus_magnus.board.nothing"));
  else parts.push(word(stop.loses ? "carolus_magnus.board.takes" : "carolus_magnus.board.builds", { side: sideName(stop.takes), count: stop.castles }));
  if (stop.merges.length) parts.push(word("carolus_magnus.board.joins", { places: list(stop.merges.map(String)) }));
  if (stop.ends) parts.push(word("carolus_magnus.board.ends"));
  return parts.join(", ");
}

/** What a knight's action says: `red>court`, `red>7`. */
export function knightOf(action: string): { family: Family; target: string } | null {
  const [family = "", target = ""] = action.split(">");
  return target && (FAMILIES as readonly string[]).includes(family) ? { family: family as Family, target } : null;
}

/** The knights that the player in turn has brought into play since the action began. */
export function brought(records: readonly RecordFacts[], seat: number | null): { family: Family; target: string }[] {
  const found: { family: Family; target: string }[] = [];
  for (let index = records.length - 1; index >= 0; index--) {
    const knight = records[index]!.seat === seat ? knightOf(records[index]!.action) : null;
    if (!knight) break;
    found.unshift(knight);
  }
  return found;
}

const isFace = (outcome: string): boolean => (FACES as readonly string[]).includes(outcome);

/** The last dice that fell, whose they were, and at which record: they stay in sight until the next. */
export function lastRoll(records: readonly RecordFacts[], view: CarolusView): { seat: number; faces: string[]; ply: number } | null {
  if (view.round === 0) {
    // the reserves are rolled seat by seat, after fifteen knights were laid out
    const dice = records.flatMap(({ outcomes }) => outcomes.filter(isFace)).slice(view.ring.length);
    const seat = view.turn ?? 0;
    return dice.length ? { seat, faces: dice.slice(-dice.length / (seat + 1)), ply: 0 } : null;
  }
  const record = records.findLast(({ seat, action, outcomes }) => seat !== null && action.startsWith("move") && outcomes.length > 0);
  return record ? { seat: record.seat!, faces: record.outcomes.filter(isFace), ply: record.ply } : null;
}

/** Where a record happened, as provinces: for the mark on the board. Before is the view that it was decided in. */
export function placesOf(record: RecordFacts | undefined, before: CarolusView | undefined): number[] {
  if (!record || record.seat === null) return [];
  const target = knightOf(record.action)?.target;
  if (target) return target === "court" ? [] : [Number(target)];
  return before?.previews.find(({ action }) => action === record.action)?.region ?? [];
}

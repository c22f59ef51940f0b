/** Carolus Magnus's part of a view, and how its parts are named. */
import { capital, list, word } from "$web/app/words.svelte";
import { entriesOf, memberOf } from "$web/app/typed";
import { effectsOf, type RecordOf, type View } from "$web/games/contract";
import type { RecordFacts } from "$web/protocol";
import {
  FACES,
  FAMILIES,
  type Counts,
  type Derived,
  type Effect,
  type Face,
  type Family,
  type Place,
  type Position,
  type Side,
  type Stop,
} from "./types";
import { t } from "./words";

export { FACES, FAMILIES };
export type { Counts, Family, Place, Side, Stop };
export type Strengths = Partial<Record<Side, number>>;
export const CHARGE: Readonly<Record<Family, string>> = {
  red: "lily",
  purple: "lion",
  blue: "eagle",
  yellow: "tower",
  green: "star",
};

export type CarolusView = View & Position & Derived;

export const DISCS = [1, 2, 3, 4, 5] as const;
export const LEAST_SCALE = 12; // knights that a row of a court has room for; more when a court has more

export const sideOf = (view: CarolusView, seat: number): Side =>
  view.sides.find(({ seats }) => seats.includes(seat))?.side ?? "black";
export const placeWith = (ring: readonly Place[], province: number): Place | undefined =>
  ring.find(({ provinces }) => provinces.includes(province));
export const size = (counts: Counts): number => FAMILIES.reduce((sum, family) => sum + counts[family], 0);
export const scaleOf = (view: CarolusView): number =>
  Math.max(LEAST_SCALE, ...view.players.flatMap(({ court }) => Object.values(court)));
export const span = (provinces: readonly number[]): string =>
  provinces.length > 1 ? `${provinces[0]}–${provinces.at(-1)}` : `${provinces[0]}`;

export const familyName = (family: string): string => word(`carolus_magnus.piece.${family}`);
export const knightName = (family: string): string => word(`carolus_magnus.piece.knight_${family}`);
export const aKnight = (family: string): string => word(`carolus_magnus.piece.a_knight_${family}`);
export const sideName = (side: string): string => word(`carolus_magnus.piece.${side}`);
export const placeName = ({ provinces }: { provinces: readonly number[] }): string =>
  provinces.length > 1
    ? word("carolus_magnus.piece.region", { provinces: span(provinces) })
    : word("carolus_magnus.piece.province", { number: provinces[0] ?? 0 });

/** The sides by strength, the strongest first. */
export const ranked = (strengths: Strengths): [Side, number][] =>
  entriesOf(strengths).sort((a, b) => b[1] - a[1]);
/** Who a side is to the reader: you, whoever plays it, or its colour where several do. */
function sideFor(view: CarolusView, side: Side, names: readonly string[]): string {
  const seats = view.sides.find((each) => each.side === side)?.seats ?? [];
  if (view.you !== null && seats.includes(view.you)) return t(seats.length > 1 ? "ui.you_all" : "ui.you");
  return (seats.length === 1 && names[seats[0]!]) || sideName(side);
}
/** How strong the sides are, as the reader would say it: `you 1 : 0 Roland`; of three, `you 1, Roland 0, Ann 0`. */
export function standing(view: CarolusView, strengths: Strengths, names: readonly string[]): string {
  const own = view.you === null ? null : sideOf(view, view.you);
  const sides = ranked(strengths).sort(([a], [b]) => Number(b === own) - Number(a === own));
  const [[first, most], [second, less]] = [sides[0]!, sides[1]!];
  return sides.length === 2
    ? `${sideFor(view, first, names)} ${most} : ${less} ${sideFor(view, second, names)}`
    : sides.map(([side, count]) => `${sideFor(view, side, names)} ${count}`).join(", ");
}
export const strengthsText = (strengths: Strengths): string =>
  ranked(strengths)
    .map(([side, count]) => `${sideName(side)} ${count}`)
    .join(", ");

/** Who is how strong in a place, in a sentence. */
export function strengthText(view: CarolusView, province: number, names: readonly string[]): string {
  const index = view.ring.findIndex(({ provinces }) => provinces.includes(province));
  const place = view.ring[index];
  return place
    ? t("ui.strong", {
        place: capital(placeName(place)),
        strengths: standing(view, view.strengths[index] ?? {}, names),
      })
    : "";
}

/** What a stop of the emperor means, in words. */
export function outlook(stop: Stop): string {
  const parts: string[] = [];
  if (!stop.takes) parts.push(word("carolus_magnus.board.nothing"));
  else
    parts.push(
      word(stop.loses ? "carolus_magnus.board.takes" : "carolus_magnus.board.builds", {
        side: sideName(stop.takes),
        count: stop.castles,
      }),
    );
  if (stop.merges.length)
    parts.push(word("carolus_magnus.board.joins", { places: list(stop.merges.map(String)) }));
  if (stop.ends) parts.push(word("carolus_magnus.board.ends"));
  return parts.join(", ");
}

/** What a knight's action says: `red>court`, `red>7`. */
export function knightOf(action: string): { family: Family; target: string } | null {
  const [name = "", target = ""] = action.split(">");
  const family = memberOf(FAMILIES, name);
  return family && target ? { family, target } : null;
}

/** The knights that the player in turn has brought into play since the action began. */
export function brought(
  records: readonly RecordFacts[],
  seat: number | null,
): { family: Family; target: string }[] {
  const found: { family: Family; target: string }[] = [];
  for (let index = records.length - 1; index >= 0; index--) {
    const knight = records[index]!.seat === seat ? knightOf(records[index]!.action) : null;
    if (!knight) break;
    found.unshift(knight);
  }
  return found;
}

/** The last dice that fell, whose they were, and at which record: they stay in sight until the next, those of the set-up until the first round. */
export function lastRoll(
  records: readonly RecordOf<Effect>[],
  view: CarolusView,
): { seat: number; faces: Face[]; ply: number } | null {
  const record = records.findLast(
    (each) =>
      effectsOf(each, "die_rolled").length > 0 &&
      (view.round === 0 || effectsOf(each, "emperor_moved").length > 0),
  );
  const dice = effectsOf(record, "die_rolled");
  const seat = dice.at(-1)?.seat;
  if (!record || seat === undefined) return null;
  return { seat, faces: dice.filter((die) => die.seat === seat).map(({ face }) => face), ply: record.ply };
}

/** Where a record happened, as provinces: for the mark on the board. */
export const placesOf = (record: RecordOf<Effect> | undefined): number[] => [
  ...effectsOf(record, "knight_placed").map(({ place }) => place),
  ...effectsOf(record, "emperor_moved").flatMap(({ region }) => region),
];

/** The Rose King's part of a view, and where things lie on the board. */
import type { RecordFacts } from "../../protocol";
import type { View } from "../game";

export interface RoseView extends View {
  turn: number;
  board: string[]; // rows from north (9) to south (1): r, w or .
  crown: string;
  hands: string[][];
  heroes: number[];
  pile: string[];
  discards: string[];
  supply: number;
  scores: number[];
  regions: { seat: number; cells: string[] }[];
  targets: Record<string, string>; // where each card would lead
}

export const COLUMNS = "abcdefghi";
export const DIRECTIONS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;
export const ROMAN = ["", "I", "II", "III"];
export const CELL = 66;
export const STONES = ["red", "white"] as const;

/** The centre of a field in the drawing of 660 × 660. */
export const centre = (field: string): [number, number] => [CELL * (COLUMNS.indexOf(field[0]!) + 1), CELL * (10 - Number(field[1]))];
export const fieldAt = (column: number, row: number): string => `${COLUMNS[column] ?? ""}${row}`;
export const ownerOf = (view: RoseView, field: string): number => "rw".indexOf(view.board[9 - Number(field[1])]?.[COLUMNS.indexOf(field[0]!)] ?? ".");
export const cardOf = (action: string): string => action.replace("*", "");
export const split = (card: string): [string, number] => [card.slice(0, -1), Number(card.slice(-1))];
export const spoken = (card: string): string => `${split(card)[0]} ${ROMAN[split(card)[1]] ?? ""}`;
export const squares = (view: RoseView, seat: number): number[] =>
  view.regions.filter((region) => region.seat === seat).map((region) => region.cells.length ** 2).sort((a, b) => b - a);
export const stones = (view: RoseView, seat: number): number => view.regions.reduce((sum, region) => sum + (region.seat === seat ? region.cells.length : 0), 0);

const STEPS: Record<string, [number, number]> = { N: [0, 1], NE: [1, 1], E: [1, 0], SE: [1, -1], S: [0, -1], SW: [-1, -1], W: [-1, 0], NW: [-1, 1] };

/** From where to where the crown went with each record, told backwards from where it stands. Null where it stayed. */
export function journeys(records: readonly RecordFacts[], crown: string): ([string, string] | null)[] {
  let to = crown;
  return records
    .toReversed()
    .map((record): [string, string] | null => {
      const [direction, distance] = split(cardOf(record.action));
      const step = STEPS[direction];
      if (record.seat === null || !step) return null;
      const from = fieldAt(COLUMNS.indexOf(to[0]!) - step[0] * distance, Number(to[1]) - step[1] * distance);
      const journey: [string, string] = [from, to];
      to = from;
      return journey;
    })
    .reverse();
}

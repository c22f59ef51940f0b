/** Words about tables that several pages use. */
import { diagrams } from "../games/diagrams.svelte";
import type { ByHand, TableSummary, TimeControl } from "../protocol";
import { boards } from "../server/boards.svelte";
import { namesOf } from "./naming";
import { isPlayedOut, pointsByRank, scores, winner } from "./outcome";
import { date, has, type Key, list, t, word } from "../app/words.svelte";

export function clockText(clock: TimeControl): string {
  if (clock.tempo === "none") return t("ui.clock.none");
  if (clock.tempo === "turns")
    return t("ui.clock.turns", { days: Math.round(clock.increment_ms / 86_400_000) || 1 });
  return t("ui.clock.live", {
    minutes: Math.round(clock.reserve_ms / 60_000),
    seconds: Math.round(clock.increment_ms / 1000),
  });
}

export function describeOptions(game: string, options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options)
    .map(([name, value]) => `${game}.option.${name}.${value}`)
    .filter(has)
    .map((key) => word(key));
}

/** What is rolled and dealt at a real table, in the game's own words. */
export const byHandText = (game: string, byHand: ByHand): string =>
  byHand && has(`${game}.by_hand.${byHand}`)
    ? word(`${game}.by_hand.${byHand}`)
    : byHand
      ? t("ui.by_hand")
      : "";

export const seated = (table: TableSummary): string =>
  list(namesOf(table.seats.filter((seat) => seat.kind !== "open")));

/** A table as a line of a list. */
export interface Line {
  title: string;
  who: string;
  facts: string[]; // how it stands or ended
  isDue: boolean; // the reader's turn
  verb: string; // what the reader can do there
}

export function lineOf(table: TableSummary, player: string): Line {
  const own = table.seats.flatMap((seat, index) => (player && seat.player === player ? [index] : []));
  const isDue = table.status === "running" && table.actors.some((seat) => own.includes(seat));
  return {
    title: word(`${table.game}.title`),
    who: table.status === "open" ? table.host_name : seated(table),
    facts: [
      ...factsOf(table, own, isDue),
      table.is_practice ? t("ui.practice") : "",
      table.by_hand ? t("ui.by_hand") : "",
    ].filter(Boolean),
    isDue,
    verb: t(verbOf(table, own.length > 0, isDue)),
  };
}

function factsOf(table: TableSummary, own: readonly number[], isDue: boolean): string[] {
  const { game, seats, result } = table;
  if (table.status === "open") {
    const taken = seats.filter(({ kind }) => kind !== "open").length;
    return [t("ui.tables.taken", { taken, seats: seats.length }), clockText(table.clock)];
  }
  if (result) {
    const names = namesOf(seats);
    const points = isPlayedOut(result) ? scores(game, pointsByRank(result)) : "";
    return [winner(result, (seat) => names[seat] ?? "", own), points, date(table.updated_ms)];
  }
  const view = boards.views[table.id];
  const points = view && diagrams.known[game]?.scores?.(view);
  const count = Math.max(0, table.ply - 1);
  return [
    t(isDue ? "ui.tables.your_turn" : "ui.tables.actions", { count }),
    points ? scores(game, points) : "",
    clockText(table.clock),
  ];
}

function verbOf(table: TableSummary, isOwn: boolean, isDue: boolean): Key {
  if (table.status === "ended") return "ui.tables.look";
  if (isOwn) return isDue ? "ui.tables.resume" : "ui.tables.open";
  return table.status === "open" ? "ui.table.sit" : "ui.tables.watch";
}

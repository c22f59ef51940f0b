/** Words about tables that several pages use. */
import type { TableSummary, TimeControl } from "../protocol";
import { botName } from "./naming";
import { has, list, t, word } from "../app/words.svelte";

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

export function seated(table: TableSummary): string {
  const names = table.seats
    .filter((seat) => seat.kind !== "open")
    .map((seat) => (seat.kind === "bot" ? botName(seat.name) : seat.name));
  const often = (name: string): number => names.filter((each) => each === name).length;
  return list([...new Set(names)].map((name) => (often(name) > 1 ? `${often(name)} × ${name}` : name)));
}

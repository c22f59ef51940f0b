/** Who is called what, and what happened beside the game, in words. */
import type { Notice, NoticeKind, SeatFacts, TableFacts } from "../protocol";
import { t, word } from "../app/words.svelte";

const ORDINALS = ["II", "III", "IV", "V"];
const SHOWN: readonly NoticeKind[] = [
  "declined",
  "taken_over",
  "reclaimed",
  "resigned",
  "flagged",
  "rematch",
  "miscounted",
  "kept",
  "amended",
];

/** Bots go by a name and a strength. */
export const botName = (id: string): string => word(`ui.bot.${id}`) || id;
export const botRank = (id: string): string => word(`ui.rank.${id}`);

/** A seat as tables and their lists tell of it. */
type Seated = Pick<SeatFacts, "kind" | "name"> & Partial<Pick<SeatFacts, "bot">>;

/** What somebody may be called, the usual name first: a bot has namesakes at court, a person may be the Second. */
function possibleNames({ kind, name, bot }: Seated): string[] {
  const usual = kind === "bot" ? botName(bot || name) : name;
  const others = kind === "bot" ? word(`ui.bot.${bot || name}.others`).split(", ") : [];
  return [usual, ...others.filter(Boolean), ...ORDINALS.map((ordinal) => `${usual} ${ordinal}`)];
}

/** Who sits where. No two go by the same name, and no bot by that of a person. */
export function namesOf(seats: readonly Seated[]): string[] {
  const people = seats.filter(({ kind }) => kind !== "bot" && kind !== "open").map(({ name }) => name);
  const names: string[] = [];
  for (const seat of seats) {
    const taken = seat.kind === "bot" ? [...people, ...names] : names;
    const free = possibleNames(seat).find((name) => !taken.includes(name));
    names.push(seat.kind === "open" ? t("ui.seat.open") : (free ?? seat.name));
  }
  return names;
}
export const nameOf = (seats: readonly Seated[], seat: number): string =>
  namesOf(seats)[seat] ?? t("ui.seat.open");

/** What happened beside the game's own actions. */
export function noticeText(event: Notice, seats: readonly SeatFacts[]): string {
  const name = event.name || (event.seat !== null ? nameOf(seats, event.seat) : "");
  if (event.kind === "taken_over") return t("ui.event.taken_over", { name, bot: botName(event.text) });
  return word(`ui.event.${event.kind}`, { name });
}

/** Whether it asks for attention, so that it is shown and not only said. */
export const isShown = (kind: NoticeKind): boolean => SHOWN.includes(kind);

/** Why it is over. */
export function endingOf({ game, result, seats }: TableFacts): string {
  if (!result) return t("ui.result.over");
  if (result.reason === "draw") return t("ui.reason.draw");
  if (result.reason !== "resigned" && result.reason !== "time")
    return word(`${game}.reason.${result.reason}`);
  const last = result.ranks.indexOf(Math.max(...result.ranks));
  return t(`ui.reason.${result.reason}`, { name: nameOf(seats, last) });
}

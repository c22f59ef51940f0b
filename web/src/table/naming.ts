/** Who is called what, and what happened beside the game, in words. */
import type { Notice, NoticeKind, SeatFacts, TableFacts } from "../protocol";
import { t, word } from "../app/words.svelte";

const ORDINALS = ["I", "II", "III", "IV", "V"] as const;
const SHOWN: readonly NoticeKind[] = [
  "declined",
  "taken_over",
  "reclaimed",
  "resigned",
  "flagged",
  "rematch",
];

/** Bots go by a name and a strength. */
export const botName = (id: string): string => word(`ui.bot.${id}`) || id;
export const botRank = (id: string): string => word(`ui.rank.${id}`);

const plainName = (seat: SeatFacts): string =>
  seat.kind === "bot" ? botName(seat.bot || seat.name) : seat.name;

/** Who sits there; the second of that name is the Second, so that nobody is taken for somebody else. */
export function nameOf(seats: readonly SeatFacts[], seat: number): string {
  const facts = seats[seat];
  if (!facts || facts.kind === "open") return t("ui.seat.open");
  const name = plainName(facts);
  const before = seats
    .slice(0, seat)
    .filter((other) => other.kind !== "open" && plainName(other) === name).length;
  return before ? `${name} ${ORDINALS[before]}` : name;
}

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

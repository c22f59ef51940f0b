/** Who won and by how much, in words, wherever a finished match is shown. */
import { has, list, number, t, word } from "../app/words.svelte";
import type { Result } from "../protocol";

type Naming = (seat: number) => string;

/** The rules ended it, and not a player who gave up, ran out of time or agreed to a draw: then there are points. */
export const isPlayedOut = ({ reason }: Result): boolean => !["draw", "resigned", "time"].includes(reason);

/** The seats, best first. */
export const ranked = ({ ranks }: Result): { rank: number; seat: number }[] =>
  ranks.map((rank, seat) => ({ rank, seat })).sort((a, b) => a.rank - b.rank || a.seat - b.seat);

export const pointsByRank = (result: Result): number[] =>
  ranked(result).map(({ seat }) => result.points[seat] ?? 0);

/** What a number of points is in the game: castles, votes. Empty where the game counts none. */
export const score = (game: string, count: number): string =>
  has(`${game}.score`) ? word(`${game}.score`, { count, points: number(count) }) : "";

/** The points of several, side by side: "24 : 17 points". */
export const scores = (game: string, points: readonly number[]): string =>
  has(`${game}.score`)
    ? word(`${game}.score`, { count: points.length, points: points.map(number).join("\u2009:\u2009") })
    : "";

/** Who won. `own` are the reader's seats. */
export function winner(result: Result, name: Naming, own: readonly number[]): string {
  const winners = result.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (winners.length === result.ranks.length || result.reason === "draw") return t("ui.result.draw");
  if (winners.length === 1 && own.length === 1 && own[0] === winners[0]) return t("ui.result.won");
  return t(winners.length === 1 ? "ui.result.winner" : "ui.result.winners", {
    name: list(winners.map(name)),
  });
}

/** Everyone with their points, best first; empty where there are none to tell. */
export function standings(game: string, result: Result, name: Naming): string {
  if (!isPlayedOut(result)) return "";
  return ranked(result)
    .map(({ seat }) => [name(seat), score(game, result.points[seat] ?? 0)])
    .flatMap(([who, what]) => (what ? [`${who} ${what}`] : []))
    .join(" · ");
}

/** The bots against whom each game was last played to its end, kept in this browser. */
import type { TableFacts } from "../protocol";

const KEY = "regalia.opponents";

function kept(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** None for whoever has not finished this game yet. */
export function lastOpponents(game: string): string[] {
  const bots = kept()[game];
  return Array.isArray(bots) ? bots.filter((bot) => typeof bot === "string") : [];
}

/** A match that was played here is over. */
export function rememberOpponents({ game, seats }: TableFacts): void {
  const bots = seats.filter(({ kind }) => kind === "bot").map(({ bot }) => bot);
  if (!bots.length || !seats.some(({ is_yours }) => is_yours)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [game]: bots }));
  } catch {
    // a browser that keeps nothing still plays
  }
}

/** How a character stands to the one who looks: in words, and with what can be done. */
import { list } from "$web/app/words.svelte";
import type { Odds } from "$web/games/contract";
import type { CharacterName } from "./types";
import { chanceText, standing, usesOf, type CourtView } from "./view";
import { t } from "./words";

/** Those that are not used but work at the start of a turn, or at the end of the match. */
const ALWAYS: readonly CharacterName[] = ["farmer", "charlatan", "general", "king"];

export type State = "ready" | "used" | "always";
export function stateOf(view: CourtView, seat: number, name: CharacterName): State {
  if (ALWAYS.includes(name)) return "always";
  return seat === view.turn && view.used.includes(name) ? "used" : "ready";
}

/** Of a character of one's own: ready, or why not. */
function ownText(view: CourtView, name: CharacterName, actions: readonly string[]): string {
  const seat = view.you ?? view.turn;
  const state = stateOf(view, seat, name);
  if (state !== "ready") return t(`ui.status.${state}`);
  if (!actions.length) return t("ui.status.waiting");
  if (usesOf(actions, name).length) return t("ui.status.ready");
  if (view.in_hand) return t("ui.status.rolled");
  return t(view.active.length ? "ui.status.nothing" : "ui.status.over");
}

/** Of a character in the display: to be had, how likely, or why not. */
function displayText(
  view: CourtView,
  name: CharacterName,
  actions: readonly string[],
  odds: Odds | null,
): string {
  const now = standing(view, name, actions);
  if (now === "take") return t("ui.status.take");
  if (now === "own") return t("ui.status.own");
  if (now === "gone") return t("ui.status.gone");
  if (view.final !== "none") return t("ui.status.final");
  if (now === "now") return t("ui.status.now", { count: view.in_hand + view.rolling + view.active.length });
  const mine = view.characters[view.you ?? view.turn] ?? [];
  if (name === "charlatan" && !mine.includes("fool")) return t("ui.status.no_fool");
  if (name === "queen") return t("ui.status.queen");
  if (actions.includes("take none")) return t("ui.status.unpaid");
  const chance = chanceText(odds, name);
  return chance ? t("ui.odds", { odds: chance }) : "";
}

export const statusText = (
  view: CourtView,
  name: CharacterName,
  isOwn: boolean,
  actions: readonly string[],
  odds: Odds | null,
): string => (isOwn ? ownText(view, name, actions) : displayText(view, name, actions, odds));

export const copiesOf = (view: CourtView, name: CharacterName): number =>
  (view.display[name] ?? 0) +
  view.characters.flat().filter((each) => each === name || (name === "fool" && each === "charlatan")).length;

/** How many cards are left, and who has one. */
export function copiesText(view: CourtView, name: CharacterName, names: readonly string[]): string {
  const left = view.display[name];
  const said =
    left === undefined ? t("ui.back_of_fool") : t("ui.copies_left", { left, all: copiesOf(view, name) });
  const owners = view.characters.flatMap((court, seat) =>
    court.includes(name) ? (seat === view.you ? t("ui.with_you") : (names[seat] ?? "")) : [],
  );
  return owners.length ? `${said}; ${t("ui.with", { names: list(owners) })}` : said;
}

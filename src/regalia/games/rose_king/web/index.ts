import { number, t as shell, word } from "$web/app/words.svelte";
import { effectsOf, type Choice, type GameUi } from "$web/games/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import Outcome from "./Outcome.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import SetUp from "./SetUp.svelte";
import type { Effect } from "./types";
import Tray from "./Tray.svelte";
import { cardOf, spell, spoken, STONES, type RoseView } from "./view";
import { t } from "./words";

/** Which of the prompts fits: the view says what may be done. */
function phase(actions: readonly string[]): string {
  if (!actions.includes("draw"))
    return actions.some((action) => !action.endsWith("*")) ? "turn_full" : "turn_hero";
  return actions.length === 1 ? "turn_draw" : "turn";
}

const ui: GameUi<RoseView, Effect> = {
  Board,
  Tray,
  Seat,
  Aside,
  Reckoning,
  SetUp,
  sign: (seat) => ({ symbol: `rose-${STONES[seat]}`, label: word(`rose_king.piece.${STONES[seat]}_rose`) }),
  emblem: (_, seat) => `rose-${STONES[seat]}`,
  side: (_, seat) => t(seat ? "ui.side.1" : "ui.side.0"),
  prompt(view, _, name) {
    const due = view.actors[0] ?? 0;
    if (view.you !== due || !view.actions.length)
      return {
        text: word("rose_king.phase.turn.waiting", { name: name(due) }),
      };
    const free = view.actions.filter((action) => action !== "draw" && !action.endsWith("*")).length;
    const heroes = view.actions.filter((action) => action.endsWith("*")).length;
    const more = [free && t("ui.free", { count: free }), heroes && t("ui.need_hero", { count: heroes })]
      .filter(Boolean)
      .join(" ");
    return {
      text: word(`rose_king.phase.${phase(view.actions)}`),
      ...(more ? { more } : {}),
    };
  },
  choices(_, actions, draft) {
    const choices: Choice[] = [];
    if (actions.includes("draw"))
      choices.push({
        label: t("ui.draw_card"),
        action: "draw",
        key: "d",
        elsewhere: true,
      });
    if (draft.using && actions.includes(draft.using))
      choices.push({
        label: t(draft.using.endsWith("*") ? "ui.play_hero" : "ui.play", {
          card: spoken(cardOf(draft.using)),
        }),
        action: draft.using,
        primary: true,
      });
    return choices;
  },
  tell: (records, _, name) =>
    records.map((record) => {
      if (record.seat === null) return shell("ui.log.setup");
      const [moved] = effectsOf(record, "crown_moved");
      if (!moved)
        return word("rose_king.action.draw", {
          name: name(record.seat),
          card: spell(effectsOf(record, "card_drawn")[0]?.card ?? "…"), // a real card may still have to be typed
        });
      return word(`rose_king.action.${effectsOf(record, "stone_turned").length ? "hero" : "play"}`, {
        name: name(record.seat),
        card: spell(moved.card),
        field: moved.to,
      });
    }),
  score: (record) => effectsOf(record, "scored")[0]?.points.map(number).join(" : ") ?? "",
  describe(action, view) {
    if (action === "draw") return t("ui.draw_card");
    const card = cardOf(action);
    return t(action.endsWith("*") ? "ui.play_hero_to" : "ui.play_to", {
      card: spoken(card),
      field: view.targets[card] ?? "",
    });
  },
  previews: (view) => view.actions.filter((action) => action !== "draw"),
  spell,
  example: "SW3",
  hand: { Face: Outcome, name: (card) => spoken(card) },
};
export default ui;

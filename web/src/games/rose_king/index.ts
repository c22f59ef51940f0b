import { t, word } from "../../lib/words.svelte";
import type { Choice, Draft, GameUi, View } from "../game";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import Tray from "./Tray.svelte";
import { cardOf, journeys, spoken, STONES, type RoseView } from "./view";

/** Which of the prompts fits: the view says what may be done. */
function phase(actions: readonly string[]): string {
  if (!actions.includes("draw")) return actions.some((action) => !action.endsWith("*")) ? "turn_full" : "turn_hero";
  return actions.length === 1 ? "turn_draw" : "turn";
}

const ui: GameUi = {
  Board, Tray, Seat, Aside, Reckoning,
  emblem: (_, seat) => `rose-${STONES[seat]}`,
  side: (_, seat) => t(`ui.rose_king.side.${seat as 0}`),
  prompt(view, _, name) {
    const due = view.actors[0] ?? 0;
    if (view.you !== due || !view.actions.length) return { text: word("rose_king.phase.turn.waiting", { name: name(due) }) };
    const free = view.actions.filter((action) => action !== "draw" && !action.endsWith("*")).length;
    const heroes = view.actions.filter((action) => action.endsWith("*")).length;
    const more = [free && t("ui.rose_king.free", { count: free }), heroes && t("ui.rose_king.need_hero", { count: heroes })].filter(Boolean).join(" ");
    return { text: word(`rose_king.phase.${phase(view.actions)}`), ...(more ? { more } : {}) };
  },
  choices(_: View, actions: readonly string[], draft: Draft) {
    const choices: Choice[] = [];
    if (actions.includes("draw")) choices.push({ label: t("ui.rose_king.draw_card"), action: "draw", key: "d", elsewhere: true });
    if (draft.point && actions.includes(draft.point) && draft.point !== "draw")
      choices.push({ label: t(draft.point.endsWith("*") ? "ui.rose_king.play_hero" : "ui.rose_king.play", { card: spoken(cardOf(draft.point)) }), action: draft.point, primary: true });
    return choices;
  },
  tell(records, view, name) {
    const paths = journeys(records, (view as RoseView).crown);
    return records.map((record, index) => {
      if (record.seat === null) return t("ui.log.setup");
      const values = { name: name(record.seat), card: record.action === "draw" ? (record.outcomes[0] ?? "") : cardOf(record.action), field: paths[index]?.[1] ?? "" };
      return word(`rose_king.action.${record.action === "draw" ? "draw" : record.action.endsWith("*") ? "hero" : "play"}`, values);
    });
  },
  previews: (view) => view.actions.filter((action) => action !== "draw"),
  example: "SW3, SW1*, draw",
};
export default ui;

import { word } from "$web/app/words.svelte";
import type { Choice, Draft, GameUi } from "$web/games/contract";
import Board from "./Board.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import { tell } from "./tell";
import Tray from "./Tray.svelte";
import type { Effect } from "./types";
import { chosenFaces, offersOf, type CourtView } from "./view";
import { t } from "./words";

function phase(view: CourtView, draft: Draft): string {
  if (draft.using) return "using";
  if (view.actions.some((action) => action.startsWith("take "))) return "take";
  if (view.actions.includes("pass")) return "final";
  return view.actions.includes("roll") || view.in_hand ? "turn" : "keeping";
}

const ui: GameUi<CourtView, Effect> = {
  Board,
  Tray,
  Seat,
  Reckoning,
  prompt(view, draft, name) {
    const shown =
      draft.using ??
      (draft.point?.startsWith("take ") || draft.point?.startsWith("show ") ? draft.point.slice(5) : null);
    const more =
      shown && shown !== "none"
        ? t("ui.about", {
            name: word(`court_the_king.piece.${shown}`),
            cost: word(`court_the_king.cost.${shown}`),
            power: word(`court_the_king.power.${shown}`),
          })
        : "";
    const due = view.actors[0] ?? 0;
    const mine = view.you === due && view.actions.length > 0;
    const text = mine
      ? word(`court_the_king.phase.${phase(view, draft)}`)
      : word(`court_the_king.phase.${view.final === "none" ? "turn" : "final"}.waiting`, { name: name(due) });
    return {
      text,
      more:
        more ||
        (mine && view.usable.length && !draft.using
          ? t("ui.can_use", {
              names: view.usable.map((each) => word(`court_the_king.piece.${each}`)).join(", "),
            })
          : ""),
    };
  },
  choices(view, actions, draft) {
    const choices: Choice[] = [];
    if (!actions.length || draft.using) return choices;
    const faces = chosenFaces(view, draft.chosen).toSorted();
    const keep = `keep ${faces.join(" ")}`;
    const dice = view.in_hand || view.active.length;
    if (actions.includes("pass")) choices.push({ label: t("ui.pass"), action: "pass", key: "p" });
    if (view.active.length) {
      const all = `keep ${view.active.toSorted().join(" ")}`;
      if (!faces.length && actions.includes(all) && view.active.length > 1)
        choices.push({ label: t("ui.keep_all"), action: all, key: "a" });
      choices.push(
        faces.length
          ? {
              label: t("ui.keep"),
              detail: faces.join(" "),
              action: actions.includes(keep) ? keep : null,
              primary: true,
              key: "k",
            }
          : {
              label: t("ui.keep"),
              detail: t("ui.keep_none"),
              action: null,
              key: "k",
              why: t("ui.keep_none"),
            },
      );
    }
    if (view.in_hand || view.active.length) {
      const can = actions.includes("roll");
      choices.push({
        label: t("ui.roll"),
        detail: t("ui.dice", { count: dice }),
        action: can ? "roll" : null,
        primary: can && !faces.length,
        key: "r",
        why: can ? "" : word("court_the_king.refused.CK-22"),
      });
    }
    if (actions.includes("take none"))
      choices.push({
        label: t("ui.take_none"),
        action: "take none",
        key: "n",
        primary: !view.takeable.length,
      });
    return choices;
  },
  tell: (records, _, name) => tell(records, name),
  // the Queen's die shows what is named
  previews: (view, draft) => (draft.using === "queen" ? [] : offersOf(view, view.actions, draft)),
  wantsOdds: (view) => view.actions.length > 0 && !view.actions.some((action) => action.startsWith("take ")),
  example: "roll, keep 5 5",
};
export default ui;

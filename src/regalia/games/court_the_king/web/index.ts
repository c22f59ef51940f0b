import { list, word } from "$web/app/words.svelte";
import { effectsOf, type Choice, type GameUi } from "$web/games/contract";
import Board from "./Board.svelte";
import Outcome from "./Outcome.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import { tell } from "./tell";
import Tray from "./Tray.svelte";
import type { Effect } from "./types";
import { chosenFaces, diceOf, offersOf, type CourtView } from "./view";
import { t } from "./words";

/** What is due, naming the choices there are and no others. */
function due({ actions, takeable }: CourtView): string {
  const can = (verb: string): boolean => actions.some((action) => action.split(" ")[0] === verb);
  if (can("take")) return takeable.length ? word("court_the_king.phase.take") : t("ui.due.nobody");
  const [roll, keep] = [can("roll"), can("keep")];
  const what = can("pass") ? "final" : roll && keep ? "both" : roll ? "roll" : "keep";
  return t(can("use") ? `ui.due.${what}_use` : `ui.due.${what}`);
}

/** CK-74: what a result of the final round is worth. */
const valueText = ({ count, face }: { count: number; face: number }): string => `${count} × ${face}`;

const nameOf = (character: string): string => word(`court_the_king.piece.${character}`);

function describe(action: string, view: CourtView): string {
  const [verb = "", name = ""] = action.split(" ");
  if (verb === "roll") return t("ui.do.roll", { count: view.in_hand || view.active.length });
  if (verb === "keep") return t("ui.do.keep", { dice: list(action.slice(5).split(" ")) });
  if (verb === "pass") return t("ui.pass");
  if (action === "take none") return t("ui.take_none");
  if (verb === "take") return t("ui.do.take", { character: nameOf(name) });
  const dice = list(diceOf(action).map(String));
  return t(dice ? "ui.do.use_on" : "ui.do.use", {
    character: nameOf(name),
    dice,
  });
}

const ui: GameUi<CourtView, Effect> = {
  Board,
  Tray,
  Seat,
  Reckoning,
  prompt(view, { using }, name) {
    const first = view.actors[0] ?? 0;
    const isMine = view.you === first && view.actions.length > 0;
    const best = view.best
      ? t("ui.best", {
          name: name(view.best.seat),
          count: view.best.count,
          face: view.best.face,
        })
      : "";
    if (!isMine)
      return {
        text: word(`court_the_king.phase.${view.final === "none" ? "turn" : "final"}.waiting`, {
          name: name(first),
        }),
        more: best,
      };
    if (using)
      return {
        text: word("court_the_king.phase.using"),
        more: t("ui.about", {
          name: nameOf(using),
          power: word(`court_the_king.power.${using}`),
        }),
      };
    const usable = list(view.usable.map(nameOf));
    return {
      text: due(view),
      more: best || (usable && t("ui.can_use", { names: usable })),
    };
  },
  ending: (view, name) =>
    view.best
      ? t("ui.won_with", {
          name: name(view.best.seat),
          count: view.best.count,
          face: view.best.face,
        })
      : "",
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
              action: keep, // what cannot be set aside is refused with its clause
              primary: true,
              key: "k",
            }
          : {
              label: t("ui.keep"),
              detail: t("ui.keep_none"),
              action: null,
              key: "k",
              why: t("ui.keep_why"),
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
  describe,
  tell: (records, _, name) => tell(records, name),
  score: (record) => effectsOf(record, "final_result").map(valueText).join(" "),
  // the Queen's die shows what is named
  previews: (view, draft) => (draft.using === "queen" ? [] : offersOf(view, view.actions, draft)),
  wantsOdds: (view) => view.actions.length > 0 && !view.actions.some((action) => action.startsWith("take ")),
  example: "keep 5 5",
  hand: { Face: Outcome },
};
export default ui;

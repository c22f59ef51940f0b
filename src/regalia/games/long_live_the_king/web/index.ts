import { settings } from "$web/app/settings.svelte";
import { memberOf } from "$web/app/typed";
import { afterColon, either, list, number, percent, word } from "$web/app/words.svelte";
import { effectsOf, type Choice, type Draft, type GameUi } from "$web/games/contract";
import Board from "./Board.svelte";
import Outcome from "./Outcome.svelte";
import Reckoning from "./Reckoning.svelte";
import { favourOf, isReveal } from "./scene";
import Seat from "./Seat.svelte";
import { tell } from "./tell";
import Tray from "./Tray.svelte";
import { AREA_NAMES, type Effect } from "./types";
import { areaText, banishments, stakeOf, VALUES, type KingView, type Value } from "./view";
import { t } from "./words";

// how long others' next actions wait for the reader
const READ_MS = 1_800; // who won a dispute
const READ_ELECTION_MS = 5_000;
const READ_FAVOUR_MS = 600;

/** What is pointed at, in words. */
function pointed(view: KingView, draft: Draft, name: (seat: number) => string): string {
  const area = memberOf(AREA_NAMES, draft.point?.startsWith("area ") ? draft.point.slice(5) : null);
  return area ? areaText(view, area, name) : "";
}
/** What may be done now, in words: no choice that there is not. */
function choicesText(view: KingView): string {
  const can = (verb: string): boolean => view.actions.some((action) => action.split(" ")[0] === verb);
  const choices = [
    can("move") &&
      t(view.phase === "turn" ? "ui.may.move" : view.phase === "failed" ? "ui.may.again" : "ui.may.move_on"),
    can("place") && t(view.phase === "turn" ? "ui.may.stay" : "ui.may.place"),
    can("roll") && t("ui.may.roll"),
    can("end") && t("ui.may.end"),
  ];
  return afterColon(either(choices.filter((each) => each !== false)));
}

function describe(action: string, view: KingView): string {
  const [verb = "", what = "", card = ""] = action.split(" ");
  switch (verb) {
    case "move":
      return t(card ? "ui.do.move_roll" : "ui.do.move", { area: what, card });
    case "place":
      return t("ui.do.place", { area: view.placing ?? "" });
    case "roll":
      return t("ui.do.roll", { card: what, area: view.placing ?? "" });
    case "stake":
      return t("ui.do.stake", { cards: action.slice(6) });
    case "banish":
      return t("ui.do.banish", { area: what });
    case "reclaim":
      return what === "0" ? t("ui.reclaim_none") : t("ui.reclaim", { count: Number(what) });
    case "dice":
      return t("ui.do.dice", { dice: action.slice(5) });
    default:
      return t("ui.end");
  }
}

const pay = (view: KingView, action: string, value: Value): Choice => ({
  label: t("ui.pay", { card: value }),
  detail: percent(view.favour_odds[value] ?? 0),
  action,
  key: value[1]!,
  elsewhere: true,
});

const ui: GameUi<KingView, Effect> = {
  Board,
  Tray,
  Seat,
  Reckoning,
  emblem: (_, seat) => `lk-shield-${seat}`,
  prompt(view, draft, name) {
    const more = pointed(view, draft, name);
    const said = (text: string, hint = ""): { text: string; more?: string } => ({
      text,
      ...(more || hint ? { more: more || hint } : {}),
    });
    const phase = view.phase;
    const isMine = view.you !== null && view.actors.includes(view.you) && view.actions.length > 0;
    if (phase === "stakes" && !isMine) {
      const waiting = list(view.actors.map(name));
      const mine = view.you !== null && (view.sealed[view.you]?.length ?? 0) > 0;
      return said(
        t(mine ? "ui.sealed_wait" : "ui.stakes_wait", {
          names: waiting,
          count: view.actors.length,
        }),
      );
    }
    if (!isMine)
      return said(
        word(`long_live_the_king.phase.${phase}.waiting`, {
          name: name(view.actors[0] ?? view.turn),
        }),
      );
    if (phase === "banish")
      return said(
        t("ui.banish", {
          area: view.dispute?.area ?? "",
          name: name(view.banished ?? 0),
        }),
        t("ui.banish_more"),
      );
    if (phase === "placing")
      return said(
        t(view.dispute ? "ui.due.won" : "ui.due.placing", {
          area: view.placing ?? "",
          choices: choicesText(view),
        }),
      );
    if (draft.using?.startsWith("move ")) return said(t("ui.which_card", { area: draft.using.slice(5) }));
    const card = memberOf(VALUES, draft.using);
    if (card) return said(t("ui.where_to", { card }));
    if (phase === "turn" || phase === "entered" || phase === "failed") {
      const canMoveOn = phase !== "turn" && view.actions.some((action) => action.startsWith("move "));
      return said(t(`ui.due.${phase}`, { choices: choicesText(view) }), canMoveOn ? t("ui.move_on") : "");
    }
    return said(word(`long_live_the_king.phase.${phase}`), phase === "stakes" ? t("ui.stakes_more") : "");
  },
  choices(view, actions, draft) {
    const choices: Choice[] = [];
    if (draft.using?.startsWith("move ")) {
      for (const value of VALUES)
        if (actions.includes(`${draft.using} ${value}`))
          choices.push(pay(view, `${draft.using} ${value}`, value));
      return [
        ...choices,
        {
          label: t("ui.not_now"),
          action: null,
          run: () => (draft.using = null),
        },
      ];
    }
    if (view.phase === "stakes") {
      const stake = draft.chosen.length ? stakeOf(draft.chosen) : "";
      return actions.length
        ? [
            {
              label: stake ? t("ui.seal", { count: draft.chosen.length }) : t("ui.seal_none"),
              action: actions.includes(stake) ? stake : null,
              primary: true,
              why: t("ui.pick_cards"),
            },
          ]
        : [];
    }
    for (const area of banishments(actions))
      choices.push({
        label: area,
        detail: t("ui.courtiers", { count: view.areas[area]?.courtiers ?? 0 }),
        action: `banish ${area}`,
      });
    for (const action of actions)
      if (action.startsWith("reclaim "))
        choices.push({
          label:
            action === "reclaim 0"
              ? t("ui.reclaim_none")
              : t("ui.reclaim", { count: Number(action.slice(8)) }),
          action,
          key: action.slice(8),
        });
    if (actions.includes("place"))
      choices.push({
        label: t(view.phase === "turn" ? "ui.stay" : "ui.place_one"),
        detail: view.placing ?? "",
        action: "place",
        primary: true,
        key: "p",
      });
    for (const value of VALUES)
      if (actions.includes(`roll ${value}`)) choices.push(pay(view, `roll ${value}`, value));
    if (actions.includes("end")) choices.push({ label: t("ui.end"), action: "end", key: "e" });
    return choices;
  },
  describe,
  tell: (records, _, name) => tell(records, name),
  score: (record) => effectsOf(record, "scored").at(-1)?.votes.map(number).join(" : ") ?? "",
  previews: () => [],
  wantsOdds: (view) => view.phase === "stakes",
  keepsDraft: (before, after) =>
    before.phase === "stakes" &&
    after.phase === "stakes" &&
    after.you !== null &&
    after.actors.includes(after.you),
  celebrates: (record) => effectsOf(record, "election_held").length > 0,
  isForAll: (record) => isReveal(record) || effectsOf(record, "election_held").length > 0,
  linger(record) {
    if (isReveal(record)) return READ_MS;
    if (effectsOf(record, "election_held").length) return READ_ELECTION_MS;
    return favourOf(record) && !settings.isStill ? READ_FAVOUR_MS : 0;
  },
  example: "move Man",
  hand: { Face: Outcome },
};
export default ui;

import { capital, number, word } from "$web/app/words.svelte";
import { effectsOf, type Draft, type GameUi } from "$web/games/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import Outcome from "./Outcome.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import { tell } from "./tell";
import type { Effect } from "./types";
import Tray from "./Tray.svelte";
import {
  aKnight,
  FAMILIES,
  knightName,
  knightOf,
  outlook,
  placeName,
  placeWith,
  sideName,
  sideOf,
  standing,
  strengthText,
  type CarolusView,
  type Stop,
} from "./view";
import { t } from "./words";

/** What is pointed at, in words: a stop of the emperor, or a place and who is how strong there. */
function pointed(view: CarolusView, draft: Draft, names: readonly string[]): string {
  const stop: Stop | undefined = view.previews.find(({ action }) => action === draft.point);
  if (stop) {
    const place = placeWith(view.ring, stop.place);
    return t("ui.stop", {
      place: place ? placeName(place) : stop.place,
      strengths: standing(view, stop.strengths, names),
      outlook: outlook(stop),
    });
  }
  const place = /^(?:place |[a-z]+>)(\d+)$/.exec(draft.point ?? "")?.[1];
  return place ? strengthText(view, Number(place), names) : "";
}

function describe(action: string, view: CarolusView): string {
  const [verb = "", what = ""] = action.split(" ");
  const name = (number: number): string => placeName(placeWith(view.ring, number) ?? { provinces: [number] });
  const knight = knightOf(action);
  if (knight) {
    const values = {
      knight: aKnight(knight.family),
      place: name(Number(knight.target)),
    };
    return capital(t(knight.target === "court" ? "ui.do.court" : "ui.do.place", values));
  }
  if (verb === "disc") return t("ui.lay", { disc: what });
  if (verb === "take") return capital(t("ui.do.take", { knight: aKnight(what) }));
  const stop = view.previews.find((each) => each.action === action);
  return t("ui.do.move", {
    steps: Number(what),
    place: stop ? name(stop.place) : "",
  });
}

/** A face of a die, a knight, or a province, in words. */
function outcomeName(outcome: string): string {
  const number = /^province (\d+)$/.exec(outcome)?.[1];
  return number ? t("ui.hand.province", { number }) : word(`carolus_magnus.piece.${outcome}`);
}

const ui: GameUi<CarolusView, Effect> = {
  Board,
  Tray,
  Seat,
  Aside,
  Reckoning,
  emblem: (view, seat) => `cm-arms-${sideOf(view, seat)}-${seat}`,
  side: (view, seat) => sideName(sideOf(view, seat)),
  prompt(view, draft, name) {
    const due = view.actors[0] ?? view.turn ?? 0;
    const more = pointed(
      view,
      draft,
      view.players.map((_, seat) => name(seat)),
    );
    if (view.you !== due || !view.actions.length)
      return {
        text: word(`carolus_magnus.phase.${view.phase}.waiting`, {
          name: name(due),
        }),
        ...(more ? { more } : {}),
      };
    if (view.phase === "knights" && draft.using)
      return {
        text: t("ui.where_to", { knight: capital(knightName(draft.using)) }),
        more: more || t("ui.where_more"),
      };
    if (view.phase === "knights")
      return {
        text: t("ui.bring", { count: view.due }),
        more: more || t("ui.bring_more"),
      };
    if (view.phase === "crown")
      return {
        text: word("carolus_magnus.phase.crown"),
        more: t("ui.crowns", { count: view.crowns }),
      };
    return {
      text: word(`carolus_magnus.phase.${view.phase}`),
      ...(more ? { more } : {}),
    };
  },
  choices: () => [],
  describe,
  tell: (records, _, name) => tell(records, name),
  score: (record) => effectsOf(record, "scored")[0]?.castles.map(number).join(" : ") ?? "",
  previews(view) {
    return FAMILIES.map((family) => `${family}>court`).filter((action) => view.actions.includes(action));
  },
  example: "red>court",
  hand: { Face: Outcome, name: outcomeName },
};
export default ui;

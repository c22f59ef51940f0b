import { word } from "$web/app/words.svelte";
import type { Draft, GameUi } from "$web/games/contract";
import Aside from "./Aside.svelte";
import Board from "./Board.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import { tell } from "./tell";
import type { Effect } from "./types";
import Tray from "./Tray.svelte";
import {
  FAMILIES,
  knightName,
  outlook,
  placeName,
  placeWith,
  sideName,
  sideOf,
  strengthsText,
  type CarolusView,
  type Stop,
} from "./view";
import { t } from "./words";

/** What is pointed at, in words: a stop of the emperor, or a place and who is how strong there. */
function pointed(view: CarolusView, draft: Draft): string {
  const stop: Stop | undefined = view.previews.find(({ action }) => action === draft.point);
  if (stop) {
    const place = placeWith(view.ring, stop.place);
    return t("ui.stop", {
      place: place ? placeName(place) : stop.place,
      strengths: strengthsText(stop.strengths),
      outlook: outlook(stop),
    });
  }
  const number = /^(?:place |[a-z]+>)(\d+)$/.exec(draft.point ?? "")?.[1];
  const index = number ? view.ring.findIndex(({ provinces }) => provinces.includes(Number(number))) : -1;
  return index < 0
    ? ""
    : t("ui.strong", {
        place: placeName(view.ring[index]!),
        strengths: strengthsText(view.strengths[index] ?? {}),
      });
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

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
    const more = pointed(view, draft);
    if (view.you !== due || !view.actions.length)
      return {
        text: word(`carolus_magnus.phase.${view.phase}.waiting`, { name: name(due) }),
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
    return { text: word(`carolus_magnus.phase.${view.phase}`), ...(more ? { more } : {}) };
  },
  choices: () => [],
  tell: (records, _, name) => tell(records, name),
  previews(view) {
    return FAMILIES.map((family) => `${family}>court`).filter((action) => view.actions.includes(action));
  },
  example: "red>court, red>7",
};
export default ui;

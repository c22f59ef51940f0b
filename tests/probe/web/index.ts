import { list, t as shell } from "$web/app/words.svelte";
import type { Choice, GameUi } from "$web/games/contract";
import Board from "./Board.svelte";
import Reckoning from "./Reckoning.svelte";
import Seat from "./Seat.svelte";
import { tell } from "./tell";
import Tray from "./Tray.svelte";
import type { Effect } from "./types";
import { rerollOf, teamName, type GameView } from "./view";
import { t } from "./words";

const ui: GameUi<GameView, Effect> = {
  Board,
  Tray,
  Seat,
  Reckoning,
  side: (view, seat) => t("ui.team", { team: teamName(view.teams[seat] ?? 0) }),
  prompt(view, _, name) {
    const isMine = view.you !== null && view.actors.includes(view.you) && view.actions.length > 0;
    const names = isMine ? name(view.you!) : list(view.actors.map(name));
    if (view.phase === "stake")
      return { text: t(isMine ? "phase.stake" : "phase.stake.waiting", { name: names }) };
    return {
      text: t(isMine ? "phase.turn" : "phase.turn.waiting", { name: names }),
      ...(isMine && !view.rerolled ? { more: t("ui.pick") } : {}),
    };
  },
  /** What has a key, or no place on the board. */
  choices(view, actions, draft) {
    const choices: Choice[] = [];
    for (const action of actions) {
      const [verb, number = ""] = action.split(" ");
      if (verb === "stake")
        choices.push({ label: t("ui.stake", { value: number }), action, key: number, elsewhere: true });
      if (verb === "mark")
        choices.push({ label: t("ui.mark", { face: number }), action, key: number, elsewhere: true });
    }
    const reroll = rerollOf(view, draft.chosen);
    if (actions.includes(reroll))
      choices.push({ label: t("ui.reroll"), action: reroll, key: "r", primary: true });
    if (actions.includes("end")) choices.push({ label: t("ui.end"), action: "end", key: "e" });
    return choices;
  },
  tell: (records, _, name) =>
    records.map((record) => (record.seat === null ? shell("ui.log.setup") : tell(record, record.seat, name))),
  describe(action) {
    const [verb, ...numbers] = action.split(" ");
    if (verb === "stake") return t("ui.stake", { value: numbers[0] ?? "" });
    if (verb === "mark") return t("ui.mark", { face: numbers[0] ?? "" });
    return verb === "end" ? t("ui.end") : t("ui.do.reroll", { dice: list(numbers) });
  },
  previews: () => [],
  example: "stake 2",
};
export default ui;

/** A sentence for a record of the log, from what it tells. */
import { list } from "$web/app/words.svelte";
import { effectsOf, type RecordOf } from "$web/games/contract";
import type { Effect } from "./types";
import { teamName } from "./view";
import { t } from "./words";

function told(effect: Effect, name: (seat: number) => string): string[] {
  switch (effect.type) {
    case "staked":
      return [
        effect.value === null
          ? t("ui.told.sealed", { name: name(effect.seat) })
          : t("ui.told.staked", { name: name(effect.seat), value: effect.value }),
      ];
    case "stakes_shown":
      return [t("ui.told.shown", { values: effect.values.join(" "), name: name(effect.leader) })];
    case "marked":
      return [t("ui.told.marked", { team: teamName(effect.team), face: effect.face, count: effect.points })];
    case "turn_ended":
      return [t("ui.told.ended", { points: effect.points.join("–") })];
    default: // cards dealt, and dice, which are told together
      return [];
  }
}

export function tell(record: RecordOf<Effect>, seat: number, name: (seat: number) => string): string {
  const taken = effectsOf(record, "die_taken").map(({ face }) => `${face}`);
  const rolled = effectsOf(record, "die_rolled").map(({ face }) => `${face}`);
  return [
    ...(taken.length ? [t("ui.told.taken", { name: name(seat), dice: list(taken) })] : []),
    ...record.effects.flatMap((effect) => told(effect, name)),
    ...(rolled.length ? [t("ui.told.rolled", { dice: list(rolled) })] : []),
  ].join(" ");
}

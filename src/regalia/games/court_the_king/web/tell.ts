/** Sentences for the log, from what each record tells. */
import { list, t as shell, word } from "$web/app/words.svelte";
import { effectsOf, type RecordOf } from "$web/games/contract";
import type { Effect } from "./types";
import { t } from "./words";

const act = (key: string, values: Record<string, string | number>): string =>
  word(`court_the_king.action.${key}`, values);
const spoken = (dice: readonly (number | null)[]): string => list(dice.map(String));
const faces = (effects: readonly { face: number | null }[]): string =>
  spoken(effects.map(({ face }) => face));

/** A character, the dice it acted on, and what they show now if they were rolled. */
function tellUse(record: RecordOf<Effect>, character: string, name: string): string {
  const [added] = effectsOf(record, "die_added");
  if (added?.face === null) return act(`use_${character}_early`, { name });
  const changes = effectsOf(record, "die_changed");
  const dice = [
    ...effectsOf(record, "die_rerolled").map(({ face }) => face),
    ...changes.map(({ from }) => from),
  ];
  const sentence = act(`use_${character}`, {
    name,
    dice: spoken(dice),
    becomes: spoken(changes.map(({ to }) => to)),
    face: added?.face ?? dice[0] ?? "",
    pips: changes[0] ? Math.abs(changes[0].to - changes[0].from) : "",
    source: dice[0] ?? "",
    target: dice[1] ?? "",
  });
  const rolled = effectsOf(record, "die_rolled");
  return rolled.length ? `${sentence} ${t("ui.shows", { dice: faces(rolled) })}` : sentence;
}

function tellRecord(record: RecordOf<Effect>, name: string): string {
  const [first] = record.effects;
  switch (first?.type) {
    case "dice_thrown":
      return effectsOf(record, "die_rolled").length
        ? act("rolled", { name, dice: faces(effectsOf(record, "die_rolled")) })
        : act("roll", { name }); // real dice that have not been typed yet
    case "die_set_aside":
      return act("keep", { name, dice: faces(effectsOf(record, "die_set_aside")) });
    case "character_used":
      return tellUse(record, first.character, name);
    case "character_taken":
      return act(`take_${first.character}`, { name });
    case "nobody_taken":
      return act("take_none", { name });
    default:
      return act("pass", { name });
  }
}

export const tell = (records: readonly RecordOf<Effect>[], name: (seat: number) => string): string[] =>
  records.map((record) =>
    record.seat === null ? shell("ui.log.setup") : tellRecord(record, name(record.seat)),
  );

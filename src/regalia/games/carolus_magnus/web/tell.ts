/** Sentences for the log, from what each record tells. */
import { t as shell, word } from "$web/app/words.svelte";
import { effectsOf, type RecordOf } from "$web/games/contract";
import type { Effect } from "./types";
import { aKnight, FAMILIES, familyName, placeName, sideName, span, strengthsText } from "./view";
import { t } from "./words";

type Name = (seat: number) => string;
const act = (key: string, values: Record<string, string | number>): string =>
  word(`carolus_magnus.action.${key}`, values);

/** What one effect says by itself. Dice and courts given back are told once for the whole record. */
function told(effect: Effect, record: RecordOf<Effect>, name: Name): string[] {
  switch (effect.type) {
    case "disc_laid":
      return [act("disc", { name: name(effect.seat), number: effect.disc })];
    case "knight_placed":
      return [
        act("place", {
          name: name(effect.seat),
          knight: aKnight(effect.family),
          place: placeName(effect),
        }),
      ];
    case "knight_to_court":
      return [act("court", { name: name(effect.seat), knight: aKnight(effect.family) })];
    case "control_gained":
      return [act("control", { name: name(effect.seat), colour: familyName(effect.family) })];
    case "knight_taken":
      return [act("take", { name: name(effect.seat), knight: aKnight(effect.family) })];
    case "emperor_moved": {
      const strengths = strengthsText(effect.strengths);
      const isTaken = effectsOf(record, "castles_built").length > 0;
      return [
        act("move", { name: name(effect.seat), steps: effect.steps, place: placeName(effect) }),
        t(isTaken ? "ui.counted" : "ui.unchanged", { strengths }),
      ];
    }
    case "castles_built":
      return [
        act(effect.replaced ? "replace" : "build", {
          side: sideName(effect.side),
          place: placeName(effect),
          count: effect.count,
        }),
      ];
    case "places_merged":
      return [act("merge", { provinces: span(effect.provinces) })];
    default:
      return [];
  }
}

/** The dice of a record. After a crown in the set-up they are the next player's. */
function dice(record: RecordOf<Effect>, name: Name): string[] {
  const rolled = effectsOf(record, "die_rolled");
  if (!rolled.length || record.seat === null) return [];
  const faces = rolled.map(({ face }) => familyName(face)).join(", ");
  return effectsOf(record, "emperor_moved").length
    ? [act("rolled", { name: name(record.seat), dice: faces })]
    : [t("ui.dice_fell", { dice: faces })];
}

/** Knights put back from every court because the supply had run out. */
function refills(record: RecordOf<Effect>): string[] {
  const reduced = effectsOf(record, "courts_reduced");
  return FAMILIES.flatMap((family) => {
    const count = reduced.reduce((sum, each) => sum + (each.family === family ? each.count : 0), 0);
    return count ? [act("refill", { colour: familyName(family), count })] : [];
  });
}

export function tell(records: readonly RecordOf<Effect>[], name: Name): string[] {
  return records.map((record) =>
    record.seat === null
      ? shell("ui.log.setup")
      : [
          ...record.effects.flatMap((effect) => told(effect, record, name)),
          ...dice(record, name),
          ...effectsOf(record, "start_drawn").map(({ seat }) => t("ui.begins", { name: name(seat) })),
          ...refills(record),
        ].join(" "),
  );
}

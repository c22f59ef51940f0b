/** Sentences for the log: notation in, words out. */
import { t as shell, word } from "$web/app/words.svelte";
import type { RecordFacts } from "$web/protocol";
import { partsOf } from "./view";
import { t } from "./words";

const ADDERS = new Set(["laborer", "guard", "hunter", "pawnbroker", "knight", "bishop", "queen"]);

export function tell(records: readonly RecordFacts[], name: (seat: number) => string): string[] {
  let hasRolled = false;
  return records.map((record) => {
    if (record.seat === null) return shell("ui.log.setup");
    const who = { name: name(record.seat) };
    const [verb = "", what = "", ...rest] = record.action.split(" ");
    const dice = record.outcomes.filter((outcome) => /^\d$/.test(outcome)).join(" ");
    if (verb === "roll") {
      hasRolled = true;
      return word("court_the_king.action.rolled", { ...who, dice });
    }
    if (verb === "keep")
      return word("court_the_king.action.keep", { ...who, dice: [what, ...rest].join(" ") });
    if (verb === "take" || verb === "pass") {
      hasRolled = false;
      return word(verb === "pass" ? "court_the_king.action.pass" : `court_the_king.action.take_${what}`, who);
    }
    const early = !hasRolled && ADDERS.has(what) ? "_early" : "";
    const { from, to } = partsOf(record.action);
    const pips = /[+-](\d)/.exec(rest.join(""))?.[1] ?? "";
    const sentence = word(`court_the_king.action.use_${what}${early}`, {
      ...who,
      dice: from.join(" "),
      face: what === "queen" ? (to[0] ?? "") : (from[0] ?? ""),
      becomes: to.join(" "),
      pips,
      source: from[0] ?? "",
      target: from[1] ?? "",
    });
    return dice ? `${sentence} ${t("ui.shows", { dice })}` : sentence;
  });
}

/** Sentences for the log. What came of an action is read from the view it was decided in and from the one that followed. */
import { t, word } from "../../lib/words.svelte";
import type { RecordFacts } from "../../protocol";
import type { View } from "../game";
import { FAMILIES, FACES, familyName, knightOf, placeWith, sideName, span, strengthsText, type CarolusView, type Family } from "./view";

type Name = (seat: number) => string;
const diceText = (outcomes: readonly string[]): string => outcomes.filter((face) => (FACES as readonly string[]).includes(face)).map(familyName).join(", ");

/** Knights put back from every court because the supply had run out. */
function refills(before: CarolusView | undefined, after: CarolusView | undefined): string[] {
  if (!before || !after) return [];
  return FAMILIES.flatMap((family: Family) => {
    const back = Math.min(...before.players.map(({ court }, seat) => court[family] - (after.players[seat]?.court[family] ?? 0)));
    return back > 0 ? [word("carolus_magnus.action.refill", { colour: familyName(family), count: back })] : [];
  });
}

function move(record: RecordFacts, before: CarolusView | undefined, name: string): string[] {
  const steps = record.action.split(" ")[1] ?? "";
  const stop = before?.previews.find(({ action }) => action === record.action);
  if (!stop) return [t("ui.carolus_magnus.moved", { name, steps })];
  const place = span(placeWith(before!.ring, stop.place)?.provinces ?? [stop.place]);
  const told = [word("carolus_magnus.action.move", { name, steps, place })];
  if (!stop.takes) told.push(t("ui.carolus_magnus.unchanged", { strengths: strengthsText(stop.strengths) }));
  else {
    told.push(t("ui.carolus_magnus.counted", { strengths: strengthsText(stop.strengths) }));
    told.push(word(`carolus_magnus.action.${stop.loses ? "replace" : "build"}`, { side: sideName(stop.takes), place, count: stop.castles }));
    if (stop.merges.length) told.push(word("carolus_magnus.action.merge", { provinces: span(stop.region) }));
  }
  return told;
}

function sentence(record: RecordFacts, before: CarolusView | undefined, after: CarolusView | undefined, name: Name): string {
  if (record.seat === null) return t("ui.log.setup");
  const who = name(record.seat);
  const knight = knightOf(record.action);
  const [verb, what = ""] = record.action.split(" ");
  if (knight) {
    const colour = familyName(knight.family);
    if (knight.target !== "court") return word("carolus_magnus.action.place", { name: who, colour, place: span(before ? (placeWith(before.ring, Number(knight.target))?.provinces ?? [Number(knight.target)]) : [Number(knight.target)]) });
    const gained = before && after && before.control[knight.family] !== after.control[knight.family];
    return [word("carolus_magnus.action.court", { name: who, colour }), gained ? word("carolus_magnus.action.control", { name: who, colour }) : ""].filter(Boolean).join(" ");
  }
  if (verb === "disc") return word("carolus_magnus.action.disc", { name: who, number: what });
  const dice = diceText(record.outcomes);
  const told = verb === "move" ? move(record, before, who) : [word("carolus_magnus.action.take", { name: who, colour: familyName(what) })];
  if (dice) told.push(verb === "move" ? word("carolus_magnus.action.rolled", { name: who, dice }) : t("ui.carolus_magnus.dice_fell", { dice }));
  const first = record.outcomes.find((outcome) => outcome.startsWith("seat "));
  if (first) told.push(t("ui.carolus_magnus.begins", { name: name(Number(first.slice(5))) }));
  return [...told, ...refills(before, after)].join(" ");
}

export function tell(records: readonly RecordFacts[], view: CarolusView, name: Name, past: Readonly<Record<number, View>>): string[] {
  const at = (ply: number): CarolusView | undefined => (view.ply === ply ? view : (past[ply] as CarolusView | undefined));
  return records.map((record) => sentence(record, at(record.ply), at(record.ply + 1), name));
}

/** Sentences for the log. What came of an action is read from the view it was decided in and from the one that followed. */
import { list, t as shell, word } from "$web/app/words.svelte";
import type { RecordFacts } from "$web/protocol";
import type { Past } from "$web/games/contract";
import { ceremonyAt, favourAt, sceneOf, type Ceremony, type Favour, type Scene } from "./scene";
import { viewsOf, type KingView } from "./view";
import { t } from "./words";

type Name = (seat: number) => string;
const act = (key: string, values: Record<string, string | number>): string =>
  word(`long_live_the_king.action.${key}`, values);

/** The dice of a dispute, roll by roll, and who won. */
export function tellRolls(scene: Scene, name: Name): string[] {
  const told: string[] = [];
  scene.rolls.forEach((roll, index) => {
    if (roll.round && scene.rolls[index - 1]?.round !== roll.round) {
      const again = scene.rolls.filter(({ round }) => round === roll.round);
      const top = Math.max(
        ...scene.contenders.map(
          ({ seat, addition }) =>
            scene.rolls.findLast((each) => each.seat === seat && each.round < roll.round)?.total ?? addition,
        ),
      );
      told.push(act("tie", { total: top, names: list(again.map(({ seat }) => name(seat))) }));
    }
    told.push(
      act("rolled", {
        name: name(roll.seat),
        dice: roll.pairs.map(({ die }) => die).join(" "),
        total: roll.total,
      }),
    );
  });
  if (scene.winner !== null)
    told.push(
      act("win", {
        name: name(scene.winner),
        area: scene.area,
        total: scene.contenders.find(({ seat }) => seat === scene.winner)?.total ?? 0,
      }),
    );
  return told;
}

export function tellElection(ceremony: Ceremony, name: Name): string[] {
  const told = [act("election", {})];
  for (const { seat, area, bonus, total, lost } of ceremony.candidates)
    told.push(
      `${act("votes", { name: name(seat), area_votes: area, bonus_votes: bonus, total })}${lost ? ` ${t("ui.lost_votes", { count: lost })}` : ""}`,
    );
  if (ceremony.winner !== null) return [...told, act("elected", { name: name(ceremony.winner) })];
  told.push(
    ...ceremony.candidates
      .filter(({ sum }) => sum.length)
      .map(({ seat, sum }) => t("ui.tie_dice", { name: name(seat), sums: list(sum.map(String)) })),
  );
  told.push(
    ...ceremony.candidates
      .toSorted((a, b) => b.gain - a.gain)
      .map(({ seat, gain }) => act("bonus", { name: name(seat), count: gain })),
  );
  if (ceremony.dealt) told.push(act("dealt", { count: ceremony.dealt }));
  return told;
}

function sentence(
  record: RecordFacts,
  index: number,
  before: KingView | undefined,
  after: KingView | undefined,
  records: readonly RecordFacts[],
  name: Name,
  favour: Favour | null,
): string[] {
  if (record.seat === null) return [shell("ui.log.setup")];
  const who = name(record.seat);
  const [verb, ...rest] = record.action.split(" ");
  const told: string[] = [];
  const rolled = favour
    ? [act(favour.succeeded ? "success" : "failure", { name: who, die: favour.die, card: favour.card })]
    : [];
  if (verb === "?") told.push(act("sealed", { name: who }));
  else if (verb === "move") {
    const [area = "", card] = rest;
    if (card) told.push(act("move_roll", { name: who, card, area }), ...rolled);
    else told.push(act("move", { name: who, area }));
    if (after?.dispute && !before?.dispute)
      told.push(act("dispute", { name: who, area, other: name(after.dispute.defender) }));
  } else if (verb === "place") told.push(act("place", { name: who, area: before?.placing ?? "" }));
  else if (verb === "roll")
    told.push(act("roll", { name: who, card: rest[0] ?? "", area: before?.placing ?? "" }), ...rolled);
  else if (verb === "stake") {
    told.push(act("stake", { name: who, cards: rest.join(" ") }));
    const scene = after && after.phase !== "stakes" ? sceneOf(after, records.slice(0, index + 1)) : null;
    if (scene)
      told.push(
        ...scene.contenders
          .filter(({ state }) => state === "none")
          .map(({ seat }) => act("stake_none", { name: name(seat) })),
        ...tellRolls(scene, name),
      );
  } else if (verb === "dice") {
    told.push(act("dice", { name: who, dice: rest.join(" ") }));
    const winner = after?.dispute?.winner ?? null;
    if (winner !== null)
      told.push(
        act("win", {
          name: name(winner),
          area: after!.dispute!.area,
          total: after!.dispute!.totals[winner] ?? 0,
        }),
      );
  } else if (verb === "banish")
    told.push(
      act("banish", {
        name: who,
        other: before?.banished === null || before?.banished === undefined ? "" : name(before.banished),
        area: rest[0] ?? "",
      }),
    );
  else if (verb === "reclaim")
    told.push(act(rest[0] === "0" ? "reclaim_none" : "reclaim", { name: who, count: rest[0] ?? "" }));
  else told.push(act("end", { name: who }));
  // an intruder with nowhere to go returns by itself
  if (
    after?.dispute &&
    (verb === "stake" || verb === "dice" || verb === "banish") &&
    after.phase === "placing"
  ) {
    const home = after.nobles[after.turn];
    if (
      after.dispute.winner !== after.turn &&
      home === after.dispute.from &&
      !(verb === "banish" && before?.banished === after.turn)
    )
      told.push(act("return", { name: name(after.turn), area: home }));
  }
  return told;
}

export function tell(records: readonly RecordFacts[], view: KingView, name: Name, past: Past): string[] {
  return records.map((record, index) => {
    const [before, after] = viewsOf(records, index, view, past);
    const election = ceremonyAt(records, index, view, past);
    return [
      ...sentence(record, index, before, after, records, name, favourAt(records, index, view, past)),
      ...(election ? tellElection(election, name) : []),
    ].join(" ");
  });
}

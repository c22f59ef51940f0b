/** Sentences for the log, from what each record tells. */
import { list, t as shell, word } from "$web/app/words.svelte";
import { effectsOf } from "$web/games/contract";
import { ceremonyOf, type KingRecord } from "./scene";
import type { Effect, Votes } from "./types";
import { t } from "./words";

type Name = (seat: number) => string;
const act = (key: string, values: Record<string, string | number>): string =>
  word(`long_live_the_king.action.${key}`, values);

/** What one effect says by itself. Dice put on cards, and an election, are told once for the whole record. */
function told(effect: Effect, name: Name): string[] {
  switch (effect.type) {
    case "noble_moved":
      return effect.is_free ? [act("move", { name: name(effect.seat), area: effect.to })] : [];
    case "courtier_placed":
      return effect.is_free ? [act("place", { name: name(effect.seat), area: effect.area })] : [];
    case "favour_paid":
      return [
        act(effect.is_move ? "move_roll" : "roll", {
          name: name(effect.seat),
          card: effect.card,
          area: effect.area,
        }),
      ];
    case "favour_rolled":
      return [
        act(effect.succeeded ? "success" : "failure", {
          name: name(effect.seat),
          die: effect.die,
          card: effect.card,
        }),
      ];
    case "stopped":
      return [act("end", { name: name(effect.seat) })];
    case "dispute_opened":
      return [act("dispute", { name: name(effect.seat), area: effect.area, other: name(effect.defender) })];
    case "stake_sealed":
      return effect.cards
        ? [act("stake", { name: name(effect.seat), cards: effect.cards.join(" ") })]
        : [act("sealed", { name: name(effect.seat) })];
    case "stakes_revealed":
      return effect.stakes
        .filter(({ cards }) => !cards.length)
        .map(({ seat }) => act("stake_none", { name: name(seat) }));
    case "dice_rolled":
      return effect.pairs.length
        ? [
            act("rolled", {
              name: name(effect.seat),
              dice: effect.pairs.map(({ die }) => die).join(" "),
              total: effect.total,
            }),
          ]
        : [];
    case "dispute_tied":
      return [act("tie", { total: effect.total, names: list(effect.seats.map(name)) })];
    case "dispute_won":
      return [act("win", { name: name(effect.seat), area: effect.area, total: effect.total })];
    case "noble_banished":
      return [act("banish", { name: name(effect.seat), other: name(effect.owner), area: effect.to })];
    case "noble_returned":
      return [act("return", { name: name(effect.seat), area: effect.to })];
    case "cards_reclaimed":
      return [
        act(effect.cards.length ? "reclaim" : "reclaim_none", {
          name: name(effect.seat),
          count: effect.cards.length,
        }),
      ];
    default:
      return [];
  }
}

function put(record: KingRecord, name: Name): string[] {
  const dice = effectsOf(record, "die_put");
  return dice[0]
    ? [
        act("dice", {
          name: name(dice[0].seat),
          dice: dice.map(({ die, card }) => `${die}>${card}`).join(" "),
        }),
      ]
    : [];
}

function votes({ seat, area, bonus, total, lost }: Votes, name: Name): string[] {
  return [
    act("votes", { name: name(seat), area_votes: area, bonus_votes: bonus, total }),
    ...(lost ? [t("ui.lost_votes", { count: lost })] : []),
  ];
}

function election(record: KingRecord, name: Name): string[] {
  const ceremony = ceremonyOf(record);
  if (!ceremony) return [];
  const { candidates, winner, dealt } = ceremony;
  const held = [act("election", {}), ...candidates.flatMap((each) => votes(each, name))];
  if (winner !== null) return [...held, act("elected", { name: name(winner) })];
  return [
    ...held,
    ...candidates
      .filter(({ sums }) => sums.length)
      .map(({ seat, sums }) => t("ui.tie_dice", { name: name(seat), sums: list(sums.map(String)) })),
    ...candidates
      .toSorted((a, b) => a.place - b.place)
      .map(({ seat, gain }) => act("bonus", { name: name(seat), count: gain })),
    ...(dealt ? [act("dealt", { count: dealt })] : []),
  ];
}

export function tell(records: readonly KingRecord[], name: Name): string[] {
  return records.map((record) =>
    record.seat === null
      ? shell("ui.log.setup")
      : [
          ...put(record, name),
          ...record.effects.flatMap((effect) => told(effect, name)),
          ...election(record, name),
        ].join(" "),
  );
}

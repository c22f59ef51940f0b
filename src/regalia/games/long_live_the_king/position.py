"""Positions of Long Live the King as data, both ways, and what views add to them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from regalia.core.kernel import kernel
from regalia.core.layout import UNKNOWN
from regalia.core.position import Fields
from regalia.games.long_live_the_king.cards import fill_pool
from regalia.games.long_live_the_king.check import check
from regalia.games.long_live_the_king.components import (
    AREA_NAMES,
    CARD_NAMES,
    COURTIERS,
    FACES,
    FAVOUR_ODDS,
    HAND,
    MOST_STAKED,
    NO_ONE,
    NOWHERE,
    QUIET_TURNS,
    STAKE_OF,
    STAKES,
    TIE_DICE,
    VALUES,
    VOTES,
    AreaName,
    Value,
)
from regalia.games.long_live_the_king.dispute import addition, to_banish
from regalia.games.long_live_the_king.election import (
    area_votes,
    held_votes,
    less_a_third,
    needed_votes,
    total_votes,
)
from regalia.games.long_live_the_king.state import Phase, State
from regalia.games.long_live_the_king.turn import placing_area
from regalia.games.long_live_the_king.view import (
    Counts,
    Derived,
    Dispute,
    Election,
    ElectionName,
    Favour,
    Holding,
    Position,
    ReasonName,
)

MOST_DUE = 75  # five players, fifteen cards each
REASONS: tuple[ReasonName, ...] = get_args(ReasonName)
ELECTIONS: tuple[ElectionName, ...] = get_args(ElectionName)


# --- Writing ---


def names_of(cards: Iterable[int]) -> list[Value]:
    return [CARD_NAMES[value] for value, count in enumerate(cards) for _ in range(count)]


def counts_of(cards: list[int]) -> Counts | None:
    """How many cards of each value; None when they are hidden."""
    return None if cards[0] == UNKNOWN else Counts(*cards)


def sealed_of(stake: int) -> list[Value] | None:
    """A sealed stake: empty when there is none, None when it is hidden."""
    if stake == UNKNOWN:
        return None
    return names_of(STAKES[stake - 1].tolist()) if stake else []


def name_of(area: int) -> AreaName | None:
    return None if area == NOWHERE else AREA_NAMES[area]


def seat_of(seat: int) -> int | None:
    return None if seat == NO_ONE else int(seat)


def describe(state: State) -> Position:
    seats, entered, paid = int(state.seats), int(state.entered), int(state.paid)
    owners, courtiers = state.owner.tolist(), state.courtiers.tolist()
    return Position(
        turn=int(state.turn),
        active=int(state.active),
        due=int(state.due),
        areas={
            name: Holding(owner, count)
            for name, owner, count in zip(AREA_NAMES, owners, courtiers, strict=True)
            if owner != NO_ONE
        },
        nobles=[name_of(area) for area in state.nobles.tolist()[:seats]],
        bonus=state.bonus.tolist()[:seats],
        cards=state.cards.tolist()[:seats],
        known=[Counts(*cards) for cards in state.known.tolist()[:seats]],
        hands=[counts_of(cards) for cards in state.hand.tolist()[:seats]],
        sealed=[sealed_of(chosen) for chosen in state.sealed.tolist()[:seats]],
        discards=Counts(*state.discards.tolist()),
        face_down=int(state.face_down),
        pile=counts_of(state.pile.tolist()),
        entered=[name for area, name in enumerate(AREA_NAMES) if entered >> area & 1],
        placed=bool(state.placed),
        favour=Favour(CARD_NAMES[paid - 1], name_of(int(state.target))) if paid else None,
        spent=bool(state.spent),
        quiet=int(state.quiet),
        dispute=describe_dispute(state) if state.disputed != NOWHERE else None,
        elections=int(state.elections),
        election=describe_election(state) if state.election else None,
        standing=state.standing.tolist()[:seats],
        reason=REASONS[state.reason],
    )


def describe_dispute(state: State) -> Dispute:
    seats, owing = int(state.seats), int(state.owing)
    faces = range(1, FACES + 1)
    return Dispute(
        area=AREA_NAMES[state.disputed],
        origin=AREA_NAMES[state.origin],
        defender=int(state.defender),
        winner=seat_of(state.winner),
        owing=[seat for seat in range(seats) if owing >> seat & 1],
        stakes=[names_of(cards) for cards in state.stakes.tolist()[:seats]],
        dice=[
            [face for face, count in zip(faces, dice, strict=True) for _ in range(count)]
            for dice in state.dice.tolist()[:seats]
        ],
        totals=state.totals.tolist()[:seats],
    )


def describe_election(state: State) -> Election:
    return Election(
        deciding=ELECTIONS[state.election - 1],
        winner=seat_of(state.winner),
        sums=state.sums.tolist()[: int(state.seats)],
    )


def derive(state: State) -> Derived:
    """Votes and supplies, what is publicly unknown, and what the phase is about."""
    seats, phase = int(state.seats), Phase(int(state.phase))
    numbers = np.zeros((len(Survey), NO_ONE), np.int64)
    survey(state, numbers)
    votes, totals, additions, pool, facts, held, reduced = numbers.tolist()
    known, cards, owing = state.known.tolist(), state.cards.tolist()[:seats], int(state.owing)
    is_disputed = state.disputed != NOWHERE
    return Derived(
        supply=state.supply.tolist()[:seats],
        area_votes=votes[:seats],
        held_votes=held[:seats],
        reduced_votes=reduced[:seats],
        total_votes=totals[:seats],
        needed_votes=facts[0],
        unknown=[held - sum(known[seat]) for seat, held in enumerate(cards)],
        pool=Counts(*pool[:VALUES]),
        favour_odds=FAVOUR_ODDS,
        quiet_left=QUIET_TURNS * seats - int(state.quiet),
        additions=additions[:seats] if is_disputed else None,
        chosen=[seat for seat, held in enumerate(cards) if held and not owing >> seat & 1]
        if phase == Phase.STAKES
        else None,
        banished=facts[1] if phase == Phase.BANISH else None,
        placing=AREA_NAMES[facts[2]] if phase in PLACED_IN else None,
    )


class Survey(IntEnum):
    """The rows that `survey` fills: per seat, per card value, and single facts."""

    AREA_VOTES = 0
    TOTAL_VOTES = 1
    ADDITIONS = 2
    POOL = 3
    FACTS = 4  # votes needed, whose noble goes next, where the active seat would place
    HELD_VOTES = 5  # of all own areas
    REDUCED_VOTES = 6  # what an empty hand would leave of them


@kernel
def survey(state: State, numbers: NDArray[np.int64]) -> None:
    """What views add, in one call."""
    seats = 0 + int(state.seats)
    for seat in range(seats):
        numbers[Survey.AREA_VOTES, seat] = area_votes(state, seat)
        numbers[Survey.TOTAL_VOTES, seat] = total_votes(state, seat)
        numbers[Survey.HELD_VOTES, seat] = held_votes(state, seat)
        numbers[Survey.REDUCED_VOTES, seat] = less_a_third(held_votes(state, seat))
        if state.disputed != NOWHERE:
            numbers[Survey.ADDITIONS, seat] = addition(state, seat)
    fill_pool(state, numbers[Survey.POOL])
    numbers[Survey.FACTS, 0] = needed_votes(state)
    if state.phase == Phase.BANISH:
        numbers[Survey.FACTS, 1] = to_banish(state)
    if state.phase >= Phase.TURN and state.phase <= Phase.PLACING:
        numbers[Survey.FACTS, 2] = placing_area(state, 0 + int(state.active))


PLACED_IN = (Phase.TURN, Phase.ENTERED, Phase.PLACING)


# --- Reading ---


def restore(position: dict[str, Any], state: State) -> None:
    fields = Fields(position)
    seats = int(state.seats)
    state.turn = fields.number("turn", 0, seats - 1)
    state.active = fields.number("active", 0, seats - 1)
    state.due = fields.number("due", 0, MOST_DUE)
    state.reason = fields.choice("reason", REASONS)
    restore_board(fields, state)
    restore_cards(fields, state)
    state.entered = sum(
        1 << area for area in {read_area(fields, "entered", name) for name in fields.texts("entered")}
    )
    state.placed = read_flag(fields, "placed")
    state.spent = read_flag(fields, "spent")
    state.quiet = fields.number("quiet", 0, QUIET_TURNS * seats - 1)
    restore_favour(fields, state)
    state.disputed = state.origin = NOWHERE
    state.defender = state.winner = NO_ONE
    dispute = fields.take("dispute")
    if dispute is not None:
        restore_dispute(Fields({"dispute": dispute}).inner("dispute"), state)
    state.elections = fields.number("elections", 0, 250)
    state.standing[:seats] = fields.numbers("standing", seats, 0, NO_ONE)
    election = fields.take("election")
    if election is not None:
        restore_election(Fields({"election": election}).inner("election"), state)
    fields.finish()
    check(state, fields)


def restore_board(fields: Fields, state: State) -> None:
    seats = int(state.seats)
    state.owner[:] = NO_ONE
    areas = fields.take("areas")
    if not isinstance(areas, dict):
        fields.refuse("areas", f"{areas!r:.30}")
    for name in areas:
        area = read_area(fields, "areas", name)
        piece = Fields(areas, "areas.").inner(name)
        state.owner[area] = piece.number("seat", 0, seats - 1)
        state.courtiers[area] = piece.number("courtiers", 0, int(VOTES[area]))
        piece.finish()
    state.nobles[:] = NOWHERE
    for seat, name in enumerate(fields.lists("nobles", seats)):
        state.nobles[seat] = NOWHERE if name is None else read_area(fields, "nobles", name)
    for seat in range(seats):
        own = state.owner == seat
        laid = int(state.courtiers[own].sum())
        if laid >= COURTIERS:
            fields.refuse("areas", f"{laid} courtiers of seat {seat} (LK-3, LK-4)")
        state.areas[seat] = int(own.sum())
        state.supply[seat] = COURTIERS - 1 - laid
    state.bonus[:seats] = fields.numbers("bonus", seats, 0, 99)


def restore_cards(fields: Fields, state: State) -> None:
    seats = int(state.seats)
    for seat, (hand, known, sealed) in enumerate(
        zip(
            fields.lists("hands", seats),
            fields.lists("known", seats),
            fields.lists("sealed", seats),
            strict=True,
        )
    ):
        state.hand[seat] = read_counts(fields, "hands", hand)
        state.known[seat] = read_counts(fields, "known", known)
        cards = read_cards(fields, "sealed", sealed)
        state.sealed[seat] = 1 + int(STAKE_OF[tuple(cards)]) if any(cards) else 0
    state.cards[:seats] = fields.numbers("cards", seats, 0, HAND * seats)
    state.discards[:] = read_counts(fields, "discards", fields.take("discards"))
    state.pile[:] = read_counts(fields, "pile", fields.take("pile"))
    state.face_down = fields.number("face_down", 0, HAND * seats)


def restore_favour(fields: Fields, state: State) -> None:
    state.target = NOWHERE
    value = fields.take("favour")
    if value is not None:
        favour = Fields({"favour": value}).inner("favour")
        state.paid = 1 + favour.choice("card", CARD_NAMES)
        area = favour.take("area")
        state.target = NOWHERE if area is None else read_area(favour, "area", area)
        favour.finish()


def restore_dispute(fields: Fields, state: State) -> None:
    seats = int(state.seats)
    state.disputed = fields.choice("area", AREA_NAMES)
    state.origin = fields.choice("from", AREA_NAMES)
    state.defender = fields.number("defender", 0, seats - 1)
    winner = fields.take("winner")
    state.winner = NO_ONE if winner is None else fields.checked_number("winner", winner, 0, seats - 1)
    owing = fields.lists("owing")
    state.owing = sum({1 << fields.checked_number("owing", seat, 0, seats - 1) for seat in owing})
    for seat, (cards, dice) in enumerate(
        zip(fields.lists("stakes", seats), fields.lists("dice", seats), strict=True)
    ):
        state.stakes[seat] = read_cards(fields, "stakes", cards)
        if not isinstance(dice, list) or len(dice) > MOST_STAKED:
            fields.refuse("dice", f"{dice!r:.30}")
        faces = [fields.checked_number("dice", face, 1, FACES) for face in dice]
        state.dice[seat] = [faces.count(face + 1) for face in range(FACES)]
    state.totals[:seats] = fields.numbers("totals", seats, 0, UNKNOWN - 1)
    if state.phase == Phase.DICE:
        state.loose[:] = state.dice[state.active]
    fields.finish()


def restore_election(fields: Fields, state: State) -> None:
    seats = int(state.seats)
    state.election = 1 + fields.choice("deciding", ELECTIONS)
    winner = fields.take("winner")
    state.winner = NO_ONE if winner is None else fields.checked_number("winner", winner, 0, seats - 1)
    state.sums[:seats] = fields.numbers("sums", seats, 0, TIE_DICE * FACES)
    fields.finish()


def read_area(fields: Fields, field: str, name: Any) -> int:
    if not isinstance(name, str) or name not in AREA_NAMES:
        fields.refuse(field, f"{name!r:.30}")
    return AREA_NAMES.index(name)


def read_flag(fields: Fields, name: str) -> int:
    value = fields.take(name)
    if not isinstance(value, bool):
        fields.refuse(name, f"{value!r:.30}")
    return int(value)


def read_counts(fields: Fields, field: str, counts: Any) -> list[int]:
    """How many cards of each value."""
    if not isinstance(counts, dict) or counts.keys() != set(CARD_NAMES):
        fields.refuse(field, f"{counts!r:.40}")
    return [fields.checked_number(field, counts[name], 0, HAND * NO_ONE) for name in CARD_NAMES]


def read_cards(fields: Fields, field: str, cards: Any) -> list[int]:
    """A stake's cards by name, counted."""
    if (
        not isinstance(cards, list)
        or len(cards) > MOST_STAKED
        or any(name not in CARD_NAMES for name in cards)
    ):
        fields.refuse(field, f"{cards!r:.40}")
    return [cards.count(name) for name in CARD_NAMES]

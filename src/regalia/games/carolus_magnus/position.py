"""Positions of Carolus Magnus as data for people, read back strictly, and what views add."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from regalia.core.position import Fields
from regalia.games.carolus_magnus import preview
from regalia.games.carolus_magnus.check import check
from regalia.games.carolus_magnus.components import (
    CASTLES,
    COLOURS,
    DISCS,
    FAMILIES,
    KNIGHTS,
    MOST_ROUNDS,
    MOST_SEATS,
    NONE,
    PROVINCES,
    RESERVE,
    SIDES,
)
from regalia.games.carolus_magnus.ring import places
from regalia.games.carolus_magnus.rules import score
from regalia.games.carolus_magnus.state import Phase, State
from regalia.games.carolus_magnus.view import (
    Control,
    Counts,
    Derived,
    Place,
    Player,
    Position,
    ReasonName,
    Team,
)

NOBODYS = (Phase.SPREAD, Phase.ARRIVAL, Phase.START)  # when no player is in turn
REASONS: tuple[ReasonName, ...] = get_args(ReasonName)


def describe(state: State) -> Position:
    seats, phase = int(state.seats), int(state.phase)
    order = state.order[:seats].tolist()
    return Position(
        round=int(state.rounds),
        order=order,
        turn=None if phase in NOBODYS else order[state.at],
        due=int(state.due),
        crowns=int(state.crowns),
        brought=bool(state.brought),
        emperor=None if phase in (Phase.SPREAD, Phase.ARRIVAL) else int(state.emperor) + 1,
        ring=[
            Place(
                place=place.number,
                provinces=place.provinces,
                knights=Counts(*place.knights),
                owner=None if place.owner == NONE else SIDES[place.owner],
                castles=place.castles,
            )
            for place in places(state)
        ],
        control=Control(*(None if seat == NONE else seat for seat in state.control.tolist())),
        players=[
            Player(
                court=Counts(*court),
                reserve=Counts(*reserve),
                disc=disc or None,
                used=[number + 1 for number in range(DISCS) if used >> number & 1],
            )
            for court, reserve, disc, used in zip(
                state.courts[:seats].tolist(),
                state.reserves[:seats].tolist(),
                state.discs[:seats].tolist(),
                state.used[:seats].tolist(),
                strict=True,
            )
        ],
        reason=REASONS[state.reason],
    )


def restore(position: dict[str, Any], state: State) -> None:
    fields = Fields(position)
    seats = int(state.seats)
    state.reason = fields.choice("reason", REASONS)
    state.rounds = fields.number("round", 0, MOST_ROUNDS)
    state.due = fields.number("due", 0, PROVINCES)
    state.crowns = fields.number("crowns", 0, int(RESERVE[seats]))
    state.brought = read_truth(fields, "brought")
    order = fields.numbers("order", seats, 0, seats - 1)
    if len(set(order)) < seats:
        fields.refuse("order", f"{order}")
    state.order[:seats] = order
    turn = fields.take("turn")
    if (turn is None) != (state.phase in NOBODYS):
        fields.refuse("turn", f"{turn!r:.30}")
    state.at = 0 if turn is None else order.index(fields.checked_number("turn", turn, 0, seats - 1))
    read_places(fields, state)
    emperor = fields.take("emperor")
    if (emperor is None) != (state.phase in (Phase.SPREAD, Phase.ARRIVAL)):
        fields.refuse("emperor", f"{emperor!r:.30}")
    state.emperor = 0 if emperor is None else fields.checked_number("emperor", emperor, 1, PROVINCES) - 1
    control = fields.inner("control")
    for colour in range(FAMILIES):
        seat = control.take(COLOURS[colour])
        state.control[colour] = (
            NONE if seat is None else control.checked_number(COLOURS[colour], seat, 0, seats - 1)
        )
    control.finish()
    for seat, player in enumerate(fields.lists("players", seats)):
        read_player(part(fields, player, "players"), state, seat)
    fields.finish()
    count_out(fields, state)
    check(state, fields)


def read_truth(fields: Fields, name: str) -> bool:
    value = fields.take(name)
    if not isinstance(value, bool):
        fields.refuse(name, f"{value!r:.30}")
    return value


def part(fields: Fields, value: Any, name: str) -> Fields:
    """An object in a list."""
    if not isinstance(value, dict):
        fields.refuse(name, f"{value!r:.30}")
    return Fields(value, f"{name}.")


def read_counts(fields: Fields, name: str) -> list[int]:
    counts = fields.inner(name)
    numbers = [counts.number(colour, 0, KNIGHTS) for colour in COLOURS]
    counts.finish()
    return numbers


def read_places(fields: Fields, state: State) -> None:
    state.owner[:] = NONE
    everywhere: list[int] = []
    numbers = []
    for entry in fields.lists("ring"):
        place = part(fields, entry, "ring")
        provinces = place.lists("provinces")
        for province in provinces:
            place.checked_number("provinces", province, 1, PROVINCES)
        clockwise = (
            [(provinces[0] - 1 + k) % PROVINCES + 1 for k in range(len(provinces))] if provinces else None
        )
        if provinces != clockwise or place.take("place") != min(provinces):
            place.refuse("provinces", f"{provinces} (CM-54)")
        head = min(provinces) - 1
        state.place[[province - 1 for province in provinces]] = head
        state.knights[head] = read_counts(place, "knights")
        owner = place.take("owner")
        if owner is not None and owner not in SIDES[: len(preview.teams(state))]:
            place.refuse("owner", f"{owner!r:.30}")
        state.owner[head] = NONE if owner is None else SIDES.index(owner)
        state.castles[head] = place.number("castles", 0, int(CASTLES[state.seats]))
        place.finish()
        everywhere += provinces
        numbers.append(head)
    if sorted(everywhere) != list(range(1, PROVINCES + 1)) or numbers != sorted(numbers) or len(numbers) < 2:
        fields.refuse("ring", f"{numbers} (CM-1)")


def read_player(fields: Fields, state: State, seat: int) -> None:
    state.courts[seat] = read_counts(fields, "court")
    state.reserves[seat] = read_counts(fields, "reserve")
    disc = fields.take("disc")
    state.discs[seat] = 0 if disc is None else fields.checked_number("disc", disc, 1, DISCS)
    used = [fields.checked_number("used", number, 1, DISCS) for number in fields.lists("used")]
    if used != sorted(set(used)):
        fields.refuse("used", f"{used}")
    state.used[seat] = sum(1 << (number - 1) for number in used)
    fields.finish()


def count_out(fields: Fields, state: State) -> None:
    """CM-2, CM-5: what is nowhere else is in the supply, or in stock."""
    for colour in range(FAMILIES):
        out = sum(int(where[:, colour].sum()) for where in (state.knights, state.courts, state.reserves))
        if out > KNIGHTS:
            fields.refuse("knights", f"{out} x {COLOURS[colour]} (CM-2)")
        state.supply[colour] = KNIGHTS - out
    for side in range(len(preview.teams(state))):
        built = int(state.castles[state.owner == side].sum())
        if built > CASTLES[state.seats]:
            fields.refuse("castles", f"{built} x {SIDES[side]} (CM-5)")
        state.stock[side] = CASTLES[state.seats] - built


def derive(state: State) -> Derived:
    """What is left, the sides and how they stand, strengths around the ring, and what each move would do."""
    points, ranks = np.zeros((2, MOST_SEATS), np.int64)
    score(state, points, ranks)
    control, stock = state.control.tolist(), state.stock.tolist()
    return Derived(
        supply=Counts(*state.supply.tolist()),
        scores=points[: state.seats].tolist(),
        sides=[
            Team(
                side=SIDES[side],
                seats=seats,
                castles=int(points[seats[0]]),
                stock=stock[side],
                colours=[colour for colour, seat in zip(COLOURS, control, strict=True) if seat in seats],
            )
            for side, seats in enumerate(preview.teams(state))
        ],
        strengths=preview.survey(state)[1],
        previews=preview.moves(state),
    )

"""Positions of the probe: a state as data for people, and back."""

from __future__ import annotations

from typing import Any, get_args

from probe.check import check
from probe.components import COPIES, DEALT, DICE, FACES, ROUNDS, SEATS, VALUES
from probe.state import State
from probe.view import Derived, Position, ReasonName
from regalia.core.layout import UNKNOWN
from regalia.core.position import Fields

REASONS: tuple[ReasonName, ...] = get_args(ReasonName)


def known(values: Any) -> list[int | None]:
    return [None if value == UNKNOWN else int(value) for value in values]


def describe(state: State) -> Position:
    return Position(
        rounds=int(state.rounds),
        due=int(state.due),
        receiver=int(state.receiver),
        leader=int(state.leader),
        chosen=[bool(int(state.chosen) >> seat & 1) for seat in range(SEATS)],
        rerolled=bool(state.rerolled),
        marks=state.marks.tolist(),
        dice=state.dice.tolist(),
        points=state.points.tolist(),
        spent=state.spent.tolist(),
        shown=state.shown.tolist(),
        cards=state.held.tolist(),
        hands=[known(hand) for hand in state.hand],
        stakes=[known(stake)[0] for stake in state.stake],
        deck=known(state.deck),
        reason=REASONS[state.reason],
    )


def restore(position: dict[str, Any], state: State) -> None:
    fields = Fields(position)
    state.rounds = fields.number("rounds", 0, ROUNDS)
    state.due = fields.number("due", 0, SEATS * DEALT)
    state.receiver = fields.number("receiver", 0, SEATS - 1)
    state.leader = fields.number("leader", 0, 1)
    chosen = fields.lists("chosen", SEATS)
    state.chosen = sum(1 << seat for seat in range(SEATS) if chosen[seat] is True)
    state.rerolled = fields.take("rerolled") is True
    state.marks[:] = fields.numbers("marks", FACES, 0, 1)
    state.dice[:] = fields.numbers("dice", FACES, 0, DICE)
    state.points[:] = fields.numbers("points", 2, 0, 9)
    state.spent[:] = fields.numbers("spent", VALUES, 0, COPIES)
    state.shown[:] = fields.numbers("shown", SEATS, 0, VALUES)
    state.held[:] = fields.numbers("cards", SEATS, 0, DEALT)
    for seat, hand in enumerate(fields.lists("hands", SEATS)):
        state.hand[seat, :] = Fields({"hands": hand}).numbers("hands", VALUES, 0, DEALT)
    state.stake[:, 0] = fields.numbers("stakes", SEATS, 0, VALUES)
    state.deck[:] = fields.numbers("deck", VALUES, 0, COPIES)
    state.reason = fields.choice("reason", REASONS)
    fields.finish()
    check(state, fields)


def derive(state: State) -> Derived:
    return Derived(teams=[0, 1, 0, 1])

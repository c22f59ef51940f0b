"""The texts of the probe: `stake 2`, `reroll 1 1 3`, `mark 4`, `end`; `c2` and `6` for chance; positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from probe.components import (
    ADD,
    COPIES,
    DEALT,
    DICE,
    END,
    FACES,
    MARK,
    REROLL,
    ROLL,
    ROUNDS,
    SEATS,
    STAKE,
    VALUES,
)
from probe.state import Phase, State
from probe.view import Derived, Position, ReasonName
from regalia.core.errors import NotationError
from regalia.core.layout import UNKNOWN
from regalia.core.position import Fields

REASONS: tuple[ReasonName, ...] = get_args(ReasonName)


def read(text: str, state: State, seat: int) -> list[int]:
    word, *rest = text.casefold().split()
    numbers = [int(part) for part in rest if part.isdecimal() and 1 <= int(part) <= FACES]
    if len(numbers) != len(rest) or not {
        "stake": len(rest) == 1,
        "mark": len(rest) == 1,
        "end": not rest,
    }.get(word, word == "reroll" and 0 < len(rest) <= DICE):
        raise NotationError("error.action", action=text[:40])
    if word == "stake" and numbers[0] <= VALUES:
        return [STAKE + numbers[0] - 1]
    if word == "mark":
        return [MARK + numbers[0] - 1]
    if word == "reroll":
        return [REROLL, *(ADD + face - 1 for face in sorted(numbers)), ROLL]
    if word == "end":
        return [END]
    raise NotationError("error.action", action=text[:40])


def write(steps: Sequence[int], state: State, seat: int) -> str:
    first = steps[0]
    if first < REROLL:
        return f"stake {first - STAKE + 1}"
    if first == REROLL:
        return " ".join(["reroll", *(str(step - ADD + 1) for step in steps[1:-1])])
    return "end" if first == END else f"mark {first - MARK + 1}"


def read_outcome(text: str, state: State) -> int:
    word = text.casefold()
    prefix, most = ("", FACES) if state.phase == Phase.ROLL else ("c", VALUES)
    for number in range(most):
        if word == f"{prefix}{number + 1}":
            return number
    raise NotationError("error.outcome", outcome=text[:40])


def write_outcome(step: int, state: State) -> str:
    return str(step + 1) if state.phase == Phase.ROLL else f"c{step + 1}"


def receiver(state: State) -> int | None:
    return int(state.receiver) if state.phase == Phase.DEAL else None


def order(state: State) -> list[int]:
    return list(range(SEATS))


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
    for value in range(VALUES):
        held = sum(
            int(state.hand[seat, value]) + (state.stake[seat, 0] == value + 1) for seat in range(SEATS)
        )
        if held + int(state.spent[value]) + int(state.deck[value]) != COPIES:
            fields.refuse("deck", f"{value + 1} (PB-1)")
    for seat in range(SEATS):
        if int(state.held[seat]) != state.hand[seat].sum() + (state.stake[seat, 0] > 0):
            fields.refuse("cards", f"seat {seat} (PB-1)")


def derive(state: State) -> Derived:
    return Derived(teams=[0, 1, 0, 1])

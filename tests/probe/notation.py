"""The texts of the probe: `stake 2`, `reroll 1 1 3`, `mark 4`, `end`; `c2` and `6` for chance."""

from __future__ import annotations

from collections.abc import Sequence

from probe.components import ADD, DICE, END, FACES, MARK, REROLL, ROLL, SEATS, STAKE, VALUES
from probe.state import Phase, State
from regalia.core.errors import NotationError


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

"""What happened in the probe, step by step."""

from __future__ import annotations

from probe.components import ADD, END, MARK, REROLL, ROLL, STAKE
from probe.state import Phase, State
from regalia.core.effects import Effect
from regalia.core.game import CHANCE
from regalia.core.layout import UNKNOWN


class CardDealt(Effect, frozen=True):
    seat: int
    value: int | None  # 1 to 3


class Staked(Effect, frozen=True):
    seat: int
    value: int | None  # 1 to 3


class StakesShown(Effect, frozen=True):
    values: list[int]  # per seat
    leader: int  # whose turn it is now


class DieTaken(Effect, frozen=True):
    """A die is picked up, to be rolled again."""

    face: int


class DieRolled(Effect, frozen=True):
    face: int


class Marked(Effect, frozen=True):
    team: int
    face: int
    points: int


class TurnEnded(Effect, frozen=True):
    points: list[int]  # per team


def effects(before: State, seat: int, step: int, after: State) -> list[Effect]:
    if seat == CHANCE:
        if before.phase == Phase.ROLL:
            return [DieRolled(step + 1)]
        return [CardDealt(int(before.receiver), None if step == UNKNOWN else step + 1)]
    if before.phase == Phase.STAKE:
        effects: list[Effect] = [Staked(seat, None if step == UNKNOWN else step - STAKE + 1)]
        if after.phase != Phase.STAKE:
            effects.append(StakesShown(after.shown.tolist(), int(after.leader)))
        return effects
    if step in (REROLL, ROLL):
        return []
    if step < ROLL:
        return [DieTaken(step - ADD + 1)]
    if step == END:
        return [TurnEnded(after.points.tolist())]
    face = step - MARK
    return [Marked(int(before.leader) % 2, face + 1, int(before.dice[face]))]

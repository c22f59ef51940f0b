"""The few records that moved the winner's share most, and decisions that settled who of the others won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any

from regalia.study.decisions import Decision
from regalia.study.history import History
from regalia.study.value import Sides, Value

if TYPE_CHECKING:
    from regalia.study.examine import LuckyEvent

MOST = 5
MOST_IN_A_TURN = 2
LEAST = 0.08  # of the share, with two sides; with more in proportion less
CERTAIN = 2.5  # errors
COST, MOVED = 0.02, 0.10  # a kingmaker's decision costs so much, and moves so much between two others


@dataclass(frozen=True)
class TurningPoint:
    ply: int
    seat: int | None
    side: int  # the winner, whose share moved
    change: float
    cause: str  # "luck" or "decision"
    text: str  # what fell, or what was decided

    def data(self) -> dict[str, Any]:
        return {**vars(self), "change": round(self.change, 6)}


@dataclass(frozen=True)
class Kingmaker:
    ply: int
    seat: int
    cost: float
    loser: int  # the side it harmed most
    winner: int  # the side it helped most
    moved: float

    def data(self) -> dict[str, Any]:
        return {**vars(self), "cost": round(self.cost, 6), "moved": round(self.moved, 6)}


def turning_points(
    history: History, values: Sequence[Value], decisions: Sequence[Decision], lucky: Sequence[LuckyEvent]
) -> tuple[TurningPoint, ...]:
    """At most five, the largest changes over a record, at most two of one turn; in the order of play."""
    side = max(range(len(values[-1].share)), key=lambda one: values[-1].share[one])
    least = LEAST * 2 / len(values[-1].share)
    skill = {decision.ply: decision.change[side] for decision in decisions}
    luck: dict[int, float] = {}
    for event in lucky:
        luck[event.ply] = luck.get(event.ply, 0.0) + event.by_side[side]
    changes = []
    turns = turns_of(history)
    for ply in range(1, len(values) - 1):
        change = values[ply + 1].share[side] - values[ply].share[side]
        error = hypot(values[ply].error[side], values[ply + 1].error[side])
        if abs(change) >= least and abs(change) >= CERTAIN * error:
            changes.append((ply, change))
    chosen: list[int] = []
    points = []
    for ply, change in sorted(changes, key=lambda one: -abs(one[1])):
        if len(chosen) < MOST and [turns[one] for one in chosen].count(turns[ply]) < MOST_IN_A_TURN:
            chosen.append(ply)
            is_luck = abs(luck.get(ply, 0.0)) > abs(skill.get(ply, 0.0))
            record = history.records[ply]
            text = " ".join(record.outcomes) if is_luck else record.action
            cause = "luck" if is_luck else "decision"
            points.append(TurningPoint(ply, record.seat, side, change, cause, text))
    return tuple(sorted(points, key=lambda point: point.ply))


def turns_of(history: History) -> list[int]:
    """Which turn each record belongs to: those of one seat in a row are one."""
    turns: list[int] = []
    for ply, moment in enumerate(history.moments):
        is_new = ply == 0 or moment.seat != history.moments[ply - 1].seat
        turns.append((turns[-1] if turns else -1) + is_new)
    return turns


def kingmakers(sides: Sides, decisions: Sequence[Decision]) -> tuple[Kingmaker, ...]:
    """With three sides and more: decisions that cost their own side and settled a matter between two others."""
    found = []
    for decision in decisions:
        own = sides.number(decision.seat)
        others = [side for side in range(len(sides.seats)) if side != own]
        if len(others) < 2 or decision.loss < COST:
            continue
        winner = max(others, key=lambda side: decision.change[side])
        loser = min(others, key=lambda side: decision.change[side])
        moved = min(decision.change[winner], -decision.change[loser])
        if moved >= MOVED:
            found.append(Kingmaker(decision.ply, decision.seat, decision.loss, loser, winner, moved))
    return tuple(found)

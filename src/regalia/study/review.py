"""The review of a finished match: what decided it, what was luck, what could have been better.

    review = regalia.review(match)              with every card open
    review = regalia.review(match, view=1)      as seat 1 knew it

For each side the parts add up:   result - start = luck + own + others + rest

    luck      what rolls, draws and deals brought (study/luck.py)
    own       what its own decisions cost, against the best ones (study/decisions.py): never above 0
    others    what the decisions of others brought or took, against their best ones
    rest      what the valuations do not explain: how the value went on after an action and a roll, against what the
              action had promised and the roll was said to bring; and how two ways of looking at one position differ
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from regalia.bots.tree import OPEN
from regalia.core.arrays import Reals
from regalia.core.errors import SetupError
from regalia.core.match import Match
from regalia.study.decisions import Decision, marked, threshold
from regalia.study.examine import Finding, LuckyEvent, examined, nodes_of, version
from regalia.study.history import History, history_of
from regalia.study.levels import LEVELS
from regalia.study.pieces import finish
from regalia.study.turning_points import Kingmaker, TurningPoint, kingmakers, turning_points
from regalia.study.value import Value, rounded

Progress = Callable[[int, int], None]  # done, of


MOST_AGAIN = 25
DOUBTFUL = 0.6  # of the threshold: from there on a decision is looked at again


@dataclass(frozen=True)
class Side:
    seats: tuple[int, ...]
    start: float
    result: float
    luck: float
    own: float
    others: float
    rest: float


@dataclass(frozen=True)
class Review:
    game: str
    seats: int
    level: str
    version: int  # of what judged: reviews of another version may judge otherwise
    view: str | int  # "open", or the seat from whose knowledge it was made
    sides: tuple[Side, ...]
    values: tuple[Value, ...]  # [k]: after k records; the first is before the deal
    decisions: tuple[Decision, ...]
    luck: tuple[LuckyEvent, ...]
    turning_points: tuple[TurningPoint, ...]
    kingmakers: tuple[Kingmaker, ...]
    transcript: str = field(repr=False)  # as the reader may see it

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "game": self.game,
            "seats": self.seats,
            "level": self.level,
            "version": self.version,
            "view": self.view,
            "sides": [
                {
                    "seats": list(side.seats),
                    **{name: getattr(side, name) for name in ("start", "result", *PARTS)},
                }
                for side in self.sides
            ],
            "values": [
                {
                    "ply": ply,
                    "share": rounded(value.share),
                    "error": rounded(value.error),
                    "points": rounded(value.points),
                    "exact": value.exact,
                }
                for ply, value in enumerate(self.values)
            ],
            "decisions": [
                {
                    "ply": decision.ply,
                    "seat": decision.seat,
                    "played": decision.played,
                    "best": decision.best,
                    "loss": round(decision.loss, 6),
                    "error": round(decision.error, 6),
                    "mark": decision.mark,
                }
                for decision in self.decisions
            ],
            "luck": [
                {"ply": event.ply, "text": event.text, "by_side": rounded(event.by_side)}
                for event in self.luck
            ],
            "turning_points": [point.data() for point in self.turning_points],
            "kingmakers": [one.data() for one in self.kingmakers],
        }

    def cost_of(self, seat: int) -> tuple[float, float, int]:
        """What the decisions of a seat cost, in all and each; and how many have a mark."""
        own = [decision for decision in self.decisions if decision.seat == seat]
        cost = sum(decision.loss for decision in own)
        return cost, cost / max(1, len(own)), sum(decision.mark is not None for decision in own)

    def svg(self, language: str = "en") -> str:
        from regalia.study.graph import draw

        return draw(self, language)

    def html(self, language: str = "en") -> str:
        from regalia.study.report import page

        return page(self, language)

    def annotated(self) -> str:
        """The transcript with remarks; every reader of transcripts still reads it."""
        from regalia.study.report import annotate

        return annotate(self)

    def _repr_html_(self) -> str:
        from regalia.study.report import body

        return body(self, "en")


PARTS = ("luck", "own", "others", "rest")


def review(
    match: Match,
    view: int | None = None,
    level: str = "normal",
    progress: Progress | None = None,
) -> Review:
    """The review of a match that is over, with every card open or as a seat knew it. The same match gives the same."""
    check_level(level)
    tell: Progress = progress or (lambda _done, _of: None)
    nodes = list(nodes_of(match, view))
    of = len(nodes) + MOST_AGAIN
    findings: dict[int, Finding] = {}
    for ply, node in enumerate(nodes):
        findings[ply] = finish(examined(node, level))
        tell(ply + 1, of)
    again = doubtful(findings, len(nodes[0].sides))
    for number, ply in enumerate(again):
        closer = finish(examined(nodes[ply], level, closer=True))
        findings[ply] = replace(closer, luck=findings[ply].luck)
        tell(len(nodes) + number + 1, of)
    made = assemble(history_of(match, view), level, findings, again)
    tell(of, of)
    return made


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise SetupError("study.error.level", level=level, allowed=", ".join(LEVELS))


def doubtful(findings: Mapping[int, Finding], sides: int) -> list[int]:
    """The plies of decisions that may deserve a mark: nothing is marked that was looked at only once."""
    least = DOUBTFUL * threshold(sides)
    losses = {ply: found.decision.loss for ply, found in findings.items() if found.decision is not None}
    again = [ply for ply in losses if losses[ply] >= least]
    return sorted(again, key=lambda ply: (-losses[ply], ply))[:MOST_AGAIN]


def assemble(history: History, level: str, findings: Mapping[int, Finding], again: Collection[int]) -> Review:
    """The review from what was found of each node; `again`: where it was looked at twice."""
    sides = len(history.sides.seats)
    placed = [findings[ply].at(ply) for ply in range(len(history.moments) + 1)]
    values = tuple(found.value for found in placed)
    decisions = tuple(
        marked(found.decision, sides) if ply in again else found.decision
        for ply, found in enumerate(placed)
        if found.decision is not None
    )
    lucky = tuple(event for found in placed for event in found.luck)
    return Review(
        history.game.id,
        sum(map(len, history.sides.seats)),
        level,
        version(),
        history.view,
        Parts(history, values, decisions).sides(lucky),
        values,
        decisions,
        lucky,
        turning_points(history, values, decisions, lucky),
        kingmakers(history.sides, decisions),
        history.transcript,
    )


class Parts:
    """What the result of each side is made of."""

    def __init__(self, history: History, values: Sequence[Value], decisions: Sequence[Decision]) -> None:
        self.history = history
        self.values = values
        self.decisions = {decision.ply: decision for decision in decisions}

    def sides(self, lucky: Sequence[LuckyEvent]) -> tuple[Side, ...]:
        """Every record adds to the parts; `rest` is added up from its own terms like the others."""
        sides = self.history.sides
        luck, own, others, rest = np.zeros((4, len(sides.seats)))
        fallen: dict[int, Reals] = {}
        for event in lucky:
            fallen[event.ply] = fallen.get(event.ply, np.zeros(len(sides.seats))) + np.array(event.by_side)
        for ply, moment in enumerate(self.history.moments):
            before, after = (np.array(self.values[at].share) for at in (ply, ply + 1))
            chance = fallen.get(ply, np.zeros(len(sides.seats)))
            luck += chance
            if moment.seat is None:
                rest += after - before - chance
                continue
            deciding = np.arange(len(sides.seats)) == sides.number(moment.seat)
            decision = self.decisions.get(ply)
            if decision is not None:
                change = np.array(decision.change)
                own += np.where(deciding, change, 0.0)
                others += np.where(deciding, 0.0, change)
                rest += np.array(decision.best_share) - before  # two ways of looking at one position
                rest += after - np.array(decision.share) - chance  # what it promised, and what came
            elif self.history.looker not in (OPEN, moment.seat):
                # What others held and did, seen by someone who cannot judge it.
                others += np.where(deciding, 0.0, after - before - chance)
                rest += np.where(deciding, after - before - chance, 0.0)
            else:
                rest += after - before - chance
        start, result = self.values[0].share, self.values[len(self.history.moments)].share
        return tuple(
            Side(seats, start[i], result[i], *(float(part[i]) for part in (luck, own, others, rest)))
            for i, seats in enumerate(sides.seats)
        )

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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regalia.bots.opponents import VERSION
from regalia.bots.tree import OPEN
from regalia.core.arrays import Reals
from regalia.core.errors import SetupError
from regalia.core.match import Match
from regalia.study.decisions import Decision, judge, marked, threshold
from regalia.study.estimates import seed_of
from regalia.study.history import History, Moment, history_of
from regalia.study.levels import LEVELS
from regalia.study.luck import Luck
from regalia.study.pieces import Pieces, finish
from regalia.study.turning_points import Kingmaker, TurningPoint, kingmakers, turning_points
from regalia.study.value import Shares, Valuation, Value, rounded

Progress = Callable[[int, int], None]  # done, of


AGAIN = 4  # times the simulations for decisions that may get a mark
MOST_AGAIN = 25
DOUBTFUL = 0.6  # of the threshold: from there on a decision is looked at again


@dataclass(frozen=True)
class LuckyEvent:
    ply: int
    text: str
    by_side: Shares


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
    if level not in LEVELS:
        raise SetupError("study.error.level", level=level, allowed=", ".join(LEVELS))
    history = history_of(match, view)
    return Reviewer(history, level, progress).review()


class Reviewer:
    """Makes the review of a history, position by position."""

    def __init__(self, history: History, level: str, progress: Progress | None = None) -> None:
        self.history = history
        self.level = level
        self.work = LEVELS[level]
        self.valuation = Valuation(history.game, history.sides, self.work.simulations)
        self.closer = Valuation(history.game, history.sides, AGAIN * self.work.simulations)
        self.luck = Luck(history.game, history.sides, self.valuation.rollouts, self.work)
        self.progress: Progress = progress or (lambda _done, _of: None)
        self.done, self.of = 0, len(history.moments) + MOST_AGAIN
        self.values: dict[int, Value] = {}
        self.decisions: dict[int, Decision] = {}

    def review(self) -> Review:
        history, moments = self.history, self.history.moments
        lucky: list[LuckyEvent] = []
        for ply, moment in enumerate(moments):
            finish(self.look(ply, moment, self.valuation))
            lucky += [
                LuckyEvent(ply, event.text, finish(self.luck.of(event, history.looker)))
                for event in moment.events
            ]
            self.tick()
        result = self.valuation.result(history.end)
        points = finish(self.valuation.points(history.end, history.looker, 0))
        self.values[len(moments)] = Value(result, (0.0,) * len(result), points, True, 0)
        self.look_again()
        values = tuple(self.values[ply] for ply in range(len(moments) + 1))
        decisions = tuple(self.decisions[ply] for ply in sorted(self.decisions))
        return Review(
            history.game.id,
            sum(map(len, history.sides.seats)),
            self.level,
            VERSION,
            history.view,
            self.sides(lucky),
            values,
            decisions,
            tuple(lucky),
            turning_points(history, values, decisions, lucky),
            kingmakers(history.sides, decisions),
            history.transcript,
        )

    def tick(self, steps: int = 1) -> None:
        self.done += steps
        self.progress(min(self.done, self.of), self.of)

    def look(self, ply: int, moment: Moment, valuation: Valuation) -> Pieces[None]:
        """The value at a ply; and its decision, if there is one."""
        history = self.history
        decision = None
        if moment.choice is not None and moment.seat is not None:
            decision = yield from judge(history, ply, moment.choice, moment.seat, valuation)
            self.decisions[ply] = decision
        is_seen_alike = not history.game.engine.layout.hidden or moment.seat == history.looker
        seed = seed_of(history.game, moment.seen, history.looker, "value", valuation.simulations)
        known = valuation.known(moment.seen)
        if known is not None:
            self.values[ply] = yield from valuation.certain(moment.seen, known, history.looker, seed)
        elif decision is not None and is_seen_alike:
            points = yield from valuation.points(moment.seen, history.looker, seed)
            self.values[ply] = Value(
                decision.best_share, decision.best_error, points, False, valuation.simulations
            )
        else:
            estimate = yield from valuation.estimate(moment.seen, history.looker, seed)
            self.values[ply] = yield from valuation.worded(moment.seen, history.looker, seed, estimate, ())

    def look_again(self) -> None:
        """Nothing is marked that was looked at only once."""
        sides = len(self.history.sides.seats)
        least = DOUBTFUL * threshold(sides)
        again = [decision for decision in self.decisions.values() if decision.loss >= least]
        again = sorted(again, key=lambda decision: -decision.loss)[:MOST_AGAIN]
        for decision in again:
            finish(self.look(decision.ply, self.history.moments[decision.ply], self.closer))
            self.decisions[decision.ply] = marked(self.decisions[decision.ply], sides)
            self.tick()
        self.tick(MOST_AGAIN - len(again))

    # --- The parts ---

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

"""Decisions: what each cost against the best one, judged by what its seat knew, and which deserve a mark."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from regalia.bots.reasons import facts
from regalia.core.contract import Fact
from regalia.core.game import Game
from regalia.study.estimates import seed_of
from regalia.study.history import Choice
from regalia.study.pieces import Pieces
from regalia.study.value import Shares, Sides, Valuation

MARKS = ("doubtful", "mistake", "blunder")
THRESHOLDS = (0.05, 0.10, 0.15)  # of the share of the victory, with two sides; with more in proportion less
CERTAIN = 2.5  # errors that a loss must be for a mark
MOST_FACTS = 3


@dataclass(frozen=True)
class Decision:
    ply: int
    seat: int
    played: str
    best: str
    loss: float  # of the deciding side's share of the victory; 0 where the two cannot be told apart
    error: float
    mark: str | None
    share: Shares  # by side, after the action played
    best_share: Shares  # by side, after the best one
    best_error: Shares
    is_sealed: bool = False
    facts: tuple[Fact, ...] = field(
        default=(), compare=False
    )  # what the best one does that the other does not
    lines: tuple[tuple[str, float], ...] = field(
        default=(), compare=False
    )  # the actions that were compared, and what each would cost against the best one

    @property
    def change(self) -> Shares:
        """What it moved between the sides, against the best."""
        return tuple(one - other for one, other in zip(self.share, self.best_share, strict=True))


def judge(game: Game, sides: Sides, choice: Choice, seat: int, valuation: Valuation) -> Pieces[Decision]:
    """One decision, without a mark; its place in the match is for the caller to add."""
    seed = seed_of(game, choice.seen, seat, "decision", valuation.simulations)
    comparison = yield from valuation.compare(choice.seen, seat, choice.path, seed)
    best = comparison.better(choice.path)
    played, better = comparison.estimates[choice.path], comparison.estimates[best]
    loss, error = comparison.loss(choice.path)
    return Decision(
        0,
        seat,
        choice.text,
        game.engine.notation.write(list(best), choice.seen[0], seat),
        loss if best != choice.path else 0.0,
        error,
        None,
        sides.of(played.share),
        sides.of(better.share),
        sides.of(better.error),
        choice.is_sealed,
        differing_facts(game, choice, seat, best),
        tuple(
            (game.engine.notation.write(list(path), choice.seen[0], seat), comparison.loss(path)[0])
            for path in comparison.estimates
        ),
    )


def differing_facts(game: Game, choice: Choice, seat: int, best: tuple[int, ...]) -> tuple[Fact, ...]:
    """What can be said of the best action and not of the one played; nothing is made up where there is nothing."""
    if best == choice.path:
        return ()
    told = facts(game, choice.seen, seat, list(choice.path))
    return tuple(fact for fact in facts(game, choice.seen, seat, list(best)) if fact not in told)[:MOST_FACTS]


def threshold(sides: int, mark: int = 0) -> float:
    return THRESHOLDS[mark] * 2 / sides


def marked(decision: Decision, sides: int) -> Decision:
    """With the mark that it deserves; of sealed choices, which are well mixed by chance, only blunders have one."""
    earned = None
    for number, mark in enumerate(MARKS):
        if decision.loss >= threshold(sides, number) and decision.loss >= CERTAIN * decision.error:
            earned = mark
    if decision.is_sealed and earned != MARKS[-1]:
        earned = None
    return replace(decision, mark=earned)

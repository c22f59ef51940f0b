"""Regalia: play, study and research four classic board games about kings.

    import regalia
    match = regalia.Match.new("rose_king", seed=7)
    match.play(0, match.actions(0)[0])

`GAMES` is light to import; a game's rules load, and compile, when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regalia.core import drawer
from regalia.core.errors import (
    IllegalAction,
    MatchOver,
    NotationError,
    NotYourTurn,
    RegaliaError,
    RuleError,
    SetupError,
    StaleAction,
)
from regalia.core.game import CHANCE, Game, Option
from regalia.core.registry import GAMES
from regalia.core.viewers import EVERYTHING, SPECTATOR

if TYPE_CHECKING:
    from regalia.core.batch import Batch
    from regalia.core.match import Match, Outcome, Undo
    from regalia.core.transcript import Record
    from regalia.study.review import Review, review
    from regalia.study.tree import Study
    from regalia.study.value import Value, value

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "EVERYTHING",
    "GAMES",
    "SPECTATOR",
    "Batch",
    "Game",
    "IllegalAction",
    "Match",
    "MatchOver",
    "NotYourTurn",
    "NotationError",
    "Option",
    "Outcome",
    "Record",
    "RegaliaError",
    "Review",
    "RuleError",
    "SetupError",
    "StaleAction",
    "Study",
    "Undo",
    "Value",
    "review",
    "value",
]


len(GAMES)  # they are looked for now, since each brings its words


def __getattr__(name: str) -> Any:
    """What needs the compiler loads when it is first asked for."""
    if name in ("Review", "Value", "review", "value"):
        from regalia.study import review, value

        return getattr(value if name in ("Value", "value") else review, name)
    if name not in ("Batch", "Match", "Outcome", "Record", "Study", "Undo"):
        raise AttributeError(f"module 'regalia' has no attribute '{name}'")
    from regalia.core import batch, match, transcript
    from regalia.study import tree

    globals().update(
        Batch=batch.Batch,
        Match=match.Match,
        Outcome=match.Outcome,
        Record=transcript.Record,
        Study=tree.Study,
        Undo=match.Undo,
    )
    return globals()[name]


def draw(*how: Any) -> str:
    """Pictures load when the first one is asked for."""
    from regalia.pictures import svg

    return svg(*how)


drawer.draw = draw

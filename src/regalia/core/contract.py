"""The contract of a game as types. Each is fitted by a module of the game's folder; core/game.py says what it means.

A game proves at the end of its `__init__.py`, for the type checker alone, that its modules fit:

    if TYPE_CHECKING:
        from regalia.core import contract
        from regalia.games.my_game import explain, notation, position, rules
        from regalia.games.my_game.state import State

        _rules: contract.Rules[State] = rules
        _notation: contract.Notation[State] = notation
        …

What a game may leave out is a type of its own that extends the one it needs: `SecretNotation`, `TellingBoard`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct

from regalia.core.arrays import Ints, Reals, Rng, Steps

if TYPE_CHECKING:
    from rich.console import RenderableType

    from regalia.core.effects import Effect
    from regalia.core.encoding import Features, Slice
    from regalia.core.transcript import Record

State_contra = TypeVar("State_contra", contravariant=True)  # a game's own: the class in its state.py
Fact = tuple[str, dict[str, object]]  # a message key with its values


class States(Protocol):
    """state.py"""

    @property
    def State(self) -> type: ...  # noqa: N802

    @property
    def Phase(self) -> type[IntEnum]: ...  # noqa: N802

    @property
    def Reason(self) -> type[IntEnum]: ...  # noqa: N802

    @property
    def INNER(self) -> frozenset[IntEnum]: ...  # noqa: N802

    @property
    def DICE(self) -> frozenset[IntEnum]: ...  # noqa: N802


class Rules(Protocol[State_contra]):
    """rules.py: the eight rules, compiled."""

    STEPS: int
    OUTCOMES: int

    def setup(self, state: State_contra) -> None: ...

    def actors(self, state: State_contra) -> int: ...

    def legal(self, state: State_contra, seat: int, steps: Steps) -> int: ...

    def draws(self, state: State_contra) -> int: ...

    def outcome(self, state: State_contra, draw: int) -> int: ...

    def apply(self, state: State_contra, seat: int, step: int) -> None: ...

    def score(self, state: State_contra, points: Ints, ranks: Ints) -> None: ...

    def redeal(self, state: State_contra, seat: int, rng: Rng) -> None: ...


class Notation(Protocol[State_contra]):
    """notation.py"""

    def read(self, text: str, state: State_contra, seat: int) -> list[int]: ...

    def write(self, steps: Sequence[int], state: State_contra, seat: int) -> str: ...

    def read_outcome(self, text: str, state: State_contra) -> int: ...

    def write_outcome(self, step: int, state: State_contra) -> str: ...


class SecretNotation(Notation[State_contra], Protocol[State_contra]):
    """… of a game with secrets."""

    def receiver(self, state: State_contra) -> int | None: ...


class SealedNotation(Notation[State_contra], Protocol[State_contra]):
    """… of a game in which several seats choose at once."""

    def order(self, state: State_contra) -> Sequence[int]: ...


class Hand(Protocol[State_contra]):
    """hand.py"""

    def roller(self, state: State_contra) -> int | None: ...


class SecretHand(Hand[State_contra], Protocol[State_contra]):
    """… of a game that deals secretly."""

    def held(self, state: State_contra, seat: int) -> Mapping[str, int]: ...


class Positions(Protocol[State_contra]):
    """position.py"""

    def describe(self, state: State_contra) -> Struct: ...

    def restore(self, position: dict[str, Any], state: State_contra) -> None: ...

    def derive(self, state: State_contra) -> Struct: ...


class Explain(Protocol[State_contra]):
    """explain.py"""

    def refuse(self, state: State_contra, seat: int, step: int) -> str: ...

    def out_of_turn(self, state: State_contra) -> str: ...

    def over(self, state: State_contra) -> str: ...


class Effects(Protocol[State_contra]):
    """effects.py"""

    def effects(self, before: State_contra, seat: int, step: int, after: State_contra) -> list[Effect]: ...


class Encode(Protocol[State_contra]):
    """encode.py"""

    VERSION: int
    LONGEST: int

    @property
    def SLICES(self) -> tuple[Slice, ...]: ...  # noqa: N802

    def encode(self, state: State_contra, seat: int, out: Features) -> None: ...


class Knowledge(Protocol[State_contra]):
    """bots/knowledge.py; bots/knowledge.py of the package says what it means."""

    @property
    def WEIGHTS(self) -> Mapping[str, float]: ...  # noqa: N802

    def policy(
        self, state: State_contra, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints
    ) -> int: ...

    def is_quiet(self, state: State_contra) -> bool: ...

    def evaluate(self, state: State_contra, weights: Reals, values: Reals) -> None: ...

    def reward(self, points: Ints, weights: Reals, values: Reals) -> None: ...

    def facts(self, before: State_contra, after: State_contra, seat: int) -> list[Fact]: ...


class Board(Protocol):
    """cli/board.py: the table in the terminal."""

    def render(self, view: dict[str, Any], language: str) -> RenderableType: ...


class NamingBoard(Board, Protocol):
    """… that has names of its own for the seats."""

    def name_of(self, seat: int, language: str) -> str: ...


class TellingBoard(Board, Protocol):
    """… that tells an action in sentences."""

    def tell(self, record: Record, effects: Sequence[Effect], language: str) -> str: ...

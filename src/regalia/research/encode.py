"""What a seat observes: the bytes of its view, or the features of the game's `encode.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regalia.core.arrays import Seats, State, States
from regalia.core.encoding import Features, Slice, starts
from regalia.core.engine import Engine
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.kernel import bind, kernel
from regalia.core.layout import UNKNOWN

Observations = NDArray[Any]  # a row for each match: bytes or features
Raw = NDArray[np.uint8]  # a row of bytes for each state
Visible = NDArray[np.bool_]  # core/layout.py
KINDS = ("features", "record")


def encode(_state: State, _seat: int, _out: Features) -> None:
    raise RuntimeError("a template is bound to a game before it is called")


@kernel
def blank(raw: Raw, seats: Seats, visible: Visible, out: Raw) -> None:
    """out[i] becomes state i as the seat seats[i] may see it; where there is no seat, it is left as it was."""
    for i in range(seats.size):
        if seats[i] >= 0:
            shown = visible[seats[i]]
            for k in range(shown.size):
                out[i, k] = raw[i, k] if shown[k] else UNKNOWN


def encode_batch(states: States, seats: Seats, out: Features) -> None:
    """A template: the features of each state for its seat; where there is no seat, they are left as they were."""
    for i in range(seats.size):
        if seats[i] >= 0:
            encode(states[i], 0 + int(seats[i]), out[i])


class Encoding:
    """How observations of a game are made: their slices, bounds and digest."""

    def __init__(self, game: Game, kind: str) -> None:
        if kind not in KINDS:
            raise SetupError(
                "research.error.value", name="encoding", value=repr(kind), allowed=", ".join(KINDS)
            )
        part = game.part("encode")
        if part is None and kind == "features":
            raise SetupError("research.error.no_features", game=game.id)
        self.game, self.kind = game, kind
        self.version: int = getattr(part, "VERSION", 1)
        self.parts: tuple[Slice, ...] = fields_of(game.engine) if kind == "record" else part.SLICES  # type: ignore[union-attr]
        self.size = sum(part.size for part in self.parts)
        self.dtype = np.dtype(np.uint8 if kind == "record" else np.float32)
        self.low = np.concatenate([np.full(part.size, part.low, self.dtype) for part in self.parts])
        self.high = np.concatenate([np.full(part.size, part.high, self.dtype) for part in self.parts])

    def __reduce__(self) -> tuple[Callable[..., Encoding], tuple[Game, str]]:
        """For pickle: the same for all who ask."""
        return encoding, (self.game, self.kind)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(part.name for part in self.parts)

    @property
    def slices(self) -> Mapping[str, slice]:
        """By name: where they are in an observation."""
        return {
            part.name: slice(start, start + part.size)
            for start, part in zip(starts(self.parts), self.parts, strict=True)
        }

    @cached_property
    def digest(self) -> str:
        """Of what every number means: weights that were learnt with another one are of no use."""
        parts = [(part.name, part.size, part.low, part.high) for part in self.parts]
        said = (self.game.id, self.game.rules, self.kind, self.version, parts)
        return hashlib.sha256(repr(said).encode()).hexdigest()[:16]

    def check(self, digest: object) -> None:
        """Refuses what was learnt with another encoding; the digest is the one kept with it."""
        if digest != self.digest:
            raise SetupError("research.error.digest", digest=digest, known=self.digest, game=self.game.id)

    @cached_property
    def encode(self) -> Callable[[States, Seats, Features], None]:
        """Makes features of states that are blanked already."""
        game = self.game
        return bind(encode_batch, {"encode": game.module("encode").encode}, game.id, game.folder)

    def empty(self, count: int) -> Observations:
        return np.zeros((count, self.size), self.dtype)

    def observe(self, states: States, seats: Seats, seen: States, out: Observations) -> None:
        """out[i] becomes what the seat seats[i] sees of state i. `seen` is scratch, as long as `states`.

        Features are made from what is seen alone, so they cannot tell more.
        """
        layout = self.game.engine.layout
        if self.kind == "record":
            blank(bytes_of(states), seats, layout.visible, out)
        elif layout.hidden:
            blank(bytes_of(states), seats, layout.visible, bytes_of(seen))
            self.encode(seen, seats, out)
        else:
            self.encode(states, seats, out)


@cache
def encoding(game: str | Game, kind: str = "features") -> Encoding:
    """The encoding of a game, by name: `encoding("rose_king").slices["own_stones"]` is slice(0, 81)."""
    from regalia.core.match import Match

    return Encoding(Match.find(game), kind)


def bytes_of(states: States) -> Raw:
    """The same memory as rows of bytes."""
    return states.view(np.uint8).reshape(states.size, -1)


def fields_of(engine: Engine) -> tuple[Slice, ...]:
    """The fields of the state, as they lie there."""
    dtype = engine.layout.dtype
    assert dtype.names is not None and dtype.fields is not None
    return tuple(
        Slice(
            name, dtype.fields[name][0].itemsize, 0, UNKNOWN, "a field of the state; 255 where it is unknown"
        )
        for name in dtype.names
    )

"""What a player of an OpenSpiel game observes: features in named slices, or all that the player has heard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]

from regalia.research.line import Line

if TYPE_CHECKING:
    from regalia.research.openspiel import SpielGame, SpielState

RECALLED = 64  # of the latest events, in the tensor of an information state; the string has them all
MOST = 256.0  # a step is below


class Observer:
    """A view is no information state: with perfect recall, what was heard so far comes with it."""

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self.kind = kind
        self.encoding = game.encoding
        self._seen = game.played.engine.layout.empty(1)
        self._out = self.encoding.empty(1)
        size = self.encoding.size if self.shows else 0
        past = 2 * RECALLED if kind.perfect_recall and self.shows else 0
        self.tensor = np.zeros(size + past, np.float32)
        self.dict = {name: self.tensor[part] for name, part in self.encoding.slices.items()} if size else {}
        if past:
            self.dict["heard"] = self.tensor[size:].reshape(RECALLED, 2)

    @property
    def shows(self) -> bool:
        """Whether there is anything to be seen: features do not tell what is private from what is not."""
        return bool(self.kind.public_info) or self.kind.private_info != pyspiel.PrivateInfoType.NONE

    def view(self, line: Line, player: int) -> Any:
        """The record as far as this kind of observation shows it."""
        private = self.kind.private_info
        if private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return line.states
        viewer = player if private == pyspiel.PrivateInfoType.SINGLE_PLAYER else None
        return line.engine.seen(line.states, viewer)

    def set_from(self, state: SpielState, player: int) -> None:
        if not self.shows:
            return
        seats = np.array([player], np.int8)
        states = self.view(state.line, player)
        if self.encoding.kind == "features":
            self.encoding.encode(states, seats, self._out)
            self.tensor[: self.encoding.size] = self._out[0]
        else:
            self.tensor[: self.encoding.size] = np.frombuffer(states.tobytes(), np.uint8)
        if "heard" in self.dict:
            heard = self.dict["heard"]
            heard[:] = 0
            for row, (seat, step) in zip(heard, reversed(state.line.heard(player)), strict=False):
                row[:] = (seat + 1) / 8, (step + 1) / MOST

    def string_from(self, state: SpielState, player: int) -> str | None:
        if not self.shows:
            return ""
        if not self.kind.perfect_recall:
            return f"{player} {self.view(state.line, player).tobytes().hex()}"
        return state.line.recalled(player)

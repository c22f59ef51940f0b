"""A named bot as a bot of OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspiel  # type: ignore[import-not-found]

from regalia.bots.decision import decide
from regalia.bots.opponents import opponent
from regalia.bots.search import Budget
from regalia.core.errors import SetupError
from regalia.core.rng import next_bits, seeded_rng

if TYPE_CHECKING:
    from regalia.research.openspiel import SpielGame, SpielState


class RegaliaBot(pyspiel.Bot):  # type: ignore[misc]
    """Plays as a bot of this package does: from what its seat sees, and by simulations, so that a seed says it all."""

    def __init__(self, game: SpielGame, player: int, bot: str = "knight", seed: int = 0) -> None:
        super().__init__()
        if not 0 <= player < game.num_players():
            allowed = ", ".join(map(str, range(game.num_players())))
            raise SetupError("research.error.value", name="player", value=repr(player), allowed=allowed)
        self.who = opponent(game.table.game, bot)
        self.player, self.seed = player, seed
        self.restart()

    def restart(self) -> None:
        self._rng = seeded_rng(self.seed, self.player)
        self._rest: list[int] = []  # of an action that takes several steps
        self._then = b""  # what the seat sees when the next of them is due

    def restart_at(self, state: SpielState) -> None:
        self.restart()

    def provides_force_action(self) -> bool:
        return False

    def provides_policy(self) -> bool:
        return False

    def is_clonable(self) -> bool:
        return False

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing is kept: a state says everything."""

    def step(self, state: SpielState) -> int:
        line, engine = state.line, state.line.engine
        seen = engine.seen(line.states, self.player)
        if not self._rest or seen.tobytes() != self._then:
            budget = Budget(self.who.simulations or None)
            self._rest = decide(
                line.table.game, seen, self.player, self.who, next_bits(self._rng), budget
            ).path
        step = self._rest.pop(0)
        after = engine.layout.copy(line.states)
        engine.apply(after, self.player, step)
        self._then = engine.seen(after, self.player).tobytes()
        return step

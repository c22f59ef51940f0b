"""Gymnasium's form for one learner: the other seats are played by named bots, or every seat is the learner's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from regalia.bots.decision import decide
from regalia.bots.opponents import Opponent, opponent
from regalia.bots.search import Budget
from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.rng import below, next_bits
from regalia.research.episode import Episode
from regalia.research.setting import Setting, check, is_whole
from regalia.research.spaces import action_space, observation_space, observed


def solo(
    *game: Any, opponents: str | Sequence[str] | None = None, seat: int | str = "random", **asked: Any
) -> SoloEnv:
    """An environment for one match; what else can be asked for is that of `Setting.of`."""
    return SoloEnv(Setting.of(*game, **asked), opponents, seat)


class SoloEnv(gymnasium.Env[Any, int]):
    """One step is one decision of the learner.

    opponents: the bot of all other seats, or one for each of them, clockwise from the learner; their choices follow
    from the seed. None: the learner decides for whichever seat owes a decision, sees what that seat sees, and is
    rewarded as the seat that acted.
    seat: where the learner sits; "random": drawn anew for each match.
    """

    def __init__(
        self, setting: Setting, opponents: str | Sequence[str] | None = None, seat: int | str = "random"
    ) -> None:
        self.setting = setting
        self.opponents, self.place = opponents, seat
        self.bots = bots_of(setting.game, setting.seats, opponents)
        check_seat(seat, setting.seats)
        self.metadata = {**setting.metadata, "render_fps": 1}
        self.render_mode = setting.render_mode
        self.observation_space = observation_space(setting)
        self.action_space = action_space(setting)
        self.episode = Episode(setting)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        episode = self.episode
        episode.reset(seed)
        if seed is not None:
            self.action_space.seed(episode.space_seed())
        self.seat = draw_seat(episode.chairs, self.place, self.setting.seats)
        self.acted = self.seat
        self._let_others_act()
        self.acted = episode.seat if self.bots is None and not episode.is_over else self.seat
        return self._told("")

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        episode = self.episode
        if episode.has_ended:
            raise SetupError("research.error.ended")
        step = episode.checked(action, self.setting.game.engine.steps - 1)
        self.acted = episode.seat
        episode.act(episode.judged(episode.seat, step))
        text = episode.told() if self.setting.texts else ""
        episode.steps += 1
        self._let_others_act()
        reward = float(episode.rewards()[self.acted])
        observation, info = self._told(text)
        return observation, reward, episode.is_over, episode.is_truncated, info

    def _let_others_act(self) -> None:
        """Until the learner owes a decision."""
        episode = self.episode
        while self.bots is not None and not episode.has_ended and episode.seat != self.seat:
            who = self.bots[(episode.seat - self.seat - 1) % self.setting.seats]
            for step in bot_steps(self.setting.game, episode.batch.states, episode.seat, who, episode.bots):
                episode.act(step)
                if self.setting.texts:
                    episode.told()

    def _told(self, text: str) -> tuple[Any, dict[str, Any]]:
        """What the seat to act sees; at the end, what the one that acted sees."""
        episode = self.episode
        seat = self.acted if episode.has_ended else episode.seat
        mask = np.zeros(self.setting.game.engine.steps, np.int8) if episode.has_ended else episode.mask(seat)
        info: dict[str, Any] = {"action_mask": mask, "seat": seat, "rewards": episode.rewards()}
        if self.setting.illegal == "first":
            info["illegal"] = episode.illegal
        if self.setting.texts:
            info["action"] = text
        if self.render_mode == "human":
            self.render()
        return observed(self.setting, episode.observe(seat), mask), info

    def action_masks(self) -> NDArray[np.bool_]:
        """As libraries for masked learning ask for it."""
        return self.episode.mask(self.episode.seat).astype(np.bool_)

    def render(self) -> Any:
        return self.episode.render()

    # --- Keeping a match ---

    def save(self) -> bytes:
        """The match as it stands: `load` goes on from there, draws and bots included."""
        return self.episode.save([self.seat, self.acted])

    def load(self, data: bytes) -> None:
        self.seat, self.acted = self.episode.load(data)

    def clone(self) -> SoloEnv:
        twin = SoloEnv(self.setting, self.opponents, self.place)
        twin.load(self.save())
        return twin

    def __getstate__(self) -> tuple[Any, ...]:
        data = self.save() if self.episode.has_begun else None
        return self.setting, self.opponents, self.place, data

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        *made, data = kept
        SoloEnv.__init__(self, *made)
        if data is not None:
            self.load(data)


def bots_of(game: Game, seats: int, opponents: str | Sequence[str] | None) -> list[Opponent] | None:
    """For each seat but one, clockwise."""
    if opponents is None:
        return None
    names = [opponents] * (seats - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != seats - 1:
        allowed = f"{seats - 1} names"
        raise SetupError("research.error.value", name="opponents", value=repr(opponents), allowed=allowed)
    return [opponent(game, name) for name in names]


def check_seat(seat: object, seats: int) -> None:
    check("seat", seat if is_whole(seat) else str(seat), ("random", *range(seats)))


def draw_seat(rng: NDArray[np.int64], seat: int | str, seats: int) -> int:
    return below(rng, seats) if isinstance(seat, str) else seat


def bot_steps(game: Game, states: States, seat: int, who: Opponent, rng: NDArray[np.int64]) -> list[int]:
    """A bot's action as steps, from what its seat sees; it follows from the stream alone, not from the clock."""
    seen = game.engine.seen(states, seat)
    return decide(game, seen, seat, who, next_bits(rng), Budget(who.simulations or None)).path

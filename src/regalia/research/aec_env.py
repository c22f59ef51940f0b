"""PettingZoo's turn-based form: agents act one at a time."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from regalia.core.errors import SetupError
from regalia.research.episode import Episode
from regalia.research.setting import Setting
from regalia.research.spaces import action_space, observation_space, observed, state_space


@functools.wraps(Setting.of)
def aec(*game: Any, **asked: Any) -> AecEnv:
    """An environment for one match; what can be asked for is that of `Setting.of`."""
    return AecEnv(Setting.of(*game, **asked))


class AecEnv(AECEnv[str, Any, int]):  # type: ignore[misc]  # has no types
    """The agents `seat_0`, `seat_1`, … take steps; several in a row belong to one action.

    `infos[agent]["action_mask"]` says which steps are legal. Rewards come at the end.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self.metadata = setting.metadata
        self.render_mode = setting.render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(setting) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(setting) for agent in self.possible_agents}
        self.state_space = state_space(setting)
        self.episode = Episode(setting)
        self._nothing = np.zeros(setting.game.engine.steps, np.int8)
        self._nothing.flags.writeable = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.episode.reset(seed)
        if seed is not None:
            for seat, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(self.episode.space_seed() + seat)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._tell()

    def step(self, action: int) -> None:
        if not self.agents:
            raise SetupError("research.error.ended")
        agent, episode = self.agent_selection, self.episode
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        step = episode.checked(action, self.setting.game.engine.steps - 1)
        episode.act(episode.judged(episode.seat, step))
        episode.steps += 1
        self._cumulative_rewards[agent] = 0.0
        if episode.has_ended:
            self.rewards = dict(zip(self.agents, episode.rewards().tolist(), strict=True))
            self._accumulate_rewards()
            self._tell()
        else:
            self.infos[agent] = {"action_mask": self._nothing}
            self._choose()
        if self.setting.texts:
            self.infos[agent]["action"] = episode.told()
        if self.setting.illegal == "first":
            for info in self.infos.values():
                info["illegal"] = episode.illegal
        if self.render_mode == "human":
            self.render()

    def _tell(self) -> None:
        """To all agents, at the beginning and at the end."""
        over, truncated = self.episode.is_over, self.episode.is_truncated
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._nothing} for agent in self.agents
        }
        if not (over or truncated):
            self._choose()

    def _choose(self) -> None:
        seat = self.episode.seat
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"action_mask": self.episode.mask(seat)}

    def observe(self, agent: str) -> Any:
        seat = self.possible_agents.index(agent)
        is_next = not self.episode.has_ended and seat == self.episode.seat
        mask = self.episode.mask(seat) if is_next else self._nothing
        return observed(self.setting, self.episode.observe(seat), mask)

    def state(self) -> NDArray[np.uint8]:
        return self.episode.state()

    def render(self) -> str | None:
        return self.episode.render()

    def close(self) -> None:
        """Nothing is held open."""

    # --- Keeping a match ---

    def save(self) -> bytes:
        """The match as it stands: `load` goes on from there, draws included."""
        gained = [[self._cumulative_rewards[agent], self.rewards[agent]] for agent in self.agents]
        seats = [self.possible_agents.index(agent) for agent in self.agents]
        selected = self.possible_agents.index(self.agent_selection)
        return self.episode.save(
            [seats, selected, self._skip_agent_selection, gained if self.episode.is_over else []]
        )

    def load(self, data: bytes) -> None:
        seats, selected, self._skip_agent_selection, gained = self.episode.load(data)
        self.agents = [self.possible_agents[seat] for seat in seats]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        for agent, (total, last) in zip(self.agents, gained, strict=False):
            self._cumulative_rewards[agent], self.rewards[agent] = total, last
        self._tell()
        self.agent_selection = self.possible_agents[selected]

    def clone(self) -> AecEnv:
        twin = AecEnv(self.setting)
        twin.load(self.save())
        return twin

    def __getstate__(self) -> tuple[Setting, bytes | None]:
        return self.setting, self.save() if self.episode.has_begun else None

    def __setstate__(self, kept: tuple[Setting, bytes | None]) -> None:
        setting, data = kept
        AecEnv.__init__(self, setting)
        if data is not None:
            self.load(data)

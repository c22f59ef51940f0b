"""PettingZoo's parallel form: all agents act at once; who owes nothing waits."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from regalia.core.algorithms import OVER
from regalia.core.errors import IllegalAction, NotYourTurn, SetupError
from regalia.research.episode import ActionMask, Episode
from regalia.research.setting import Setting
from regalia.research.spaces import action_space, observation_space, observed, state_space


@functools.wraps(Setting.of)
def parallel(*game: Any, **asked: Any) -> ParallelTable:
    """An environment for one match; what can be asked for is that of `Setting.of`. The mask is in the observation."""
    return ParallelTable(Setting.of(*game, **{"mask": "observation", **asked}))


class ParallelTable(ParallelEnv[str, Any, int]):  # type: ignore[misc]  # has no types
    """The agents `seat_0`, `seat_1`, … each name a step: who owes no decision the step `wait`, the last id."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.metadata = setting.metadata
        self.render_mode = setting.render_mode
        self.wait = setting.game.engine.steps
        self.possible_agents = [f"seat_{seat}" for seat in range(setting.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: observation_space(setting, extra=1) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(setting, extra=1) for agent in self.possible_agents}
        self.state_space = state_space(setting)
        self.episode = Episode(setting)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self.episode.reset(seed)
        if seed is not None:
            for seat, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(self.episode.space_seed() + seat)
        self.agents = self.possible_agents[:]
        return self._told()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        episode = self.episode
        if not self.agents:
            raise SetupError("research.error.ended")
        if actions.keys() != set(self.agents):
            given = ", ".join(map(str, actions)) or "nobody"
            raise SetupError("research.error.agents", needed=", ".join(self.agents), given=given)
        owing = episode.owing()
        steps = [episode.checked(actions[agent], self.wait) for agent in self.agents]
        judged = [self._judged(seat, step, seat in owing) for seat, step in enumerate(steps)]
        texts: dict[int, str] = {}
        if OVER in judged:
            episode.forfeit(judged.index(OVER))
        else:
            for seat in owing:
                episode.act(judged[seat])
                if self.setting.texts:
                    texts[seat] = episode.told()
        episode.steps += 1
        rewards = dict(zip(self.agents, episode.rewards().tolist(), strict=True))
        observations, infos = self._told()
        for seat, text in texts.items():
            infos[self.possible_agents[seat]]["action"] = text
        terminations = dict.fromkeys(self.agents, episode.is_over)
        truncations = dict.fromkeys(self.agents, episode.is_truncated)
        if episode.has_ended:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def _judged(self, seat: int, step: int, owes: bool) -> int:
        """The step as it will be done, or OVER where it forfeits the match; `wait` for who owes nothing."""
        episode = self.episode
        if owes and step != self.wait:
            return episode.judged(seat, step)
        if not owes and step == self.wait:
            return step
        match self.setting.illegal:
            case "raise":
                seen = episode.engine.seen(episode.batch.states, seat)[0]
                clause = episode.engine.explain.out_of_turn(seen)
                actors = ", ".join(map(str, episode.owing()))
                error = IllegalAction if owes else NotYourTurn
                values = {"action": "wait"} if owes else {"seat": seat, "actors": actors}
                raise error("error.refused" if owes else "error.turn", clause, **values).at(
                    seat, episode.steps
                )
            case "lose":
                return OVER
        episode.illegal += 1
        return int(episode.mask(seat).argmax()) if owes else self.wait

    def _mask(self, seat: int) -> ActionMask:
        mask = np.zeros(self.wait + 1, np.int8)
        if not self.episode.has_ended:
            mask[:-1] = self.episode.mask(seat)
            mask[-1] = not mask.any()
        return mask

    def _told(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self._mask(seat)
            observations[agent] = observed(self.setting, self.episode.observe(seat), mask)
            infos[agent] = {"action_mask": mask} if self.setting.mask == "info" else {}
            if self.setting.illegal == "first":
                infos[agent]["illegal"] = self.episode.illegal
        return observations, infos

    def state(self) -> NDArray[np.uint8]:
        return self.episode.state()

    def render(self) -> str | None:
        return self.episode.render()

    def close(self) -> None:
        """Nothing is held open."""

    # --- Keeping a match ---

    def save(self) -> bytes:
        """The match as it stands: `load` goes on from there, draws included."""
        return self.episode.save([self.agents])

    def load(self, data: bytes) -> None:
        (self.agents,) = self.episode.load(data)

    def clone(self) -> ParallelTable:
        twin = ParallelTable(self.setting)
        twin.load(self.save())
        return twin

    def __getstate__(self) -> tuple[Setting, bytes | None]:
        return self.setting, self.save() if self.episode.has_begun else None

    def __setstate__(self, kept: tuple[Setting, bytes | None]) -> None:
        setting, data = kept
        ParallelTable.__init__(self, setting)
        if data is not None:
            self.load(data)

"""The Rose King as an OpenSpiel game in plain Python, to measure OpenSpiel's own search on it.

Its C++ search can run Python games in version 1.5; 1.6 and 2.0 crash, while the games of `regalia.research.openspiel` are
for 2.0. So this runs in an environment of its own (`bench/peers.py`), as a command that says its figure as JSON.
"""

from __future__ import annotations

import importlib.metadata
import json
import time
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]

from regalia.games.rose_king.components import (
    CARDS,
    CELLS,
    CENTRE,
    DEALT,
    DRAW,
    HAND,
    HERO,
    HEROES,
    NEIGHBOURS,
    NONE,
    OFF,
    STONES,
    TARGETS,
)

VERSION = importlib.metadata.version("open_spiel")
SIMULATIONS = 200
AIMS = TARGETS.tolist()
NEAR = NEIGHBOURS.tolist()

TYPE = pyspiel.GameType(
    short_name="peer_rose_king",
    long_name="The Rose King",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=DRAW + 1, max_chance_outcomes=CARDS, num_players=2,
    min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=400,
)  # fmt: skip


class RoseKing(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> RoseKingState:
        return RoseKingState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> None:
        return None


class RoseKingState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: RoseKing) -> None:
        super().__init__(game)
        self.stones = [NONE] * CELLS + [OFF]
        self.crown = CENTRE
        self.supply = STONES
        self.heroes = [HEROES, HEROES]
        self.hands: list[list[int]] = [[], []]
        self.pile = list(range(CARDS))
        self.turn = 0
        self.is_dealing = True
        self.is_chance = True
        self.is_over = False

    def current_player(self) -> int:
        if self.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.is_chance else self.turn

    def _legal_actions(self, player: int) -> list[int]:
        rival = 1 - player if self.heroes[player] else -1
        found = []
        for card in self.hands[player]:
            owner = self.stones[AIMS[self.crown][card]]
            if owner == NONE:
                found.append(card)
            elif owner == rival:
                found.append(card + HERO)
        if len(self.hands[player]) < HAND:
            found.append(DRAW)
        return sorted(found)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(card, 1 / len(self.pile)) for card in self.pile]

    def _apply_action(self, action: int) -> None:
        if self.is_chance:
            self.pile.remove(action)
            self.hands[self.turn].append(action)
            if self.is_dealing:
                self.turn = 1 - self.turn
                self.is_dealing = self.is_chance = len(self.pile) > CARDS - DEALT
                return
            if not self.pile:
                held = {*self.hands[0], *self.hands[1]}
                self.pile = [card for card in range(CARDS) if card not in held]
            self.is_chance = False
            self._pass()
        elif action == DRAW:
            self.is_chance = True
        else:
            card = action % HERO
            self.crown = AIMS[self.crown][card]
            self.stones[self.crown] = self.turn
            self.hands[self.turn].remove(card)
            if action < HERO:
                self.supply -= 1
            else:
                self.heroes[self.turn] -= 1
            if self.supply == 0:
                self.is_over = True
            else:
                self._pass()

    def _pass(self) -> None:
        if self._legal_actions(1 - self.turn):
            self.turn = 1 - self.turn
        elif not self._legal_actions(self.turn):
            self.is_over = True

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return self.is_over

    def returns(self) -> list[float]:
        if not self.is_over:
            return [0.0, 0.0]
        points, seen = [0, 0], [False] * (CELLS + 1)
        for start in range(CELLS):
            owner = self.stones[start]
            if owner == NONE or seen[start]:
                continue
            seen[start] = True
            queue = [start]
            for cell in queue:
                for near in NEAR[cell]:
                    if self.stones[near] == owner and not seen[near]:
                        seen[near] = True
                        queue.append(near)
            points[owner] += len(queue) ** 2
        lead = float(np.sign(points[0] - points[1]))
        return [lead, -lead]

    def __str__(self) -> str:
        return f"{self.stones} {self.crown} {self.hands}"


pyspiel.register_game(TYPE, RoseKing)


def simulations_per_second() -> float:
    """OpenSpiel's MCTSBot with one random playout per simulation."""
    game = pyspiel.load_game(TYPE.short_name)
    state = game.new_initial_state()
    rng = np.random.default_rng(1)
    while state.is_chance_node():
        state.apply_action(int(rng.choice([card for card, _ in state.chance_outcomes()])))
    rollout = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, rollout, 2.0, SIMULATIONS, 200, False, 1, False)
    start = time.thread_time()
    bot.mcts_search(state)
    return SIMULATIONS / (time.thread_time() - start)


if __name__ == "__main__":
    print(json.dumps({"version": VERSION, "simulations": simulations_per_second()}))

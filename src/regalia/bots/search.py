"""A search at one table: its memory, its budget, and what it found."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from regalia.bots import knowledge
from regalia.bots import tree as template
from regalia.bots.opponents import FULL_GAME, Opponent
from regalia.bots.tree import DONE, EDGES, MARK, NODES, NONE, Room, find_node, make_tree
from regalia.core import contract
from regalia.core.arrays import Reals, State, States, Steps
from regalia.core.game import Game
from regalia.core.kernel import bind, folders_of
from regalia.core.rng import seeded_rng

CHUNK_S = 0.001  # simulations are asked for in chunks of about this time, at most LARGEST_CHUNK of them
LARGEST_CHUNK = 256
SMALLEST_PIECE = 32  # simulations of a sample before it may pause
CHECKS = 8  # how often in a search it is asked whether the best step can still change
MOST_NODES = 1 << 18
EDGES_PER_NODE = 8


@dataclass(frozen=True)
class Knowledge:
    """What is known about a game, and the search compiled with it."""

    game: Game
    module: contract.Knowledge[State]
    folders: tuple[Path, ...]  # whose sources what is compiled with it depends on
    simulate: Callable[..., None]
    weights: Reals
    signs: Any
    is_apart: bool  # whether what a result is worth differs from the share of the victory
    names: dict[str, Any]  # the rules, and what is known, for further templates


@cache
def load_knowledge(game: Game) -> Knowledge:
    module = game.part("bots.knowledge") or knowledge
    engine = game.engine
    names = engine.bound.names
    names.update({name: getattr(module, name) for name in ("policy", "evaluate", "is_quiet", "reward")})
    is_apart = names["IS_APART"] = module.reward is not knowledge.reward
    folders = game.folder, *folders_of(str(module.__file__))
    # Called once a simulation, and large: written into `simulate` it would double what is compiled.
    names["play_on"] = bind(template.play_on, names, game.id, *folders, is_inlined=False)
    factors = np.random.default_rng(2_718_281).integers(1, 1 << 46, engine.layout.dtype.itemsize)
    return Knowledge(
        game,
        module,
        folders,
        bind(template.simulate, names, game.id, *folders),
        np.array(list(load_weights(game, module).values()), np.float64),
        factors * engine.layout.visible,
        is_apart,
        names,
    )


@cache
def weights_of(game: Game, changes: tuple[tuple[str, float], ...]) -> Reals:
    """The weights of a game, some of them changed."""
    known = load_knowledge(game)
    weights = known.weights.copy()
    names = list(known.module.WEIGHTS)
    for name, value in changes:
        weights[names.index(name)] = value
    return weights


def load_weights(game: Game, module: contract.Knowledge[State]) -> dict[str, float]:
    """The tuned values of the game's bots/weights.json where there is one, else those of the module."""
    path = game.folder / "bots" / "weights.json"
    tuned = json.loads(path.read_text("utf-8"))["weights"] if path.is_file() else {}
    return {name: float(tuned.get(name, value)) for name, value in module.WEIGHTS.items()}


@dataclass(frozen=True)
class Candidate:
    """A step as the search sees it."""

    step: int
    visits: int
    value: float  # for the searching seat: its share of the victory
    worth: float  # what the search climbs: the same, or also by how clear the victory is


@dataclass
class Budget:
    """When to stop: after so many simulations, at a moment, or when somebody raises the flag; whichever is first."""

    simulations: int | None = None
    deadline: float = float("inf")  # by time.perf_counter
    stop: Steps = field(default_factory=lambda: np.zeros(1, np.uint8))


class Search:
    """One tree, used for one seat's decision at a time. Searches of different threads need different objects."""

    def __init__(self, game: Game, nodes: int = MOST_NODES) -> None:
        engine = game.engine
        self.game = game
        self.known = load_knowledge(game)
        self.weights = self.known.weights
        self.tree = make_tree(nodes, nodes * EDGES_PER_NODE + 512, engine.most_seats, self.known.is_apart)
        scratch = engine.layout.empty(1)
        self.room = Room(
            scratch,
            scratch.view(np.uint8),
            self.known.signs,
            np.zeros(template.MOST_STEPS, np.uint8),
            np.zeros(template.MOST_STEPS, np.int64),
            np.zeros(template.MOST_STEPS, np.int32),
            np.zeros(template.DEEPEST, np.int32),
            np.zeros(engine.most_seats, np.int64),
            np.zeros(engine.most_seats, np.int64),
            *np.zeros((4, engine.most_seats)),
        )
        self.root = engine.layout.empty(1)
        self.seat = 0
        self.rng = seeded_rng(0)
        self.first = 1
        self.opening = np.zeros(0, np.uint8)
        self._simulate(
            0, FULL_GAME, 0.0, 0.0, False, 1, np.zeros(1, np.uint8)
        )  # compile before any clock runs

    def _simulate(
        self,
        count: int,
        horizon: int,
        explore: float,
        played: float,
        is_informed: bool,
        mates: int,
        stop: Steps,
    ) -> None:
        self.known.simulate(
            self.root, self.seat, self.first, self.opening, count, horizon, explore, played, is_informed, mates,
            self.weights, self.tree, self.room, self.rng, stop,
        )  # fmt: skip

    def begin(self, seed: int) -> None:
        """Forget everything."""
        self.tree.used[[NODES, EDGES, DONE]] = 0
        self.tree.used[MARK] += 1
        self.rng[:] = seeded_rng(seed)

    def look(self, seen: States, seat: int) -> None:
        """Search from here on: a state in which what the seat may not know is blanked. The tree is kept."""
        self.root[0] = seen[0]
        self.seat = seat
        self.first = 1 << seat

    def look_on(self, seen: States, looker: int, first: int) -> None:
        """Search from here on for anyone who looks (a seat, NO_SEAT or OPEN), whoever is due (bits)."""
        self.root[0] = seen[0]
        self.seat, self.first = looker, first

    def sample(
        self, count: int, who: Opponent, opening: Sequence[int], stop: Steps, piece_s: float
    ) -> Generator[None, None, Reals]:
        """So many simulations in which these steps come first; the mean of everybody's share of the victory.

        In pieces of about that time, which change nothing in what is found. If the flag is raised before any was
        done, nobody is thought better than the others.
        """
        mates, before = self._mates(), int(self.tree.used[DONE])
        steps = np.array(opening, np.uint8)
        total = np.zeros_like(self.room.total)
        left, size = count, SMALLEST_PIECE
        while left > 0 and not stop[0]:
            began = time.perf_counter()
            self.opening, self.room.total[:] = steps, total
            self._simulate(
                min(size, left), who.horizon, who.explore, who.played, who.is_informed, mates, stop
            )
            self.opening, total[:] = steps[:0], self.room.total
            left -= size
            passed = time.perf_counter() - began
            size = max(SMALLEST_PIECE, min(2 * size, int(size * piece_s / max(passed, 1e-6))))
            if left > 0:
                yield
        done = int(self.tree.used[DONE]) - before
        if done == 0:
            return np.full_like(total, mates / int(self.root["seats"][0]))
        return total / done

    def _mates(self) -> int:
        """How many seats a side has."""
        options = self.game.engine.read_options(self.root)
        return len(self.game.sides(int(self.root["seats"][0]), options)[0])

    def run(
        self,
        budget: Budget,
        horizon: int = FULL_GAME,
        explore: float = 1.5,
        played: float = 0.0,
        is_informed: bool = True,
    ) -> int:
        """Think; returns how many simulations were done."""
        start = int(self.tree.used[DONE])
        mates = self._mates()
        wanted = budget.simulations
        check = (wanted or LARGEST_CHUNK * 1000) // CHECKS + 1
        chunk, done = 4, 0
        while not budget.stop[0] and (wanted is None or done < wanted):
            now = time.perf_counter()
            if now >= budget.deadline:
                break
            size = min(chunk, check - done % check, chunk if wanted is None else wanted - done)
            self._simulate(size, horizon, explore, played, is_informed, mates, budget.stop)
            done = int(self.tree.used[DONE]) - start
            passed = time.perf_counter() - now
            chunk = max(1, min(LARGEST_CHUNK, int(size * CHUNK_S / max(passed, 1e-6)) + 1, 2 * chunk))
            if wanted is not None and done % check == 0 and self._is_settled(wanted - done):
                break
        return done

    def _is_settled(self, left: int) -> bool:
        """Whether the step tried most will be that whatever the simulations left do."""
        visits = sorted((candidate.visits for candidate in self.candidates()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > left

    def candidates(self) -> list[Candidate]:
        """The steps tried at the root, most visits first."""
        tree = self.tree
        key = int(self.root.view(np.uint8).astype(np.int64) @ self.known.signs[self.seat])
        candidates = []
        edge = int(tree.first[find_node(tree, key)])
        while edge != NONE:
            visits = int(tree.tried[edge])
            if visits:
                won, worth = tree.won[edge, self.seat], tree.worth[edge, self.seat]
                candidates.append(
                    Candidate(int(tree.step[edge]), visits, float(won) / visits, float(worth) / visits)
                )
            edge = int(tree.following[edge])
        return sorted(candidates, key=lambda candidate: (-candidate.visits, -candidate.worth, candidate.step))

"""One match of bots, played on records, with draws that two matches can share."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regalia.bots.decision import decide
from regalia.bots.opponents import Opponent
from regalia.bots.search import Budget
from regalia.core.arrays import States
from regalia.core.game import CHANCE, Game

MOST_DECISIONS = 20_000  # a game that has not ended by then is a mistake in its rules


class KeyedDraws:
    """Draws named by (seed, kind, ordinal): the n-th draw of a kind is the same in every match with the seed.

    So two matches with the seats exchanged have the same luck as far as they go alike.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn: Counter[str] = Counter()

    def below(self, total: int, kind: str) -> int:
        ordinal = self._drawn[kind]
        self._drawn[kind] += 1
        digest = hashlib.blake2b(f"{self._seed}|{kind}|{ordinal}".encode(), digest_size=16).digest()
        return int.from_bytes(digest) * total >> 128

    def copy(self) -> KeyedDraws:
        twin = KeyedDraws(self._seed)
        twin._drawn = self._drawn.copy()
        return twin


@dataclass(frozen=True)
class Played:
    """How a match of bots ended. All tuples are by seat."""

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # thinking time
    simulations: tuple[int, ...]
    cpu_s: tuple[float, ...] = ()  # of the thread; none in older files


def play_match(
    game: Game,
    bots: Sequence[Opponent],
    seed: int,
    options: Mapping[str, str] | None = None,
    budget_s: float | None = None,
) -> Played:
    """Play a match, a bot per seat. Without a time the bots do their simulations, and the seed says everything."""
    engine, seats = game.engine, len(bots)
    states = engine.start(seats, game.checked_options(seats, options))
    draws = KeyedDraws(seed)
    decisions, simulations = [0] * seats, [0] * seats
    seconds, cpu_s = [0.0] * seats, [0.0] * seats
    for number in range(MOST_DECISIONS):
        draw_until_decision(game, states, draws)
        actors = engine.actors(states)
        if not actors:
            break
        seat = actors[0]
        seen = engine.seen(states, seat)
        began, worked = time.perf_counter(), time.thread_time()
        budget = Budget(bots[seat].simulations) if budget_s is None else Budget(None, began + budget_s)
        decision = decide(game, seen, seat, bots[seat], seed * 100_003 + number, budget)
        seconds[seat] += time.perf_counter() - began
        cpu_s[seat] += time.thread_time() - worked
        decisions[seat] += 1
        simulations[seat] += decision.simulations
        for step in decision.path:
            engine.apply(states, seat, step)
    ranks, points = engine.score(states)
    reason = engine.reasons[int(states["reason"][0])]
    return Played(ranks, points, reason, tuple(decisions), tuple(seconds), tuple(simulations), tuple(cpu_s))


def draw_until_decision(game: Game, states: States, draws: KeyedDraws) -> None:
    """Let chance act until a seat owes a decision."""
    engine = game.engine
    while engine.actors(states) == (CHANCE,):
        kind = engine.phases[int(states["phase"][0])]
        draw = draws.below(int(engine.odds(states).sum()), kind)
        engine.apply(states, CHANCE, engine.outcome(states, draw))

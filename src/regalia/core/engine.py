"""A game's rules, bound to the generic algorithms and callable from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regalia.core import algorithms
from regalia.core.arrays import Counts, Ints, Mask, Rng, Rngs, Seats, State, States, Steps
from regalia.core.game import CHANCE
from regalia.core.kernel import COMPILED, bind
from regalia.core.layout import NO_SEAT, Layout
from regalia.core.rng import seeded_rng
from regalia.core.viewers import EVERYTHING, Viewer

if TYPE_CHECKING:
    from regalia.core.contract import Explain, Notation, Positions
    from regalia.core.effects import Effect
    from regalia.core.game import Game

RULES = ("setup", "actors", "legal", "draws", "outcome", "apply", "score", "redeal")
MOST_STEPS_OF_AN_ACTION = 40
MOST_ACTIONS = 1 << 14

# In the order in which they call each other.
TEMPLATES = (
    algorithms.setup_at,
    algorithms.actors_at,
    algorithms.legal_at,
    algorithms.odds_at,
    algorithms.outcome_at,
    algorithms.apply_at,
    algorithms.score_at,
    algorithms.redeal_at,
    algorithms.lowest,
    algorithms.leave_to_chance,
    algorithms.play_out_many,
    algorithms.list_actions,
    algorithms.next_steps,
    algorithms.perft,
    algorithms.check_batch,
    algorithms.step_batch,
)


@dataclass(frozen=True)
class Tally:
    """What many random games came to."""

    games: int
    steps: int  # chance included
    decisions: int
    points: tuple[float, ...]  # mean per seat
    deviations: tuple[float, ...]  # standard deviation of the points per seat
    ranks: tuple[tuple[int, ...], ...]  # ranks[seat][r - 1]: how often a seat came r-th
    reasons: Mapping[str, int]


@dataclass(frozen=True)
class Bound:
    """A game's own rules, and what core/algorithms.py makes of them."""

    setup: Callable[[State], None]
    actors: Callable[[State], int]
    legal: Callable[[State, int, Steps], int]
    draws: Callable[[State], int]
    outcome: Callable[[State, int], int]
    apply: Callable[[State, int, int], None]
    score: Callable[[State, Ints, Ints], None]
    redeal: Callable[[State, int, Rng], None]

    setup_at: Callable[[States, int], None]
    actors_at: Callable[[States, int], int]
    legal_at: Callable[[States, int, int, Steps], int]
    odds_at: Callable[[States, int, Ints], None]
    outcome_at: Callable[[States, int, int], int]
    apply_at: Callable[[States, int, int, int], None]
    score_at: Callable[[States, int, Ints, Ints], None]
    redeal_at: Callable[[States, int, int, Rng], None]

    lowest: Callable[[int], int]
    leave_to_chance: Callable[[State, Rng], None]
    play_out_many: Callable[[States, States, int, Steps, Rng, Ints, Ints, Ints], None]
    list_actions: Callable[[States, int, int, Steps, Steps, Ints], int]
    next_steps: Callable[[State, Steps], tuple[int, int]]
    perft: Callable[[States, int, Steps], int]
    check_batch: Callable[[Seats, Mask, Steps], int]
    step_batch: Callable[[States, Seats, Mask, Steps, Counts, Steps, Rngs], None]

    @property
    def names(self) -> dict[str, Any]:
        """All of them by name, as `kernel.bind` puts them in the place of a template's globals."""
        return dict(vars(self))


class Engine:
    def __init__(self, game: Game) -> None:
        state, rules = game.module("state"), game.module("rules")
        self.game = game
        self.most_seats = max(game.seats)
        self.layout = Layout(state.State, self.most_seats)
        self.steps: int = rules.STEPS
        self.outcomes: int = rules.OUTCOMES
        self.phases: list[str] = [phase.name.lower() for phase in state.Phase]
        self.reasons: list[str] = [reason.name.lower() for reason in state.Reason]
        self.inner: int = sum(1 << phase for phase in state.INNER)
        self.dice = frozenset(phase.name.lower() for phase in state.DICE)
        self.notation: Notation[State] = game.module("notation")
        self.receiver: Callable[[State], int | None] | None = getattr(self.notation, "receiver", None)
        self.order: Callable[[State], Sequence[int]] | None = getattr(self.notation, "order", None)
        hand = game.part("hand")
        self.roller: Callable[[State], int | None] | None = getattr(hand, "roller", None)
        self.held: Callable[[State, int], Mapping[str, int]] | None = getattr(hand, "held", None)
        self.position: Positions[State] = game.module("position")
        self.explain: Explain[State] = game.module("explain")
        self.effects: Callable[[State, int, int, State], list[Effect]] | None = getattr(
            game.part("effects"), "effects", None
        )
        self.is_compiled = COMPILED
        names = {name: getattr(rules, name) for name in RULES}
        for template in TEMPLATES:
            names[template.__name__] = bind(template, dict(names), game.id, game.folder)
        self.bound = Bound(**names)

    # --- States ---

    def start(self, seats: int, options: Mapping[str, str]) -> States:
        """One state at its very beginning, before the set-up's draws."""
        states = self.layout.empty(1)
        self.write_options(states, seats, options)
        self.bound.setup_at(states, 0)
        return states

    def write_options(self, states: States, seats: int, options: Mapping[str, str]) -> None:
        states["seats"] = seats
        for option in self.game.options:
            value = options.get(option.name, option.values[0])
            states[option.name] = option.values.index(value)

    def read_options(self, states: States) -> dict[str, str]:
        seats = int(states["seats"][0])
        return {
            option.name: option.values[int(states[option.name][0])]
            for option in self.game.options
            if option.seats is None or seats in option.seats
        }

    def actors(self, states: States) -> tuple[int, ...]:
        bits = self.bound.actors_at(states, 0)
        return tuple(seat for seat in range(CHANCE + 1) if bits >> seat & 1)

    def legal(self, states: States, seat: int) -> list[int]:
        """The legal steps of a seat, ascending."""
        steps = np.zeros(self.steps, np.uint8)
        count = self.bound.legal_at(states, 0, seat, steps)
        return sorted(steps[:count].tolist())

    def odds(self, states: States) -> Ints:
        """The relative odds of every chance outcome."""
        odds = np.zeros(self.outcomes, np.int64)
        self.bound.odds_at(states, 0, odds)
        return odds

    def outcome(self, states: States, draw: int) -> int:
        """Which outcome the draw-th of all equally likely draws is."""
        return int(self.bound.outcome_at(states, 0, draw))

    def apply(self, states: States, seat: int, step: int) -> None:
        self.bound.apply_at(states, 0, seat, step)

    def score(self, states: States) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(ranks, points) of a finished game."""
        points, ranks = np.zeros((2, self.most_seats), np.int64)
        self.bound.score_at(states, 0, points, ranks)
        seats = int(states["seats"][0])
        return tuple(ranks[:seats].tolist()), tuple(points[:seats].tolist())

    def seen(self, states: States, viewer: Viewer) -> States:
        """A copy of the state with what the viewer may not know blanked."""
        if viewer is EVERYTHING:
            return self.layout.copy(states)
        return self.layout.load(self.layout.hide(states.tobytes(), row_of(viewer)))

    def redeal(self, states: States, viewer: Viewer, rng: Rng) -> States:
        """A state the viewer cannot tell from this one. It is made from the blanked state alone."""
        world = self.seen(states, viewer)
        if viewer is not EVERYTHING:
            self.bound.redeal_at(world, 0, row_of(viewer), rng)
        return world

    def is_inner(self, states: States) -> bool:
        return bool(self.inner >> int(states["phase"][0]) & 1)

    # --- Actions ---

    def paths(self, states: States, seat: int) -> list[list[int]]:
        """The steps of every legal action of a seat."""
        if not self.inner:
            return [[step] for step in self.legal(states, seat)]
        stack = self.layout.empty(MOST_STEPS_OF_AN_ACTION + 1)
        stack[0] = states[0]
        legals = np.zeros((MOST_STEPS_OF_AN_ACTION, self.steps), np.uint8)
        paths = np.zeros((MOST_ACTIONS + 1, MOST_STEPS_OF_AN_ACTION), np.uint8)
        lengths = np.zeros(MOST_ACTIONS, np.int64)
        count = self.bound.list_actions(stack, seat, self.inner, legals, paths, lengths)
        assert count >= 0, "more actions than MOST_ACTIONS"
        return sorted(paths[i, : lengths[i]].tolist() for i in range(count))

    # --- Many games ---

    def playouts(self, states: States, games: int, seed: int, threads: int = 1) -> Tally:
        """Random games from a state, spread over threads; the same seed and threads give the same games."""
        shares = [games // threads + (thread < games % threads) for thread in range(threads)]
        with ThreadPoolExecutor(threads) as pool:
            counts = list(
                pool.map(lambda thread: self.play_share(states, shares[thread], seed, thread), range(threads))
            )
        tally, points, ranks = (sum(parts[1:], start=parts[0]) for parts in zip(*counts, strict=True))
        played = max(games, 1)
        seats = range(int(states["seats"][0]))
        means = [float(points[2, seat]) / played for seat in seats]
        squares = [float(points[3, seat]) / played for seat in seats]
        return Tally(
            games=int(tally[2]),
            steps=int(tally[0]),
            decisions=int(tally[1]),
            points=tuple(means),
            deviations=tuple(
                max(square - mean * mean, 0.0) ** 0.5 for mean, square in zip(means, squares, strict=True)
            ),
            ranks=tuple(tuple(ranks[seat, 1 : len(seats) + 1].tolist()) for seat in seats),
            reasons={name: int(tally[3 + i]) for i, name in enumerate(self.reasons) if tally[3 + i]},
        )

    def play_share(self, states: States, games: int, seed: int, thread: int) -> tuple[Ints, Ints, Ints]:
        tally = np.zeros(3 + len(self.reasons), np.int64)
        points = np.zeros((4, self.most_seats), np.int64)
        ranks = np.zeros((self.most_seats, self.most_seats + 1), np.int64)
        steps, rng = np.zeros(self.steps, np.uint8), seeded_rng(seed, thread)
        self.bound.play_out_many(states, self.layout.empty(1), games, steps, rng, tally, points, ranks)
        return tally, points, ranks

    def perft(self, states: States, depth: int) -> int:
        """How many sequences of `depth` steps start here, draws included."""
        stack = self.layout.empty(depth + 1)
        stack[0] = states[0]
        legals = np.zeros((depth + 1, max(self.steps, self.outcomes)), np.uint8)
        return int(self.bound.perft(stack, depth, legals))


def row_of(viewer: Viewer) -> int:
    """A viewer as kernels know it."""
    return viewer if isinstance(viewer, int) else NO_SEAT

"""What a bot knows about a game of which it knows nothing but the rules. A game's bots/knowledge.py has the same names.

policy(state, seat, steps, count, weights, odds) -> int
    How likely a sensible player takes each of the `count` legal steps: writes whole numbers to odds and returns their
    sum, at most 2^31; or returns 0, which means all alike. It guides the tree and plays the rest of a simulation.
    It may look only at what the seat may know.
is_quiet(state) -> bool
    Whether `evaluate` may judge now: not in the middle of a turn, say.
evaluate(state, weights, values)
    What each seat can expect of a game that is not over: its share of the victory, 0 … 1.
reward(points, weights, values)
    What a finished game is worth: values are the shares of the victory, which may be changed a little by how clear it is.
facts(before, after, seat) -> list of (message key, values)
    What a player would say about a step, two or three things, most telling first: plain Python on two states that the
    seat may see.
WEIGHTS     the names of the weights with their values (tuned: weights.json beside it)
"""

from __future__ import annotations

from regalia.core.arrays import Ints, Reals, State, Steps
from regalia.core.contract import Fact
from regalia.core.kernel import kernel

WEIGHTS: dict[str, float] = {}


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:  # noqa: ARG001
    return 0


@kernel
def is_quiet(state: State) -> bool:  # noqa: ARG001
    return False


@kernel
def evaluate(state: State, weights: Reals, values: Reals) -> None:  # noqa: ARG001
    for seat in range(int(state.seats)):
        values[seat] = 1.0 / int(state.seats)


@kernel
def reward(points: Ints, weights: Reals, values: Reals) -> None:
    pass


def facts(before: State, after: State, seat: int) -> list[Fact]:  # noqa: ARG001
    return []

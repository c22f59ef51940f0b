"""Toys: what they are worth is true, and a search finds it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from regalia import CHANCE, GAMES, Game, SetupError, research
from regalia.arena.exact import Solver, accuracy, open_toys
from regalia.bots.decision import decide
from regalia.bots.opponents import opponent
from regalia.bots.search import Budget
from regalia.core.toys import find_toy, start_of_toy, toys_of
from regalia.research.line import Line, Table

solver_of = cache(Solver)  # what one test works out, the next one knows
ALL = [(game, name) for game in GAMES.values() for name in toys_of(game)]
OPEN = [(game, name) for game, name in ALL if find_toy(game, name).is_open]
names = [name for _, name in OPEN]


def test_every_game_has_a_toy() -> None:
    assert [name for _, name in ALL] == ["roses", "emperor", "court", "crown"]
    assert [open_toys(game) for game in GAMES.values()] == [["roses"], ["emperor"], ["court"], []]


@pytest.mark.parametrize("game, name", OPEN, ids=names)
def test_an_open_toy_is_worth_what_going_through_everything_says(game: Game, name: str) -> None:
    toy, start = find_toy(game, name), start_of_toy(game, name)
    solver = solver_of(game, toy.seats)
    assert solver.value(start) == pytest.approx(toy.value, abs=1e-12)
    steps = solver.steps(start)
    assert max(steps.values()) == pytest.approx(toy.value)


@pytest.mark.parametrize("game, name", OPEN, ids=names)
def test_a_search_does_what_is_best(game: Game, name: str) -> None:
    """It knows only the rules; what it chooses loses at most a hundredth of the victory, at the first decisions."""
    toy = find_toy(game, name)
    solver, rng = solver_of(game, toy.seats), random.Random(5)
    line = Line(Table(game, start_of_toy(game, name), toy.seats))
    decided = 0
    while line.actors and decided < 3:
        seat = line.actors[0]
        if seat == CHANCE:
            line.apply(rng.choice(line.outcomes())[0])
            continue
        if len(line.legal()) > 1:
            decided += 1
        before = solver.value(line.states)
        for step in decide(game, line.states, seat, opponent(game, "regent-blind"), 1, Budget(100_000)).path:
            line.apply(step)
        assert solver.value(line.states) == pytest.approx(before, abs=0.01)
    assert decided


def test_a_bot_that_thinks_more_decides_better_where_the_truth_is_known() -> None:
    game = GAMES["rose_king"]
    solver = solver_of(game, 2)
    found = {bot: accuracy(solver, "roses", opponent(game, bot), 40) for bot in ("random", "knight")}
    assert found["random"] == accuracy(solver, "roses", opponent(game, "random"), 40)
    assert found["knight"].decisions >= 40
    assert found["random"].optimal < found["knight"].optimal <= 1
    assert 0 <= found["knight"].loss < found["random"].loss <= 1


def test_only_what_is_open_and_has_two_sides_is_worked_out() -> None:
    with pytest.raises(SetupError, match="two sides"):
        Solver(GAMES["carolus_magnus"], 3)
    with pytest.raises(SetupError, match="open position"):
        Solver(GAMES["long_live_the_king"], 3)


def test_an_unknown_toy_is_refused() -> None:
    with pytest.raises(SetupError, match=r"rose_king has no toy tulips. Known: roses."):
        research.toy("rose_king", "tulips")


@pytest.mark.parametrize("game, name", ALL, ids=[name for _, name in ALL])
def test_environments_begin_from_a_toy(game: Game, name: str) -> None:
    env = research.aec(game, start=research.toy(game, name))
    env.reset(seed=3)
    while not env.episode.is_over:
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    assert sum(env.rewards.values()) == pytest.approx(0)


# --- The stakes of Long Live the King ---

HANDS = 2  # cards of each party; all count three times


def outcomes(line: Line) -> Iterator[tuple[float, float]]:
    """(odds, the first seat's share) of everything that can follow, where each takes back all cards it may."""
    if not line.actors:
        (best, *_), _ = line.engine.score(line.states)
        yield 1.0, float(best == 1)
    elif line.actors == (CHANCE,):
        for outcome, odds in line.outcomes():
            twin = line.__deepcopy__(None)
            twin.apply(outcome)
            for more, share in outcomes(twin):
                yield odds * more, share
    else:
        line.apply(line.legal()[-1])
        yield from outcomes(line)


def reckoned(mine: int, other: int) -> Fraction:
    """The intruder's share by hand: totals 3·dice + 2 against 3·dice + 4; areas of 7 and 5 votes, and 3 in dispute."""
    share = Fraction(0)
    for dice in product(range(1, 7), repeat=mine + other):
        own, theirs = dice[:mine], dice[mine:]
        wins = 3 * sum(own) + 2 > 3 * sum(theirs) + 4
        votes = []
        for rolled, held in ((own, 7 + 3 * wins), (theirs, 5 + 3 * (not wins))):
            back = rolled.count(1) if len(rolled) > 1 else 0
            has_cards = HANDS - len(rolled) + back > 0
            votes.append(held if has_cards else held - held // 3)
        assert votes[0] != votes[1]
        share += Fraction(int(votes[0] > votes[1]), 6 ** (mine + other))
    return share


def test_the_crown_is_worth_what_its_normal_form_says() -> None:
    game = GAMES["long_live_the_king"]
    start, toy = start_of_toy(game, "crown"), find_toy(game, "crown")
    table: list[list[float]] = []
    for mine in (0, 1):
        table.append([])
        for other in (0, 1):
            line = Line(Table(game, start, toy.seats))
            for choice in (mine, other):
                line.apply(line.legal()[choice])
            value = sum(odds * share for odds, share in outcomes(line))
            assert value == pytest.approx(float(reckoned(mine + 1, other + 1)))
            table[-1].append(value)
    (a, b), (c, d) = table
    assert a < b > d < c > a  # nobody has a choice that is always best
    assert toy.value == pytest.approx((a * d - b * c) / (a + d - b - c), abs=1e-12)

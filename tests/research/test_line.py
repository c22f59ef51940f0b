"""A line of play with chance in the open: the same match as elsewhere, and nobody hears what is not theirs."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

from driving import HIDING, TABLES, name_of
from regalia import CHANCE, Batch, Game
from regalia.core.rng import Purpose, Stream, seeded_rng
from regalia.research.line import UNHEARD, Line, Table

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)


def table(game: Game, seats: int) -> Table:
    return Table(game, game.engine.start(seats, {}), seats)


def draw(line: Line, source: Stream) -> None:
    """What chance brings, drawn as a batch draws it."""
    while line.actors == (CHANCE,):
        total = int(line.engine.odds(line.states).sum())
        line.apply(line.engine.outcome(line.states, source.below(total, "")))


@tables
def test_a_line_is_the_match_that_a_batch_plays(game: Game, seats: int) -> None:
    batch, line = Batch(game, 1, seats, seed=4), Line(table(game, seats))
    source, rng = Stream(seeded_rng(4, 0, Purpose.CHANCE)), random.Random(8)
    draw(line, source)
    for _ in range(2000):
        assert line.states.tobytes() == batch.states.tobytes()
        if not line.actors:
            break
        step = rng.choice(line.legal())
        assert line.text(step)
        line.apply(step)
        draw(line, source)
        batch.step(np.array([step]))
    assert abs(sum(line.returns())) < 1e-9
    assert all(-1 / (seats - 1) - 1e-9 <= gained <= 1 for gained in line.returns())


@tables
def test_a_line_is_copied_and_kept(game: Game, seats: int) -> None:
    line, rng = Line(table(game, seats)), random.Random(2)
    for _ in range(60):
        if not line.actors:
            break
        twins = [copy.deepcopy(line), pickle.loads(pickle.dumps(line))]
        steps = [step for step, _ in line.outcomes()] if line.actors == (CHANCE,) else line.legal()
        step = rng.choice(steps)
        for one in (line, *twins):
            one.apply(step)
        assert len({one.states.tobytes() for one in (line, *twins)}) == 1
        assert len({one.recalled(0) for one in (line, *twins)}) == 1
    assert sum(odds for _, odds in Line(table(game, seats)).outcomes()) == pytest.approx(1)


@pytest.mark.parametrize("game, seats", HIDING, ids=name_of)
def test_a_world_dealt_anew_is_heard_alike(game: Game, seats: int) -> None:
    line, source, rng = Line(table(game, seats)), Stream(seeded_rng(1)), random.Random(3)
    unheard = 0
    for _ in range(200):
        draw(line, source)
        if not line.actors:
            break
        line.apply(rng.choice(line.legal()))
        for seat in range(seats):
            heard = line.heard(seat)
            unheard += any(step == UNHEARD for _, step in heard)
            world = line.redealt(seat, rng.randrange(1 << 32))
            assert world.heard(seat) == heard
            assert world.recalled(seat).startswith(line.recalled(seat))
            for other in range(seats):
                assert all(
                    one in (two, (two[0], UNHEARD))
                    for one, two in zip(world.heard(other), heard, strict=True)
                )
    assert unheard


def test_a_sealed_choice_is_read_when_all_have_chosen() -> None:
    from regalia import GAMES
    from regalia.core.toys import start_of_toy

    game = GAMES["long_live_the_king"]
    line = Line(Table(game, start_of_toy(game, "crown"), 3))
    stake = line.legal()[0]
    line.apply(stake)
    assert [line.heard(seat) for seat in range(3)] == [[(0, stake)], [(0, UNHEARD)], [(0, UNHEARD)]]
    assert line.recalled(2) == "2 0:?"
    line.apply(stake)
    assert line.heard(2) == [(0, stake), (1, stake)]

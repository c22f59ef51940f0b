"""What a position is worth: shares that add up, an error, what everybody knows and no more, exact where that can be."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

import regalia
from driving import HIDING, TABLES, finished, name_of, walk
from regalia import EVERYTHING, GAMES, Game, Match, SetupError
from regalia.bots import choose
from regalia.games.court_the_king.study import exact as court
from regalia.games.rose_king.study import exact as rose
from regalia.study.pieces import finish
from regalia.study.value import Valuation, sides_of, value

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
hiding = pytest.mark.parametrize("game, seats", HIDING, ids=name_of)


@tables
def test_shares_add_up_to_one_wherever_they_are_asked_for(game: Game, seats: int) -> None:
    """Before the deal, at some decisions and after the end."""
    start = Match.new(game, seats, chance="manual")
    matches = [
        start,
        *(match.copy() for match in walk(game, seats, 8) if match.ply % 61 == 1 or match.is_over),
    ]
    for match in matches:
        found = value(match, simulations=80, seed=1)
        assert len(found.share) == len(found.error) == len(found.points) == len(sides_of(match).seats)
        assert sum(found.share) == pytest.approx(1, abs=1e-5)
        assert min(found.share) >= 0 <= min(found.error)
        assert found == value(match, simulations=80, seed=1)
        for line in found.lines:
            assert line.action in match.actions(match.actors[0])
            assert sum(line.share) == pytest.approx(1, abs=1e-5)
    assert found.exact
    assert match.outcome is not None
    winners = [match.outcome.ranks[side[0]] == 1 for side in sides_of(match).seats]
    assert found.share == tuple(wins / sum(winners) for wins in winners)


@hiding
def test_a_value_is_unchanged_when_the_truth_behind_the_view_changes(game: Game, seats: int) -> None:
    differing = 0
    for match in walk(game, seats, 23):
        if match.ply not in (2, 3, 5, 8, 40, 80, 160, 240) or not match.actors:
            continue
        for viewer in (None, match.actors[0]):
            told = value(match, viewer, 60, seed=2)
            world = match.redeal(viewer, 4)
            differing += world.state_bytes() != match.state_bytes()
            assert value(world, viewer, 60, seed=2) == told
    assert differing > 1


def test_what_is_told_is_the_plain_share_of_the_victory() -> None:
    """In The Rose King the search also climbs by how clear a victory is; neither values nor hints tell that."""
    for match in walk(GAMES["rose_king"], 2, 9):
        if match.actors and rose.shares(match.seen(EVERYTHING)) and len(match.actions(match.actors[0])) > 1:
            break
    seat = match.actors[0]
    certain = rose.shares(match.seen(EVERYTHING))
    assert certain is not None
    hint = choose(match, seat, "knight", 1, simulations=200)
    assert hint.considered[0].value == pytest.approx(certain[seat], abs=0.001)


def test_independent_trees_tell_how_sure_a_value_is() -> None:
    """Over other seeds the values scatter about as much as the errors say."""
    match = Match.new("rose_king", seed=3)
    shares, errors = zip(
        *(
            (one.share[0], one.error[0])
            for one in (value(match, simulations=400, seed=seed) for seed in range(24))
        ),
        strict=True,
    )
    scatter = float(np.std(shares, ddof=1))
    assert 0.4 < scatter / float(np.sqrt(np.mean(np.square(errors)))) < 2.5
    more = [value(match, simulations=6400, seed=seed).error[0] for seed in range(6)]
    assert np.mean(more) < np.mean(errors)


def test_a_lead_that_nothing_can_take_is_certain() -> None:
    """In The Rose King: from there on every line of play, here random ones, is won by who leads."""
    rng = random.Random(4)
    met = 0
    for seed in range(12):
        for match in walk(GAMES["rose_king"], 2, seed):
            shares = rose.shares(match.seen(EVERYTHING)) if match.actors else None
            if shares is None:
                continue
            met += 1
            assert value(match, simulations=10, seed=1).share == shares
            for _ in range(6):
                line = match.copy()
                while line.actors:
                    line.play(line.actors[0], rng.choice(line.actions(line.actors[0])))
                assert line.outcome is not None
                assert [rank == 1 for rank in line.outcome.ranks] == [share == 1 for share in shares]
    assert met > 3


def test_the_last_turn_of_to_court_the_king_is_solved() -> None:
    """The search comes close to what the odds of the turn say; and no action is better than the turn."""
    met = 0
    for seed in range(6):
        for match in walk(GAMES["court_the_king"], 2, seed):
            states = match.seen(EVERYTHING)
            shares = court.shares(states) if match.actors else None
            if shares is None or not 0.02 < shares[match.actors[0]] < 0.98:
                continue
            met += 1
            found = value(match, simulations=4000, seed=1)
            assert (found.exact, found.share) == (True, shares)
            valuation = Valuation(match.game, sides_of(match), 4000)
            searched = finish(valuation.estimate(states, -2, 1)).share[match.actors[0]]
            assert searched == pytest.approx(shares[match.actors[0]], abs=0.12)
            assert searched < shares[match.actors[0]] + 0.03
            if met > 5:
                return
    assert met > 0


def test_raising_the_flag_ends_it_with_what_is_known() -> None:
    match = Match.new("rose_king", seed=3)
    stop = np.ones(1, np.uint8)
    found = value(match, simulations=200_000, seed=1, stop=stop)
    assert found.share == (0.5, 0.5)
    stop[0] = 0
    timer = threading.Timer(0.3, lambda: stop.__setitem__(0, 1))
    timer.start()
    found = value(match, simulations=200_000, seed=1, stop=stop)
    assert sum(found.share) == pytest.approx(1, abs=1e-5)
    assert all(sum(line.share) == pytest.approx(1, abs=1e-5) for line in found.lines)
    timer.join()


def test_wrong_questions_are_refused() -> None:
    match = Match.new("rose_king", seed=1)
    for simulations in (0, -5):
        with pytest.raises(SetupError, match="budget"):
            value(match, simulations=simulations)
    with pytest.raises(SetupError, match="still being played"):
        value(match, EVERYTHING)
    with pytest.raises(SetupError, match="no seat 2"):
        value(match, 2)
    assert regalia.value(finished(match.game, 2, 1), EVERYTHING).exact

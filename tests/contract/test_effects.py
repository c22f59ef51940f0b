"""Every game that tells what its steps did: for every record, to every viewer, and no more than the viewer may know."""

from __future__ import annotations

import random

import msgspec
import pytest

from contract.test_leaks import another_history, hides_lately
from driving import TABLES, chooser, finished, name_of, walk
from regalia import Game, Match, SetupError
from regalia.core.transcript import HIDDEN
from regalia.core.viewers import EVERYTHING, SPECTATOR, Viewer

TELLING = [(game, seats) for game, seats in TABLES if game.engine.effects is not None]
tables = pytest.mark.parametrize("game, seats", TELLING, ids=name_of)
hiding = pytest.mark.parametrize(
    "game, seats",
    [(game, seats) for game, seats in TELLING if game.engine.layout.hidden],
    ids=name_of,
)


def told(match: Match, viewer: Viewer) -> bytes:
    return msgspec.json.encode([match.effects(ply, viewer) for ply in range(match.ply)])


@pytest.mark.plain
@tables
def test_every_record_tells_every_viewer_what_happened(game: Game, seats: int) -> None:
    match = finished(game, seats, 21, chooser(game))
    again = Match.replay(match.transcript())
    for viewer in (SPECTATOR, EVERYTHING, *range(seats)):
        assert told(match, viewer) == told(again, viewer)
    assert any(match.effects(ply) for ply in range(match.ply))
    if not game.engine.layout.hidden:
        assert told(match, SPECTATOR) == told(match, EVERYTHING)


@tables
def test_playing_tells_nothing_until_it_is_asked_for(game: Game, seats: int) -> None:
    match = finished(game, seats, 22)
    assert not any(match.has_told(ply) for ply in range(match.ply))
    assert match.effects(0) is match.copy().effects(0)
    assert match.has_told(0)
    assert match.has_told(0, 0) == (not game.engine.layout.hidden)


@tables
def test_an_action_taken_back_is_told_no_more(game: Game, seats: int) -> None:
    rng = random.Random(3)
    for match in walk(game, seats, 23):
        if len(match.actors) != 1 or rng.random() > 0.1:
            continue
        seat = match.actors[0]
        for action in rng.sample(match.actions(seat), min(3, len(match.actions(seat)))):
            fresh = match.copy()
            fresh._effects = {}
            match.play(seat, action)
            fresh.append(match.records[-1])
            assert told(match, EVERYTHING) == told(fresh, EVERYTHING)
            match.back_to(fresh.ply - 1)
            with pytest.raises(SetupError):
                match.effects(match.ply)
        return


@hiding
def test_another_history_behind_the_same_view_tells_the_same(game: Game, seats: int) -> None:
    """Draw what a viewer could not read anew and keep the rest: what is told of every record is the same."""
    compared = 0
    for seed in range(30):
        rng = random.Random(seed)
        for match in walk(game, seats, seed):
            if match.ply >= 4 + seed % 25 and hides_lately(match):
                break
        for viewer in (None, *range(seats)):
            other = another_history(match, viewer, rng)
            if other is None:
                continue
            compared += 1
            assert told(other, viewer) == told(match, viewer)
    assert compared > 10


@hiding
def test_a_redealt_world_does_not_tell_what_was_before(game: Game, seats: int) -> None:
    for match in walk(game, seats, 24):
        if match.ply > 3 and len(match.actors) == 1 and not match.records[-1].sealed:
            break
    world = match.redeal(0, 1)
    first = 0
    if HIDDEN not in world.records[0].outcomes:  # a set-up without secrets
        assert world.effects(0, 0) == match.effects(0, 0)
        first = 1
    for ply in range(first, world.ply + 1):
        with pytest.raises(SetupError):
            world.effects(ply)
    world.play(world.actors[0], world.actions(world.actors[0])[0])
    assert world.effects(world.ply - 1, 0) is not None


def test_a_game_may_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished(*TABLES[0], 3)
    monkeypatch.setattr(match.engine, "effects", None)
    assert [match.effects(ply) for ply in range(match.ply)] == [()] * match.ply

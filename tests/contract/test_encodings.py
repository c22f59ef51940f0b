"""Every game that has features: they say all a seat sees, nothing else, and the same compiled and as plain Python."""

from __future__ import annotations

import hashlib
from itertools import islice

import numpy as np
import pytest

from driving import TABLES, chooser, name_of, walk
from regalia import GAMES, Batch, Game, Match
from regalia.core.arrays import States
from regalia.research.encode import bytes_of, encoding

FEATURES = [(game, seats) for game, seats in TABLES if game.has_part("encode")]
tables = pytest.mark.parametrize("game, seats", FEATURES, ids=name_of)

SIZES = {"rose_king": 490, "carolus_magnus": 332, "court_the_king": 269, "long_live_the_king": 427}

# Fields that features leave out, and why.
WAIVED = {
    "reason": "there when the match is over only",
    "turn": "told by who is to act",
    "active": "told by who is to act",
    "at": "the order tells it, with who is to act",
    "left": "the number of cards in the pile",
    "place": "follows from where places begin and how large they are",
    "confer": "changes no rule",
    "paid": "of a roll that is being made",
    "target": "of a roll that is being made",
    "sums": "of a roll that is being made",
    "standing": "of an election that is being held",
    "due": "what chance owes",
    "owing": "who has sealed tells it, or whose dice are not rolled",
}
SAID_ANYWAY = {("carolus_magnus", "due")}

# Of the features of some moments of one match, for all seats: the same compiled and plain.
DIGESTS = {
    "rose_king 2": "ef7b2de1573680d0",
    "carolus_magnus 2": "c8eace51dc823f66",
    "carolus_magnus 3": "069f1ac60d71cdb6",
    "carolus_magnus 4": "787f262f972fdc31",
    "court_the_king 2": "d390a997694f3b3b",
    "court_the_king 3": "438db7e98226f5a2",
    "court_the_king 4": "85897512d25983fd",
    "court_the_king 5": "9b3d3796ba02c824",
    "long_live_the_king 3": "1bbb71372ce30832",
    "long_live_the_king 4": "71d9e3dda38b3ea0",
    "long_live_the_king 5": "2470a3267a9fb4c7",
}


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.has_part("encode")], ids=name_of)
def test_slices_have_names_sentences_and_bounds(game: Game) -> None:
    features = encoding(game)
    assert features.size == SIZES[game.id]
    assert len(set(features.names)) == len(features.parts)
    assert all(part.sentence and part.low < part.high for part in features.parts)
    assert features.slices[features.names[-1]].stop == features.size
    assert features.digest != encoding(game, "record").digest
    assert encoding(game, "record").size == game.engine.layout.dtype.itemsize


@tables
def test_who_sees_something_else_gets_other_features(game: Game, seats: int) -> None:
    """Over random play, inside actions too: from the features follows every byte that the seat may see."""
    engine, features = game.engine, encoding(game)
    waived = [name for name in WAIVED if (game.id, name) not in SAID_ANYWAY]
    told = np.ones(engine.layout.dtype.itemsize, np.bool_)
    for name in waived:
        if name in engine.layout.dtype.names:
            part, start = engine.layout.dtype.fields[name][:2]
            told[start : start + part.itemsize] = False
    seen, out = engine.layout.empty(32), features.empty(32)
    known: dict[bytes, bytes] = {}
    for choice in range(2):
        options = {option.name: option.values[-choice] for option in game.options if not option.seats}
        options |= {
            option.name: option.values[-choice]
            for option in game.options
            if option.seats and seats in option.seats
        }
        batch = Batch(game, 32, seats, options, seed=4)
        for turn in range(250):
            viewers = np.full(32, turn % seats, np.int8)
            features.observe(batch.states, viewers, seen, out)
            assert (out >= features.low).all()
            assert (out <= features.high).all()
            shown = np.where(engine.layout.visible[turn % seats], bytes_of(batch.states), 255)[:, told]
            for i in np.flatnonzero(batch.seats >= 0):
                key = out[i].tobytes() + bytes([turn % seats])
                assert known.setdefault(key, shown[i].tobytes()) == shown[i].tobytes()
            batch.step_at_random()
            batch.restart()
    assert len(known) > 1000


@tables
def test_what_nobody_may_know_is_in_no_feature(game: Game, seats: int) -> None:
    engine, features = game.engine, encoding(game)
    seen, out = engine.layout.empty(2), features.empty(2)
    for match in islice(walk(game, seats, 31), 0, None, 9):
        for seat in range(seats):
            two = np.concatenate([match._states, match.redeal(seat, match.ply)._states])
            features.observe(two, np.full(2, seat, np.int8), seen, out)
            assert out[0].tobytes() == out[1].tobytes()


def with_half_actions(match: Match) -> list[States]:
    """The state of a match, and the one inside an action to which some step leads."""
    engine, half = match.engine, match.engine.layout.copy(match._states)
    if match.actors:
        legal = engine.legal(half, match.actors[0])
        engine.apply(half, match.actors[0], legal[len(legal) // 2])
    return [match._states, half] if match.actors and engine.is_inner(half) else [match._states]


@pytest.mark.plain
@tables
def test_features_are_the_same_compiled_and_as_plain_python(game: Game, seats: int) -> None:
    features, digest = encoding(game), hashlib.sha256()
    seen, out = game.engine.layout.empty(1), features.empty(1)
    for match in islice(walk(game, seats, 12, chooser(game)), 0, 120, 3):
        for states in with_half_actions(match):
            for seat in range(seats):
                features.observe(states, np.full(1, seat, np.int8), seen, out)
                digest.update(out.tobytes())
    assert digest.hexdigest()[:16] == DIGESTS[f"{game.id} {seats}"]


@pytest.mark.plain
@tables
def test_nobody_is_to_act_when_the_match_is_over(game: Game, seats: int) -> None:
    features, match = encoding(game), next(walk(game, seats, 3))
    seen, out = game.engine.layout.empty(1), features.empty(1)
    states = game.engine.layout.copy(match._states)
    told = []
    for phase in (match.phase, "over"):
        states["phase"] = game.engine.phases.index(phase)
        features.observe(states, np.zeros(1, np.int8), seen, out)
        told.append(int(out[0, features.slices["actors"]].sum()))
    assert told == [1, 0]

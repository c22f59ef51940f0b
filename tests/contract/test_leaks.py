"""Every game: what a seat cannot know changes nothing in what it gets. Re-deal what is hidden and compare bytes."""

from __future__ import annotations

import json
import random
from itertools import chain

import pytest

from driving import HIDING, TABLES, chooser, error_of, name_of, refused_texts, walk
from regalia import CHANCE, Game, Match, RegaliaError
from regalia.core.viewers import EVERYTHING, SPECTATOR

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
hiding = pytest.mark.parametrize("game, seats", HIDING, ids=name_of)


def channels(match: Match, seat: int | None, texts: list[str]) -> list[str]:
    """Everything a seat gets, as text."""
    told = [json.dumps(match.view(seat))]
    if seat is not None:
        told += [json.dumps(match.position(seat)), match.transcript(seat), json.dumps(match.actions(seat))]
        told += [error_of(match, seat, text) for text in texts]
        told.append(str([game_legal(match, seat)]))
    return told


def game_legal(match: Match, seat: int) -> list[int]:
    return match.engine.legal(match._states, seat) if seat in match.actors else []


@pytest.mark.plain
@tables
def test_no_channel_tells_what_is_hidden(game: Game, seats: int) -> None:
    rng = random.Random(8)
    differing = 0
    for match in chain(walk(game, seats, 17, chooser(game)), walk(game, seats, 18)):
        if rng.random() > 0.1:
            continue
        for seat in (None, *range(seats)):
            texts = [] if seat is None else refused_texts(match, seat, rng)
            texts = [
                text
                for text in rng.sample(texts, min(8, len(texts)))
                if error_of(match, seat, text) != "accepted"
            ]
            told = channels(match, seat, texts)
            for seed in range(2):
                world = match.redeal(seat, seed)
                differing += world.state_bytes() != match.state_bytes()
                assert channels(world, seat, texts) == told
    assert bool(differing) == game.engine.layout.hidden


@hiding
def test_a_redealt_world_can_be_played_to_the_end(game: Game, seats: int) -> None:
    rng = random.Random(9)
    for match in walk(game, seats, 18):
        if rng.random() > 0.05:
            continue
        world = match.redeal(rng.randrange(seats), rng.randrange(1000))
        while world.actors:
            seat = rng.choice(world.actors)
            world.play(seat, rng.choice(world.actions(seat)))
        assert world.outcome is not None


@hiding
def test_another_history_behind_the_same_view_gives_the_same_transcript(game: Game, seats: int) -> None:
    """Draw the hidden outcomes of a match anew and keep the rest: a seat that sees neither cannot tell them apart."""
    compared = 0
    for seed in range(40):
        rng = random.Random(seed)
        for match in walk(game, seats, seed):
            if match.ply >= 4 + seed % 25 and hides_lately(match):
                break
        for seat in range(seats):
            other = another_history(match, seat, rng)
            if other is None:
                continue
            compared += 1
            assert other.transcript(seat) == match.transcript(seat)
            assert other.view(seat) == match.view(seat)
    assert compared > 10


@hiding
def test_no_text_of_a_redealt_match_tells_the_hidden_position_it_began_from(game: Game, seats: int) -> None:
    """Two matches that a viewer cannot tell apart are dealt anew alike, and then print the same."""
    differing = 0
    rng = random.Random(21)
    for match in walk(game, seats, 22):
        if rng.random() > 0.1 or not match.actors:
            continue
        begun = Match.from_position(game, match.position(), seed=4)
        begun.play(begun.actors[0], rng.choice(begun.actions(begun.actors[0])))
        for viewer in (SPECTATOR, *range(seats)):
            other = begun.redeal(viewer, 8)
            ours, theirs = begun.redeal(viewer, 9), other.redeal(viewer, 9)
            differing += other.header != begun.header
            assert ours == theirs
            for reader in (EVERYTHING, SPECTATOR, *range(seats)):
                assert ours.transcript(reader) == theirs.transcript(reader)
                assert ours.position_text(reader) == theirs.position_text(reader)
                assert other.transcript(viewer) == begun.transcript(viewer)
            assert str(ours) == str(theirs)
    assert differing


def hides_lately(match: Match) -> bool:
    """Whether somebody cannot read all of the last few records."""
    return any(record.sealed or set(record.receivers) - {None} for record in match.records[-4:])


def another_history(match: Match, seat: int, rng: random.Random) -> Match | None:
    """The same match with what the seat cannot read chosen and drawn anew, if the rest is then possible.

    Where nobody chooses in secret, only outcomes differ, and most draws do not allow what was played later. Where every
    card is there but once, hardly any do: then only some of them are drawn anew.
    """
    for share in (*[1.0] * 5, *[0.1] * 15):
        other = drawn_anew(match, seat, rng, share)
        if other is not None and other.state_bytes() != match.state_bytes():
            return other
    return None


def drawn_anew(match: Match, seat: int, rng: random.Random, share: float) -> Match | None:
    """… with this share of the hidden draws made anew."""
    other = Match.new(match.game, match.seats, options=match.options, chance="manual")
    try:
        for record in match.records:
            if record.seat is not None:
                sealed_and_foreign = record.sealed and record.seat != seat
                action = rng.choice(other.actions(record.seat)) if sealed_and_foreign else record.action
                other.play(record.seat, action)
            for text, receiver in zip(record.outcomes, record.receivers, strict=True):
                is_hidden = receiver is not None and receiver != seat
                is_new = is_hidden and rng.random() < share
                other.play(CHANCE, rng.choice(other.actions(CHANCE)) if is_new else text)
    except RegaliaError:
        return None
    return other


@hiding
def test_hidden_words_print_as_one_sign(game: Game, seats: int) -> None:
    if game.engine.order is None:
        pytest.skip("nobody chooses at the same time")
    for match in walk(game, seats, 19):
        if any(record.sealed for record in match.records):
            sealed = [record.seen_by(None).action for record in match.records if record.sealed]
            assert set(sealed) == {"?"}
            return
    pytest.fail("no sealed action was met")

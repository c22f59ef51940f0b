"""Every game: notation, positions and transcripts go round, and any text gives a value or one of our errors."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from driving import ALL_GAMES, TABLES, chooser, finished, name_of, walk
from regalia import CHANCE, Game, Match, NotationError, RegaliaError

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
games = pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
steady = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.plain
@tables
def test_actions_are_canonical_distinct_and_each_its_own_effect(game: Game, seats: int) -> None:
    rng = random.Random(5)
    for match in walk(game, seats, 6, chooser(game)):
        if rng.random() > 0.15:
            continue
        for seat in match.actors:
            texts = match.actions(seat)
            assert len(set(texts)) == len(texts)
            after = set()
            for text in rng.sample(texts, min(30, len(texts))):
                steps = game.engine.notation.read(text, match.seen(seat)[0], seat)
                assert game.engine.notation.write(steps, match.seen(seat)[0], seat) == text
                twin = match.copy()
                twin._chance = Match.new(game, seats, chance="manual")._chance
                twin.play(seat, f"  {text.upper()} ")
                after.add(twin.state_bytes())
                assert twin.records[-1].action == text or len(match.actors) == 1 != len(twin.records)
            assert len(after) == min(30, len(texts))
            prefix = texts[0][:2]
            assert match.actions(seat, prefix.upper()) == [
                t for t in texts if t.casefold().startswith(prefix.casefold())
            ]


@pytest.mark.plain
@tables
def test_positions_go_round_as_json(game: Game, seats: int) -> None:
    rng = random.Random(7)
    for match in walk(game, seats, 9, chooser(game)):
        if match.actors and rng.random() > 0.2:
            continue
        position = json.loads(json.dumps(match.position()))
        again = Match.from_position(game, position, seed=1)
        assert again.state_bytes() == match.state_bytes()
        assert again.position() == match.position()
        assert again.outcome == match.outcome
        json.dumps([match.view(seat) for seat in (None, *range(seats))])


@pytest.mark.plain
@tables
def test_a_transcript_replays_to_the_same_bytes(game: Game, seats: int) -> None:
    match = finished(game, seats, 12, chooser(game))
    text = match.transcript()
    again = Match.replay(text)
    assert again.state_bytes() == match.state_bytes()
    assert again.records == match.records
    assert again.transcript() == text
    assert "seed" not in text


@tables
def test_a_transcript_from_a_position_goes_on_from_it(game: Game, seats: int) -> None:
    for match in walk(game, seats, 13, chooser(game)):
        if match.ply == 12:
            break
    begun = Match.from_position(game, match.position(), seed=3)
    rng = random.Random(1)
    while begun.actors and begun.ply < 10:
        begun.play(begun.actors[0], rng.choice(begun.actions(begun.actors[0])))
    again = Match.replay(begun.transcript())
    assert again.state_bytes() == begun.state_bytes()
    assert again.transcript() == begun.transcript()


@tables
def test_a_transcript_cut_off_or_edited_is_refused(game: Game, seats: int) -> None:
    text = finished(game, seats, 14, chooser(game)).transcript()
    lines = text.split("\n")
    rng = random.Random(2)
    for at in rng.sample(range(len(lines) - 2), min(25, len(lines) - 2)):
        with pytest.raises(RegaliaError):
            Match.replay("\n".join(lines[: at + 1]))
        with pytest.raises(RegaliaError):
            Match.replay("\n".join(lines[:at] + lines[at + 1 :]))
    for edit in (("rules ", "rules 9"), ("game ", "game x"), ("seats ", "seats 1"), ("end ", "end 9")):
        with pytest.raises(RegaliaError):
            Match.replay(text.replace(*edit, 1))
    with pytest.raises(NotationError, match="version 99"):
        Match.replay(text.replace(f"rules {game.rules}", "rules 99"))


@tables
def test_a_seats_transcript_is_refused_where_something_is_hidden(game: Game, seats: int) -> None:
    text = finished(game, seats, 15).transcript(0)
    if "?" in text:
        with pytest.raises(NotationError):
            Match.replay(text)
    else:
        assert Match.replay(text).transcript() == text


WORDS = (
    "draw NE2 stake x1 mark end roll keep take use merchant 1 6 > = + - * / red court move Man disc reroll"
)
some_text = st.one_of(
    st.text(max_size=60), st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join)
)


@games
@steady
@given(text=some_text, ply=st.integers(1, 40))
def test_any_action_text_gives_a_record_or_an_error(game: Game, text: str, ply: int) -> None:
    match = MIDDLES.setdefault((game.id, ply % 4), middle(game, 1 + 9 * (ply % 4))).copy()
    for seat in (*match.actors, CHANCE):
        before = match.state_bytes()
        try:
            match.play(seat, text)
        except RegaliaError:
            assert match.state_bytes() == before
        match.actions(seat, text)


MIDDLES: dict[tuple[str, int], Match] = {}


def middle(game: Game, ply: int) -> Match:
    for match in walk(game, game.seats[-1], 16):
        if match.ply >= ply:
            break
    return match


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@games
@steady
@given(data=st.data())
def test_any_position_gives_a_match_or_an_error(game: Game, data: st.DataObject) -> None:
    position: dict[str, Any] = json.loads(json.dumps(middle(game, data.draw(st.integers(1, 30))).position()))
    for _ in range(data.draw(st.integers(1, 2))):
        key = data.draw(st.sampled_from([*position, "surplus"]))
        position[key] = data.draw(json_values)
    try:
        match = Match.from_position(game, position, seed=1)
    except RegaliaError:
        return
    while match.actors and match.ply < 30:
        match.play(match.actors[0], match.actions(match.actors[0])[0])


@games
@steady
@given(data=st.data())
def test_any_transcript_gives_a_match_or_an_error(game: Game, data: st.DataObject) -> None:
    lines = MIDDLES.setdefault((game.id, 2), middle(game, 19)).transcript().split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(
            st.one_of(some_text, st.sampled_from(lines), st.text('0123456789 /{}[]:",abc', max_size=30))
        )
    try:
        match = Match.replay("\n".join(lines))
    except RegaliaError:
        return
    assert Match.replay(match.transcript()).state_bytes() == match.state_bytes()


@given(text=st.text())
def test_any_text_as_a_transcript(text: str) -> None:
    with pytest.raises(RegaliaError):
        Match.replay(text)

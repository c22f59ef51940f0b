"""Every game: matches end, refusals change nothing, undo restores, copies are independent."""

from __future__ import annotations

import random

import numpy as np
import pytest

from driving import ALL_GAMES, TABLES, chooser, finished, name_of, refused_texts, some_options, walk
from regalia import Batch, Game, IllegalAction, Match, MatchOver, RegaliaError, SetupError, StaleAction
from regalia.core.game import CHANCE

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
games = pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
QUICK = 3


@tables
def test_playouts_end_for_a_reason_and_give_ranks(game: Game, seats: int) -> None:
    engine = game.engine
    tally = engine.playouts(engine.start(seats, {}), 200, seed=1)
    assert tally.games == 200
    assert sum(tally.reasons.values()) == 200
    assert "running" not in tally.reasons
    assert all(sum(counts) == 200 for counts in tally.ranks)
    assert sum(counts[0] for counts in tally.ranks) >= 200


@tables
def test_playouts_are_reproducible_and_may_use_threads(game: Game, seats: int) -> None:
    engine = game.engine
    start = engine.start(seats, {})
    assert engine.playouts(start, 40, seed=5, threads=2) == engine.playouts(start, 40, seed=5, threads=2)
    assert engine.playouts(start, 40, seed=5) != engine.playouts(start, 40, seed=6)


@pytest.mark.plain
@tables
def test_an_outcome_ranks_every_seat(game: Game, seats: int) -> None:
    match = finished(game, seats, seed=11, choose=chooser(game))
    outcome = match.outcome
    assert outcome is not None
    assert match.actors == ()
    assert len(outcome.ranks) == len(outcome.points) == seats
    assert min(outcome.ranks) == 1
    assert outcome.reason in game.engine.reasons[1:]
    assert match.view(0)["outcome"]["ranks"] == list(outcome.ranks)
    with pytest.raises(MatchOver) as caught:
        match.play(0, "anything")
    assert caught.value.clause


@pytest.mark.plain
@tables
def test_a_refused_action_changes_nothing_and_names_its_clause(game: Game, seats: int) -> None:
    rng = random.Random(3)
    seen = 0
    for match in walk(game, seats, 21, chooser(game)):
        if rng.random() > 0.2 or not match.actors:
            continue
        before = match.state_bytes(), list(match.records), list(match.log), match.ply
        for seat in range(seats):
            for text in rng.sample(options := refused_texts(match, seat, rng), min(6, len(options))):
                with pytest.raises(RegaliaError) as caught:
                    match.play(seat, text)
                seen += isinstance(caught.value, IllegalAction)
                if isinstance(caught.value, IllegalAction):
                    assert caught.value.clause, text
                    assert caught.value.clause in str(caught.value)
                assert (match.state_bytes(), match.records, match.log, match.ply) == before
    assert seen


@tables
def test_a_stale_ply_or_a_wrong_seat_is_refused(game: Game, seats: int) -> None:
    match = Match.new(game, seats, seed=1)
    seat = match.actors[0]
    with pytest.raises(StaleAction):
        match.play(seat, match.actions(seat)[0], ply=match.ply + 1)
    for wrong in (-1, seats, CHANCE, True):
        with pytest.raises(RegaliaError):
            match.play(wrong, match.actions(seat)[0])
    with pytest.raises(SetupError):
        match.view(seats)
    match.play(seat, match.actions(seat)[0], ply=match.ply)


@pytest.mark.plain
@tables
def test_undo_goes_back_while_nothing_else_happened(game: Game, seats: int) -> None:
    """Over a whole match: after each action, undo is possible exactly when no chance and no sealing followed."""
    rng = random.Random(4)
    done = refused = 0
    match = Match.new(game, seats, 8, some_options(game, seats, rng))
    choose = chooser(game)
    while match.actors:
        seat = rng.choice(match.actors)
        several = len(match.actors) > 1
        before, ply = match.state_bytes(), match.ply
        record = match.play(seat, choose(match, seat, rng))
        with pytest.raises(RegaliaError):
            match.undo((seat + 1) % seats)
        if record.outcomes or several or match.records[-1].seat != seat or match.records[-1].outcomes:
            with pytest.raises(RegaliaError):
                match.undo(seat)
            refused += 1
            continue
        after, log = match.state_bytes(), len(match.log)
        try:
            assert match.undo(seat).ply == ply
        except RegaliaError:
            assert any(entry.sealed for entry in match.log[-seats:] if hasattr(entry, "sealed"))
            continue
        assert (match.state_bytes(), match.ply, len(match.log)) == (before, ply, log + 1)
        assert match.play(seat, record.action).action == record.action
        assert match.state_bytes() == after
        done += 1
    assert done or refused


@tables
def test_copies_are_independent(game: Game, seats: int) -> None:
    match = Match.new(game, seats, seed=2)
    before = match.state_bytes(), match.transcript()
    copy = match.copy()
    for _ in range(5):
        if copy.actors:
            copy.play(copy.actors[0], copy.actions(copy.actors[0])[0])
    assert (match.state_bytes(), match.transcript()) == before
    assert copy.ply > match.ply


@tables
def test_the_same_seed_gives_the_same_match_and_no_seed_another(game: Game, seats: int) -> None:
    assert finished(game, seats, 5).transcript() == finished(game, seats, 5).transcript()
    secure = {Match.new(game, seats).transcript() for _ in range(40)}
    assert len(secure) > 1 or not Match.new(game, seats).records[0].outcomes


@tables
def test_batches_step_many_matches_by_the_same_rules(game: Game, seats: int) -> None:
    batch = Batch(game, 32, seats, seed=3)
    engine = game.engine
    for _ in range(60):
        for i in (0, 13, 31):
            one = batch.states[i : i + 1].copy()
            if batch.seats[i] >= 0:
                assert engine.legal(one, int(batch.seats[i])) == np.flatnonzero(batch.masks[i]).tolist()
                assert batch.seats[i] in engine.actors(one)
            else:
                assert engine.actors(one) == ()
        chosen = [
            int(np.flatnonzero(mask)[0]) if seat >= 0 else 0
            for mask, seat in zip(batch.masks, batch.seats, strict=True)
        ]
        before = batch.states.copy()
        if batch.seats[0] >= 0 and not batch.masks[0].all():
            wrong = [int(np.flatnonzero(batch.masks[0] == 0)[0]), *chosen[1:]]
            with pytest.raises(ValueError, match="match 0"):
                batch.step(wrong)
            assert (batch.states == before).all()
        batch.step(chosen) if _ % 2 else batch.step_at_random()
        batch.restart()
    with pytest.raises(ValueError, match="32 step ids"):
        batch.step([0, 1])


@games
def test_bad_beginnings_are_refused(game: Game) -> None:
    for wrong in (0, 1, 9, "2", True, None if None not in game.seats else 0):
        if wrong is not None:
            with pytest.raises(SetupError):
                Match.new(game, wrong)  # type: ignore[arg-type]
    with pytest.raises(SetupError):
        Match.new(game, options={"no_such_option": "true"})
    for option in game.options:
        with pytest.raises(SetupError):
            Match.new(game, (option.seats or game.seats)[0], options={option.name: "no such value"})
    with pytest.raises(SetupError):
        Match.new(game, seed="seven")  # type: ignore[arg-type]
    with pytest.raises(SetupError):
        Match.new(game, chance="luck")
    with pytest.raises(SetupError):
        Match.new("no_such_game")


@pytest.mark.plain
@tables
def test_chance_by_hand_gives_the_same_match(game: Game, seats: int) -> None:
    """Every outcome played by hand, one by one or all at once, leads to the same bytes."""
    model = finished(game, seats, 31, chooser(game)) if game.id == "probe" else partial(game, seats, 31, 40)
    match = Match.new(game, seats, options=model.options, chance="manual")
    for ply, record in enumerate(model.records):
        if record.seat is not None:
            match.play(record.seat, record.action)
        outcomes = list(record.outcomes)
        if outcomes:
            assert match.actors == (CHANCE,)
            assert outcomes[0] in match.actions(CHANCE)
            with pytest.raises(RegaliaError):
                match.play(CHANCE, "no such outcome")
            if ply % 2:
                match.play(CHANCE, " ".join(outcomes))
            else:
                for outcome in outcomes:
                    match.play(CHANCE, outcome)
    assert match.state_bytes() == model.state_bytes()
    assert match.records == model.records
    assert match.transcript() == model.transcript()


def partial(game: Game, seats: int, seed: int, plies: int) -> Match:
    for match in walk(game, seats, seed, chooser(game)):
        if match.ply >= plies:
            break
    return match

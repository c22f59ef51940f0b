"""Every game: every clause has a test, every step and end reason was reached, compiled and plain rules agree."""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from driving import ALL_GAMES, TABLES, TESTS, chooser, finished, name_of
from regalia import GAMES, Game, Match
from regalia.core import algorithms, rulebook
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import bind
from regalia.core.rng import below, seeded_rng
from regalia.locale import LANGUAGES, catalogue

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
games = pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
lowest, leave_to_chance = algorithms.lowest, algorithms.leave_to_chance
actors = legal = apply = draws = outcome = algorithms.unbound


def clauses_of(game: Game) -> list[str]:
    found = [law.id for law in rulebook.laws(game)]
    assert len({clause.partition("-")[0] for clause in found}) == 1
    assert len(found) > 5
    return found


def marked_clauses(folder: Path) -> set[str]:
    """The arguments of all @pytest.mark.clause(…) in a folder's tests."""
    marked: set[str] = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("clause", "pytest.mark.clause"):
                marked.update(str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
    return marked


@games
def test_every_clause_has_a_test(game: Game) -> None:
    folder = TESTS / "games" / game.id if game.id in GAMES else TESTS / game.id
    marked = marked_clauses(folder)
    clauses = clauses_of(game)
    assert [clause for clause in clauses if clause not in marked] == []
    assert sorted(marked - set(clauses)) == []


@games
def test_the_help_says_every_clause_option_and_reason_in_every_language(game: Game) -> None:
    for language in LANGUAGES:
        words = catalogue(language)
        wanted = [f"{game.id}.clause.{law.id}" for law in rulebook.laws(game)]
        wanted += [f"{game.id}.reason.{reason}" for reason in game.engine.reasons[1:]]
        wanted += [f"{game.id}.chapter.{law.chapter}" for law in rulebook.laws(game)]
        wanted += [f"{game.id}.{word}" for word in ("title", "tagline", "about", "how", "decisions")]
        for option in game.options:
            name = f"{game.id}.option.{option.name}"
            wanted += [name, *(f"{name}.{value}" for value in option.values)]
        assert [key for key in wanted if not words.get(key)] == []
        assert words[f"{game.id}.title"] == game.titles[language]


def mark_steps(state: Any, steps: Any, rng: Any, taken: Any) -> None:
    """A random game that notes every step taken (bound like the algorithms of core)."""
    who = actors(state)
    while who != 0:
        if who == CHANCE_BIT:
            step = outcome(state, below(rng, draws(state)))
            taken[1, step] = 1
            apply(state, CHANCE, step)
        else:
            seat = lowest(who)
            count = legal(state, seat, steps)
            step = int(steps[below(rng, count)])
            taken[0, step] = 1
            apply(state, seat, step)
        who = actors(state)


def mark_steps_of(states: Any, games: int, scratch: Any, steps: Any, rng: Any, taken: Any) -> None:
    for _ in range(games):
        scratch[0] = states[0]
        mark_steps(scratch[0], steps, rng, taken)


@games
def test_every_step_outcome_and_end_reason_is_reached(game: Game) -> None:
    engine = game.engine
    names = {**engine.bound.names, "CHANCE": CHANCE, "CHANCE_BIT": CHANCE_BIT}
    names["mark_steps"] = bind(mark_steps, names, game.id, game.folder)
    run = bind(mark_steps_of, names, game.id, game.folder)
    taken = np.zeros((2, 256), np.uint8)
    room, rng = np.zeros(engine.steps, np.uint8), seeded_rng(1)
    reasons = set()
    for seats in game.seats:
        for value in range(max([1, *(len(option.values) for option in game.options)])):
            options = {
                o.name: o.values[value % len(o.values)]
                for o in game.options
                if o.seats is None or seats in o.seats
            }
            run(engine.start(seats, options), 60, engine.layout.empty(1), room, rng, taken)
    for match in reaching(game):
        assert match.outcome is not None
        reasons.add(match.outcome.reason)
        for record in match.records[1:]:
            if len(record.action.split()) > 1 and not taken[0].all():
                mark_action(match, record.action, taken)
        if taken[0, : engine.steps].all() and reasons == set(engine.reasons[1:]):
            break
    assert np.flatnonzero(taken[0, : engine.steps] == 0).tolist() == []
    assert np.flatnonzero(taken[1, : engine.outcomes] == 0).tolist() == []
    assert reasons == set(engine.reasons[1:])


def reaching(game: Game) -> Iterator[Match]:
    """The golden transcripts, then matches of the game's driver."""
    for path in golden(game):
        yield Match.replay(path.read_text("utf-8"))
    for seed in range(400):
        yield finished(game, game.seats[seed % len(game.seats)], seed, chooser(game))


def mark_action(match: Match, action: str, taken: Any) -> None:
    try:
        steps = match.engine.notation.read(action, match._states[0], 0)
    except ValueError:
        return
    taken[0, steps] = 1


def golden(game: Game) -> list[Path]:
    folder = TESTS / "games" / game.id if game.id in GAMES else TESTS / game.id
    return sorted((folder / "transcripts").glob("*.txt"))


def golden_reasons(game: Game) -> set[str]:
    return {path.stem.split("-")[0] for path in golden(game)}


@games
def test_there_is_a_golden_transcript_per_end_reason(game: Game) -> None:
    assert golden_reasons(game) >= set(game.engine.reasons[1:])
    for path in golden(game):
        text = path.read_text("utf-8")
        match = Match.replay(text)
        assert match.outcome is not None
        assert match.outcome.reason == path.stem.split("-")[0]
        assert match.transcript().split() == [
            word for line in text.split("\n") if line[:1] != "#" for word in line.split()
        ]


def digest(game: Game, seats: int) -> str:
    total = hashlib.sha256()
    match = finished(game, seats, 23, chooser(game))
    total.update(match.transcript().encode() + match.state_bytes())
    for seat in range(seats):
        total.update(match.redeal(seat, 5).state_bytes() + repr(match.view(seat)).encode())
    return total.hexdigest()


PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/contract"]
import test_coverage_of_rules as here
print(*(here.digest(*table) for table in here.TABLES))
"""


@pytest.mark.slow
def test_compiled_and_plain_rules_agree_byte_for_byte() -> None:
    other = "0" if os.environ.get("NUMBA_DISABLE_JIT") == "1" else "1"
    here = [digest(game, seats) for game, seats in TABLES]
    there = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(TESTS)],
        env={**os.environ, "NUMBA_DISABLE_JIT": other},
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout.split() == here

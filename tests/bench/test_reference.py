"""The C reference plays the same game as our rules: the same statistics of random play, within sampling error."""

from __future__ import annotations

import math

import pytest

from regalia import GAMES, SetupError
from regalia.bench import chosen, reference, rows

GAMES_EACH = 20_000


@pytest.mark.parametrize("flags", [reference.PORTABLE, reference.BIT_DEPOSIT])
def test_the_reference_plays_the_same_game(flags: tuple[str, ...]) -> None:
    program = reference.build(flags)
    assert program is not None, "no C compiler: install gcc"
    theirs = reference.play(program, GAMES_EACH, 11)
    engine = GAMES["rose_king"].engine
    ours = engine.playouts(engine.start(2, {}), GAMES_EACH, seed=12)
    for seat in range(2):
        error = math.sqrt((ours.deviations[seat] ** 2 + theirs[f"var_score_{seat}"]) / GAMES_EACH)
        assert abs(ours.points[seat] - theirs[f"mean_score_{seat}"]) < 5 * error
        assert 0.95 < ours.deviations[seat] ** 2 / theirs[f"var_score_{seat}"] < 1.05
    assert abs(ours.steps / ours.games - theirs["mean_steps"]) < 1.5
    assert abs(ours.decisions / ours.games - theirs["mean_decisions"]) < 1.0
    share = 5 * math.sqrt(0.5 / GAMES_EACH)
    draws = ours.ranks[0][0] + ours.ranks[1][0] - ours.games
    assert abs((ours.ranks[0][0] - draws) - theirs["wins_0"]) / GAMES_EACH < share
    assert abs(draws - theirs["draws"]) / GAMES_EACH < share
    assert abs(ours.reasons["stones"] - theirs["ended_stones"]) / GAMES_EACH < share


def test_without_a_compiler_the_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from regalia.bench import games

    monkeypatch.setattr(reference, "build", lambda _flags: None)
    monkeypatch.setattr(games, "GAMES_A_ROUND", 50)
    row = games.rose_king_playouts_vs_c()
    assert (row.peer, row.ratio) == (None, None)
    assert "no C compiler" in row.against


def test_a_row_compares_what_was_measured_together() -> None:
    figures = iter([1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 3.0, 2.0, 2.0, 1.0])
    row = rows.compare("r", lambda: next(figures), lambda: next(figures), "x/s", "that")
    assert (row.ours, row.peer, row.ratio) == (5.0, 4.0, 1.25)  # the middle of 0.5, 0.75, 1.25, 1.5 and 2
    assert row.as_json()["name"] == "r"


def test_an_unknown_row_is_refused() -> None:
    with pytest.raises(SetupError, match="no_such_row"):
        chosen(["no_such_row"])
    assert chosen(["rose_king_batch"]) == ["rose_king_batch"]

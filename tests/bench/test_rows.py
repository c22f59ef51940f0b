"""The rows of the benchmark: all are there, and each says what it compared."""

from __future__ import annotations

from typing import Any

import pytest

from regalia.bench import ROWS, many, odds, peers, research, rows, search
from regalia.games.court_the_king.odds import turn_odds

PROMISED = (
    "rose_king_search_vs_openspiel",
    "search_overshoot_ms",
    "loop_lag_ms",
    "rose_king_search",
    "carolus_magnus_search",
    "court_the_king_search",
    "long_live_the_king_search",
    "court_the_king_games",
    "court_the_king_odds_ms",
    "court_the_king_odds_powers_ms",
    "long_live_the_king_odds_ms",
    "rose_king_aec",
    "rose_king_openspiel",
    "rose_king_vector",
    "carolus_magnus_vector",
    "court_the_king_vector",
    "long_live_the_king_vector",
    "server_actions_per_s",
    "recovery_s",
    "server_pg_actions_per_s",
    "server_pg_seen_ms",
    "server_pg_idle_sockets_mb",
    "catch_up_ms",
)


def test_every_row_promised_can_be_asked_for() -> None:
    assert set(PROMISED) <= set(ROWS)


def test_without_openspiel_the_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(_module: str, *_packages: str) -> dict[str, Any]:
        raise peers.PeerError("no network")

    monkeypatch.setattr(peers, "ask", ask)
    monkeypatch.setattr(search, "ROUND", 200)
    for row in (search.rose_king_search_vs_openspiel(), research.rose_king_openspiel()):
        assert (row.peer, row.ratio) == (None, None)
        assert row.against == "OpenSpiel could not be asked: no network"


def test_a_peer_without_uv_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers.shutil, "which", lambda *_, **__: None)
    with pytest.raises(peers.PeerError, match="uv is not installed"):
        peers.ask("regalia.bench.openspiel")


@pytest.mark.long
def test_our_games_in_openspiel_are_measured_beside_a_plain_one() -> None:
    row = research.rose_king_openspiel()
    assert row.ratio is not None, row.against
    assert "OpenSpiel 2.0" in row.against


@pytest.mark.long
def test_with_openspiel_the_row_names_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ROUND", 200)
    monkeypatch.setattr(rows, "ROUNDS", 1)
    row = search.rose_king_search_vs_openspiel()
    assert row.ratio is not None, row.against
    assert row.ratio > 1
    assert "OpenSpiel 1.5" in row.against


@pytest.mark.parametrize(
    "owned, dice", [(("farmer", "charlatan"), 5), (("farmer", "charlatan", "general", "magician"), 7)]
)
def test_the_odds_are_asked_for_a_turn_of_so_many_dice(owned: tuple[str, ...], dice: int) -> None:
    states = odds.start_of_turn(*owned)
    assert states["in_hand"][0] == dice
    assert all(row["exact"] for row in turn_odds(states)["targets"])


def test_the_environments_are_measured_with_legal_steps_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """An illegal step would be an error."""
    for name, value in (("MATCHES", 8), ("STEPS", 40), ("TURNS", 200), ("PEER_TURNS", 20)):
        monkeypatch.setattr(research, name, value)
    for row in (research.vector_decisions("long_live_the_king"), research.rose_king_aec()):
        assert row.ours > 0


def test_figures_of_waiting_are_not_negative_by_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SAMPLES", 3)
    assert search.search_stop_ms().ours > 0


def test_without_a_database_the_rows_of_several_processes_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGALIA_BENCH_DATABASE", raising=False)
    for name in ("server_pg_actions_per_s", "server_pg_seen_ms", "server_pg_idle_sockets_mb"):
        assert "REGALIA_BENCH_DATABASE" in ROWS[name]().against


def test_an_action_of_another_process_is_taken_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "FOLDS", 5)
    row = ROWS["catch_up_ms"]()
    assert row.ours > 0
    assert "ply 40" in row.against

"""How long the exact odds take, after warm-up."""

from __future__ import annotations

import time
from collections.abc import Callable

from regalia import GAMES
from regalia.bench.rows import Row, alone
from regalia.core.arrays import States
from regalia.games.court_the_king.components import COMPULSORY, NAMES, OWN_DICE, POWERED
from regalia.games.court_the_king.odds import turn_odds
from regalia.games.court_the_king.state import Phase
from regalia.games.long_live_the_king.odds import additions_of, win_odds

FIVE_CARDS = "x1 x1 x2 x2 x3"


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def timed(name: str, work: Callable[[], object], words: str) -> Row:
    work()
    return alone(name, lambda: milliseconds(work), "ms", words, most=False)


def long_live_the_king_odds_ms() -> Row:
    stakes, additions = [FIVE_CARDS] * 5, additions_of(5, courtiers=2, noble=True)
    words = "a dispute of five players with five cards each; at most 20"
    return timed("long_live_the_king_odds_ms", lambda: win_odds(stakes, additions), words)


def court_the_king_odds_ms() -> Row:
    start = start_of_turn("farmer", "charlatan")
    words = "all targets at the start of a turn of five dice; at most 50"
    return timed("court_the_king_odds_ms", lambda: turn_odds(start), words)


def court_the_king_odds_powers_ms() -> Row:
    start = start_of_turn(
        "farmer", "charlatan", "general", "alchemist", "magician", "philosopher", "merchant"
    )
    words = "all targets at the start of a turn of seven dice with four powers; at most 1000"
    return timed("court_the_king_odds_powers_ms", lambda: turn_odds(start), words)


def start_of_turn(*owned: str) -> States:
    """The first seat's turn with these cards, before its first roll."""
    states = GAMES["court_the_king"].engine.start(5, {})
    state = states[0]
    for name in owned:
        state.owned[0, NAMES.index(name)] = 1
    for power, powered in enumerate(POWERED):
        state.ready[power] = state.owned[0, powered]
    state.rounds = 1
    state.in_hand = OWN_DICE + int((state.owned[0] * COMPULSORY).sum())
    state.phase = Phase.TURN
    return states

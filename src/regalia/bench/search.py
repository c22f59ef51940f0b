"""How fast the bots' search is, how exactly it stops, and what an event loop beside it feels."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import numpy as np

import regalia
from regalia.bench import peers
from regalia.bench.rows import Row, alone, compare
from regalia.bots.choice import choose
from regalia.bots.opponents import FULL_GAME, Opponent, opponent
from regalia.bots.search import Budget, Search

OPENSPIEL = "open_spiel==1.5"
ROUND = 20_000  # simulations of one measurement
SAMPLES = 40  # decisions whose overshoot is looked at
BUDGET_S = 0.05


def search_at(game: str, plies: int = 0) -> Search:
    """A search at a match's beginning, or some plies later."""
    match = regalia.Match.new(game, seed=5)
    for _ in range(plies):
        seat = match.actors[0]
        match.play(seat, match.actions(seat)[0])
    search = Search(match.game)
    search.begin(1)
    search.look(match.seen(match.actors[0]), match.actors[0])
    search.run(Budget(64), horizon=4)
    return search


def simulations_per_second(search: Search, who: Opponent) -> float:
    """Of this thread's own time, so that neighbours on the machine count little."""
    search.begin(1)
    start = time.thread_time()
    done = search.run(Budget(ROUND), who.horizon, who.explore, who.played, who.is_informed)
    return done / (time.thread_time() - start)


def search_row(game: str) -> Row:
    search = search_at(game, plies=2)
    who = opponent(regalia.GAMES[game], "regent")
    words = f"as regent searches: {described(who)}"
    return alone(f"{game}_search", lambda: simulations_per_second(search, who), "simulations/s", words)


def described(who: Opponent) -> str:
    """How an opponent's simulations end, in words."""
    if who.horizon == FULL_GAME:
        return "the game's policy to the end"
    judged = f"the game's policy for {who.horizon + 1} decisions, then its evaluation"
    return f"{judged}, and random play to the end ({100 * who.played:.0f} %)" if who.played else judged


def rose_king_search_vs_openspiel() -> Row:
    """Random playouts on both sides: the same work for each simulation."""
    words = "both play every simulation to the end at random"
    return against_openspiel(
        "rose_king_search_vs_openspiel", opponent(regalia.GAMES["rose_king"], "regent-blind"), words
    )


def rose_king_regent_vs_openspiel() -> Row:
    """Each as it is used: not the same work, but the same purpose."""
    who = opponent(regalia.GAMES["rose_king"], "regent")
    words = f"regent: {described(who)}; OpenSpiel plays to the end at random"
    return against_openspiel("rose_king_regent_vs_openspiel", who, words)


def against_openspiel(name: str, who: Opponent, words: str) -> Row:
    search = search_at("rose_king")

    def ours() -> float:
        return simulations_per_second(search, who)

    unit = "simulations/s"
    try:
        said = peers.ask("regalia.bench.openspiel", OPENSPIEL)
    except peers.PeerError as error:
        return alone(name, ours, unit, f"OpenSpiel could not be asked: {error}")
    peer = f"OpenSpiel {said['version']}: its C++ MCTSBot on The Rose King written as a Python game"

    def theirs() -> float:
        return float(peers.ask("regalia.bench.openspiel", OPENSPIEL)["simulations"])

    return compare(name, ours, theirs, unit, f"{peer}, in a process of its own; {words}; time of the thread")


def overshoot_ms(ask: Callable[[int], float]) -> float:
    """The 95th percentile of how much longer than asked for a decision took."""
    return float(np.percentile([1000 * ask(k) for k in range(SAMPLES)], 95))


def search_overshoot_ms() -> Row:
    """Decisions of a whole bot with a time budget, in every game."""
    worst = 0.0
    for game in regalia.GAMES:
        match = regalia.Match.new(game, seed=6)
        while len(match.actions(match.actors[0])) < 2:
            match.play(match.actors[0], match.actions(match.actors[0])[0])
        choose(match, match.actors[0], "page", 1)

        def ask(k: int, match: regalia.Match = match) -> float:
            start = time.perf_counter()
            choose(match, match.actors[0], "regent", k, budget_s=BUDGET_S)
            return time.perf_counter() - start - BUDGET_S

        worst = max(worst, overshoot_ms(ask))
    return Row(
        "search_overshoot_ms", worst, None, None, "ms", "p95 over a budget of 50 ms; worst of all games"
    )


def search_stop_ms() -> Row:
    """From raising the flag to the end of the search, in the game with the longest simulations."""
    search = search_at("court_the_king", plies=2)

    def ask(_: int) -> float:
        stop = np.zeros(1, np.uint8)
        ended: list[float] = []

        def think() -> None:
            search.run(Budget(None, stop=stop), horizon=4)
            ended.append(time.perf_counter())

        thread = threading.Thread(target=think)
        thread.start()
        time.sleep(0.02)
        raised = time.perf_counter()
        stop[0] = 1
        thread.join()
        return ended[0] - raised

    return Row("search_stop_ms", overshoot_ms(ask), None, None, "ms", "p95 from the flag to the end")


def loop_lag_ms() -> Row:
    """The event loop's p99 lag beside a searching bot."""
    match = regalia.Match.new("rose_king", seed=7)
    choose(match, match.actors[0], "page", 1)

    async def listen() -> float:
        thinking = asyncio.create_task(asyncio.to_thread(choose, match, 0, "regent", 1, budget_s=2.0))
        lags = []
        while not thinking.done():
            start = time.perf_counter()
            await asyncio.sleep(0.002)
            lags.append(time.perf_counter() - start - 0.002)
        return float(np.percentile(lags, 99)) * 1000

    return alone(
        "loop_lag_ms", lambda: asyncio.run(listen()), "ms", "p99 of a 2 ms sleep, best of five", most=False
    )

"""How fast the rules are."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import regalia
from regalia.bench import reference
from regalia.bench.rows import QUICK_ROUNDS, ROUNDS, Row, alone, compare, per_second
from regalia.core.rng import seeded_rng

GAMES_A_ROUND = 40_000
RANDOM_GAMES = 2_000
BATCH = 2048


def playouts_per_second(
    games: int = GAMES_A_ROUND, threads: int = 1, clock: Callable[[], float] = time.process_time
) -> float:
    engine = regalia.GAMES["rose_king"].engine
    start = engine.start(2, {})
    engine.playouts(start, threads, seed=1, threads=threads)
    return per_second(lambda: engine.playouts(start, games, seed=2, threads=threads).games, clock)


def against_c(name: str, flags: tuple[str, ...], words: str) -> Row:
    program = reference.build(flags)
    if program is None:
        return alone(name, playouts_per_second, "games/s", "no C compiler was found")

    def by_c() -> float:
        figures = reference.play(program, 100_000, 3)
        return float(figures["games"] / figures["seconds"])

    return compare(name, playouts_per_second, by_c, "games/s", words)


def rose_king_playouts_vs_c() -> Row:
    words = "tuned C: bitboards and masks (cc -O3 -march=native -mno-bmi2), same process count, same run"
    return against_c("rose_king_playouts_vs_c", reference.PORTABLE, words)


def rose_king_playouts_vs_c_bmi2() -> Row:
    words = "the same C with the processor's bit-deposit instructions (cc -O3 -march=native)"
    return against_c("rose_king_playouts_vs_c_bmi2", reference.BIT_DEPOSIT, words)


def rose_king_threads() -> Row:
    threads = min(2, os.cpu_count() or 1)

    def by(count: int) -> Callable[[], float]:
        return lambda: playouts_per_second(count * GAMES_A_ROUND, count, time.perf_counter)

    return compare("rose_king_threads", by(threads), by(1), "games/s", "two threads over one, by the clock")


def steps_by_c() -> float:
    """What this machine can do at this moment: random steps of The Rose King per second by the C reference."""
    program = reference.build(reference.PORTABLE)
    if program is None:
        return float("nan")
    figures = reference.play(program, 50_000, 3)
    return float(figures["steps"] / figures["seconds"])


def calibrated(name: str, ours: Callable[[], float], unit: str, words: str) -> Row:
    """A figure without a peer; beside it what C does in the same run, to tell a slow day of the machine."""
    row = alone(name, ours, unit, words, rounds=QUICK_ROUNDS)
    by_c = max(steps_by_c() for _ in range(ROUNDS))
    return replace(row, against=f"{words}; just now C plays {by_c / 1e6:.1f} M random Rose King steps/s")


def rose_king_batch() -> Row:
    engine = regalia.GAMES["rose_king"].engine
    typical = engine.playouts(engine.start(2, {}), 2_000, seed=1)
    steps_a_decision = typical.steps / typical.decisions  # a draw follows many decisions
    batch = regalia.Batch(regalia.GAMES["rose_king"], BATCH, seed=5)
    batch.step_at_random()

    def steps() -> int:
        done = 0
        for _ in range(240):
            running = int(np.count_nonzero(batch.seats >= 0))
            if running < 0.95 * BATCH:
                running += batch.restart()
            batch.step_at_random()
            done += running
        return round(done * steps_a_decision)

    words = f"{BATCH} matches at once, one thread: random choice, step, draws and legal masks"
    return calibrated("rose_king_batch", lambda: per_second(steps), "steps/s", words)


def random_steps(game: str) -> Row:
    """How many random steps a game's rules take; at a table of four where there is one."""
    engine = regalia.GAMES[game].engine
    seats = min(4, engine.most_seats)
    start = engine.start(seats, {})
    engine.playouts(start, 1, seed=1)
    words = f"random play, {seats} seats, one thread, chance included"
    return calibrated(
        f"{game}_actions",
        lambda: per_second(lambda: engine.playouts(start, RANDOM_GAMES, seed=2).steps),
        "steps/s",
        words,
    )


def court_the_king_games() -> Row:
    """Whole games by the game's own simple player."""
    from regalia.games.court_the_king.bots.policy import play_to_the_end

    engine = regalia.GAMES["court_the_king"].engine
    start, rng = engine.start(4, {}), seeded_rng(2)
    states, steps = start.copy(), np.zeros(engine.steps, np.uint8)

    def play(games: int) -> int:
        for _ in range(games):
            states[0] = start[0]
            play_to_the_end(states[0], steps, rng)
        return games

    play(1)
    against = "each seat by the built-in policy, 4 seats, one thread"
    return calibrated("court_the_king_games", lambda: per_second(lambda: play(2_000)), "games/s", against)

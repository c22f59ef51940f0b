"""Boards anywhere: what pictures weigh and take, and how soon an analysis answers and stops."""

from __future__ import annotations

import asyncio
import gzip
import random
import time
from contextlib import aclosing

from regalia import GAMES, Match
from regalia.bench.rows import Row, alone
from regalia.server.ports import SystemTime, Thought, Urgency
from regalia.server.runtime.study import StudyProcesses
from regalia.study.analysis import analyse, seen_by
from regalia.study.moment import match_at

GIF_FRAMES, GIF_WIDTH = 60, 600
CHANGES = 200


def in_mid_match(game: str, plies: int = 60, seed: int = 1) -> Match:
    """After so many random actions, or the longest match that chance has found."""
    rng, match = random.Random(seed), Match.new(game, seed=seed)
    while match.ply < plies and not match.is_over:
        seat = rng.choice(match.actors)
        match.play(seat, rng.choice(match.actions(seat)))
    return match


def picture_svg_kb() -> Row:
    """The heaviest of all games and themes."""
    weights = [
        len(gzip.compress(in_mid_match(game).svg(theme=theme).encode())) / 1024
        for game in GAMES
        for theme in ("light", "dark")
    ]
    words = "the heaviest picture of a position, gzip; at most 40"
    return Row("picture_svg_kb", max(weights), None, None, "kB", words)


def picture_card_ms() -> Row:
    """The slowest game's card, warm."""
    from regalia.pictures.cards import card
    from regalia.pictures.files import png

    def slowest() -> float:
        times = []
        for game in GAMES:
            match = in_mid_match(game)
            names = tuple(f"Player {seat}" for seat in range(match.seats))
            began = time.perf_counter()
            png(card(match, match.ply, game, names, "light", "en"))
            times.append(1000 * (time.perf_counter() - began))
        return max(times)

    slowest()
    return alone(
        "picture_card_ms", slowest, "ms", "PNG of 1200 x 630, the slowest game; at most 150", most=False
    )


def picture_gif_s() -> Row:
    from regalia.pictures.files import moving

    match = in_mid_match("rose_king", GIF_FRAMES)
    began = time.perf_counter()
    moving((match.svg(ply, width=GIF_WIDTH) for ply in range(1, GIF_FRAMES + 1)), ".gif")
    words = "a GIF of 60 moments of The Rose King, 600 pixels wide; at most 8"
    return Row("picture_gif_s", time.perf_counter() - began, None, None, "s", words)


def set_up_change_ms() -> Row:
    """A position that was changed, judged and shown anew: the 95th of a hundred, of the slowest game."""

    def slowest() -> float:
        found = []
        for game in GAMES.values():
            text = in_mid_match(game.id).position_text()
            times = []
            for _ in range(CHANGES):
                began = time.perf_counter()
                match = match_at(game, text, None, {}, ())
                match.view(match.actors[0] if 0 <= match.actors[0] < match.seats else None)
                times.append(1000 * (time.perf_counter() - began))
            found.append(sorted(times)[int(0.95 * CHANGES)])
        return max(found)

    return alone(
        "set_up_change_ms",
        slowest,
        "ms",
        "a changed position, p95, the slowest game; at most 100",
        most=False,
    )


async def first_and_stop(study: StudyProcesses, match: Match) -> tuple[float, float]:
    """Until the first value of a position, and until an analysis that was stopped has made room, in ms."""
    thought = Thought(Urgency.ANALYSIS, analyse, (seen_by(match, match.actors[0]), 3))
    began = time.perf_counter()
    async with aclosing(study.think(thought)) as values:
        await anext(values)
        first = 1000 * (time.perf_counter() - began)
        began = time.perf_counter()
    return first, 1000 * (time.perf_counter() - began)


def analysed() -> list[tuple[float, float]]:
    """For every game, once its code is loaded."""

    async def all_games() -> list[tuple[float, float]]:
        study = StudyProcesses(1, (), SystemTime(), lambda: False)
        try:
            found = []
            for game in GAMES:
                match = in_mid_match(game, 30)
                await first_and_stop(study, match)
                found.append(await first_and_stop(study, match))
            return found
        finally:
            await study.stop()

    return asyncio.run(all_games())


def analysis_first_line_ms() -> Row:
    words = "until the first value of a position, the slowest game; at most 300"
    return Row("analysis_first_line_ms", max(first for first, _ in analysed()), None, None, "ms", words)


def analysis_stop_ms() -> Row:
    words = "until an analysis that was stopped is over for who asked, the slowest game; at most 50"
    return Row("analysis_stop_ms", max(stop for _, stop in analysed()), None, None, "ms", words)


ROWS = (
    picture_svg_kb,
    picture_card_ms,
    picture_gif_s,
    set_up_change_ms,
    analysis_first_line_ms,
    analysis_stop_ms,
)

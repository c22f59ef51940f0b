"""Speed, as ratios against peers and a C reference in the same run. `regalia bench` prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from regalia import GAMES
from regalia.bench import boards, games, many, odds, research, search, server, start
from regalia.bench.rows import Row
from regalia.core.errors import SetupError

ROWS: dict[str, Callable[[], Row]] = {
    **{f"{game}_actions": partial(games.random_steps, game) for game in GAMES},
    **{f"{game}_search": partial(search.search_row, game) for game in GAMES},
    **{f"{game}_vector": partial(research.vector_decisions, game) for game in GAMES},
    **{
        row.__name__: row
        for row in (
            games.rose_king_playouts_vs_c,
            games.rose_king_playouts_vs_c_bmi2,
            games.rose_king_threads,
            games.rose_king_batch,
            games.court_the_king_games,
            research.rose_king_aec,
            research.rose_king_openspiel,
            odds.court_the_king_odds_ms,
            odds.court_the_king_odds_powers_ms,
            odds.long_live_the_king_odds_ms,
            search.rose_king_search_vs_openspiel,
            search.rose_king_regent_vs_openspiel,
            search.search_overshoot_ms,
            search.search_stop_ms,
            search.loop_lag_ms,
            start.cli_start_s,
            start.cold_compile_s,
            start.cold_first_answer_s,
            *boards.ROWS,
            *server.ROWS,
            *many.ROWS,
        )
    },
}


def chosen(names: Iterable[str]) -> list[str]:
    """The rows named, or all; an unknown name is refused."""
    wanted = list(names) or list(ROWS)
    for name in wanted:
        if name not in ROWS:
            raise SetupError("error.row", row=name, allowed=", ".join(ROWS))
    return wanted


def run(names: Iterable[str] = ()) -> dict[str, Any]:
    return {"rows": [ROWS[name]().as_json() for name in chosen(names)]}

"""Speed, as ratios against peers and a C reference in the same run. `regalia bench` prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from regalia.bench import games, start
from regalia.bench.rows import Row
from regalia.core.errors import SetupError

ROWS: dict[str, Callable[[], Row]] = {
    row.__name__: row
    for row in (
        games.rose_king_playouts_vs_c,
        games.rose_king_playouts_vs_c_bmi2,
        games.rose_king_threads,
        games.rose_king_batch,
        games.carolus_magnus_actions,
        games.court_the_king_actions,
        games.long_live_the_king_actions,
        start.cli_start_s,
        start.cold_compile_s,
    )
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

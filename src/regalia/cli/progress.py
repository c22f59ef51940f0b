"""A bar for work that takes a while."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


def progress(*more: ProgressColumn) -> Progress:
    """On stderr, so that stdout is the result alone; only where someone watches."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *(more or (TimeElapsedColumn(),)),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )

"""Who looks: a seat, a spectator, or someone who may see everything.

Methods that show something take a `viewer`. None is a spectator in all of them, so that a forgotten seat never shows
a secret; only EVERYTHING shows them all.
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class Sight(Enum):
    SPECTATOR = "spectator"  # what everyone at the table may know
    EVERYTHING = "everything"  # every secret: for transcripts to keep, and for matches that are over


SPECTATOR: Final = Sight.SPECTATOR
EVERYTHING: Final = Sight.EVERYTHING
Viewer = int | Sight | None

"""Who draws a match. Core knows no drawing: `regalia` names its own here when it is imported."""

from __future__ import annotations

from collections.abc import Callable

draw: Callable[..., str]  # (match, ply, viewer, marks, theme, language, width): see regalia.pictures

"""Registers every game with Gymnasium: `gymnasium.make("regalia/rose_king-v1", opponents="duke")` after this import.

Gymnasium has no entry points for plugins, so this module is imported by who needs the names.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from regalia.core.registry import GAMES
from regalia.research.encode import encoding
from regalia.research.solo_env import SoloEnv, solo
from regalia.research.vector_env import VectorTable, vector


def make_solo(game: str, **asked: Any) -> SoloEnv:
    return solo(game, **asked)


def make_vector(num_envs: int, game: str, **asked: Any) -> VectorTable:
    return vector(game, num_envs, **asked)


for _game in GAMES.values():
    if _game.has_part("encode"):
        gymnasium.register(
            f"regalia/{_game.id}-v{encoding(_game).version}",
            entry_point="regalia.research.gym:make_solo",
            vector_entry_point="regalia.research.gym:make_vector",
            kwargs={"game": _game.id},
            disable_env_checker=True,  # it steps at random, and an illegal step is an error unless asked otherwise
        )

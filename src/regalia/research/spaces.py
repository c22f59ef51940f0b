"""Gymnasium's spaces for what is observed and done."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from regalia.core.layout import UNKNOWN
from regalia.research.episode import ActionMask
from regalia.research.setting import Setting


def action_space(setting: Setting, extra: int = 0) -> spaces.Space[Any]:
    """The step ids, and perhaps some more."""
    return spaces.Discrete(setting.game.engine.steps + extra)


def observation_space(setting: Setting, extra: int = 0) -> spaces.Space[Any]:
    encoding = setting.encoding
    seen = spaces.Box(encoding.low, encoding.high, dtype=encoding.dtype.type)
    if setting.mask == "info":
        return seen
    mask = spaces.Box(0, 1, (setting.game.engine.steps + extra,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask})


def observed(setting: Setting, observation: NDArray[Any], mask: ActionMask) -> Any:
    """An observation in the form of its space."""
    return observation if setting.mask == "info" else {"observation": observation, "action_mask": mask}


def state_space(setting: Setting) -> spaces.Box:
    return spaces.Box(0, UNKNOWN, (setting.game.engine.layout.dtype.itemsize,), np.uint8)

"""The arrays that rules and kernels are given. They belong to the callers: a kernel fills them and keeps none."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

State = Any  # one state; its fields are the game's
States = NDArray[np.void]  # an array of states, of one layout
Steps = NDArray[np.uint8]  # step ids
Mask = NDArray[np.uint8]  # 1 for each legal step id
Seats = NDArray[np.int8]  # of a batch: whose decision each match awaits
Counts = NDArray[np.int16]  # of a batch: how many legal steps there are
Ints = NDArray[np.int64]  # points, ranks, odds, counts
Reals = NDArray[np.float64]  # weights, values
Rng = NDArray[np.int64]  # the state of a generator: core/rng.py
Rngs = NDArray[np.int64]  # of a batch: a generator per match

"""Environments for those who learn: the games in the forms that PettingZoo, Gymnasium and their like expect.

    from regalia import research
    env = research.aec("long_live_the_king", seats=4)

Importing this needs no extra; an environment needs `pip install 'regalia[research]'`, OpenSpiel the extra `openspiel`,
and each says so.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from regalia.core.errors import SetupError

if TYPE_CHECKING:
    from regalia.research import openspiel
    from regalia.research.aec_env import aec
    from regalia.research.encode import encoding
    from regalia.research.parallel_env import parallel
    from regalia.research.solo_env import solo
    from regalia.research.toys import toy
    from regalia.research.vector_env import vector

__all__ = ["aec", "encoding", "openspiel", "parallel", "solo", "toy", "vector"]
# Where each name is, and the extra without which it cannot be had.
PLACES = {
    "aec": ("aec_env", "research"),
    "encoding": ("encode", None),
    "openspiel": ("openspiel", "openspiel"),  # the module itself
    "parallel": ("parallel_env", "research"),
    "solo": ("solo_env", "research"),
    "toy": ("toys", None),
    "vector": ("vector_env", "research"),
}
LIBRARIES = {"gymnasium", "pettingzoo", "pyspiel"}  # of these extras


def __getattr__(name: str) -> Any:
    """What needs the compiler or a library loads when it is first asked for."""
    if name not in PLACES:
        raise AttributeError(f"module 'regalia.research' has no attribute '{name}'")
    place, extra = PLACES[name]
    try:
        module = importlib.import_module(f"regalia.research.{place}")
    except ModuleNotFoundError as error:
        if extra is None or (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        raise SetupError("research.error.extra", extra=extra) from None
    globals()[name] = getattr(module, name, module)
    return globals()[name]

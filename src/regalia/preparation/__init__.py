"""Compiling a game before anybody waits for it.

stages.py    what there is to compile, and how much of it is done
__main__.py  a process that compiles one game: python -m regalia.preparation rose_king table bots
crew.py      several of these, for the games that are not prepared yet
"""

from __future__ import annotations

import os


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""Kernels as plain Python, as long as another process compiles them.

Compiling a game takes many seconds, its rules as plain Python answer within milliseconds. So a program that has to
answer at once postpones a folder: the kernels there, and whatever is compiled with them, run as they are written, in
every thread but those that load them. Once they are loaded, Numba finds the compiled code before it asks here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

from numba.core.dispatcher import Dispatcher

_postponed: set[Path] = set()
_thread = threading.local()
_copies: dict[
    int, tuple[dict[str, Any], dict[str, Any]]
] = {}  # by the id of a module's names: those, and plain


def postpone(folder: Path) -> None:
    """From now on nothing of a folder is compiled or loaded, but by who is `loading`."""
    _postponed.add(folder)


def resume(folder: Path) -> None:
    """From now on the kernels of a folder are loaded, or compiled, at their first call, as usual."""
    _postponed.discard(folder)


@contextmanager
def loading() -> Iterator[None]:
    """This thread loads kernels, postponed or not."""
    _thread.loads = True
    try:
        yield
    finally:
        _thread.loads = False


def answer_plainly(kernel: Any, folders: frozenset[Path]) -> None:
    """Let a kernel of these folders run as plain Python while one of them is postponed.

    Numba asks `_compile_for_args` for the code of a call that it has none for, and calls what it is given.
    """
    compile_for = kernel._compile_for_args

    def choose(*arguments: object) -> Callable[..., Any]:
        if _postponed.isdisjoint(folders) or getattr(_thread, "loads", False):
            code: Callable[..., Any] = compile_for(*arguments)
            return code
        return plain(kernel)

    kernel._compile_for_args = choose


def plain(kernel: Any) -> Callable[..., Any]:
    """A kernel as it is written, calling others as they are written."""
    python = kernel.py_func
    return FunctionType(python.__code__, plain_names(python.__globals__), python.__name__)


def plain_names(names: dict[str, Any]) -> dict[str, Any]:
    """A module's names, with plain Python in the place of kernels."""
    if id(names) not in _copies:
        copy = dict(names)
        _copies[id(names)] = names, copy  # first of all: kernels of two modules may call each other
        copy.update({name: plain(value) for name, value in names.items() if isinstance(value, Dispatcher)})
    return _copies[id(names)][1]

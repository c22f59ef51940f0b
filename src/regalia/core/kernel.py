"""Compiling rules: the one decorator, and the cache that never ignores an edit.

Numba's disk cache looks only at the file of the function itself, so a rule compiled against an old constant of
another file would go on answering from it. Here the cache folder is named by the digest of everything the file may
depend on, which the direction of imports tells:

    a game's folder                 core and the folder itself (also for a game outside this package)
    a folder inside a game's        the same, that folder, and the package of Regalia whose name it bears: `bots`
    any other folder of regalia     core and the folder itself
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import inspect
import os
import platform
import shutil
import tempfile
import time
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from platformdirs import user_cache_path

from regalia.core.plain import answer_plainly

Function = TypeVar("Function", bound=Callable[..., Any])

SETTINGS: Any = numba.config
COMPILED = not SETTINGS.DISABLE_JIT  # False under NUMBA_DISABLE_JIT=1: then kernels are plain Python
PACKAGE = Path(__file__).parents[1]
# Measured: the bounds check costs little. Nobody calls kernels as C callbacks.
FLAGS = {"nogil": True, "boundscheck": True, "forceinline": True, "no_cfunc_wrapper": True}
# Numba counts references to every array a function touches, which took half of a playout's time. Arrays belong to the
# callers of kernels, so nothing is counted here, but where a kernel makes an array of its own by one of these. A kernel
# that makes one in another way, or returns one, is refused when it is compiled.
ALLOCATORS = frozenset({"empty", "zeros"})
KEPT_FOLDERS = 12  # old cache folders beyond these are pruned, unless used within the last hour


def kernel(function: Function) -> Function:
    """Compile a rule. It then runs without the GIL, checks its indices and is cached on disk."""
    counts = not ALLOCATORS.isdisjoint(function.__code__.co_names)
    return compiled(function, *folders_of(inspect.getfile(function)), counts=counts)


def counting_kernel(function: Function) -> Function:
    """Compile a kernel that returns an array or calls one that does."""
    return compiled(function, *folders_of(inspect.getfile(function)), counts=True)


def folders_of(source: str) -> list[Path]:
    """The folders whose files a source file may depend on, besides core."""
    folder = Path(source).parent
    if not (folder.parent / "state.py").is_file():
        return [folder]
    same_name = PACKAGE / folder.name
    return [folder.parent, folder, *([same_name] if same_name.is_dir() else [])]


def compiled(function: Function, *folders: Path, counts: bool, is_inlined: bool = True) -> Function:
    """Compile a function whose behaviour depends on core and on the sources in these folders."""
    flags = {**FLAGS, "forceinline": is_inlined}
    jit: Any = numba.njit(cache=True, _nrt=counts, **flags)  # type: ignore[call-overload]
    SETTINGS.CACHE_DIR, before = str(cache_folder(folders)), SETTINGS.CACHE_DIR
    try:
        result: Function = jit(function)
    finally:
        SETTINGS.CACHE_DIR = before
    if COMPILED:
        answer_plainly(result, frozenset(folders))
    return result


def bind(
    template: Callable[..., Any],
    names: dict[str, Any],
    suffix: str,
    *folders: Path,
    is_inlined: bool = True,
) -> Callable[..., Any]:
    """Compile a copy of a template whose globals are replaced by these names.

    A closure over compiled functions would never hit the disk cache. The suffix (a game's id) becomes part of the
    qualified name, under which Numba files it: without it two games of equal layout would share code.
    """
    code = template.__code__
    clone = types.FunctionType(code, {**template.__globals__, **names}, code.co_name)
    clone.__module__ = template.__module__
    clone.__qualname__ = f"{template.__qualname__}_{suffix}"
    counts = not ALLOCATORS.isdisjoint(code.co_names)
    return compiled(
        clone, Path(inspect.getfile(template)).parent, *folders, counts=counts, is_inlined=is_inlined
    )


def cache_root() -> Path:
    folder = os.environ.get("REGALIA_CACHE")
    return usable(Path(folder) if folder else user_cache_path("regalia"))


@cache
def usable(root: Path) -> Path:
    """The folder itself where it can be written, which Numba asks for even to read; else a copy for this run."""
    try:
        (root / "compiled").mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root).close()
    except OSError:
        copy = Path(tempfile.mkdtemp(prefix="regalia-"))
        atexit.register(shutil.rmtree, copy, ignore_errors=True)
        with contextlib.suppress(OSError):  # there is none yet
            shutil.copytree(root / "compiled", copy / "compiled")
        os.environ["REGALIA_CACHE"] = str(copy)  # for the processes that this one starts
        return copy
    return root


@cache
def cache_folder(folders: tuple[Path, ...]) -> Path:
    """The cache folder for code in these folders, marked as used now."""
    folder = cache_root() / "compiled" / digest_of(folders)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    prune(folder.parent)
    return folder


def digest_of(folders: tuple[Path, ...]) -> str:
    """Of the sources in core and in these folders; what lies in folders inside them does not count."""
    versions = (numba.__version__, np.__version__, platform.python_version(), str(sorted(FLAGS.items())))
    digest = hashlib.sha256(repr(versions).encode())
    for path in sources_in(folders):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def sources_in(folders: tuple[Path, ...]) -> list[Path]:
    """The files of core and of these folders."""
    return [path for folder in sorted({PACKAGE / "core", *folders}) for path in sorted(folder.glob("*.py"))]


def prune(parent: Path) -> None:
    """Remove the cache folders of sources that were edited since, oldest first; another process may be at it too."""
    used = {}
    for path in parent.iterdir():
        if path.is_dir():
            with contextlib.suppress(FileNotFoundError):
                used[path] = path.stat().st_mtime
    for path in sorted(used, key=lambda path: used[path])[:-KEPT_FOLDERS]:
        if used[path] < time.time() - 3600:
            shutil.rmtree(path, ignore_errors=True)

"""Where matches are played: in this process, in one process per core, or on a Ray cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from importlib import import_module
from multiprocessing import get_context, parent_process
from typing import Any, Protocol

from regalia.arena.contest import Playable, play_fixture
from regalia.arena.play import Played
from regalia.arena.schedule import Fixture
from regalia.core.errors import SetupError

RAY_CHUNK = 8  # matches sent to a cluster at a time


class Workers(Protocol):
    """Plays fixtures in any order; each result comes with its fixture's number."""

    def play(self, plan: Playable, fixtures: Sequence[Fixture]) -> Iterator[tuple[int, Played]]: ...


class InProcess:
    """One after the other, in this process."""

    def play(self, plan: Playable, fixtures: Sequence[Fixture]) -> Iterator[tuple[int, Played]]:
        for fixture in fixtures:
            yield play_fixture(plan, fixture)


class ProcessPool:
    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1

    def play(self, plan: Playable, fixtures: Sequence[Fixture]) -> Iterator[tuple[int, Played]]:
        plan.rules.engine  # noqa: B018 - compiled once here, so that the others find it on disk
        pool = ProcessPoolExecutor(self.count, get_context("spawn"), initializer=belong_to_the_parent)
        is_done = False
        try:
            waiting: set[Future[tuple[int, Played]]] = set()
            rest = iter(fixtures)
            while True:
                for fixture in rest:
                    waiting.add(pool.submit(play_fixture, plan, fixture))
                    if len(waiting) >= 2 * self.count:
                        break
                if not waiting:
                    is_done = True
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            if not is_done:  # stopped: matches half played are played again another time
                for process in list((pool._processes or {}).values()):
                    process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def belong_to_the_parent() -> None:
    """Ctrl-C is the parent's to handle; and when the parent is gone, however that came, nobody wants the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_the_parent, daemon=True).start()


def end_with_the_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class RayCluster:
    """An existing Ray cluster (the optional extra `ray`)."""

    def __init__(self, address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            self.ray: Any = import_module("ray")
        except ImportError as error:
            raise SetupError("bots.error.ray") from error
        try:
            self.ray.init(address=address, ignore_reinit_error=True, log_to_driver=False)
        except (OSError, ValueError, RuntimeError) as error:
            why = str(error).partition("\n")[0].rstrip(".")
            raise SetupError("bots.error.cluster", address=address, why=why) from error

    def play(self, plan: Playable, fixtures: Sequence[Fixture]) -> Iterator[tuple[int, Played]]:
        remote = self.ray.remote(play_chunk)
        chunks = [list(fixtures[at : at + RAY_CHUNK]) for at in range(0, len(fixtures), RAY_CHUNK)]
        waiting = [remote.remote(plan, chunk) for chunk in chunks]
        while waiting:
            done, waiting = self.ray.wait(waiting)
            for found in self.ray.get(done):
                yield from found


def play_chunk(plan: Playable, fixtures: Sequence[Fixture]) -> list[tuple[int, Played]]:
    return [play_fixture(plan, fixture) for fixture in fixtures]

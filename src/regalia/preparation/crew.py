"""Processes that compile the games which are not prepared yet, the ones somebody wants first."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from regalia.core import kernel
from regalia.core.game import Game
from regalia.preparation.stages import Stage, is_prepared, kernels_of
from regalia.preparation.turn import Turn

MOST_FAILURES = 3  # of the processes for one game, before it is given up
LAST_LINES = 30  # of what a process said, for the log
LOOK_S = 1.0  # between two looks at what another crew has compiled
log = logging.getLogger("regalia.preparation")


class Progress(StrEnum):
    WAITING = "waiting"
    COMPILING = "compiling"
    READY = "ready"
    FAILED = "failed"  # it goes on as plain Python


@dataclass
class Task:
    """One game to be compiled, and how far it is."""

    game: Game
    progress: Progress = Progress.WAITING
    done: int = 0  # kernels
    total: int = 0
    wish: float = float("inf")  # when somebody first wanted it
    failures: int = 0
    seconds: float = 0.0  # that its processes took
    process: subprocess.Popen[str] | None = None
    said: str = ""  # the last lines of a process that failed
    is_put_off: bool = False  # its process was ended for a game that somebody waits for
    is_taken_over: bool = False  # another crew has compiled it

    @property
    def is_ready(self) -> bool:
        return self.progress is Progress.READY

    @property
    def has_failed(self) -> bool:
        return self.progress is Progress.FAILED


def longest_first(games: Iterable[Game]) -> list[Game]:
    """By how much there is to compile, so that no core is left waiting for the last one."""
    return sorted(games, key=lambda game: -sum(path.stat().st_size for path in game.folder.glob("*.py")))


class Crew:
    """A thread for each process starts it, reads how far it is, and takes up the next game.

    `on_compiled` is called in such a thread when a game is in the cache; after that it counts as ready.

    Of the crews that work in the background, as every process of a server has one, one at a time compiles; the others
    wait for what it puts into the cache, and go on where it stopped if its process ends.
    """

    def __init__(
        self,
        games: Iterable[Game],
        stages: Collection[Stage],
        processes: int,
        on_compiled: Callable[[Game], None] = lambda _: None,
        is_background: bool = True,
    ) -> None:
        self.stages = stages
        self.is_background = is_background
        self.on_compiled = on_compiled
        self._tasks = {game.id: Task(game) for game in longest_first(games)}
        self._turn = Turn(kernel.cache_root() / "compiling.lock") if is_background else None
        self._lock = threading.Condition()
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name="regalia-preparation", daemon=True)
            for _ in range(min(processes, len(self._tasks)))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End all processes; what they compiled stays in the cache."""
        with self._lock:
            self._stopped.set()
            for task in self._tasks.values():
                end(task)

    @property
    def is_at_work(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def tasks(self) -> list[Task]:
        """How far each game is, now."""
        with self._lock:
            return [replace(task) for task in self._tasks.values()]

    def count(self, game: Game) -> None:
        """Work out how much there is to compile of a game that waits; its modules are imported for that."""
        total = len(kernels_of(game, self.stages))
        with self._lock:
            if task := self._tasks.get(game.id):
                task.total = total

    def want(self, game: str) -> None:
        """Somebody opened this game: it comes before those that nobody opened, even if one of these has begun."""
        with self._lock:
            task = self._tasks.get(game)
            if task is None or task.wish < float("inf"):
                return
            task.wish = time.monotonic()
            under_way = [other for other in self._tasks.values() if other.process is not None]
            unwanted = [other for other in under_way if other.wish == float("inf")]
            if task.progress is Progress.WAITING and len(under_way) == len(self._threads) and unwanted:
                unwanted[-1].is_put_off = True
                end(unwanted[-1])

    def _work(self) -> None:
        self._await_turn()
        while (task := self._next()) is not None:
            try:
                if self._turn is None or not self._take_over(task):
                    self._compile(task)
            except Exception:  # a process edge: a game that cannot be prepared is played as plain Python
                log.exception("preparation failed", extra={"facts": {"game": task.game.id}})
                with self._lock:
                    task.progress = Progress.FAILED

    def _await_turn(self) -> None:
        """Meanwhile use what another crew has compiled."""
        while self._turn is not None and not self._stopped.is_set():
            with self._lock:
                if self._turn.take():
                    return
                waiting = [task for task in self._tasks.values() if task.progress is Progress.WAITING]
            if not waiting:
                return
            for task in waiting:
                self._take_over(task)
            self._stopped.wait(LOOK_S)

    def _take_over(self, task: Task) -> bool:
        """Use a game that somebody else has compiled, if so."""
        if not is_prepared(task.game, self.stages):
            return False
        with self._lock:
            if task.is_ready or task.is_taken_over:
                return True
            task.is_taken_over = True
        self.on_compiled(task.game)
        with self._lock:
            task.progress, task.done = Progress.READY, task.total
        return True

    def _next(self) -> Task | None:
        """The game to take up; None when there is none left."""
        with self._lock:
            waiting = [task for task in self._tasks.values() if task.progress is Progress.WAITING]
            if self._stopped.is_set() or not waiting:
                compiling = [task for task in self._tasks.values() if task.progress is Progress.COMPILING]
                if self._turn is not None and not compiling:
                    self._turn.end()
                return None
            task = min(waiting, key=lambda task: task.wish)
            task.progress, task.is_put_off = Progress.COMPILING, False
            return task

    def _compile(self, task: Task) -> None:
        began = time.monotonic()
        with self._lock:
            if self._stopped.is_set():
                return
            process = task.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "regalia.preparation"),
                    *(["--background"] if self.is_background else []),
                    *(task.game.id, *self.stages),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
                if self.is_background
                else 0,
            )
        said: deque[str] = deque(maxlen=LAST_LINES)
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self._read(task, line, said)
        code = process.wait()
        with self._lock:
            task.process = None
            task.seconds += time.monotonic() - began
        if code == 0:
            self.on_compiled(task.game)
        with self._lock:
            if code == 0:
                task.progress, task.done = Progress.READY, task.total
            elif self._stopped.is_set() or task.is_put_off:
                task.progress = Progress.WAITING
            else:
                task.failures += 1
                task.progress = Progress.FAILED if task.failures == MOST_FAILURES else Progress.WAITING
                task.said = "".join(said)
                facts = {"game": task.game.id, "code": code, "said": task.said}
                log.error("a compiling process failed", extra={"facts": facts})

    def _read(self, task: Task, line: str, said: deque[str]) -> None:
        done, _, total = line.partition(" ")
        if done.isdigit() and total.strip().isdigit():
            with self._lock:
                task.total = int(total)
                task.done = max(
                    task.done, int(done)
                )  # what was compiled before a process ended is in the cache
        else:
            said.append(line)


def end(task: Task) -> None:
    if task.process is not None:
        task.process.terminate()

"""The one writer: a thread that takes all changes waiting and commits them together.

Callers wait for the disk, not for each other: while one group is being synced the next one gathers.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable

from regalia.server.ports import StorageError, Write

log = logging.getLogger("regalia.store")

Job = tuple[Write, "asyncio.Future[None]"]
Outcome = StorageError | None  # None: it is on disk
# Commits changes, as far as each can be. What it raises goes for all of them.
Commit = Callable[[list[Write]], list[Outcome]]


class Writer:
    def __init__(self, commit: Commit, most_in_a_group: int) -> None:
        self._commit = commit
        self._most_in_a_group = most_in_a_group
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="regalia-writer", daemon=True)
        self.groups = 0
        self.writes = 0
        self.failures = 0
        self._thread.start()

    async def write(self, change: Write) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((change, done))
        await asyncio.shield(done)  # a caller that goes away does not undo what may be on disk

    def stop(self) -> None:
        """Finish what waits, then end."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        stopping = False
        while not stopping:
            group: list[Job] = []
            job = self._jobs.get()
            while job is not None:
                group.append(job)
                if len(group) == self._most_in_a_group:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            stopping = job is None
            if group:
                self._finish(group, self._outcomes([change for change, _ in group]))

    def _outcomes(self, changes: list[Write]) -> list[Outcome]:
        try:
            outcomes = self._commit(changes)
        except Exception as error:  # a process edge: every caller must hear of it, and the thread must live
            self.failures += 1
            log.error(
                "write failed", extra={"facts": {"error": type(error).__name__, "writes": len(changes)}}
            )
            return [StorageError(type(error).__name__)] * len(changes)
        self.groups += 1
        self.writes += outcomes.count(None)
        return outcomes

    def _finish(self, group: list[Job], outcomes: list[Outcome]) -> None:
        """Wake the callers, once per event loop."""
        loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Outcome]]] = {}
        for (_, done), outcome in zip(group, outcomes, strict=True):
            loops.setdefault(done.get_loop(), []).append((done, outcome))
        for loop, waiting in loops.items():
            try:
                loop.call_soon_threadsafe(wake, waiting)
            except RuntimeError:  # the loop is closed: nobody waits any more
                log.warning("a caller was gone before its write ended")


def wake(waiting: list[tuple[asyncio.Future[None], Outcome]]) -> None:
    for done, outcome in waiting:
        if done.cancelled():
            continue
        if outcome is None:
            done.set_result(None)
        else:
            done.set_exception(type(outcome)(*outcome.args))
            done.exception()  # seen: a caller that went away leaves no warning

"""Several processes behind one port. The parent listens and serves nothing; its children inherit the socket.

A child that dies is replaced. SIGHUP replaces all of them, one after the other: a new one is ready, with all games
loaded, before an old one is told to leave, so that nobody is turned away. SIGTERM lets all of them finish what is under
way. A child whose parent is gone leaves by itself.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from regalia.server import logs
from regalia.server.runtime.study_children import StudyChildren
from regalia.server.settings import Settings
from regalia.server.store.file import Unusable

PATIENCE_S = 4.8  # for a child that was told to stop: all have left within 5 s, by themselves or not
READY_S = 300.0  # for a new one: without a cache it compiles all games
PAUSE_S = 1.0  # before one that died young is replaced
LOOK_S = 0.2

log = logging.getLogger("regalia.supervisor")


@dataclass(frozen=True)
class Work:
    """What every child does."""

    settings: Settings
    host: str
    port: int
    listener: socket.socket
    log_level: str
    patience_s: float = PATIENCE_S


# --- The child ---


def serve_as_child(work: Work, parent: Connection) -> None:
    logs.set_up(work.log_level)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the parent's matter, also where a terminal sends it to all
    from regalia.server.transport.run import make_server

    try:
        server = make_server(work.settings, work.host, work.port)
    except Unusable as error:
        log.error("the database cannot be used", extra={"facts": {"why": error.key}})
        sys.exit(2)
    threading.Thread(target=leave_with, args=(parent,), name="regalia-parent", daemon=True).start()

    async def main() -> None:
        serving = asyncio.ensure_future(server.serve(sockets=[work.listener]))
        while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event
            await asyncio.sleep(0.02)
        if server.started:
            loading = asyncio.ensure_future(server.application.services.tables.loader.load_all())
            await asyncio.wait([serving, loading], return_when=asyncio.FIRST_COMPLETED)
            loading.cancel()
            if not serving.done():
                parent.send("ready")
        await serving

    asyncio.run(main())


def leave_with(parent: Connection) -> None:
    """The parent never says anything: what comes is its end."""
    try:
        parent.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)


# --- The parent ---


@dataclass
class Child:
    process: BaseProcess
    connection: Connection
    began: float = field(default_factory=time.monotonic)
    is_ready: bool = False
    told_to_stop: float | None = None

    def listen(self) -> None:
        if not self.is_ready and self.connection.poll():
            try:
                self.is_ready = self.connection.recv() == "ready"
            except (EOFError, OSError):
                return

    def stop(self, patience_s: float) -> None:
        if self.told_to_stop is None:
            self.told_to_stop = time.monotonic()
            self.process.terminate()
        elif time.monotonic() - self.told_to_stop > patience_s:
            self.process.kill()

    @property
    def is_alive(self) -> bool:
        return self.process.is_alive()

    def close(self) -> None:
        self.process.join()
        self.connection.close()


class Supervisor:
    def __init__(self, count: int, work: Work) -> None:
        self._count = count
        self._studies = StudyChildren(work.settings.study_workers)
        self._work = replace(work, settings=replace(work.settings, study_addresses=self._studies.addresses))
        self._spawn = multiprocessing.get_context("spawn")  # threads and compiled code do not survive a fork
        self._children: list[Child] = []
        self._to_replace: deque[Child] = deque()
        self._successor: Child | None = None  # started, and not ready yet
        self._next_start = 0.0
        self._is_stopping = False
        self._is_renewing = False

    def run(self) -> None:
        """Until SIGTERM or SIGINT, and until all children have left."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        signal.signal(signal.SIGHUP, self._renew)
        while not self._is_stopping:
            self._look()
        while self._children:
            for child in self._children:
                child.stop(self._work.patience_s)
            self._wait()
            self._bury()
        self._studies.stop()

    def _stop(self, *_: object) -> None:
        self._is_stopping = True

    def _renew(self, *_: object) -> None:
        self._is_renewing = True

    def _look(self) -> None:
        self._bury()
        self._studies.look()
        if self._is_renewing:
            self._is_renewing = False
            self._to_replace = deque(child for child in self._children if child.told_to_stop is None)
        self._replace()
        for child in self._children:
            child.listen()
            if child.told_to_stop is not None:
                child.stop(self._work.patience_s)
        serving = [child for child in self._children if child.told_to_stop is None]
        missing = self._count - len([child for child in serving if child is not self._successor])
        while missing > 0 and time.monotonic() >= self._next_start:
            self._start()
            missing -= 1
        self._wait()

    def _replace(self) -> None:
        """One after the other, and the next one only when the last old one has left."""
        if self._successor is not None:
            if self._successor.is_ready:
                old = self._to_replace.popleft() if self._to_replace else self._successor  # it died meanwhile
                old.stop(self._work.patience_s)
                self._successor = None
            elif time.monotonic() - self._successor.began > READY_S:
                log.error("a new worker did not become ready; the old ones stay")
                self._successor.stop(self._work.patience_s)
                self._successor = None
                self._to_replace.clear()
        elif self._to_replace and all(child.told_to_stop is None for child in self._children):
            self._successor = self._start()

    def _start(self) -> Child:
        ours, theirs = self._spawn.Pipe()
        process: Any = self._spawn.Process(
            target=serve_as_child, args=(self._work, theirs), name="regalia-worker"
        )
        process.start()
        theirs.close()
        child = Child(process, ours)
        self._children.append(child)
        log.info("worker started", extra={"facts": {"pid": process.pid}})
        return child

    def _wait(self) -> None:
        wait([child.process.sentinel for child in self._children], LOOK_S)

    def _bury(self) -> None:
        for child in [child for child in self._children if not child.is_alive]:
            child.close()
            self._children.remove(child)
            facts = {"pid": child.process.pid, "code": child.process.exitcode}
            if child.told_to_stop is None:
                log.error("worker died", extra={"facts": facts})
                if time.monotonic() - child.began < PAUSE_S + LOOK_S:
                    self._next_start = time.monotonic() + PAUSE_S
            else:
                log.info("worker left", extra={"facts": facts})
            if child is self._successor:
                self._successor = None
            if child in self._to_replace:
                self._to_replace.remove(child)

"""Bots think here: in a few threads, first come first served, each within a time from when it starts.

A table asks for one action at a time, so the queue is fair between tables. A bot that fails or does not come
back is given up: the caller gets `BotFailed`, and a fresh thread takes the place of one that hangs.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from regalia import Match, bots
from regalia.bots import BOTS, Choice

MOST_HANGING = 16  # threads given up, before bots are refused outright

Choose = Callable[[Match, int, str, int | None], Choice]


class BotFailed(Exception):
    """The bot gave no action. The reason is a word for the log: crashed, overran, crowded."""


@dataclass
class Job:
    match: Match
    seat: int
    bot: str
    seed: int | None
    loop: asyncio.AbstractEventLoop
    began: asyncio.Future[None] = field(init=False)
    done: asyncio.Future[Choice] = field(init=False)
    is_given_up: bool = False  # nobody waits for it any more
    was_replaced: bool = False  # it hangs: another thread does its work

    def __post_init__(self) -> None:
        self.began = self.loop.create_future()
        self.done = self.loop.create_future()


class BotPool:
    def __init__(self, threads: int, limit_s: float, choose: Choose = bots.choose) -> None:
        self.limit_s = limit_s
        self.hanging = 0
        self._choose = choose
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads = threads
        self._loaded: set[str] = set()  # games whose bots are ready
        for _ in range(threads):
            self._start_thread()

    @property
    def waiting(self) -> int:
        return self._jobs.qsize()

    async def choose(self, match: Match, seat: int, bot: str, seed: int | None = None) -> Choice:
        """The bot's action for a seat, from what that seat may know."""
        if self.hanging >= MOST_HANGING:
            raise BotFailed("crowded")
        job = Job(match.copy(), seat, bot, seed, asyncio.get_running_loop())
        self._jobs.put(job)
        try:
            await job.began
            return await asyncio.wait_for(asyncio.shield(job.done), self.limit_s)
        except TimeoutError as error:
            job.is_given_up = job.was_replaced = True
            self.hanging += 1
            self._start_thread()
            raise BotFailed("overran") from error
        except asyncio.CancelledError:
            job.is_given_up = True
            raise
        except Exception as error:  # a bot may fail in any way; the table plays on
            raise BotFailed("crashed") from error

    def stop(self) -> None:
        for _ in range(self._threads + self.hanging):
            self._jobs.put(None)

    def _start_thread(self) -> None:
        threading.Thread(target=self._run, name="regalia-bot", daemon=True).start()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if job.is_given_up:
                continue
            self._load(job)
            if not call(job.loop, settle, job.began, None, None):
                return
            choice, error = None, None
            try:
                choice = self._choose(job.match, job.seat, job.bot, job.seed)
            except BaseException as problem:
                error = problem
            if not call(job.loop, settle, job.done, choice, error):
                return
            if self._came_late(job):
                return

    def _load(self, job: Job) -> None:
        """A game's search loads, or compiles, at its first use in the process; that is not the bot's own time."""
        if job.match.game.id not in self._loaded and self._choose is bots.choose:
            self._loaded.add(job.match.game.id)
            with contextlib.suppress(Exception):  # if it fails it fails again below, where it is told
                bots.choose(job.match.copy(), job.seat, BOTS[1], 0)

    def _came_late(self, job: Job) -> bool:
        """Was it given up meanwhile? Then another thread has taken this one's place."""
        if job.was_replaced:
            self.hanging -= 1
        return job.was_replaced

    def _think(self, job: Job) -> tuple[Choice | None, Exception | None]:
        try:
            return self._choose(job.match, job.seat, job.bot, job.seed), None
        except Exception as error:  # handed to the caller
            return None, error


def call(loop: asyncio.AbstractEventLoop, *work: object) -> bool:
    """Hand over to the event loop; False when it is gone."""
    try:
        loop.call_soon_threadsafe(*work)  # type: ignore[arg-type]
    except RuntimeError:
        return False
    return True


def settle(future: asyncio.Future[object], value: object, error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
        future.exception()

"""Bots think here: in a few threads, each within a time from when it starts.

Where a person waits goes first, then first come first served; a table asks for one action at a time, so the queue is
fair between tables. A bot at its limit is told to stop and may hand over the best it has. One that fails or does not
come back is given up: the caller gets `BotFailed`, and a fresh thread takes the place of one that hangs.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

from regalia import Match, bots
from regalia.bots import BOTS, Choice
from regalia.core.arrays import Steps

MOST_HANGING = 16  # threads given up, before bots are refused outright
STOPPING_S = (
    1.0  # a bot that was told to stop hands over within so long, or as long as its limit if that is less
)

Choose = Callable[[Match, int, str, int | None, Steps], Choice]


class BotFailed(Exception):
    """The bot gave no action. The reason is a word for the log: crashed, overran, crowded."""


class Rank(IntEnum):
    """In which order the threads take what waits."""

    END = 0  # of a thread
    AWAITED = 1  # by a person
    UNWATCHED = 2  # bots among themselves


@dataclass
class Job:
    match: Match
    seat: int
    bot: str
    seed: int | None
    loop: asyncio.AbstractEventLoop
    stop: Steps = field(
        default_factory=lambda: np.zeros(1, np.uint8)
    )  # raised to make the bot come to an end
    began: asyncio.Future[None] = field(init=False)
    done: asyncio.Future[Choice] = field(init=False)
    is_given_up: bool = False  # nobody waits for it any more
    is_hanging: bool = False  # another thread does its thread's work; only the event loop reads and writes it

    def __post_init__(self) -> None:
        self.began = self.loop.create_future()
        self.done = self.loop.create_future()


def ask(match: Match, seat: int, bot: str, seed: int | None, stop: Steps) -> Choice:
    return bots.choose(match, seat, bot, seed, stop=stop)


class BotPool:
    def __init__(self, threads: int, limit_s: float, choose: Choose = ask) -> None:
        self.limit_s = limit_s
        self.hanging = 0  # threads that were given up and have not come back; counted by the event loop alone
        self._choose = choose
        self._jobs: queue.PriorityQueue[tuple[Rank, int, Job | None]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._threads = threads
        self._ending: set[asyncio.Task[None]] = set()  # bots whose answer nobody wants any more
        self._loaded: set[str] = set()  # games whose bots are ready
        self._loading = threading.Lock()
        for _ in range(threads):
            self._start_thread()

    @property
    def waiting(self) -> int:
        return self._jobs.qsize()

    async def choose(
        self, match: Match, seat: int, bot: str, seed: int | None = None, is_awaited: bool = True
    ) -> Choice:
        """The bot's action for a seat, from what that seat may know. `is_awaited`: a person waits for it."""
        if self.hanging >= MOST_HANGING:
            raise BotFailed("crowded")
        job = Job(match.copy(), seat, bot, seed, asyncio.get_running_loop())
        self._put(Rank.AWAITED if is_awaited else Rank.UNWATCHED, job)
        try:
            await job.began
            return await self._answer(job)
        except Exception as error:  # a bot may fail in any way; the table plays on
            if job.done.done():
                raise BotFailed("crashed") from error
            self._give_up(job)
            raise BotFailed("overran") from error
        except asyncio.CancelledError:  # its answer is no longer wanted; its thread is
            has_begun = job.began.done() and not job.began.cancelled()
            if has_begun and not job.done.done():
                ending = asyncio.ensure_future(self._await_end(job))
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
            raise
        finally:
            job.is_given_up = True
            job.stop[0] = 1

    def _give_up(self, job: Job) -> None:
        """Its thread does not come back; another one takes its place."""
        job.is_hanging = True
        self.hanging += 1
        self._start_thread()

    async def _await_end(self, job: Job) -> None:
        await asyncio.wait([job.done], timeout=min(STOPPING_S, self.limit_s))
        if not job.done.done():
            self._give_up(job)

    async def _answer(self, job: Job) -> Choice:
        """What the bot chose, or the best it has when its time is up."""
        try:
            return await asyncio.wait_for(asyncio.shield(job.done), self.limit_s)
        except TimeoutError:
            job.stop[0] = 1
            return await asyncio.wait_for(asyncio.shield(job.done), min(STOPPING_S, self.limit_s))

    def stop(self) -> None:
        for _ in range(self._threads + self.hanging):
            self._put(Rank.END, None)

    def _put(self, rank: Rank, job: Job | None) -> None:
        self._jobs.put((rank, next(self._numbers), job))

    def _start_thread(self) -> None:
        threading.Thread(target=self._run, name="regalia-bot", daemon=True).start()

    def _run(self) -> None:
        while (job := self._jobs.get()[2]) is not None:
            if job.is_given_up:
                continue
            self._load(job)
            if not call(job.loop, resolve, job.began, None, None):
                return
            choice, error = None, None
            try:
                choice = self._choose(job.match, job.seat, job.bot, job.seed, job.stop)
            except BaseException as problem:
                error = problem
            if not call(job.loop, self._finish, job, choice, error):
                return

    def _finish(self, job: Job, choice: Choice | None, error: BaseException | None) -> None:
        """On the event loop: the bot has come back. If it was given up, there is a thread too many now."""
        if job.is_hanging:
            self.hanging -= 1
            self._put(Rank.END, None)
        resolve(job.done, choice, error)

    def _load(self, job: Job) -> None:
        """A game's search loads, or compiles, at its first use in the process; that is not the bot's own time."""
        game = job.match.game.id
        if game in self._loaded or self._choose is not ask:
            return
        with self._loading:
            if game not in self._loaded:
                with contextlib.suppress(Exception):  # if it fails it fails again later, where it is told
                    bots.choose(job.match.copy(), job.seat, BOTS[1], 0)
                self._loaded.add(game)


def call(loop: asyncio.AbstractEventLoop, *work: object) -> bool:
    """Hand over to the event loop; False when it is gone."""
    try:
        loop.call_soon_threadsafe(*work)  # type: ignore[arg-type]
    except RuntimeError:
        return False
    return True


def resolve(future: asyncio.Future[Any], value: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
        future.exception()

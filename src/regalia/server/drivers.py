"""What happens by itself: bots act, clocks run out, unused tables leave memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from regalia.server.botpool import BotFailed, BotPool
from regalia.server.house import House
from regalia.server.protocol import Code
from regalia.server.refused import Refused

RETRY_S = 1.0
TIDY_S = 15.0

log = logging.getLogger("regalia.drivers")


class Drivers:
    def __init__(self, house: House, pool: BotPool) -> None:
        self.house = house
        self.pool = pool
        self._driven: set[str] = set()  # tables with a bot at work
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        for loop in (self._bots, self._deadlines, self._tidy):
            self._spawn(self._forever(loop))

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.pool.stop()

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forever(self, loop: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await loop()
            except Exception:  # a process edge: one table's trouble must not stop the others
                log.exception("driver failed")
                await self.house.clock.sleep(RETRY_S)

    # --- Bots ---

    async def _bots(self) -> None:
        await self.house.wakeups.bots_changed.wait()
        for name in self.house.wakeups.next_bots():
            if name not in self._driven:
                self._driven.add(name)
                self._spawn(self._drive(name))

    async def _drive(self, name: str) -> None:
        """Play the bots of a table until a person is due: one action in flight."""
        try:
            while await self._act(name):
                pass
        except Exception:  # as above
            log.exception("bot driver failed", extra={"facts": {"table": name}})
        finally:
            self._driven.discard(name)

    async def _act(self, name: str) -> bool:
        """One bot action; False when none is due."""
        try:
            table = await self.house.open(name)
            due = table.bots_due()
            if not due or table.match is None:
                return False
            seat, bot = due[0]
            ply, match = table.ply, table.match
            if any(chair.is_person and not chair.bot for chair in table.chairs):
                await self.house.clock.sleep(self.house.settings.bot_pause_s)
            fallback = ""
            try:
                action = (await self.pool.choose(match, seat, bot)).action
            except BotFailed as failure:
                fallback = str(failure)
                action = self._fallback(name, seat, bot, fallback, match.actions(seat))
            try:
                await self.house.bot_action(name, seat, ply, action, fallback)
            except Refused as refusal:
                if refusal.code is Code.STORAGE or fallback:
                    raise
                legal = match.actions(seat)  # the bot chose what the rules refuse
                action = self._fallback(name, seat, bot, "illegal", legal)
                await self.house.bot_action(name, seat, ply, action, "illegal")
        except Refused as refusal:
            if refusal.code is not Code.STORAGE:
                log.error("bot action refused", extra={"facts": {"table": name, "code": str(refusal.code)}})
                return False
            await self.house.clock.sleep(RETRY_S)
        return True

    def _fallback(self, name: str, seat: int, bot: str, why: str, legal: list[str]) -> str:
        """Some legal action, so that the table goes on; reported."""
        self.house.counts["bot_fallbacks"] += 1
        log.warning("bot failed", extra={"facts": {"table": name, "seat": seat, "bot": bot, "why": why}})
        return legal[0]

    # --- Clocks ---

    async def _deadlines(self) -> None:
        wakeups, clock = self.house.wakeups, self.house.clock
        wakeups.deadlines_changed.clear()
        first = wakeups.next_deadline()
        wait = None if first is None else max(0.0, (first - clock.steady_ms()) / 1000)
        if wait != 0:
            await self._first_of(wakeups.deadlines_changed, wait)
        for name in wakeups.due(clock.steady_ms()):
            self._spawn(self._flag(name))

    async def _flag(self, name: str) -> None:
        try:
            await self.house.flag(name)
        except Refused as refusal:
            if refusal.code is Code.STORAGE:
                await self.house.clock.sleep(RETRY_S)
                self.house.wakeups.deadline(self.house.clock.steady_ms(), name)

    async def _first_of(self, changed: asyncio.Event, wait: float | None) -> None:
        """Sleep for so long (None: for ever), or until something changes."""
        waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(changed.wait())]
        if wait is not None:
            waiting.append(asyncio.ensure_future(self.house.clock.sleep(wait)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    # --- Memory ---

    async def _tidy(self) -> None:
        await self.house.clock.sleep(TIDY_S)
        gone = self.house.tidy()
        if gone:
            log.info("tidied", extra={"facts": {"tables": gone, "left": len(self.house.slots)}})

"""What happens by itself: bots act, clocks run out, unused tables leave memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakValueDictionary

from regalia.bots import Choice
from regalia.server.model.refusals import Refused
from regalia.server.model.table import Table
from regalia.server.ports import StorageError
from regalia.server.protocol import Code
from regalia.server.runtime.bot_pool import BotFailed, BotPool
from regalia.server.runtime.database_time import DatabaseTime
from regalia.server.runtime.tables import Tables

RETRY_S = 1.0
PAUSE_S = 15.0  # after several refusals in a row
MOST_REFUSALS = 3
TIDY_S = 15.0
FOLLOW_S = 2.0  # a hint that was lost costs at most so long
ASK_S = 10.0  # between two looks at the database's clock

log = logging.getLogger("regalia.background")


class Background:
    def __init__(self, tables: Tables, pool: BotPool) -> None:
        self.tables = tables
        self.pool = pool
        self._in_play: dict[
            str, bool
        ] = {}  # tables with a bot at work, and whether they were woken meanwhile
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked_ms = tables.time.steady_ms()  # the database for its time
        # Per host: whose table without a person may let a bot think. It goes when no table of the host needs it.
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def start(self) -> None:
        loops = [self._bots, self._deadlines, self._tidy, self._beat]
        if self.tables.store.is_shared:
            loops.append(self._follow)
        for loop in loops:
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
                log.exception("background work failed")
                await self.tables.time.sleep(RETRY_S)

    # --- Bots ---

    async def _bots(self) -> None:
        await self.tables.schedule.bots_changed.wait()
        for table_id in self.tables.schedule.next_bots():
            if table_id in self._in_play:
                self._in_play[table_id] = True
            else:
                self._in_play[table_id] = False
                self._spawn(self._play_bots(table_id))

    async def _play_bots(self, table_id: str) -> None:
        """Play the bots of a table until a person is due: one action in flight. Trouble delays it, never ends it."""
        refusals = 0
        try:
            while True:
                try:
                    if not await self._act(table_id):
                        return
                    refusals = 0
                except Refused as refusal:
                    if refusal.code is Code.NOT_FOUND:
                        return
                    refusals += refusal.code is not Code.STORAGE
                    if refusals < MOST_REFUSALS:
                        await self.tables.time.sleep(RETRY_S)
                        continue
                    refusals = 0
                    facts = {"table": table_id, "code": str(refusal.code)}
                    log.error("bot action refused", extra={"facts": facts})
                    await self.tables.time.sleep(PAUSE_S)
                except Exception:  # a process edge: one table's trouble must not stop it or the others
                    log.exception("bot work failed", extra={"facts": {"table": table_id}})
                    await self.tables.time.sleep(PAUSE_S)
        finally:
            if self._in_play.pop(table_id):
                self.tables.schedule.bot(table_id)

    async def _act(self, table_id: str) -> bool:
        """One bot action, if the position is still the one it was chosen for; False when none is due."""
        table = await self.tables.open(table_id)
        if table.bots_due() and table.has_person:
            await self.tables.time.sleep(self.tables.settings.bot_pause_s)
            table = await self.tables.open(table_id)  # people may have gone back meanwhile
        due = table.bots_due()
        if not due or table.match is None or not self.tables.heartbeat.is_on_duty(table_id):
            return False
        seat, bot = due[0]
        seq = table.seq
        try:
            choice = await self._choose_for(table, seat, bot)
        except BotFailed as failure:
            await self._act_anyhow(table_id, seat, seq, str(failure))
            return True
        if choice is None:
            return True
        try:
            await self.tables.bot_action(table_id, seat, seq, choice.action, "")
        except Refused as refusal:
            if refusal.code is Code.STORAGE:
                raise
            await self._act_anyhow(table_id, seat, seq, "illegal")
        return True

    async def _choose_for(self, table: Table, seat: int, bot: str) -> Choice | None:
        """What the bot chooses. None once its choice can no longer count: then it need not think on."""
        changed = asyncio.Event()
        stop_listening = self.tables.bus.subscribe(table.id, changed.set)
        thinking = asyncio.ensure_future(self._choose(table, seat, bot))
        try:
            while not thinking.done():
                await self._first_of(changed, None, thinking)
                if changed.is_set():
                    changed.clear()
                    now = await self.tables.open(table.id)
                    if not now.is_current(table.seq, None) or dict(now.bots_due()).get(seat) != bot:
                        return None
            return thinking.result()
        finally:
            stop_listening()
            thinking.cancel()

    async def _choose(self, table: Table, seat: int, bot: str) -> Choice:
        """Where a person waits at once; the tables of a host where bots are alone take turns."""
        assert table.match is not None
        if table.has_person:
            return await self.pool.choose(table.match, seat, bot)
        turn = self._turns.get(table.created.host)
        if turn is None:
            turn = self._turns[table.created.host] = asyncio.Lock()
        async with turn:
            return await self.pool.choose(table.match, seat, bot, is_awaited=False)

    async def _act_anyhow(self, table_id: str, seat: int, seq: int, why: str) -> None:
        """Some legal action in place of the bot's own, so that the table goes on; reported."""
        table = await self.tables.open(table_id)
        bot = dict(table.bots_due()).get(seat)
        if bot is None or table.match is None or not table.is_current(seq, None):
            return
        self.tables.counts["bot_fallbacks"] += 1
        log.warning("bot failed", extra={"facts": {"table": table_id, "seat": seat, "bot": bot, "why": why}})
        await self.tables.bot_action(table_id, seat, seq, table.match.actions(seat)[0], why)

    # --- Clocks ---

    async def _deadlines(self) -> None:
        schedule, time = self.tables.schedule, self.tables.time
        schedule.deadlines_changed.clear()
        first = schedule.next_deadline()
        wait = None if first is None else max(0.0, (first - time.steady_ms()) / 1000)
        if wait != 0:
            await self._first_of(schedule.deadlines_changed, wait)
        for table_id in schedule.due(time.steady_ms()):
            self._spawn(self._flag(table_id))

    async def _flag(self, table_id: str) -> None:
        """Whatever goes wrong, the deadline is looked at again."""
        try:
            await self.tables.flag(table_id)
        except Exception as error:  # a process edge: as above
            if not isinstance(error, Refused):
                log.exception("clock failed", extra={"facts": {"table": table_id}})
            elif error.code is Code.NOT_FOUND:
                return
            await self.tables.time.sleep(RETRY_S)
            self.tables.schedule.deadline(self.tables.time.steady_ms(), table_id)

    async def _first_of(
        self, changed: asyncio.Event, wait: float | None, *others: asyncio.Future[Any]
    ) -> None:
        """Sleep for so long (None: for ever), or until something changes or comes to its end."""
        waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(changed.wait())]
        if wait is not None:
            waiting.append(asyncio.ensure_future(self.tables.time.sleep(wait)))
        try:
            await asyncio.wait([*waiting, *others], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    # --- Other processes ---

    async def _beat(self) -> None:
        time = self.tables.time
        since_ms = time.steady_ms() - self._asked_ms
        if isinstance(time, DatabaseTime) and (since_ms > ASK_S * 1000 or not time.is_sure):
            self._asked_ms = time.steady_ms()
            await self._unless_the_store_fails(time.ask(self.tables.store))
        await self._unless_the_store_fails(self.tables.beat())
        await time.sleep(self.tables.heartbeat.interval_s)

    async def _follow(self) -> None:
        await self._first_of(self.tables.may_be_behind, FOLLOW_S)
        await self._unless_the_store_fails(self.tables.look_around())

    async def _unless_the_store_fails(self, work: Awaitable[None]) -> None:
        try:
            await work
        except StorageError as error:
            log.warning("the store does not answer", extra={"facts": {"error": str(error)}})
            await self.tables.time.sleep(RETRY_S)

    # --- Memory ---

    async def _tidy(self) -> None:
        await self.tables.time.sleep(TIDY_S)
        if self.tables.store.is_shared:
            await self._unless_the_store_fails(self.tables.presence.refresh())
        gone = self.tables.tidy()
        if gone:
            log.info("tidied", extra={"facts": {"tables": gone, "left": len(self.tables.entries)}})

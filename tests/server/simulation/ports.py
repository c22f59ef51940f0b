"""What a worker asks of the world, with faults: the store, the hints between workers, its machine's clock, bots."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

from regalia import Match
from regalia.bots import Choice
from regalia.server.model.table import dice_of
from regalia.server.ports import Append, Conflict, LocalBus, StorageError, Write
from regalia.server.runtime.bot_pool import BotFailed
from server.simulation.universe import ProcessLoop, Universe
from server.simulator import START_MS, MemoryStore

HANG_S = 10.0  # after so long a connection that hangs is given up
WRITE_FAULTS = ("fail before", "fail after", "conflict", "slow", "hang", "full")
READ_FAULTS = ("fail before", "slow", "hang")


def result_of(work: Coroutine[Any, Any, Any]) -> Any:
    """Of something that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("it waits")


class Disk(MemoryStore):
    """The one store behind all workers. Notes when what was asked for and written."""

    def __init__(self, universe: Universe) -> None:
        super().__init__()
        self.universe = universe
        self.asked_at: dict[tuple[str, int], float] = {}  # by table and number of the event
        self.written_at: list[
            float
        ] = []  # when what was written was asked for; nobody could play in a long gap
        self.faults: dict[str, tuple[float, float]] = {}  # kind: until when, how likely

    def commit(self, change: Write, asked_at: float) -> None:
        """Raises Conflict."""
        result_of(self.write(change))
        for append in change.appends:
            for event in append.events:
                self.asked_at[append.table_id, event.seq] = asked_at
        self.written_at.append(asked_at)

    def _check(self, append: Append) -> None:
        """As always; None is what no worker in order expects."""
        if append.expected is not None:
            super()._check(append)

    def fault(self, kinds: tuple[str, ...], draw: random.Random) -> str:
        """What goes wrong this time; mostly nothing."""
        for kind, (until, likely) in self.faults.items():
            if kind in kinds and self.universe.now < until and draw.random() < likely:
                return kind
        return ""


class StorePort:
    """One worker's connections to the store. Its writes are put in order, as by one writer."""

    is_shared = True
    shown = "simulated"

    def __init__(self, disk: Disk, worker: str, loop: ProcessLoop) -> None:
        self._disk = disk
        self._universe = disk.universe
        self._loop = loop
        self._draw = disk.universe.chance(f"store of {worker}")
        self._next_write_at = 0.0
        self.is_cut = False  # the process is dead, or what it sends does not arrive

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        """Any question of the store, answered as it was when the question arrived."""
        if name.startswith("_"):
            raise AttributeError(name)

        async def ask(*arguments: Any, **named: Any) -> Any:
            arguments = tuple(list(value) if hasattr(value, "__next__") else value for value in arguments)
            fault = self._disk.fault(READ_FAULTS, self._draw)
            if self.is_cut:
                raise StorageError("gone")
            return await self._answer(
                lambda: result_of(getattr(self._disk, name)(*arguments, **named)), fault
            )

        return ask

    async def clock_ms(self) -> int:
        fault = self._disk.fault(READ_FAULTS, self._draw)
        return int(await self._answer(lambda: START_MS + round(self._universe.now * 1000), fault))

    async def write(self, change: Write) -> None:
        if self.is_cut:
            raise StorageError("gone")
        fault = self._disk.fault(WRITE_FAULTS, self._draw)
        asked_at = self._universe.now
        await self._answer(lambda: self._disk.commit(change, asked_at), fault, is_write=True)

    async def close(self) -> None:
        pass

    async def _answer(self, work: Callable[[], Any], fault: str, is_write: bool = False) -> Any:
        """The way there, the work, and the way back, each with its own time."""
        there, back = (self._draw.uniform(0.0002, 0.006) for _ in range(2))
        if fault == "slow":
            there += self._draw.uniform(0.3, 4.0)
        if is_write:
            at = self._next_write_at = max(self._next_write_at, self._universe.now + there)
            there = at - self._universe.now
        is_done = fault not in ("fail before", "conflict", "full") and not (
            fault == "hang" and self._draw.random() < 0.5
        )
        answer: asyncio.Future[Any] = self._loop.create_future()

        def arrive() -> None:
            if is_write and self.is_cut and self._draw.random() < 0.5:
                return  # it was never sent: the process died before
            value: Any = None
            error: Exception | None = None
            try:
                if is_done:
                    value = work()
            except StorageError as conflict:
                error = conflict
            if fault == "conflict":
                error = Conflict("somebody was faster")
            elif fault in ("fail before", "fail after", "full", "hang"):
                error = StorageError(fault)
            self._universe.later(HANG_S if fault == "hang" else back, lambda: tell(value, error))

        def tell(value: Any, error: Exception | None) -> None:
            if self._loop.is_closed() or answer.done():
                return
            if error is None:
                answer.set_result(value)
            else:
                answer.set_exception(error)

        self._universe.later(there, arrive)
        return await answer


class Hints:
    """What workers tell each other: late, twice, never, in another order; and some may be cut off for a while."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.ports: dict[str, BusPort] = {}
        self.faults: dict[str, tuple[float, float]] = {}  # delay, drop, double: until when, how likely
        self.apart: dict[str, float] = {}  # worker: cut off until then
        self._draw = universe.chance("hints")

    def send(self, sender: str, topic: str, seq: int) -> None:
        for name, port in self.ports.items():
            if name == sender or self._is_apart(sender) or self._is_apart(name):
                continue
            if self._happens("drop"):
                continue
            for _ in range(2 if self._happens("double") else 1):
                late = self._draw.uniform(0.5, 5.0) if self._happens("delay") else 0.0
                self.universe.later(
                    self._draw.uniform(0.0005, 0.01) + late, lambda port=port: port.hear(topic, seq)
                )

    def part(self, worker: str, seconds: float) -> None:
        """When the connection is back, its worker knows that it may have missed something."""
        self.apart[worker] = self.universe.now + seconds
        self.universe.later(seconds, lambda: worker in self.ports and self.ports[worker].come_back())

    def _is_apart(self, worker: str) -> bool:
        return self.apart.get(worker, -1.0) > self.universe.now

    def _happens(self, kind: str) -> bool:
        until, likely = self.faults.get(kind, (-1.0, 0.0))
        return self.universe.now < until and self._draw.random() < likely


class BusPort(LocalBus):
    def __init__(self, hints: Hints, worker: str, loop: ProcessLoop) -> None:
        super().__init__()
        self._hints = hints
        self._worker = worker
        self._loop = loop
        self._heard: Callable[[str, int], None] = lambda _topic, _seq: None
        self._missed: Callable[[], None] = lambda: None

    def follow(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        self._heard, self._missed = heard, missed

    def publish(self, topic: str, seq: int = -1) -> None:
        self.wake(topic)
        self._hints.send(self._worker, topic, seq)

    async def start(self) -> None:
        self._hints.ports[self._worker] = self

    async def stop(self) -> None:
        self._hints.ports.pop(self._worker, None)

    def hear(self, topic: str, seq: int) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon(self._take, topic, seq)

    def _take(self, topic: str, seq: int) -> None:
        self._heard(topic, seq)
        self.wake(topic)

    def come_back(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon(self._missed)


class MachineTime:
    """The clock of one machine: wrong from the beginning, and somebody sets it."""

    def __init__(self, universe: Universe, wrong_ms: int, began_ms: int) -> None:
        self._universe = universe
        self._began_ms = began_ms
        self.wrong_ms = wrong_ms

    def wall_ms(self) -> int:
        return START_MS + round(self._universe.now * 1000) + self.wrong_ms

    def steady_ms(self) -> int:
        return self._began_ms + round(self._universe.now * 1000)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def position_of(match: Match) -> tuple[Any, ...]:
    """The table's dice and all that was played; but not what others have chosen at the same time, and still hide."""
    open_records = [(record.seat, record.action) for record in match.records if not record.sealed]
    return dice_of(match)._prefix, tuple(open_records)


class Bots:
    """They think for some seconds and act at random; some hang, crash or say what is not legal."""

    def __init__(self, universe: Universe, worker: str, limit_s: float) -> None:
        self.limit_s = limit_s
        self.hanging = self.waiting = 0
        self.faults: dict[str, tuple[float, float]] = {}
        self.chosen: list[tuple[Any, ...]] = []  # for which position, seat, what
        self._universe = universe
        self._draw = universe.chance(f"bots of {worker}")

    async def choose(
        self, match: Match, seat: int, bot: str, seed: int | None = None, is_awaited: bool = True
    ) -> Choice:
        match = match.copy()
        fault = self._fault()
        await asyncio.sleep(self.limit_s if fault == "hang" else self._draw.choice((0.05, 0.3, 1.0, 3.0)))
        if fault in ("hang", "crash"):
            raise BotFailed("overran" if fault == "hang" else "crashed")
        action = "no such action" if fault == "illegal" else self._draw.choice(match.actions(seat))
        self.chosen.append((*position_of(match), seat, action))
        return Choice(action)

    def _fault(self) -> str:
        for kind, (until, likely) in self.faults.items():
            if self._universe.now < until and self._draw.random() < likely:
                return kind
        return ""

    def stop(self) -> None:
        pass

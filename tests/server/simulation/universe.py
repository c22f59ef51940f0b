"""One time for all. A process is an event loop of its own: one that is frozen is not run, and a dead one never again."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections.abc import Callable
from typing import Any

from server.simulator import SHORTEST_S

MOST_ROUNDS = 50  # in which a dying process may tidy up; nobody sees anything of it


class NoSelector:
    """Nothing comes from outside but what the universe delivers."""

    def select(self, _timeout: float | None = None) -> list[Any]:
        return []


class ProcessLoop(asyncio.BaseEventLoop):
    """Runs when it is told to, at the universe's time."""

    def __init__(self, universe: Universe) -> None:
        super().__init__()
        self._selector = NoSelector()
        self._universe = universe
        self.failures: list[str] = []
        self.set_exception_handler(self._failed)

    def _failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.failures.append(f"{context['message']}: {context.get('exception')!r}")

    def time(self) -> float:
        return self._universe.now

    def call_at(self, when: float, callback: Any, *arguments: Any, context: Any = None) -> Any:
        """Never at once: who waits for what is left of a second after rounding would wait for ever."""
        return super().call_at(max(when, self.time() + SHORTEST_S), callback, *arguments, context=context)

    def _process_events(self, _events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def run_in_executor(self, _executor: Any, work: Callable[..., Any], *arguments: Any) -> Any:
        """At once: no threads."""
        done = self.create_future()
        try:
            done.set_result(work(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done

    def next_at(self) -> float | None:
        """When there is something to do."""
        if self._ready:  # type: ignore[attr-defined]
            return self._universe.now
        timers = self._scheduled  # type: ignore[attr-defined]
        while timers and timers[0]._cancelled:
            self._timer_cancelled_count -= 1  # type: ignore[attr-defined]
            heapq.heappop(timers)._scheduled = False
        return timers[0]._when if timers else None

    def run_once(self) -> None:
        asyncio.events._set_running_loop(self)
        try:
            self._run_once()  # type: ignore[attr-defined]
        finally:
            asyncio.events._set_running_loop(None)

    def end(self) -> None:
        """Whatever it was doing."""
        for _ in range(MOST_ROUNDS):
            tasks = asyncio.all_tasks(self)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            for _ in range(3):
                self.run_once()
        self._ready.clear()  # type: ignore[attr-defined]
        self._scheduled.clear()  # type: ignore[attr-defined]
        self.close()


class Universe:
    """Time, chance, and what is on its way from one process to another."""

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.seed = seed
        self.loops: list[ProcessLoop] = []  # in the order they began: the order in which they run
        self.frozen: dict[ProcessLoop, float] = {}  # until when
        self._coming: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    def chance(self, of: str) -> random.Random:
        """A generator for one thing: what another thing draws changes nothing for it."""
        return random.Random(f"{self.seed} {of}")

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        heapq.heappush(self._coming, (self.now + seconds, next(self._numbers), work))

    def new_process(self) -> ProcessLoop:
        loop = ProcessLoop(self)
        self.loops.append(loop)
        return loop

    def end_process(self, loop: ProcessLoop) -> None:
        self.loops.remove(loop)
        self.frozen.pop(loop, None)
        loop.end()

    def freeze(self, loop: ProcessLoop, seconds: float) -> None:
        self.frozen[loop] = max(self.frozen.get(loop, 0.0), self.now + seconds)

    def is_frozen(self, loop: ProcessLoop) -> bool:
        return self.frozen.get(loop, -1.0) > self.now

    def _next_at(self, loop: ProcessLoop) -> float | None:
        due = loop.next_at()
        return None if due is None else max(due, self.frozen.get(loop, 0.0), self.now)

    def run(self, seconds: float) -> None:
        """Let so much time pass."""
        end = self.now + seconds
        while True:
            moments = [due for loop in self.loops if (due := self._next_at(loop)) is not None]
            if self._coming:
                moments.append(max(self.now, self._coming[0][0]))
            if not moments or min(moments) > end:
                break
            self.now = min(moments)
            while self._coming and self._coming[0][0] <= self.now:
                heapq.heappop(self._coming)[2]()
            for loop in list(self.loops):
                if loop in self.loops and self._next_at(loop) == self.now:
                    loop.run_once()
        self.now = end

    def run_until(self, is_done: Callable[[], bool], seconds: float) -> bool:
        """In steps of a tenth of a second; says whether it happened."""
        for _ in range(int(seconds * 10)):
            if is_done():
                return True
            self.run(0.1)
        return is_done()

    def close(self) -> None:
        for loop in list(self.loops):
            self.end_process(loop)
        self._coming.clear()

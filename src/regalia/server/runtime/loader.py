"""Games load in a thread: the event loop never waits for that.

What is not in the cache yet is compiled by other processes; until that is done the game is played as plain Python.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from regalia import GAMES, Match, bots
from regalia.bots import BOTS
from regalia.core import kernel, plain, registry
from regalia.core.game import Game
from regalia.core.viewers import SPECTATOR
from regalia.preparation.crew import Crew, Task
from regalia.preparation.stages import TO_PLAY, is_prepared
from regalia.server.model import events as ev
from regalia.server.model.events import StoredEvent

QUIET_S = 3.0
SHARED = kernel.PACKAGE / "bots"  # kernels that the bots of all games have in common


def warm(game: Game) -> None:
    """Call everything a table needs once."""
    match = Match.new(game, max(game.seats), seed=0)
    for _ in range(3):
        if not match.actors:
            break
        seat = match.actors[0]
        match.view(seat)
        match.play(seat, match.redeal(seat, 0).actions(seat)[0])
    match.view(SPECTATOR)


async def in_background(work: Callable[[], None]) -> None:
    """In a thread that holds up nobody: a server that is stopped meanwhile does not wait for the compiler."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def finish(error: Exception | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def run() -> None:
        error: Exception | None = None
        try:
            work()
        except Exception as problem:  # handed to who waits
            error = problem
        with contextlib.suppress(RuntimeError):  # the loop is gone
            loop.call_soon_threadsafe(finish, error)

    threading.Thread(target=run, name="regalia-loader", daemon=True).start()
    await done


class GameLoader:
    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._crew: Crew | None = None

    # --- Compiling ---

    def start(self, processes: int) -> None:
        """Let so many processes compile the games that are not prepared."""
        missing = [game for game in GAMES.values() if not is_prepared(game, TO_PLAY)]
        if not missing or not processes:
            return
        plain.postpone(SHARED)
        for game in missing:
            plain.postpone(game.folder)
        self._crew = Crew(missing, TO_PLAY, processes, load_compiled)
        self._crew.start()

    def stop(self) -> None:
        if self._crew is not None:
            self._crew.stop()

    def under_way(self) -> list[Task]:
        """How far the games are that had to be compiled; none when all are ready."""
        tasks = [] if self._crew is None else self._crew.tasks()
        return [] if all(task.is_ready for task in tasks) else tasks

    def want(self, game: str) -> None:
        """Somebody opened this game: if it is not prepared yet, it comes first."""
        if self._crew is not None:
            self._crew.want(game)

    # --- Loading ---

    @property
    def has_all(self) -> bool:
        """Can every game be played without waiting for it to load?"""
        return self._ready.issuperset(GAMES)

    async def load(self, game: str) -> None:
        """Returns when the game can be played. An unknown one is for the match to refuse."""
        self.want(game)
        await self._load(game)

    async def _load(self, game: str) -> None:
        if game in self._ready or not registry.is_known(game):
            return
        async with self._locks[game]:
            if game not in self._ready:
                await in_background(lambda: warm(registry.find(game)))
                self._ready.add(game)

    async def load_for(self, log: list[StoredEvent]) -> None:
        first = ev.read(log[0].body)
        assert isinstance(first, ev.Created)
        await self.load(first.game)

    async def load_all(self) -> None:
        """Who waits already comes first; the games nobody asked for load a little later, or are counted at once."""
        if self._crew is None:
            await asyncio.sleep(QUIET_S)
        for game in GAMES:
            await self._load(game)
            if self._crew is not None:
                await in_background(partial(self._crew.count, GAMES[game]))


def load_compiled(game: Game) -> None:
    """Load what another process has compiled, and use it from now on."""
    with plain.loading():
        match = Match.new(game, seed=0)
        bots.choose(match, match.actors[0], BOTS[1], seed=0, simulations=1)
        warm(game)
    plain.resume(game.folder)
    plain.resume(SHARED)

"""Games load, and where no cache helps compile, in a thread: the event loop never waits for that."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable

from regalia import GAMES, Match
from regalia.core import registry
from regalia.core.game import Game
from regalia.core.viewers import SPECTATOR
from regalia.server.model import events as ev
from regalia.server.model.events import StoredEvent


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

    async def load(self, game: str) -> None:
        """Returns when the game can be played. An unknown one is for the match to refuse."""
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
        for game in GAMES:
            await self.load(game)

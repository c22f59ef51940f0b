"""Calculations that are too long for the event loop: in a few threads, in the order they come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

THREADS = 2
MOST_UNFINISHED = 64  # more than can be done soon

Answer = TypeVar("Answer")


class Workers:
    def __init__(self, threads: int = THREADS, most_unfinished: int = MOST_UNFINISHED) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="regalia-worker")
        self._most_unfinished = most_unfinished
        self.unfinished = 0

    @property
    def is_full(self) -> bool:
        """Is so much waiting that who asks for more should come back later?"""
        return self.unfinished >= self._most_unfinished

    async def run(self, work: Callable[[], Answer]) -> Answer:
        self.unfinished += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self.unfinished -= 1

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

"""Passwords: argon2id with one lane, one at a time and few a second, so that guessing costs the guesser and nobody else.

Whether a name is known makes no difference: where there is no password, one of ours is compared with.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from regalia.server.model.refusals import Refused
from regalia.server.people.common_passwords import is_common
from regalia.server.protocol import Code

SHORTEST, LONGEST = 8, 256
GAME_WORDS = ("regalia", "rose king", "carolus magnus", "court the king", "long live the king")
Answer = TypeVar("Answer")
HASHER = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1, type=Type.ID)

# What a password is compared with where there is none: made like any other, and no password fits it.
NOBODYS = "$argon2id$v=19$m=47104,t=1,p=1$2zBg/waX07lzOQT129maIw$hFxndeLx0Lxp/7K8QWPKTie8cvDlGivanEhL5PRvrCA"


class Passwords:
    def __init__(self, admit: Callable[[], None]) -> None:
        """`admit` refuses when too many come at once."""
        self._admit = admit
        self._lane = asyncio.Semaphore(1)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="regalia-passwords")
        self.computed = 0

    def check_new(self, password: str, *context: str) -> None:
        """Refuses one that is too short or would be guessed."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise Refused(
                Code.WEAK_PASSWORD, "server.error.password_length", None, least=SHORTEST, most=LONGEST
            )
        if is_common(password, *context, *GAME_WORDS):
            raise Refused(Code.WEAK_PASSWORD)

    async def hash(self, password: str) -> bytes:
        return (await self._run(lambda: HASHER.hash(told(password)))).encode()

    async def fits(self, password: str, kept: bytes | None) -> bool:
        """The hash is computed in any case."""
        if len(password) > LONGEST:
            raise Refused(Code.WRONG_PROOF)
        against = NOBODYS if kept is None else kept.decode()

        def compare() -> bool:
            try:
                return HASHER.verify(against, told(password))
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(compare) and kept is not None

    async def _run(self, work: Callable[[], Answer]) -> Answer:
        self._admit()
        self.computed += 1
        async with self._lane:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def stop(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def told(password: str) -> str:
    """The same letters, however a keyboard composes them."""
    return unicodedata.normalize("NFC", password)

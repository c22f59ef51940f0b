"""Budgets against guessing, in the database: the same for every process, and after a restart.

An attempt counts against what it aims at from where it comes, and against where it comes from; never against an account
as such, which strangers could use up. A browser that has signed in before has a budget of its own. What is kept of an
attempt is a fingerprint and a time, for an hour at most.
"""

from __future__ import annotations

import hashlib
from ipaddress import IPv6Address, ip_address, ip_network

from regalia.server.model.ids import random_id
from regalia.server.model.refusals import Refused
from regalia.server.people.known import KnownRows
from regalia.server.ports import Change, Randomness, TimeSource, Write
from regalia.server.protocol import Code

# So many within so many seconds, and perhaps a second measure.
LIMITS: dict[str, tuple[tuple[int, int], ...]] = {
    "name": ((5, 60), (20, 900)),  # signing in: a name from a network
    "browser": ((5, 60), (20, 900)),  # signing in, where it was done before
    "address": ((30, 600),),  # signing in: an address
    "register": ((10, 3600),),  # new accounts: an address
    "recover": ((3, 3600),),  # recovery codes: an address, and an account from a network
}
LONGEST_MS = 3_600_000


class Budgets:
    def __init__(self, known: KnownRows, time: TimeSource, randomness: Randomness) -> None:
        self._known = known
        self._time = time
        self._randomness = randomness

    async def spend(self, *budgets: tuple[str, str]) -> None:
        """Written before it is counted: of several at once none slips through. What is refused counts no further."""
        now = self._time.wall_ms()
        rows = [
            {
                "id": random_id(self._randomness.bytes),
                "kind": kind,
                "key": hashlib.sha256(f"{kind} {key}".encode()).hexdigest(),
                "at_ms": now,
            }
            for kind, key in budgets
        ]
        await self._known.write(
            Write(
                changes=[Change("attempts", {}, until=("at_ms", now - LONGEST_MS))],
                new=[("attempts", row) for row in rows],
            )
        )
        waits = [await self._wait_s(str(row["kind"]), str(row["key"]), now) for row in rows]
        if any(waits):
            await self._known.write(Write(changes=[Change("attempts", {"id": row["id"]}) for row in rows]))
            raise Refused(Code.TOO_FAST, "server.error.too_many_tries", None, seconds=max(waits))

    async def _wait_s(self, kind: str, key: str, now: int) -> int:
        """How long until there is room; 0: there is."""
        found = await self._known.rows("attempts", {"kind": kind, "key": key})
        times = sorted(row["at_ms"] for row in found)
        waits = [0]
        for most, seconds in LIMITS[kind]:
            within = [at for at in times if at > now - seconds * 1000]
            if len(within) > most:
                waits.append(max(1, -(-(within[-most - 1] + seconds * 1000 - now) // 1000)))
        return max(waits)


def network_of(address: str) -> str:
    """Where an address belongs: what one household or company has."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return str(ip_network((ip, 24 if ip.version == 4 else 56), strict=False))

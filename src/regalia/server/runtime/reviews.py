"""Reviews of finished tables: made by the study, node by node, and shown to all who look while they grow.

First a glimpse of some positions, so that the whole curve is there; then every node, from coarse to fine; then again
those that may deserve a mark. Each finding is kept, so a review that was broken off goes on where it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from regalia.core.match import Match
from regalia.core.viewers import EVERYTHING
from regalia.server.ports import FindingStore, Study, StudyFailed, Thought, TimeSource, Urgency
from regalia.study.examine import CURVE, Finding, Node, examine, glimpse, in_halves, version
from regalia.study.levels import LEVELS
from regalia.study.review import MOST_AGAIN, doubtful
from regalia.study.served import assembled, nodes_of_text
from regalia.study.value import Value

MOST_UNDER_WAY = 64
KEPT = 64  # reviews that are ready or failed, in memory for who looks at them

log = logging.getLogger("regalia.reviews")
encode = msgspec.json.encode


class Crowded(Exception):
    """So many reviews wait that who asks should come back later."""


@dataclass
class Growing:
    """A review as far as it is made."""

    table: str
    view: int | None
    level: str
    state: str = "waiting"  # waiting, making, done, failed
    done: int = 0
    of: int = 0
    told: list[tuple[int, Value]] = field(default_factory=list)  # ply and value, in the order they came
    version: int = 0
    body: bytes | None = None
    task: asyncio.Task[None] | None = None

    def tell(self, ply: int, value: Value) -> None:
        self.told.append((ply, value))


def name_of(view: int | None) -> str:
    return "open" if view is None else str(view)


class Reviews:
    def __init__(self, study: Study, findings: FindingStore, time: TimeSource) -> None:
        self.study = study
        self.findings = findings
        self.time = time
        self._growing: dict[tuple[str, str], Growing] = {}
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by player

    async def look(self, table: str, view: int | None) -> Growing | None:
        """As far as it is made; None if nobody has asked for it."""
        growing = self._growing.get((table, name_of(view)))
        if growing is not None:
            return growing
        row = await self.findings.review(table, name_of(view))
        if row is None:
            return None
        made = Growing(table, view, row["level"], "done", version=row["version"], body=row["body"])
        return self._growing.setdefault((table, name_of(view)), made)

    async def ask(
        self, table: str, match: Match, view: int | None, level: str, player: str, renew: bool
    ) -> Growing:
        """Make it, unless it is there or under way at that level or a higher one. Raises Crowded."""
        known = await self.look(table, view)
        if known is not None and known.state != "failed":
            order = list(LEVELS)
            is_enough = order.index(known.level) >= order.index(level)
            is_old = known.state == "done" and known.version != version()
            if is_enough and not (renew and is_old):
                return known
        if sum(one.task is not None for one in self._growing.values()) >= MOST_UNDER_WAY:
            raise Crowded
        if known is not None and known.task is not None:
            known.task.cancel()
        growing = Growing(table, view, level, version=version())
        self._growing[table, name_of(view)] = growing
        self._forget_some()
        growing.task = asyncio.ensure_future(self._make(growing, match, player))
        growing.task.add_done_callback(lambda _: setattr(growing, "task", None))
        return growing

    async def stop(self) -> None:
        tasks = [growing.task for growing in self._growing.values() if growing.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.findings.close()

    def _forget_some(self) -> None:
        ready = [key for key, growing in self._growing.items() if growing.state in ("done", "failed")]
        for key in ready[:-KEPT]:
            del self._growing[key]

    @asynccontextmanager
    async def _turn(self, player: str) -> AsyncIterator[None]:
        """One review at a time for each player."""
        turn = self._turns.get(player)
        if turn is None:
            turn = self._turns[player] = asyncio.Lock()
        async with turn:
            yield

    # --- Making ---

    async def _make(self, growing: Growing, match: Match, player: str) -> None:
        try:
            async with self._turn(player):
                growing.state = "making"
                await self._grow(growing, match.transcript(EVERYTHING))
        except StudyFailed as failure:
            growing.state = "failed"
            log.error("review failed", extra={"facts": {"table": growing.table, "why": str(failure)}})
        except Exception:  # a process edge: one review's trouble is told to who looks
            growing.state = "failed"
            log.exception("review failed", extra={"facts": {"table": growing.table}})

    async def _grow(self, growing: Growing, text: str) -> None:
        asked = Thought(Urgency.CURVE, nodes_of_text, (text, growing.view))
        nodes: list[Node] = [node async for node in self.study.think(asked)]
        growing.of = len(nodes) + MOST_AGAIN
        order = in_halves(len(nodes))
        digests = [node.digest(growing.level) for node in nodes]
        known = await self._known(digests)
        for ply in order[:CURVE]:
            if digests[ply] not in known:
                growing.tell(ply, await self._first(Thought(Urgency.CURVE, glimpse, (nodes[ply],))))
        findings: dict[int, Finding] = {}
        for ply in order:
            asked = Thought(Urgency.REVIEW, examine, (nodes[ply], growing.level))
            findings[ply] = known.get(digests[ply]) or await self._find(digests[ply], asked)
            growing.tell(ply, findings[ply].value)
            growing.done += 1
        again = doubtful(findings, len(nodes[0].sides))
        closer = {ply: nodes[ply].digest(growing.level, closer=True) for ply in again}
        known = await self._known(list(closer.values()))
        for ply in again:
            asked = Thought(Urgency.REVIEW, examine, (nodes[ply], growing.level, True))
            found = known.get(closer[ply]) or await self._find(closer[ply], asked)
            findings[ply] = Finding(found.value, found.decision, findings[ply].luck)
            growing.tell(ply, found.value)
            growing.done += 1
        ordered = [findings[ply] for ply in range(len(nodes))]
        asked = Thought(Urgency.CURVE, assembled, (text, growing.view, growing.level, ordered, again))
        growing.body = await self._first(asked)
        growing.done, growing.state = growing.of, "done"
        await self.findings.keep_review(
            {
                "table_id": growing.table,
                "view": name_of(growing.view),
                "level": growing.level,
                "version": growing.version,
                "made_ms": self.time.wall_ms(),
                "body": growing.body,
            }
        )

    async def _known(self, digests: list[str]) -> dict[str, Finding]:
        rows = await self.findings.known(digests, version())
        found = {}
        for digest, body in rows.items():
            try:
                found[digest] = msgspec.json.decode(body, type=Finding)
            except msgspec.DecodeError:  # of another program: found again
                continue
        return found

    async def _find(self, digest: str, thought: Thought) -> Finding:
        finding: Finding = await self._first(thought)
        await self.findings.keep(digest, version(), encode(finding), self.time.wall_ms())
        return finding

    async def _first(self, thought: Thought) -> Any:
        """The only answer."""
        async with aclosing(self.study.think(thought)) as answers:
            async for answer in answers:
                return answer
        raise StudyFailed("crashed")

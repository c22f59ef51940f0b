"""Mistakes that are put into the server while it runs here, to see whether the invariants notice them.

Each is a change of a few lines in one function of the product. If the lines are not there any more the bug must be
written anew: it is said, and not passed over.
"""

from __future__ import annotations
import __future__

import inspect
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from regalia.server.model.table import Table
from regalia.server.ports import Append
from regalia.server.runtime.tables import Tables

MOST_LINES = 5


@dataclass(frozen=True)
class Bug:
    owner: type
    function: str
    right: str  # lines of its source, without their indentation
    wrong: str
    seen_by: frozenset[str]  # the invariants that notice it
    from_seed: int = (
        0  # before it the stories are known not to lead there; all of them are run by ./test --long
    )

    def source(self) -> str:
        """The function with the mistake."""
        source = textwrap.dedent(inspect.getsource(self.original()))
        lines = self.right.splitlines()
        found = [
            number
            for number in range(len(source.splitlines()))
            if [line.strip() for line in source.splitlines()[number : number + len(lines)]] == lines
        ]
        assert len(found) == 1, f"{self.function} has these lines {len(found)} times: {self.right}"
        before = source.splitlines()
        indent = before[found[0]][: len(before[found[0]]) - len(before[found[0]].lstrip())]
        before[found[0] : found[0] + len(lines)] = textwrap.indent(self.wrong, indent).splitlines()
        return "\n".join(before)

    def original(self) -> Any:
        function = self.owner.__dict__[self.function]
        return function.fget if isinstance(function, property) else function

    @contextmanager
    def made(self) -> Iterator[None]:
        kept = self.owner.__dict__[self.function]
        scope: dict[str, Any] = {}
        module = sys.modules[self.owner.__module__]
        code = compile(
            self.source(),
            f"<{self.function} with a bug>",
            "exec",
            dont_inherit=True,
            flags=__future__.annotations.compiler_flag,
        )
        exec(code, module.__dict__, scope)
        wrong = scope[self.function]
        setattr(self.owner, self.function, wrong)
        try:
            yield
        finally:
            setattr(self.owner, self.function, kept)


BUGS = {
    "ack_before_commit": Bug(  # it does not wait for what becomes of the write
        Tables,
        "_commit",
        "raise Refused(Code.STORAGE) from error",
        "return ahead",
        frozenset({"I1", "I4"}),
    ),
    "no_compare_and_set": Bug(
        Append,
        "expected",
        "return self.events[0].seq - 1",
        "return None if self.events[0].seq else -1",
        frozenset({"I0", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I10", "I11"}),
    ),
    "retry_after_unknown": Bug(
        Tables,
        "_commit",
        'self.counts["storage_errors"] += 1',
        "if cause != Cause() and any(isinstance(event, ev.Said) for event in events):\n"
        "    return await self._commit(entry, await self._load(table.id, entry), events, Cause())",
        frozenset({"I1", "I2"}),
    ),
    "hint_is_truth": Bug(
        Tables,
        "look_around",
        "heads = await self.store.heads(table_id for table_id, entry in self.entries.items() if entry.table)",
        "heads: dict[str, int] = {}",
        frozenset({"I6", "I11"}),
    ),
    "clock_restarts_at_load": Bug(
        Table,
        "run_clocks",
        "self.due_since_ms = now.steady_ms - outages.time_between(self.clocked_ms, now.wall_ms)",
        "self.due_since_ms = now.steady_ms",
        frozenset({"I10", "I11"}),
    ),
    "duty_is_exclusive": Bug(
        Tables,
        "_bot_action",
        "if table.is_current(seq, None) and seat in dict(table.bots_due()):",
        "if seat in dict(table.bots_due()):",
        frozenset({"I2"}),
        from_seed=1000,
    ),
    "id_not_checked_after_conflict": Bug(
        Tables,
        "_load",
        "entry.table.remember(lines)",
        "pass",
        frozenset({"I1", "I11"}),
    ),
    "memory_is_not_renewed": Bug(
        Tables,
        "open",
        "if entry.table is not None and not entry.is_behind:",
        "if entry.table is not None:",
        frozenset({"I6", "I11"}),
    ),
}

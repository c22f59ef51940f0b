"""What a server asks about a review in another process: everything comes and goes as text and plain values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from regalia.core.match import Match
from regalia.study.decisions import threshold
from regalia.study.examine import Finding, Node, nodes_of
from regalia.study.history import history_of
from regalia.study.review import assemble


def nodes_of_text(transcript: str, view: int | None) -> Iterator[Node]:
    """The nodes of a transcript."""
    return nodes_of(Match.replay(transcript, chance="manual"), view)


def assembled(
    transcript: str, view: int | None, level: str, findings: Sequence[Finding], again: Collection[int]
) -> Iterator[bytes]:
    """The review as JSON; beside it, for the marks, what can be said of the better action."""
    history = history_of(Match.replay(transcript, chance="manual"), view)
    made = assemble(history, level, dict(enumerate(findings)), again)
    remarks = [
        {
            "ply": decision.ply,
            "facts": decision.facts,
            "sealed": decision.is_sealed,
            "enough": threshold(len(made.sides)) / 2,
            "lines": [{"action": action, "loss": round(loss, 6)} for action, loss in decision.lines],
        }
        for decision in made.decisions
        if decision.mark is not None
    ]
    yield msgspec.json.encode({"review": made.data(), "remarks": remarks})

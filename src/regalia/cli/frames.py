"""A transcript record by record: the match after each of them."""

from __future__ import annotations

from collections.abc import Iterator

import regalia
from regalia.core import transcript
from regalia.core.game import CHANCE
from regalia.core.match import Match


def frames(match: Match) -> Iterator[Match]:
    """The match as it stood after each of its records, first the set-up (one object, played on)."""
    text = match.transcript()
    header, _ = transcript.read(text)
    walker = regalia.Match.replay(transcript.write(header, match.records[:1]), chance="manual")
    yield walker
    for record in match.records[1:]:
        assert record.seat is not None
        walker.play(record.seat, record.action)
        if record.outcomes:
            walker.play(CHANCE, " ".join(record.outcomes))
        yield walker

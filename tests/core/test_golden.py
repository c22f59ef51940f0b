"""What earlier versions wrote means the same today: transcripts lead through the same states, byte by byte."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

import pytest

from driving import TESTS
from regalia import Match
from regalia.core import transcript

# Of the states at every ply, as version 0.1.0 replayed them.
DIGESTS: dict[str, str] = json.loads((TESTS / "core" / "golden-states.json").read_text("utf-8"))


def digest(moments: Iterable[Match]) -> str:
    states = hashlib.sha256()
    for moment in moments:
        states.update(moment.state_bytes())
    return states.hexdigest()


@pytest.mark.parametrize("path", DIGESTS)
def test_a_transcript_leads_through_the_same_states_as_ever(path: str) -> None:
    text = (TESTS / path).read_text("utf-8")
    match = Match.replay(text)
    assert digest(match.moments()) == DIGESTS[path]
    header, lines = transcript.read(text)
    appended = Match.begin(header, "manual")
    for _, record in lines:
        appended.append(record)
    assert appended == match
    assert [record for _, record in lines] == match.records

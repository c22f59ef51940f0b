"""scripts/board_fixture.py: what a board is tested with comes from a transcript."""

from __future__ import annotations

import msgspec

from driving import TESTS
from regalia import Match
from second_game import script


def test_moments_and_records_are_what_the_seat_sees() -> None:
    match = Match.replay((TESTS / "probe/transcripts/target.txt").read_text("utf-8"))
    made = script("board_fixture").fixture(match, 1, {"stake": 1, "over": match.ply})
    plain = msgspec.json.decode(msgspec.json.encode(made))
    assert list(plain) == ["stake", "over", "records"]
    assert (plain["stake"]["ply"], plain["stake"]["phase"], plain["stake"]["you"]) == (1, "stake", 1)
    assert plain["over"]["outcome"]["reason"] == "target"
    assert [record["ply"] for record in plain["records"]] == list(range(match.ply))
    assert plain["records"][0]["outcomes"].count("?") == 6
    assert plain["records"][-1]["effects"][0]["type"] == "turn_ended"

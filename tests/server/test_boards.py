"""The small boards of lists: what everybody may see, of a bounded number of tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from regalia.server.settings import Rate, Rates
from server.harness import Guest, running


def boards(guest: Guest, *tables: str) -> dict[str, Any]:
    reply = guest.get("/api/boards", tables=list(tables))
    assert reply.status == 200, reply.text
    views: dict[str, Any] = reply.json["views"]
    return views


def test_a_board_is_the_spectators_view_also_for_who_sits_there(ann: Guest, bob: Guest) -> None:
    table = ann.new_table("long_live_the_king", ["human", "bot", "bot"])["table"]["id"]
    seen = [boards(guest, table)[table] for guest in (ann, bob)]
    assert seen[0] == seen[1] == ann.table(table)["view"]
    assert seen[0]["you"] is None
    assert seen[0] != ann.table(table, seat=0)["view"]


def test_boards_follow_the_match_and_stay_after_its_end(ann: Guest) -> None:
    table = ann.new_table("rose_king", ["human", "hotseat"])["table"]["id"]
    assert boards(ann, table)[table]["ply"] == 1
    view = ann.table(table, seat=0)["view"]
    ann.must("play", table, seat=0, ply=1, action=view["actions"][0])
    assert boards(ann, table)[table]["ply"] == 2
    ann.must("resign", table, seat=1)
    assert boards(ann, table)[table] == ann.table(table)["view"]


def test_what_is_not_there_for_the_caller_is_left_out(ann: Guest, bob: Guest) -> None:
    hidden = ann.new_table("rose_king", ["human", "bot"], is_public=False)["table"]["id"]
    waiting = ann.new_table("rose_king", ["human", "open"])["table"]["id"]
    shown = ann.new_table("rose_king", ["human", "bot"])["table"]["id"]
    asked = [hidden, waiting, "nowhere123", shown, shown]
    assert list(boards(ann, *asked)) == [hidden, shown]
    assert list(boards(bob, *asked)) == [shown]
    with Guest(ann.server, None) as nobody:
        assert list(boards(nobody, *asked)) == [shown]


def test_the_number_of_boards_is_bounded_and_charged(tmp_path: Path) -> None:
    some = [f"table-{number:04}" for number in range(13)]
    with running(tmp_path, rates=Rates(work=Rate(100, 1000))) as server, Guest(server) as ann:
        assert ann.get("/api/boards", tables=some).code == "bad_message"
        assert ann.get("/api/boards").code == "bad_message"
        assert ann.get("/api/boards", tables=some[:12]).json == {"views": {}}
        assert ann.get("/api/boards", tables=some[:12]).code == "too_fast"

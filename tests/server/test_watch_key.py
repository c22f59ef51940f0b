"""The link to watch a table that is listed nowhere: what its key opens, and what it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.harness import Guest, running, wait_for


def against_a_bot(ann: Guest, **more: Any) -> dict[str, Any]:
    facts: dict[str, Any] = ann.new_table(seats=["human", "bot"], is_public=False, **more)["table"]
    return facts


def test_whoever_holds_the_key_watches_without_being_anybody(ann: Guest) -> None:
    facts = against_a_bot(ann)
    table, key = facts["id"], facts["watch_key"]
    assert len(key) == 32
    with Guest(ann.server, None) as nobody:
        seen = nobody.table(table, key=key)
        assert seen["seat"] is None
        assert seen["view"]["you"] is None
        assert seen["table"]["invite"] is None
        assert seen["table"]["watch_key"] == key  # so that it can be passed on
        assert nobody.get(f"/api/tables/{table}/frames", key=key).json["views"][0]["you"] is None
        assert nobody.get(f"/api/tables/{table}/transcript", key=key).status == 200
        with nobody.socket() as line:
            assert line.watch(table, key=key)["type"] == "update"
            view = ann.table(table, seat=0)["view"]
            ann.must("play", table, seat=0, ply=view["ply"], action=view["actions"][0])
            assert line.receive("update")["view"]["ply"] > 1
        for kind in ("open", "running", "finished"):
            listed = nobody.get("/api/tables", list=kind).json["tables"]
            assert table not in {each["id"] for each in listed}


@pytest.mark.parametrize("way", ["", "/frames", "/transcript", "/proof", "/qr.svg", "/odds"])
def test_without_the_key_or_with_a_wrong_one_the_table_is_not_there(ann: Guest, bob: Guest, way: str) -> None:
    facts, other = against_a_bot(ann), against_a_bot(ann)
    path = f"/api/tables/{facts['id']}{way}"
    wrong = [None, "0" * 32, facts["watch_key"][:-1], other["watch_key"], other["invite"]]
    assert [bob.get(path, key=key).code for key in wrong] == ["not_found"] * len(wrong)
    assert bob.get(path, key=facts["watch_key"][::-1]).code == "not_found"
    with bob.socket() as line:
        assert line.watch(facts["id"], key=other["watch_key"])["code"] == "not_found"


def test_the_key_opens_no_seat_and_no_talk(ann: Guest, bob: Guest) -> None:
    facts = ann.new_table(seats=["human", "open"], is_public=False)["table"]
    table, key = facts["id"], facts["watch_key"]
    assert bob.table(table, key=key)["table"]["invite"] is None
    assert bob.get(f"/api/tables/{table}", key=key, seat=0).code == "not_your_seat"
    assert bob.do("sit", table, seat=1, invite=key).code == "not_found"
    assert bob.do("chat", table, text="hello", invite=key).code == "not_found"
    assert bob.do("start", table).code == "not_found"
    assert bob.do("sit", table, seat=1, key=key).code == "bad_message"
    bob.must("sit", table, seat=1, invite=facts["invite"])


def test_a_public_table_needs_no_key(ann: Guest, bob: Guest) -> None:
    facts = ann.new_table(seats=["human", "bot"])["table"]
    assert facts["watch_key"] is None
    assert bob.table(facts["id"], key="whatever")["table"]["id"] == facts["id"]


def test_the_next_match_has_a_key_of_its_own(ann: Guest, bob: Guest) -> None:
    facts = against_a_bot(ann)
    ann.must("resign", facts["id"], seat=0)
    following = ann.must("rematch", facts["id"], seat=0)["next"]
    assert bob.get(f"/api/tables/{following}", key=facts["watch_key"]).code == "not_found"
    key = ann.table(following)["table"]["watch_key"]
    assert bob.table(following, key=key)["table"]["previous"] == facts["id"]


def test_who_watches_by_the_key_plays_on_from_what_can_be_seen(ann: Guest, bob: Guest) -> None:
    facts = against_a_bot(ann)
    view = ann.table(facts["id"], seat=0)["view"]
    ann.must("play", facts["id"], seat=0, ply=view["ply"], action=view["actions"][0])
    ann.must("resign", facts["id"], seat=0)
    plan = [{"kind": "human"}, {"kind": "bot", "bot": "random"}]
    fork = {"game": "rose_king", "seats": plan, "table": facts["id"], "ply": 2}
    assert bob.post("/api/tables", fork).code == "not_found"
    assert bob.post("/api/tables", {**fork, "key": "0" * 32}).code == "not_found"
    made = bob.post("/api/tables", {**fork, "key": facts["watch_key"]})
    assert made.status == 200
    assert made.json["table"]["id"] != facts["id"]


def test_a_link_works_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        facts = against_a_bot(ann)
    with running(tmp_path) as server, Guest(server, None) as nobody:
        seen = nobody.table(facts["id"], key=facts["watch_key"])
        assert seen["table"]["watch_key"] == facts["watch_key"]
        assert nobody.get(f"/api/tables/{facts['id']}").code == "not_found"


def test_after_the_end_all_hands_and_the_proof_are_open_by_the_key(ann: Guest) -> None:
    facts = against_a_bot(ann)
    table, key = facts["id"], facts["watch_key"]
    with Guest(ann.server, None) as nobody:
        assert nobody.get(f"/api/tables/{table}/proof", key=key).code == "wrong_phase"
        ann.must("resign", table, seat=0)
        wait_for(lambda: nobody.table(table, key=key)["table"]["status"] == "ended")
        assert nobody.get(f"/api/tables/{table}/proof", key=key).json["table"] == table
        shown = nobody.get(f"/api/tables/{table}/frames", key=key, viewer="everything")
        assert shown.status == 200

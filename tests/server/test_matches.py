"""A match over the wire: play, undo, views, sequence numbers, coming back, exactly once. In virtual time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import regalia
from server.harness import SEED, Guest
from server.simulator import World


@pytest.fixture
def server() -> Iterator[World]:
    with World() as world:
        yield world


def seated(ann: Guest, bob: Guest, **more: Any) -> str:
    """A running match of The Rose King with Ann at seat 0 and Bob at seat 1."""
    table = str(ann.new_table(seats=["human", "open"], **more)["table"]["id"])
    bob.must("sit", table, seat=1, seed=SEED)
    return table


def play_on(guests: list[Guest], table: str, plies: int) -> dict[str, Any]:
    """The first legal action of whoever is due, several times."""
    view: dict[str, Any] = {}
    for _ in range(plies):
        shown = guests[0].table(table, seat=0)
        view = shown["view"]
        if not view["actors"]:
            break
        seat = view["actors"][0]
        mine = guests[seat].table(table, seat=seat)["view"]
        guests[seat].must("play", table, seat=seat, ply=mine["ply"], action=mine["actions"][0])
    return guests[0].table(table, seat=0)


def test_two_guests_play_a_match_to_its_end(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    shown = play_on([ann, bob], table, 400)
    assert shown["table"]["status"] == "ended"
    assert shown["table"]["result"]["reason"] == shown["view"]["outcome"]["reason"]
    assert sorted(shown["table"]["result"]["ranks"]) in ([1, 2], [1, 1])


def test_the_transcript_of_the_server_replays_in_the_library(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    play_on([ann, bob], table, 12)
    text = ann.get(f"/api/tables/{table}/transcript", seat=0).text
    assert regalia.Match.replay(text).view(0) == ann.table(table, seat=0)["view"]


def test_an_action_reaches_every_listener_with_its_own_view(ann: Guest, bob: Guest, server: World) -> None:
    table = seated(ann, bob)
    with ann.socket() as a, bob.socket() as b, Guest(server, None).socket() as nobody:
        first = a.watch(table, 0)
        b.watch(table, 1)
        stranger = nobody.watch(table)
        assert first["view"]["you"] == 0
        assert stranger["view"]["you"] is None
        assert stranger["table"]["invite"] is None
        ack = a.ask("play", table=table, seat=0, ply=1, action=first["view"]["actions"][0])
        assert ack["type"] == "ack"
        for line, seat in ((a, 0), (b, 1), (nobody, None)):
            update = line.receive("update")
            assert update["seq"] == ack["seq"]
            assert update["since"] == first["seq"]
            assert update["view"]["you"] == seat
            assert [record["ply"] for record in update["records"]] == [1]
        assert b.connection is not None


def test_the_ack_comes_before_the_own_update(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    with ann.socket() as a:
        view = a.watch(table, 0)["view"]
        a.receive("presence")
        a.send(type="play", table=table, id="order-1", seat=0, ply=1, action=view["actions"][0])
        assert [a.receive()["type"], a.receive()["type"]] == ["ack", "update"]


def test_a_command_sent_twice_happens_once(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    action = ann.table(table, seat=0)["view"]["actions"][0]
    first = ann.must("play", table, seat=0, ply=1, action=action, id="once-only-1")
    again = ann.must("play", table, seat=0, ply=1, action=action, id="once-only-1")
    assert again["seq"] == first["seq"]
    with ann.socket() as line:
        over_the_socket = line.ask("play", table=table, seat=0, ply=1, action=action, id="once-only-1")
    assert over_the_socket["seq"] == first["seq"]
    assert ann.table(table, seat=0)["view"]["ply"] == 2


def test_a_command_sent_twice_happens_once_also_after_a_restart(server: World, ann: Guest) -> None:
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    view = ann.table(table, seat=0)["view"]
    body = {"seat": 0, "ply": 1, "action": view["actions"][0], "id": "once-only-2"}
    first = ann.must("play", table, **body)
    server.kill()
    server.start()
    again = ann.must("play", table, **body)
    assert again["seq"] == first["seq"]
    assert ann.table(table, seat=0)["view"]["ply"] == 2


def test_who_comes_back_gets_only_what_is_missing(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    with ann.socket() as line:
        had = line.watch(table, 0)
    shown = play_on([ann, bob], table, 5)
    with ann.socket() as line:
        update = line.watch(table, 0, seq=had["seq"])
        assert update["since"] == had["seq"]
        assert update["from_ply"] == 1
        assert [record["ply"] for record in update["records"]] == [1, 2, 3, 4, 5]
        assert had["records"] + update["records"] == shown["records"]
        nonsense = line.watch(table, 0, seq=999_999)
        assert nonsense["since"] is None
        assert nonsense["records"] == shown["records"]


def test_undo_takes_the_last_action_back_for_everyone(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    before = ann.table(table, seat=0)
    with bob.socket() as b:
        b.watch(table, 1)
        card = next(action for action in before["view"]["actions"] if action != "draw")
        ann.must("play", table, seat=0, ply=1, action=card)
        b.receive("update")
        after = ann.table(table, seat=0)
        assert after["table"]["can_undo"] is True
        assert bob.table(table, seat=1)["table"]["can_undo"] is False
        assert bob.do("undo", table, seat=1, ply=2).code == "illegal_action"
        assert ann.do("undo", table, seat=0, ply=1).code == "stale"
        ann.must("undo", table, seat=0, ply=2)
        update = b.receive("update")
    assert (update["from_ply"], update["records"]) == (1, [])
    assert ann.table(table, seat=0)["view"] == before["view"]
    ann.must("play", table, seat=0, ply=1, action=card)
    assert [record["action"] for record in ann.table(table)["records"]][1:] == [card]


def taken_back(ann: Guest, table: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ann plays a card, takes it back and plays another one; what everyone saw after either of them."""
    cards = [action for action in ann.table(table, seat=0)["view"]["actions"] if action != "draw"][:2]
    ann.must("play", table, seat=0, ply=1, action=cards[0])
    first = ann.table(table)
    ann.must("undo", table, seat=0, seq=first["seq"])
    ann.must("play", table, seat=0, ply=1, action=cards[1])
    second = ann.table(table)
    assert first["view"]["ply"] == second["view"]["ply"]
    return first, second


def test_an_answer_to_an_action_that_was_taken_back_is_stale(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    first, second = taken_back(ann, table)
    answer = bob.table(table, seat=1)["view"]["actions"][0]
    assert bob.do("play", table, seat=1, seq=first["seq"], action=answer).code == "stale"
    assert bob.do("play", table, seat=1, seq=second["seq"] + 1, action=answer).code == "stale"
    bob.must("chat", table, seat=1, text="what was said in between changes no position")
    bob.must("play", table, seat=1, seq=second["seq"], action=answer)


def test_an_undo_meant_for_an_action_that_was_taken_back_is_stale(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    first, second = taken_back(ann, table)
    assert ann.do("undo", table, seat=0, seq=first["seq"]).code == "stale"
    ann.must("undo", table, seat=0, seq=second["seq"])


def test_questions_about_a_position_that_is_gone_are_not_answered_for_another(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    first, second = taken_back(ann, table)
    action = bob.table(table, seat=1)["view"]["actions"][0]
    path = f"/api/tables/{table}"
    for shown, is_answered in ((first, False), (second, True)):
        preview = bob.get(f"{path}/previews", seat=1, seq=shown["seq"], actions=[action])
        assert (preview.json is not None) is is_answered
        assert bob.get(f"{path}/odds", seat=1, seq=shown["seq"]).status == (404 if is_answered else 200)
        hint = bob.post(f"{path}/hint", {"seat": 1, "seq": shown["seq"], "bot": "random"})
        assert hint.status == 200 if is_answered else hint.code == "stale"


def test_an_action_says_on_which_position_it_was_decided(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    action = ann.table(table, seat=0)["view"]["actions"][0]
    assert ann.do("play", table, seat=0, action=action).code == "bad_message"
    assert ann.do("undo", table, seat=0).code == "bad_message"
    assert ann.post(f"/api/tables/{table}/hint", {"seat": 0}).code == "bad_message"


def test_undo_can_be_switched_off(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob, undo=False)
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    assert ann.do("undo", table, seat=0, ply=2).code == "not_at_this_table"
    assert ann.table(table, seat=0)["table"]["can_undo"] is False


@pytest.mark.parametrize(
    "fields, code",
    [
        ({"seat": 1, "ply": 1, "action": "N1"}, "not_your_seat"),
        ({"seat": 5, "ply": 1, "action": "N1"}, "not_your_seat"),
        ({"seat": 0, "ply": 7, "action": "N1"}, "stale"),
        ({"seat": 0, "ply": 1, "action": "castle"}, "unreadable"),
        ({"seat": 0, "ply": 1, "action": "draw"}, "illegal_action"),
        ({"seat": 0, "ply": 1, "action": ""}, "bad_message"),
        ({"seat": -1, "ply": 1, "action": "N1"}, "bad_message"),
        ({"seat": True, "ply": 1, "action": "N1"}, "bad_message"),
        ({"seat": 0, "ply": 1, "action": "N1", "cheat": 1}, "bad_message"),
    ],
)
def test_a_refusal_has_one_code_and_changes_nothing(
    ann: Guest, bob: Guest, fields: dict[str, Any], code: str
) -> None:
    table = seated(ann, bob)
    before = ann.table(table, seat=0)
    assert ann.do("play", table, **fields).code == code
    after = ann.table(table, seat=0)
    assert (after["seq"], after["view"], after["records"]) == (
        before["seq"],
        before["view"],
        before["records"],
    )


def test_a_refusal_is_in_the_players_language_and_names_the_clause(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    ann.http.headers["accept-language"] = "de-DE,en;q=0.5"
    error = ann.do("play", table, seat=0, ply=1, action="draw").json["error"]
    assert error["clause"] == "RK-30"
    assert error["text"].endswith("(RK-30)")
    assert error["text"].startswith(regalia.locale.say("de", error["key"], **error["values"]))
    with ann.socket() as line:
        line.send(type="hello", language="nl")
        answer = line.ask("play", table=table, seat=0, ply=1, action="draw")
        assert answer["text"].startswith(regalia.locale.say("nl", answer["key"], **answer["values"]))


def test_out_of_turn_is_refused(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    assert bob.do("play", table, seat=1, ply=1, action="N1").code == "not_your_turn"


def test_replay_shows_what_was_seen_at_every_ply(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    seen = [ann.table(table, seat=0)["view"], *(play_on([ann, bob], table, 1)["view"] for _ in range(6))]
    frames = ann.get(f"/api/tables/{table}/frames", seat=0).json
    assert frames["views"] == seen
    part = ann.get(f"/api/tables/{table}/frames", seat=0, first=3, last=4).json
    assert (part["first"], part["views"]) == (3, seen[2:4])
    assert ann.get(f"/api/tables/{table}/frames", first=0).status == 422
    assert ann.get(f"/api/tables/{table}/frames", first=3, last=999).status == 422


def test_previews_are_the_views_after_each_action(ann: Guest, bob: Guest) -> None:
    table = seated(ann, bob)
    path = f"/api/tables/{table}/previews"
    view = ann.table(table, seat=0)["view"]
    cards = [action for action in view["actions"] if action != "draw"]
    shown = ann.get(path, seat=0, actions=cards, ply=1).json
    assert (shown["ply"], list(shown["views"])) == (1, cards)
    ann.must("play", table, seat=0, ply=1, action=cards[-1])
    assert shown["views"][cards[-1]]["board"] == ann.table(table, seat=0)["view"]["board"]
    assert ann.get(path, seat=0, actions=cards, ply=1).json is None  # it has passed
    assert ann.get(path, seat=1, actions=cards).code == "not_your_seat"
    assert ann.get(path, actions=cards).code == "not_your_seat"


def test_previews_are_refused_without_actions_with_too_many_and_with_an_illegal_one(
    ann: Guest, bob: Guest
) -> None:
    table = seated(ann, bob)
    path = f"/api/tables/{table}/previews"
    view = ann.table(table, seat=0)["view"]
    assert ann.get(path, seat=0).code == "bad_message"
    assert ann.get(path, seat=0, actions=["N1"] * 17).code == "bad_message"
    assert ann.get(path, seat=0, actions=["x" * 500]).code == "bad_message"
    assert ann.get(path, seat=0, actions=[view["actions"][0], "no such action"]).code == "unreadable"

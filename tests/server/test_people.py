"""People over time: they sit down and get up, look away, take back and come too late. In virtual time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import probe
from regalia.core.registry import register
from regalia.server.model import events as ev
from regalia.server.model.refusals import refuse
from regalia.server.ports import StorageError
from regalia.server.protocol import Code
from server.harness import Guest
from server.simulator import World

register(probe.GAME)


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


def guests(world: World, *names: str) -> list[Guest]:
    return [Guest(world, name) for name in names]


# --- TableQuery ---


def test_who_gets_up_looks_on_as_a_stranger_and_not_with_the_next_ones_eyes(world: World) -> None:
    ann, bob, cyd = guests(world, "Ann", "Bob", "Cyd")
    table = ann.new_table("long_live_the_king", ["human", "open", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    with bob.socket() as line:
        assert line.watch(table, 1)["seat"] == 1
        bob.must("leave", table, seat=1)
        assert line.receive("update")["seat"] is None
        cyd.must("sit", table, seat=1)
        assert line.receive("update")["seat"] is None
        bob.must("sit", table, seat=2)
        update = line.receive("update")
    assert update["table"]["status"] == "running"
    assert (update["seat"], update["view"]["you"], update["view"]["actions"]) == (None, None, [])
    assert update["view"] == ann.table(table)["view"]


def test_who_gets_up_from_a_private_table_no_longer_sees_it(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    table = ann.new_table(seats=["human", "open"], is_public=False, autostart=False)["table"]
    bob.must("sit", table["id"], seat=1, invite=table["invite"])
    with bob.socket() as line:
        line.watch(table["id"], 1)
        bob.must("leave", table["id"], seat=1)
        refused = line.receive("refused", "update")
        assert (refused["type"], refused["code"], refused["table"]) == ("refused", "not_found", table["id"])
        ann.must("chat", table["id"], seat=0, text="now we are alone")
        world.tick(5)
        assert {frame["type"] for frame in line.connection.read()} <= {"presence"}


def test_an_invitation_stays_good_after_getting_up(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    created = ann.new_table(seats=["human", "open"], is_public=False, autostart=False)["table"]
    table, invite = created["id"], created["invite"]
    bob.must("sit", table, seat=1, invite=invite)
    with bob.socket() as line:
        line.watch(table, 1, invite=invite)
        bob.must("leave", table, seat=1)
        assert line.receive("update", "refused")["seat"] is None


# --- Bots ---


def is_due(world: World, table: str, seat: int) -> bool:
    return seat in world.table(table).actors


def test_a_bot_plays_no_action_meant_for_a_position_that_was_taken_back(world: World) -> None:
    world.bots.think_s = 5
    [ann] = guests(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    cards = [action for action in ann.table(table, seat=0)["view"]["actions"] if action != "draw"][:2]
    ann.must("play", table, seat=0, ply=1, action=cards[0])
    world.tick(3)
    ann.must("undo", table, seat=0, ply=2)
    ann.must("play", table, seat=0, ply=1, action=cards[1])
    world.tick(20)
    assert is_due(world, table, 0)
    [(seen, answer)] = world.bots.answers  # of the first position it did not think on
    assert seen.records[1].action == cards[1]
    records = ann.table(table)["records"]
    assert [record["action"] for record in records][1:] == [cards[1], answer]


def test_a_bots_choice_counts_only_for_the_position_it_saw(world: World) -> None:
    world.bots.think_s = 15
    [ann] = guests(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    cards = [action for action in ann.table(table, seat=0)["view"]["actions"] if action != "draw"][:2]
    ann.must("play", table, seat=0, ply=1, action=cards[0])
    seen = world.table(table)
    assert seen.match is not None
    ann.must("undo", table, seat=0, ply=2)
    ann.must("play", table, seat=0, ply=1, action=cards[1])
    before = world.log(table)
    choice = world.services.tables.bot_action(table, 1, seen.seq, seen.match.actions(1)[0], "")
    world.run(choice)
    assert world.log(table) == before


@pytest.mark.parametrize("after_s", [0.2, 15.0], ids=["during its pause", "while it thinks"])
def test_a_bot_that_overruns_on_a_position_that_is_gone_does_not_keep_the_table_waiting(
    world: World, after_s: float
) -> None:
    """It is asked anew at once, not after it has used up its limit for nothing."""
    world.bots.think_s = None
    [ann] = guests(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    cards = [action for action in ann.table(table, seat=0)["view"]["actions"] if action != "draw"][:2]
    ann.must("play", table, seat=0, ply=1, action=cards[0])
    world.tick(after_s)
    ann.must("undo", table, seat=0, ply=2)
    ann.must("play", table, seat=0, ply=1, action=cards[1])
    world.tick(world.settings.bot_pause_s + world.bots.limit_s + 0.1)
    assert is_due(world, table, 0)


def test_a_bot_that_falls_over_in_any_way_does_not_stop_the_table(world: World) -> None:
    [ann] = guests(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    world.bots.error = RuntimeError("not even a bot's failure")
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    world.tick(30)
    assert is_due(world, table, 1)
    world.bots.error = None
    world.tick(30)
    assert is_due(world, table, 0)


def test_a_table_whose_bot_is_refused_again_and_again_is_reported_and_tried_on(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    [ann] = guests(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    with monkeypatch.context() as patched:
        patched.setattr("regalia.server.model.commands.play_now", lambda *_: refuse(Code.INTERNAL))
        world.tick(120)
    assert is_due(world, table, 1)
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert 1 <= len(errors) <= 12
    world.tick(60)
    assert is_due(world, table, 0)


def test_a_bot_that_gives_no_legal_action_is_replaced_by_one(world: World) -> None:
    [ann] = guests(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    world.bots.says = "no such action"
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    world.tick(5)
    assert is_due(world, table, 0)
    assert b"illegal" in world.log(table)[-1].body


# --- Clocks ---


@pytest.mark.parametrize("error", [StorageError("the disk is full"), RuntimeError("a mistake of ours")])
def test_a_clock_that_runs_out_while_the_disk_fails_is_not_forgotten(world: World, error: Exception) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    clock = {"tempo": "live", "reserve_ms": 60_000}
    table = ann.new_table(seats=["human", "open"], clock=clock)["table"]["id"]
    bob.must("sit", table, seat=1)
    world.store.error = error
    world.tick(100)
    assert world.table(table).status == "running"
    world.store.error = None
    world.tick(5)
    result = ann.table(table)["table"]["result"]
    assert (result["ranks"], result["reason"]) == ([2, 1], "time")


def clocked(world: World, ann: Guest, bob: Guest, **clock: Any) -> str:
    """A running match of The Rose King with live clocks, Ann to act first."""
    timed = {"tempo": "live", "reserve_ms": 60_000, "increment_ms": 10_000, **clock}
    table = ann.new_table(seats=["human", "open"], clock=timed)["table"]["id"]
    bob.must("sit", table, seat=1)
    return str(table)


def left(guest: Guest, table: str) -> list[int]:
    return [facts["left_ms"] for facts in guest.table(table)["table"]["seats"]]


def play_card(guest: Guest, table: str, seat: int) -> None:
    shown = guest.table(table, seat=seat)
    card = next(action for action in shown["view"]["actions"] if action != "draw")
    guest.must("play", table, seat=seat, seq=shown["seq"], action=card)


def take_back(guest: Guest, table: str, seat: int) -> None:
    guest.must("undo", table, seat=seat, seq=guest.table(table)["seq"])


def test_who_takes_back_pays_for_the_time_and_nobody_else_does(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    table = clocked(world, ann, bob)
    for _ in range(5):
        play_card(ann, table, 0)
        world.tick(9)
        take_back(ann, table, 0)
    assert left(ann, table) == [15_000, 60_000]


def test_the_time_before_the_action_and_its_increment_go_back_with_it(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    table = clocked(world, ann, bob)
    world.tick(5)
    play_card(ann, table, 0)
    assert left(ann, table) == [65_000, 60_000]
    world.tick(7)
    play_card(bob, table, 1)
    assert left(ann, table) == [65_000, 63_000]
    world.tick(4)
    world.restart()
    assert left(ann, table) == [61_000, 63_000]  # nobody gains by a restart
    world.tick(6)
    take_back(bob, table, 1)
    assert left(ann, table) == [65_000, 43_000]
    world.tick(1)
    assert left(ann, table) == [65_000, 42_000]
    world.restart()
    assert left(ann, table) == [65_000, 42_000]


def test_an_undo_that_would_empty_the_own_clock_is_refused(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    table = clocked(world, ann, bob, reserve_ms=20_000, increment_ms=5_000)
    world.tick(5)
    play_card(ann, table, 0)
    world.tick(14)
    assert ann.table(table, seat=0)["table"]["can_undo"] is True
    world.tick(1)
    assert ann.table(table, seat=0)["table"]["can_undo"] is False
    refused = ann.do("undo", table, seat=0, seq=ann.table(table)["seq"])
    assert (refused.code, refused.json["error"]["key"]) == ("illegal_action", "server.error.undo_time")
    assert left(ann, table) == [20_000, 5_000]
    world.tick(5)
    assert ann.table(table)["table"]["result"] == {"ranks": [1, 2], "points": [0, 0], "reason": "time"}


def test_what_was_played_before_the_table_began_is_nobodys_to_take_back(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    first = clocked(world, ann, bob)
    play_card(ann, first, 0)
    text = ann.get(f"/api/tables/{first}/transcript").text
    created = ann.new_table(seats=["human", "hotseat"], transcript=text)
    table = created["table"]["id"]
    assert created["table"]["can_undo"] is False
    assert ann.do("undo", table, seat=0, seq=created["seq"]).code == "illegal_action"
    play_card(ann, table, 1)
    take_back(ann, table, 1)


# --- Records ---


def test_the_time_of_a_sealed_choice_stays_with_it_when_the_choices_are_told(world: World) -> None:
    [ann] = guests(world, "Ann")
    timed = {"tempo": "live", "reserve_ms": 60_000}
    plan = ["human", "hotseat", "hotseat", "hotseat"]
    table = ann.new_table("probe", plan, clock=timed)["table"]["id"]
    chosen_at = {}
    for seat in (3, 1, 0, 2):
        world.tick(1)
        shown = ann.table(table, seat=seat)
        chosen_at[seat] = world.time.wall_ms()
        ann.must("play", table, seat=seat, seq=shown["seq"], action=shown["view"]["actions"][0])
    for _ in range(2):
        records = ann.table(table)["records"][1:5]
        assert [record["seat"] for record in records] != [3, 1, 0, 2]
        assert {record["seat"]: record["at_ms"] for record in records} == chosen_at
        world.restart()
    clocks = world.table(table).clocks[1:5]
    seats = [record["seat"] for record in records]
    assert [left[seat] for seat, left in zip(seats, clocks, strict=True)] == [
        60_000 - 1000 * (1 + [3, 1, 0, 2].index(seat)) for seat in seats
    ]


def test_a_command_that_meets_an_event_of_another_process_is_decided_again(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    table = clocked(world, ann, bob)
    before = ann.table(table)
    world.tick(5)
    world.store.intruder = True
    play_card(ann, table, 0)
    after = ann.table(table)
    assert after["seq"] == before["seq"] + 2
    assert after["events"][-1]["text"] == "from another process"
    assert left(ann, table) == [65_000, 60_000]
    assert world.services.tables.counts["conflicts"] == 1


def test_what_was_decided_too_late_for_another_process_is_stale(world: World) -> None:
    """Ann's undo reaches the log through another process, just before Bob's answer."""
    ann, bob = guests(world, "Ann", "Bob")
    table = clocked(world, ann, bob)
    play_card(ann, table, 0)
    shown = bob.table(table, seat=1)
    world.store.intruder = ev.Undone(0, 1, (60_000, 60_000))
    answer = bob.do("play", table, seat=1, seq=shown["seq"], action=shown["view"]["actions"][0])
    assert answer.code == "stale"
    assert ann.table(table)["view"]["ply"] == 1


def test_who_says_something_again_since_the_answer_was_lost_is_not_away(world: World) -> None:
    ann, bob = guests(world, "Ann", "Bob")
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    bob.must("chat", table, id="lost-answer", seat=1, text="hello")
    action = ann.table(table, seat=0)["view"]["actions"][0]
    ann.must("play", table, seat=0, ply=1, action=action)
    world.tick(299)
    bob.must("chat", table, id="lost-answer", seat=1, text="hello")
    world.tick(2)
    assert ann.do("takeover", table, seat=1, bot="random").code == "not_your_seat"
    world.tick(300)
    ann.must("takeover", table, seat=1, bot="random")

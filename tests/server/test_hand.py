"""The table of the boxed game: people roll and deal, and type what fell; typing errors are amended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import probe
from regalia import Match
from regalia.core.registry import register
from regalia.core.viewers import EVERYTHING
from regalia.server.model.events import read
from regalia.server.model.table import Table
from regalia.server.ports import read_time
from regalia.server.store.export import export_of
from server.harness import Guest
from server.simulator import World

register(probe.GAME)

COURT = "court_the_king"


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


def begin(
    world: World, game: str = COURT, seats: int = 2, by_hand: str = "dice", host: str = "human", **more: Any
) -> tuple[str, list[Guest]]:
    """A table whose seats are taken by one guest each; the first is the host."""
    guests = [Guest(world, f"Guest {seat}") for seat in range(seats)]
    plan = [host] + ["open"] * (seats - 1)
    made = guests[0].new_table(game, plan, by_hand=by_hand, **more)
    name = str(made["table"]["id"])
    for seat, guest in enumerate(guests[1:], 1):
        guest.must("sit", name, seat=seat)
    return name, guests


def due(guest: Guest, table: str, seat: int | None = None) -> dict[str, Any]:
    facts: dict[str, Any] = guest.table(table, seat=seat)["table"]["due"]
    return facts


def play(guests: list[Guest], table: str, action: str = "") -> None:
    """Whoever is due decides: an action, else the first legal one."""
    seat = guests[0].table(table)["view"]["actors"][0]
    shown = guests[seat].table(table, seat=seat)
    text = action or shown["view"]["actions"][0]
    guests[seat].must("play", table, seat=seat, seq=shown["seq"], action=text)


def type_in(guest: Guest, table: str, text: str, **more: Any) -> Any:
    return guest.do("outcome", table, text=text, seq=guest.table(table)["seq"], **more)


def roll(guests: list[Guest], table: str, text: str) -> None:
    reply = type_in(guests[due(guests[0], table)["seat"]], table, text)
    assert reply.status == 200, reply.text


def turn(guests: list[Guest], table: str, *rolls: str) -> None:
    """A turn of To Court the King: roll, keep all, take nothing."""
    for text in rolls:
        play(guests, table, "roll")
        roll(guests, table, text)
        play(guests, table, f"keep {text}")
    play(guests, table, "take none")


# --- Typing ---


def test_what_fell_is_typed_by_whose_roll_it_is(world: World) -> None:
    table, guests = begin(world)
    assert due(guests[0], table) is None
    play(guests, table, "roll")
    shown = guests[0].table(table)
    asked = shown["table"]["due"]
    seat = asked["seat"]
    assert asked == {
        "phase": "rolling",
        "seat": seat,
        "count": 3,
        "most": {str(face): 3 for face in range(1, 7)},
        "can_type": True,  # the host
        "awaited": [],
    }
    assert shown["view"]["actors"] == [7]
    roll(guests, table, "5 5 2")
    shown = guests[seat].table(table, seat=seat)
    assert shown["records"][-1]["outcomes"] == ["5", "5", "2"]
    assert shown["view"]["actors"] == [seat]
    assert shown["table"]["due"] is None


def test_the_host_types_for_everybody_and_nobody_else_does(world: World) -> None:
    table, guests = begin(world, seats=3)
    play(guests, table, "roll")
    seat = due(guests[0], table)["seat"]
    stranger = next(guest for at, guest in enumerate(guests) if at and at != seat)
    assert not due(stranger, table)["can_type"]
    reply = type_in(stranger, table, "1 2 3")
    assert reply.code == "not_your_turn"
    assert f"Guest {seat}" in reply.text
    assert type_in(guests[0], table, "1 2 3").status == 200


@pytest.mark.parametrize(
    "text, code",
    [
        ("5 5", "unreadable"),  # too few
        ("5 5 2 1", "unreadable"),  # too many
        ("5 5 7", "unreadable"),  # no such die
        ("5 5 red", "unreadable"),
        ("", "bad_message"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_lost(world: World, text: str, code: str) -> None:
    table, guests = begin(world)
    play(guests, table, "roll")
    before = guests[0].table(table)
    assert type_in(guests[0], table, text).code == code
    after = guests[0].table(table)
    assert (before["seq"], before["table"]["due"]) == (after["seq"], after["table"]["due"])
    assert type_in(guests[0], table, "5 5 2").status == 200


def test_nothing_is_typed_when_nothing_is_due_or_twice(world: World) -> None:
    table, guests = begin(world)
    assert type_in(guests[0], table, "5 5 2").code == "wrong_phase"
    play(guests, table, "roll")
    seen = guests[0].table(table)["seq"]
    assert guests[0].do("outcome", table, text="5 5 2", seq=seen).status == 200
    assert guests[0].do("outcome", table, text="5 5 2", seq=seen).code == "stale"
    assert guests[0].do("outcome", table, text="5 5 2").code == "bad_message"


def test_where_the_program_rolls_nobody_types(world: World) -> None:
    table, guests = begin(world, by_hand="")
    reply = type_in(guests[0], table, "5 5 2")
    assert reply.code == "not_at_this_table"


def test_a_game_offers_what_its_box_has(world: World) -> None:
    guest = Guest(world)
    body = {"game": "rose_king", "seats": [{"kind": "human"}, {"kind": "open"}], "by_hand": "dice"}
    assert guest.post("/api/tables", body).code == "setup"
    games = {game["id"]: game["by_hand"] for game in guest.get("/api/games").json}
    assert games["rose_king"] == ["manual"]
    assert games[COURT] == ["dice"]


def test_bots_wait_while_an_outcome_is_due_and_go_on_after_it(world: World) -> None:
    host = Guest(world, "Host")
    table = str(host.new_table(COURT, ["human", "bot"], by_hand="dice")["table"]["id"])
    for _ in range(40):
        world.tick(5)
        asked, shown = due(host, table, 0), host.table(table, seat=0)
        if asked and asked["seat"] == 1:
            break
        if asked:
            assert type_in(host, table, "1 2 3 4 5 6"[: 2 * asked["count"] - 1]).status == 200
        else:
            host.must("play", table, seat=0, seq=shown["seq"], action=shown["view"]["actions"][-1])
    else:
        pytest.fail("the bot never rolled")
    answered = len(world.bots.answers)
    world.tick(60)
    assert len(world.bots.answers) == answered
    assert not world.table(table).is_due
    assert type_in(host, table, "1 2 3 4 5 6"[: 2 * asked["count"] - 1]).status == 200
    world.tick(5)
    assert len(world.bots.answers) > answered


def test_clocks_stand_while_real_dice_roll(world: World) -> None:
    clock = {"tempo": "live", "reserve_ms": 60_000, "increment_ms": 0}
    table, guests = begin(world, clock=clock)
    play(guests, table, "roll")
    before = [seat["left_ms"] for seat in guests[0].table(table)["table"]["seats"]]
    world.tick(300)
    seats = guests[0].table(table)["table"]["seats"]
    assert [seat["left_ms"] for seat in seats] == before
    assert not any(seat["is_running"] for seat in seats)
    roll(guests, table, "1 2 3")
    world.tick(1)
    assert sum(seat["is_running"] for seat in guests[0].table(table)["table"]["seats"]) == 1


def test_the_log_is_read_to_the_same_bytes(world: World) -> None:
    table, guests = begin(world)
    turn(guests, table, "1 2 3")
    turn(guests, table, "4 4 4")
    live = world.table(table)
    again = Table.read(table, world.log(table), read_time(world.time))
    assert live.match is not None
    assert again.match is not None
    assert again.match.state_bytes() == live.match.state_bytes()
    assert again.match.transcript() == live.match.transcript()
    assert list(again.box.entries) == list(live.box.entries)
    world.restart()
    assert world.table(table).started_match().transcript() == live.match.transcript()


def test_it_is_labelled_and_there_is_no_proof(world: World) -> None:
    table, guests = begin(world)
    assert guests[0].table(table)["table"]["by_hand"] == "dice"
    listed = guests[0].get("/api/tables", list="mine").json["tables"]
    assert listed[0]["by_hand"] == "dice"
    play(guests, table, "roll")
    seat = due(guests[0], table)["seat"]
    assert guests[0].get("/api/tables", list="mine").json["tables"][0]["actors"] == [seat]
    text = guests[0].get(f"/api/tables/{table}/transcript").text
    assert "# by hand" in text
    assert Match.replay(text, chance="dice").due is not None
    guests[0].must("resign", table, seat=0)
    assert guests[0].get(f"/api/tables/{table}/proof").code == "not_at_this_table"
    exported = export_of(world.table(table))
    assert (exported["proof"], exported["by_hand"]) == (None, "dice")


def test_a_rematch_is_by_hand_too(world: World) -> None:
    table, guests = begin(world, odds=False)
    guests[0].must("resign", table, seat=0)
    following = guests[0].must("rematch", table, seat=0)["next"]
    facts = guests[0].table(following)["table"]
    assert (facts["by_hand"], facts["odds"]) == ("dice", False)


def test_odds_are_for_all_or_for_nobody(world: World) -> None:
    table, guests = begin(world, odds=False)
    seat = guests[0].table(table)["view"]["actors"][0]
    seq = guests[0].table(table)["seq"]
    assert guests[seat].get(f"/api/tables/{table}/odds", seat=seat, seq=seq).code == "not_at_this_table"
    table, guests = begin(world, odds=True, hints=False)
    seat = guests[0].table(table)["view"]["actors"][0]
    seq = guests[0].table(table)["seq"]
    assert guests[seat].get(f"/api/tables/{table}/odds", seat=seat, seq=seq).status == 200


def test_an_outcome_may_end_the_match(world: World) -> None:
    """Dice break the tie of an election: the result is told with them."""
    table, guests = begin(world, "probe", seats=4, by_hand="dice", options={"target": "3"})
    for _ in range(60):
        shown = guests[0].table(table)
        if shown["table"]["status"] == "ended":
            break
        if shown["table"]["due"]:
            roll(guests, table, " ".join(["6"] * shown["table"]["due"]["count"]))
        else:
            play(guests, table)
    assert shown["table"]["result"]["reason"] in ("target", "rounds")


# --- Real cards ---


CARDS = {0: "c1 c2", 1: "c1 c2", 2: "c3 c3", 3: "c1 c2"}


def cards(world: World) -> tuple[str, list[Guest]]:
    return begin(world, "probe", seats=4, by_hand="manual")


def test_each_phone_types_its_own_hand_and_sees_no_other(world: World) -> None:
    table, guests = cards(world)
    for seat, text in CARDS.items():
        asked = due(guests[seat], table, seat)
        assert (asked["count"], asked["can_type"]) == (2, True)
        assert seat in asked["awaited"]
        assert type_in(guests[seat], table, text, seat=seat).status == 200
        if seat < 3:
            assert not due(guests[seat], table, seat)["can_type"]
            assert due(guests[0], table)["awaited"] == list(range(seat + 1, 4))
    hands = guests[2].table(table, seat=2)["view"]["hands"]
    assert hands[2] == [0, 0, 2]
    assert hands[0] is None or hands[0] == [None] * 3
    assert guests[2].table(table, seat=2)["table"]["typed"][0]["texts"] == ["?"] * 8


def test_somebody_miscounted_and_nobody_is_told_who(world: World) -> None:
    table, guests = cards(world)
    for seat in range(4):
        assert type_in(guests[seat], table, "c3 c3", seat=seat).status == 200
    shown = guests[0].table(table)
    assert shown["table"]["due"]["awaited"] == [0, 1, 2, 3]
    notice = shown["events"][-1]
    assert (notice["kind"], notice["seat"], notice["name"], notice["text"]) == ("miscounted", None, "", "")
    for seat, text in CARDS.items():
        assert type_in(guests[seat], table, text, seat=seat).status == 200
    assert guests[0].table(table)["table"]["due"] is None


@pytest.mark.parametrize(
    "text, seat, code",
    [
        ("c1", 0, "unreadable"),
        ("c1 c2 c3", 0, "unreadable"),
        ("c1 c9", 0, "unreadable"),
        ("c1 c2", 1, "not_your_seat"),
        ("c1 c2", None, "bad_message"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(world: World, text: str, seat: int | None, code: str) -> None:
    table, guests = cards(world)
    assert type_in(guests[0], table, text, seat=seat).code == code
    assert due(guests[0], table, 0)["can_type"]


def test_nobody_gets_more_of_a_kind_than_there_can_be(world: World) -> None:
    table, guests = cards(world)
    for seat, text in CARDS.items():
        type_in(guests[seat], table, text, seat=seat)
    for _ in range(60):
        asked = due(guests[2], table, 2)
        if asked and asked["awaited"]:
            break
        if asked:
            roll(guests, table, " ".join(["6"] * asked["count"]))
        else:
            play(guests, table, "end" if "end" in actions(guests, table) else "")
    assert asked["count"] == 1
    spent = guests[2].table(table)["view"]["spent"]
    assert asked["most"]["c3"] == min(1, 4 - spent[2] - 1)
    assert type_in(guests[2], table, "c1", seat=2).status == 200
    assert type_in(guests[2], table, "c1", seat=2).code == "wrong_phase"


def actions(guests: list[Guest], table: str) -> list[str]:
    seat = guests[0].table(table)["view"]["actors"][0]
    return list(guests[seat].table(table, seat=seat)["view"]["actions"])


def test_no_bot_holds_real_cards(world: World) -> None:
    guest = Guest(world)
    plan = [{"kind": "human"}, {"kind": "bot", "bot": "random"}, {"kind": "open"}, {"kind": "open"}]
    body = {"game": "probe", "seats": plan, "by_hand": "manual"}
    assert guest.post("/api/tables", body).code == "setup"
    table = str(guest.new_table("probe", ["human", "open", "open", "open"], by_hand="manual")["table"]["id"])
    assert guest.do("place", table, seat=1, bot="random").code == "setup"


def test_no_socket_ever_carries_anothers_hand(world: World) -> None:
    """Two evenings that differ in what seats 0 and 1 hold: seat 2 is sent the same bytes."""
    told = []
    for swap in (False, True):
        with World() as world:
            table, guests = cards(world)
            with guests[2].socket() as line:
                line.send(type="watch", table=table, seat=2)
                hands = {**CARDS, 0: "c2 c2" if swap else "c1 c1", 1: "c1 c1" if swap else "c2 c2"}
                for seat, text in hands.items():
                    world.settle()
                    assert type_in(guests[seat], table, text, seat=seat).status == 200
                world.settle()
                told.append([frame for frame in line.connection.frames if '"update"' in frame])
    assert len(told[0]) > 3
    assert told[0] == told[1]


# --- Amending ---


def test_a_wrong_roll_three_plies_ago_is_amended_by_agreement(world: World) -> None:
    table, guests = begin(world)
    turn(guests, table, "1 1 2")
    play(guests, table, "roll")
    wrong = len(guests[0].table(table)["records"]) - 1
    seat = due(guests[0], table)["seat"]
    roll(guests, table, "6 6 6")
    play(guests, table, "keep 6 6 6")
    play(guests, table, "take none")
    play(guests, table, "roll")
    roll(guests, table, "3 3 4")
    typed = guests[0].table(table)["table"]["typed"]
    assert {"ply": wrong, "outcomes": 0, "seat": seat, "texts": ["6", "6", "6"]} in typed
    guests[0].must("amend", table, ply=wrong, outcomes=0)
    asked = guests[1].table(table)["table"]["amendment"]
    assert (asked["name"], asked["is_yours"], asked["awaited"]) == ("Guest 0", True, ["Guest 1"])
    assert not guests[0].table(table)["table"]["amendment"]["is_yours"]
    guests[1].must("answer_amend", table, accept=True)
    assert due(guests[0], table)["count"] == 3
    assert guests[0].table(table)["table"]["amendment"] is None
    roll(guests, table, "6 6 5")
    play(guests, table, "keep 6 6 5")
    live = world.table(table)
    assert live.match is not None

    replayed = Match.replay(live.match.transcript(EVERYTHING), chance="dice")
    assert replayed.state_bytes() == live.match.state_bytes()
    assert replayed.records == live.match.records
    kinds = [type(read(line.body)).__name__ for line in world.log(table)]
    assert kinds.count("Amended") == 1
    assert kinds.count("Rolled") == 4  # the log keeps both
    again = Table.read(table, world.log(table), read_time(world.time))
    assert again.started_match().state_bytes() == live.match.state_bytes()
    assert again.started_match().records == live.match.records


def test_who_does_not_agree_keeps_it_as_it_is(world: World) -> None:
    table, guests = begin(world)
    turn(guests, table, "1 1 2")
    before = guests[0].table(table)["records"]
    guests[1].must("amend", table, ply=1, outcomes=0)
    guests[0].must("answer_amend", table, accept=False)
    shown = guests[0].table(table)
    assert shown["records"] == before
    assert shown["table"]["amendment"] is None
    assert [event["kind"] for event in shown["events"][-2:]] == ["proposed", "kept"]
    assert guests[0].do("answer_amend", table, accept=True).code == "wrong_phase"


def test_alone_on_one_device_the_host_amends_at_once(world: World) -> None:
    host = Guest(world, "Host")
    table = str(host.new_table(COURT, ["hotseat", "hotseat"], by_hand="dice")["table"]["id"])
    guests = [host, host]
    turn(guests, table, "1 1 2")
    host.must("amend", table, ply=1)
    shown = host.table(table)
    assert len(shown["records"]) == 1
    assert shown["events"][-1]["kind"] == "amended"


def test_only_what_was_typed_since_the_last_amendment_is_amended(world: World) -> None:
    host = Guest(world, "Host")
    table = str(host.new_table(COURT, ["hotseat", "hotseat"], by_hand="dice")["table"]["id"])
    guests = [host, host]
    turn(guests, table, "1 1 2")
    turn(guests, table, "1 1 2")
    late = host.table(table)["table"]["typed"][-1]["ply"]
    host.must("amend", table, ply=late, outcomes=0)
    assert host.table(table)["table"]["amend_from"] == late
    roll(guests, table, "1 1 3")
    assert host.do("amend", table, ply=1, outcomes=0).code == "illegal_action"
    assert host.do("amend", table, ply=late, outcomes=2).code == "illegal_action"
    assert host.do("amend", table, ply=500).code == "illegal_action"
    host.must("amend", table, ply=late, outcomes=0)


def test_nobody_amends_elsewhere(world: World) -> None:
    table, guests = begin(world, by_hand="")
    assert guests[0].do("amend", table, ply=1).code == "not_at_this_table"
    table, guests = begin(world)
    play(guests, table, "roll")
    stranger = Guest(world, "Zoe")
    assert stranger.table(table)["table"]["amend_from"] is None
    assert stranger.do("amend", table, ply=1).code == "not_at_this_table"


def test_cards_the_program_dealt_come_again_as_they_were(world: World) -> None:
    """An amendment sets the program's own draws back as far."""
    table, guests = begin(world, "probe", seats=4, by_hand="dice")
    hands = [guests[seat].table(table, seat=seat)["view"]["hands"][seat] for seat in range(4)]
    for _ in range(4):
        play(guests, table)
    roll(guests, table, "6 6 6")
    play(guests, table, "end")  # the second deal
    dealt = [guests[seat].table(table, seat=seat)["view"]["hands"][seat] for seat in range(4)]
    assert dealt != hands
    typed = guests[0].table(table)["table"]["typed"][0]
    guests[0].must("amend", table, ply=typed["ply"], outcomes=0)
    for guest in guests[1:]:
        guest.must("answer_amend", table, accept=True)
    roll(guests, table, "1 2 3")
    play(guests, table, "end")
    assert [guests[seat].table(table, seat=seat)["view"]["hands"][seat] for seat in range(4)] == dealt


def test_the_set_up_by_hand_is_amended_too(world: World) -> None:
    host = Guest(world, "Host")
    made = host.new_table("rose_king", ["hotseat", "hotseat"], by_hand="manual")
    table = str(made["table"]["id"])
    asked = due(host, table)
    assert (asked["count"], asked["seat"], len(asked["most"])) == (10, None, 24)
    names = sorted(asked["most"])
    assert type_in(host, table, " ".join([names[0]] * 10)).code == "unreadable"
    assert type_in(host, table, " ".join(names[:10])).status == 200
    host.must("amend", table, ply=0, outcomes=0)
    assert due(host, table)["count"] == 10
    assert type_in(host, table, " ".join(names[10:20])).status == 200
    assert host.table(table)["records"][0]["outcomes"] == names[10:20]


def test_a_choice_of_all_at_once_is_amended_from_its_beginning(world: World) -> None:
    table, guests = begin(world, "probe", seats=4, by_hand="dice")
    for _ in range(4):
        play(guests, table)
    roll(guests, table, "6 6 6")
    guests[0].must("amend", table, ply=3)
    for guest in guests[1:]:
        guest.must("answer_amend", table, accept=True)
    shown = guests[0].table(table)
    assert len(shown["records"]) == 1
    assert shown["view"]["actors"] == [0, 1, 2, 3]

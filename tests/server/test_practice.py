"""Alone against bots one may go back over their answers and over chance; the match is practice from then on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import probe
from regalia import Match
from regalia.core.registry import register
from regalia.server.model.dice import verify
from regalia.server.protocol import Proof
from regalia.server.store.export import export_of
from server.harness import Guest
from server.simulator import World

register(probe.GAME)

CLOCK = {"tempo": "turns", "reserve_ms": 3_600_000}


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


@pytest.fixture
def ann(world: World) -> Guest:
    return Guest(world, "Ann")


def begin(guest: Guest, game: str = "rose_king", seats: list[str] | None = None, **more: Any) -> str:
    return str(guest.new_table(game, seats or ["human", "bot"], **more)["table"]["id"])


def play(guest: Guest, table: str, action: str = "", seat: int = 0) -> dict[str, Any]:
    """An action (else the first legal one); returns its record."""
    shown = guest.table(table, seat=seat)
    text = action or shown["view"]["actions"][0]
    guest.must("play", table, seat=seat, seq=shown["seq"], action=text)
    records: list[dict[str, Any]] = guest.table(table, seat=seat)["records"]
    return next(record for record in reversed(records) if record["seat"] == seat)


def go_back(guest: Guest, table: str, seat: int = 0) -> None:
    shown = guest.table(table, seat=seat)
    assert shown["table"]["can_go_back"]
    assert not shown["table"]["can_undo"]
    guest.must("undo", table, seat=seat, seq=shown["seq"])


def plies(guest: Guest, table: str) -> int:
    return len(guest.table(table)["records"])


def test_alone_against_a_bot_one_goes_back_over_its_answer_to_ones_own_decision(
    world: World, ann: Guest
) -> None:
    table = begin(ann)
    card = next(action for action in ann.table(table, seat=0)["view"]["actions"] if action != "draw")
    play(ann, table, card)
    world.tick(5)
    assert plies(ann, table) == 3
    go_back(ann, table)
    shown = ann.table(table, seat=0)
    assert len(shown["records"]) == 1
    assert shown["view"]["actors"] == [0]
    assert shown["table"]["is_practice"]
    assert not shown["table"]["can_go_back"]
    answered = len(world.bots.answers)
    play(ann, table, card)
    world.tick(5)
    assert len(world.bots.answers) == answered + 1  # it was asked anew


def test_the_same_action_meets_the_same_dice_and_the_proof_still_holds(world: World, ann: Guest) -> None:
    table = begin(ann, "court_the_king")
    while 0 not in world.table(table).actors:
        world.tick(5)
    falls = []
    for _ in range(3):
        falls.append(play(ann, table)["outcomes"])
        go_back(ann, table)
    assert falls[0] == falls[1] == falls[2] != []
    for _ in range(12):
        if 0 in world.table(table).actors:
            play(ann, table)
        world.tick(5)
    while not ann.table(table, seat=0)["table"]["can_go_back"]:  # nor could it simply be undone
        play(ann, table)
        world.tick(5)
    go_back(ann, table)
    world.restart()
    play(ann, table)
    ann.must("resign", table, seat=0)
    proof = msgspec.convert(ann.get(f"/api/tables/{table}/proof").json, Proof)
    assert verify(proof).draws > 5


def test_one_may_go_back_decision_by_decision_to_the_first(world: World, ann: Guest) -> None:
    table = begin(ann)
    for _ in range(3):
        play(ann, table)
        world.tick(5)
    before = []
    while ann.table(table, seat=0)["table"]["can_go_back"]:
        go_back(ann, table)
        before.append(plies(ann, table))
    assert before == [5, 3, 1]
    assert ann.do("undo", table, seat=0, seq=ann.table(table)["seq"]).code == "illegal_action"


def test_a_choice_that_all_made_at_once_is_made_anew_by_all(world: World, ann: Guest) -> None:
    table = begin(ann, "probe", ["human", "bot", "bot", "bot"])
    play(ann, table)
    world.tick(20)
    assert {record["seat"] for record in ann.table(table)["records"][1:5]} == {0, 1, 2, 3}
    go_back(ann, table)
    shown = ann.table(table, seat=0)
    assert len(shown["records"]) == 1
    assert shown["view"]["actors"] == [0, 1, 2, 3]


def test_practice_is_told_in_the_table_the_list_the_export_and_the_transcript(
    world: World, ann: Guest
) -> None:
    table = begin(ann)
    for _ in range(2):
        play(ann, table)
        world.tick(5)
    assert "practice" not in ann.get(f"/api/tables/{table}/transcript").text
    go_back(ann, table)
    world.restart()
    text = ann.get(f"/api/tables/{table}/transcript", seat=0).text
    assert text.splitlines()[1].startswith("# practice")
    assert Match.replay(text).ply == plies(ann, table) == 3
    [line] = ann.get("/api/tables", list="mine").json["tables"]
    assert line["is_practice"] is True
    ann.must("resign", table, seat=0)
    shown = ann.table(table)
    assert shown["table"]["is_practice"] is True
    assert [event["kind"] for event in shown["events"]].count("undone") == 1
    assert export_of(world.table(table))["is_practice"] is True
    again = ann.must("rematch", table, seat=0)["next"]
    assert ann.table(again)["table"]["is_practice"] is False


def test_taking_back_what_nothing_followed_is_no_practice(world: World, ann: Guest) -> None:
    world.bots.think_s = 60
    table = begin(ann)
    card = next(action for action in ann.table(table, seat=0)["view"]["actions"] if action != "draw")
    play(ann, table, card)
    facts = ann.table(table, seat=0)["table"]
    assert facts["can_undo"]
    assert not facts["can_go_back"]
    ann.must("undo", table, seat=0, seq=ann.table(table)["seq"])
    assert ann.table(table)["table"]["is_practice"] is False


@pytest.mark.parametrize(
    "seats, more",
    [
        (["human", "bot"], {"clock": CLOCK}),
        (["human", "bot"], {"undo": False}),
        (["human", "hotseat"], {}),
        (["human", "open"], {}),
    ],
)
def test_nobody_goes_back_against_a_clock_another_person_or_the_tables_wish(
    world: World, ann: Guest, seats: list[str], more: dict[str, Any]
) -> None:
    table = begin(ann, "rose_king", seats, **more)
    other = Guest(world, "Bob") if "open" in seats else ann
    if "open" in seats:
        other.must("sit", table, seat=1)
    play(ann, table)
    if "bot" not in seats:
        play(other, table, seat=1)
    world.tick(5)
    facts = ann.table(table, seat=0)["table"]
    assert not facts["can_go_back"]
    assert ann.do("undo", table, seat=0, seq=ann.table(table)["seq"]).status == 409
    assert ann.table(table)["table"]["is_practice"] is False


def test_what_a_bot_played_in_ones_place_is_not_gone_back_over_nor_a_match_that_is_over(
    world: World, ann: Guest
) -> None:
    table = begin(ann)
    ann.must("takeover", table, seat=0, bot="random")
    world.tick(3)
    ann.must("reclaim", table, seat=0)
    world.tick(5)
    assert plies(ann, table) > 1
    assert not ann.table(table, seat=0)["table"]["can_go_back"]
    play(ann, table)
    world.tick(5)
    assert ann.table(table, seat=0)["table"]["can_go_back"]
    ann.must("resign", table, seat=0)
    assert not ann.table(table, seat=0)["table"]["can_go_back"]
    assert ann.do("undo", table, seat=0, seq=ann.table(table)["seq"]).code == "match_over"

"""Analysis over HTTP: a beginning and the records since say where somebody is, and the server keeps nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from regalia import GAMES, Match, Study
from regalia.core.game import CHANCE
from server.harness import Guest, Reply

ROOT = Path(__file__).parents[2]


def ask(caller: Guest, game: str, records: Any = (), **more: Any) -> Reply:
    return caller.post(f"/api/games/{game}/analysis", {"records": list(records), **more})


def moment(caller: Guest, game: str, records: Any = (), **more: Any) -> dict[str, Any]:
    reply = ask(caller, game, records, **more)
    assert reply.status == 200, reply.text
    found: dict[str, Any] = reply.json
    return found


def record_of(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: facts["record"][name] for name in ("seat", "action", "outcomes")}


@pytest.mark.parametrize("game", [*GAMES])
def test_every_side_is_played_and_chance_falls_as_it_is_told(ann: Guest, game: str) -> None:
    rng = random.Random(7)
    facts = moment(ann, game)
    records = [record_of(facts)]
    for _ in range(60):
        view = facts["view"]
        if CHANCE in view["actors"]:
            assert facts["falls"]
            assert sum(fall["odds"] for fall in facts["falls"]) == pytest.approx(1)
            assert view["you"] is None
            fallen = rng.choice(facts["falls"])["outcomes"]
            records[-1] = {**records[-1], "outcomes": [*records[-1]["outcomes"], *fallen]}
        else:
            assert facts["falls"] == []
            assert view["you"] == view["actors"][0]
            records.append({"seat": view["you"], "action": rng.choice(view["actions"]), "outcomes": []})
        facts = moment(ann, game, records)
        assert facts["record"]["outcomes"] == records[-1]["outcomes"]
        if not facts["view"]["actors"]:
            break
    # from the position the same goes on as from the beginning
    again = moment(ann, game, start={"position": facts["position"]})
    assert again["position"] == facts["position"]
    assert {**again["view"], "ply": 0} == {**facts["view"], "ply": 0}


@pytest.mark.parametrize("game", [*GAMES])
@pytest.mark.parametrize("how", ["roll", "best", "worst", "average"])
def test_chance_falls_by_itself_or_as_it_is_wished(ann: Guest, game: str, how: str) -> None:
    match = Match.new(game, seed=3)
    facts = moment(ann, game, start={"position": match.position_text()})
    rng = random.Random(1)
    records: list[dict[str, Any]] = []
    while CHANCE not in facts["view"]["actors"]:
        view = facts["view"]
        assert view["actors"], "chance was never due"
        records.append({"seat": view["you"], "action": rng.choice(view["actions"])})
        facts = moment(ann, game, records, start={"position": match.position_text()})
        records[-1] = record_of(facts)
    fallen = moment(ann, game, records, start={"position": match.position_text()}, chance=how)
    assert CHANCE not in fallen["view"]["actors"]
    assert fallen["record"]["outcomes"]
    if how != "roll":  # the same wish has the same answer
        again = moment(ann, game, records, start={"position": match.position_text()}, chance=how)
        assert len(facts["falls"]) > 1
        assert len(again["record"]["outcomes"]) == len(fallen["record"]["outcomes"])


def test_the_best_card_is_better_than_the_worst(ann: Guest) -> None:
    from regalia.study.moment import let_fall, match_at, wished_fall

    match = match_at(GAMES["rose_king"], Match.new("rose_king", seed=5).position_text(), None, {}, ())
    match.play(match.actors[0], next(a for a in match.actions(match.actors[0]) if a != "draw"))
    while not match.actions(match.actors[0]).count("draw"):
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    match.play(match.actors[0], "draw")
    falls = {how: wished_fall(match, how) for how in ("best", "worst", "average")}  # type: ignore[arg-type]
    assert None not in falls.values()
    assert falls["best"] != falls["worst"]
    let_fall(match, "best")
    assert falls["best"] is not None
    assert match.records[-1].outcomes == falls["best"].outcomes


def test_what_cannot_be_is_refused_with_its_field_or_clause(ann: Guest) -> None:
    position = Match.new("rose_king", seed=1).position_text()
    head, _, fields = position.partition("{")
    changed = json.loads("{" + fields)
    cases = {
        "unreadable": [
            {"start": {"position": "nonsense"}},
            {"start": {"position": position.replace("rules=1", "rules=9")}},
            {"start": {"position": head + json.dumps({**changed, "crown": "z9"})}},
            {"start": {"position": position}, "records": [{"seat": 0, "action": "fly"}]},
        ],
        "setup": [{"start": {"seats": 5}}, {"start": {"options": {"colour": "pink"}}}],
        "not_your_turn": [{"start": {"position": position}, "records": [{"seat": 1, "action": "draw"}]}],
        "bad_message": [{"start": {"position": "x" * 20_001}}, {"chance": "luck"}, {"records": [{}] * 2001}],
    }
    for code, bodies in cases.items():
        for body in bodies:
            assert ann.post("/api/games/rose_king/analysis", body).code == code, body
    refused = ask(ann, "rose_king", start={"position": head + json.dumps({**changed, "crown": "z9"})}).json
    assert refused["error"]["values"]["field"] == "crown"
    assert ask(ann, "no_such_game").code == "not_found"
    illegal = next(
        action
        for action in (
            f"{way}{steps}" for way in ("N", "NE", "E", "SE", "S", "SW", "W", "NW") for steps in "123"
        )
        if action not in Match.from_position("rose_king", position).actions(0)
    )
    reply = ask(ann, "rose_king", [{"seat": 0, "action": illegal}], start={"position": position})
    assert reply.code == "illegal_action"
    assert reply.json["error"]["clause"].startswith("RK-")


def test_a_position_that_people_play_now_is_not_analysed_by_one_of_them(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    if ann.table(table)["view"] is None:
        bob.must("seed", table, seed="5eed" * 8)
    match = Match.replay(ann.get(f"/api/tables/{table}/transcript").text, chance="manual")
    start = {"position": match.position_text()}
    for guest in (ann, bob):
        reply = ask(guest, "rose_king", start=start)
        assert (reply.code, reply.json["error"]["key"]) == ("not_at_this_table", "study.error.played_now")
    with Guest(ann.server, "Cyd") as cyd:
        assert ask(cyd, "rose_king", start=start).status == 200
    seat = match.actors[0]
    action = match.actions(seat)[0]
    assert ask(ann, "rose_king", [{"seat": seat, "action": action}], start=start).status == 200
    bob.must("resign", table, seat=1)
    assert ask(ann, "rose_king", start=start).status == 200


def test_against_bots_the_own_position_may_be_analysed_where_hints_are_allowed(ann: Guest) -> None:
    for hints in (True, False):
        table = ann.new_table(seats=["human", "bot"], hints=hints)["table"]["id"]
        view = ann.table(table, seat=0)["view"]
        assert view["actors"] == [0]
        match = Match.replay(ann.get(f"/api/tables/{table}/transcript").text, chance="manual")
        assert (ask(ann, "rose_king", start={"position": match.position_text()}).status == 200) is hints


@pytest.mark.parametrize("game", [*GAMES])
def test_studies_transcripts_and_positions_are_read(ann: Guest, game: str) -> None:
    rng, match = random.Random(2), Match.new(game, seed=2)
    for _ in range(12):
        if match.is_over:
            break
        seat = match.actors[0]
        match.play(seat, rng.choice(match.actions(seat)))
    study = Study.of(match, "A title")
    parent, action = next(
        (node.parent, action)
        for node in reversed(study.chapters[0].main_line())
        if node.parent is not None
        for action in node.parent.match.actions(node.seat or 0)
        if action != node.action
    )
    branch = parent.play(action, seat=parent.children[0].seat)
    branch.comment, branch.mark = "Too early.", "mistake"
    found = ann.post("/api/study", {"text": study.write()}).json
    assert found["title"] == "A title"
    nodes = found["chapters"][0]["nodes"]
    assert len(nodes) == match.ply + 1
    assert nodes[-1]["parent"] == parent.ply
    assert (nodes[-1]["comment"], nodes[-1]["mark"]) == ("Too early.", "mistake")
    told = ann.post("/api/study", {"text": "# a note\n" + match.transcript()}).json["chapters"][0]
    assert [node["action"] for node in told["nodes"]] == [record.action for record in match.records]
    assert told["position"] is None
    placed = ann.post("/api/study", {"text": match.position_text()}).json["chapters"][0]
    assert placed["position"] == match.position_text()
    assert len(placed["nodes"]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "regalia study 2\n",
        "regalia transcript 9\n",
        "no_such_game rules=1 seats=2 {}",
        'regalia study 1\nchapter "a"\ngame rose_king\nrules 1\nseats 2\n'
        + "".join(f"{number} 0 draw\n" for number in range(10_000))
        + "end 10000\n",
    ],
)
def test_texts_that_cannot_be_read_are_refused(ann: Guest, text: str) -> None:
    assert ann.post("/api/study", {"text": text}).code in ("unreadable", "setup")


def test_a_text_that_is_too_long_is_refused(ann: Guest) -> None:
    assert ann.post("/api/study", {"text": "x" * 250_001}).code in ("bad_message", "too_large")


def test_the_browser_and_python_agree_on_the_text_of_a_study(ann: Guest) -> None:
    """web/tests/analysis.test.ts writes the same text from the same facts."""
    fixture = json.loads((ROOT / "web/tests/study.json").read_text("utf-8"))
    assert Study.read(fixture["text"]).write() == fixture["text"]
    assert ann.post("/api/study", {"text": fixture["text"]}).json == fixture["study"]

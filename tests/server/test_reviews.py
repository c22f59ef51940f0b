"""Reviews made by the server: growing, kept, shown to who may look, and refused where there is nothing to review."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import regalia
from driving import finished
from regalia import GAMES, Match
from regalia.server.ports import DirectStudy, NoStudy, Thought, Urgency
from regalia.server.runtime import reviews as runtime
from regalia.server.settings import UNLIMITED, Rates
from regalia.server.store import findings as kept
from regalia.server.store.findings import Findings
from regalia.study import levels
from regalia.study.examine import CURVE, examine, glimpse, in_halves
from regalia.study.levels import Level
from regalia.study.review import review
from server.harness import Guest, running, wait_for
from server.simulator import World

TINY = Level(simulations=16, runs=8, most_outcomes=60, samples=8)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, level in enumerate(("glance", "normal", "deep")):
        monkeypatch.setitem(levels.LEVELS, level, Level(16 + number, 8, 60, 8))


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


class Counting(DirectStudy):
    """Notes what is thought about, and comes no further than some nodes."""

    def __init__(self, most: int = 1 << 30) -> None:
        self.thoughts: list[Thought] = []
        self.most = most

    async def think(self, thought: Thought) -> AsyncGenerator[Any, None]:
        self.thoughts.append(thought)
        if sum(one.work is examine for one in self.thoughts) > self.most:
            await asyncio.Event().wait()
        async for answer in super().think(thought):
            yield answer


def opened(guest: Guest, match: Match, **more: Any) -> str:
    """A table at which the guest had all seats of a match that is over."""
    plan = ["human", *["hotseat"] * (match.seats - 1)]
    table = guest.new_table(match.game.id, plan, transcript=match.transcript(), options=match.options, **more)
    name: str = table["table"]["id"]
    return name


def made(world: World, guest: Guest, table: str, **query: Any) -> dict[str, Any]:
    for _ in range(10_000):
        facts: dict[str, Any] = guest.get(f"/api/tables/{table}/review", **query).json
        if facts["state"] not in ("waiting", "making"):
            return facts
        world.tick(0.1)
    raise AssertionError("it was never done")


def ask(guest: Guest, table: str, **body: Any) -> dict[str, Any]:
    reply = guest.post(f"/api/tables/{table}/review", body)
    assert reply.status == 200, reply.text
    facts: dict[str, Any] = reply.json
    return facts


@pytest.mark.parametrize("name", ["rose_king", "long_live_the_king"])
def test_a_review_is_the_one_that_the_library_makes(world: World, name: str) -> None:
    match = finished(GAMES[name], GAMES[name].seats[0], 3)
    with Guest(world) as ann:
        table = opened(ann, match)
        before = ann.get(f"/api/tables/{table}/review").json
        assert (before["state"], before["plies"], before["values"]) == ("none", match.ply, [])
        ask(ann, table)
        facts = made(world, ann, table)
        assert facts["state"] == "done"
        assert facts["level"] == "normal"
        assert facts["hides"] == (name == "long_live_the_king")
        assert facts["body"]["review"] == review(match, level="normal").data()
        if facts["hides"]:
            assert ask(ann, table, view=1, level="glance")["view"] == 1
            seen = made(world, ann, table, view=1)["body"]["review"]
            assert seen == review(match, 1, level="glance").data()
            assert seen["view"] == 1
        else:
            assert ask(ann, table, view=1)["view"] is None


def test_the_whole_curve_is_there_after_a_few_values(world: World) -> None:
    """From coarse to fine; who asks again is told what is new."""
    study = world.services.reviews.study = Counting()
    match = finished(GAMES["rose_king"], 2, 3)
    with Guest(world) as ann:
        table = opened(ann, match)
        ask(ann, table)
        facts = made(world, ann, table)
        plies = [value["ply"] for value in facts["values"]]
        assert facts["told"] == len(plies)
        first = sorted(plies[:CURVE])
        assert first[0] == 0
        assert first[-1] == match.ply
        assert max(later - sooner for sooner, later in pairwise(first)) <= match.ply / 8 + 1
        assert set(plies) == set(range(match.ply + 1))
        kinds = [thought.work for thought in study.thoughts]
        assert kinds.index(examine) > kinds.index(glimpse) + CURVE - 1
        assert {thought.urgency for thought in study.thoughts if thought.work is examine} == {Urgency.REVIEW}
        later = ann.get(f"/api/tables/{table}/review", after=facts["told"] - 3).json
        assert later["values"] == facts["values"][-3:]


def test_halving_reaches_everything_once() -> None:
    for count in range(1, 70):
        assert sorted(in_halves(count)) == list(range(count))


def test_a_review_goes_on_where_the_server_was_stopped(world: World) -> None:
    match = finished(GAMES["rose_king"], 2, 3)
    with Guest(world) as ann:
        table = opened(ann, match)
        world.services.reviews.study = Counting(most=20)
        ask(ann, table)
        world.tick(1)
        facts = ann.get(f"/api/tables/{table}/review").json
        assert (facts["state"], facts["done"]) == ("making", 20)
        world.kill()
        world.start()
        assert ann.get(f"/api/tables/{table}/review").json["state"] == "none"
        study = world.services.reviews.study = Counting()
        ask(ann, table)
        facts = made(world, ann, table)
        assert facts["body"]["review"] == review(match, level="normal").data()
        looked_at = [
            thought for thought in study.thoughts if thought.work is examine and len(thought.arguments) == 2
        ]
        assert 0 < len(looked_at) <= match.ply + 1 - 20
        world.restart()
        study = world.services.reviews.study = Counting()
        again = ann.get(f"/api/tables/{table}/review").json
        assert (again["state"], again["body"]) == ("done", facts["body"])
        assert ask(ann, table)["state"] == "done"
        assert study.thoughts == []


def test_everybody_who_may_look_sees_it_and_nobody_else(world: World) -> None:
    match = finished(GAMES["rose_king"], 2, 3)
    with Guest(world, "Ann") as ann, Guest(world, "Bob") as bob, Guest(world, None) as nobody:
        table = opened(ann, match)
        key = ann.table(table)["table"]["watch_key"]
        path = f"/api/tables/{table}/review"
        assert bob.get(path).code == "not_found"
        assert bob.post(path, {}).code == "not_found"
        assert nobody.post(path, {"key": key}).code == "sign_in"
        assert ask(bob, table, key=key)["level"] == "glance"  # bob did not sit there
        facts = made(world, nobody, table, key=key)
        assert facts["body"]["review"]["level"] == "glance"
        assert ask(ann, table)["level"] == "normal"
        assert made(world, bob, table, key=key)["body"]["review"]["level"] == "normal"
        assert ask(bob, table, key=key)["level"] == "normal"  # the better one stays


def test_what_cannot_be_reviewed_is_refused(world: World) -> None:
    with Guest(world) as ann:
        running_one = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        path = f"/api/tables/{running_one}/review"
        assert (ann.get(path).code, ann.post(path, {}).code) == ("wrong_phase", "wrong_phase")
        assert "still" in ann.post(path, {}).text
        ann.must("resign", running_one, seat=0)
        assert (ann.get(path).code, ann.post(path, {}).code) == ("wrong_phase", "wrong_phase")
        assert "not played to its end" in ann.post(path, {}).text
        table = opened(ann, finished(GAMES["rose_king"], 2, 3))
        path = f"/api/tables/{table}/review"
        for wrong in ({"level": "brilliant"}, {"view": "me"}, {"more": 1}):
            assert ann.post(path, wrong).code == "bad_message"
        assert ann.post(path, {"view": 4}).code == "not_your_seat"
        assert ann.get("/api/tables/nothing-here/review").code == "not_found"
        world.services.study = NoStudy()
        assert ann.post(path, {}).code == "not_at_this_table"
        assert ann.get(path).json["state"] == "off"


def test_deep_reviews_are_few_a_day_and_others_wait_their_turn() -> None:
    with World(rates=replace(UNLIMITED, deep=Rates().deep)) as world, Guest(world) as ann:
        tables = [opened(ann, finished(GAMES["rose_king"], 2, seed)) for seed in range(4)]
        for table in tables[:3]:
            ask(ann, table, level="deep")
        states = [ann.get(f"/api/tables/{table}/review").json["state"] for table in tables[:3]]
        assert states.count("making") <= 1
        refused = ann.post(f"/api/tables/{tables[3]}/review", {"level": "deep"})
        assert refused.code == "too_fast"
        assert "deep" in refused.text
        assert ask(ann, tables[0], level="deep")["level"] == "deep"  # no new one
        assert ask(ann, tables[3])["level"] == "normal"
        for table in tables:
            assert made(world, ann, table)["state"] == "done"


def test_a_review_of_another_version_stays_until_it_is_renewed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished(GAMES["rose_king"], 2, 3)
    with Guest(world) as ann:
        table = opened(ann, match)
        ask(ann, table)
        first = made(world, ann, table)
        assert not first["outdated"]
        world.restart()
        for module in (runtime, regalia.server.transport.reviews):
            monkeypatch.setattr(module, "version", lambda: 99)
        old = ask(ann, table)
        assert (old["state"], old["outdated"], old["body"]) == ("done", True, first["body"])
        assert ask(ann, table, renew=True)["state"] == "waiting"
        assert not made(world, ann, table)["outdated"]


def test_one_that_fails_says_so_and_may_be_asked_for_again(world: World) -> None:
    class Failing(DirectStudy):
        async def think(self, thought: Thought) -> AsyncGenerator[Any, None]:
            if thought.work is examine:
                thought = Thought(thought.urgency, int, ("x",))
            async for answer in super().think(thought):
                yield answer

    world.services.reviews.study = Failing()
    with Guest(world) as ann:
        table = opened(ann, finished(GAMES["rose_king"], 2, 3))
        ask(ann, table)
        assert made(world, ann, table)["state"] == "failed"
        world.services.reviews.study = DirectStudy()
        ask(ann, table)
        assert made(world, ann, table)["state"] == "done"


# --- What is kept ---


def test_findings_are_kept_beside_the_database(database: Path | str) -> None:
    async def story() -> None:
        store = Findings(database)
        await store.keep("a", 1, b"one", 5)
        await store.keep("a", 1, b"two", 6)
        await store.keep("b", 2, b"three", 6)
        row = {"table_id": "t", "view": "open", "level": "deep", "version": 1, "made_ms": 6, "body": b"{}"}
        await store.keep_review(row)
        await store.close()
        again = Findings(database)
        assert await again.known(["a", "b", "c"], 1) == {"a": b"two"}
        assert await again.review("t", "open") == row
        assert await again.review("t", "0") is None
        await again.close()

    asyncio.run(story())


def test_the_oldest_findings_go_by_age_and_size(
    database: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "BETWEEN", 1)

    async def story() -> None:
        store = Findings(database, most_bytes=1000)
        await store.keep("old", 1, b"x", 1)
        now = kept.OLDEST_MS + 10
        for number in range(8):
            await store.keep(f"{number}", 1, b"x" * 150, now + number)
        names = ["old", *map(str, range(8))]
        left = await store.known(names, 1)
        assert "old" not in left
        assert "0" not in left
        assert "7" in left
        assert sum(map(len, left.values())) <= 1000
        await store.close()

    asyncio.run(story())


def test_findings_that_cannot_be_kept_are_done_without(tmp_path: Path) -> None:
    async def story() -> None:
        store = Findings(tmp_path / "no folder" / "base.sqlite3")
        await store.keep("a", 1, b"one", 5)
        assert await store.known(["a"], 1) == {}
        assert await store.review("t", "open") is None
        await store.close()

    asyncio.run(story())


def test_a_process_of_its_own_makes_it(tmp_path: Path) -> None:
    """All of it for real: sockets, processes and files."""
    match = finished(GAMES["rose_king"], 2, 3)
    with running(tmp_path, study_workers=1) as server, Guest(server) as ann:
        table = opened(ann, match)
        path = f"/api/tables/{table}/review"
        ask(ann, table, level="glance")
        facts = wait_for(lambda: ended(ann.get(path).json), 600)
        assert facts["state"] == "done"
        assert len(facts["body"]["review"]["values"]) == match.ply + 1
        assert (tmp_path / "test-study.sqlite3").is_file()


def ended(facts: dict[str, Any]) -> dict[str, Any] | None:
    return facts if facts["state"] in ("done", "failed") else None

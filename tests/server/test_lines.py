"""Lines while somebody looks at a position: one analysis a person, the others wait, and all can be stopped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from regalia import Match
from regalia.server.ports import DirectStudy, SystemTime, Thought, Urgency
from regalia.server.runtime.desk import AT_ONCE, Desk
from regalia.server.services import Services
from regalia.server.settings import Settings
from regalia.server.store import open_store
from server.harness import Guest, running


def thinking(settings: Settings) -> Services:
    return Services(settings, open_store(settings.database), thinker=DirectStudy())


def count() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"answer {number}"


THOUGHT = Thought(Urgency.ANALYSIS, count, ())


async def take(told: AsyncGenerator[Any, None], number: int) -> list[Any]:
    found = []
    async for answer in told:
        found.append(answer)
        if len(found) == number:
            break
    return found


def test_one_analysis_a_person_and_others_wait_for_their_place() -> None:
    async def story() -> None:
        desk = Desk(DirectStudy(), SystemTime(), 1)
        first = [desk.think(f"guest {number}", THOUGHT, 30) for number in range(AT_ONCE)]
        for told in first:
            assert await take(told, 1) == ["answer 1"]
        third, fourth = desk.think("cyd", THOUGHT, 30), desk.think("dora", THOUGHT, 30)
        assert await anext(third) == 1
        assert await anext(fourth) == 2
        again = asyncio.ensure_future(anext(fourth))
        await third.aclose()
        assert await again == 1  # one place nearer
        again = asyncio.ensure_future(anext(fourth))
        desk.stop("guest 0")  # or the same person asks about something else
        with pytest.raises(StopAsyncIteration):
            await anext(first[0])
        assert await again == "answer 1"
        for told in (*first, fourth):
            await told.aclose()

    asyncio.run(asyncio.wait_for(story(), 60))


def test_who_asks_anew_ends_what_they_asked_before() -> None:
    async def story() -> None:
        desk = Desk(DirectStudy(), SystemTime(), 1)
        before = desk.think("ann", THOUGHT, 30)
        assert await anext(before) == "answer 1"
        after = desk.think("ann", THOUGHT, 30)
        assert await anext(after) == "answer 1"
        with pytest.raises(StopAsyncIteration):
            await anext(before)
        assert await anext(after) == "answer 2"
        await after.aclose()
        assert not desk._visits

    asyncio.run(asyncio.wait_for(story(), 60))


def test_nobody_is_kept_when_the_server_stops() -> None:
    async def story() -> None:
        desk = Desk(DirectStudy(), SystemTime(), 1)
        told = [desk.think(f"guest {number}", THOUGHT, 30) for number in range(AT_ONCE + 1)]
        assert [await anext(each) for each in told] == ["answer 1"] * AT_ONCE + [1]
        desk.close()
        for each in told:
            with pytest.raises(StopAsyncIteration):
                await anext(each)

    asyncio.run(asyncio.wait_for(story(), 60))


def test_it_ends_when_its_time_is_over() -> None:
    async def story() -> None:
        desk = Desk(DirectStudy(), SystemTime(), 1)
        assert len([answer async for answer in desk.think("ann", THOUGHT, 0)]) == 1

    asyncio.run(asyncio.wait_for(story(), 60))


@pytest.mark.parametrize("game", ["rose_king", "court_the_king"])
def test_lines_come_with_their_shares(tmp_path: Path, game: str) -> None:
    start = {"position": Match.new(game, 2, seed=3).position_text()}
    with running(tmp_path, make_services=thinking) as server, Guest(server) as ann:
        body = {"start": start, "lines": 2, "seconds": 0.1}
        reply = ann.post(f"/api/games/{game}/lines", body)
        assert reply.status == 200, reply.text
        found = [json.loads(line) for line in reply.text.splitlines()]
        assert found
        last = found[-1]
        assert last["place"] == 0
        assert sum(last["share"]) == pytest.approx(1)
        assert last["sides"] == [[0], [1]]
        legal = Match.from_position(game, start["position"]).actions(0)
        assert {line["action"] for line in last["lines"]} <= {*legal}
        for line in last["lines"]:
            assert sum(line["share"]) == pytest.approx(1)
        assert not server.services.desk._visits


def test_a_position_that_is_certain_is_told_as_exact(tmp_path: Path) -> None:
    match = Match.new("rose_king", seed=2)
    while not match.is_over:
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    with running(tmp_path, make_services=thinking) as server, Guest(server) as ann:
        reply = ann.post("/api/games/rose_king/lines", {"start": {"position": match.position_text()}})
        (only,) = map(json.loads, reply.text.splitlines())
        assert only["exact"]
        assert set(only["share"]) <= {0, 0.5, 1}


def test_who_is_wrong_is_told_at_once(ann: Guest) -> None:
    assert ann.post("/api/games/rose_king/lines", {}).json["error"]["key"] == "study.error.no_study"
    assert ann.post("/api/games/rose_king/lines", {"seconds": 31}).code == "bad_message"

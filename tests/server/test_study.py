"""The study: a process of its own that thinks for people, below bots."""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from regalia import GAMES, SPECTATOR, Match
from regalia.server.ports import DirectStudy, NoStudy, Study, StudyFailed, SystemTime, Thought, Urgency
from regalia.server.runtime.study import COMMAND, StudyProcesses
from regalia.server.runtime.study_children import StudyChildren
from regalia.study.analysis import analyse, seen_by
from regalia.study.value import Value

LIMIT_S = 600.0  # for a busy machine without a cache, where a process compiles first


def free() -> bool:
    return False


@asynccontextmanager
async def processes(
    count: int = 1, addresses: tuple[str, ...] = (), is_held: Callable[[], bool] = free
) -> AsyncIterator[StudyProcesses]:
    study = StudyProcesses(count, addresses, SystemTime(), is_held)
    try:
        async with asyncio.timeout(LIMIT_S):
            yield study
    finally:
        await study.stop()


def position() -> Thought:
    match = Match.new("rose_king", seed=1)
    return Thought(Urgency.ANALYSIS, analyse, (seen_by(match, match.actors[0]), 3))


async def all_of(study: Study, thought: Thought) -> list[Any]:
    return [answer async for answer in study.think(thought)]


def count_to(number: int, urgency: Urgency = Urgency.REVIEW) -> Thought:
    return Thought(urgency, range, (1, number + 1))


def test_answers_come_as_they_are_found() -> None:
    async def story() -> list[Any]:
        async with processes() as study:
            assert await all_of(study, count_to(5)) == [1, 2, 3, 4, 5]
            async with aclosing(study.think(position())) as values:
                return [value async for value in take(values, 3)]

    values = asyncio.run(story())
    assert all(isinstance(value, Value) for value in values)
    assert [value.simulations for value in values] == sorted({value.simulations for value in values})


async def take(answers: AsyncIterator[Any], count: int) -> AsyncIterator[Any]:
    for _ in range(count):
        yield await anext(answers)


def test_thinking_here_gives_the_same() -> None:
    async def first(study: Study) -> Any:
        async with aclosing(study.think(position())) as values:
            return await anext(values)

    async def story() -> None:
        async with processes() as study:
            assert await first(study) == await first(DirectStudy())

    asyncio.run(story())


def test_what_fails_is_told_and_the_next_is_thought_about() -> None:
    async def story(study: Study) -> None:
        with pytest.raises(StudyFailed, match="crashed"):
            await all_of(study, Thought(Urgency.REVIEW, int, ("x",)))
        assert await all_of(study, count_to(2)) == [1, 2]

    async def both() -> None:
        async with processes() as study:
            await story(study)
        await story(DirectStudy())
        with pytest.raises(StudyFailed, match="off"):
            await all_of(NoStudy(), count_to(1))

    asyncio.run(both())


def test_it_survives_the_death_of_its_process() -> None:
    """What was thought about begins anew; what killed it twice is given up."""

    async def story() -> None:
        async with processes() as study:
            async with aclosing(study.think(position())) as values:
                await anext(values)
                process = study.channels[0].process
                assert process is not None
                process.kill()
                await process.wait()
                assert isinstance(await anext(values), Value)
            with pytest.raises(StudyFailed, match="died"):
                await all_of(study, Thought(Urgency.REVIEW, os._exit, (3,)))
            assert await all_of(study, count_to(2)) == [1, 2]

    asyncio.run(story())


def test_it_ends_with_the_server() -> None:
    async def story() -> None:
        async with processes() as study:
            assert await all_of(study, count_to(1)) == [1]
            process = study.channels[0].process
            assert process is not None
            waiting = asyncio.ensure_future(
                all_of(study, Thought(Urgency.ANALYSIS, itertools.repeat, (None,)))
            )
            await asyncio.sleep(0)
            await study.stop()
            assert process.returncode is not None
            with pytest.raises(StudyFailed, match="off"):
                await waiting

    asyncio.run(story())


def test_it_ends_when_its_parent_is_gone() -> None:
    """Its standard input ends then, also while it thinks."""
    child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(LIMIT_S) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such priority")
def test_it_has_a_low_priority() -> None:
    async def story() -> None:
        async with processes() as study:
            asked = Thought(Urgency.REVIEW, map, (os.getpriority, [os.PRIO_PROCESS], [0]))
            assert await all_of(study, asked) == [min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)]

    asyncio.run(story())


def test_nothing_is_thought_while_a_bot_waits() -> None:
    async def story() -> None:
        held = True
        asked = asyncio.Event()

        def is_held() -> bool:
            asked.set()
            return held

        async with processes(is_held=is_held) as study:
            thinking = asyncio.ensure_future(all_of(study, count_to(1)))
            await asked.wait()
            assert study.channels[0].process is None  # it was not even started
            assert study.waiting == 1
            held = False
            assert await thinking == [1]

    asyncio.run(story())


def test_an_analysis_goes_before_reviews() -> None:
    """A review that is under way pauses for as long as somebody analyses, and then goes on."""

    async def story() -> None:
        async with processes() as study, aclosing(study.think(endless(Urgency.REVIEW))) as review:
            await anext(review)
            async with aclosing(study.think(endless(Urgency.ANALYSIS))) as analysis:
                await anext(analysis)
                for _ in range(8):  # what was under way when it came
                    await anext(analysis)
                [session] = [one for one in study._sessions.values() if one.thought.urgency]
                turn = session.turn
                for _ in range(8):
                    await anext(analysis)
                assert session.turn == turn
            await anext(review)
            assert await all_of(study, count_to(3, Urgency.CURVE)) == [1, 2, 3]

    asyncio.run(story())


def endless(urgency: Urgency) -> Thought:
    """Answers again and again."""
    match = Match.new("rose_king", seed=2)
    return Thought(urgency, analyse, (seen_by(match, SPECTATOR), 2))


def test_who_leaves_frees_the_process() -> None:
    async def story() -> None:
        async with processes() as study:
            for _ in range(4):
                async with aclosing(study.think(position())) as values:
                    await anext(values)
            assert study._sessions == {}
            assert await all_of(study, count_to(2)) == [1, 2]

    asyncio.run(story())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket")
def test_several_servers_share_a_process_of_their_parent() -> None:
    children = StudyChildren(1)
    children.look()
    [child] = children._children.values()

    async def story() -> None:
        async with processes(1, children.addresses) as one, processes(1, children.addresses) as other:
            found = await asyncio.gather(all_of(one, count_to(3)), all_of(other, count_to(2)))
            assert found == [[1, 2, 3], [1, 2]]
            child.kill()
            child.wait()
            again = asyncio.ensure_future(all_of(one, count_to(4)))
            while not again.done():
                children.look()
                await asyncio.sleep(0.05)
            assert again.result() == [1, 2, 3, 4]

    try:
        asyncio.run(story())
        [new] = children._children.values()
        assert new is not child
    finally:
        children.stop()
    assert new.returncode is not None


def test_an_analysis_of_every_game_gets_better() -> None:
    """Where a seat decides, its best actions come first; every answer has more simulations than the last."""
    for game in GAMES.values():
        match = Match.new(game, seed=1)
        seat = match.actors[0]
        values = [
            value for _, value in zip(range(400), analyse(seen_by(match, seat), 2), strict=False) if value
        ]
        assert len(values) > 1
        for value in values:
            assert sum(value.share) == pytest.approx(1, abs=1e-5)
            side = next(i for i, seats in enumerate(game.sides(match.seats, match.options)) if seat in seats)
            shares = [line.share[side] for line in value.lines]
            assert shares == sorted(shares, reverse=True)
            assert {line.action for line in value.lines} <= set(match.actions(seat))
            assert len(value.lines) <= 2

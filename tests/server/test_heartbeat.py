"""Signs of life, duty, outages and the time that all processes share."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from regalia.server.model.clock import Outages
from regalia.server.ports import StorageError
from regalia.server.runtime.database_time import DatabaseTime
from regalia.server.runtime.heartbeat import Heartbeat, on_duty
from server.harness import Guest
from server.simulator import MemoryStore, World
from server.timed import SetTime


class Shared(MemoryStore):
    is_shared = True


def test_thinking_time_is_counted_without_outages_however_they_overlap() -> None:
    outages = Outages((100, 200), (150, 250), (400, 500))
    assert outages.time_between(0, 1000) == 1000 - 150 - 100
    assert outages.time_between(120, 180) == 0
    assert outages.time_between(180, 450) == 270 - 70 - 50
    assert outages.time_between(300, 200) == 0
    assert not outages.add([(100, 200)])
    assert outages.add([(600, 700)])
    assert outages.last_ms == 700


def test_duty_is_spread_evenly_and_only_that_of_who_goes_changes_hands() -> None:
    workers = ("a", "b", "c")
    tables = [f"table{number}" for number in range(3000)]
    duties = {table: on_duty(workers, table) for table in tables}
    assert min(Counter(duties.values()).values()) > 900
    for table, worker in duties.items():
        assert on_duty(("a", "b"), table) == worker or worker == "c"
    assert on_duty((), "table") is None


def test_who_gives_no_sign_of_life_is_not_counted_on_and_who_leaves_is_missed_at_once() -> None:
    async def story() -> None:
        store, time = Shared(), SetTime()
        one, two = (Heartbeat(store, time, name) for name in ("one", "two"))
        for heartbeat in (one, two, one):
            await heartbeat.beat(is_busy=True)
        assert one.alive == two.alive == ("one", "two")
        time.go_on(3)
        await one.beat(is_busy=True)
        assert one.alive == ("one", "two")
        time.go_on(2.5)
        await one.beat(is_busy=True)
        assert one.alive == ("one",)
        assert all(one.is_on_duty(f"table{number}") for number in range(20))
        assert two.is_late  # it stops looking after tables, and not serving
        assert not any(two.is_on_duty(f"table{number}") for number in range(20))
        await two.beat(is_busy=True)
        await one.beat(is_busy=True)
        assert one.alive == ("one", "two")
        await two.leave()
        await one.beat(is_busy=True)
        assert one.alive == ("one",)
        assert not store.kept.get("outages")

    asyncio.run(story())


def test_a_silence_of_all_is_an_outage_told_once_and_to_everybody() -> None:
    async def story() -> None:
        store, time = Shared(), SetTime()
        one, two = (Heartbeat(store, time, name) for name in ("one", "two"))
        for heartbeat in (one, two):
            await heartbeat.beat(is_busy=True)
        began = time.wall_ms()
        store.error = StorageError("away")
        time.go_on(60)
        with pytest.raises(StorageError):
            await one.beat(is_busy=True)
        store.error = None
        ended = time.wall_ms()
        assert [await heartbeat.beat(is_busy=True) for heartbeat in (two, one, two)] == [True, True, False]
        assert await store.outages(0) == [(began, ended)]
        for heartbeat in (one, two):
            assert heartbeat.outages.time_between(began - 1000, ended + 1000) == 2000

    asyncio.run(story())


def test_until_the_outages_are_known_a_worker_counts_as_late() -> None:
    """Else a clock could run out, between its sign of life and that answer, for time in which nobody could play."""

    class Asked(Shared):
        async def outages(self, after_ms: int) -> list[tuple[int, int]]:
            was_late.append(heartbeat.is_late)
            return await super().outages(after_ms)

    async def story() -> None:
        await heartbeat.beat(is_busy=True)
        time.go_on(60)
        assert await heartbeat.beat(is_busy=True)

    store, time, was_late = Asked(), SetTime(), list[bool]()
    heartbeat = Heartbeat(store, time, "one")
    asyncio.run(story())
    assert was_late == [True, True]
    assert not heartbeat.is_late


def test_a_database_that_answers_slowly_is_asked_again_until_its_time_is_known_well() -> None:
    class Slow(MemoryStore):
        """It says what time it is at once, and the answer is long on its way."""

        async def clock_ms(self) -> int | None:
            told = machine.steady_ms()
            machine.go_on(delays_s.pop(0))
            return told

    async def story() -> None:
        await time.ask(Slow())
        assert time.is_sure
        assert abs(time.wall_ms() - machine.steady_ms()) <= 5

    delays_s = [0.8, 0.6, 0.01]
    machine = SetTime()
    time = DatabaseTime(machine)
    asyncio.run(story())


def test_the_time_is_the_databases_by_the_shortest_way() -> None:
    class Clock(MemoryStore):
        ahead_ms = 3_600_000

        async def clock_ms(self) -> int | None:
            return time.steady_ms() + self.ahead_ms

    async def story() -> None:
        await time.ask(store)
        assert abs(time.wall_ms() - time.steady_ms() - store.ahead_ms) <= 2

    time, store = DatabaseTime(), Clock()
    asyncio.run(story())


@pytest.mark.parametrize("tempo", ["live", "turns"])
def test_a_clock_goes_on_where_it_stood_when_the_server_went_and_nobody_gains_by_it(tempo: str) -> None:
    with World() as world, Guest(world, "Ann") as ann:
        control = {"tempo": tempo, "reserve_ms": 600_000}
        table = ann.new_table(seats=["human", "hotseat"], clock=control)["table"]["id"]
        world.tick(100)
        world.stop()
        world.tick(3600)
        world.start()
        left = world.table(table).timer.left(world.time.steady_ms())
        spent = 600_000 - min(left)
        assert 95_000 <= spent <= 105_000
        world.tick(50)
        world.kill()
        world.tick(3600)
        world.start()
        left = world.table(table).timer.left(world.time.steady_ms())
        lost = 0 if tempo == "live" else 30_000  # since its last sign of life
        assert spent + 50_000 - lost - 2000 <= 600_000 - min(left) <= spent + 55_000

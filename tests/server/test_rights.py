"""Who may let a bot play which seat, and what may be taken back afterwards. Time is virtual."""

from __future__ import annotations

from pathlib import Path

import pytest

from regalia.bots import BOTS
from regalia.server import protocol as wire
from regalia.server.model.rights import can_undo
from regalia.server.model.values import Status, Tempo, TimeControl
from server.timed import ANN, BOB, CYD, SetTime, TimedTables, with_tables

STRONGEST = BOTS[-1]


# --- Another's seat ---


def test_who_keeps_the_others_waiting_for_five_minutes_is_replaced_by_the_strongest_bot(
    tmp_path: Path,
) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        await timed.play(ANN, table, 0)
        timed.time.go_on(299)
        assert await timed.code_of(ANN, wire.Takeover, table, 1, "random") == "not_your_seat"
        timed.time.go_on(1)
        assert await timed.code_of(CYD, wire.Takeover, table, 1, STRONGEST) == "not_your_seat"
        await timed.do(ANN, wire.Takeover, table, 1, "random")
        assert (await timed.table(table)).chairs[1].bot == STRONGEST

    with_tables(tmp_path, story)


def test_who_owes_no_decision_is_not_replaced_however_long_they_are_gone(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        timed.time.go_on(86_400)
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"
        await timed.play(ANN, table, 0)
        timed.time.go_on(299)
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"

    with_tables(tmp_path, story)


def test_a_socket_or_a_word_says_that_somebody_is_there(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        await timed.play(ANN, table, 0)
        timed.tables.enter(table, BOB.id)
        timed.time.go_on(3600)
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"
        timed.tables.exit(table, BOB.id)
        timed.time.go_on(299)
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"
        await timed.do(BOB, wire.Chat, table, "just a moment", 1)
        timed.time.go_on(299)
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"
        timed.time.go_on(1)
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == ""

    with_tables(tmp_path, story)


def test_a_table_that_left_memory_remembers_who_was_just_there(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        timed.time.go_on(3600)
        table = await timed.match_of(ANN, BOB)
        await timed.play(ANN, table, 0)
        timed.time.go_on(200)
        await timed.do(BOB, wire.Chat, table, "thinking", 1)
        timed.time.go_on(150)
        assert timed.tables.tidy() == 1
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"
        timed.time.go_on(149)
        timed.tables.tidy()
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == "not_your_seat"
        timed.time.go_on(1)
        timed.tables.tidy()
        assert await timed.code_of(ANN, wire.Takeover, table, 1) == ""

    with_tables(tmp_path, story)


def test_nobody_counts_as_away_because_the_server_was(tmp_path: Path) -> None:
    time = SetTime()
    tables: list[str] = []

    async def before(timed: TimedTables) -> None:
        tables.append(await timed.match_of(ANN, BOB))
        await timed.play(ANN, tables[0], 0)

    async def after(timed: TimedTables) -> None:
        time.go_on(299)
        assert await timed.code_of(ANN, wire.Takeover, tables[0], 1) == "not_your_seat"
        time.go_on(1)
        assert await timed.code_of(ANN, wire.Takeover, tables[0], 1) == ""

    with_tables(tmp_path, before, time)
    time.go_on(86_400)
    with_tables(tmp_path, after, time)


@pytest.mark.parametrize("tempo", [Tempo.LIVE, Tempo.TURNS])
def test_with_a_clock_the_clock_alone_decides_about_a_seat(tmp_path: Path, tempo: Tempo) -> None:
    async def story(timed: TimedTables) -> None:
        day_ms = 86_400_000
        table = await timed.match_of(ANN, BOB, clock=TimeControl(tempo, day_ms))
        await timed.play(ANN, table, 0)
        timed.time.go_on(86_399)
        assert await timed.code_of(ANN, wire.Takeover, table, 1, STRONGEST) == "not_at_this_table"
        timed.time.go_on(1)
        assert await timed.code_of(ANN, wire.Takeover, table, 1, STRONGEST) == "match_over"
        ended = await timed.table(table)
        assert ended.result is not None
        assert (ended.result.ranks, ended.result.reason) == ((1, 2), "time")

    with_tables(tmp_path, story)


def test_a_seat_that_was_taken_is_reclaimed_at_any_time(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB, hints=False)
        await timed.play(ANN, table, 0)
        timed.time.go_on(300)
        await timed.do(ANN, wire.Takeover, table, 1)
        await timed.bot_plays(table)
        timed.time.go_on(86_400)
        await timed.do(BOB, wire.Reclaim, table, 1)
        assert (await timed.table(table)).chairs[1].bot == ""

    with_tables(tmp_path, story)


# --- The own seat ---


@pytest.mark.parametrize("clock", [TimeControl(), TimeControl(Tempo.LIVE, 600_000)])
def test_the_own_seat_is_handed_to_a_bot_of_ones_choice_where_hints_are_allowed(
    tmp_path: Path, clock: TimeControl
) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB, clock=clock)
        await timed.do(ANN, wire.Takeover, table, 0, "page")
        assert (await timed.table(table)).chairs[0].bot == "page"
        await timed.do(BOB, wire.Leave, table, 1)
        assert (await timed.table(table)).chairs[1].bot in BOTS

    with_tables(tmp_path, story)


def test_where_hints_are_off_no_bot_plays_the_own_seat(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB, hints=False)
        assert await timed.code_of(ANN, wire.Takeover, table, 0, "regent") == "not_at_this_table"
        assert (await timed.table(table)).chairs[0].bot == ""

    with_tables(tmp_path, story)


def test_where_hints_are_off_leaving_a_match_is_resigning(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        two = await timed.match_of(ANN, BOB, hints=False)
        await timed.do(ANN, wire.Leave, two, 0)
        ended = await timed.table(two)
        assert ended.status is Status.ENDED
        assert ended.result is not None
        assert (ended.result.ranks, ended.result.reason) == ((2, 1), "resigned")

        three = await timed.match_of(ANN, BOB, CYD, game="carolus_magnus", hints=False)
        await timed.do(BOB, wire.Leave, three, 1)
        assert (await timed.table(three)).chairs[1].is_out
        assert await timed.code_of(BOB, wire.Reclaim, three, 1) == "wrong_phase"

    with_tables(tmp_path, story)


# --- Taking back ---


def test_what_a_bot_did_on_a_seat_cannot_be_taken_back_by_its_player(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        await timed.do(ANN, wire.Takeover, table, 0, STRONGEST)
        await timed.bot_plays(table)
        await timed.do(ANN, wire.Reclaim, table, 0)
        now = await timed.table(table)
        assert now.match is not None
        now.match.copy().undo(0)  # the match alone would allow it
        assert await timed.code_of(ANN, wire.Undo, table, 0, now.seq) == "illegal_action"
        assert (await timed.table(table)).ply == now.ply

    with_tables(tmp_path, story)


def test_the_own_action_after_a_bots_can_be_taken_back_but_nothing_before_it(tmp_path: Path) -> None:
    """Carolus Magnus: a turn has three knights to place; the bot places the first, the player the second."""

    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB, game="carolus_magnus")
        while True:
            now = await timed.table(table)
            assert now.match is not None
            seat = now.actors[0]
            player = (ANN, BOB)[seat]
            if ">" in now.match.actions(seat)[0]:
                break
            await timed.play(player, table, seat)
        await timed.do(player, wire.Takeover, table, seat, "random")
        await timed.bot_plays(table)
        await timed.play(player, table, seat)
        seq = (await timed.table(table)).seq
        await timed.do(player, wire.Undo, table, seat, seq)
        assert await timed.code_of(player, wire.Undo, table, seat, seq + 1) == "illegal_action"
        assert not can_undo(await timed.table(table), seat, timed.time.steady_ms())

    with_tables(tmp_path, story)

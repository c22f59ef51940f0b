"""What a viewer cannot know changes nothing in what it gets, on any channel: re-deal it and compare bytes."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import probe
from regalia import GAMES, Game, bots
from regalia.core.registry import register
from regalia.core.viewers import EVERYTHING, SPECTATOR
from regalia.server import protocol as wire
from regalia.server.logs import JsonLines
from regalia.server.model import commands, views
from regalia.server.model.clock import Now
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player, Viewer
from regalia.server.model.summary import summary_of
from regalia.server.model.table import Table
from regalia.server.model.values import SeatKind, Status
from regalia.server.ports import LocalBus, SystemRandomness, SystemTime
from regalia.server.protocol import SeatPlan
from regalia.server.runtime.rows import row_of
from regalia.server.runtime.tables import Tables
from regalia.server.store import SqliteStore, export
from server.harness import SEED, Guest, running, settings_for

register(probe.GAME)
REFUSED = ("stake 1", "stake 3", "end", "mark 2", "reroll 1 2", "3x1", "pass", "nonsense")


NOW = Now(5_000_000, 1_800_000_000_000)  # two answers given at different times must not differ by the time


def twin_of(table: Table, seat: int | None, seed: int) -> Table:
    """The table in a world that the seat cannot tell from this one."""
    assert table.match is not None
    twin = copy.copy(table)
    twin.match = table.match.redeal(seat, seed)
    twin.match._fixed = table.match._fixed  # what may be taken back is no secret
    # What was told of the records stays told; tests/contract/test_effects.py shows that it depends on no secret.
    viewer = SPECTATOR if seat is None else seat
    for ply, record in enumerate(twin.match.records):
        twin.match._effects[ply, viewer] = record, table.match.effects(ply, viewer)
    twin.cache, twin.shared_view = {}, None
    return twin


def attempt(work: Any) -> object:
    """What comes back, or the refusal as it would be told."""
    try:
        return work()
    except Refused as refusal:
        return [refusal.message(language) for language in ("en", "de", "nl")]


def seldom_channels(table: Table, who: Viewer) -> list[object]:
    """The channels beside the stream: text, previews, refusals, hints, lists, exports."""
    answers: list[object] = [attempt(lambda: views.text(table, who.seat)), views.list_line(summary_of(table))]
    answers.append(
        {key: value for key, value in row_of(table, NOW, table.status).items() if key != "final_views"}
    )
    answers.append(views.update(table, who.player, who.seat, "", table.seq - 1, NOW))
    answers.append(attempt(lambda: views.proof(table)))
    if who.seat is None:
        answers.append(views.boards([table])())
    exported = attempt(lambda: export.export_of(table)) if who.seat is None else None
    answers.append(exported)
    if who.seat is not None:
        seat, match = who.seat, table.started_match()
        for text in REFUSED:
            answers.append(attempt(lambda text=text: views.previews(match, seat, (text,))))  # type: ignore[misc]
            answers.append(attempt(lambda text=text: refusal_of(table, seat, text)))  # type: ignore[misc]
        if seat in match.actors:
            choice = bots.choose(match, seat, bots.BOTS[0], views.hint_seed(table))
            answers.append(views.hint(table, bots.BOTS[0], choice))
    return answers


def refusal_of(table: Table, seat: int, text: str) -> str:
    """Only what is refused: an accepted action changes the table, which is no answer."""
    commands.play_now(table, seat, text, NOW)
    return "accepted"


async def walked(folder: Path, game: Game, seats: int, seed: int) -> list[Table]:
    """A table of people at every ply of a match, played through the tables."""
    rng = random.Random(seed)
    settings = settings_for(folder / f"{game.id}-{seats}-{seed}")
    store = SqliteStore(settings.database)
    tables = Tables(store, SystemTime(), SystemRandomness(), LocalBus(), settings)
    ann = Player("player-ann", "Ann")
    plan = [SeatPlan(SeatKind.HUMAN), *[SeatPlan(SeatKind.HOTSEAT)] * (seats - 1)]
    name = (await tables.create(ann, wire.NewTable(game=game.id, seats=plan))).id
    await tables.command(ann, wire.Seed(name, "seed-000000", SEED))
    table = await tables.open(name)
    stages = [table]
    while table.actors:
        assert table.match is not None
        seat = rng.choice(table.actors)
        action = rng.choice(table.match.actions(seat))
        await tables.command(ann, wire.Play(table.id, f"step-{table.seq:06}", seat, action, table.seq))
        table = await tables.open(table.id)
        stages.append(table)
    await store.close()
    return stages


def compare(
    tables: Iterator[Table] | list[Table], seats: int, seeds: int, rng: random.Random
) -> tuple[int, int]:
    """Returns how many triples (moment, viewer, world) were compared, and how many worlds really differed."""
    triples = differing = 0
    for table in tables:
        if table.status is not Status.RUNNING:
            continue
        assert table.match is not None
        for seat in (None, *range(seats)):
            who = Viewer(None if seat is None else "player-ann", seat)
            table.cache.clear()
            stream = views.update(table, who.player, who.seat, "", None, NOW)
            others = seldom_channels(table, who) if rng.random() < 0.12 else None
            for seed in range(seeds):
                twin = twin_of(table, seat, rng.getrandbits(32))
                assert twin.match is not None
                differing += twin.match.state_bytes() != table.match.state_bytes()
                assert views.update(twin, who.player, who.seat, "", None, NOW) == stream
                if others is not None and seed == 0:
                    assert seldom_channels(twin, who) == others
                triples += 1
    return triples, differing


def test_no_channel_tells_what_is_hidden(tmp_path: Path) -> None:
    rng = random.Random(1)
    total = different = 0
    for seed in range(30):
        tables = asyncio.run(walked(tmp_path, probe.GAME, 4, seed))
        triples, differing = compare(tables, 4, 8, rng)
        total, different = total + triples, different + differing
        if total >= 17_000:
            break
    for seats in (3, 4, 5):
        tables = asyncio.run(walked(tmp_path, GAMES["long_live_the_king"], seats, seats))
        some = rng.sample(tables, min(len(tables), 110))
        triples, differing = compare(some, seats, 2, rng)
        total, different = total + triples, different + differing
    assert total >= 20_000
    assert different >= total // 3


def test_replay_during_play_shows_no_more_than_the_seat_saw(tmp_path: Path) -> None:
    tables = asyncio.run(walked(tmp_path, probe.GAME, 4, 77))
    for table in (tables[len(tables) // 3], tables[-2]):
        assert table.match is not None
        for seat in (None, 0, 1, 2, 3):
            frames = json.loads(views.replay(table.match, seat, 1, table.ply))["views"]
            for seed in (1, 2):
                moments = table.match.moments()
                redealt = [moment.redeal(seat, seed).view(seat) for moment in moments]
                assert json.loads(json.dumps(redealt)) == frames


def sealed_frames(line: Any, table: str, seat: int | None) -> list[str]:
    """Everything a watcher is sent for one sealed stake, but for what is the table's own."""
    frames = []
    while not frames:
        raw = line.connection.recv(timeout=10)
        if '"presence"' in raw:
            continue
        raw = re.sub(r'"(id|invite|watch_key|commitment)":"[^"]*"', r'"\1":"*"', raw.replace(table, "T" * 10))
        frames.append(re.sub(r'("\w+_ms":)\d+', r"\1*", raw))
    return frames


def test_a_sealed_stake_has_one_length_for_everyone_else(tmp_path: Path) -> None:
    """The same position, two different stakes: the others and the spectators get the same bytes."""
    with running(tmp_path) as server, Guest(server, "Ann") as ann, Guest(server, None) as nobody:
        plan = ["human", "hotseat", "hotseat", "hotseat"]
        stakes: list[str] = []
        text = ""
        while len(stakes) < 2:  # a hand of equal cards has only one
            first = ann.new_table("probe", plan)
            start = server.services.tables.entries[first["table"]["id"]].table
            assert start is not None
            assert start.match is not None
            text, stakes = start.match.transcript(EVERYTHING), first["view"]["actions"]
        heard = []
        for stake in stakes[:2]:
            created = ann.new_table("probe", plan, transcript=text)
            table = created["table"]["id"]
            with ann.socket() as beside, nobody.socket() as outside:
                beside.watch(table, 1)
                outside.watch(table)
                ann.must("play", table, seat=0, ply=1, action=stake)
                heard.append([sealed_frames(beside, table, 1), sealed_frames(outside, table, None)])
        assert heard[0] == heard[1]
        assert '"action":"?"' in heard[0][0][-1]


def test_logs_hold_no_secrets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A whole match at log level debug: no seed, stake, card, credential, invitation or word said."""
    caplog.set_level(logging.DEBUG, "regalia")
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        created = ann.new_table("probe", ["human", "hotseat", "hotseat", "hotseat"], is_public=False)
        table = created["table"]["id"]
        ann.must("chat", table, seat=0, text="very private words")
        ann.do("play", table, seat=0, ply=1, action="stake 9")
        for _ in range(12):
            seat = ann.table(table)["view"]["actors"][0]
            view = ann.table(table, seat=seat)["view"]
            ann.must("play", table, seat=seat, ply=view["ply"], action=view["actions"][0])
        cookie = next(iter(ann.http.cookies.jar)).value
        stored = server.services.tables.entries[table].table
        assert stored is not None
    lines = "\n".join(
        JsonLines().format(record) for record in caplog.records if record.name.startswith("regalia")
    )
    assert table in lines
    secrets = [cookie.split(".")[1], stored.created.server_seed, stored.created.invite, stored.watch_key]
    secrets += ["very private words", "stake", *(chair.seed for chair in stored.chairs)]
    assert [secret for secret in secrets if secret in lines] == []


def test_an_export_of_running_matches_is_a_spectators(tmp_path: Path) -> None:
    tables = asyncio.run(walked(tmp_path, probe.GAME, 4, 5))
    running_one = tables[len(tables) // 2]
    exported = export.export_of(running_one)
    assert exported["proof"] is None
    assert running_one.created.server_seed not in json.dumps(exported)
    assert "?" in exported["transcript"]
    over = export.export_of(tables[-1])
    assert over["proof"]["server_seed"] == running_one.created.server_seed


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_shared_view_is_the_view(tmp_path: Path, game: str) -> None:
    """Where nothing is hidden views are made from one another: they must equal what the match says."""
    seats = GAMES[game].seats[-1]
    tables = asyncio.run(walked(tmp_path, GAMES[game], seats, 3))
    for table in random.Random(1).sample(tables, min(25, len(tables))):
        assert table.match is not None
        for seat in (0, None, *range(1, seats)):
            assert json.loads(views.position(table, seat)) == json.loads(json.dumps(table.match.view(seat)))

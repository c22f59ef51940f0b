"""A database of every past version opens as before: states, texts, seats, clocks, results, proofs.

`golden/<version>.sql` was written by that version's own server; `golden/<version>.json` is what it said of each
table after a restart. Neither ever changes.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from regalia import GAMES, Match
from regalia.server.model import summary
from regalia.server.model.dice import verify
from regalia.server.ports import SystemTime
from regalia.server.protocol import Proof
from regalia.server.runtime.loader import warm
from regalia.server.services import Services
from regalia.server.settings import Settings
from regalia.server.store import SqliteStore
from server.harness import Guest, Running, running, wait_for
from server.simulator import SimulatedBots

GOLDEN = Path(__file__).parent / "golden"
EXPECTED = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(GOLDEN.glob("*.json"))}
TABLES = [(version, name) for version, expected in EXPECTED.items() for name in expected["tables"]]


class StandingTime(SystemTime):
    """The moment at which the expectations were written: what a clock shows does not depend on today."""

    def __init__(self, wall_ms: int) -> None:
        self._wall_ms = wall_ms

    def wall_ms(self) -> int:
        return self._wall_ms

    def steady_ms(self) -> int:
        return 1_000_000


class ReadingServices(Services):
    """Nothing happens by itself: no bot acts on the tables that are compared."""

    async def start(self) -> None:
        await self.tables.beat()  # it was away until now


@contextmanager
def opened(version: str, folder: Path, services: type[Services]) -> Iterator[Running]:
    """Today's server on that version's database."""
    for game in GAMES.values():
        warm(game)  # compiling may take longer than a request waits
    with closing(sqlite3.connect(folder / "test.sqlite3")) as connection:
        connection.executescript((GOLDEN / f"{version}.sql").read_text("utf-8"))

    def make(settings: Settings) -> Services:
        time = StandingTime(EXPECTED[version]["wall_ms"])
        bots = SimulatedBots()  # they need no search, which may have to be compiled
        bots.think_s = 0
        return services(settings, SqliteStore(settings.database), time, pool=bots)  # type: ignore[arg-type]

    with running(folder, make_services=make) as server:
        yield server


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Running]]:
    (version,) = EXPECTED
    with opened(version, tmp_path_factory.mktemp(version), ReadingServices) as server:
        yield {version: server}


def as_player(server: Running, version: str, name: str) -> Guest:
    """A browser that kept that player's cookie."""
    credential = EXPECTED[version]["players"][name]["credential"]
    return Guest(server, None, {"cookie": f"regalia_player={credential}"})


def match_in_memory(server: Running, table: str) -> Match | None:
    match: Match | None = server.call(lambda: server.services.tables.open(table)).match
    return match


def transcripts_of(expected: dict[str, Any]) -> dict[str, str | None]:
    """Per viewer; a text that several see is written once."""
    texts: dict[str, str | None] = expected["transcripts"]
    return {
        viewer: texts[text.removeprefix("see ")] if text is not None and text.startswith("see ") else text
        for viewer, text in texts.items()
    }


@pytest.mark.parametrize("version, name", TABLES)
def test_a_table_of_a_past_version_is_what_it_was(
    servers: dict[str, Running], version: str, name: str
) -> None:
    server, expected = servers[version], EXPECTED[version]["tables"][name]
    match = match_in_memory(server, name)
    state = None if match is None else hashlib.sha256(match._states.tobytes()).hexdigest()
    assert state == expected["state"]
    with Guest(server, None) as stranger:
        shown = stranger.table(name, invite=expected["invite"])
        facts = shown["table"]
        assert (facts["status"], shown["seq"], len(shown["records"])) == (
            expected["status"],
            expected["seq"],
            expected["ply"],
        )
        seats = [[s["kind"], s["name"], s["player"], s["bot"], s["is_out"]] for s in facts["seats"]]
        assert seats == expected["seats"]
        left = [s["left_ms"] for s in facts["seats"]]
        assert left == (expected["left_ms"] or [None] * len(left))
        assert [s["seat"] for s in facts["seats"] if s["is_running"]] == expected["running"]
        for key in ("game", "result", "draw_offer", "previous", "next", "is_public"):
            assert facts[key] == expected[key], key
        assert facts["fairness"]["commitment"] == expected["commitment"]
        assert len(shown["events"]) == expected["notices"]["spectator"]


@pytest.mark.parametrize("version, name", TABLES)
def test_everyone_reads_a_table_of_a_past_version_as_before(
    servers: dict[str, Running], version: str, name: str
) -> None:
    server, expected = servers[version], EXPECTED[version]["tables"][name]
    for viewer, text in transcripts_of(expected).items():
        seat = None if viewer == "spectator" else int(viewer)
        owner = None if seat is None else expected["seats"][seat][2]
        names = {facts["id"]: name for name, facts in EXPECTED[version]["players"].items()}
        if text is None or (seat is not None and not owner):
            continue  # could not be read then, or a bot's seat
        guest = as_player(server, version, names[owner]) if owner else Guest(server, None)
        with guest:
            query = {"seat": seat, "invite": expected["invite"]}
            assert guest.get(f"/api/tables/{name}/transcript", **query).text == text
            assert len(guest.table(name, **query)["events"]) == expected["notices"][viewer]


@pytest.mark.parametrize(
    "version, name", [key for key in TABLES if EXPECTED[key[0]]["tables"][key[1]]["proof"]]
)
def test_a_finished_match_of_a_past_version_replays_and_proves_its_dice(
    servers: dict[str, Running], version: str, name: str
) -> None:
    expected = EXPECTED[version]["tables"][name]
    text = expected["transcripts"]["spectator"]
    match = Match.replay(text)
    assert hashlib.sha256(match._states.tobytes()).hexdigest() == expected["state"]
    with Guest(servers[version], None) as stranger:
        proof = stranger.get(f"/api/tables/{name}/proof", invite=expected["invite"]).json
    assert proof == {**expected["proof"], "table": name, "transcript": text}
    verified = verify(msgspec.convert(proof, Proof))
    assert verified.draws > 0
    assert not verified.is_protected


@pytest.mark.parametrize("version, name", TABLES)
def test_the_row_of_a_past_version_lists_its_table_as_it_is(
    servers: dict[str, Running], version: str, name: str
) -> None:
    """Lists are made from what that version kept beside the log."""
    server = servers[version]
    row, _ = server.call(lambda: server.services.store.read(name))
    table = server.call(lambda: server.services.tables.open(name))
    assert summary.read(row["summary"]) == summary.summary_of(table)


@pytest.mark.parametrize("version", EXPECTED)
def test_players_and_tokens_of_a_past_version_are_known(servers: dict[str, Running], version: str) -> None:
    for name, facts in EXPECTED[version]["players"].items():
        with as_player(servers[version], version, name) as player:
            assert player.get("/api/me").json == {"id": facts["id"], "name": name, "is_guest": True}
            listed = player.get("/api/tables", list="mine", limit=100).json["tables"]
            assert {table["id"] for table in listed} == {
                table
                for table, expected in EXPECTED[version]["tables"].items()
                if expected["status"] != "closed" and facts["id"] in [seat[2] for seat in expected["seats"]]
            }
    with Guest(servers[version], None, {"authorization": f"Bearer {EXPECTED[version]['token']}"}) as program:
        assert program.get("/api/me").json["name"] == "Ann"


@pytest.mark.parametrize("version", EXPECTED)
def test_running_tables_of_a_past_version_are_played_on(version: str, tmp_path: Path) -> None:
    """By their people, whose last command, sent again, is not carried out a second time; and by their bots."""
    tables = EXPECTED[version]["tables"]
    running_ones = [name for name, expected in tables.items() if expected["status"] == "running"]
    with opened(version, tmp_path, Services) as server:
        everyone = {name: as_player(server, version, name) for name in EXPECTED[version]["players"]}
        names = {facts["id"]: name for name, facts in EXPECTED[version]["players"].items()}
        for table in running_ones:
            last = tables[table]["last_play"]
            if last is not None:
                again = everyone[last["player"]].post(f"/api/tables/{table}/commands", last["command"])
                assert again.json["seq"] == last["seq"]
            for _ in range(3):
                play_once(server, table, everyone, names)
        bots_alone = next(name for name in running_ones if not any(s[2] for s in tables[name]["seats"]))
        with Guest(server, None) as stranger:
            wait_for(lambda: stranger.table(bots_alone)["table"]["status"] == "ended", 60)
            proof = stranger.get(f"/api/tables/{bots_alone}/proof").json
        assert verify(msgspec.convert(proof, Proof)).draws > 5
        for guest in everyone.values():
            guest.close()


def play_once(server: Running, table: str, everyone: dict[str, Guest], names: dict[str, str]) -> None:
    """Whoever is due acts, if it is a person."""
    invite = server.call(lambda: server.services.tables.open(table)).created.invite
    shown = everyone["Ann"].table(table, invite=invite)
    seats = [shown["table"]["seats"][seat] for seat in shown["view"]["actors"]]
    for person in [seat for seat in seats if not seat["bot"]][:1]:
        player = everyone[names[person["player"]]]
        view = player.table(table, seat=person["seat"])["view"]
        player.must("play", table, seat=person["seat"], ply=view["ply"], action=view["actions"][0])


def test_a_private_table_of_a_past_version_has_a_link_to_watch(tmp_path: Path) -> None:
    """Its log holds no key: the same one follows from it each time it is read."""
    ((version, expected),) = EXPECTED.items()
    table, told = next((name, told) for name, told in expected["tables"].items() if not told["is_public"])
    keys = []
    for attempt in range(2):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        with opened(version, folder, ReadingServices) as server, Guest(server, None) as stranger:
            key = stranger.table(table, invite=told["invite"])["table"]["watch_key"]
            assert stranger.table(table, key=key)["table"]["id"] == table
            assert stranger.get(f"/api/tables/{table}").code == "not_found"
        keys.append(key)
    assert keys[0] == keys[1]
    assert len(keys[0]) == 32

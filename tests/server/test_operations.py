"""Running it: the commands, health, metrics, migrations, copies, exports, pages; and what is generated is fresh."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from typer.testing import CliRunner

import regalia
from regalia.cli.commands.serve import listen
from regalia.locale import LANGUAGES, catalogue
from regalia.server import protocol as wire
from regalia.server.store import SqliteStore, schema
from regalia.server.store.file import Unusable
from regalia.server.transport.api import ROUTES
from regalia.server.transport.pages import Pages
from server.harness import Guest, Running, running, wait_for

ROOT = Path(__file__).parents[2]
app = typer.Typer()
for name in ("serve", "verify", "backup", "restore", "export"):
    app.command(name)(getattr(import_module(f"regalia.cli.commands.{name}"), name))


def command(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_serve_prints_its_address_keeps_its_data_and_stops_gracefully(tmp_path: Path) -> None:
    environment = {**os.environ, "REGALIA_DATA": str(tmp_path), "LANG": "de_DE.UTF-8"}
    environment.pop("LC_ALL", None)
    run = [sys.executable, "-m", "regalia.cli", "serve", "--port", "0", "--host", "0.0.0.0", "--log", "info"]
    process = subprocess.Popen(
        run, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert process.stdout is not None
    said = []
    for line in iter(process.stdout.readline, ""):
        said.append(line)
        if "Strg-C" in line:
            break
    assert said, process.communicate()[1]
    address = said[0].split()[3]
    try:
        assert address.startswith("http://127.0.0.1:")

        def health() -> Any:
            try:
                with urllib.request.urlopen(address + "api/health", timeout=5) as reply:
                    return json.load(reply)
            except OSError:
                return None

        assert wait_for(health, 60)["ok"] is True
    finally:
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert (tmp_path / "regalia.sqlite3").exists()
    assert any(str(tmp_path) in line for line in said)
    lines = [json.loads(line) for line in err.splitlines()]
    assert [line["what"] for line in lines] == ["started", "stopped"]


def test_serve_says_clearly_what_is_wrong(tmp_path: Path, server: Running) -> None:
    taken = command("serve", "--port", server.port, "--database", tmp_path / "x.sqlite3")
    assert taken.exit_code == 2
    assert str(server.port) in taken.stderr
    (tmp_path / "text").write_text("not a database " * 100, "utf-8")
    broken = command("serve", "--port", 0, "--database", tmp_path / "text")
    assert (broken.exit_code, "is no database" in broken.stderr) == (2, True)
    assert command("serve", "--log", "loud").exit_code == 2


def test_an_address_that_is_told_can_be_opened_at_once_and_by_one_server_only() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(typer.Exit):
            listen("127.0.0.1", port)


def one_line(*arguments: object) -> str:
    """What a command that fails says: a single line."""
    done = command(*arguments)
    assert done.exit_code == 2
    (line,) = done.stderr.splitlines()
    return str(line)


def make_database(path: Path) -> None:
    async def main() -> None:
        await SqliteStore(path).close()

    asyncio.run(main())


def test_serve_says_when_the_database_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    make_database(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 9999 WHERE name = 'tables'")
        connection.commit()
    assert "is damaged" in one_line("serve", "--port", 0, "--database", path)
    assert "is damaged" in one_line("backup", tmp_path / "copy", "--database", path)


def test_serve_says_when_the_database_is_of_a_newer_version(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    make_database(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert "newer version" in one_line("serve", "--port", 0, "--database", path)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_file_or_folder_that_cannot_be_written_is_called_so() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.sqlite3"
        make_database(path)
        path.chmod(0o444)
        path.parent.chmod(0o555)
        for database in (path, path.with_name("new.sqlite3")):
            with pytest.raises(Unusable) as unusable, without_privileges():
                SqliteStore(database)
            assert unusable.value.key == "server.cli.read_only"
        path.parent.chmod(0o755)


@contextmanager
def without_privileges() -> Iterator[None]:
    """Permissions mean nothing to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a finished and a running match."""
    folder = tmp_path_factory.mktemp("played")
    with running(folder) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["bot", "bot"])["table"]["id"]
        ann.new_table(seats=["human", "hotseat"])
        wait_for(lambda: ann.table(table)["table"]["status"] == "ended", 60)
        path = server.settings.database
        proof = ann.get(f"/api/tables/{table}/proof").text
    (folder / "proof.json").write_text(proof, "utf-8")
    return path


def test_backup_and_restore_while_and_after_serving(played: Path, tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        view = ann.table(table, seat=0)["view"]
        ann.must("play", table, seat=0, ply=1, action=view["actions"][0])
        copy = tmp_path / "copy.sqlite3"
        assert command("backup", copy, "--database", server.settings.database).exit_code == 0
        again = command("backup", copy, "--database", server.settings.database)
        assert (again.exit_code, "--force" in again.stderr) == (2, True)
        used = command("restore", copy, "--database", server.settings.database, "--force")
        assert used.exit_code == 2
        ann.must("chat", table, seat=0, text="after the copy")
        before = ann.table(table)
    assert command("restore", copy, "--database", server.settings.database).exit_code == 2
    assert command("restore", copy, "--database", server.settings.database, "--force").exit_code == 0
    with running(tmp_path) as server, Guest(server, None) as nobody:
        shown = nobody.table(table)
        assert shown["seq"] == before["seq"] - 1
        assert shown["records"] == before["records"]
    missing = command("backup", tmp_path / "y", "--database", tmp_path / "none")
    assert (missing.exit_code, "none" in missing.stderr) == (2, True)
    assert command("restore", tmp_path / "none", "--database", tmp_path / "z").exit_code == 2


def test_export_writes_finished_matches_with_their_proofs(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert command("export", target, "--database", played).exit_code == 0
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [line["status"] for line in lines] == ["ended"]
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(lines[0]["proof"]), "utf-8")
    assert command("verify", proof).exit_code == 0
    everything = command("export", "-", "--database", played, "--running")
    assert sorted(json.loads(line)["status"] for line in everything.stdout.splitlines()) == [
        "ended",
        "running",
    ]
    assert command("export", target, "--database", played).exit_code == 2


def test_export_tells_a_hidden_match_from_a_position_between_two_others(tmp_path: Path) -> None:
    position = regalia.Match.new("long_live_the_king", 3, seed=1).position()
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        ann.new_table(seats=["human", "hotseat"])
        middle = ann.new_table("long_live_the_king", ["human", "hotseat", "hotseat"], position=position)
        ann.new_table(seats=["human", "hotseat"])
        text = ann.get(f"/api/tables/{middle['table']['id']}/transcript").text
        target = tmp_path / "out.jsonl"
        assert command("export", target, "--database", server.settings.database, "--running").exit_code == 0
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [line["game"] for line in lines] == ["rose_king", "long_live_the_king", "rose_king"]
    start = next(line for line in lines[1]["transcript"].splitlines() if line.startswith("start "))
    assert json.loads(start.removeprefix("start "))["hands"] == [None] * 3
    assert text == lines[1]["transcript"]
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.jsonl"]


def test_an_export_that_fails_leaves_the_old_file_and_no_part_of_a_new_one(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("old\n", "utf-8")
    assert command("export", target, "--database", tmp_path / "none", "--force").exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert target.read_text("utf-8") == "old\n"


def test_verify_says_whether_the_server_could_choose_the_dice(played: Path, tmp_path: Path) -> None:
    proof = json.loads(played.with_name("proof.json").read_text("utf-8"))
    file = tmp_path / "proof.json"

    def told(**changes: Any) -> str:
        file.write_text(json.dumps({**proof, **changes}), "utf-8")
        done = command("verify", file)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    assert "no person sent a seed" in told()
    assert "older version" in told(format="regalia proof 1", sources=[])


def test_verify_says_yes_or_no(played: Path, tmp_path: Path) -> None:
    proof = played.with_name("proof.json")
    shown = json.loads(command("verify", proof, "--json").stdout)
    assert (shown["ok"], shown["format"]) == (True, 2)
    assert command("verify", proof, "--commitment", shown["commitment"]).exit_code == 0
    assert command("verify", proof, "--commitment", "00" * 32).exit_code == 2
    wrong = tmp_path / "wrong.json"
    wrong.write_text(re.sub('"server_seed":"..', '"server_seed":"00', proof.read_text("utf-8")), "utf-8")
    assert command("verify", wrong).exit_code == 2
    assert json.loads(command("verify", wrong, "--json").stdout)["ok"] is False
    wrong.write_text("{}", "utf-8")
    assert command("verify", wrong).exit_code == 2
    assert command("verify", tmp_path / "none.json").exit_code == 2


def test_the_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    async def main() -> list[Any]:
        store = SqliteStore(tmp_path / "x.sqlite3")
        with store._reading.connect() as connection:
            differences = compare_metadata(MigrationContext.configure(connection), schema.metadata)
        await store.close()
        return list(differences)

    assert asyncio.run(main()) == []
    with sqlite3.connect(tmp_path / "x.sqlite3") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    connection.close()


def test_health_and_metrics(ann: Guest) -> None:
    assert ann.get("/api/health").json == {"ok": True, "version": "0.1.0", "protocol": wire.VERSION}
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    ann.do("play", table, seat=0, ply=9, action="x")
    text = ann.get("/api/metrics").text
    figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(figures["regalia_actions_total"]) >= 1
    assert float(figures["regalia_store_writes_total"]) >= 2
    assert float(figures['regalia_refusals_total{code="stale"}']) >= 1
    assert float(figures['regalia_command_seconds_bucket{le="+Inf"}']) == float(
        figures["regalia_command_seconds_count"]
    )
    assert table not in text


def test_pages_are_served_with_their_headers(tmp_path: Path, server: Running) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>page</title>" + " " * 2000, "utf-8")
    (tmp_path / "assets" / "app-abc123.js").write_text("export {};" * 500, "utf-8")
    pages = Pages(tmp_path)
    index, script = pages.find("/t/abc"), pages.find("/assets/app-abc123.js")
    assert index is not None
    assert script is not None
    assert (index.caching, index.media) == ("no-cache", "text/html; charset=utf-8")
    assert ("immutable" in script.caching, script.media) == (True, "text/javascript; charset=utf-8")
    assert script.packed is not None
    assert len(script.packed) < len(script.body) / 10
    assert pages.find("/assets/gone.js") is None
    assert pages.find("/favicon.ico") is None
    empty = Pages(tmp_path / "none").find("/")
    assert empty is not None
    assert b"npm run build" in empty.body
    with Guest(server, None) as nobody:
        reply = nobody.get("/lobby")
        assert reply.status == 200
        assert reply.headers["content-type"].startswith("text/html")
        policy = reply.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        tagged = nobody.http.get("/lobby", headers={"if-none-match": reply.headers["etag"]})
        assert tagged.status_code == 304


def test_games_are_listed_with_options_and_bots(ann: Guest) -> None:
    games = {game["id"]: game for game in ann.get("/api/games").json}
    assert games["rose_king"]["seats"] == [2]
    assert games["long_live_the_king"]["has_secrets"] is True
    assert games["rose_king"]["has_secrets"] is False
    options = {option["name"]: option for option in games["carolus_magnus"]["options"]}
    assert options["confer"]["default"] == "false"
    assert all(1 <= bot["strength"] <= 5 for bot in games["rose_king"]["bots"])


def test_a_rulebook_names_its_chapters_its_clauses_and_our_readings(ann: Guest) -> None:
    book = ann.get("/api/games/rose_king/rulebook").json
    assert [chapter["key"] for chapter in book["chapters"]][:3] == ["setup", "turn", "power"]
    power = {clause["id"]: clause["decided"] for clause in book["chapters"][2]["clauses"]}
    assert power["RK-22"] is False
    assert power["RK-23"] is True
    assert ann.get("/api/games/chess/rulebook").status == 404


# --- Generated and checked ---


def test_protocol_docs_and_types_are_fresh() -> None:
    run = [sys.executable, ROOT / "scripts" / "protocol.py", "--check"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_every_code_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        words = catalogue(language)
        assert [code for code in wire.Code if f"server.error.{code}" not in words] == []


def test_every_key_the_server_names_exists() -> None:
    folders = (ROOT / "src/regalia/server", ROOT / "src/regalia/cli/commands")
    sources = "\n".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    named = set(re.findall(r'"((?:server|error)\.[a-z_.]+)"', sources))
    assert len(named) > 15
    assert sorted(named - set(catalogue("en"))) == []


def test_messages_round_trip_and_unknown_ones_are_refused() -> None:
    decode = msgspec.json.Decoder(wire.ClientMessage).decode
    for message in (wire.Ping(5), wire.Watch("abcdefg"), wire.Play("abcdefg", "abcdefg", 0, "N1", 1)):
        assert decode(msgspec.json.encode(message)) == message
    for raw in (b'{"type":"x"}', b'{"type":"ping","t":1,"y":2}', b"{}"):
        with pytest.raises(msgspec.ValidationError):
            decode(raw)


def test_openapi_describes_every_route(ann: Guest) -> None:
    document = ann.get("/api/openapi.json").json
    assert document["openapi"].startswith("3.1")
    documented = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert documented == {(route.method, route.path) for route in ROUTES}
    text = json.dumps(document)
    for name in re.findall(r'"#/components/schemas/(\w+)"', text):
        assert name in document["components"]["schemas"]

"""Running it: the commands, health, metrics, migrations, copies, exports, pages; and what is generated is fresh."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from typer.testing import CliRunner

from regalia.cli import serve as commands
from regalia.locale import LANGUAGES, catalogue
from regalia.server import protocol as wire
from regalia.server.api import ROUTES
from regalia.server.pages import Pages
from regalia.server.store import SqliteStore, schema
from server.harness import Guest, Running, running
from server.test_tables import wait_for

ROOT = Path(__file__).parents[2]
app = typer.Typer()
for name in ("serve", "verify", "backup", "restore", "export"):
    app.command(name)(getattr(commands, name))


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
    assert broken.exit_code == 2
    assert command("serve", "--log", "loud").exit_code == 2


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


def test_verify_says_yes_or_no(played: Path, tmp_path: Path) -> None:
    proof = played.with_name("proof.json")
    assert json.loads(command("verify", proof, "--json").stdout)["ok"] is True
    wrong = tmp_path / "wrong.json"
    wrong.write_text(re.sub('"server_seed":"..', '"server_seed":"00', proof.read_text("utf-8")), "utf-8")
    assert command("verify", wrong).exit_code == 2
    assert json.loads(command("verify", wrong, "--json").stdout)["ok"] is False
    wrong.write_text("{}", "utf-8")
    assert command("verify", wrong).exit_code == 2
    assert command("verify", tmp_path / "none.json").exit_code == 2


def test_the_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    import asyncio

    async def main() -> list[Any]:
        store = SqliteStore(tmp_path / "x.sqlite3")
        with store._reading.connect() as connection:
            found = compare_metadata(MigrationContext.configure(connection), schema.metadata)
        await store.close()
        return list(found)

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
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "src/regalia/server").glob("*.py"))
    sources += (ROOT / "src/regalia/cli/serve.py").read_text("utf-8")
    named = set(re.findall(r'"((?:server|error)\.[a-z_.]+)"', sources))
    assert len(named) > 15
    assert sorted(named - set(catalogue("en"))) == []


def test_messages_round_trip_and_unknown_ones_are_refused() -> None:
    decode = msgspec.json.Decoder(wire.ClientMessage).decode
    for message in (wire.Ping(5), wire.Watch("abcdefg"), wire.Play("abcdefg", "abcdefg", 0, 1, "N1")):
        assert decode(msgspec.json.encode(message)) == message
    for raw in (b'{"type":"x"}', b'{"type":"ping","t":1,"y":2}', b"{}"):
        with pytest.raises(msgspec.ValidationError):
            decode(raw)


def test_openapi_describes_every_route(ann: Guest) -> None:
    document = ann.get("/api/openapi.json").json
    assert document["openapi"].startswith("3.1")
    found = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert found == {(route.method, route.path) for route in ROUTES}
    text = json.dumps(document)
    for name in re.findall(r'"#/components/schemas/(\w+)"', text):
        assert name in document["components"]["schemas"]

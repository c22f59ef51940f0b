"""How long it takes until something happens."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import regalia
from regalia import GAMES
from regalia.bench.rows import Row, alone
from regalia.bench.server import Http, Server
from regalia.bots import BOTS
from regalia.core.game import Game


def seconds(command: list[str], **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True)
    return time.perf_counter() - start


def cli_start_s() -> Row:
    """A command that needs the rules, with a warm cache: replaying a short match."""
    match = regalia.Match.new("rose_king", seed=1)
    for _ in range(4):
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "match.txt"
        saved.write_text(match.transcript(), "utf-8")
        command = [sys.executable, "-m", "regalia.cli", "replay", str(saved), "--json"]
        seconds(command)
        return alone(
            "cli_start_s", lambda: seconds(command), "s", "regalia replay FILE --json, warm", most=False
        )


def cold_compile_s() -> Row:
    """All rules of all games from nothing, once."""
    with tempfile.TemporaryDirectory() as folder:
        spent = seconds([sys.executable, "-m", "regalia.cli", "warmup"], REGALIA_CACHE=folder)
    return Row("cold_compile_s", spent, None, None, "s", "regalia warmup with an empty cache")


def cold_first_answer_s() -> Row:
    """From the start of a match to a bot's first action, with an empty cache and right after the server is there."""
    slowest = max(map(first_answer_s, GAMES.values()))
    words = f"of {BOTS[-1]} after the start of a match, empty cache, the slowest of all games; at most 12"
    return Row("cold_first_answer_s", slowest, None, None, "s", words)


def first_answer_s(game: Game) -> float:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "bench.sqlite3", has_one_core=False, REGALIA_CACHE=f"{folder}/cache")
        try:
            server.wait()
            guest = Http(server.port)
            began = time.perf_counter()
            play_until_a_bot_acts(guest, game)
            return time.perf_counter() - began
        finally:
            server.end(signal.SIGTERM)


def play_until_a_bot_acts(guest: Http, game: Game) -> None:
    seats = [{"kind": "human"}, *[{"kind": "bot", "bot": BOTS[-1]}] * (game.seats[0] - 1)]
    table = guest.ask("/api/tables", {"game": game.id, "seats": seats})["table"]["id"]

    def command(kind: str, number: int, **more: object) -> None:
        body = {"type": kind, "table": table, "id": f"bench-{kind}-{number}", **more}
        guest.ask(f"/api/tables/{table}/commands", body)

    command("seed", 0, seed=secrets.token_hex(16))
    while True:
        shown = guest.ask(f"/api/tables/{table}?seat=0")
        records, view = shown["records"], shown["view"]
        if any(record["seat"] for record in records):
            return
        if view and view["actions"]:
            command("play", len(records), seat=0, ply=len(records), action=view["actions"][0])
        time.sleep(0.01)

"""The commands without a terminal: help, data, errors, languages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import regalia
from regalia import GAMES
from regalia.cli import app
from regalia.cli.commands import warmup
from regalia.locale import LANGUAGES, catalogue

SOURCES = Path(regalia.__file__).parent / "cli"
# What Python calls of a compiled game; all else is part of these.
OURS = ("play", "replay", "review", "rules", "trainer", "games", "bench", "warmup")


def run(*arguments: str, lines: str = "", **environment: str) -> Result:
    return CliRunner(env=environment).invoke(
        app, list(arguments), lines, catch_exceptions=False, prog_name="regalia"
    )


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "regalia.cli", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, **environment}
    )


# --- Help ---


def test_without_a_terminal_the_program_alone_prints_help() -> None:
    result = run()
    assert result.exit_code == 0
    assert "Usage: regalia" in result.stdout
    for command in (*OURS, "serve", "odds"):
        assert re.search(rf"^  {command} ", result.stdout, re.MULTILINE), command


@pytest.mark.parametrize("command", [*OURS, "arena", "serve", "verify", "backup", "restore", "export"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Example: regalia {command}" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    "language, words",
    [("de", "Im Terminal spielen"), ("nl", "Speel in de terminal"), ("en", "Play in the terminal")],
)
def test_help_speaks_the_language_asked_for_or_the_shells(language: str, words: str) -> None:
    assert words in program("play", "--help", "--lang", language).stdout
    assert words in program("play", "--help", LANG=f"{language}_XX.UTF-8").stdout


def test_help_loads_neither_numba_nor_rich() -> None:
    code = "import sys, regalia.cli; print({'numba', 'numpy', 'rich'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert shown.stdout.strip() == "set()"


def test_odds_lists_the_games_that_have_them() -> None:
    shown = run("odds")
    assert shown.exit_code == 0
    assert "Usage: regalia odds" in shown.stdout
    assert any(game.has_part("cli.odds") for game in GAMES.values())
    for game, facts in GAMES.items():
        assert (f"\n  {game}" in shown.stdout) == facts.has_part("cli.odds")
        if facts.has_part("cli.odds"):
            assert f"regalia odds {game}" in run("odds", game, "--help").stdout


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"regalia {regalia.__version__}\n"


# --- Wrong input: one line on stderr, exit code 2, nothing on stdout ---


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["play", "chess"], "There is no game called chess. There are: rose_king, "),
        (["play"], "Say which game: rose_king, "),
        (["play", "rose_king", "--seats", "3"], "rose_king is not for 3 players. Possible: 2."),
        (["play", "rose_king", "--seats", "two"], "--seats"),
        (["play", "rose_king", "--bots", "merlin"], "There is no bot called merlin."),
        (
            ["play", "rose_king", "--bots", "random,random,random"],
            "3 players are named, but there are only 2 seats.",
        ),
        (["play", "rose_king", "--option", "fast"], "An option is written NAME=VALUE, not fast."),
        (["play", "rose_king", "--option", "fast=yes"], "has no option called fast."),
        (["play", "rose_king", "--lang", "fr"], "There is no language fr. There are: en, de, nl."),
        (["play", "--from", "nowhere.txt"], "nowhere.txt cannot be read: No such file or directory."),
        (
            ["play", "carolus_magnus", "--from", "MATCH"],
            "The transcript is one of rose_king, not of carolus_magnus.",
        ),
        (["play", "--from", "MATCH", "--seats", "4"], "The transcript has 2 seats, not 4."),
        (["play", "--from", "MATCH", "--option", "a=b"], "The transcript was not played with a=b."),
        (["play", "--from", "CUT"], "The transcript is cut off"),
        (["replay"], "Missing argument"),
        (["replay", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["replay", "CUT"], "The transcript is cut off"),
        (["replay", "BINARY"], "is no text."),
        (["replay", "EDITED"], "Line 6:"),
        (["replay", "MATCH", "--to", "9999"], "There is no ply 9999; they run from 1 to"),
        (["replay", "MATCH", "--to", "0"], "There is no ply 0; they run from 1 to"),
        (["replay", "MATCH", "--seat", "2"], "There is no seat 2 among 2 seats."),
        (["rules", "chess"], "There is no game called chess."),
        (["rules", "rose_king", "RK-99"], "rose_king has no clause RK-99; they run from RK-1 to RK-X2."),
        (["bench", "warp"], "warp"),
        (["odds", "chess"], "chess"),
        (["juggle"], "juggle"),
        (["games", "--fast"], "--fast"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_clear_line(
    arguments: list[str], said: str, finished_match: Path, tmp_path: Path
) -> None:
    text = finished_match.read_text()
    files = {name: tmp_path / name for name in ("CUT", "BINARY", "EDITED")} | {"MATCH": finished_match}
    files["CUT"].write_text(text[: len(text) // 2].rpartition("\n")[0])
    files["BINARY"].write_bytes(b"\xff\xfe\x00")
    files["EDITED"].write_text(re.sub(r"^1 0 \S+", "1 0 draw", text, flags=re.MULTILINE))
    result = run(*(str(files.get(argument, argument)) for argument in arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("regalia: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr


def test_errors_speak_the_readers_language() -> None:
    assert "Ein Spiel namens chess gibt es nicht" in run("play", "chess", "--lang", "de").stderr
    assert "Er is geen spel" in run("rules", "chess", LANG="nl_NL.UTF-8").stderr


# --- Data ---


def data(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0
    return json.loads(result.stdout)


def test_games_are_data() -> None:
    games = {game["id"]: game for game in data("games")["games"]}
    assert list(games) == list(GAMES)
    assert games["rose_king"]["seats"] == [2]
    assert games["rose_king"]["titles"]["de"] == "Rosenkönig"
    assert games["long_live_the_king"]["options"] == [
        {"name": "dice_by_hand", "values": ["false", "true"], "default": "false", "seats": None}
    ]


def test_games_are_a_table_for_people() -> None:
    shown = run("games", "--lang", "de").stdout
    assert re.search(r"rose_king +Rosenkönig +2 +45", shown)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_have_every_clause_in_every_language(game: str, language: str) -> None:
    clauses = data("rules", game, "--lang", language)["clauses"]
    prefix = f"{game}.clause."
    words = catalogue(language)
    assert {clause["id"]: clause["text"] for clause in clauses} == {
        key.removeprefix(prefix): text for key, text in words.items() if key.startswith(prefix)
    }
    shown = run("rules", game, "--lang", language).stdout
    for chapter in {clause["chapter"] for clause in clauses}:
        assert words[f"{game}.chapter.{chapter}"] in shown


def test_a_clause_belongs_to_the_chapter_that_begins_at_or_before_it() -> None:
    chapters = {clause["id"]: clause["chapter"] for clause in data("rules", "rose_king")["clauses"]}
    assert [chapters[f"RK-{number}"] for number in (1, 6, 10, 11, 20, 25)] == [
        "setup", "setup", "turn", "turn", "power", "power",
    ]  # fmt: skip


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_one_clause_is_shown_and_our_readings_are_marked() -> None:
    assert run("rules", "rose_king", "rk-22").stdout.startswith("RK-22  The target field must be empty")
    assert "[our reading]" not in run("rules", "rose_king", "RK-22").stdout
    assert "[our reading]" in unwrapped(run("rules", "rose_king", "RK-23").stdout)
    assert "[unsere Auslegung]" in unwrapped(run("rules", "rose_king", "RK-23", "--lang", "de").stdout)


def test_rules_have_words_and_examples() -> None:
    terms = data("rules", "rose_king", "--glossary", "--lang", "nl")["terms"]
    assert {"term": "crown", "name": "kroon", "clauses": ["RK-2", "RK-20", "RK-24"]}.items() <= terms[
        0
    ].items()
    assert "Die Figur, die beide ziehen" in unwrapped(
        run("rules", "rose_king", "--glossary", "--lang", "de").stdout
    )
    assert data("rules", "rose_king", "--example", "rk-x2")["play"] == [[0, "NE2", ""]]
    shown = run("rules", "rose_king", "--example", "RK-X2").stdout
    assert "the crown moves to g7" in unwrapped(shown)
    assert "no example RK-20" in run("rules", "rose_king", "--example", "RK-20").stderr


def test_rules_are_searched() -> None:
    found = data("rules", "rose_king", "--search", "CROWN not leave")["clauses"]
    assert [clause["id"] for clause in found] == ["RK-21"]
    assert run("rules", "rose_king", "--search", "elephant").stdout == "Nothing found.\n"


def test_a_replay_is_data(finished_match: Path) -> None:
    match = regalia.Match.replay(finished_match.read_text())
    whole = data("replay", str(finished_match))
    assert whole["plies"] == match.ply == len(whole["records"])
    assert whole["view"] == json.loads(json.dumps(match.view(None)))
    part = data("replay", str(finished_match), "--to", "10", "--seat", "1")
    assert part["records"] == whole["records"][:10]
    assert (part["view"]["ply"], part["view"]["you"]) == (10, 1)


def test_a_replay_is_a_log_and_a_position_where_nobody_can_press_keys(finished_match: Path) -> None:
    shown = run("replay", str(finished_match)).stdout
    assert "The 52nd stone was laid." in shown
    match = regalia.Match.replay(finished_match.read_text())
    for ply, record in enumerate(match.records[1:], 1):
        assert f"{ply:>3} {record.action}" in shown
    assert "The 52nd stone was laid." not in run("replay", str(finished_match), "--to", "5").stdout


def test_bench_prints_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    from regalia import bench
    from regalia.bench.rows import Row

    rows = {
        "fast": lambda: Row("fast", 14_000_000.0, 20_000_000.0, 0.7, "steps/s", "C"),
        "start": lambda: Row("start", 0.4321, None, None, "s", "nothing"),
    }
    monkeypatch.setattr(bench, "ROWS", rows)
    assert data("bench")["rows"] == [rows["fast"]().as_json(), rows["start"]().as_json()]
    assert [row["name"] for row in data("bench", "start")["rows"]] == ["start"]
    assert re.search(r"fast +14,000,000 +20,000,000 +0.7 +steps/s +C", run("bench").stdout)
    assert re.search(r"start +0.4321 +– +– +s", run("bench", "--lang", "nl").stdout)


def test_warmup_says_how_long_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "GAMES", {"rose_king": GAMES["rose_king"]})
    assert list(data("warmup")["games"]) == ["rose_king"]
    assert re.search(r"Everything is compiled: [\d.]+ s in all\.", run("warmup").stdout)


def test_warmup_names_what_it_could_not_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "GAMES", {"rose_king": GAMES["rose_king"]})
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    failed = run("warmup", "--lang", "de")
    assert failed.exit_code == 1
    assert "Nicht kompiliert werden konnte: Rosenkönig." in failed.stderr


def test_every_word_the_program_says_is_in_the_catalogue() -> None:
    sources = "\n".join(path.read_text() for path in SOURCES.rglob("*.py"))
    said = set(re.findall(r'"(cli\.[a-z_]+(?:\.[a-z_]+)*)"', sources))
    said -= {"cli.board", "cli.odds"}  # parts of a game
    said |= {f"cli.{key}" for key in re.findall(r'\bword\("([a-z_.]+)"', sources)}
    assert len(said) > 50
    assert [key for key in sorted(said) if key not in catalogue("en")] == []

"""`regalia arena` as a person meets it: what it writes, how it stops, and what it refuses."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from regalia.cli import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["arena", *arguments], catch_exceptions=False, prog_name="regalia")


def small(folder: Path, *more: str) -> Result:
    return run(
        "rose_king", "--bots", "page,random", "--matches", "4", "--workers", "1", "--out", str(folder), *more
    )


def test_it_writes_results_summary_report_and_pictures(tmp_path: Path) -> None:
    result = small(tmp_path, "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["played"] == told["matches"] == 4
    assert {path.name for path in tmp_path.iterdir()} == {
        "results.json", "summary.json", "report.md", "ratings.svg", "shares.svg",
    }  # fmt: skip
    assert json.loads((tmp_path / "summary.json").read_text("utf-8")) == told
    again = small(tmp_path, "--lang", "de")
    assert "| page | random |" in again.stdout
    assert "Herausforderer" in again.stdout


def test_it_stops_when_all_is_decided_and_confirms_on_fresh_deals(tmp_path: Path) -> None:
    words = [
        "rose_king",
        "--bots",
        "page,random",
        "--matches",
        "400",
        "--workers",
        "1",
        "--out",
        str(tmp_path),
    ]
    result = run(*words, "--decide", "--confirm", "2", "--exact", "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert 48 <= told["played"] < 400
    (pairing,) = told["pairings"]
    assert (pairing["verdict"], pairing["superiority"]["share"]) == ("above", pairing["share"])
    assert told["exact"]["roses"]["random"]["optimal"] < told["exact"]["roses"]["page"]["optimal"]
    fresh = told["confirmation"]
    assert (fresh["played"], fresh["plan"]["seed"]) == (2, 500_000_004)
    report = (tmp_path / "report.md").read_text("utf-8")
    assert "## Confirmation on fresh deals (seed 500000004)" in report
    assert "## Where the truth is known: roses" in report


def listen_to_the_keyboard() -> None:
    """Also where the tests themselves run in the background, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_keyboard_stops_it_it_saves_and_says_how_to_go_on(tmp_path: Path, workers: str) -> None:
    folder = tmp_path / "my arena"
    words = ["rose_king", "--bots", "page,random", "--matches", "100000", "--workers", workers]
    words += ["--out", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "regalia.cli", "arena", *words],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen_to_the_keyboard,  # noqa: PLW1509 - no threads here
    )
    try:
        while not (folder / "results.json").exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    played = json.loads((folder / "results.json").read_text("utf-8"))["results"]
    line = told.strip().splitlines()[-1]
    saved = "1 match is saved" if len(played) == 1 else f"{len(played)} matches are saved"
    assert f"Stopped; {saved}. To go on: regalia arena rose_king" in line
    assert f"'{folder}'" in line
    assert len(played) > 0


@pytest.mark.parametrize(
    "words, said",
    [
        (["rose_king", "--bots", "page,joker"], "There is no bot called joker."),
        (["rose_king", "--bots", "page"], "at least two different bots, not 1"),
        (["rose_king", "--bots", "page,page"], "at least two different bots, not 1"),
        (["rose_king", "--bots", "page,random", "--seconds", "0"], "A budget is more than zero, not 0.0."),
        (["rose_king", "--bots", "page,random", "--matches", "0"], "more than zero, not 0"),
        (["rose_king", "--bots", "page,random", "--workers", "0"], "At least one worker is needed, not 0."),
        (["rose_king", "--bots", "page,random", "--seats", "3"], "3 players"),
        (["rose_king", "--bots", "page,random", "--option", "fast"], "NAME=VALUE, not fast"),
        (["chess", "--bots", "page,random"], "There is no game called chess."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_clear_line(words: list[str], said: str, tmp_path: Path) -> None:
    result = run(*words, "--out", str(tmp_path / "nothing"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "nothing").exists()


def test_a_file_of_another_version_is_refused_in_one_line(tmp_path: Path) -> None:
    small(tmp_path)
    path = tmp_path / "results.json"
    stored = json.loads(path.read_text("utf-8"))
    stored["plan"]["version"] -= 1
    path.write_text(json.dumps(stored), "utf-8")
    result = small(tmp_path)
    assert result.exit_code == 2
    assert "results.json belongs to another contest or another version" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1

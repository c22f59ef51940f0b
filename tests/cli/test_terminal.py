"""The program in a real terminal, from the first key to the last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import regalia
from cli.terminal import Terminal
from regalia import GAMES
from regalia.preparation.stages import Stage, kernels_of

PROMPT = "Lancaster (red) > "
ACTIONS = re.compile(r"(?:(?:[NS]?[EW]?[123]\*?|draw) *)+")


def offered(screen: str) -> list[str]:
    """The legal actions as the screen lists them: the last line that has nothing else."""
    lines = [line.strip() for line in screen.splitlines()]
    return [line for line in lines if line and ACTIONS.fullmatch(line)][-1].split()


def test_a_whole_game_is_played_against_a_bot(data_folder: Path) -> None:
    with Terminal("play", "rose_king", "--bots", "random", "--seed", "11") as terminal:
        turns = 0
        while PROMPT in (screen := terminal.until(PROMPT, "To watch it again:")):
            terminal.type(offered(screen)[turns % len(offered(screen))] + "\n")
            turns += 1
        screen += terminal.rest()
    assert terminal.process.returncode == 0
    assert turns > 20
    (saved,) = (data_folder / "terminal").glob("rose_king-*.txt")
    match = regalia.Match.replay(saved.read_text())
    assert match.outcome is not None
    winner = match.outcome.ranks.index(1)
    assert (
        f"1. {('Lancaster (red)', 'York (white)')[winner]}: {match.outcome.points[winner]} points" in screen
    )
    assert regalia.Match.new("rose_king", seed=11).records[0] == match.records[0]


@pytest.mark.slow
def test_what_has_to_be_compiled_is_told_once_with_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGALIA_CACHE", str(tmp_path))
    screens = []
    for _ in range(2):
        with Terminal("play", "rose_king", "--seed", "3", columns=120) as terminal:
            screens.append(terminal.until(PROMPT))
            terminal.type("quit\n")
            terminal.rest()
    parts = [
        (int(done), int(total))
        for done, total in re.findall(
            r"Preparing The Rose King for this computer, once\W+(\d+)/(\d+)", screens[0]
        )
    ]
    assert len(set(parts)) > 2
    assert parts == sorted(parts)
    assert {total for _, total in parts} == {len(kernels_of(GAMES["rose_king"], [Stage.TABLE]))}
    assert "Preparing" not in screens[1]


def test_the_table_fits_a_small_terminal() -> None:
    with Terminal("play", "rose_king", "--seed", "3", rows=24, columns=80) as terminal:
        screen = terminal.until(PROMPT)
        terminal.type("quit\n")
        terminal.rest()
    shown = screen.split("Loading the rules")[-1].split("…")[-1]
    lines = [line.strip("\r") for line in shown.split("\n") if line.strip()]
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("keys", ["\x03", "\x04", "quit\n"], ids=["Ctrl-C", "Ctrl-D", "quit"])
def test_who_leaves_is_told_how_to_go_on_and_can(keys: str, data_folder: Path) -> None:
    with Terminal("play", "rose_king", "--bots", "random", "--seed", "4") as terminal:
        terminal.type(offered(terminal.until(PROMPT))[0] + "\n")
        terminal.until(PROMPT)
        terminal.interrupt() if keys == "\x03" else terminal.type(keys)
        told = terminal.rest()
    assert terminal.process.returncode == 0
    assert "The game is kept. To go on:" in told
    found = re.search(r"regalia (play --from (\S+))", told.replace("\n", ""))
    assert found is not None
    before = regalia.Match.replay(Path(found[2]).read_text())
    assert before.ply == 3
    with Terminal(*found[1].split()) as terminal:
        terminal.type(offered(terminal.until(PROMPT))[0] + "\n")
        terminal.until(PROMPT)  # the bot has answered without being named again
        terminal.type("log\n")
        log = terminal.until(PROMPT)
        terminal.type("\x04")
        terminal.rest()
    assert f"  {before.ply - 1} {before.records[-1].action}" in log


def test_the_menu_leads_to_rules_in_another_language_and_to_a_game() -> None:
    with Terminal(rows=50) as terminal:
        terminal.until("> ")
        terminal.type("6\n")
        terminal.until("Nederlands")
        terminal.type("2\n")
        terminal.until("Was möchtest du tun?")
        terminal.type("4\n")
        terminal.until("Welches Spiel?")
        terminal.type("1\n")
        terminal.until("Ein Suchwort")
        terminal.type("Helden\n")
        terminal.until("RK-40")
        terminal.until("Was möchtest du tun?")
        terminal.type("9\n")
        terminal.until("Bitte eine Zahl von 1 bis 7.")
        for answer in ("2", "1", "", "2"):
            terminal.type(answer + "\n")
        terminal.until("Lancaster (Rot) > ")
        terminal.type("quit\n")
        terminal.until("Was möchtest du tun?")
        terminal.type("7\n")
        terminal.rest()
    assert terminal.process.returncode == 0


def test_a_transcript_is_read_back_and_forth(finished_match: Path) -> None:
    with Terminal("replay", str(finished_match), "--lang", "nl") as terminal:
        terminal.until("1 van")
        terminal.type("\n")
        terminal.until("2 van")
        terminal.type("10\n")
        terminal.until("10 van")
        terminal.type("p\n")
        terminal.until("9 van")
        terminal.type("0\n")
        terminal.until("Er is geen zet 0")
        terminal.until("9 van")
        terminal.type("q\n")
        terminal.rest()
    assert terminal.process.returncode == 0


def test_the_tab_key_completes_an_action() -> None:
    with Terminal("play", "rose_king", "--seed", "3") as terminal:
        (wanted,) = [action for action in offered(terminal.until(PROMPT)) if action.startswith("S")]
        terminal.type("S\t\n")
        screen = terminal.until("York (white) > ")
        terminal.type("quit\n")
        terminal.rest()
    assert f"Lancaster plays {wanted}" in screen

"""Playing in the terminal, with the lines a person would type."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

import probe
from driving import ALL_GAMES
from games.rose_king.test_rules import at
from regalia import CHANCE, Game, Match
from regalia.cli import app, boards, files
from regalia.cli.screen import CLEARED, Screen, grouped
from regalia.cli.session import PERSON, Session
from regalia.core.rulebook import laws
from regalia.locale import LANGUAGES


def play(*arguments: str, lines: list[str]) -> Result:
    text = "".join(line + "\n" for line in lines)
    return CliRunner().invoke(app, ["play", *arguments], input=text, catch_exceptions=False)


# --- The Rose King at one keyboard ---


def test_people_play_in_turn_and_are_told_what_the_other_did() -> None:
    first, second = Match.new("rose_king", seed=3), Match.new("rose_king", seed=3)
    action = first.actions(0)[0]
    second.play(0, action)
    shown = play("rose_king", "--seed", "3", lines=[action, "log"]).stdout
    assert "York (white) > " in shown
    sentence = f"1 {action}  Lancaster plays {action}: the crown moves to {second.view(1)['crown']}"
    assert shown.count(sentence) == 2


def test_a_refused_action_is_explained_by_its_clause() -> None:
    shown = play("rose_king", "--seed", "3", lines=["draw"]).stdout
    assert "Not allowed: You already hold 5 cards, so you may not draw. (RK-30)" in shown
    assert "You may draw only while you hold fewer than 5 power cards." in shown
    german = play("rose_king", "--seed", "3", "--lang", "de", lines=["draw"]).stdout
    assert "(RK-30)" in german
    assert "Lancaster (Rot) > " in german


def test_what_cannot_be_read_is_explained_and_a_beginning_lists_what_goes_on_so() -> None:
    shown = play("rose_king", "--seed", "3", lines=["castle", "n", "actions N", "actions x"]).stdout
    assert "castle cannot be read: write a card such as NE2" in shown
    assert len(re.findall(r"> N3  NW3\n", shown)) == 2
    assert "No action begins with “x” now." in shown


def test_directions_are_shown_and_typed_in_the_language_of_the_player() -> None:
    position = {"red": "SE1 E2 N2", "white": "S1 S2"}
    assert boards.actions(at(**position), 0, "nl", "z") == ["ZO1"]
    assert boards.actions(at(**position), 0, "nl", "se") == ["ZO1"]
    english = Match.new("rose_king", seed=3).actions(0)
    german = boards.actions(Match.new("rose_king", seed=3), 0, "de")
    assert german != english
    shown = play("rose_king", "--seed", "3", "--lang", "de", lines=[german[0], "log"]).stdout
    assert f"1 {german[0]}  Lancaster spielt {german[0]}: " in shown


def test_the_last_action_is_taken_back_by_whoever_is_at_the_keyboard() -> None:
    action = Match.new("rose_king", seed=3).actions(0)[0]
    result = play("rose_king", "--seed", "3", lines=["undo", action, "undo", "log"])
    assert "Seat 0 has nothing left to take back." in result.stdout
    assert "Taken back." in result.stdout
    assert result.stdout.count("Lancaster (red) > ") == 4
    saved = files.saves()[0].read_text()
    assert Match.replay(saved).ply == 1


def test_a_bots_action_cannot_be_taken_back() -> None:
    action = Match.new("rose_king", seed=3).actions(0)[0]
    shown = play("rose_king", "--seed", "3", "--bots", "random", lines=[action, "undo"]).stdout
    assert "has nothing left to take back." in shown


def test_rules_are_at_hand() -> None:
    shown = play(
        "rose_king", lines=["rules", "rules RK-21", "rules RK-77", "rules leave", "rules elephant"]
    ).stdout
    assert "Scoring  RK-60 … RK-63" in shown
    assert shown.count("RK-21  The crown may not leave the board.") == 2
    assert "rose_king has no clause RK-77" in shown
    assert "Nothing found." in shown


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("asked", ["help", "rules"])
def test_help_names_a_clause_of_the_game_that_is_played(game: Game, asked: str) -> None:
    shown = play(game.id, lines=["", asked]).stdout  # hidden hands are shown after an Enter
    assert re.findall(r"rules ([A-Z]{2}-\d+)", shown) == [laws(game)[0].id]


def test_help_names_every_command_and_the_notation() -> None:
    shown = play("rose_king", lines=["help"]).stdout
    for command in ("help", "actions", "undo", "rules", "log", "board", "save", "quit"):
        assert re.search(rf"^(.*> )?  {command}\b", shown, re.MULTILINE), command
    assert "“NE2” plays the card" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_has_two_columns_in_every_language(language: str) -> None:
    shown = play("rose_king", "--seed", "3", "--lang", language, lines=["help"]).stdout
    assert re.search(r"^  undo {12}\w", shown, re.MULTILINE)
    assert "—" not in shown


def test_a_match_is_saved_where_one_says_and_goes_on_from_there(tmp_path: Path) -> None:
    action = Match.new("rose_king", seed=3).actions(0)[0]
    target = tmp_path / "match.txt"
    shown = play(
        "rose_king", "--seed", "3", lines=[action, "save", f"save {target}", f"save {target}"]
    ).stdout
    assert "Say where: save FILE." in shown
    assert f"Saved in {target}." in "".join(shown.splitlines())
    assert "exists already; choose another name." in " ".join(shown.split())
    assert Match.replay(target.read_text()).records[1].action == action
    again = play("rose_king", "--from", str(target), lines=["log"]).stdout
    assert f"1 {action}  Lancaster plays" in again


def test_a_place_that_cannot_be_written_does_not_end_the_match() -> None:
    shown = play("rose_king", lines=["save /proc/nowhere/match.txt", "rules RK-1"]).stdout
    assert "cannot be written" in shown
    assert "RK-1  The board" in shown


def test_bots_alone_play_to_the_end() -> None:
    result = play("rose_king", "--bots", "random,random", "--seed", "5", lines=[])
    assert result.exit_code == 0
    assert "To watch it again:" in result.stdout
    outcome = Match.replay(files.saves()[0].read_text()).outcome
    assert outcome is not None
    assert max(outcome.points) == max(
        map(int, re.findall(r"^1\. .*: (\d+) points$", result.stdout, re.MULTILINE))
    )


def test_the_same_seed_gives_the_same_match() -> None:
    for _ in range(2):
        play("rose_king", "--bots", "random,random", "--seed", "5", lines=[])
    first, second = (Match.replay(path.read_text()).records for path in files.saves())
    assert first == second


def test_a_person_may_sit_after_a_bot() -> None:
    shown = play("rose_king", "--bots", "random,me", "--seed", "5", lines=["log"]).stdout
    assert "York (white) > " in shown
    assert "Lancaster (red) > " not in shown


def test_a_hint_comes_from_the_strongest_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    from regalia import bots

    best = Match.new("rose_king", seed=3).actions(0)[1]
    asked = []

    def choose(match: Match, seat: int, bot: str, seed: int | None = None) -> bots.Choice:
        asked.append((seat, bot))
        return bots.Choice(best, (("rose_king.refused.RK-21", {}),))

    monkeypatch.setattr(bots, "BOTS", ("random", "sage"))
    monkeypatch.setattr(bots, "choose_safely", choose)
    shown = play("rose_king", "--seed", "3", lines=["hint"]).stdout
    assert f"sage advises: {best}." in shown
    assert "The crown would leave the board." in shown
    assert asked == [(0, "sage")]
    monkeypatch.setattr(bots, "BOTS", ("random",))
    assert "hint cannot be read" in play("rose_king", "--seed", "3", lines=["hint"]).stdout


def test_a_bot_that_fails_is_replaced_and_the_player_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from regalia.bots import choice

    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(choice, "decide", broken)
    shown = play("rose_king", "--bots", "random,me", "--seed", "5", lines=["log"]).stdout
    assert "random failed (ZeroDivisionError); this is simply a legal action." in shown
    assert "York (white) > " in shown


def test_old_games_kept_by_themselves_go(data_folder: Path) -> None:
    (data_folder / "terminal").mkdir(parents=True)
    for number in range(files.KEPT + 5):
        (data_folder / "terminal" / f"rose_king-{number}.txt").write_text("")
    play("rose_king", lines=[])
    assert len(files.saves()) == files.KEPT + 1


# --- Secrets: the probe, four people at one terminal ---


class Table:
    """A session of the probe whose people answer by a function of what they were just shown."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, answer: Callable[[Match, int], Iterator[str]]
    ) -> None:
        self.match = Match.new(probe.GAME, seed=1)
        self.written = io.StringIO()
        console = Console(
            file=self.written, force_terminal=True, width=300, height=50, highlight=False, no_color=True
        )
        self.pending: list[str] = []
        self.answer = answer
        monkeypatch.setattr("builtins.input", self.input)
        monkeypatch.setattr(boards, "board_of", lambda _: None)  # a list of all that the view says
        session = Session(self.match, [PERSON] * 4, Screen("en", console), files.new_save("probe"), seed=1)
        session.run()

    def input(self, prompt: str) -> str:
        self.written.write(prompt + "\n")
        if prompt.startswith("Pass the device"):
            return ""
        found = re.match(r"Seat (\d) > ", prompt)
        assert found is not None
        if not self.pending:
            self.pending = list(self.answer(self.match, int(found[1])))
        return self.pending.pop(0)

    def screens(self) -> list[str]:
        """What stood on the screen between two times at which it was emptied."""
        return [re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", part) for part in self.written.getvalue().split(CLEARED)]


def test_nobody_is_ever_shown_the_hand_or_stake_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(match: Match, seat: int) -> Iterator[str]:
        yield "log"
        yield "board"
        yield match.actions(seat)[0]

    table = Table(monkeypatch, answer)
    assert table.match.outcome is not None
    holders = []
    for screen in table.screens():
        names = set(re.findall(r"Seat (\d) > ", screen))
        assert len(names) <= 1, "two people typed on one screen"
        passed = re.findall(r"Pass the device to Seat (\d)", screen)
        hands = [json.loads(hands) for hands in re.findall(r"^hands +(\[.*\])", screen, re.MULTILINE)]
        stakes = [json.loads(stakes) for stakes in re.findall(r"^stakes +(\[.*\])", screen, re.MULTILINE)]
        if passed:
            assert not hands
        for shown in hands:
            known = [seat for seat, hand in enumerate(shown) if set(hand) != {None}]
            assert known == [int(name) for name in names]  # at the end nobody's
        for shown in stakes:
            assert [seat for seat, stake in enumerate(shown) if stake is not None] == [
                int(name) for name in names
            ]
        holders += [*names]
    assert set(holders) == {"0", "1", "2", "3"}


def test_sealed_choices_are_asked_one_after_the_other_and_told_when_all_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answer(match: Match, seat: int) -> Iterator[str]:
        yield "log"
        yield match.actions(seat)[-1]

    table = Table(monkeypatch, answer)
    second = next(screen for screen in table.screens() if "Seat 1 > " in screen)
    assert "1 Seat 0: ?" in second
    stake = table.match.records[1].action
    assert stake.startswith("stake ")
    assert f"Seat 0: {stake}" not in second
    later = [screen for screen in table.screens() if f"1 Seat 0: {stake}" in screen]
    assert later


def test_the_screen_is_emptied_before_and_after_the_device_goes_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answer(match: Match, seat: int) -> Iterator[str]:
        yield match.actions(seat)[0]

    table = Table(monkeypatch, answer)
    passing = [screen for screen in table.screens() if "Pass the device" in screen]
    assert len(passing) >= 4
    for screen in passing:
        assert len(screen.strip().splitlines()) == 1


# --- Long lists of actions ---


def test_many_actions_are_shown_in_groups_that_a_beginning_narrows() -> None:
    actions = [f"{colour}>{place}" for colour in ("red", "blue", "green") for place in range(1, 16)] + ["end"]
    assert grouped(actions) == {"red>": 15, "blue>": 15, "green>": 15, "end": 1}
    few = ["use maid 1 2", "use maid 1 3", "use fool 1", "roll"]
    assert grouped(few) == {"use maid 1 2": 1, "use maid 1 3": 1, "use fool 1": 1, "roll": 1}


def test_a_beginning_narrows_a_long_list() -> None:
    match = Match.new("carolus_magnus", seats=2, seed=1)
    lines = []
    while len(match.actions(match.actors[0])) <= 24:
        lines.append(match.actions(match.actors[0])[0])
        match.play(match.actors[0], lines[-1])
    found = match.actions(match.actors[0])
    colour = found[0].partition(">")[0]
    shown = play("carolus_magnus", "--seats", "2", "--seed", "1", lines=[*lines, colour]).stdout
    assert f"{len(found)} actions: type the beginning of one to see more" in shown
    assert f"{colour}>1  " in shown.rpartition("actions: type")[2]


def test_every_game_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ALL_GAMES:
        match = Match.new(game, seed=2)
        for _ in range(12):
            seat = match.actors[0]
            assert seat != CHANCE
            screen = Screen("nl", Console(file=io.StringIO(), width=100, height=32))
            screen.show(boards.render(match.view(seat), "nl"))
            screen.list_actions(match.actions(seat))
            match.play(seat, match.actions(seat)[-1])
            if not match.actors:
                break

"""A guide in the terminal: step by step, each answer judged at once. The place is kept in a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from rich.rule import Rule
from rich.text import Text

from regalia.cli import boards, files, rulebook
from regalia.cli.screen import Screen
from regalia.core.errors import RegaliaError
from regalia.core.game import Game
from regalia.core.rulebook import laws
from regalia.locale import has, say
from regalia.study.guide import Answer, Refused, Task, steps_of
from regalia.study.lessons import Lesson, Verdict, answer_to

FIRST_OPPONENT = "page"
End = Literal["finished", "stopped", "play"]


class Left(Exception):
    """The learner leaves the step for another, or the guide."""

    def __init__(self, to: int | End) -> None:
        self.to = to


def place_file() -> Path:
    return files.folder() / "lessons.json"


def kept_places() -> dict[str, int]:
    try:
        kept = json.loads(files.read(place_file()))
    except (RegaliaError, ValueError):  # none yet, or none that can be read
        return {}
    return (
        {key: place for key, place in kept.items() if isinstance(place, int)}
        if isinstance(kept, dict)
        else {}
    )


def kept_place(game: Game) -> int:
    """The step at which the learner goes on: the first, when all are done."""
    place = kept_places().get(game.id, 0)
    return place if 0 <= place < len(steps_of(game)) else 0


def keep_place(game: Game, place: int) -> None:
    files.write(place_file(), json.dumps({**kept_places(), game.id: place}))


class Guided:
    def __init__(self, game: Game, screen: Screen, place: int) -> None:
        self.game = game
        self.screen = screen
        self.language = screen.language
        self.steps = steps_of(game)
        self.place = place
        self.lesson = Lesson(game, self.steps[place])
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self.help,
            "show": self.show,
            "actions": self.actions,
            "board": self.board,
            "rules": self.rules,
            "next": lambda _: self.leave(self.place + 1),
            "back": lambda _: self.leave(max(self.place - 1, 0)),
            "play": lambda _: self.leave("play"),
            "quit": lambda _: self.leave("stopped"),
        }

    def run(self) -> End:
        """To the end of the guide, or until the learner leaves it."""
        self.screen.say("cli.lesson.welcome", "dim", game=self.game.titles[self.language])
        while self.place < len(self.steps):
            try:
                self.do_step()
                to: int | End = self.place + 1
            except Left as left:
                to = left.to
            except (EOFError, KeyboardInterrupt):
                self.screen.show(Text())
                to = "stopped"
            if isinstance(to, str):
                return self.stop(to)
            self.place = to
            keep_place(self.game, self.place)
        self.screen.say("cli.lesson.finished", "bold")
        self.command(f"play {self.game.id} --bots {FIRST_OPPONENT}")
        return "finished"

    def stop(self, how: End) -> End:
        keep_place(self.game, self.place)
        if how == "stopped":
            self.screen.say("cli.lesson.stopped", number=self.place + 1)
            self.command(f"lesson {self.game.id}")
        return how

    def do_step(self) -> None:
        step = self.steps[self.place]
        self.lesson = Lesson(self.game, step)
        title = self.screen.words(
            "cli.lesson.step", number=self.place + 1, count=len(self.steps), title=self.words(step.title)
        )
        self.screen.show(Rule(Text(title, "bold")))
        ply = self.lesson.match.ply
        while self.lesson.task is not None:
            ply = self.do_task()
        if self.lesson.match.ply != ply:
            self.show_board()
        if self.place + 1 < len(self.steps):
            self.obey_between(self.screen.ask(self.screen.words("cli.lesson.next")))

    def do_task(self) -> int:
        """One task, however many lines it takes; the ply at which it was set."""
        self.board()
        ply, done = self.lesson.match.ply, self.lesson.done
        while self.lesson.done == done:
            self.obey(self.screen.ask("> ", self.complete))
        return ply

    def obey(self, line: str) -> None:
        """A line is one of the commands, or an answer."""
        name, _, rest = line.partition(" ")
        if name.casefold() in self._commands:
            self._commands[name.casefold()](rest.strip())
        elif line:
            task = self.lesson.task
            assert task is not None
            self.tell(task, self.lesson.answer(self.meant(task, line)))

    def obey_between(self, line: str) -> None:
        if line.casefold() in ("back", "play", "quit"):
            self._commands[line.casefold()]("")

    def meant(self, task: Task, line: str) -> str:
        """The answers to a question are typed by their numbers."""
        expected = task.expected
        if isinstance(expected, Answer) and line.isdecimal() and 1 <= int(line) <= len(expected.answers):
            return expected.answers[int(line) - 1]
        return line

    def tell(self, task: Task, verdict: Verdict) -> None:
        if verdict.kind == "right":
            key = "cli.lesson.tried" if verdict.error else "cli.lesson.right"
            self.screen.say(key, "bold green")
            self.screen.show(Text(verdict.text(self.game, self.language)))
        elif isinstance(task.expected, Answer) and verdict.kind == "unread":
            self.screen.error(self.screen.words("cli.lesson.question"))
        else:
            self.screen.error(verdict.text(self.game, self.language))
        clause = f"{self.game.id}.clause.{getattr(verdict.error, 'clause', None)}"
        if has(clause):
            self.screen.note(say(self.language, clause))

    # --- The commands ---

    def leave(self, to: int | End) -> None:
        raise Left(to)

    def complete(self, text: str) -> list[str]:
        task = self.lesson.shown
        found = boards.actions(self.lesson.match, task.seat, self.language, text) if text else []
        return found or [name for name in self._commands if name.startswith(text.casefold())]

    def help(self, rest: str) -> None:
        for name in self._commands:
            usage, _, meaning = self.screen.words(
                f"cli.command.{name}", clause=laws(self.game)[0].id
            ).partition(" — ")
            self.screen.show(Text(f"  {usage:<16}", "bold").append(meaning, "not bold"))

    def show(self, rest: str) -> None:
        task = self.lesson.shown
        answer = answer_to(task, self.lesson.match)
        known = f"{self.game.id}.{answer}"
        self.screen.say(
            "cli.lesson.show", answer=say(self.language, known) if has(known) else self.spell(answer)
        )

    def actions(self, rest: str) -> None:
        self.screen.list_actions(
            boards.actions(self.lesson.match, self.lesson.shown.seat, self.language, rest)
        )

    def rules(self, rest: str) -> None:
        try:
            self.screen.show(rulebook.page(self.game, self.language, rest))
        except RegaliaError as error:
            self.screen.error(error.text(self.language))

    def board(self, rest: str = "") -> None:
        """The table, the task and what may be answered."""
        self.show_board()
        task = self.lesson.shown
        self.screen.show(Text(self.words(task.say), "bold"))
        expected = task.expected
        if isinstance(expected, Answer):
            for number, key in enumerate(expected.answers, 1):
                self.screen.show(
                    Text(f"  {number}  ", "bold cyan").append(self.words(key), "not bold default")
                )
        elif isinstance(expected, Refused):
            self.screen.say("cli.lesson.attempt", "dim", actions=self.spell(" · ".join(expected.attempts)))

    def show_board(self) -> None:
        self.screen.show(boards.render(self.lesson.match.view(self.lesson.shown.seat), self.language))

    # --- Words ---

    def words(self, key: str) -> str:
        return say(self.language, f"{self.game.id}.{key}")

    def spell(self, notation: str) -> str:
        return boards.spell(self.game.id, notation, self.language)

    def command(self, words: str) -> None:
        self.screen.console.print(Text(f"  regalia {words}", "bold"), soft_wrap=True)

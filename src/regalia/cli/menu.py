"""`regalia` alone: a menu for those who have not learnt the commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.rule import Rule
from rich.text import Text

from regalia import GAMES
from regalia.cli import files
from regalia.cli.commands.lesson import lesson
from regalia.cli.commands.play import begin
from regalia.cli.commands.replay import replay
from regalia.cli.commands.rules import rules
from regalia.cli.screen import Screen
from regalia.core.errors import RegaliaError
from regalia.core.game import Game
from regalia.locale import LANGUAGES, say


class Menu:
    def __init__(self, language: str) -> None:
        self.screen = Screen(language)

    @property
    def language(self) -> str:
        return self.screen.language

    def run(self) -> None:
        """Until someone quits; a mistake is told and the menu comes again."""
        choices: dict[str, Callable[[], None]] = {
            "lesson": self.lesson,
            "play": self.play,
            "resume": self.resume,
            "rules": self.rules,
            "replay": self.replay,
            "language": self.choose_language,
        }
        while True:
            self.screen.show(Rule(Text("Regalia", "bold")))
            names = [*choices, "quit"]
            try:
                chosen = names[
                    self.choose("cli.menu.what", [self.screen.words(f"cli.menu.{name}") for name in names])
                ]
                if chosen == "quit":
                    return
                choices[chosen]()
            except RegaliaError as error:
                self.screen.error(error.text(self.language))
            except (EOFError, KeyboardInterrupt):
                self.screen.show(Text())
                return

    def choose(self, question: str, answers: Sequence[str], default: int = 0) -> int:
        """A number from a list; Enter takes the default."""
        self.screen.say(question, "bold")
        for number, answer in enumerate(answers, 1):
            self.screen.show(Text(f"  {number}  ", "bold cyan").append(answer, "not bold default"))
        while True:
            line = self.screen.ask(f"[{default + 1}] > ")
            if not line:
                return default
            if line.isdecimal() and 1 <= int(line) <= len(answers):
                return int(line) - 1
            self.screen.say("cli.menu.again", "red", last=len(answers))

    def choose_game(self) -> Game:
        games = list(GAMES.values())
        names = [
            f"{game.titles[self.language]} – {say(self.language, f'{game.id}.tagline')}" for game in games
        ]
        return games[self.choose("cli.menu.which", names)]

    def lesson(self) -> None:
        lesson(self.choose_game().id, language=self.language)

    def play(self) -> None:
        from regalia.bots import BOTS
        from regalia.cli.session import PERSON, bot_name

        game = self.choose_game()
        seats = game.seats[0]
        if len(game.seats) > 1:
            seats = game.seats[self.choose("cli.menu.seats", [str(count) for count in game.seats])]
        players = [self.screen.words("cli.menu.person"), *(bot_name(bot, self.language) for bot in BOTS)]
        seated = []
        for seat in range(seats):
            self.screen.say("cli.seat", "bold", seat=seat)
            chosen = self.choose("cli.menu.who", players, default=min(seat, 1))
            seated.append([PERSON, *BOTS][chosen])
        options = {}
        for option in game.options:
            if option.seats is None or seats in option.seats:
                self.screen.say(f"{game.id}.option.{option.name}", "bold")
                values = [
                    say(self.language, f"{game.id}.option.{option.name}.{value}") for value in option.values
                ]
                options[option.name] = option.values[self.choose("cli.menu.option", values)]
        begin(game.id, seats, seated, options, None, None, self.language)

    def resume(self) -> None:
        saves = files.saves()[:9]
        if not saves:
            self.screen.say("cli.menu.no_saves")
            return
        source = saves[self.choose("cli.menu.which_save", [path.stem for path in saves])]
        begin(None, None, [], {}, None, source, self.language)

    def rules(self) -> None:
        game = self.choose_game()
        word = self.screen.ask(self.screen.words("cli.menu.search") + " ")
        rules(game.id, search=word or None, language=self.language)

    def replay(self) -> None:
        named = self.screen.ask(self.screen.words("cli.menu.file") + " ")
        if named:
            replay(Path(named).expanduser(), language=self.language)

    def choose_language(self) -> None:
        names = [say(language, f"ui.language.{language}") for language in LANGUAGES]
        chosen = self.choose("cli.menu.which_language", names, LANGUAGES.index(self.language))
        self.screen = Screen(LANGUAGES[chosen])


def run(language: str) -> None:
    """What `regalia` without a command does at a terminal."""
    Menu(language).run()

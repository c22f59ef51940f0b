"""One match in the terminal: people at one keyboard, bots, or both.

Only the view of the seat that acts is ever written. Where a game has secrets and several people share the terminal,
the screen is emptied between them. Every accepted action goes to a file at once, from which the match can go on.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.text import Text

from regalia import bots
from regalia.cli import boards, files, rulebook
from regalia.cli.screen import Screen
from regalia.core.errors import NotationError, RegaliaError, RuleError
from regalia.core.match import Match
from regalia.core.rulebook import laws
from regalia.locale import has, say

REPLACED = ("bots.reason.failed", "bots.reason.overran")  # why a bot's action is not its own
PERSON = "me"  # among the players: a person at this terminal


class Stopped(Exception):
    """The people left; the match can go on later."""


class Session:
    def __init__(
        self, match: Match, players: Sequence[str], screen: Screen, save: Path, seed: int | None = None
    ) -> None:
        self.match = match
        self.players = list(players)  # by seat: a bot, or PERSON
        self.screen = screen
        self.language = screen.language
        self.save = save
        self.people = [seat for seat, player in enumerate(players) if player == PERSON]
        self.has_secrets = match.engine.layout.hidden and len(self.people) > 1
        self._seeds = random.Random(seed) if seed is not None else random.SystemRandom()
        self._looked: dict[int, int] = dict.fromkeys(self.people, match.ply)  # what each person has been told
        self._holder = self.people[0] if len(self.people) == 1 else None  # who sits before the screen
        self._greets = True
        self._commands: dict[str, Callable[[int, str], None]] = {
            "help": self.help,
            "actions": self.actions,
            "undo": self.undo,
            "rules": self.rules,
            "log": self.log,
            "board": self.board,
            "save": self.save_as,
            "quit": self.quit,
        }
        known: Sequence[str] = bots.BOTS
        if len(known) > 1:  # a hint from a bot that chooses at random is none
            self._commands["hint"] = self.hint

    # --- The course of the match ---

    def run(self) -> None:
        """Play to the end, or until the people leave."""
        self.keep()
        try:
            while self.match.actors:
                bot = next((seat for seat in self.match.actors if self.players[seat] != PERSON), None)
                if bot is None:
                    self.turn(self.match.actors[0])
                else:
                    self.play(bot, self.choice_of(bot))
        except (Stopped, EOFError, KeyboardInterrupt):
            self.screen.show(Text())
            self.screen.say("cli.play.stopped")
            self.command(f"play --from {shlex.quote(str(self.save))}")
            return
        self.finish()

    def choice_of(self, seat: int) -> str:
        bot = self.players[seat]
        with self.screen.console.status(
            say(self.language, "cli.play.thinking", name=bot_name(bot, self.language))
        ):
            choice = bots.choose_safely(self.match, seat, bot, self._seeds.getrandbits(32))
        for key, values in choice.reasons:
            if key in REPLACED:
                self.screen.error(say(self.language, key, **values))
        return choice.action

    def play(self, seat: int, action: str) -> None:
        self.match.play(seat, action)
        self.keep()

    def keep(self) -> None:
        files.write(self.save, files.with_players(self.players, self.match.transcript()))

    def turn(self, seat: int) -> None:
        """One action of a person, however many lines it takes."""
        self.hand_over(seat)
        self.screen.refresh()
        self.board(seat)
        if self._greets:
            self.screen.say("cli.play.welcome", "dim", game=self.match.game.titles[self.language])
            self._greets = False
        ply = self.match.ply
        while self.match.ply == ply and seat in self.match.actors:
            line = self.screen.ask(
                f"{boards.name_of(self.match.game.id, seat, self.language)} > ",
                lambda text: (
                    boards.actions(self.match, seat, self.language, text) or self.commands_like(text)
                ),
            )
            self.obey(seat, line)

    def hand_over(self, seat: int) -> None:
        """Nobody sees what another was shown: the screen is emptied before and after the device goes round."""
        if not self.has_secrets or self._holder == seat:
            return
        self.screen.clear()
        name = boards.name_of(self.match.game.id, seat, self.language)
        self.screen.ask(say(self.language, "cli.play.pass", name=name) + " ")
        self.screen.clear()
        self._holder = seat

    def obey(self, seat: int, line: str) -> None:
        """A line is one of the commands, an action, or the beginning of some."""
        word, _, rest = line.partition(" ")
        if word.casefold() in self._commands:
            self._commands[word.casefold()](seat, rest.strip())
        elif line:
            try:
                self.play(seat, line)
            except NotationError as error:
                self.narrow(seat, line, error)
            except RuleError as error:
                self.refuse(error)

    def narrow(self, seat: int, line: str, error: NotationError) -> None:
        found = boards.actions(self.match, seat, self.language, line)
        if found:
            self.screen.list_actions(found)
        else:
            self.screen.error(error.text(self.language))
            self.screen.say("cli.play.lost", "dim")

    def refuse(self, error: RegaliaError) -> None:
        """Why not, and the clause that says so."""
        self.screen.error(say(self.language, "ui.refused", why=error.text(self.language)))
        key = f"{self.match.game.id}.clause.{getattr(error, 'clause', None)}"
        if has(key):
            self.screen.note(say(self.language, key))

    def finish(self) -> None:
        """The last position is for everyone: the match has no secrets to keep any more but those never shown."""
        if self.has_secrets:
            self.screen.clear()
        self.screen.refresh()
        self.screen.show(boards.render(self.match.view(None), self.language))
        self.tell_news(None, max(self._looked.values(), default=self.match.ply - 1))
        show_outcome(self.match, self.screen)
        self.screen.say("cli.play.replay")
        self.command(f"replay {shlex.quote(str(self.save))}")

    # --- The commands ---

    def commands_like(self, text: str) -> list[str]:
        return [name for name in self._commands if name.startswith(text.casefold())]

    def help(self, seat: int, rest: str) -> None:
        clause = laws(self.match.game)[0].id  # an example
        for name in self._commands:
            usage, _, meaning = say(self.language, f"cli.command.{name}", clause=clause).partition(" — ")
            self.screen.show(Text(f"  {usage:<16}", "bold").append(meaning, "not bold"))
        key = f"{self.match.game.id}.notation"
        if has(key):
            self.screen.note(say(self.language, key))

    def actions(self, seat: int, rest: str) -> None:
        found = boards.actions(self.match, seat, self.language, rest)
        if found:
            self.screen.list_actions(found)
        else:
            self.screen.say("cli.play.no_such_action", prefix=rest)

    def undo(self, seat: int, rest: str) -> None:
        """At one table people take back for each other, except where that would show one's cards to another."""
        last = self.match.records[-1].seat
        by = last if last in self.people and not self.has_secrets else seat
        assert by is not None
        try:
            self.match.undo(by)
        except RegaliaError as error:
            self.refuse(error)
            return
        self._looked = {person: min(told, self.match.ply) for person, told in self._looked.items()}
        self.keep()
        self.screen.say("cli.play.undone")

    def rules(self, seat: int, rest: str) -> None:
        try:
            self.screen.show(rulebook.page(self.match.game, self.language, rest))
        except RegaliaError as error:
            self.screen.error(error.text(self.language))

    def log(self, seat: int, rest: str) -> None:
        self.tell_records(seat, 0)

    def board(self, seat: int, rest: str = "") -> None:
        """The table as the seat sees it, what happened since it last looked, and what it may do."""
        self.screen.show(boards.render(self.match.view(seat), self.language))
        self.tell_news(seat, self._looked[seat])
        self._looked[seat] = self.match.ply
        self.screen.list_actions(boards.actions(self.match, seat, self.language))

    def hint(self, seat: int, rest: str) -> None:
        name = bot_name(bots.BOTS[-1], self.language)
        with self.screen.console.status(say(self.language, "cli.play.thinking", name=name)):
            choice = bots.choose_safely(self.match, seat, bots.BOTS[-1])
        action = boards.spell(self.match.game.id, choice.action, self.language)
        self.screen.say("ui.hint.says", "bold", bot=name, action=action)
        for key, values in choice.reasons:
            self.screen.note(say(self.language, key, **values))

    def save_as(self, seat: int, rest: str) -> None:
        """The whole transcript, to be played on later; it is a file like any other, hands and all."""
        if not rest:
            self.screen.error(say(self.language, "cli.play.save_where"))
            return
        path = Path(rest).expanduser()
        if path.exists():
            self.screen.error(say(self.language, "cli.error.exists", file=path))
            return
        try:
            files.write(path, files.with_players(self.players, self.match.transcript()))
        except RegaliaError as error:
            self.screen.error(error.text(self.language))
        else:
            self.screen.say("cli.play.saved", file=path)

    def quit(self, seat: int, rest: str) -> None:
        raise Stopped

    # --- Words ---

    def tell_news(self, seat: int | None, since: int) -> None:
        """What others did since; one's own last action needs no telling."""
        self.tell_records(seat, since, skip=seat)

    def tell_records(self, seat: int | None, since: int, skip: int | None = None) -> None:
        for ply in range(since, self.match.ply):
            if skip is None or self.match.records[ply].seat != skip:
                sentence = boards.tell(self.match, ply, seat, self.language)
                self.screen.show(Text(f"{ply:>3} ", "dim").append(sentence, "not dim"))

    def command(self, words: str) -> None:
        """A line to copy, however long."""
        self.screen.console.print(Text(f"  regalia {words}", "bold"), soft_wrap=True)


def bot_name(bot: str, language: str) -> str:
    key = f"ui.bot.{bot}"
    return say(language, key) if has(key) else bot


def score_text(game: str, points: int, language: str) -> str:
    """Points in the game's own unit; empty where it counts none."""
    key = f"{game}.score"
    return say(language, key, count=points, points=points) if has(key) else ""


def show_outcome(match: Match, screen: Screen) -> None:
    """Who won, with how much, and why it ended."""
    outcome = match.outcome
    if outcome is None:
        return
    language, game = screen.language, match.game.id
    reason = f"{game}.reason.{outcome.reason}"
    if has(reason):
        screen.say(reason, "bold")
    for seat in sorted(range(match.seats), key=lambda seat: outcome.ranks[seat]):
        screen.say(
            "cli.play.rank" if has(f"{game}.score") else "cli.play.rank_only",
            "bold green" if outcome.ranks[seat] == 1 else "",
            rank=outcome.ranks[seat],
            name=boards.name_of(game, seat, language),
            score=score_text(game, outcome.points[seat], language),
        )
    winners = [seat for seat in range(match.seats) if outcome.ranks[seat] == 1]
    if len(winners) == match.seats:
        screen.say("ui.result.draw", "bold")

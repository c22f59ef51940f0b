"""A trainer in the terminal: a hand, an answer, and what everything would have been worth."""

from __future__ import annotations

from collections.abc import Sequence

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.cli.screen import Screen
from regalia.core.errors import RegaliaError
from regalia.core.game import Game
from regalia.study.trainer import EXACT_EYE, TEN, Hand, Row, question, trainer_of, why

MOST_SHOWN = 12
QUIT = ("quit", "q")


class Training:
    def __init__(self, game: Game, screen: Screen, level: str, number: int) -> None:
        self.game = game
        self.screen = screen
        self.trainer = trainer_of(game)
        self.level = level
        self.number = number
        self.lost: list[float] = []  # points, hand by hand

    def run(self, hands: int) -> None:
        """So many hands, or until the learner has enough."""
        try:
            for _ in range(hands):
                self.ask()
                self.number += 1
        except (EOFError, KeyboardInterrupt):
            self.screen.show(Text())

    def ask(self) -> None:
        with self.screen.console.status(self.screen.words("cli.trainer.thinking")):
            hand = self.trainer.deal(self.level, self.number)
            rows = self.trainer.answers(hand)
        title = self.screen.words("cli.trainer.hand", number=self.number)
        self.screen.show(Rule(Text(title, "bold")))
        self.screen.show(boards.render(hand.match.view(hand.seat), self.screen.language))
        self.screen.show(Text(question(self.game, hand, self.screen.language), "bold"))
        chosen = self.answer(hand)
        self.tell(hand, rows, chosen)

    def answer(self, hand: Hand) -> str:
        """An action as the rules write it; what is refused is told, and asked again."""
        offers = [row.action for row in self.trainer.answers(hand)]
        while True:
            line = self.screen.ask("> ", lambda text: [each for each in offers if each.startswith(text)])
            if line.casefold() in QUIT:
                raise EOFError
            try:
                action = hand.match.copy().play(hand.seat, line).action
            except RegaliaError as error:
                self.screen.error(error.text(self.screen.language))
                continue
            if action in offers:
                return action
            self.screen.error(self.screen.words("cli.trainer.other"))

    def tell(self, hand: Hand, rows: Sequence[Row], chosen: str) -> None:
        best = rows[0].odds
        loss = 100 * (best - next(row.odds for row in rows if row.action == chosen))
        self.lost.append(loss)
        table = Table.grid(padding=(0, 2, 0, 0))
        shown = [row for k, row in enumerate(rows) if k < MOST_SHOWN or row.action == chosen]
        for row in shown:
            price = "" if row.odds == best else f"−{100 * (best - row.odds):.1f}"
            mark = "▸" if row.action == chosen else ""
            table.add_row(mark, f"{100 * row.odds:.1f} %", price, row.action, style="bold" if mark else "")
        self.screen.show(table)
        if not self.trainer.is_exact(hand):
            self.screen.say("cli.trainer.bound", "dim")
        for line in why(self.game, self.trainer, hand, chosen, self.screen.language):
            self.screen.show(Text(line))
        last = self.lost[-TEN:]
        mean = sum(last) / len(last)
        key = "cli.trainer.eye" if mean < EXACT_EYE and len(last) == TEN else "cli.trainer.lost"
        self.screen.say(key, "bold", loss=f"{loss:.1f}", mean=f"{mean:.1f}", count=len(last))

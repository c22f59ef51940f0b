"""What is written to the terminal and read from it."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from types import ModuleType

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from regalia.locale import say

LISTED = 24  # more actions than these are shown in groups
CLEARED = "\x1b[H\x1b[2J\x1b[3J"  # the lines scrolled away included: they may hold someone's cards


class Screen:
    def __init__(self, language: str, console: Console | None = None) -> None:
        self.language = language
        self.console = console or Console(highlight=False)
        self._readline = readline_of_terminal()

    def words(self, key: str, /, **values: object) -> str:
        return say(self.language, key, **values)

    def say(self, key: str, /, style: str = "", **values: object) -> None:
        self.show(Text(self.words(key, **values), style))

    def show(self, *parts: RenderableType) -> None:
        for part in parts:
            self.console.print(part)

    def error(self, text: str) -> None:
        self.show(
            Text("✗ " if self.console.encoding.startswith("utf") else "! ", "bold red").append(text, "red")
        )

    def note(self, text: str) -> None:
        """A longer explanation under something else."""
        self.show(Padding(Text(text, "italic"), (0, 2)))

    def ask(self, prompt: str, complete: Callable[[str], Sequence[str]] | None = None) -> str:
        """One line; the Tab key completes it. EOFError when there are no more."""
        if self._readline is not None:
            found: list[str] = []

            def completed(text: str, state: int) -> str | None:
                if state == 0:
                    found[:] = complete(text) if complete else []
                return found[state] if state < len(found) else None

            self._readline.set_completer_delims("")
            self._readline.set_completer(completed)
            self._readline.parse_and_bind("tab: complete")
        self.console.file.flush()
        return input(prompt).strip()

    def refresh(self) -> None:
        """A new picture on an empty screen; what is scrolled away stays."""
        self.console.clear()

    def clear(self) -> None:
        """Nothing that was written or typed stays within reach."""
        if self._readline is not None:
            self._readline.clear_history()
        if self.console.is_terminal:
            self.console.file.write(CLEARED)
            self.console.file.flush()

    def list_actions(self, actions: Sequence[str]) -> None:
        if len(actions) <= LISTED:
            self.show(Columns([Text(action, "bold cyan") for action in actions], padding=(0, 2)))
            return
        groups = grouped(actions)
        listed = [
            Text(start, "bold cyan").append(f" ×{count}" if count > 1 else "", "dim")
            for start, count in groups.items()
        ]
        self.show(
            Group(
                Columns(listed, padding=(0, 2)),
                Text(self.words("cli.play.narrow", count=len(actions)), "dim"),
            )
        )


def grouped(actions: Sequence[str]) -> dict[str, int]:
    """How many actions begin alike, by as many words as give few enough groups."""
    parts = [re.findall(r"[^\s>]+[\s>]*", action) for action in actions]
    best: Counter[str] = Counter()
    for words in range(1, max(map(len, parts)) + 1):
        found = Counter("".join(part[:words]).strip() for part in parts)
        if best and len(found) > LISTED:
            break
        best = found
    return dict(best)


def readline_of_terminal() -> ModuleType | None:
    """Python's line editor, where a person types."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline

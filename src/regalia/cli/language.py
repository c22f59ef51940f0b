"""Which language is spoken, and where the words of the help come from."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from regalia.core.errors import SetupError
from regalia.locale import LANGUAGES, say


def shell_language() -> str:
    """The shell's language, if it is one of ours; else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            language = os.environ[name][:2].lower()
            return language if language in LANGUAGES else "en"
    return "en"


def language_in(arguments: Sequence[str]) -> str:
    """The language for help and errors, which may be due before the arguments are understood."""
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            value = value or (arguments[at + 1] if at + 1 < len(arguments) else "")
            return value if value in LANGUAGES else shell_language()
    return shell_language()


def language_of(language: str | None) -> str:
    """The language of a command: what --lang says, else the shell's."""
    if language is None:
        return shell_language()
    if language not in LANGUAGES:
        raise SetupError("cli.error.language", language=language, allowed=", ".join(LANGUAGES))
    return language


HELP = language_in(sys.argv[1:])  # a process gives help in one language


def word(key: str, /, **values: object) -> str:
    """Words of the help."""
    return say(HELP, f"cli.{key}", **values)


def example(command: str) -> str:
    """The last line of every help text."""
    return word("help.example", command=command)


def speak(key: str, /, **values: object) -> str:
    """Words of a command that has no --lang."""
    return say(shell_language(), key, **values)


def fail(key: str, /, **values: object) -> NoReturn:
    typer.echo(speak(key, **values), err=True)
    raise typer.Exit(2)

"""Transcripts on disk: those a person names, and the one that every game in the terminal writes by itself."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from regalia.core.errors import SetupError

if TYPE_CHECKING:
    from regalia.core.match import Match

KEPT = 40  # games saved by themselves; older ones go
PLAYERS = "# players "  # a remark in the transcript: who sat where


def read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise SetupError("cli.error.not_text", file=path) from error
    except OSError as error:
        raise SetupError("cli.error.read", file=path, why=error.strerror or error) from error


def read_match(path: Path, chapter: int | None = None) -> Match:
    """The match of a transcript, or the main line of a study's chapter (counted from 1)."""
    text = read(path)
    import regalia
    from regalia.study.text import is_study

    if not is_study(text):
        if chapter is not None:
            raise SetupError("cli.error.no_study", file=path)
        return regalia.Match.replay(text)
    chapters = regalia.Study.read(text).chapters
    number = 1 if chapter is None else chapter
    if not 1 <= number <= len(chapters):
        raise SetupError("cli.error.chapter", chapter=number, last=len(chapters))
    return chapters[number - 1].match


def write(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Whole or not at all: a program that is stopped leaves the file as it was."""
    half = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(content)
        half.replace(path)
    except OSError as error:
        raise SetupError("cli.error.write", file=path, why=error.strerror or error) from error


def folder() -> Path:
    from regalia.server.settings import data_folder

    return data_folder() / "terminal"


def new_save(game: str) -> Path:
    """Where a new game is kept while it is played."""
    started = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    names = (f"{game}-{started}-{os.getpid()}-{number}.txt" for number in count(1))
    return next(path for name in names if not (path := folder() / name).exists())


def saves() -> list[Path]:
    """The games saved by themselves, newest first."""
    found = [(path.stat().st_mtime, path) for path in folder().glob("*.txt")]
    return [path for _, path in sorted(found, reverse=True)]


def prune() -> None:
    for path in saves()[KEPT:]:
        path.unlink(missing_ok=True)


def with_players(players: Sequence[str], text: str) -> str:
    return f"{PLAYERS}{' '.join(players)}\n{text}"


def players_of(text: str) -> list[str]:
    """Who sat where when a game in the terminal was saved; nobody, in any other transcript."""
    first = text.partition("\n")[0]
    return first.removeprefix(PLAYERS).split() if first.startswith(PLAYERS) else []

"""Records, and the text of a match.

    regalia transcript 1
    game rose_king
    rules 1
    seats 2
    option dice_by_hand true
    start {"board": …}                     only if it began from a position
    0 / N1 E2 S3 …                         record 0: the set-up's draws
    1 0 NE2                                ply, seat, action
    2 1 draw / SW3                         and the chance outcomes behind it
    end 3                                  the number of records: a text cut off is noticed

Blank lines and lines starting with # are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from regalia.core.errors import NotationError
from regalia.core.viewers import EVERYTHING, Viewer

FORMAT = "regalia transcript 1"
HIDDEN = "?"
MOST_CHARACTERS = 4_000_000
OUTCOME = re.compile(r"[^\W\d_]+ \d+(?!\S)|\S+")


@dataclass(frozen=True)
class Record:
    """One accepted action with the seat and all chance outcomes up to the next decision."""

    seat: int | None  # None: the set-up
    action: str
    outcomes: tuple[str, ...] = ()
    receivers: tuple[int | None, ...] = field(
        default=(), compare=False
    )  # who may read an outcome; None: everyone
    sealed: bool = field(
        default=False, compare=False
    )  # until all have chosen, only its seat may read the action

    def seen_by(self, viewer: Viewer) -> Record:
        if viewer is EVERYTHING:
            return self
        action = self.action if not self.sealed or viewer == self.seat else HIDDEN
        outcomes = tuple(
            outcome if receiver is None or receiver == viewer else HIDDEN
            for outcome, receiver in zip(self.outcomes, self.receivers, strict=True)
        )
        return Record(self.seat, action, outcomes, self.receivers, self.sealed)

    def with_outcomes(self, draws: Iterable[tuple[str, int | None]]) -> Record:
        """The record with further outcomes, each with who may read it."""
        texts, receivers = zip(*draws, strict=True)
        return replace(self, outcomes=self.outcomes + texts, receivers=self.receivers + receivers)

    def line(self, ply: int) -> str:
        parts = [str(ply)]
        if self.seat is not None:
            parts += [str(self.seat), self.action]
        if self.outcomes:
            parts += ["/", *self.outcomes]
        return " ".join(parts)


@dataclass(frozen=True)
class Header:
    game: str
    rules: int
    seats: int
    options: Mapping[str, str]
    start: dict[str, Any] | None = None


def write(header: Header, records: Iterable[Record]) -> str:
    body = [record.line(ply) for ply, record in enumerate(records)]
    return "\n".join([FORMAT, *header_lines(header), *body, f"end {len(body)}", ""])


def header_lines(header: Header) -> list[str]:
    lines = [f"game {header.game}", f"rules {header.rules}", f"seats {header.seats}"]
    lines += [f"option {name} {value}" for name, value in header.options.items()]
    if header.start is not None:
        lines.append("start " + json.dumps(header.start, separators=(",", ":"), ensure_ascii=False))
    return lines


def read(text: str) -> tuple[Header, list[tuple[int, Record]]]:
    """The header, and the records with the number of the line each stands on. Legality is the match's to judge."""
    lines = numbered_lines(text)
    if not lines or lines[0][1] != FORMAT:
        raise NotationError("error.transcript_format", line=lines[0][0] if lines else 1, format=FORMAT)
    header, rest = read_header(lines[1:])
    return header, read_records(rest)


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """The lines that say something, each with its number."""
    if len(text) > MOST_CHARACTERS:
        raise NotationError("error.too_long", limit=MOST_CHARACTERS)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def read_header(lines: list[tuple[int, str]]) -> tuple[Header, list[tuple[int, str]]]:
    facts: dict[str, Any] = {"options": {}}
    for at, (number, line) in enumerate(lines):
        word, _, value = line.partition(" ")
        if word.isdigit() or word == "end":
            lines = lines[at:]
            break
        if word == "option" and re.fullmatch(r"\w+ \S+", value):
            facts["options"].update([value.split(" ")])
        elif word in ("game", "rules", "seats", "start") and word not in facts:
            facts[word] = read_fact(number, word, value)
        else:
            bad_line(number, line)
    else:
        raise NotationError("error.transcript_cut")
    missing = [word for word in ("game", "rules", "seats") if word not in facts]
    if missing:
        raise NotationError("error.transcript_header", word=missing[0])
    return Header(**facts), lines


def read_fact(number: int, word: str, value: str) -> Any:
    if word == "game":
        return value
    try:
        fact = json.loads(value)
    except (ValueError, RecursionError):
        bad_line(number, f"{word} {value}")
    if isinstance(fact, bool) or not isinstance(fact, dict if word == "start" else int):
        bad_line(number, f"{word} {value}")
    return fact


def read_records(lines: list[tuple[int, str]]) -> list[tuple[int, Record]]:
    records: list[tuple[int, Record]] = []
    for at, (number, line) in enumerate(lines):
        if line == f"end {len(records)}":
            if at != len(lines) - 1:
                bad_line(lines[at + 1][0], lines[at + 1][1])
            return records
        if line.startswith("end"):
            break
        left, _, right = line.partition("/")
        outcomes = split_outcomes(right)
        parts = left.split(maxsplit=2)
        if len(parts) != (3 if records else 1) or parts[0] != str(len(records)):
            bad_line(number, line)
        if not records:
            records.append((number, Record(None, "", outcomes)))
        elif not parts[1].isdecimal() or len(parts[1]) > 3:
            bad_line(number, line)
        else:
            records.append((number, Record(int(parts[1]), parts[2].strip(), outcomes)))
    raise NotationError("error.transcript_cut")


def split_outcomes(text: str) -> tuple[str, ...]:
    """One text per outcome: a word, or a word of letters with the number behind it ("seat 1")."""
    return tuple(OUTCOME.findall(" ".join(text.split())))


def bad_line(number: int, line: str) -> NoReturn:
    raise NotationError("error.transcript_line", line=number, text=line[:80])

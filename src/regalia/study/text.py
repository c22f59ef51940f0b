"""The text of a study.

    regalia study 1
    title "Heroes too early"
    language en
    chapter "After the first card"
    game rose_king                         header and main line as in a transcript
    rules 1
    seats 2
    0 / N1 E2 S3 …
    1 0 NE2
    2 1 draw / SW3
    2a <1 1 SW1*                           a branch: its nodes bear a letter and name the node they follow
    3a <2a 0 E2
    ; 2a "Too early: the hero is gone."    a comment on node 2a, as a JSON string
    ; 2a mark mistake
    ; 2a place e5
    ; 2a arrow e5 g7
    ; 2a share 0.41 0.59
    end 5                                  the number of nodes: a text cut off is noticed

Blank lines and lines starting with # are skipped. What `write` gives, `read` reads, and gives again byte for byte.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NoReturn, TypeVar

from regalia.core.errors import NotationError, RegaliaError, SetupError
from regalia.core.transcript import (
    Record,
    bad_line,
    header_lines,
    numbered_lines,
    read_header,
    split_outcomes,
)
from regalia.study.tree import MARKS, MOST_CHAPTERS, MOST_NODES, Chapter, Node, Study

FORMAT = "regalia study 1"
NODE = re.compile(
    r"(?P<ply>\d{1,4})(?P<branch>[a-z]{0,4})(?: <(?P<parent>\d{1,4}[a-z]{0,4}))?"
    r"(?: (?P<seat>\d{1,3}) (?P<action>[^/]*[^/\s]))?(?: / (?P<outcomes>.*))?"
)
REMARK = re.compile(r"; (?P<node>\d{1,4}[a-z]{0,4}) (?P<what>.+)")
LANGUAGE = re.compile(r"[a-z]{2,3}")

Line = tuple[int, str]  # its number and its text
T = TypeVar("T")


def is_study(text: str) -> bool:
    """Whether a text begins as a study does."""
    return text.lstrip("\ufeff \t\r\n").startswith("regalia study")


# --- Writing ---


def write(study: Study) -> str:
    lines = [FORMAT, f"title {quoted(study.title)}", f"language {study.language}"]
    for chapter in study.chapters:
        lines += [f"chapter {quoted(chapter.title)}", *header_lines(chapter.header)]
        names = named(chapter)
        lines += [line_of(node, names) for node in names]
        lines += [f"; {name} {remark}" for node, name in names.items() for remark in remarks_on(node)]
        lines.append(f"end {len(names)}")
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def named(chapter: Chapter) -> dict[Node, str]:
    """Every node with its name: the ply, and in a branch the letters of that branch."""
    letters = branch_letters()
    branches: dict[Node, str] = {}
    for node in chapter.root.walk():
        if node.parent is None:
            branches[node] = ""
        elif node.parent.children[0] is node:
            branches[node] = branches[node.parent]
        else:
            branches[node] = next(letters)
    return {node: f"{node.ply}{branch}" for node, branch in branches.items()}


def branch_letters() -> Iterator[str]:
    """a, b … z, aa, ab …"""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    words = [""]
    while True:
        words = [word + letter for word in words for letter in letters]
        yield from words


def line_of(node: Node, names: dict[Node, str]) -> str:
    """A node of the main line as a transcript has it; one of a branch with the node it follows."""
    written = Record(node.seat, node.action, node.outcomes).line(node.ply)
    if node.parent is None or names[node] == str(node.ply):
        return written
    return f"{names[node]} <{names[node.parent]} {written.split(' ', 1)[1]}"


def remarks_on(node: Node) -> Iterator[str]:
    """What `read_remark` reads; what it would refuse is refused here."""
    if node.comment:
        yield quoted(node.comment)
    if node.mark:
        yield f"mark {checked(node.mark, node.mark in MARKS)}"
    for place in node.places:
        yield f"place {checked(place, is_word(place))}"
    for start, end in node.arrows:
        yield f"arrow {checked(start, is_word(start))} {checked(end, is_word(end))}"
    if node.share is not None:
        yield " ".join(["share", *(str(float(share)) for share in checked(node.share, is_split(node)))])


def checked(value: T, is_good: bool) -> T:
    if not is_good:
        raise SetupError("error.study_remark", value=value)
    return value


def is_word(text: str) -> bool:
    return bool(re.fullmatch(r"\S+", text))


def is_split(node: Node) -> bool:
    """Whether the shares are one for each side, and together 1 but for rounding."""
    assert node.share is not None
    match = node.match
    sides = len(match.game.sides(match.seats, match.options))
    is_whole = math.isclose(sum(node.share), 1, abs_tol=0.01 * sides)
    return len(node.share) == sides and is_whole and all(0 <= share <= 1 for share in node.share)


# --- Reading ---


def read(text: str) -> Study:
    lines = numbered_lines(text)
    if not lines or lines[0][1] != FORMAT:
        raise NotationError("error.study_format", line=lines[0][0] if lines else 1, format=FORMAT)
    study = Study()
    at = 1
    if at < len(lines) and lines[at][1].startswith("title "):
        study.title = read_quoted(lines[at], "title ")
        at += 1
    if at < len(lines) and lines[at][1].startswith("language "):
        study.language = lines[at][1].removeprefix("language ")
        if not LANGUAGE.fullmatch(study.language):
            bad_line(*lines[at])
        at += 1
    while at < len(lines):
        end = next((row for row in range(at, len(lines)) if lines[row][1].startswith("end ")), None)
        if end is None:
            raise NotationError("error.study_cut")
        if len(study.chapters) == MOST_CHAPTERS:
            raise NotationError("error.study_chapters", limit=MOST_CHAPTERS)
        study.chapters.append(read_chapter(lines[at : end + 1]))
        at = end + 1
    return study


def read_quoted(line: Line, word: str) -> str:
    number, text = line
    if not text.startswith(word):
        bad_line(number, text)
    try:
        value = json.loads(text.removeprefix(word))
    except (ValueError, RecursionError):
        bad_line(number, text)
    if not isinstance(value, str):
        bad_line(number, text)
    return value


def read_chapter(lines: list[Line]) -> Chapter:
    title = read_quoted(lines[0], "chapter ")
    header, body = read_header(lines[1:])
    last = body.pop()[1]
    count = sum(1 for _, line in body if not line.startswith(";"))
    if count > MOST_NODES:
        raise NotationError("error.study_nodes", limit=MOST_NODES)
    if not count or last != f"end {count}":
        raise NotationError("error.study_cut")
    number, line = body[0]
    first = NODE.fullmatch(line)
    if not first or first["ply"] != "0" or first["branch"] or first["parent"] or first["seat"]:
        bad_line(number, line)
    try:
        chapter = Chapter(header, Record(None, "", split_outcomes(first["outcomes"] or "")), title)
    except RegaliaError as error:
        wrong_record(number, error)
    nodes = {"0": chapter.root}
    for number, line in body[1:]:
        if line.startswith(";"):
            read_remark(number, line, nodes)
        else:
            read_node(number, line, nodes)
    return chapter


def read_node(number: int, line: str, nodes: dict[str, Node]) -> None:
    parts = NODE.fullmatch(line)
    if not parts or parts["seat"] is None or bool(parts["branch"]) != bool(parts["parent"]):
        bad_line(number, line)
    name = parts["ply"] + parts["branch"]
    parent = nodes.get(parts["parent"] or str(int(parts["ply"]) - 1))
    if parent is None or name in nodes or parts["ply"] != str(parent.ply + 1):
        bad_line(number, line)
    before = parent.chapter.size
    try:
        nodes[name] = parent.play(
            parts["action"], split_outcomes(parts["outcomes"] or ""), int(parts["seat"])
        )
    except RegaliaError as error:
        wrong_record(number, error)
    if parent.chapter.size == before:  # it was there already
        bad_line(number, line)


def wrong_record(number: int, error: RegaliaError) -> NoReturn:
    raise NotationError("error.transcript_record", line=number, why=str(error)) from error


def read_remark(number: int, line: str, nodes: dict[str, Node]) -> None:
    parts = REMARK.fullmatch(line)
    node = nodes.get(parts["node"]) if parts else None
    if parts is None or node is None:
        bad_line(number, line)
    what = parts["what"]
    if what.startswith('"'):
        if node.comment:
            bad_line(number, line)
        node.comment = read_quoted((number, what), "")
        return
    match what.split(" "):
        case ["mark", mark] if mark in MARKS and node.mark is None:
            node.mark = mark
        case ["place", place]:
            node.places.append(place)
        case ["arrow", start, end]:
            node.arrows.append((start, end))
        case ["share", *shares] if node.share is None:
            try:
                node.share = tuple(map(float, shares))
            except ValueError:
                bad_line(number, line)
            if not is_split(node):
                bad_line(number, line)
        case _:
            bad_line(number, line)

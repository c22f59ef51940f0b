"""Positions: data and text that say everything about one moment, read strictly.

rose_king rules=1 seats=2 dice_by_hand=false {"phase":"turn","crown":"e5",…}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from regalia.core.errors import NotationError, RegaliaError
from regalia.core.transcript import Header

if TYPE_CHECKING:
    from regalia.core.arrays import States
    from regalia.core.engine import Engine
    from regalia.core.game import Game

SHORTEST_ROW = 4  # a list of texts as long as each other, and at least so long, is a board


def read_header(game: Game, position: Mapping[str, Any] | str) -> Header:
    """The header of a match that begins at a position. The fields of the game itself are read by `read_state`."""
    if isinstance(position, str):
        position = read_line(position)
    if not isinstance(position, Mapping):
        raise NotationError("error.position", what="position")
    start = dict(position)
    for key, expected in (("game", game.id), ("rules", game.rules)):
        if start.pop(key, expected) != expected:
            raise NotationError("error.position_other", key=key, value=position[key], expected=expected)
    options = start.pop("options", {})
    if not isinstance(options, Mapping):
        raise NotationError("error.position", what="options")
    return Header(game.id, game.rules, game.checked_seats(start.pop("seats", None)), options, start)


def read_state(engine: Engine, seats: int, options: Mapping[str, str], start: Mapping[str, Any]) -> States:
    """The state of a position, all of whose fields must be there."""
    fields = dict(start)
    states = engine.layout.empty(1)
    engine.write_options(states, seats, options)
    phase = fields.pop("phase", None)
    if phase not in engine.phases:
        raise NotationError("error.position", what="phase")
    states["phase"] = engine.phases.index(phase)
    try:
        engine.position.restore(fields, states[0])
    except (TypeError, KeyError, IndexError, ValueError, OverflowError) as error:
        if isinstance(error, RegaliaError):
            raise
        raise NotationError("error.position", what=str(error)[:80]) from error
    if engine.is_inner(states):
        raise NotationError("error.position", what="phase")
    return states


def write_line(position: Mapping[str, Any]) -> str:
    fields = dict(position)
    tokens = [fields.pop("game"), f"rules={fields.pop('rules')}", f"seats={fields.pop('seats')}"]
    tokens += [f"{name}={value}" for name, value in fields.pop("options").items()]
    return " ".join([*tokens, compact(fields)])


def read_line(text: str) -> dict[str, Any]:
    """The inverse of `write_line`."""
    before, brace, fields = text.strip().partition("{")
    game, *tokens = before.split() or [""]
    pairs = dict(token.partition("=")[::2] for token in tokens)
    rules, seats = pairs.pop("rules", ""), pairs.pop("seats", "")
    try:
        heading = {"game": game, "rules": int(rules), "seats": int(seats), "options": pairs}
        return {**heading, **json.loads(brace + fields)}
    except (ValueError, RecursionError) as error:
        raise NotationError("error.position", what=text[:40]) from error


def lines(position: Mapping[str, Any]) -> Iterator[str]:
    """A position to look at: a field or a row of the board a line."""
    for name, value in position.items():
        if is_board(value):
            yield f"{name}:"
            yield from (f"    {row}" for row in value)
        else:
            yield f"{name}: {value if isinstance(value, str) else compact(value)}"


def is_board(value: object) -> bool:
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(row, str) for row in value):
        return False
    return len(value[0]) >= SHORTEST_ROW and len({len(row) for row in value}) == 1


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Fields:
    """The fields of a position from outside. Each reader takes one out and refuses it by name when it is wrong."""

    def __init__(self, position: dict[str, Any], within: str = "") -> None:
        self._left = dict(position)
        self._within = within

    def take(self, name: str) -> Any:
        if name not in self._left:
            self.refuse(name, "missing")
        return self._left.pop(name)

    def number(self, name: str, least: int, most: int) -> int:
        return self.checked_number(name, self.take(name), least, most)

    def checked_number(self, name: str, value: Any, least: int, most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.refuse(name, f"{value!r:.30} ({least}..{most})")
        return value

    def numbers(self, name: str, count: int, least: int, most: int) -> list[int]:
        return [self.checked_number(name, value, least, most) for value in self.lists(name, count)]

    def choice(self, name: str, allowed: Sequence[str]) -> int:
        """The index of a text among the allowed ones."""
        value = self.take(name)
        if not isinstance(value, str) or value not in allowed:
            self.refuse(name, f"{value!r:.30}")
        return list(allowed).index(value)

    def lists(self, name: str, count: int | None = None) -> list[Any]:
        value = self.take(name)
        if not isinstance(value, list) or (count is not None and len(value) != count):
            self.refuse(name, f"{value!r:.30}" if count is None else f"{value!r:.30} (x {count})")
        return value

    def texts(self, name: str, count: int | None = None) -> list[str]:
        value = self.lists(name, count)
        if not all(isinstance(text, str) for text in value):
            self.refuse(name, f"{value!r:.30}")
        return value

    def inner(self, name: str) -> Fields:
        """The fields of an object inside this one."""
        value = self.take(name)
        if not isinstance(value, dict):
            self.refuse(name, f"{value!r:.30}")
        return Fields(value, f"{self._within}{name}.")

    def finish(self) -> None:
        """Nothing may be left over."""
        if self._left:
            self.refuse(next(iter(map(str, self._left))), "unknown")

    def refuse(self, name: str, why: str) -> NoReturn:
        raise NotationError("error.field", field=f"{self._within}{name:.40}", why=why)

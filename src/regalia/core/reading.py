"""Reading a position strictly: every field once, of the right kind, nothing left over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from regalia.core.errors import NotationError


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

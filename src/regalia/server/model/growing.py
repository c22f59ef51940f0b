"""A list that only grows at its end, or is cut there, and costs nothing to copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class Growing(Sequence[Item]):
    """Copies share their items; each knows how many of them are its own.

    A copy that goes on where another one went on before it, or after it was cut, takes its items along first.
    """

    __slots__ = ("_items", "_size")

    def __init__(self, items: list[Item] | None = None) -> None:
        self._items = [] if items is None else items
        self._size = len(self._items)

    def copy(self) -> Growing[Item]:
        twin = Growing(self._items)
        twin._size = self._size
        return twin

    def append(self, item: Item) -> None:
        if len(self._items) != self._size:
            self._items = self._items[: self._size]
        self._items.append(item)
        self._size += 1

    def cut(self, size: int) -> None:
        """Keep only the first so many."""
        self._size = min(self._size, size)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self._items[at] for at in range(*index.indices(self._size))]
        return self._items[range(self._size)[index]]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Growing) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Growing({list(self)})"

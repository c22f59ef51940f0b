"""A state is a fixed number of bytes, declared once as a typed class.

    class State:
        seats: Annotated[Byte, EVERYONE]               # players at the table: 2..5
        hand: Annotated[Bytes, (5, 3), OWNER]          # cards held, per seat and value
        deck: Annotated[Bytes, 3, NOBODY]              # cards not yet dealt, per value

From the class come the NumPy layout, and for every seat the mask of the bytes it may see. Every field names its
audience; a field without one is an error at import. What becomes public later moves to a public field.
Blanked bytes are 255, so that UNKNOWN can be told from every value: keep counts below 255.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from regalia.core.arrays import States


class Audience(Enum):
    EVERYONE = "everyone"
    OWNER = "owner"  # the first axis is the seat: each row belongs to its seat alone
    NOBODY = "nobody"


EVERYONE, OWNER, NOBODY = Audience.EVERYONE, Audience.OWNER, Audience.NOBODY
UNKNOWN = 255  # what a blanked byte reads as
NO_SEAT = -1  # a spectator: the last row of the visibility table, and what `redeal` gets
REQUIRED = ("seats", "phase", "reason")  # fields of every state

Byte = Annotated[int, np.uint8]
Word = Annotated[int, np.uint16]
Bytes = Annotated[NDArray[np.uint8], np.uint8]
Words = Annotated[NDArray[np.uint16], np.uint16]


class Layout:
    """The dtype of a state, and which bytes each seat may see (the last row is a spectator's)."""

    def __init__(self, declared: type, most_seats: int) -> None:
        fields = {
            name: field(name, hint) for name, hint in get_type_hints(declared, include_extras=True).items()
        }
        missing = [name for name in REQUIRED if name not in fields]
        if missing:
            raise TypeError(f"{declared.__qualname__} lacks {', '.join(missing)}")
        taken = [name for name in fields if hasattr(np.record, name)]
        if taken:
            raise TypeError(f"{', '.join(taken)}: NumPy's records have a method of this name")
        parts = [(name, scalar, shape) for name, (scalar, shape, _) in fields.items()]
        self.dtype = np.dtype((np.record, np.dtype(parts)))
        self.hidden = any(audience is not EVERYONE for _, _, audience in fields.values())
        self.visible = np.zeros((most_seats + 1, self.dtype.itemsize), np.bool_)
        for name, (_, shape, audience) in fields.items():
            part, start = self.dtype.fields[name][:2]  # type: ignore[index]
            if audience is EVERYONE:
                self.visible[:, start : start + part.itemsize] = True
            elif audience is OWNER:
                if shape[:1] != (most_seats,):
                    raise TypeError(f"{name}: the first axis of an OWNER field is the seat ({most_seats})")
                row = part.itemsize // most_seats
                for seat in range(most_seats):
                    self.visible[seat, start + seat * row : start + (seat + 1) * row] = True

    def empty(self, count: int) -> States:
        return np.zeros(count, self.dtype)

    def hide(self, state: bytes, seat: int) -> bytes:
        """The state as a seat may see it (NO_SEAT: nobody's secrets)."""
        if not self.hidden:
            return state
        raw = np.frombuffer(state, np.uint8)
        return np.where(self.visible[seat], raw, np.uint8(UNKNOWN)).tobytes()

    def copy(self, states: States) -> States:
        """One state, copied by its bytes: several times as fast as NumPy's own copy of it."""
        return self.load(states.tobytes())

    def load(self, state: bytes) -> States:
        """A writable array of the one state in these bytes."""
        return np.frombuffer(bytearray(state), self.dtype)


def field(name: str, hint: Any) -> tuple[Any, tuple[int, ...], Audience]:
    """One field's scalar type, shape and audience, from its annotation."""
    details = list(get_args(hint)[1:]) if get_origin(hint) is Annotated else []
    audiences = [detail for detail in details if isinstance(detail, Audience)]
    if len(audiences) != 1:
        raise TypeError(f"{name}: name one audience (EVERYONE, OWNER or NOBODY)")
    scalars = [detail for detail in details if isinstance(detail, type)]
    shapes = [detail for detail in details if isinstance(detail, int | tuple)]
    if len(scalars) != 1:
        raise TypeError(f"{name}: declare it as Byte, Word, Bytes or Words")
    shape = shapes[0] if shapes else ()
    return np.dtype(scalars[0]), (shape,) if isinstance(shape, int) else shape, audiences[0]

"""Records: what a declaration must say, and who may see which bytes."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

from regalia.core.layout import EVERYONE, NO_SEAT, NOBODY, OWNER, UNKNOWN, Byte, Bytes, Layout, Word

pytestmark = pytest.mark.plain


class Good:
    seats: Annotated[Byte, EVERYONE]
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]
    total: Annotated[Word, EVERYONE]
    hand: Annotated[Bytes, (2, 3), OWNER]
    deck: Annotated[Bytes, 2, NOBODY]


def test_the_layout_has_every_field_in_order() -> None:
    layout = Layout(Good, 2)
    assert layout.dtype.names == ("seats", "phase", "reason", "total", "hand", "deck")
    assert layout.dtype.itemsize == 3 + 2 + 6 + 2
    assert layout.hidden


def test_hiding_keeps_own_rows_and_blanks_the_rest() -> None:
    layout = Layout(Good, 2)
    states = layout.empty(1)
    states["hand"][0] = [[1, 2, 3], [4, 5, 6]]
    states["deck"][0] = [7, 8]
    own = layout.load(layout.hide(states.tobytes(), 1))
    assert own["hand"][0].tolist() == [[UNKNOWN] * 3, [4, 5, 6]]
    assert own["deck"][0].tolist() == [UNKNOWN, UNKNOWN]
    spectator = layout.load(layout.hide(states.tobytes(), NO_SEAT))
    assert spectator["hand"].min() == UNKNOWN
    assert states["hand"][0, 0].tolist() == [1, 2, 3]


class NoAudience(Good):
    extra: Annotated[Byte, 3]


class NoType(Good):
    extra: Annotated[int, EVERYONE]


class Bare(Good):
    extra: int


class NotBySeat(Good):
    extra: Annotated[Bytes, (3, 2), OWNER]


class Taken(Good):
    round: Annotated[Byte, EVERYONE]


class Incomplete:
    seats: Annotated[Byte, EVERYONE]


@pytest.mark.parametrize(
    "declared, why",
    [
        (NoAudience, "name one audience"),
        (Bare, "name one audience"),
        (NoType, "declare it as"),
        (NotBySeat, "first axis"),
        (Taken, "method of this name"),
        (Incomplete, "lacks phase, reason"),
    ],
)
def test_a_bad_declaration_is_an_error_at_import(declared: type, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Layout(declared, 2)


class Open:
    seats: Annotated[Byte, EVERYONE]
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]


def test_an_open_record_hides_nothing() -> None:
    layout = Layout(Open, 2)
    assert not layout.hidden
    assert np.frombuffer(layout.hide(b"\1\2\3", 0), np.uint8).tolist() == [1, 2, 3]

"""What each power does to the odds of a turn: rows of values, one for each handful of active dice.

`source` has the values once the power is spent, `best` those being found: the power may raise them. Both have a row
for each handful of as many dice as are active, and `width` columns; a power treats all columns alike. `room` is to
work in. Doing nothing with a power is among its uses here, which changes no odds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from regalia.core.kernel import counting_kernel as kernel  # rows are handed from kernel to kernel
from regalia.games.court_the_king.components import ANY_FACE, FACES, Character
from regalia.games.court_the_king.odds.dice_multisets import Handfuls, Reals

TOTALS = 16  # of three dice, each less one: 0 … 15


@kernel
def row(values: Reals, i: int, width: int) -> Reals:
    return values[i * width : (i + 1) * width]


@kernel
def fill(values: Reals, value: float) -> None:
    for i in range(values.size):
        values[i] = value


@kernel
def copy(values: Reals, source: Reals) -> None:
    for i in range(values.size):
        values[i] = source[i]


@kernel
def improve(best: Reals, source: Reals) -> None:
    for column in range(best.size):
        best[column] = max(best[column], source[column])


@kernel
def add_share(mean: Reals, source: Reals, share: float) -> None:
    for column in range(mean.size):
        mean[column] += source[column] * share


@kernel
def add_die(tables: Handfuls, active: int, width: int, added: int, source: Reals, best: Reals) -> None:
    """CK-55…68: one more active die."""
    start = int(tables.start[active])
    above = int(tables.start[active + 1])
    for i in range(above - start):
        for face in range(FACES):
            if added == face + 1 or added == ANY_FACE:
                improve(row(best, i, width), row(source, tables.more[start + i, face] - above, width))


@kernel
def turn_one(
    tables: Handfuls,
    active: int,
    width: int,
    character: int,
    faces: NDArray[np.uint8],
    source: Reals,
    best: Reals,
    room: Reals,
) -> None:
    """CK-50, CK-57, CK-62: one die is rolled again, or turned to a face set aside, or to any face.

    The others are taken together: room has what comes of them beside that one die.
    """
    start = int(tables.start[active])
    below = int(tables.start[active - 1])
    for i in range(start - below):
        others = row(room, i, width)
        fill(others, 0.0)
        for face in range(FACES):
            theirs = row(source, tables.more[below + i, face] - start, width)
            if character == Character.FOOL:
                add_share(others, theirs, 1.0 / FACES)
            elif character == Character.MAGICIAN:
                improve(others, theirs)
            else:
                for column in range(width):
                    if faces[column] >> face & 1:
                        others[column] = max(others[column], theirs[column])
    for i in range(best.size // width):
        for face in range(FACES):
            smaller = int(tables.less[start + i, face])
            if smaller >= 0:
                improve(row(best, i, width), row(room, smaller - below, width))


@kernel
def roll_some(tables: Handfuls, active: int, width: int, source: Reals, best: Reals, room: Reals) -> None:
    """CK-58: for each handful left lying, the mean over throws of the rest; then the best choice of what to leave."""
    start = int(tables.start[active])
    end = int(tables.start[active + 1])
    means = room[: end * width]
    choices = room[end * width : 2 * end * width]
    copy(means[start * width :], source)
    for handful in range(start - 1, -1, -1):
        mean = row(means, handful, width)
        fill(mean, 0.0)
        for face in range(FACES):
            add_share(mean, row(means, tables.more[handful, face], width), 1.0 / FACES)
    copy(choices, means)
    for handful in range(1, end):
        for face in range(FACES):
            smaller = int(tables.less[handful, face])
            if smaller >= 0:
                improve(row(choices, handful, width), row(choices, smaller, width))
    improve(best, choices[start * width :])


@kernel
def raise_one(tables: Handfuls, active: int, width: int, source: Reals, best: Reals) -> None:
    """CK-53: one die gets 1, 2 or 3 more."""
    start = int(tables.start[active])
    for i in range(best.size // width):
        for face in range(FACES - 1):
            smaller = int(tables.less[start + i, face])
            if smaller >= 0:
                for higher in range(face + 1, min(face + 4, FACES)):
                    improve(row(best, i, width), row(source, tables.more[smaller, higher] - start, width))


@kernel
def raise_some(
    tables: Handfuls, active: int, width: int, pips: int, source: Reals, best: Reals, room: Reals
) -> None:
    """CK-63, CK-66: any number of dice get 1 (2) more, decided face by face.

    After each round the faces up to one may have been raised. A face is decided before the lower ones, whose dice may
    then land on it and stay there.
    """
    start = int(tables.start[active])
    size = source.size
    copy(room[:size], source)
    for face in range(FACES - pips):
        before = room[face % 2 * size : (face % 2 + 1) * size]
        now = room[(1 - face % 2) * size : (2 - face % 2) * size]
        copy(now, before)
        for i in range(size // width):
            handful = start + i
            for _ in range(tables.counts[start + i, face]):
                handful = int(tables.more[tables.less[handful, face], face + pips])
                improve(row(now, i, width), row(before, handful - start, width))
    last = (FACES - pips) % 2
    improve(best, room[last * size : (last + 1) * size])


@kernel
def mix_two(tables: Handfuls, active: int, width: int, source: Reals, best: Reals, room: Reals) -> None:
    """CK-54: for all dice but two, the best pair of each total; then every pair may be replaced by it."""
    start = int(tables.start[active])
    base = int(tables.start[active - 2])
    others = int(tables.start[active - 1]) - base
    fill(room[: others * TOTALS * width], 0.0)
    for i in range(others):
        for low in range(FACES):
            for high in range(low, FACES):
                made = int(tables.more[tables.more[base + i, low], high]) - start
                improve(row(room, i * TOTALS + low + high, width), row(source, made, width))
    for i in range(best.size // width):
        for low in range(FACES):
            one = int(tables.less[start + i, low])
            if one < 0:
                continue
            for high in range(low, FACES):
                two = int(tables.less[one, high])
                if two >= 0:
                    improve(row(best, i, width), row(room, (two - base) * TOTALS + low + high, width))


@kernel
def mix_three(tables: Handfuls, active: int, width: int, source: Reals, best: Reals, room: Reals) -> None:
    """CK-64: the same with three dice; one of them may stay as it is."""
    start = int(tables.start[active])
    base = int(tables.start[active - 3])
    others = int(tables.start[active - 2]) - base
    fill(room[: others * TOTALS * width], 0.0)
    for i in range(others):
        for low in range(FACES):
            for middle in range(low, FACES):
                two = int(tables.more[tables.more[base + i, low], middle])
                for high in range(middle, FACES):
                    made = int(tables.more[two, high]) - start
                    improve(row(room, i * TOTALS + low + middle + high, width), row(source, made, width))
    for i in range(best.size // width):
        for low in range(FACES):
            one = int(tables.less[start + i, low])
            if one < 0:
                continue
            for middle in range(low, FACES):
                two = int(tables.less[one, middle])
                if two < 0:
                    continue
                for high in range(middle, FACES):
                    three = int(tables.less[two, high])
                    if three >= 0:
                        best_of_total = row(room, (three - base) * TOTALS + low + middle + high, width)
                        improve(row(best, i, width), best_of_total)

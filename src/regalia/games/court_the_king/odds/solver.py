"""Best play of one turn, solved exactly from its end back, for many targets at once.

A moment of a turn is: the powers left, the prospects of the dice set aside, the active dice, and whether a die must
be set aside before the next roll. Two values are kept for each, the odds of meeting the target from there:

    bound   a die must be set aside first:   keep one and be free, or use a power and stay bound
    free    the duty is met:                 roll, or keep one more, or use a power and stay free

Rolling leads to the mean of `bound` over all throws of the active dice. Keeping leads to fewer active dice, using a
power to fewer powers, so all is worked out in one sweep: powers from none to all, active dice from few to many.

Between two rolls it never hurts to use powers first and to set dice aside after that, for powers act on active dice
alone. Only the Astronomer looks at dice set aside. Without it `free` therefore needs no powers but at the very moment
asked about; that saves half the work. (`thorough` does it all the same, so that every moment that can follow has its
own odds.)

Values of one set of powers and one level lie in rows, one for each handful of active dice; a row has a column for each
prospect of that level. What a power does to the dice is the same for all prospects: whole rows are compared.
"""

from __future__ import annotations

from typing import NamedTuple

from regalia.core.arrays import Ints, Steps
from regalia.core.kernel import counting_kernel as kernel  # rows are handed from kernel to kernel
from regalia.games.court_the_king.components import ADDS, CHARACTER_OF, DICE, FACES, Character
from regalia.games.court_the_king.costs import best_face, is_met, most_equal
from regalia.games.court_the_king.odds.dice_multisets import Handfuls, Numbers, Reals
from regalia.games.court_the_king.odds.equivalence import Prospects
from regalia.games.court_the_king.odds.power_gains import (
    add_die,
    add_share,
    copy,
    fill,
    improve,
    mix_three,
    mix_two,
    raise_one,
    raise_some,
    roll_some,
    row,
    turn_one,
)


class Plan(NamedTuple):
    """Where the values are. A set of powers has a bit for each of `powers`."""

    powers: Numbers  # the powers counted on, by number
    dice: Numbers  # [set of powers left]: dice in the turn, more than 12 if it cannot come to that
    place: Ints  # [dice in the turn, level]: where a level's values begin among those of one set of powers
    bound: Ints  # [set of powers left]: where its bound values begin
    free: Ints  # [set of powers left]: likewise its free values; unless thorough, all sets share the same room …
    top: Ints  # [set of powers left]: … but at level 0
    aside: int  # dice set aside at the moment asked about
    thorough: bool


class Values(NamedTuple):
    bound: Reals
    free: Reals
    rolled: Reals  # [set of powers left, column of level 0]: of rolling all dice at the moment asked about


@kernel
def solve(tables: Handfuls, prospects: Prospects, plan: Plan, values: Values, room: Reals) -> None:
    """Fills the values. room: to work in, as much as gains.py needs."""
    for left in range(plan.dice.size):
        if plan.dice[left] > DICE:
            continue
        for level in range(plan.dice[left] - plan.aside, -1, -1):
            active = int(plan.dice[left]) - plan.aside - level
            width = int(prospects.width[level])
            size = int(tables.start[active + 1] - tables.start[active]) * width
            bound = part(values.bound, plan, left, level, False, size)
            free = part(values.free, plan, left, level, True, size)
            if active == 0:
                for column in range(width):
                    free[column] = 1.0 if prospects.wins[int(prospects.first[level]) + column] == 1 else 0.0
                continue
            keep_one(tables, prospects, plan, left, level, values.free, bound)
            copy(free, bound)
            for is_free in (False, True):
                if is_free:
                    rolled = values.rolled[left] if level == 0 else room[:width]
                    roll_all(tables, active, bound, rolled, free)
                    if level > 0 and not plan.thorough:
                        continue
                best = free if is_free else bound
                after = values.free if is_free else values.bound
                use_powers(tables, prospects, plan, left, level, is_free, after, best, room)


@kernel
def roll_all(tables: Handfuls, active: int, bound: Reals, rolled: Reals, free: Reals) -> None:
    """CK-23: the mean over all throws, then bound; rolled gets it, and free moments have it as one choice."""
    width = rolled.size
    fill(rolled, 0.0)
    for i in range(bound.size // width):
        add_share(rolled, row(bound, i, width), tables.odds[int(tables.start[active]) + i])
    for i in range(bound.size // width):
        improve(row(free, i, width), rolled)


@kernel
def part(values: Reals, plan: Plan, left: int, level: int, is_free: bool, size: int) -> Reals:
    """The values of one set of powers and one level."""
    if is_free and level == 0:
        at = plan.top[left]
    else:
        at = (plan.free[left] if is_free else plan.bound[left]) + plan.place[plan.dice[left], level]
    return values[at : at + size]


@kernel
def keep_one(
    tables: Handfuls, prospects: Prospects, plan: Plan, left: int, level: int, values: Reals, best: Reals
) -> None:
    """CK-22: set one die aside; more may follow from there. `values` are all those of free moments."""
    active = int(plan.dice[left]) - plan.aside - level
    start = int(tables.start[active])
    below = int(tables.start[active - 1])
    width = int(prospects.width[level])
    next_width = int(prospects.width[level + 1])
    first = int(prospects.first[level])
    source = part(values, plan, left, level + 1, True, (start - below) * next_width)
    fill(best, 0.0)
    for i in range(best.size // width):
        mine = row(best, i, width)
        for face in range(FACES):
            smaller = int(tables.less[start + i, face])
            if smaller >= 0:
                after = prospects.after[face, first : first + width]
                theirs = row(source, smaller - below, next_width)
                for column in range(width):
                    mine[column] = max(mine[column], theirs[after[column]])


@kernel
def use_powers(
    tables: Handfuls,
    prospects: Prospects,
    plan: Plan,
    left: int,
    level: int,
    is_free: bool,
    values: Reals,
    best: Reals,
    room: Reals,
) -> None:
    """CK-25: each power that is left may come next; `values` has what follows it."""
    active = int(plan.dice[left]) - plan.aside - level
    width = int(prospects.width[level])
    for bit in range(plan.powers.size):
        fewer = left & ~(1 << bit)
        if fewer == left or plan.dice[fewer] > DICE:
            continue
        power = int(plan.powers[bit])
        rows = int(tables.start[active + 1] - tables.start[active])
        if ADDS[power] > 0:
            rows = int(tables.start[active + 2] - tables.start[active + 1])
        source = part(values, plan, fewer, level, is_free, rows * width)
        character = int(CHARACTER_OF[power])
        if ADDS[power] > 0:
            add_die(tables, active, width, int(ADDS[power]), source, best)
        elif character in (Character.FOOL, Character.MAGICIAN, Character.ASTRONOMER):
            first = int(prospects.first[level])
            turn_one(
                tables, active, width, character, prospects.faces[first : first + width], source, best, room
            )
        elif character == Character.MERCHANT:
            roll_some(tables, active, width, source, best, room)
        elif character == Character.MAID:
            raise_one(tables, active, width, source, best)
        elif character == Character.LADY or character == Character.NOBLEMAN:
            raise_some(tables, active, width, 1 if character == Character.LADY else 2, source, best, room)
        elif active == 2 or (active > 2 and character == Character.PHILOSOPHER):
            mix_two(tables, active, width, source, best, room)
        elif active > 2:
            mix_three(tables, active, width, source, best, room)


# --- Looking up ---


@kernel
def mean_of_throws(
    tables: Handfuls, lying: int, rolling: int, values: Reals, width: int, column: int
) -> float:
    """The mean of a column of values, whose rows are handfuls, when some dice lie and others are being rolled."""
    start = 0
    mean = 0.0
    for throw in range(tables.start[rolling], tables.start[rolling + 1]):
        handful = lying
        for face in range(FACES):
            for _ in range(tables.counts[throw, face]):
                handful = int(tables.more[handful, face])
        while tables.start[start + 1] <= handful:
            start += 1
        mean += tables.odds[throw] * values[(handful - int(tables.start[start])) * width + column]
    return mean


@kernel
def mark_paid(tables: Handfuls, character: int, wanted: Steps) -> None:
    """CK-32: the results that meet a character's cost."""
    for handful in range(wanted.size):
        wanted[handful] = 1 if is_met(tables.counts[handful], character) else 0


@kernel
def mark_value(tables: Handfuls, count: int, face: int, wanted: Steps) -> None:
    """CK-74: the results worth at least so many dice of that face."""
    for handful in range(wanted.size):
        dice = tables.counts[handful]
        wanted[handful] = 1 if most_equal(dice) * 8 + best_face(dice) >= count * 8 + face else 0

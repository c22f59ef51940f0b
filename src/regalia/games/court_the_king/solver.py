"""Best play of one turn for one target, solved exactly from its end back.

A moment of a turn is: the powers left (P), the prospects of the dice set aside, the active dice, and whether a die
must be set aside before the next roll. Two values are kept for each, the odds of meeting the target from there:

    bound   a die must be set aside first:   keep some and be free, or use a power and stay bound
    free    the duty is met:                 roll, or keep some more, or use a power and stay free

Rolling leads to the mean of `bound` over all throws of the active dice. Keeping leads to fewer active dice, using a
power to fewer powers, so everything is worked out in one sweep: powers from none to all, active dice from few to many.

Between two rolls it never hurts to use powers first and to set dice aside after that, for powers act on active dice
alone. Only the Astronomer looks at dice set aside. Without it `free` therefore needs no powers, except at the very
moment asked about, whose dice may lie in any state; this saves half the work (`thorough` does it all the same,
so that every moment that can follow has its own odds).
"""

from __future__ import annotations

from typing import NamedTuple

from regalia.core.kernel import kernel
from regalia.core.templates import Steps
from regalia.games.court_the_king.components import ADDS, ANY_FACE, CHARACTER_OF, DICE, FACES, Character
from regalia.games.court_the_king.costs import best_face, is_met, most_equal
from regalia.games.court_the_king.dice import Handfuls, Numbers, Reals
from regalia.games.court_the_king.prospects import LOST, SURE, Prospects

MOST_TOTALS = 16  # totals of three dice: 3 … 18


class Plan(NamedTuple):
    """Where the values of each moment are kept."""

    powers: Numbers  # the powers counted on, by number; a set of them has a bit for each
    dice: Numbers  # [set of powers left]: dice in the turn, or more than 12 if it cannot be
    begin: Numbers  # [set of powers left]: where its values begin (int64)
    place: Numbers  # [dice in the turn, level]: where the level's values begin within them
    asked: int  # dice set aside at the moment asked about: level 0 of the prospects
    thorough: bool


class Values(NamedTuple):
    bound: Reals
    free: Reals
    rolled: Reals  # [set of powers left]: of rolling all dice not set aside at the moment asked about


@kernel
def solve(tables: Handfuls, prospects: Prospects, plan: Plan, values: Values, room: Reals, totals: Reals) -> None:
    """Fills the values. room: [4, handfuls], totals: [handfuls, MOST_TOTALS], both to work in."""
    for left in range(plan.dice.size):
        dice = int(plan.dice[left])
        if dice > DICE:
            continue
        for level in range(dice - plan.asked, -1, -1):
            active = dice - plan.asked - level
            size = int(tables.start[active + 1] - tables.start[active])
            for k in range(prospects.number[level]):
                prospect = int(prospects.first[level]) + k
                at = int(plan.begin[left]) + int(plan.place[dice, level]) + k * size
                if active == 0:
                    values.free[at] = 1.0 if prospects.wins[prospect] == 1 else 0.0
                    continue
                bound = values.bound[at : at + size]
                free = values.free[at : at + size]
                fill_keeping(tables, prospects, plan, left, level, prospect, values.free, bound)
                free[:] = bound
                use_powers(tables, prospects, plan, left, level, prospect, values.bound, bound, room, totals)
                rolled = 0.0
                for i in range(size):
                    rolled += tables.odds[int(tables.start[active]) + i] * bound[i]
                for i in range(size):
                    free[i] = max(free[i], rolled)
                if level == 0:
                    values.rolled[left] = rolled
                if level == 0 or plan.thorough:
                    use_powers(tables, prospects, plan, left, level, prospect, values.free, free, room, totals)


@kernel
def fill_keeping(
    tables: Handfuls,
    prospects: Prospects,
    plan: Plan,
    left: int,
    level: int,
    prospect: int,
    free: Reals,
    best: Reals,
) -> None:
    """CK-22: set one die aside; more may follow from there."""
    dice = int(plan.dice[left])
    active = dice - plan.asked - level
    start = int(tables.start[active])
    below = int(tables.start[active - 1])
    best[:] = 0.0
    for face in range(FACES):
        after = int(prospects.after[prospect, face])
        if after == LOST:
            continue
        if after == SURE:
            for i in range(best.size):
                if tables.less[start + i, face] >= 0:
                    best[i] = 1.0
            continue
        at = int(plan.begin[left]) + int(plan.place[dice, level + 1]) - below
        at += (after - int(prospects.first[level + 1])) * (start - below)
        for i in range(best.size):
            smaller = int(tables.less[start + i, face])
            if smaller >= 0:
                best[i] = max(best[i], free[at + smaller])


@kernel
def use_powers(
    tables: Handfuls,
    prospects: Prospects,
    plan: Plan,
    left: int,
    level: int,
    prospect: int,
    values: Reals,
    best: Reals,
    room: Reals,
    totals: Reals,
) -> None:
    """CK-25: each power that is left may come next. `values` are those of fewer powers, `best` those being found."""
    dice = int(plan.dice[left])
    active = dice - plan.asked - level
    start = int(tables.start[active])
    k = prospect - int(prospects.first[level])
    for bit in range(plan.powers.size):
        fewer = left & ~(1 << bit)
        if fewer == left or plan.dice[fewer] > DICE:
            continue
        power = int(plan.powers[bit])
        at = int(plan.begin[fewer]) + int(plan.place[plan.dice[fewer], level])
        added = int(ADDS[power])
        if added > 0:
            next_size = int(tables.start[active + 2] - tables.start[active + 1])
            at += k * next_size
            add_die(tables, start, added, values[at : at + next_size], best)
        else:
            at += k * best.size
            change_dice(
                tables, active, power, int(prospects.faces[prospect]), values[at : at + best.size], best, room, totals
            )


@kernel
def add_die(tables: Handfuls, start: int, added: int, source: Reals, best: Reals) -> None:
    """CK-55…68: one more active die."""
    above = start + best.size
    for face in range(FACES) if added == ANY_FACE else range(added - 1, added):
        for i in range(best.size):
            best[i] = max(best[i], source[tables.more[start + i, face] - above])


@kernel
def change_dice(
    tables: Handfuls, active: int, power: int, aside: int, source: Reals, best: Reals, room: Reals, totals: Reals
) -> None:
    """The powers that change active dice. `source`: the values of the dice once the power is spent."""
    character = int(CHARACTER_OF[power])
    if character == Character.FOOL:
        turn_one(tables, active, 0, source, best, room)
    elif character == Character.MAGICIAN:
        turn_one(tables, active, (1 << FACES) - 1, source, best, room)
    elif character == Character.ASTRONOMER:
        if aside != 0:
            turn_one(tables, active, aside, source, best, room)
    elif character == Character.MERCHANT:
        roll_some(tables, active, source, best, room)
    elif character == Character.MAID:
        raise_one(tables, active, source, best)
    elif character == Character.LADY:
        raise_some(tables, active, 1, source, best, room)
    elif character == Character.NOBLEMAN:
        raise_some(tables, active, 2, source, best, room)
    elif character == Character.PHILOSOPHER or active == 2:
        if active > 1:
            mix_two(tables, active, source, best, totals)
    elif active > 2:
        mix_three(tables, active, source, best, totals)


@kernel
def turn_one(tables: Handfuls, active: int, faces: int, source: Reals, best: Reals, room: Reals) -> None:
    """CK-50, CK-57, CK-62: one die is rolled again (no faces given), or turned to the best of some faces."""
    start = int(tables.start[active])
    below = int(tables.start[active - 1])
    others = room[0, : start - below]
    for i in range(others.size):
        mean = 0.0
        most = 0.0
        for face in range(FACES):
            value = source[tables.more[below + i, face] - start]
            mean += value / FACES
            if faces >> face & 1:
                most = max(most, value)
        others[i] = most if faces else mean
    for i in range(best.size):
        for face in range(FACES):
            smaller = int(tables.less[start + i, face])
            if smaller >= 0:
                best[i] = max(best[i], others[smaller - below])


@kernel
def roll_some(tables: Handfuls, active: int, source: Reals, best: Reals, room: Reals) -> None:
    """CK-58: room[0] gets the mean with these dice left lying and the rest rolled, room[1] the best choice of them."""
    start = int(tables.start[active])
    for i in range(source.size):
        room[0, start + i] = source[i]
    for handful in range(start - 1, -1, -1):
        mean = 0.0
        for face in range(FACES):
            mean += room[0, tables.more[handful, face]] / FACES
        room[0, handful] = mean
    for handful in range(start + source.size):
        most = room[0, handful]
        for face in range(FACES):
            smaller = int(tables.less[handful, face])
            if smaller >= 0:
                most = max(most, room[1, smaller])
        room[1, handful] = most
    for i in range(best.size):
        best[i] = max(best[i], room[1, start + i])


@kernel
def raise_one(tables: Handfuls, active: int, source: Reals, best: Reals) -> None:
    """CK-53: one die gets 1, 2 or 3 more."""
    start = int(tables.start[active])
    for i in range(best.size):
        for face in range(FACES - 1):
            smaller = int(tables.less[start + i, face])
            if smaller >= 0:
                for higher in range(face + 1, min(face + 4, FACES)):
                    best[i] = max(best[i], source[tables.more[smaller, higher] - start])


@kernel
def raise_some(tables: Handfuls, active: int, pips: int, source: Reals, best: Reals, room: Reals) -> None:
    """CK-63, CK-66: any number of dice get 1 (2) more. Face by face: after round f, faces up to f may have been raised.

    A face is decided before the lower ones, whose dice may then land on it and stay there.
    """
    start = int(tables.start[active])
    size = best.size
    room[0, :size] = source
    for face in range(FACES - pips):
        before = room[face % 2, :size]
        now = room[1 - face % 2, :size]
        for i in range(size):
            most = before[i]
            handful = start + i
            for _ in range(tables.counts[start + i, face]):
                handful = int(tables.more[tables.less[handful, face], face + pips])
                most = max(most, before[handful - start])
            now[i] = most
    last = room[(FACES - pips) % 2, :size]
    for i in range(size):
        best[i] = max(best[i], last[i])


@kernel
def mix_two(tables: Handfuls, active: int, source: Reals, best: Reals, totals: Reals) -> None:
    """CK-54: totals[others, t] gets the best pair of total t beside the other dice; then any pair may be replaced."""
    start = int(tables.start[active])
    base = int(tables.start[active - 2])
    for i in range(tables.start[active - 1] - base):
        totals[i] = 0.0
        for low in range(FACES):
            one = int(tables.more[base + i, low])
            for high in range(low, FACES):
                value = source[tables.more[one, high] - start]
                totals[i, low + high] = max(totals[i, low + high], value)
    for i in range(best.size):
        for low in range(FACES):
            one = int(tables.less[start + i, low])
            if one < 0:
                continue
            for high in range(low, FACES):
                two = int(tables.less[one, high])
                if two >= 0:
                    best[i] = max(best[i], totals[two - base, low + high])


@kernel
def mix_three(tables: Handfuls, active: int, source: Reals, best: Reals, totals: Reals) -> None:
    """CK-64: the same with three dice; one of them may stay as it is."""
    start = int(tables.start[active])
    base = int(tables.start[active - 3])
    for i in range(tables.start[active - 2] - base):
        totals[i] = 0.0
        for low in range(FACES):
            one = int(tables.more[base + i, low])
            for middle in range(low, FACES):
                two = int(tables.more[one, middle])
                for high in range(middle, FACES):
                    total = low + middle + high
                    totals[i, total] = max(totals[i, total], source[tables.more[two, high] - start])
    for i in range(best.size):
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
                        best[i] = max(best[i], totals[three - base, low + middle + high])


@kernel
def mean_of_throws(tables: Handfuls, active: int, lying: int, rolling: int, values: Reals) -> float:
    """The mean of values (of all handfuls of `active` dice) when some dice lie and the rest are being rolled."""
    start = int(tables.start[active])
    mean = 0.0
    for throw in range(tables.start[rolling], tables.start[rolling + 1]):
        handful = lying
        for face in range(FACES):
            for _ in range(tables.counts[throw, face]):
                handful = int(tables.more[handful, face])
        mean += tables.odds[throw] * values[handful - start]
    return mean


@kernel
def mark_paid(tables: Handfuls, wanted: Steps, character: int) -> None:
    """wanted[handful] = 1 for results that meet a character's cost."""
    for handful in range(wanted.size):
        wanted[handful] = 1 if is_met(tables.counts[handful], character) else 0


@kernel
def mark_better(tables: Handfuls, wanted: Steps, count: int, face: int) -> None:
    """CK-74: wanted[handful] = 1 for results of at least this value."""
    for handful in range(wanted.size):
        dice = tables.counts[handful]
        value = most_equal(dice) * 8 + best_face(dice)
        wanted[handful] = 1 if value >= count * 8 + face else 0

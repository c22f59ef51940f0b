"""A turn solved for some targets: what is asked, how much there is to work out, and the odds of each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from regalia.core.arrays import Steps
from regalia.games.court_the_king.components import ADDS, CHARACTER_OF, DICE, FACES, POWERS, Character
from regalia.games.court_the_king.odds.dice_multisets import handfuls, number_of_faces
from regalia.games.court_the_king.odds.equivalence import find_prospects
from regalia.games.court_the_king.odds.power_gains import TOTALS
from regalia.games.court_the_king.odds.solver import Plan, Values, mean_of_throws, solve
from regalia.games.court_the_king.position import faces_in
from regalia.games.court_the_king.state import State


@dataclass(frozen=True)
class TurnState:
    """Of a turn, all that its odds depend on."""

    powers: frozenset[int]  # ready
    in_hand: int
    rolling: int
    active: int  # a handful
    aside: int  # a handful
    duty: bool

    @classmethod
    def of(cls, state: State) -> TurnState:
        return cls(
            frozenset(power for power in range(POWERS) if state.ready[power]),
            int(state.in_hand),
            int(state.rolling),
            number_of_faces(faces_in(state.active)),
            number_of_faces(faces_in(state.aside)),
            bool(state.duty),
        )

    @property
    def dice(self) -> int:
        return self.in_hand + self.rolling + size_of(self.active) + size_of(self.aside)

    @property
    def is_over(self) -> bool:
        return self.in_hand + self.rolling + self.active == 0

    def with_dice_of(self, powers: Sequence[int]) -> TurnState:
        """After using powers that add a die, as far as there are dice (CK-3)."""
        powers = [power for power in powers if power in self.powers][: DICE - self.dice]
        if self.is_over or not powers:
            return self
        left = self.powers.difference(powers)
        if self.in_hand:
            return replace(self, powers=left, in_hand=self.in_hand + len(powers))
        faces = [min(int(ADDS[power]), FACES) for power in powers]
        return replace(self, powers=left, active=number_of_faces(faces, self.active))


def size_of(handful: int) -> int:
    return int(handfuls().counts[handful].sum())


class Solution:
    """The odds of a turn from one moment on, counting on some of its powers.

    wanted[target, handful]: 1 for results that meet the target; held: the powers counted on; spent: powers that add a
    die and do so at once; thorough: also for states after it in which the duty is met.
    """

    def __init__(
        self, turn: TurnState, wanted: Steps, held: Sequence[int], spent: Sequence[int], thorough: bool
    ) -> None:
        self.turn = turn.with_dice_of(spent)
        self.wanted = wanted
        self.held = list(held)
        self.spent = spent
        by_faces = any(CHARACTER_OF[power] == Character.ASTRONOMER for power in held)
        self.thorough = thorough or by_faces
        self.aside = size_of(self.turn.aside)
        self.most = min(self.dice_with(0), DICE)
        least = self.turn.dice - self.aside
        self.prospects = find_prospects(self.turn.aside, self.most - self.aside, least, wanted, by_faces)
        self.plan = self.make_plan()

    # --- How much there is to work out ---

    def make_plan(self) -> Plan:
        tables, widths = handfuls(), self.prospects.width.astype(np.int64)
        rows = np.diff(tables.start).astype(np.int64)
        place = np.zeros((DICE + 1, self.most - self.aside + 2), np.int64)
        for number in range(self.turn.dice, self.most + 1):
            levels = number - self.aside + 1
            place[number, 1 : levels + 1] = np.cumsum(rows[:levels][::-1] * widths[:levels])
        dice = np.array([self.dice_with(left) for left in range(1 << len(self.held))], np.int32)
        sizes = np.array([place[n, n - self.aside + 1] if n <= DICE else 0 for n in dice], np.int64)
        tops = np.array([rows[n - self.aside] * widths[0] if n <= DICE else 0 for n in dice], np.int64)
        bound = np.cumsum(sizes) - sizes
        free, top = bound, bound
        if not self.thorough:
            free, top = np.zeros_like(bound), sizes.max() + np.cumsum(tops) - tops
        powers = np.array(self.held, np.int32)
        return Plan(powers, dice, place, bound, free, top, self.aside, self.thorough)

    def dice_with(self, left: int) -> int:
        """Dice in the turn while these of the powers held are left."""
        used = [power for bit, power in enumerate(self.held) if not left >> bit & 1]
        return self.turn.dice + sum(bool(ADDS[power]) for power in used)

    @property
    def size(self) -> int:
        """How many values there are to work out."""
        last = len(self.plan.dice) - 1
        return int(
            self.plan.bound[last]
            + self.plan.place[self.plan.dice[last], self.plan.dice[last] - self.aside + 1]
        )

    @cached_property
    def values(self) -> Values:
        last = len(self.plan.dice) - 1
        width = int(self.prospects.width[0])
        free = self.size
        if not self.thorough:
            free = (
                int(self.plan.top[last]) + int(np.diff(handfuls().start)[self.turn.dice - self.aside]) * width
            )
        values = Values(np.zeros(self.size), np.zeros(free), np.zeros((last + 1, width)))
        solve(handfuls(), self.prospects, self.plan, values, np.zeros(self.room))
        return values

    @property
    def room(self) -> int:
        """What the powers need to work in: see gains.py."""
        start, characters = handfuls().start, {Character(CHARACTER_OF[power]) for power in self.held}
        mixes = bool(characters & {Character.PHILOSOPHER, Character.ALCHEMIST})
        rolls = Character.MERCHANT in characters
        most = 0
        for dice in range(self.turn.dice, self.most + 1):
            for level, width in enumerate(self.prospects.width[: dice - self.aside]):
                active = dice - self.aside - level
                rows = 2 * int(start[active + 1]) if rolls else 2 * int(start[active + 1] - start[active])
                if mixes and active > 1:
                    rows = max(rows, TOTALS * int(start[active - 1] - start[active - 2]))
                most = max(most, rows * int(width))
        return most

    # --- Looking up ---

    def odds(self, turn: TurnState, target: int) -> float:
        """The odds at this moment or one that can follow it."""
        turn = turn.with_dice_of(self.spent)
        if turn.is_over:
            return float(self.wanted[target, turn.aside])
        left = sum(1 << bit for bit, power in enumerate(self.held) if power in turn.powers)
        added = handfuls().counts[turn.aside].astype(int) - handfuls().counts[self.turn.aside]
        column = int(self.prospects.of[target, number_of_faces(faces_in(added))])
        if turn.in_hand:
            return max(float(self.values.rolled[left_then, column]) for left_then in self.before_roll(left))
        level = int(added.sum())
        width = int(self.prospects.width[level])
        values, begin = (
            (self.values.bound, self.plan.bound) if turn.duty else (self.values.free, self.plan.free)
        )
        at = int(begin[left] + self.plan.place[self.plan.dice[left], level])
        if level == 0 and not turn.duty:
            at = int(self.plan.top[left])
        return float(mean_of_throws(handfuls(), turn.active, turn.rolling, values[at:], width, column))

    def before_roll(self, left: int) -> list[int]:
        """The sets of powers with which the first roll may be made: some that add a die may be used before it."""
        adding = sum(1 << bit for bit, power in enumerate(self.held) if ADDS[power])
        fewer = [less for less in range(left + 1) if less & ~left == 0 and left & ~less & ~adding == 0]
        return [less for less in fewer if self.plan.dice[less] <= DICE]

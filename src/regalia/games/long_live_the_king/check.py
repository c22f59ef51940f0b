"""Refusing positions that no game of Long Live the King could reach, as far as counting tells."""

from __future__ import annotations

from typing import Any

import numpy as np

from regalia.core.position import Fields
from regalia.games.long_live_the_king.components import (
    AREAS,
    DEALT,
    DEGREE,
    FACES,
    HAND,
    MAN,
    MOST_DEALT,
    NEIGHBOURS,
    NO_ONE,
    NOWHERE,
    STAKES,
    START,
    TIE_DICE,
)
from regalia.games.long_live_the_king.dispute import (
    addition,
    best_total,
    can_banish_to,
    can_reclaim,
    staked,
    to_banish,
)
from regalia.games.long_live_the_king.election import first_tied, needed_votes, total_votes
from regalia.games.long_live_the_king.rules import begin, setup
from regalia.games.long_live_the_king.state import Election, Phase, Reason, State
from regalia.games.long_live_the_king.turn import can_enter, can_place

CHOOSING = (Phase.STAKES, Phase.ROLL, Phase.DICE)  # a dispute before it is judged
DISPUTED = (*CHOOSING, Phase.BANISH, Phase.RECLAIM)
BETWEEN = (Phase.TURN, Phase.TIE, Phase.DEAL, Phase.OVER)  # nothing of a turn has happened yet, or any more
ROLLED = (Phase.ROLL, Phase.TIE, Phase.DEAL)  # chance owes a number of dice or cards


class Check:
    """Every `need` that does not hold refuses the position by the name of a field."""

    def __init__(self, state: State, fields: Fields) -> None:
        self.state = state
        self.fields = fields
        self.phase = Phase(int(state.phase))
        self.seats = range(int(state.seats))
        self.intruder = int(state.turn)
        self.active = int(state.active)
        self.is_disputed = bool(state.disputed != NOWHERE)

    def need(self, holds: object, field: str, why: str = "") -> None:
        if not holds:
            self.fields.refuse(field, f"{why} phase {self.phase.name.lower()}".strip())

    def start(self) -> None:
        """LK-4: a start position is what its nobles make of it."""
        actual: Any = self.state
        expected = np.zeros(1, actual.dtype)[0]
        expected.seats, expected.dice_by_hand = self.state.seats, self.state.dice_by_hand
        setup(expected)
        row = START[len(self.seats)].tolist()
        for seat in range(self.state.active):
            area = int(self.state.nobles[seat])
            self.need(area in row and expected.owner[area] == NO_ONE, "nobles", "LK-4")
            begin(expected, area, area == row[0])
        self.need(expected.tobytes() == actual.tobytes(), "phase", "LK-4")

    def board(self) -> None:
        """LK-2, LK-6, LK-66."""
        state = self.state
        self.need(len(self.seats) > 3 or state.owner[MAN] == NO_ONE, "areas", "LK-2")
        for seat in self.seats:
            area = int(state.nobles[seat])
            self.need(area != NOWHERE, "nobles")
            is_in_dispute = area == state.disputed and seat in (state.turn, state.defender)
            self.need(state.owner[area] == seat or is_in_dispute, "nobles", "LK-66")
        for area in range(AREAS):
            owner = int(state.owner[area])
            is_bare = owner != NO_ONE and state.courtiers[area] == 0
            self.need(not is_bare or state.nobles[owner] == area, "areas", "LK-6")

    def cards(self) -> None:
        """LK-3, LK-80: every card is somewhere, and what everyone knows of a hand is in it."""
        state, n = self.state, len(self.seats)
        where = state.hand.sum(0) + state.stakes.sum(0) + state.discards + state.pile
        self.need((where == n * DEALT.astype(np.uint64)).all(), "cards", f"{where.tolist()} (LK-3)")
        self.need((state.hand.sum(1) == state.cards).all(), "cards", "hands")
        self.need(state.pile.sum() == state.face_down, "face_down", "pile")
        self.need((state.known <= state.hand).all(), "known", "hands")
        is_dealt = state.elections > 0
        self.need(is_dealt or (state.known == state.hand).all(), "known", "LK-80")
        self.need(is_dealt or (state.hand + state.stakes <= DEALT).all(), "hands", "LK-3")
        most = max(n - 1, (HAND - MOST_DEALT) * n) if is_dealt else 0
        self.need(self.phase == Phase.DEAL or state.face_down <= most, "face_down", "LK-80")
        if self.phase == Phase.TURN and 0 in state.cards[:n]:
            self.need(is_dealt and state.discards.sum() + state.face_down < n, "cards", "LK-82")

    def votes(self) -> None:
        """LK-76: each election without a winner gave n, n - 1, … 1."""
        bonus, n = self.state.bonus[: len(self.seats)], len(self.seats)
        held = int(self.state.elections) - (self.phase in (Phase.TIE, Phase.OVER))
        self.need(bonus.sum() == held * n * (n + 1) // 2, "bonus", "LK-76")
        self.need(held <= bonus.min() and bonus.max() <= n * held, "bonus", "LK-76")

    def turn(self) -> None:
        """LK-10…42: what has been done in this turn."""
        state, phase = self.state, self.phase
        self.need(not state.sealed.any() or phase == Phase.STAKES, "sealed")
        self.need((state.due > 0) == (phase in ROLLED), "due")
        self.need((state.election > 0) == (phase == Phase.TIE), "election")
        self.need((state.paid > 0) == (phase == Phase.DIE), "favour")
        self.need(self.is_disputed or phase not in DISPUTED, "dispute")
        if phase in BETWEEN:
            self.need(not (state.entered or state.placed or state.spent or self.is_disputed), "turn")
            self.need(state.quiet == 0 or phase == Phase.TURN, "quiet", "LK-83")
            self.need(state.active == state.turn or phase in ROLLED, "active")
        elif not self.is_disputed:
            self.own_turn()
        if phase == Phase.DEAL:
            n = len(self.seats)
            self.need(state.elections and not state.discards.any(), "discards", "LK-80")
            self.need(state.due <= state.face_down, "due", "LK-80")
            self.need((self.active + int(state.due) - self.intruder - 1) % n == 0, "active", "LK-80")

    def own_turn(self) -> None:
        """LK-13, LK-30…34."""
        state, phase, seat = self.state, self.phase, self.intruder
        area = int(state.nobles[seat])
        is_placing = phase == Phase.PLACING or (phase == Phase.DIE and state.target == NOWHERE)
        self.need(state.active == seat, "active")
        self.need(phase in (Phase.ENTERED, Phase.FAILED, Phase.PLACING, Phase.DIE), "phase")
        self.need(state.placed == is_placing, "placed", "LK-30")
        self.need(state.entered >> area & 1 or (is_placing and state.entered == 0), "entered", "LK-13")
        self.need(not is_placing or state.courtiers[area] > 0, "placed", "LK-30")
        self.need(phase != Phase.FAILED or (state.spent and state.cards[seat] > 0), "spent", "LK-33")
        if phase == Phase.DIE:
            self.need(state.spent, "spent", "LK-20")
            if is_placing:
                self.need(can_place(state, seat), "favour", "LK-30")
            else:
                self.need(is_neighbour(area, state.target), "favour", "LK-12")
                self.need(can_enter(state, seat, int(state.target), 0), "favour", "LK-34")

    def dispute(self) -> None:
        """LK-40…64."""
        state, phase, area = self.state, self.phase, int(self.state.disputed)
        self.need(phase in (*DISPUTED, Phase.PLACING, Phase.DIE), "dispute")
        self.need(state.defender != state.turn and state.entered >> area & 1, "dispute.defender", "LK-40")
        self.need(is_neighbour(area, state.origin), "dispute.from", "LK-12")
        self.need((state.winner == NO_ONE) == (phase in CHOOSING), "dispute.winner", "LK-54")
        self.need((state.owing > 0) == (phase in CHOOSING), "dispute.owing", "LK-51")
        self.need(state.placed == 0 or phase in (Phase.PLACING, Phase.DIE, Phase.RECLAIM), "placed", "LK-63")
        if phase in CHOOSING:
            self.need(state.owner[area] == state.defender, "dispute.defender", "LK-50")
            self.need(state.areas[state.defender] > 1, "dispute.area", "LK-41")
            self.need(state.nobles[state.turn] == area, "nobles", "LK-40")
            if phase == Phase.STAKES:
                self.stakes()
            else:
                self.rolls()
        else:
            self.judged()

    def stakes(self) -> None:
        """LK-51: who has cards has sealed a stake of them, or owes one."""
        state = self.state
        is_early = state.stakes.any() or state.dice.any() or state.totals.any()
        self.need(not is_early, "dispute.stakes", "LK-51")
        self.need(state.active == state.turn and state.cards[state.turn] > 0, "active", "LK-42")
        for seat in self.seats:
            owes = bool(state.owing >> seat & 1)
            self.need((state.cards[seat] > 0) == (owes or state.sealed[seat] > 0), "sealed", "LK-51")
            self.need(not (owes and state.sealed[seat]), "sealed", "LK-51")
            if state.sealed[seat]:
                self.need((STAKES[state.sealed[seat] - 1] <= state.hand[seat]).all(), "sealed", "LK-51")

    def rolls(self) -> None:
        """LK-52…54: from the intruder on clockwise, one die per card."""
        state, n = self.state, len(self.seats)
        place = (self.active - self.intruder) % n
        self.need(state.owing >> self.active & 1, "active", "LK-52")
        for seat in self.seats:
            owes, size = bool(state.owing >> seat & 1), staked(state, seat)
            has_none = seat != state.turn and not owes and state.cards[seat] == 0
            self.need(size or has_none, "dispute.stakes", "LK-51")
            rolled = int(state.dice[seat].sum())
            self.need(not owes or (seat - self.intruder) % n >= place, "dispute.owing", "LK-52")
            due = int(state.due) if seat == state.active else size if owes else 0
            self.need(rolled == size - due, "dispute.dice", "LK-52")
            points = int(state.totals[seat]) - addition(state, seat)
            best = 0 if owes else best_total(state, seat)
            least = rolled if state.dice_by_hand and not owes else best
            self.need(least <= points <= best, "dispute.totals", "LK-52")
        self.need(self.phase == Phase.ROLL or state.dice_by_hand, "phase", "LK-52")

    def judged(self) -> None:
        """LK-60…64."""
        state, phase, area, winner = self.state, self.phase, int(self.state.disputed), int(self.state.winner)
        owner = int(state.owner[area])
        if winner == state.defender or winner == state.turn:
            self.need(owner == winner, "dispute.winner", "LK-61")
        else:
            self.need(owner == (winner if state.courtiers[area] else NO_ONE), "dispute.winner", "LK-61")
        others = [int(state.totals[seat]) for seat in self.seats if seat != winner]
        self.need(state.totals[winner] > max(others), "dispute.totals", "LK-54")
        place = (self.active - self.intruder) % len(self.seats) if phase == Phase.RECLAIM else 0
        for seat in self.seats:
            rolled = int(state.dice[seat].sum())
            taken = rolled - staked(state, seat)
            was_asked = rolled > 1 and (seat - self.intruder) % len(self.seats) < place
            most = int(state.dice[seat, 0]) if was_asked else 0
            self.need(0 <= taken <= most, "dispute.dice", "LK-64")
        banished = to_banish(state)
        if phase == Phase.BANISH:
            self.need(banished != NO_ONE and self.active == winner, "dispute.winner", "LK-62")
            self.need(any(can_banish_to(state, banished, where) for where in range(AREAS)), "nobles", "LK-62")
            return
        self.need(banished == NO_ONE, "nobles", "LK-62")
        if phase == Phase.RECLAIM:
            self.need(can_reclaim(state, self.active), "active", "LK-64")
            return
        self.need(state.active == winner, "active", "LK-63")
        self.need(not state.placed or state.courtiers[area] > 0, "placed", "LK-63")
        self.need(phase != Phase.DIE or (state.placed and can_place(state, winner)), "favour", "LK-63")

    def tie(self) -> None:
        """LK-75…78: who rolls is in the best group still tied."""
        state, active = self.state, self.active
        enough = [seat for seat in self.seats if total_votes(state, seat) >= needed_votes(state)]
        self.need(bool(enough) == (state.election != Election.BONUS), "election.deciding", "LK-76")
        is_ranking = state.election == Election.RANKING
        winners = enough if is_ranking else [NO_ONE]
        self.need(state.winner in winners, "election.winner", "LK-78")
        self.need(not is_ranking or state.standing[state.winner] == 0, "standing", "LK-78")
        first = first_tied(state)
        self.need(first != NO_ONE and state.standing[first] == state.standing[active], "standing", "LK-77")
        self.need(state.due <= TIE_DICE, "due", "LK-77")
        for seat in self.seats:
            has_rolled = state.standing[seat] == state.standing[active] and seat <= active
            dice = TIE_DICE - (int(state.due) if seat == active else 0) if has_rolled else 0
            self.need(dice <= state.sums[seat] <= dice * FACES, "election.sums", "LK-77")

    def order(self) -> None:
        """LK-75, LK-78: the standing of a finished game."""
        state, n = self.state, len(self.seats)
        self.need((state.reason == Reason.ELECTED) == (self.phase == Phase.OVER), "reason", "LK-74")
        if self.phase == Phase.OVER:
            totals = [total_votes(state, seat) for seat in np.argsort(state.standing[:n])]
            self.need(sorted(state.standing[:n]) == list(self.seats), "standing", "LK-78")
            self.need(totals[0] >= needed_votes(state), "standing", "LK-74")
            self.need(totals[1:] == sorted(totals[1:], reverse=True), "standing", "LK-78")
        elif self.phase == Phase.TIE:
            self.tie()
        else:
            self.need(not state.standing.any(), "standing")


def is_neighbour(area: int, other: int) -> bool:
    return other in NEIGHBOURS[area, : DEGREE[area]]


def check(state: State, fields: Fields) -> None:
    the = Check(state, fields)
    if state.phase == Phase.START:
        the.start()
        return
    the.board()
    the.cards()
    the.votes()
    the.turn()
    if the.is_disputed:
        the.dispute()
    the.order()

"""Refusing positions that no game of To Court the King could reach, as far as counting tells."""

from __future__ import annotations

from regalia.core.position import Fields
from regalia.games.court_the_king.components import (
    ADDS,
    COMPULSORY,
    LAST_ROUND,
    OWN_DICE,
    POWERED,
    Character,
)
from regalia.games.court_the_king.costs import best_face, most_equal, number_of
from regalia.games.court_the_king.powers import dice_in_turn
from regalia.games.court_the_king.state import Final, Phase, Reason, State
from regalia.games.court_the_king.turn import IN_TURN, spent, turn_order


def check(state: State, fields: Fields) -> None:
    check_rounds(fields, state)
    if state.phase in IN_TURN:
        check_turn(fields, state)
    elif dice_in_turn(state) or state.duty:
        fields.refuse("used", "no turn is being played")
    check_end(fields, state)


def check_rounds(fields: Fields, state: State) -> None:
    """CK-10, CK-11, CK-72: where in the round this is."""
    if state.phase == Phase.START:
        if (
            state.rounds
            or state.turn
            or state.starter
            or state.final
            or state.owned.any()
            or state.results.any()
        ):
            fields.refuse("round", f"{state.rounds} (CK-4)")
        return
    if state.rounds == 0 or (state.final == Final.NONE and state.rounds > LAST_ROUND):
        fields.refuse("round", f"{state.rounds} (CK-78)")
    taken = not state.display[Character.KING]
    if (state.final == Final.ROUNDS) != (state.rounds > LAST_ROUND and not taken) or (
        state.final == Final.KING and (not taken or state.rounds == 1)
    ):
        fields.refuse("final", Final(int(state.final)).name.lower())
    if state.phase == Phase.OVER:
        return
    order = turn_order(state)
    state.played = order.index(int(state.turn))
    waiting = order[state.played :]
    if taken and state.final == Final.NONE and state.leader - 1 in waiting:
        fields.refuse("turn", f"{state.turn} (CK-71)")
    if any(state.results[seat].any() and (seat in waiting or not state.final) for seat in range(state.seats)):
        fields.refuse("results", "(CK-73)")
    if state.final == Final.KING and state.leader - 1 == state.turn:
        fields.refuse("turn", f"{state.turn} (CK-76)")


def check_turn(fields: Fields, state: State) -> None:
    """CK-20…27, CK-73: dice and powers of a turn that can have come to this."""
    used = spent(state)
    added = sum(ADDS[power] > 0 for power in used)
    dice = OWN_DICE + int((state.owned[state.turn] * COMPULSORY).sum()) + added
    if dice_in_turn(state) != dice:
        fields.refuse("active", f"{dice_in_turn(state)} dice, not {dice} (CK-20)")
    active, aside = number_of(state.active), number_of(state.aside)
    unrolled = state.in_hand == dice
    if (state.in_hand and not unrolled) or (unrolled and (state.duty or len(used) > added)):
        fields.refuse("in_hand", f"{state.in_hand} (CK-25)")
    rerolled = any(POWERED[power] in (Character.FOOL, Character.MERCHANT) for power in used)
    fits = {
        Phase.TURN: bool(unrolled or active)
        and not state.rolling
        and not (state.final and unrolled and not used),
        Phase.FINAL: unrolled and not used and bool(state.final),
        Phase.ROLLING: bool(state.rolling and (state.duty or rerolled)),
        Phase.TAKE: aside == dice and not state.final,
    }
    if not fits[Phase(state.phase)]:
        fields.refuse("phase", Phase(state.phase).name.lower())
    if not unrolled and (aside == dice if state.duty else aside == 0):
        fields.refuse("duty", f"{bool(state.duty)} (CK-22)")


def check_end(fields: Fields, state: State) -> None:
    """CK-74, CK-77, CK-78: no result is better than the best, and the reason is that of the final round."""
    best = int(state.best_count) * 8 + int(state.best_face)
    values = [most_equal(result) * 8 + best_face(result) for result in state.results[: state.seats]]
    if max(values) > best or (state.final == Final.ROUNDS and max(values) != best):
        fields.refuse("best", "(CK-74)")
    if state.final == Final.ROUNDS and state.leader and values[state.leader - 1] != best:
        fields.refuse("best", "(CK-74)")
    ended = Reason.RUNNING
    if state.phase == Phase.OVER:
        ended = (
            Reason.KING if state.final == Final.KING else Reason.ROUNDS if state.leader else Reason.ALL_PASSED
        )
        if state.final == Final.NONE or state.turn:
            fields.refuse("phase", "over")
    if state.reason != ended:
        fields.refuse("reason", Reason(int(state.reason)).name.lower())

"""Positions of To Court the King as JSON-able data, both ways, and what views add to them."""

from __future__ import annotations

from typing import Any, get_args

from regalia.core.arrays import Steps
from regalia.core.position import Fields
from regalia.games.court_the_king.check import check
from regalia.games.court_the_king.components import (
    COPIES,
    DICE,
    FACES,
    LAST_ROUND,
    NAMES,
    POWERED,
    POWERS,
    SEVEN,
    Character,
    CharacterName,
)
from regalia.games.court_the_king.costs import best_face, is_met, most_equal, number_of, total_of
from regalia.games.court_the_king.powers import can_use, dice_in_turn
from regalia.games.court_the_king.rules import can_take
from regalia.games.court_the_king.state import Final, Phase, State
from regalia.games.court_the_king.turn import IN_TURN, spent, turn_order
from regalia.games.court_the_king.view import Best, Derived, Equal, FinalRound, Position, ReasonName

FINALS: tuple[FinalRound, ...] = get_args(FinalRound)
REASONS: tuple[ReasonName, ...] = get_args(ReasonName)


def faces_in(dice: Steps) -> list[int]:
    """Dice counted per face, as the list of their faces."""
    return [face for face, number in enumerate(dice.tolist(), 1) for _ in range(number)]


def describe(state: State) -> Position:
    """The display is what nobody owns: a view adds it."""
    return Position(
        turn=int(state.turn),
        round=int(state.rounds),
        starter=int(state.starter),
        final=FINALS[state.final],
        characters=[cards_of(state, seat) for seat in range(state.seats)],
        best=best_of(state),
        results=[faces_in(state.results[seat]) or None for seat in range(state.seats)],
        used=[NAMES[POWERED[power]] for power in spent(state)],
        in_hand=int(state.in_hand),
        rolling=int(state.rolling),
        active=faces_in(state.active),
        aside=faces_in(state.aside),
        duty=bool(state.duty),
        reason=REASONS[state.reason],
    )


def cards_of(state: State, seat: int) -> list[CharacterName]:
    owned = state.owned[seat].tolist()
    return [name for name, cards in zip(NAMES, owned, strict=True) for _ in range(cards)]


def best_of(state: State) -> Best | None:
    if not state.leader:
        return None
    return Best(seat=int(state.leader) - 1, count=int(state.best_count), face=int(state.best_face))


# --- Reading ---


def restore(position: dict[str, Any], state: State) -> None:
    fields = Fields(position)
    seats = int(state.seats)
    state.turn = fields.number("turn", 0, seats - 1)
    state.rounds = fields.number("round", 0, LAST_ROUND + 1)
    state.starter = fields.number("starter", 0, seats - 1)
    state.final = fields.choice("final", FINALS)
    state.reason = fields.choice("reason", REASONS)
    state.in_hand = fields.number("in_hand", 0, DICE)
    state.rolling = fields.number("rolling", 0, DICE)
    duty = fields.take("duty")
    if not isinstance(duty, bool):
        fields.refuse("duty", f"{duty!r:.30}")
    state.duty = duty
    for name, place in (("active", state.active), ("aside", state.aside)):
        read_dice(fields, name, fields.take(name), place)
    for seat, result in enumerate(fields.lists("results", seats)):
        if result is not None:
            read_dice(fields, "results", result, state.results[seat])
    read_cards(fields, state)
    read_best(fields, state)
    used = fields.texts("used")
    fields.finish()
    if state.phase in IN_TURN:
        read_used(fields, used, state)
    elif used:
        fields.refuse("used", "no turn is being played")
    check(state, fields)


def read_dice(fields: Fields, name: str, dice: Any, place: Steps) -> None:
    if not isinstance(dice, list) or len(dice) > DICE:
        fields.refuse(name, f"{dice!r:.30}")
    for face in dice:
        place[fields.checked_number(name, face, 1, FACES) - 1] += 1


def read_cards(fields: Fields, state: State) -> None:
    """CK-2, CK-31: cards owned; the others are the display."""
    copies = COPIES[state.seats].astype(int)
    for seat, cards in enumerate(fields.lists("characters", int(state.seats))):
        if not isinstance(cards, list) or not all(isinstance(card, str) and card in NAMES for card in cards):
            fields.refuse("characters", f"{cards!r:.40}")
        for card in cards:
            character = NAMES.index(card)
            state.owned[seat, character] += 1
            copies[Character.FOOL if character == Character.CHARLATAN else character] -= 1
            if state.owned[seat, character] > 1 and character != Character.CHARLATAN:
                fields.refuse("characters", f"2 x {card} (CK-31)")
    if copies.min() < 0:
        fields.refuse(
            "characters", f"> {COPIES[state.seats, copies.argmin()]} x {NAMES[copies.argmin()]} (CK-2)"
        )
    if copies[Character.KING] != copies[Character.QUEEN]:
        fields.refuse("characters", "king, queen (CK-70)")
    state.display[:] = copies


def read_best(fields: Fields, state: State) -> None:
    """CK-74, CK-75: the best result, whose player holds the King if he is taken."""
    kings = [seat for seat in range(state.seats) if state.owned[seat, Character.KING]]
    best = fields.take("best")
    if best is None:
        if kings:
            fields.refuse("best", "king (CK-73)")
        return
    if not isinstance(best, dict):
        fields.refuse("best", f"{best!r:.30}")
    inner = Fields(best, "best.")
    leader = inner.number("seat", 0, int(state.seats) - 1)
    state.leader = leader + 1
    state.best_count = inner.number("count", SEVEN if kings else 1, DICE)
    state.best_face = inner.number("face", 1, FACES)
    inner.finish()
    if kings != [leader] and (kings or state.final != Final.ROUNDS):
        fields.refuse("best", f"seat {leader} (CK-75)")


def read_used(fields: Fields, used: list[str], state: State) -> None:
    owned = state.owned[state.turn]
    for power, character in enumerate(POWERED):
        state.ready[power] = owned[character]
    for name in used:
        spending = [power for power, character in enumerate(POWERED) if NAMES[character] == name]
        if not spending or not state.ready[spending[0]]:
            fields.refuse("used", f"{name:.30} (CK-25)")
        state.ready[spending[0]] = 0


# --- What views add ---


def derive(state: State) -> Derived:
    """The display, who is still to play in this round, and what the dice as they lie would be worth."""
    dice = state.active + state.aside
    powers = [power for power in range(POWERS) if state.ready[power]]
    return Derived(
        display={
            name: int(left) for name, left in zip(NAMES, state.display, strict=True) if name != "charlatan"
        },
        order=turn_order(state)[state.played :] if state.phase in IN_TURN else [],
        dice=dice_in_turn(state),
        total=total_of(dice),
        equal=Equal(count=most_equal(dice), face=best_face(dice)),
        ready=[NAMES[POWERED[power]] for power in powers],
        usable=[NAMES[POWERED[power]] for power in powers if is_usable(state, power)],
        paid=[name for number, name in enumerate(NAMES) if dice.any() and is_paid(state, dice, number)],
        takeable=[name for number, name in enumerate(NAMES) if is_takeable(state, number)],
    )


def is_usable(state: State, power: int) -> bool:
    number, total = number_of(state.active), total_of(state.active)
    return state.phase in (Phase.TURN, Phase.FINAL) and can_use(state, power, number, total)


def is_paid(state: State, dice: Steps, character: int) -> bool:
    """Whether these dice would do for a character; whether it can still be had is another matter."""
    if character == Character.CHARLATAN:
        return bool(state.owned[state.turn, Character.FOOL])
    return is_met(dice, character)


def is_takeable(state: State, character: int) -> bool:
    return state.phase == Phase.TAKE and can_take(state, int(state.turn), character)

"""What happened in To Court the King, step by step. Actions that name several dice tell them one by one."""

from __future__ import annotations

from collections.abc import Sequence

from regalia.core.effects import Effect
from regalia.core.game import CHANCE
from regalia.games.court_the_king.components import (
    ADDS,
    ANY_FACE,
    DONE,
    FACE,
    NAMES,
    PASS,
    POWERED,
    ROLL,
    TAKE,
    TAKE_NONE,
    USE,
    Character,
    CharacterName,
)
from regalia.games.court_the_king.costs import best_face, most_equal
from regalia.games.court_the_king.position import faces_in
from regalia.games.court_the_king.state import Final, Phase, State


class StartDrawn(Effect, frozen=True):
    """CK-4: who starts the first round."""

    seat: int


class DiceThrown(Effect, frozen=True):
    """CK-21, CK-23: all dice in hand, then all that are active; what they show follows."""

    seat: int
    count: int


class DieRolled(Effect, frozen=True):
    """CK-21, CK-50, CK-58: thrown or re-rolled, it has come to rest."""

    seat: int
    face: int


class DieSetAside(Effect, frozen=True):
    """CK-22, CK-24: for good."""

    seat: int
    face: int


class CharacterUsed(Effect, frozen=True):
    """CK-25: for this turn; what it did follows."""

    seat: int
    character: CharacterName


class DieAdded(Effect, frozen=True):
    """CK-55 … CK-68: by the character used."""

    seat: int
    face: int | None  # that it shows; before the first roll none yet, it is rolled with the others (CK-25)


class DieRerolled(Effect, frozen=True):
    """CK-50, CK-58: picked up again; what it shows now follows."""

    seat: int
    face: int  # that it showed


class DieChanged(Effect, frozen=True, rename={"origin": "from", "target": "to"}):
    """CK-53, CK-54, CK-57, CK-62 … CK-66: turned from one face to another by the character used."""

    seat: int
    origin: int
    target: int


class CharacterTaken(Effect, frozen=True):
    """CK-30, CK-34, CK-70: a Charlatan is the own Fool turned over; the King brings the Queen with him."""

    seat: int
    character: CharacterName
    dice: list[int]  # the result that won the character over


class NobodyTaken(Effect, frozen=True):
    """CK-30: the turn brought nothing."""

    seat: int


class TurnPassed(Effect, frozen=True):
    """CK-73: in the final round."""

    seat: int


class FinalResult(Effect, frozen=True):
    """CK-73, CK-74: what a seat reached in the final round."""

    seat: int
    dice: list[int]
    count: int  # so many equal dice
    face: int  # of this face
    is_best: bool  # so far; who owns the Queen need only equal the best (CK-76)


class KingMoved(Effect, frozen=True, rename={"origin": "from", "target": "to"}):
    """CK-75, CK-76: from seat to seat, in the final round."""

    origin: int
    target: int


def effects(before: State, seat: int, step: int, after: State) -> list[Effect]:
    if seat == CHANCE:
        start = before.phase == Phase.START
        return [StartDrawn(step) if start else DieRolled(int(before.turn), step + 1)]
    if step >= TAKE:
        return [taken(before, seat, step)]
    if step >= USE:
        return used(before, seat, step - USE)
    if step == ROLL:
        return [DiceThrown(seat, int(after.rolling))]
    if step == PASS:
        return [TurnPassed(seat)]
    if step == DONE:
        return []
    match before.phase:
        case Phase.USING:
            return picked(before, seat, step - FACE)
        case Phase.AIMING:
            return aimed(before, seat, step - FACE)
    return [DieSetAside(seat, step - FACE), *judged(before, seat, after)]


def taken(before: State, seat: int, step: int) -> Effect:
    if step == TAKE_NONE:
        return NobodyTaken(seat)
    return CharacterTaken(seat, NAMES[step - TAKE], faces_in(before.aside))


def used(before: State, seat: int, power: int) -> list[Effect]:
    told: list[Effect] = [CharacterUsed(seat, NAMES[POWERED[power]])]
    face = int(ADDS[power])
    if face and before.in_hand:
        told.append(DieAdded(seat, None))
    elif face and face != ANY_FACE:
        told.append(DieAdded(seat, face))
    return told


def picked(before: State, seat: int, face: int) -> list[Effect]:
    """A die chosen for a power that acts on each die by itself; the others are told when their new faces are named."""
    match POWERED[before.power]:
        case Character.FOOL | Character.MERCHANT:
            return [DieRerolled(seat, face)]
        case Character.LADY:
            return [DieChanged(seat, face, face + 1)]
        case Character.NOBLEMAN:
            return [DieChanged(seat, face, face + 2)]
    return []


def aimed(before: State, seat: int, face: int) -> list[Effect]:
    """The new face was named, for the Philosopher the pips."""
    picks = [pick for pick in before.picks.tolist() if pick]
    match POWERED[before.power]:
        case Character.QUEEN:
            return [DieAdded(seat, face)]
        case Character.PHILOSOPHER:
            return changed(seat, picks, [picks[0] - face, picks[1] + face])
        case Character.ALCHEMIST if len(picks) == 3 and not before.aim:
            return []  # the middle one of the new faces is yet to be named
        case Character.ALCHEMIST:
            made = [int(before.aim), face] if before.aim else [face]
            return changed(seat, picks, [*made, sum(picks) - sum(made)])
    return changed(seat, picks, [face])


def changed(seat: int, dice: Sequence[int], made: Sequence[int]) -> list[Effect]:
    return [DieChanged(seat, origin, target) for origin, target in zip(dice, made, strict=True)]


def judged(before: State, seat: int, after: State) -> list[Effect]:
    """What the last die of a turn of the final round decided."""
    dice = after.results[seat]
    if before.final == Final.NONE or not dice.any():
        return []
    is_best = bool(after.leader == seat + 1)
    result = FinalResult(seat, faces_in(dice), int(most_equal(dice)), int(best_face(dice)), is_best)
    if before.final == Final.ROUNDS or not is_best:
        return [result]
    return [result, KingMoved(int(before.leader) - 1, seat)]

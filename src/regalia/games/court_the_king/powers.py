"""The powers of the characters: when they can be used, on which dice, and what they do (CK-25, CK-37, CK-50…68).

A use is several steps inside one action: the power, the dice it acts on, and for some the new face. Faces ascend where
their order has no meaning, and only steps that can be completed are offered, so each effect has exactly one path.
"""

from __future__ import annotations

from regalia.core.arrays import Steps
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import (
    ADDS,
    ANY_FACE,
    CHARACTER_OF,
    DICE,
    DONE,
    FACE,
    FACES,
    MIXES,
    PIPS,
    Character,
)
from regalia.games.court_the_king.costs import faces_of, number_of
from regalia.games.court_the_king.state import Phase, State


@kernel
def can_use(state: State, power: int, number: int, total: int) -> bool:
    """CK-3, CK-25, CK-37: whether a ready power can have an effect; number and total are of the active dice."""
    if ADDS[power] > 0:
        return dice_in_turn(state) < DICE
    if number == 0:
        return False
    character = int(CHARACTER_OF[power])
    if character == Character.PHILOSOPHER or character == Character.ALCHEMIST:
        # All ones but for a single pip, or all sixes but for one, are the only dice that can become no others.
        return number > 1 and number + 2 <= total <= FACES * number - 2
    if character == Character.MAID or character == Character.LADY:
        return has_die(state, 1, FACES - 1)
    if character == Character.NOBLEMAN:
        return has_die(state, 1, FACES - 2)
    if character == Character.ASTRONOMER:
        faces = faces_of(state.aside)
        return faces != 0 and (faces & (faces - 1) != 0 or faces_of(state.active) != faces)
    return True


@kernel
def dice_in_turn(state: State) -> int:
    return int(state.in_hand) + int(state.rolling) + number_of(state.active) + number_of(state.aside)


@kernel
def has_die(state: State, lowest: int, highest: int) -> bool:
    """Whether an active die shows a face in this range."""
    has = False
    for face in range(max(lowest, 1), highest + 1):
        has = has or state.active[face - 1] > 0
    return has


# --- On which dice ---


@kernel
def add_faces(state: State, lowest: int, highest: int, steps: Steps, count: int) -> int:
    """Adds the active faces of a range to a list of steps; returns its length."""
    for face in range(max(lowest, 1), highest + 1):
        if state.active[face - 1] > 0:
            steps[count] = FACE + face
            count += 1
    return count


@kernel
def legal_using(state: State, steps: Steps) -> int:
    """CK-37, CK-50…66: which dice the power in use may act on (further)."""
    character = int(CHARACTER_OF[int(state.power)])
    last = int(state.picks[0])
    if character in (Character.MERCHANT, Character.LADY, Character.NOBLEMAN):
        count = 0
        if last > 0:
            steps[count] = DONE
            count += 1
        return add_faces(state, last, highest_for(character), steps, count)
    if character == Character.PHILOSOPHER:
        return legal_givers(state, steps)
    if character == Character.ALCHEMIST:
        return legal_ingredients(state, steps)
    if character == Character.ASTRONOMER:
        return legal_turned(state, steps)
    return add_faces(state, 1, FACES - 1 if character == Character.MAID else FACES, steps, 0)


@kernel
def highest_for(character: int) -> int:
    """The highest face that a power for any number of dice can act on: Merchant, Lady, Nobleman."""
    if character == Character.LADY:
        return FACES - 1
    return FACES - 2 if character == Character.NOBLEMAN else FACES


@kernel
def legal_turned(state: State, steps: Steps) -> int:
    """CK-57, CK-37: dice for which another face is set aside."""
    faces = faces_of(state.aside)
    count = 0
    for face in range(1, FACES + 1):
        if state.active[face - 1] > 0 and faces & ~(1 << (face - 1)) != 0:
            steps[count] = FACE + face
            count += 1
    return count


@kernel
def legal_givers(state: State, steps: Steps) -> int:
    """CK-54: the die that gives pips, then the one that gets them."""
    giver = int(state.picks[0])
    count = 0
    for face in range(1, FACES + 1):
        if state.active[face - 1] == 0:
            continue
        if (PIPS[giver, face] > 0) if giver > 0 else can_give(state, face):
            steps[count] = FACE + face
            count += 1
    return count


@kernel
def can_give(state: State, giver: int) -> bool:
    can = False
    for face in range(1, FACES + 1):
        can = can or (PIPS[giver, face] > 0 and is_left(state, face, giver, 0))
    return can


@kernel
def legal_ingredients(state: State, steps: Steps) -> int:
    """CK-64: two or three dice, ascending, that can become others; done after two of them if there is a choice."""
    first = int(state.picks[0])
    second = int(state.picks[1])
    count = 0
    if second > 0 and MIXES[first, second, 0] > 0:
        steps[count] = DONE
        count += 1
    for face in range(max(first, second, 1), FACES + 1):
        if state.active[face - 1] > 0 and can_mix(state, first, second, face):
            steps[count] = FACE + face
            count += 1
    return count


@kernel
def can_mix(state: State, first: int, second: int, face: int) -> bool:
    """Whether this die can join those chosen and, with one or two more if need be, become something else."""
    if second > 0:
        return bool(MIXES[first, second, face] > 0)
    if first > 0:
        return MIXES[first, face, 0] > 0 or can_mix_third(state, first, face, 0)
    for other in range(face, FACES + 1):
        if is_left(state, other, face, 0) and (
            MIXES[face, other, 0] > 0 or can_mix_third(state, face, other, face)
        ):
            return True
    return False


@kernel
def can_mix_third(state: State, first: int, second: int, unpicked: int) -> bool:
    """Whether a third die makes a mixture with these two; `unpicked` is the first if it is still among the active."""
    for third in range(second, FACES + 1):
        if MIXES[first, second, third] > 0 and is_left(state, third, second, unpicked):
            return True
    return False


@kernel
def is_left(state: State, face: int, second: int, first: int) -> bool:
    """Whether an active die of this face is left besides one of each of two others (0: none)."""
    return int(state.active[face - 1]) > (1 if face == second else 0) + (1 if face == first else 0)


@kernel
def legal_aiming(state: State, steps: Steps) -> int:
    """CK-53, CK-54, CK-57, CK-62, CK-64, CK-68: the new face, or the number of pips."""
    character = int(CHARACTER_OF[int(state.power)])
    face = int(state.picks[0])
    if character == Character.ALCHEMIST:
        return legal_mixtures(state, steps)
    low = 1
    high = FACES
    if character == Character.MAID:
        low = face + 1
        high = min(face + 3, FACES)
    elif character == Character.PHILOSOPHER:
        high = int(PIPS[face, int(state.picks[1])])
        face = 0
    count = 0
    for aim in range(low, high + 1):
        if aim != face and (character != Character.ASTRONOMER or state.aside[aim - 1] > 0):
            steps[count] = FACE + aim
            count += 1
    return count


@kernel
def legal_mixtures(state: State, steps: Steps) -> int:
    """CK-64: the lowest new face, of three dice then the middle one; the last follows from the total."""
    total = int(state.picks[0]) + int(state.picks[1]) + int(state.picks[2])
    count = 0
    for aim in range(max(int(state.aim), 1), FACES + 1):
        if state.picks[2] == 0 or state.aim > 0:
            fits = is_new(state, aim) and is_last(state, aim, total - int(state.aim) - aim)
        else:
            fits = False
            for middle in range(aim, FACES + 1):
                fits = fits or (is_new(state, middle) and is_last(state, middle, total - aim - middle))
            fits = fits and is_new(state, aim)
        if fits:
            steps[count] = FACE + aim
            count += 1
    return count


@kernel
def is_new(state: State, face: int) -> bool:
    """Whether no die chosen for the Alchemist shows this face."""
    return int(state.picks[0]) != face and int(state.picks[1]) != face and int(state.picks[2]) != face


@kernel
def is_last(state: State, before: int, face: int) -> bool:
    return before <= face <= FACES and is_new(state, face)


# --- What the powers do ---


@kernel
def use(state: State, power: int) -> None:
    """CK-25: the card is spent. A power that adds a die does so at once; the others ask for dice first."""
    state.ready[power] = 0
    added = int(ADDS[power])
    state.phase = Phase.TURN
    if added > 0 and state.in_hand > 0:
        state.in_hand += 1
    elif added == ANY_FACE:
        state.power = power
        state.phase = Phase.AIMING
    elif added > 0:
        state.active[added - 1] += 1
    else:
        state.power = power
        state.phase = Phase.USING


@kernel
def pick(state: State, face: int) -> None:
    """A die is chosen for the power in use. It leaves the active dice until the power has acted on it."""
    character = int(CHARACTER_OF[int(state.power)])
    state.active[face - 1] -= 1
    if character in (Character.MERCHANT, Character.LADY, Character.NOBLEMAN):
        pick_any(state, character, face)
    elif character == Character.FOOL:
        rest(state)
        state.rolling = 1
        state.phase = Phase.ROLLING
    elif character == Character.PHILOSOPHER:
        if state.picks[0] > 0:
            state.picks[1] = face
            state.phase = Phase.AIMING
        else:
            state.picks[0] = face
    elif character == Character.ALCHEMIST:
        pick_ingredient(state, face)
    else:
        state.picks[0] = face
        state.phase = Phase.AIMING


@kernel
def pick_any(state: State, character: int, face: int) -> None:
    """CK-58, CK-63, CK-66: one more die to re-roll or to turn up by 1 or 2; done when no other can follow."""
    state.picks[0] = face
    if character == Character.MERCHANT:
        state.rolling += 1
    else:
        state.lifted[face - 1 + (1 if character == Character.LADY else 2)] += 1
    if not has_die(state, face, highest_for(character)):
        finish_picks(state)


@kernel
def pick_ingredient(state: State, face: int) -> None:
    """CK-64: after two dice a third is asked for only if one can follow."""
    if state.picks[0] == 0:
        state.picks[0] = face
        return
    if state.picks[1] > 0:
        state.picks[2] = face
        state.phase = Phase.AIMING
        return
    state.picks[1] = face
    third = False
    for other in range(face, FACES + 1):
        third = third or (state.active[other - 1] > 0 and MIXES[int(state.picks[0]), face, other] > 0)
    if not third:
        state.phase = Phase.AIMING


@kernel
def finish_picks(state: State) -> None:
    """No more dice for the power: Merchant rolls, Lady and Nobleman put theirs back, the Alchemist goes on."""
    if CHARACTER_OF[int(state.power)] == Character.ALCHEMIST:
        state.phase = Phase.AIMING
        return
    rest(state)
    if state.rolling > 0:
        state.phase = Phase.ROLLING
    for k in range(FACES):
        state.active[k] += state.lifted[k]
        state.lifted[k] = 0


@kernel
def aim_at(state: State, face: int) -> None:
    """The new face (for the Philosopher: the pips) is named, and the dice chosen become active again."""
    character = int(CHARACTER_OF[int(state.power)])
    first = int(state.picks[0])
    second = int(state.picks[1])
    if character == Character.PHILOSOPHER:
        state.active[first - face - 1] += 1
        state.active[second + face - 1] += 1
    elif character == Character.ALCHEMIST:
        third = int(state.picks[2])
        if third > 0 and state.aim == 0:
            state.aim = face
            return
        state.active[face - 1] += 1
        state.active[first + second + third - int(state.aim) - face - 1] += 1
        if third > 0:
            state.active[int(state.aim) - 1] += 1
    else:
        state.active[face - 1] += 1
    rest(state)


@kernel
def rest(state: State) -> None:
    """The action is complete: nothing of it is left but its effect."""
    state.power = 0
    state.aim = 0
    for k in range(3):
        state.picks[k] = 0
    state.phase = Phase.TURN

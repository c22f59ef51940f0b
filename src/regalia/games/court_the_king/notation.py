"""The texts of To Court the King: actions and chance outcomes. Positions are in position.py."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from regalia.core.errors import NotationError
from regalia.games.court_the_king.components import (
    ADDS,
    COMPULSORY,
    DONE,
    FACE,
    FACES,
    MIXES,
    NAMES,
    PASS,
    POWER_OF,
    POWERED,
    ROLL,
    TAKE,
    TAKE_NONE,
    USE,
    Character,
)
from regalia.games.court_the_king.explain import REFUSED, absent
from regalia.games.court_the_king.powers import highest_for
from regalia.games.court_the_king.state import Phase, State

NUMBER = r"(\d{1,3})"
NUMBERS = r"(\d{1,3}(?: \d{1,3})*)"
# What follows the name of a power that asks for dice.
ASKED = {
    Character.FOOL: re.compile(NUMBERS),
    Character.MERCHANT: re.compile(f"{NUMBERS}?"),
    Character.LADY: re.compile(f"{NUMBERS}?"),
    Character.NOBLEMAN: re.compile(f"{NUMBERS}?"),
    Character.MAID: re.compile(rf"{NUMBER} ?\+ ?{NUMBER}"),
    Character.PHILOSOPHER: re.compile(f"{NUMBER} ?- ?{NUMBER} ?> ?{NUMBER}"),
    Character.ASTRONOMER: re.compile(f"{NUMBER} ?= ?{NUMBER}"),
    Character.MAGICIAN: re.compile(f"{NUMBER} ?= ?{NUMBER}"),
    Character.ALCHEMIST: re.compile(f"{NUMBERS} ?= ?{NUMBERS}"),
    Character.QUEEN: re.compile(f"{NUMBER}?"),
}


# --- Reading ---


def read(text: str, state: State, seat: int) -> list[int]:
    """A text that can be read but not be done ends in a step that is never legal and names its clause."""
    verb, _, rest = text.casefold().partition(" ")
    if not rest and verb in ("roll", "pass"):
        return [ROLL if verb == "roll" else PASS]
    if verb == "keep" and re.fullmatch(NUMBERS, rest):
        return read_keep(numbers(rest), state)
    if verb == "take":
        if rest == "queen":
            return [refused(68)]
        if rest == "none":
            return [TAKE_NONE]
        if rest in NAMES:
            return [TAKE + NAMES.index(rest)]
    name, _, rest = rest.partition(" ")
    if verb == "use" and name in NAMES:
        return read_use(text, Character(NAMES.index(name)), rest, state)
    raise unread(text)


def unread(text: str) -> NotationError:
    return NotationError("court_the_king.unread", action=text[:60])


def refused(clause: int) -> int:
    return REFUSED + clause


def numbers(text: str | None) -> list[int]:
    return sorted(int(word) for word in (text or "").split())


def read_keep(dice: list[int], state: State) -> list[int]:
    if clause := absent(state, dice):
        return [refused(clause)]
    return faces(dice, state, FACES)


def read_use(text: str, character: Character, rest: str, state: State) -> list[int]:
    if character not in POWER_OF:
        return [refused(42 if COMPULSORY[character] else 69)]
    power = POWER_OF[character]
    if ADDS[power] and character != Character.QUEEN:
        if rest:
            raise unread(text)
        return [USE + power]
    match = ASKED[character].fullmatch(rest)
    if not match:
        raise unread(text)
    if character == Character.QUEEN and state.in_hand:
        return [refused(25) if rest else USE + power]
    return [USE + power, *READERS[character](match.groups(), state)]


Tokens = Sequence[str | None]  # the numbers of a text as its pattern found them


def faces(dice: Sequence[int], state: State, highest: int) -> list[int]:
    """The steps that choose these dice, with `done` where another could follow."""
    left = [face for face in range(dice[-1], highest + 1) if state.active[face - 1] > dice.count(face)]
    return [FACE + face for face in dice] + ([DONE] if left else [])


def read_fool(tokens: Tokens, state: State) -> list[int]:
    dice = numbers(tokens[0])
    clause = absent(state, dice) or (50 if len(dice) > 1 else 0)
    return [refused(clause)] if clause else [FACE + dice[0]]


def read_any_number(character: Character) -> Callable[[Tokens, State], list[int]]:
    """Merchant, Lady, Nobleman."""
    highest = highest_for(int(character))

    def read_dice(tokens: Tokens, state: State) -> list[int]:
        dice = numbers(tokens[0])
        clause = absent(state, dice) or (0 if dice else 37)
        if not clause and dice[-1] > highest:
            clause = 50 + character
        return [refused(clause)] if clause else faces(dice, state, highest)

    return read_dice


def read_maid(tokens: Tokens, state: State) -> list[int]:
    face, pips = (int(token or 0) for token in tokens)
    clause = absent(state, [face]) or (0 if pips else 37)
    if not clause and (pips > 3 or face + pips > FACES):
        clause = 53
    return [refused(clause)] if clause else [FACE + face, FACE + face + pips]


def read_philosopher(tokens: Tokens, state: State) -> list[int]:
    """Of the ways to write the same effect, the one with the fewest pips."""
    source, pips, target = (int(token or 0) for token in tokens)
    clause = absent(state, [source, target])
    if not clause and pips in (0, source - target):
        clause = 37
    if not clause and (source - pips < 1 or target + pips > FACES):
        clause = 54
    if clause:
        return [refused(clause)]
    low, high = sorted((source, target))
    lowest = min(source - pips, target + pips)
    if lowest > low:
        return [FACE + high, FACE + low, FACE + lowest - low]
    return [FACE + low, FACE + high, FACE + low - lowest]


def read_turn(character: Character) -> Callable[[Tokens, State], list[int]]:
    """Astronomer and Magician."""

    def read_faces(tokens: Tokens, state: State) -> list[int]:
        face, aim = (int(token or 0) for token in tokens)
        clause = absent(state, [face]) or (37 if face == aim else 0)
        if not clause and not 1 <= aim <= FACES:
            clause = 50 + character
        return [refused(clause)] if clause else [FACE + face, FACE + aim]

    return read_faces


def read_alchemist(tokens: Tokens, state: State) -> list[int]:
    """Dice that stay as they are need not be named."""
    dice, results = numbers(tokens[0]), numbers(tokens[1])
    clause = absent(state, dice)
    lengths_differ = len(dice) != len(results) or len(dice) not in (2, 3)
    if not clause and (
        lengths_differ or sum(dice) != sum(results) or not 1 <= results[0] <= results[-1] <= FACES
    ):
        clause = 64
    before, after = Counter(dice) - Counter(results), Counter(results) - Counter(dice)
    if not clause and not before:
        clause = 37
    if clause:
        return [refused(clause)]
    dice, results = sorted(before.elements()), sorted(after.elements())
    thirds = [face for face in range(dice[-1], FACES + 1) if state.active[face - 1] > dice.count(face)]
    is_open = len(dice) == 2 and any(MIXES[dice[0], dice[1], third] for third in thirds)
    return [FACE + face for face in dice] + [DONE] * is_open + [FACE + face for face in results[:-1]]


def read_queen(tokens: Tokens, state: State) -> list[int]:
    face = int(tokens[0] or 0)
    return [FACE + face if 1 <= face <= FACES else refused(68)]


READERS: dict[Character, Callable[[Tokens, State], list[int]]] = {
    Character.FOOL: read_fool,
    Character.MERCHANT: read_any_number(Character.MERCHANT),
    Character.LADY: read_any_number(Character.LADY),
    Character.NOBLEMAN: read_any_number(Character.NOBLEMAN),
    Character.MAID: read_maid,
    Character.PHILOSOPHER: read_philosopher,
    Character.ASTRONOMER: read_turn(Character.ASTRONOMER),
    Character.MAGICIAN: read_turn(Character.MAGICIAN),
    Character.ALCHEMIST: read_alchemist,
    Character.QUEEN: read_queen,
}


# --- Writing ---


def write(steps: Sequence[int], state: State, seat: int) -> str:
    first, *rest = steps
    if first in (ROLL, PASS):
        return "roll" if first == ROLL else "pass"
    if steps[-1] >= REFUSED:
        return f"use {POWERED[first - USE].name.lower()} ?" if rest else "?"
    if first >= TAKE:
        return "take none" if first == TAKE_NONE else f"take {NAMES[first - TAKE]}"
    faces = [step - FACE for step in steps if FACE < step < USE]
    if first < USE:
        return "keep " + joined(faces)
    character = POWERED[first - USE]
    return f"use {character.name.lower()} {write_use(character, faces)}".rstrip()


def joined(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def write_use(character: Character, faces: Sequence[int]) -> str:
    if character == Character.MAID:
        return f"{faces[0]}+{faces[1] - faces[0]}"
    if character == Character.PHILOSOPHER:
        return f"{faces[0]}-{faces[2]}>{faces[1]}"
    if character in (Character.ASTRONOMER, Character.MAGICIAN):
        return f"{faces[0]}={faces[1]}"
    if character == Character.ALCHEMIST:
        size = len(faces) // 2 + 1
        dice, results = faces[:size], faces[size:]
        return f"{joined(dice)} = {joined([*results, sum(dice) - sum(results)])}"
    return joined(faces)


# --- Chance ---


def read_outcome(text: str, state: State) -> int:
    pattern = r"seat (\d)" if state.phase == Phase.START else r"([1-6])"
    match = re.fullmatch(pattern, text.casefold())
    if not match:
        raise NotationError("error.outcome", outcome=text[:40])
    return int(match[1]) - int(state.phase == Phase.ROLLING)


def write_outcome(step: int, state: State) -> str:
    return f"seat {step}" if state.phase == Phase.START else str(step + 1)

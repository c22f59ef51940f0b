"""To Court the King once more, slow and obvious: the second witness for the compiled rules.

Written from the clauses alone; texts are those of *Notation*. The game has no options: any given are ignored.

End reasons (`outcome()[2]`)
    king        the holder of the King wins after the final round (CK-77)
    rounds      nobody took the King in 40 rounds; the best result of the last round wins (CK-78)
    all_passed  the same, but everyone passed: the victory is shared (CK-78)
Ranks are 1 for every winner and 2 for the others, points 1 and 0.

Keys of `snapshot()`
    round        1..41, 0 before the start player is drawn
    start        seat that holds the start marker, None before the lot (CK-4); in the final round the seat
                 that would start a normal next round, even if it owns the Queen and plays last (CK-72)
    order        seats in the turn order of the round, [] before the lot
    player       seat whose turn it is; None before the lot and after the end
    phase        lot (the start player is drawn), hand (before the first roll), rolling (faces are due),
                 active (dice lie rolled), take (a character is chosen), over
    hand         dice in hand, not yet rolled for the first time
    rolling      dice in the air: faces that chance still owes
    active       faces of the active dice, ascending
    aside        faces of the dice set aside this turn, ascending; in phase take they are the result
    must_keep    True while a die must be set aside before the next roll (CK-22)
    used         cards used this turn, by name, in alphabetical order (CK-25)
    display      {name: copies left} for every kind but the Charlatan; `fool` counts Fool/Charlatan cards
    owned        per seat {name: copies} without zeros; a turned Fool counts as `charlatan`, not as `fool`
    king, queen  seat that holds the card, or None
    final        True in the final round (CK-73, CK-78) and after it
    best         {"seat", "count", "face"} of the best result for the crown, None if there is none (CK-74)
    king_result  faces of the result that took the King from the display, ascending, or None
    results      per seat its result in the final round, ascending; [] if it passed, None if it had no turn
After the end hand, rolling, active, aside, must_keep and used are empty, zero or False.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

CHANCE = 7  # the seat that rolls and draws lots

FACES = (1, 2, 3, 4, 5, 6)
DICE = 12  # CK-3
OWN_DICE = 3  # CK-20
LAST_ROUND = 40  # CK-78

LEVELS = {  # CK-1, by the back of the card
    "fool": ("fool",),
    "I": ("farmer", "maid", "philosopher", "laborer", "guard"),
    "II": ("astronomer", "merchant", "hunter"),
    "III": ("pawnbroker", "knight", "magician", "lady"),
    "IV": ("alchemist", "bishop", "nobleman", "general"),
    "V": ("king", "queen"),
}
COPIES = {  # CK-1, CK-2: copies of each kind, by number of players
    2: {"fool": 2, "I": 2, "II": 1, "III": 1, "IV": 1, "V": 1},
    3: {"fool": 3, "I": 2, "II": 2, "III": 2, "IV": 2, "V": 1},
    4: {"fool": 4, "I": 3, "II": 3, "III": 2, "IV": 2, "V": 1},
    5: {"fool": 5, "I": 4, "II": 3, "III": 3, "IV": 3, "V": 1},
}
COMPULSORY = {"farmer": 1, "charlatan": 1, "general": 2}  # CK-42: dice per card
ADDED_FACE = {"laborer": 1, "guard": 2, "hunter": 3, "pawnbroker": 4, "knight": 5, "bishop": 6}
RAISE = {"lady": 1, "nobleman": 2}  # CK-63, CK-66


# Costs


def groups(result: Sequence[int], size: int) -> int:
    """How many separate groups of `size` equal dice the result contains; four of a kind is two pairs."""
    return sum(result.count(face) // size for face in FACES)


def has_three_and_two(result: Sequence[int]) -> bool:
    """CK-63: three and two of a kind; five of a kind counts."""
    for face in FACES:
        if result.count(face) >= 3:
            rest = sorted(result)
            for _ in range(3):
                rest.remove(face)
            if groups(rest, 2) >= 1:
                return True
    return False


COST: dict[str, Callable[[Sequence[int]], bool]] = {  # CK-32, CK-50…CK-69; the Queen is never bought
    "fool": lambda _: True,
    "farmer": lambda result: groups(result, 2) >= 1,
    "maid": lambda result: all(face % 2 == 1 for face in result),
    "philosopher": lambda result: all(face % 2 == 0 for face in result),
    "laborer": lambda result: sum(result) >= 15,
    "guard": lambda result: groups(result, 3) >= 1,
    "astronomer": lambda result: groups(result, 2) >= 2,
    "merchant": lambda result: sum(result) >= 20,
    "hunter": lambda result: groups(result, 4) >= 1,
    "pawnbroker": lambda result: sum(result) >= 30,
    "knight": lambda result: groups(result, 5) >= 1,
    "magician": lambda result: {1, 2, 3, 4, 5} <= set(result) or {2, 3, 4, 5, 6} <= set(result),
    "lady": has_three_and_two,
    "alchemist": lambda result: {1, 2, 3, 4, 5, 6} <= set(result),
    "bishop": lambda result: groups(result, 2) >= 3,
    "nobleman": lambda result: groups(result, 3) >= 2,
    "general": lambda result: groups(result, 6) >= 1,
    "king": lambda result: groups(result, 7) >= 1,
}


def value(result: Sequence[int]) -> tuple[int, int]:
    """CK-74: the greatest number of equal dice, then their face; greater is better."""
    return max((result.count(face), face) for face in FACES)


# What the cards can do with the active dice. Every function gives one text per distinct effect.


def words(dice: Iterable[int]) -> str:
    return " ".join(str(face) for face in sorted(dice))


@lru_cache(maxsize=5000)
def some_of(dice: tuple[int, ...]) -> tuple[str, ...]:
    """Every way to choose one or more of these dice; dice of equal face are interchangeable."""
    chosen: list[tuple[int, ...]] = [()]
    for face in FACES:
        chosen = [some + (face,) * copies for some in chosen for copies in range(dice.count(face) + 1)]
    return tuple(words(some) for some in chosen if some)


def contains(dice: Sequence[int], part: Sequence[int]) -> bool:
    return all(dice.count(face) >= part.count(face) for face in part)


def raised_by_maid(active: Sequence[int]) -> list[str]:
    """CK-53."""
    return [f"{face}+{pips}" for face in set(active) for pips in (1, 2, 3) if face + pips <= 6]


def moved_by_philosopher(active: Sequence[int]) -> list[str]:
    """CK-54, CK-37: where several moves leave the same dice, the one with the fewest pips."""
    fewest: dict[str, tuple[int, str]] = {}  # by effect: pips, text
    for giver in set(active):
        for taker in set(active):
            if not contains(active, (giver, taker)):
                continue
            for pips in range(1, 6):
                before = sorted((giver, taker))
                after = sorted((giver - pips, taker + pips))
                if giver - pips < 1 or taker + pips > 6 or after == before:
                    continue
                effect = f"{before} becomes {after}"
                move = (pips, f"{giver}-{pips}>{taker}")
                fewest[effect] = min(move, fewest.get(effect, move))
    return [text for _, text in fewest.values()]


def turned_to(active: Sequence[int], faces: Iterable[int]) -> list[str]:
    """CK-57, CK-62, CK-37: one active die turned to one of these faces, and really changed."""
    return [f"{old}={new}" for old in set(active) for new in set(faces) if new != old]


# CK-64: all shifts among two or three dice, {dice before: [dice after]}. A face on both sides would be a die
# that does not take part, so a shift that has one is either a smaller shift or none at all (CK-37).
SHIFTS: dict[tuple[int, ...], list[tuple[int, ...]]] = {
    before: [
        after
        for after in combinations_with_replacement(FACES, size)
        if sum(after) == sum(before) and not set(after) & set(before)
    ]
    for size in (2, 3)
    for before in combinations_with_replacement(FACES, size)
}


@lru_cache(maxsize=5000)
def shifted_by_alchemist(active: tuple[int, ...]) -> tuple[str, ...]:
    """CK-64."""
    return tuple(
        f"{words(before)} = {words(after)}"
        for before, afters in SHIFTS.items()
        if contains(active, before)
        for after in afters
    )


class Oracle:
    """One match. Chance plays one outcome at a time, seats play whole actions."""

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        """CK-1…CK-4: the display is filled; the start player is still to be drawn."""
        self.seats = seats
        self.display = {kind: COPIES[seats][back] for back, kinds in LEVELS.items() for kind in kinds}
        self.owned: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.round = 0
        self.start: int | None = None
        self.order: list[int] = []  # the seats of this round
        self.waiting: list[int] = []  # those of them whose turn is still to come
        self.player: int | None = None
        self.phase = "lot"
        self.final = False
        self.best: tuple[int, tuple[int, int]] | None = None  # seat, value
        self.king_result: list[int] | None = None
        self.results: list[list[int] | None] = [None] * seats
        self.reason: str | None = None
        self.clear_table()

    def clear_table(self) -> None:
        """CK-29: no dice in the turn, all cards ready."""
        self.hand = 0
        self.rolling = 0
        self.active: list[int] = []
        self.aside: list[int] = []
        self.must_keep = False
        self.used: set[str] = set()
        self.is_untouched = True  # nothing done yet in this turn: the moment to pass (CK-73)

    # Who decides, and between what

    def actors(self) -> tuple[int, ...]:
        if self.phase in ("lot", "rolling"):
            return (CHANCE,)
        return () if self.player is None else (self.player,)

    def odds(self) -> dict[str, int]:
        return dict.fromkeys(self.actions(CHANCE), 1)

    def actions(self, seat: int) -> list[str]:
        if seat not in self.actors():
            return []
        if self.phase == "lot":
            return [f"seat {each}" for each in range(self.seats)]
        if self.phase == "rolling":
            return [str(face) for face in FACES]
        if self.phase == "take":
            return sorted(self.takes())
        texts = [f"keep {some}" for some in some_of(tuple(self.active))]
        if not self.must_keep:  # CK-22; before the first roll there is no duty
            texts.append("roll")
        if self.final and self.is_untouched:  # CK-73
            texts.append("pass")
        for card in self.owned[seat]:
            if self.owned[seat][card] > 0 and card not in self.used:  # CK-25
                texts += [f"use {card} {how}".rstrip() for how in self.uses(card)]
        return sorted(texts)

    def uses(self, card: str) -> Sequence[str]:
        """CK-26, CK-50…CK-68: the ways to use this card now; "" is a use that needs no more words."""
        active = self.active
        if card in ADDED_FACE or card == "queen":
            if self.hand + len(active) + len(self.aside) >= DICE:  # CK-3
                return []
            if card == "queen" and self.phase == "active":
                return [str(face) for face in FACES]
            return [""]  # CK-25: before the first roll the Queen names no face
        if card == "fool":
            return [str(face) for face in set(active)]
        if card == "merchant":
            return some_of(tuple(active))
        if card in RAISE:
            return some_of(tuple(face for face in active if face + RAISE[card] <= 6))
        if card == "maid":
            return raised_by_maid(active)
        if card == "philosopher":
            return moved_by_philosopher(active)
        if card == "astronomer":
            return turned_to(active, self.aside)
        if card == "magician":
            return turned_to(active, FACES)
        if card == "alchemist":
            return shifted_by_alchemist(tuple(active))
        return []  # Farmer, Charlatan, General and King have nothing to use

    def takes(self) -> list[str]:
        """CK-30…CK-36: what the result can gain."""
        assert self.player is not None
        mine = self.owned[self.player]
        texts = ["take none"]
        if mine["fool"]:  # CK-34
            texts.append("take charlatan")
        for kind, is_met in COST.items():
            if self.display[kind] and not mine[kind] and is_met(self.aside):  # CK-31, CK-33, CK-35
                texts.append(f"take {kind}")
        return texts

    # What an action does

    def play(self, seat: int, text: str) -> None:
        verb, _, rest = text.partition(" ")
        if seat == CHANCE:
            if verb == "seat":
                self.begin_round(int(rest))
            else:
                self.land(int(verb))
            return
        self.is_untouched = False
        if verb == "roll":  # CK-21, CK-23
            self.must_keep = True
            self.throw(self.hand + len(self.active))
            self.hand = 0
            self.active = []
        elif verb == "keep":
            self.keep([int(face) for face in rest.split()])
        elif verb == "use":
            card, _, how = rest.partition(" ")
            self.use(card, how)
        elif verb == "take":
            self.take(rest)
        elif verb == "pass":
            self.results[seat] = []
            self.next_turn()

    def throw(self, dice: int) -> None:
        self.rolling = dice
        self.phase = "rolling"

    def land(self, face: int) -> None:
        self.rolling -= 1
        self.replace([], [face])
        if self.rolling == 0:
            self.phase = "active"

    def replace(self, old: list[int], new: list[int]) -> None:
        """Some active dice go, others come."""
        for face in old:
            self.active.remove(face)
        self.active = sorted(self.active + new)

    def keep(self, dice: list[int]) -> None:
        """CK-22, CK-24, CK-27."""
        self.replace(dice, [])
        self.aside = sorted(self.aside + dice)
        self.must_keep = False
        if not self.active:
            if self.final:
                self.try_for_the_crown()
                self.next_turn()
            else:
                self.phase = "take"

    def use(self, card: str, how: str) -> None:
        """CK-50…CK-68. The duty of CK-22 stays as it is (CK-28)."""
        self.used.add(card)
        if card in ADDED_FACE or card == "queen":
            if self.phase == "hand":  # CK-25
                self.hand += 1
            else:
                self.replace([], [int(how) if card == "queen" else ADDED_FACE[card]])
        elif card in ("fool", "merchant"):
            dice = [int(face) for face in how.split()]
            self.replace(dice, [])
            self.throw(len(dice))
        elif card in RAISE:
            dice = [int(face) for face in how.split()]
            self.replace(dice, [face + RAISE[card] for face in dice])
        elif card == "maid":
            face, pips = (int(number) for number in how.split("+"))
            self.replace([face], [face + pips])
        elif card == "philosopher":
            giver, pips, taker = (int(number) for number in how.replace(">", "-").split("-"))
            self.replace([giver, taker], [giver - pips, taker + pips])
        elif card in ("astronomer", "magician", "alchemist"):
            before, after = ([int(face) for face in side.split()] for side in how.split("="))
            self.replace(before, after)

    def take(self, kind: str) -> None:
        """CK-30…CK-35, CK-70."""
        assert self.player is not None
        mine = self.owned[self.player]
        if kind == "charlatan":
            mine["fool"] -= 1
            mine["charlatan"] += 1
        elif kind != "none":
            for card in ("king", "queen") if kind == "king" else (kind,):
                self.display[card] -= 1
                mine[card] += 1
        if kind == "king":  # CK-73: the first best result
            self.king_result = self.aside
            self.best = (self.player, value(self.aside))
        self.next_turn()

    def holder(self, card: str) -> int | None:
        """The seat that owns the King, or the Queen."""
        for seat in range(self.seats):
            if self.owned[seat][card]:
                return seat
        return None

    def try_for_the_crown(self) -> None:
        """CK-73…CK-76, CK-78: a finished result of the final round."""
        assert self.player is not None
        self.results[self.player] = self.aside
        mine = value(self.aside)
        if self.best is not None:
            is_enough = mine >= self.best[1] if self.player == self.holder("queen") else mine > self.best[1]
            if not is_enough:
                return
        self.best = (self.player, mine)
        king = self.holder("king")
        if king is not None:  # without a King taken from the display there is none to win (CK-78)
            self.owned[king]["king"] -= 1
            self.owned[self.player]["king"] += 1

    # Turns and rounds

    def begin_round(self, start: int) -> None:
        """CK-10, CK-72, CK-78."""
        self.round += 1
        self.start = start
        self.order = [(start + place) % self.seats for place in range(self.seats)]
        queen = self.holder("queen")
        self.final = queen is not None or self.round > LAST_ROUND
        if queen is not None:  # CK-72
            self.order.remove(queen)
            self.order.append(queen)
        self.waiting = list(self.order)
        self.next_turn()

    def next_turn(self) -> None:
        """CK-11, CK-20, CK-29."""
        self.clear_table()
        if not self.waiting:
            if self.final:
                self.finish()
            else:
                assert self.start is not None
                self.begin_round((self.start - 1) % self.seats)
            return
        self.player = self.waiting.pop(0)
        mine = self.owned[self.player]
        if self.final and mine["queen"] and mine["king"]:  # CK-76
            self.finish()
            return
        self.phase = "hand"
        self.hand = OWN_DICE + sum(dice * mine[card] for card, dice in COMPULSORY.items())

    def finish(self) -> None:
        """CK-77, CK-78."""
        self.player = None
        self.phase = "over"
        if self.holder("king") is not None:
            self.reason = "king"
        elif self.best is not None:
            self.reason = "rounds"
        else:
            self.reason = "all_passed"

    def outcome(self) -> tuple[tuple[int, ...], tuple[int, ...], str] | None:
        if self.reason is None:
            return None
        if self.reason == "king":
            winners = [self.holder("king")]
        elif self.best is not None:
            winners = [self.best[0]]
        else:
            winners = list(range(self.seats))
        ranks = tuple(1 if seat in winners else 2 for seat in range(self.seats))
        points = tuple(1 if seat in winners else 0 for seat in range(self.seats))
        return ranks, points, self.reason

    def snapshot(self) -> dict[str, object]:
        best = None
        if self.best is not None:
            seat, (count, face) = self.best
            best = {"seat": seat, "count": count, "face": face}
        return {
            "round": self.round,
            "start": self.start,
            "order": list(self.order),
            "player": self.player,
            "phase": self.phase,
            "hand": self.hand,
            "rolling": self.rolling,
            "active": list(self.active),
            "aside": list(self.aside),
            "must_keep": self.must_keep,
            "used": sorted(self.used),
            "display": dict(self.display),
            "owned": [{card: copies for card, copies in mine.items() if copies} for mine in self.owned],
            "king": self.holder("king"),
            "queen": self.holder("queen"),
            "final": self.final,
            "best": best,
            "king_result": None if self.king_result is None else list(self.king_result),
            "results": [None if result is None else list(result) for result in self.results],
        }

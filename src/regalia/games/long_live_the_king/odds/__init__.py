"""The odds of a dispute, exactly: no simulation.

    win_odds(["x1 x2 x3", "x1 x1", ""], additions_of(3, courtiers=2, noble=True))
    choice_odds("x1 x1 x2 x3", 0, [{}, {"x1 x1": 1, "x2": 3}, {"x1": 1}], additions)

Players stand in the order of the dispute: the intruder, the defender, the others. Dice go where they give most (LK-52).

How ties are counted (LK-54). Look at totals from the highest level down. Players whose totals are not yet seen are
independent of each other, each known only to be at most the level. If nobody is at a level, go one down; if one is, that
one has won; if several are, they roll again, and this is the same question for these alone, at this level and above:
either one of them wins there, or all fall below, and then everybody is known to be below the level, as if nobody had
been at it. So for each group, from the top down, two things suffice: how likely each of it wins at this level or above,
and how likely all of it fall below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regalia.core.errors import SetupError
from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.components import (
    CARD_NAMES,
    FACES,
    HAND,
    MOST_STAKED,
    PIECE,
    SEATS,
    STAKES,
    VALUES,
    VOTES,
)

Floats = NDArray[np.float64]
Belief = Mapping[str, float]  # a stake's text and how likely it is, relative to the others

MOST_ADDED = PIECE * (int(VOTES.max()) + 1)
LEVELS = MOST_STAKED * FACES * VALUES + MOST_ADDED + 1  # every total a player can have
MOST_DISPUTES = 20_000  # that one call looks at
LEVELS_OF_OTHERS = {
    "little": 1,
    "middling": 3,
    "much": MOST_STAKED,
}  # how many cards each of the others stakes


def additions_of(players: int, courtiers: int, noble: bool) -> list[int]:
    """LK-53: what intruder, defender and others add."""
    if not 0 <= courtiers <= int(VOTES.max()) or not (courtiers or noble):
        raise SetupError("long_live_the_king.odds.pieces", courtiers=courtiers, most=int(VOTES.max()))
    return [PIECE, PIECE * (courtiers + noble), *[0] * (players - 2)]


def read_cards(text: str, most: int = MOST_STAKED) -> tuple[int, ...]:
    """How many cards of each value a text names; none for an empty one."""
    words = text.casefold().split()
    if len(words) > most or any(word not in CARD_NAMES for word in words):
        raise SetupError("long_live_the_king.odds.cards", cards=text[:40], most=most)
    return tuple(words.count(name) for name in CARD_NAMES)


def write_cards(cards: Sequence[int]) -> str:
    return " ".join(CARD_NAMES[value] for value in range(VALUES) for _ in range(cards[value]))


@cache
def total_chances(cards: tuple[int, ...]) -> tuple[float, ...]:
    """How likely each total of the dice is, by looking at every multiset of dice once."""
    factors = [value + 1 for value in range(VALUES) for _ in range(cards[value])]
    chances = [0] * LEVELS
    for dice in combinations_with_replacement(range(1, FACES + 1), len(factors)):
        ways = factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))
        chances[sum(die * factor for die, factor in zip(dice, factors, strict=True))] += ways
    return tuple(ways / FACES ** len(factors) for ways in chances)


def win_odds(stakes: Sequence[str], additions: Sequence[int]) -> list[float]:
    """How likely each player wins a dispute, given the stakes of all and what they add."""
    return wins_of([read_cards(stake) for stake in stakes], additions)


def wins_of(stakes: Sequence[tuple[int, ...]], additions: Sequence[int]) -> list[float]:
    players = len(stakes)
    if not 3 <= players <= SEATS or not any(stakes[0]):
        raise SetupError("long_live_the_king.odds.players")
    if len(additions) != players or not 0 <= min(additions) <= max(additions) <= MOST_ADDED:
        raise SetupError("long_live_the_king.odds.additions", most=MOST_ADDED)
    chances = np.zeros((players, LEVELS))
    for player, (stake, addition) in enumerate(zip(stakes, additions, strict=True)):
        chances[player, addition:] = total_chances(stake)[: LEVELS - addition]
    wins, falls = np.zeros((1 << players, players)), np.ones(1 << players)
    fill_wins(chances, chances.cumsum(1), wins, falls)
    result: list[float] = wins[-1].tolist()
    return result


@kernel
def fill_wins(chances: Floats, at_most: Floats, wins: Floats, falls: Floats) -> None:
    """For every group (a bit per player): how likely each of it wins, and how likely all fall below the last level.

    chances[player, level] and at_most[player, level]: how likely a roll is at that level, and at it or below.
    """
    players = chances.shape[0]
    here = np.zeros(players)
    gains = np.zeros(players)
    for level in range(chances.shape[1] - 1, -1, -1):
        for player in range(players):
            below = at_most[player, level]
            here[player] = min(1.0, chances[player, level] / below) if below > 0 else 0.0
        for group in range(1 << players):
            if group & (group - 1) != 0 and falls[group] > 0:
                add_level(group, here, gains, wins, falls)


@kernel
def add_level(group: int, here: Floats, gains: Floats, wins: Floats, falls: Floats) -> None:
    """Extend a group's odds by one level, at which its members are with the odds `here`.

    Smaller groups have been extended already. If the whole group meets at the level, the question starts anew.
    """
    players = here.size
    for player in range(players):
        gains[player] = 0.0
    passing = 0.0
    again = 0.0
    part = group
    while True:
        chance = falls[group]
        for player in range(players):
            if group >> player & 1:
                chance *= here[player] if part >> player & 1 else 1.0 - here[player]
        if part == group:
            again = chance
        elif part == 0:
            passing += chance
        else:
            is_alone = part & (part - 1) == 0
            passing += 0.0 if is_alone else chance * falls[part]
            for player in range(players):
                if part >> player & 1:
                    gains[player] += chance if is_alone else chance * wins[part, player]
        if part == 0:
            break
        part = (part - 1) & group
    rest = 1.0 - again
    falls[group] = passing / rest if rest > 0 else 0.0
    if rest > 0:
        for player in range(players):
            wins[group, player] = (wins[group, player] + gains[player]) / rest


def expected_odds(beliefs: Sequence[Belief], additions: Sequence[int]) -> list[float]:
    """How likely each player wins, for beliefs about all stakes, each independent of the others."""
    read = [read_belief(belief) for belief in beliefs]
    if prod(map(len, read)) > MOST_DISPUTES:
        raise SetupError("long_live_the_king.odds.many", most=MOST_DISPUTES)
    expected = [0.0] * len(beliefs)
    for chosen in product(*read):
        weight = prod(likely for _, likely in chosen)
        for player, odds in enumerate(wins_of([cards for cards, _ in chosen], additions)):
            expected[player] += weight * odds
    return expected


def choice_odds(
    hand: str, player: int, beliefs: Sequence[Belief], additions: Sequence[int]
) -> dict[str, float]:
    """How likely the player wins with each stake the hand allows, the best first. Their own belief is not looked at."""
    held = read_cards(hand, HAND * SEATS)
    own = [write_cards(stake) for stake in STAKES.tolist() if all(np.less_equal(stake, held))]
    disputes = len(own) * prod(len(belief) for seat, belief in enumerate(beliefs) if seat != player)
    if not own or disputes > MOST_DISPUTES:
        raise SetupError(
            "long_live_the_king.odds.many" if own else "long_live_the_king.odds.hand", most=MOST_DISPUTES
        )
    odds = {}
    for stake in own:
        tried = [{stake: 1.0} if seat == player else belief for seat, belief in enumerate(beliefs)]
        odds[stake] = expected_odds(tried, additions)[player]
    return dict(sorted(odds.items(), key=lambda item: -item[1]))


def read_belief(belief: Belief) -> list[tuple[tuple[int, ...], float]]:
    """Stakes and their probabilities."""
    total = sum(belief.values())
    if not 0 < total < np.inf or min(belief.values()) < 0:
        raise SetupError("long_live_the_king.odds.belief")
    return [(read_cards(text), weight / total) for text, weight in belief.items() if weight]


# --- The dispute of a view ---


def turn_odds(view: Mapping[str, Any]) -> dict[str, Any]:
    """How likely the reader of a view wins with each stake, if all others stake little, middling or much.

    {"seat": 2, "targets": [{"target": "little stake x1 x2", "odds": 0.41, "exact": True, "available": True}, …]}

    Little is the lowest card of each hand, middling three cards from its middle, much its five highest; where a hand is
    not wholly known, what is unknown is taken as the share it has in the pool. The odds are exact for these stakes.
    """
    seat = view["you"]
    if view["phase"] != "stakes" or seat not in view["actors"]:
        return {"seat": None, "targets": []}
    players = [(view["turn"] + k) % view["seats"] for k in range(view["seats"])]
    additions = [view["additions"][player] for player in players]
    held = [view["hands"][seat][name] for name in CARD_NAMES]
    own = [tuple(stake) for stake in STAKES.tolist() if all(np.less_equal(stake, held))]
    rows = []
    for level, most in LEVELS_OF_OTHERS.items():
        stakes = [guessed_stake(view, player, most) for player in players]
        for stake in own:
            stakes[players.index(seat)] = stake
            odds = wins_of(stakes, additions)[players.index(seat)]
            target = f"{level} stake {write_cards(stake)}"
            rows.append({"target": target, "odds": round(odds, 12), "exact": True, "available": True})
    return {"seat": seat, "targets": rows}


def guessed_stake(view: Mapping[str, Any], seat: int, most: int) -> tuple[int, ...]:
    """So many cards of a seat's publicly expected hand: one from the bottom, three from the middle, five from the top."""
    cards = [value for value, count in enumerate(expected_hand(view, seat)) for _ in range(count)]
    taken = min(most, len(cards))
    start = {1: 0, MOST_STAKED: len(cards) - taken}.get(most, (len(cards) - taken) // 2)
    return tuple(cards[start : start + taken].count(value) for value in range(VALUES))


def expected_hand(view: Mapping[str, Any], seat: int) -> list[int]:
    """What everyone knows of a hand, and its unknown cards by the shares of the pool, the largest remainders first."""
    known = [view["known"][seat][name] for name in CARD_NAMES]
    pool, unknown = [view["pool"][name] for name in CARD_NAMES], view["unknown"][seat]
    if not unknown:
        return known
    shares = [unknown * count / sum(pool) for count in pool]
    expected = [int(share) for share in shares]
    by_remainder = sorted(range(VALUES), key=lambda value: expected[value] - shares[value])
    for value in by_remainder[: unknown - sum(expected)]:
        expected[value] += 1
    return [number + more for number, more in zip(known, expected, strict=True)]

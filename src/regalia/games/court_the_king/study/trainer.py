"""The keep trainer: hands out of self-play, and the exact odds of everything that can be done with them.

    hand = deal("few", 7)             the same number is always the same hand
    rows = answers(hand)              every action with its odds, the best first
    throws(hand, "keep 5 5")          what the next roll can bring after it

A hand is a moment of a match that the game's policy plays against itself: some dice have been rolled, one must be set
aside, and there is a character to aim for, or in a final round the best result.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from regalia.core.arrays import States
from regalia.core.chance import Chance
from regalia.core.match import Match
from regalia.core.rng import seeded_rng
from regalia.games.court_the_king import GAME
from regalia.games.court_the_king.bots.policy import policy
from regalia.games.court_the_king.components import NAMES, POWERS
from regalia.games.court_the_king.odds import (
    BEST,
    LIMIT,
    SURE_ENOUGH,
    Answer,
    action_odds,
    is_available,
    solve_thoroughly,
    targets_of,
)
from regalia.games.court_the_king.odds.dice_multisets import handfuls
from regalia.games.court_the_king.odds.solution import TurnState, size_of
from regalia.games.court_the_king.state import Final, Phase, State
from regalia.study.trainer import Hand, Row, Throws

LEVELS = ("few", "more", "powers", "many", "final")
DICE_OF = {"few": (3, 4), "more": (5, 6), "powers": (3, 6), "many": (7, 12), "final": (3, 12)}
MANY_POWERS = 2  # ready, in hands of that level
MOST_THROWN = 6  # dice whose throws are all looked at
TOO_EASY = ("fool", "charlatan")  # to be had with any result
WORTH_ASKING = 0.03  # between the best action and the worst
ALL_BUT_SURE = 0.97
MOST_DICE_AT_ONCE = 6  # up to so many the answer is there at once


@dataclass(frozen=True)
class Solved:
    states: States
    answer: Answer
    rows: tuple[Row, ...]


def deal(level: str, number: int) -> Hand:
    """The hand of a number: out of the first matches of self-play that have one of this level to ask about."""
    chance = random.Random(f"{level} {number}")
    while True:
        moments = [states for states in self_play(chance) if fits(states[0], level)]
        for states in chance.sample(moments, len(moments)):
            for target in targets_for(states[0], chance):
                match = Match(GAME, states, Chance.of(number, None), origin=states)
                hand = Hand(match, int(states[0].turn), target)
                rows = answers(hand)
                if is_worth_asking(rows):
                    return hand


def self_play(chance: random.Random) -> Iterator[States]:
    """The moments of a match of the policy against itself at which dice have just been rolled."""
    engine = GAME.engine
    states = engine.start(chance.choice(GAME.seats), {})
    rng = seeded_rng(chance.getrandbits(32))
    steps = np.zeros(engine.steps, np.uint8)
    while actors := engine.actors(states):
        seat = actors[0]
        state = states[0]
        if seat >= int(state.seats):
            odds = engine.odds(states)
            step = chance.choices(range(len(odds)), [int(weight) for weight in odds])[0]
        else:
            if is_hand(state):
                yield states.copy()
            step = int(policy(state, seat, steps, rng))
        engine.apply(states, seat, step)


def is_hand(state: State) -> bool:
    return bool(state.phase in (Phase.TURN, Phase.FINAL) and state.duty and state.active.sum() > 1)


def fits(state: State, level: str) -> bool:
    least, most = DICE_OF[level]
    if (state.final == Final.NONE) == (level == "final"):
        return False
    if level == "powers" and sum(bool(state.ready[power]) for power in range(POWERS)) < MANY_POWERS:
        return False
    return least <= TurnState.of(state).dice <= most


def targets_for(state: State, chance: random.Random) -> list[str]:
    """What could be asked for, in some order: cards that are to be had."""
    if state.final != Final.NONE:
        return [BEST]
    names = [name for name in NAMES if name not in (*TOO_EASY, "queen") and is_available(state, name)]
    return chance.sample(names, len(names))


def is_worth_asking(rows: tuple[Row, ...]) -> bool:
    """Neither lost nor won whatever is done, and something to choose from."""
    keeps = [row.odds for row in rows]
    return len(rows) > 2 and keeps[0] <= ALL_BUT_SURE and keeps[0] - min(keeps) >= WORTH_ASKING


def answers(hand: Hand) -> tuple[Row, ...]:
    return solved(hand.match.state_bytes(), hand.target).rows


@lru_cache(16)
def solved(record: bytes, target: str) -> Solved:
    states = GAME.engine.layout.load(record)
    answer = solve_thoroughly(TurnState.of(states[0]), target, targets_of(states[0])[target], LIMIT)
    rows = [Row(row["action"], row["odds"]) for row in action_odds(states, answer)]
    rows.sort(key=lambda row: (-row.odds, -len(row.action)))  # of equals the one that leaves least to do
    return Solved(states, answer, tuple(rows))


def is_exact(hand: Hand) -> bool:
    """Else the odds are lower bounds."""
    return solved(hand.match.state_bytes(), hand.target).answer.exact


def is_quick(hand: Hand) -> bool:
    """Whether the answer is there at once."""
    return TurnState.of(hand_state(hand)).dice <= MOST_DICE_AT_ONCE


def hand_state(hand: Hand) -> State:
    state: State = GAME.engine.layout.load(hand.match.state_bytes())[0]
    return state


def throws(hand: Hand, action: str) -> Throws | None:
    """What rolling the active dice brings after an action; None where none are left, or too many."""
    found = solved(hand.match.state_bytes(), hand.target)
    after = found.states.copy()
    after["final"], after["phase"] = Final.NONE, Phase.TURN
    for step in GAME.engine.notation.read(action, after[0], hand.seat):
        GAME.engine.apply(after, hand.seat, step)
    turn = TurnState.of(after[0])
    dice = size_of(turn.active)
    if turn.duty or not 0 < dice <= MOST_THROWN:
        return None
    tables = handfuls()
    sure, rest, total = 0, 0.0, 6**dice
    for thrown in range(int(tables.start[dice]), int(tables.start[dice + 1])):
        ways = round(float(tables.odds[thrown]) * total)
        odds = found.answer.solution.odds(replace(turn, active=thrown, duty=True), found.answer.row)
        if odds > 1 - SURE_ENOUGH:
            sure += ways
        else:
            rest += ways * odds
    return Throws(sure, total, rest / (total - sure) if sure < total else 0.0)

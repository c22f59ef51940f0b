"""The odds of a turn: how likely each cost can be met with best play, and which action is best for a target.

    from regalia.games.court_the_king.odds import turn_odds
    turn_odds(match)                          a row for every character
    turn_odds(match, target="hunter")         and the odds of every action, the best first

Exact for turns of up to 7 dice (those that powers may add counted), whatever powers there are, and for larger ones as
long as there is not too much to work out (`limit`). Beyond that some powers are left out of account: those of least
use are not used, and those that add a die do so at once. What that gives can really be reached, so the true odds are
at least as good; such rows say `"exact": False`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from regalia.core.arrays import States, Steps
from regalia.core.errors import NotationError
from regalia.core.match import Match
from regalia.games.court_the_king import GAME
from regalia.games.court_the_king.components import ADDS, FACES, NAMES, POWERED, Character
from regalia.games.court_the_king.odds.dice_multisets import HANDFULS, handfuls
from regalia.games.court_the_king.odds.equivalence import LOST
from regalia.games.court_the_king.odds.solution import Solution, TurnState
from regalia.games.court_the_king.odds.solver import mark_paid, mark_value
from regalia.games.court_the_king.state import Final, Phase, State
from regalia.games.court_the_king.turn import IN_TURN
from regalia.games.court_the_king.view import Position

LIMIT = 4_000_000  # values to work out for one target (some tenths of a second) before powers are left out of account
IN_MEMORY = 16_000_000  # values to hold; targets are taken together as far as that allows
ALWAYS_EXACT = 7  # dice: so small a turn is worked out whatever it takes
SURE_ENOUGH = 1e-6  # so close to 1 that further powers would not show
FEW_POWERS = 2  # as many are counted on first; more only for targets that these do not make sure
BEST = "best"  # the target of a final round: to have the best result (CK-73…76)

# Which powers to count on first: the strongest that change dice, then those that add one.
STRENGTH = [
    "ALCHEMIST",
    "MAGICIAN",
    "NOBLEMAN",
    "LADY",
    "PHILOSOPHER",
    "MERCHANT",
    "MAID",
    "FOOL",
    "ASTRONOMER",
    "QUEEN",
]
# Costs that a further die can spoil.
ALL_ALIKE = ("maid", "philosopher")


@dataclass(frozen=True)
class Answer:
    odds: float
    exact: bool  # False: at least so much
    solution: Solution
    row: int  # of the target in the solution


def turn_odds(
    match: Match | Mapping[str, Any] | States, target: str | None = None, limit: int = LIMIT
) -> dict[str, Any]:
    """The odds of the turn being played, as JSON-able data.

    match: a match, a view or position of one, or its record.
    target: a character to aim for, or "best" in a final round: adds the odds of each action, the best first.
    limit: how many values may be worked out for a target before powers are left out of account.

    {"seat": 0, "targets": [{"target": "guard", "odds": 0.1384, "exact": True, "available": True}, …],
     "target": "guard", "exact": True, "actions": [{"action": "keep 5 5", "odds": 0.1667}, …]}

    `odds` are those of meeting the cost; `available` says whether the card could then be taken; `exact` is False where
    the odds are a lower bound. Without a turn being played `seat` is None and there are no targets.
    """
    states = states_of(match)
    state = states[0]
    if state.phase not in IN_TURN:
        return {"seat": None, "targets": []}
    wanted = targets_of(state)
    if target is not None and target not in wanted:
        raise NotationError("court_the_king.odds.target", target=target, allowed=", ".join(wanted))
    answers = solve_targets(TurnState.of(state), wanted, limit)
    rows = [
        {
            "target": name,
            "odds": tidy(answer.odds),
            "exact": answer.exact,
            "available": is_available(state, name),
        }
        for name, answer in answers.items()
    ]
    result: dict[str, Any] = {"seat": int(state.turn), "targets": rows}
    if target is not None:
        answer = solve_thoroughly(TurnState.of(state), target, wanted[target], limit)
        result |= {"target": target, "exact": answer.exact, "actions": action_odds(states, answer)}
    return result


def tidy(odds: float) -> float:
    """Without the noise of the last digits."""
    return min(round(odds, 12), 1.0)


def states_of(match: Match | Mapping[str, Any] | States) -> States:
    """The record of what is asked about."""
    if isinstance(match, Mapping):
        known = ("game", "rules", "seats", "options", "phase", *Position.__struct_fields__)
        match = Match.from_position(GAME, {key: match[key] for key in known if key in match}, chance="manual")
    if isinstance(match, Match):
        return GAME.engine.layout.load(match.state_bytes())
    return match


# --- Targets ---


def targets_of(state: State) -> dict[str, Steps]:
    """The results that meet each target: every cost, or in a final round the value that makes the best result."""
    if state.final == Final.NONE:
        targets: dict[str, Steps] = {name: paid_by(name) for name in NAMES if name != "queen"}
        targets["charlatan"] = np.full(HANDFULS, bool(state.owned[state.turn, Character.FOOL]), np.uint8)
        return targets
    count, face = int(state.best_count), int(state.best_face)
    if not state.owned[state.turn, Character.QUEEN]:
        count, face = (count, face + 1) if face < FACES else (count + 1, 1)
    wanted = np.zeros(HANDFULS, np.uint8)
    mark_value(handfuls(), count, face, wanted)
    return {BEST: wanted}


@cache
def paid_by(name: str) -> Steps:
    wanted = np.zeros(HANDFULS, np.uint8)
    mark_paid(handfuls(), NAMES.index(name), wanted)
    return wanted


def is_available(state: State, name: str) -> bool:
    """CK-31…35, CK-71: whether the card can be had at all, whatever the dice."""
    if name == BEST:
        return True
    owned = state.owned[state.turn]
    if name == "charlatan":
        return bool(owned[Character.FOOL])
    return bool(state.display[NAMES.index(name)] and not owned[NAMES.index(name)])


# --- Working them out ---


def solve_targets(turn: TurnState, wanted: Mapping[str, Steps], limit: int) -> dict[str, Answer]:
    """Counts on few powers first, and on more for the targets that these do not make sure; on fewer if that is much."""
    powers = ranked(turn)
    few = min(FEW_POWERS, len(powers))
    answers: dict[str, Answer] = {}
    for count in (*range(few, len(powers), 2), len(powers), *range(few - 1, -1, -1)):
        asked = [name for name in wanted if name not in answers or (count >= few and not answers[name].exact)]
        alike = [name for name in asked if name in ALL_ALIKE]
        for names in ([name for name in asked if name not in ALL_ALIKE], alike):
            answers |= solve_group(turn, wanted, names, powers[:count], powers[count:], limit, False)
    return {name: answers[name] for name in wanted}


def solve_thoroughly(turn: TurnState, target: str, wanted: Steps, limit: int) -> Answer:
    """Counts on as many powers as can be: here every moment that may follow matters, not only the best."""
    powers = ranked(turn)
    for count in range(len(powers), 0, -1):
        held, spare = powers[:count], powers[count:]
        for answer in solve_group(turn, {target: wanted}, [target], held, spare, limit, True).values():
            return answer
    return solve_group(turn, {target: wanted}, [target], [], powers, limit, True)[target]


def solve_group(
    turn: TurnState,
    wanted: Mapping[str, Steps],
    names: Sequence[str],
    held: Sequence[int],
    spare: Sequence[int],
    limit: int,
    thorough: bool,
) -> dict[str, Answer]:
    """The answers for some targets, counting on the powers held; none if that is too much to work out."""
    if not names:
        return {}
    is_spoilt = names[0] in ALL_ALIKE
    spent = [power for power in spare if ADDS[power] and not is_spoilt]
    solution = Solution(turn, np.array([wanted[name] for name in names]), held, spent, thorough)
    if solution.size > IN_MEMORY and len(names) > 1:
        half = len(names) // 2
        parts = (names[:half], names[half:])
        return {
            name: answer
            for part in parts
            for name, answer in solve_group(turn, wanted, part, held, spare, limit, thorough).items()
        }
    is_small = solution.most <= ALWAYS_EXACT and (solution.size <= IN_MEMORY or not thorough)
    if held and not is_small and solution.size > limit * len(names):
        return {}
    answers = {}
    for row, name in enumerate(names):
        odds = solution.odds(turn, row)
        is_lost = solution.prospects.of[row, 0] == LOST and not is_spoilt
        answers[name] = Answer(odds, not spare or is_lost or odds > 1 - SURE_ENOUGH, solution, row)
    return answers


def ranked(turn: TurnState) -> list[int]:
    """The powers by how much there is in holding them back: those that add a die of a face that is there already first
    among their kind."""
    if turn.is_over:
        return []
    there = handfuls().counts[turn.active].astype(int) + handfuls().counts[turn.aside]

    def rank(power: int) -> tuple[int, int]:
        name = POWERED[power].name
        if name in STRENGTH:
            return STRENGTH.index(name), 0
        return len(STRENGTH), -int(there[ADDS[power] - 1]) * FACES - int(ADDS[power])

    return sorted(turn.powers, key=rank)


# --- Actions ---


def action_odds(states: States, answer: Answer) -> list[dict[str, Any]]:
    """The odds of a target after each action that is possible now, the best first."""
    engine = GAME.engine
    state = states[0]
    if state.phase not in (Phase.TURN, Phase.FINAL):
        return []
    seat = int(state.turn)
    start = states.copy()  # as a turn of a normal round: so the last die set aside leaves the result in sight
    start["final"], start["phase"] = Final.NONE, Phase.TURN
    rows = []
    for path in engine.paths(start, seat):
        after = start.copy()
        for step in path:
            engine.apply(after, seat, step)
        odds = answer.solution.odds(TurnState.of(after[0]), answer.row)
        rows.append({"action": engine.notation.write(path, state, seat), "odds": tidy(odds)})
    return sorted(rows, key=lambda row: -row["odds"])

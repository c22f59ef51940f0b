"""Why a bot chose an action, in words: message keys with their values."""

from __future__ import annotations

from regalia.bots.decision import Decision
from regalia.bots.opponents import Considered
from regalia.bots.search import load_knowledge
from regalia.core.arrays import States
from regalia.core.contract import Fact
from regalia.core.game import Game
from regalia.core.rng import seeded_rng

MOST_FACTS = 3


def reasons(
    game: Game, seen: States, seat: int, decision: Decision, considered: tuple[Considered, ...]
) -> tuple[Fact, ...]:
    """What it expects, facts about the position after the action, and the next best action."""
    if not considered:
        return ()
    best, *others = considered
    lines: list[Fact] = [
        ("bots.reason.expects", {"percent": round(100 * best.value), "simulations": decision.simulations})
    ]
    lines += facts(game, seen, seat, decision.path)[:MOST_FACTS]
    if others:
        lines.append(
            ("bots.reason.instead", {"action": others[0].action, "percent": round(100 * others[0].value)})
        )
    return tuple(lines)


def facts(game: Game, seen: States, seat: int, path: list[int]) -> list[Fact]:
    """The game's own words about an action. Both positions are such as the seat may believe."""
    known, engine = load_knowledge(game), game.engine
    before = engine.redeal(seen, seat, seeded_rng(0))
    after = before.copy()
    for step in path:
        engine.apply(after, seat, step)
    return list(known.module.facts(before[0], after[0], seat))

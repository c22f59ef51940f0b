"""What the server tells about games rather than tables."""

from __future__ import annotations

from typing import Any

from regalia import Match
from regalia.bots import BOTS
from regalia.core import rulebook
from regalia.core.game import Game
from regalia.server import protocol as wire
from regalia.study import examples, guide, trainer


def game_facts(game: Game) -> wire.GameFacts:
    state = game.module("state")
    from regalia.core.layout import Layout

    return wire.GameFacts(
        id=game.id,
        rules=game.rules,
        titles=dict(game.titles),
        designer=game.designer,
        published=game.published,
        minutes=game.minutes,
        seats=game.seats,
        options=tuple(
            wire.OptionFacts(option.name, option.values, option.values[0], option.seats)
            for option in game.options
        ),
        bots=tuple(wire.BotFacts(bot, min(5, max(1, rank))) for rank, bot in enumerate(BOTS)),
        has_secrets=Layout(state.State, max(game.seats)).hidden,
        by_hand=tuple(wire.ByHand(kind) for kind in game.by_hand),
        guide=len(guide.steps_of(game)) if guide.has_guide(game) else 0,
        has_trainer=trainer.has_trainer(game),
    )


def rulebook_of(game: Game) -> wire.Rulebook:
    chapters: dict[str, list[wire.ClauseFacts]] = {}
    for law in rulebook.laws(game):
        chapters.setdefault(law.chapter, []).append(wire.ClauseFacts(law.id, law.decided))
    return wire.Rulebook(
        game.id,
        tuple(wire.ChapterFacts(key, tuple(clauses)) for key, clauses in chapters.items()),
        {example.clause: example.shows for example in examples.examples_of(game)},
    )


def odds_of(match: Match, seat: int | None) -> dict[str, Any] | None:
    """A game with an exact reckoning has `odds.turn_odds(view)`: it is given the seat's own view."""
    if seat is None or seat not in match.actors:
        return None
    odds = match.game.part("odds")
    return None if odds is None else odds.turn_odds(match.view(seat))

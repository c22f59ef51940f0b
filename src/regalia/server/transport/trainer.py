"""A game's trainer over HTTP. Nothing is kept: a level and a number are a hand."""

from __future__ import annotations

from functools import partial

import msgspec

from regalia import GAMES, Game
from regalia.core.errors import RegaliaError
from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code
from regalia.server.transport.auth import language_of
from regalia.server.transport.routes import Request, Response
from regalia.study.trainer import Hand, Trainer, has_trainer, question, trainer_of, why

COST_OF_A_HAND = 20  # in positions worked out: a match of self-play, and all its answers


async def hand(request: Request) -> Response:
    game = GAMES.get(request.path["game"])
    if game is None or not has_trainer(game):
        raise Refused(Code.NOT_FOUND)
    asked: wire.TrainerRequest = request.body
    if asked.level and asked.level not in trainer_of(game).LEVELS:
        raise Refused(Code.NOT_FOUND)
    language = language_of(request.http.headers.get("accept-language", ""))
    return Response(await request.work_out(COST_OF_A_HAND, partial(dealt, game, asked, language)))


def dealt(game: Game, asked: wire.TrainerRequest, language: str) -> bytes:
    trainer = trainer_of(game)
    level = asked.level or trainer.LEVELS[0]
    hand = trainer.deal(level, asked.hand)
    answer = None if asked.answer is None else answered(trainer, hand, asked.answer)
    view = hand.match.view(hand.seat)
    known = {row.action for row in trainer.answers(hand)}
    view["actions"] = [action for action in view["actions"] if action in known]
    rows = () if answer is None else trainer.answers(hand)
    return msgspec.json.encode(
        wire.TrainerFacts(
            game=game.id,
            level=level,
            levels=trainer.LEVELS,
            hand=asked.hand,
            target=hand.target,
            ask=question(game, hand, language),
            exact=trainer.is_exact(hand),
            quick=trainer.is_quick(hand),
            view=view,
            answer=answer,
            rows=tuple(wire.TrainerRow(row.action, row.odds) for row in rows),
            why=() if answer is None else tuple(why(game, trainer, hand, answer, language)),
        )
    )


def answered(trainer: Trainer, hand: Hand, text: str) -> str:
    """The answer as the rules write it; what they refuse, or what was not asked, is refused."""
    try:
        action = hand.match.copy().play(hand.seat, text).action
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    if all(row.action != action for row in trainer.answers(hand)):
        raise Refused(Code.BAD_MESSAGE)
    return action

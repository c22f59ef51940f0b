"""The rules of a game over HTTP: how they are divided, its words, and examples to step through and to try.

Nothing is kept: an example and the actions on it say where somebody is.
"""

from __future__ import annotations

from functools import partial

import msgspec

from regalia import GAMES, SPECTATOR, Game
from regalia.core.errors import RegaliaError
from regalia.locale import LANGUAGES
from regalia.server import protocol as wire
from regalia.server.catalogue import rulebook_of
from regalia.server.model.refusals import Refused
from regalia.server.model.views import record_facts
from regalia.server.protocol import Code
from regalia.server.transport.auth import language_of
from regalia.server.transport.lessons import verdict_facts
from regalia.server.transport.routes import Request, Response
from regalia.study import examples
from regalia.study.glossary import Term, terms_of


async def chapters(request: Request) -> wire.Rulebook:
    return rulebook_of(game_of(request))


async def glossary(request: Request) -> Response:
    game = game_of(request)
    language = language_of(request.http.headers.get("accept-language", ""))
    cost = sum(1 + term.moment for term in terms_of(game))
    return Response(await request.work_out(cost, partial(explained, game, language)))


async def example(request: Request) -> Response:
    game, found = example_of(request)
    return Response(await request.work_out(1 + len(found.play), partial(stepped, game, found)))


async def attempt(request: Request) -> Response:
    game, found = example_of(request)
    asked: wire.AttemptRequest = request.body
    language = language_of(request.http.headers.get("accept-language", ""))
    cost = 1 + len(asked.actions) + len(asked.previews)
    return Response(await request.work_out(cost, partial(attempted, game, found.clause, asked, language)))


def game_of(request: Request) -> Game:
    game = GAMES.get(request.path["game"])
    if game is None:
        raise Refused(Code.NOT_FOUND)
    return game


def example_of(request: Request) -> tuple[Game, examples.Example]:
    game = game_of(request)
    try:
        return game, examples.find_example(game, request.path["clause"])
    except RegaliaError as error:
        raise Refused(Code.NOT_FOUND) from error


def explained(game: Game, language: str) -> bytes:
    terms = tuple(term_facts(game, term, language) for term in terms_of(game))
    return msgspec.json.encode(wire.Glossary(game.id, terms))


def term_facts(game: Game, term: Term, language: str) -> wire.TermFacts:
    shown = examples.find_example(game, term.example).at(game, term.moment)
    return wire.TermFacts(
        term=term.term,
        names={each: term.name(game, each) for each in LANGUAGES},
        forms=term.forms(game, language),
        text=term.text(game, language),
        clauses=term.clauses,
        view=shown.view(SPECTATOR),
        marks=term.marks,
    )


def stepped(game: Game, found: examples.Example) -> bytes:
    views = []
    for match in found.moments(game):
        views.append(match.view(SPECTATOR))
    first = match.ply - len(found.play)  # before it stands how the match was set up
    records = tuple(record_facts(match, ply, None, 0) for ply in range(first, match.ply))
    return msgspec.json.encode(wire.ExampleFacts(game.id, found.clause, found.marks, tuple(views), records))


def attempted(game: Game, clause: str, asked: wire.AttemptRequest, language: str) -> bytes:
    match, verdict = examples.tried(game, clause, asked.actions)
    seat = examples.due(match)
    try:
        previews = {action: match.preview(seat, action) for action in asked.previews}
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    return msgspec.json.encode(
        wire.AttemptFacts(
            game=game.id,
            clause=clause,
            verdict=None if verdict is None else verdict_facts(game, verdict, language),
            view=match.view(seat),
            records=tuple(record_facts(match, ply, seat, 0) for ply in range(match.ply)),
            previews=previews,
        )
    )

"""Analysis over HTTP. Nothing is kept: a beginning and the records since say where somebody is."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import msgspec

from regalia import GAMES, Game, Match
from regalia.core.errors import RegaliaError
from regalia.core.transcript import Record
from regalia.core.viewers import EVERYTHING, SPECTATOR, Viewer
from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import may_be_analysed
from regalia.server.model.values import Status
from regalia.server.model.views import record_facts
from regalia.server.ports import StudyFailed, Thought, TimeSource, Urgency
from regalia.server.protocol import Code
from regalia.server.transport.handlers import COST_OF_A_CHARACTER, COST_OF_A_RECORD
from regalia.server.transport.routes import Request, Response, Stream
from regalia.study import moment as moments
from regalia.study.analysis import analyse, seen_by
from regalia.study.tree import Chapter
from regalia.study.value import Value

COST_OF_A_MOMENT = 3  # in positions worked out
COST_OF_A_WISH = 40  # that chance bring the best, or the worst
REFRESH_MS = 240  # between two lines of a stream
MOST_TABLES = 50  # of a player, that are compared with what is analysed


async def moment(request: Request) -> Response:
    match = await match_asked_for(request)
    return Response(await request.services.workers.run(partial(told, match, request.body)))


async def match_asked_for(request: Request) -> Match:
    game = GAMES.get(request.path["game"])
    if game is None:
        raise Refused(Code.NOT_FOUND)
    asked: wire.AnalysisRequest = request.body
    cost = COST_OF_A_MOMENT + len(asked.records) * COST_OF_A_RECORD + len(asked.previews)
    if asked.chance not in (None, "roll"):
        cost += COST_OF_A_WISH
    match = await request.work_out(cost, partial(match_of, game, asked))
    await must_not_be_played(request, match)
    return match


async def lines(request: Request) -> Stream:
    """Values of a moment, at most four a second. Refusals come before the first."""
    if not request.services.study.is_on:
        raise Refused(Code.NOT_AT_THIS_TABLE, "study.error.no_study")
    asked: wire.LinesRequest = request.body
    match = await match_asked_for(request)
    position = seen_by(match, viewer_of(match, asked))
    thought = Thought(Urgency.ANALYSIS, analyse, (position, asked.lines))
    told = request.services.desk.think(request.caller.key, thought, asked.seconds)
    return Stream(encoded(told, position.sides, request.services.time))


async def encoded(
    told: AsyncGenerator[Any, None], sides: tuple[tuple[int, ...], ...], time: TimeSource
) -> AsyncGenerator[bytes, None]:
    last_ms, unsent = -REFRESH_MS, None
    try:
        async for answer in told:
            unsent = line_of(answer, sides)
            now_ms = time.steady_ms()
            if isinstance(answer, int) or now_ms - last_ms >= REFRESH_MS:
                yield unsent
                last_ms, unsent = now_ms, None
    except StudyFailed:
        pass  # what was told so far stands
    finally:
        await told.aclose()
    if unsent is not None:
        yield unsent


def line_of(answer: Value | int, sides: tuple[tuple[int, ...], ...]) -> bytes:
    if isinstance(answer, int):
        return msgspec.json.encode(wire.LinesFacts(answer)) + b"\n"
    found = tuple(
        wire.LineFacts(line.action, line.share, line.error, line.visits, line.replies)
        for line in answer.lines
    )
    facts = wire.LinesFacts(
        0, sides, answer.share, answer.error, answer.points, answer.exact, answer.simulations, found
    )
    return msgspec.json.encode(facts) + b"\n"


async def read(request: Request) -> Response:
    text = request.body.text
    return Response(await request.work_out(1 + len(text) * COST_OF_A_CHARACTER, partial(study_facts, text)))


# --- A moment ---


def match_of(game: Game, asked: wire.AnalysisRequest) -> Match:
    start = asked.start
    records = [Record(each.seat, each.action, each.outcomes) for each in asked.records]
    try:
        match = moments.match_at(game, start.position, start.seats, start.options, records)
        if asked.chance is not None:
            moments.let_fall(match, asked.chance)
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    return match


def told(match: Match, asked: wire.AnalysisRequest) -> bytes:
    viewer = viewer_of(match, asked)
    falls = moments.falls(match) if moments.is_chance(match) else []
    try:
        view = match.view(viewer)
        previews = {
            action: match.preview(viewer, action) for action in asked.previews if isinstance(viewer, int)
        }
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    facts = wire.AnalysisFacts(
        game=match.game.id,
        position=match.position_text(EVERYTHING),
        view=view,
        record=record_facts(match, match.ply - 1, SPECTATOR if viewer is SPECTATOR else EVERYTHING, 0),
        falls=tuple(wire.FallFacts(fall.outcomes, fall.odds) for fall in falls),
        previews=previews,
    )
    return msgspec.json.encode(facts)


def viewer_of(match: Match, asked: wire.AnalysisRequest) -> Viewer:
    """Who decides sees what it may see; between decisions everything lies open."""
    if asked.viewer == "spectator":
        return SPECTATOR
    if asked.seat is not None:
        return asked.seat
    if moments.is_chance(match) or match.is_over:
        return EVERYTHING
    return match.actors[0]


async def must_not_be_played(request: Request, match: Match) -> None:
    """Not a position that people play at this moment, by one of them: that would be help from outside."""
    player = request.caller.player
    if player is None:
        return
    rows = await request.services.store.tables(
        (Status.RUNNING,), (player.id, *player.also), match.game.id, limit=MOST_TABLES
    )
    for row in rows:
        table = await request.services.tables.open(row["id"])
        if table.match is None or may_be_analysed(table):
            continue
        for seat in table.seats_of(player.at(table).id):
            if seat < match.seats and table.match.position(seat) == match.position(seat):
                raise Refused(Code.NOT_AT_THIS_TABLE, "study.error.played_now")


# --- Texts ---


def study_facts(text: str) -> bytes:
    try:
        study = moments.read_text(text)
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    chapters = tuple(map(chapter_facts, study.chapters))
    return msgspec.json.encode(wire.StudyFacts(study.title, study.language, chapters))


def chapter_facts(chapter: Chapter) -> wire.StudyChapter:
    numbers = {node: number for number, node in enumerate(chapter.root.walk())}
    return wire.StudyChapter(
        title=chapter.title,
        **moments.beginning_of(chapter),
        nodes=tuple(
            wire.StudyNode(
                parent=None if node.parent is None else numbers[node.parent],
                seat=node.seat,
                action=node.action,
                outcomes=node.outcomes,
                comment=node.comment,
                mark=node.mark,
                places=tuple(node.places),
                arrows=tuple(node.arrows),
                share=node.share,
            )
            for node in numbers
        ),
    )

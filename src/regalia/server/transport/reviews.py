"""The routes of reviews: of matches that are over, for all who may look at their table."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from regalia import Match
from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import viewer
from regalia.server.model.table import Table
from regalia.server.model.values import Status
from regalia.server.protocol import Code, ReviewLevel, ReviewState
from regalia.server.runtime.reviews import Crowded, Growing
from regalia.server.transport.decoding import decoded_id
from regalia.server.transport.routes import Request
from regalia.study.examine import version
from regalia.study.value import rounded, sides_of


class ReviewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    view: wire.Seat | None = None  # as this seat knew it
    after: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    invite: Annotated[str, Meta(max_length=40)] = ""
    key: Annotated[str, Meta(max_length=40)] = ""  # of the link to watch


async def show(request: Request) -> wire.ReviewFacts:
    query: ReviewQuery = request.query
    table, match = await table_of(request, query.invite or query.key)
    view = view_of(match, query.view)
    told = facts(match, view, await request.services.reviews.look(table.id, view), query.after)
    is_off = told.state is ReviewState.NONE and not request.services.study.is_on
    return msgspec.structs.replace(told, state=ReviewState.OFF) if is_off else told


async def make(request: Request) -> wire.ReviewFacts:
    asked: wire.ReviewRequest = request.body
    table, match = await table_of(request, asked.invite or asked.key)
    if not request.services.study.is_on:
        raise Refused(Code.NOT_AT_THIS_TABLE, "study.error.off")
    view = view_of(match, asked.view)
    player = request.caller.must_be_player().at(table).id
    level = asked.level or (ReviewLevel.NORMAL if table.seats_of(player) else ReviewLevel.GLANCE)
    reviews = request.services.reviews
    if level is ReviewLevel.DEEP:
        known = await reviews.look(table.id, view)
        is_there = known is not None and known.level == level and not asked.renew
        if not is_there and not request.services.limiter.allows("deep", request.caller.key):
            raise Refused(Code.TOO_FAST, "study.error.too_many")
    try:
        growing = await reviews.ask(table.id, match, view, level, player, asked.renew)
    except Crowded as error:
        raise Refused(Code.TOO_FAST) from error
    return facts(match, view, growing, 0)


async def table_of(request: Request, secret: str) -> tuple[Table, Match]:
    """A table whose match was played to its end, for who may look at it."""
    table = await request.services.tables.open_newest(decoded_id(request.path["table"]))
    viewer(table, request.player_at(table), None, secret)
    if table.status is not Status.ENDED:
        raise Refused(Code.WRONG_PHASE, "study.error.running")
    match = table.started_match()
    if not match.is_over:
        raise Refused(Code.WRONG_PHASE, "study.error.broken_off")
    return table, match


def view_of(match: Match, seat: int | None) -> int | None:
    """From whose knowledge: where nothing is hidden, everybody's is the same."""
    if seat is not None and seat >= match.seats:
        raise Refused(Code.NOT_YOUR_SEAT, "study.error.no_seat")
    return seat if match.game.engine.layout.hidden else None


def facts(match: Match, view: int | None, growing: Growing | None, after: int) -> wire.ReviewFacts:
    state = ReviewState.NONE if growing is None else ReviewState(growing.state)
    told = wire.ReviewFacts(
        state, sides_of(match).seats, match.ply, view=view, hides=bool(match.game.engine.layout.hidden)
    )
    if growing is None:
        return told
    values = tuple(
        wire.ReviewValue(
            ply,
            tuple(rounded(value.share)),
            tuple(rounded(value.error)),
            tuple(rounded(value.points)),
            value.exact,
        )
        for ply, value in growing.told[after:]
    )
    return msgspec.structs.replace(
        told,
        level=ReviewLevel(growing.level),
        done=growing.done,
        of=growing.of,
        told=len(growing.told),
        values=values,
        outdated=growing.version != version(),
        body=None if growing.body is None else msgspec.Raw(growing.body),
    )

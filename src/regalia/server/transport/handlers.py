"""What each route of the API does: from a decoded request to its answer."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct

from regalia import GAMES, __version__
from regalia.bots import BOTS
from regalia.core.viewers import EVERYTHING
from regalia.core.viewers import Viewer as MatchViewer
from regalia.server import protocol as wire
from regalia.server.model import summary, views
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player, Viewer, viewer
from regalia.server.model.table import Table
from regalia.server.model.values import Status
from regalia.server.people.sessions import Session, label_of
from regalia.server.ports import StorageError
from regalia.server.protocol import Code, ListKind
from regalia.server.runtime.bot_pool import BotFailed
from regalia.server.services import Services
from regalia.server.transport.decoding import decoded_id
from regalia.server.transport.reach import base_for_others, reach
from regalia.server.transport.routes import Request, Response

Digits = Annotated[int, Meta(ge=0, le=1_000_000)]

# In positions worked out, the unit of the budget `work`.
COST_OF_A_RECORD = 0.1  # played again on the way to the first position of a replay
COST_OF_ODDS = 20
COST_OF_A_BOARD = 5  # its table may have to be read first
COST_OF_A_PICTURE = 10
COST_OF_A_START = 1
COST_OF_A_CHARACTER = 0.01  # of an uploaded transcript

STATUSES = {
    ListKind.OPEN: (Status.OPEN,),
    ListKind.RUNNING: (Status.RUNNING,),
    ListKind.FINISHED: (Status.ENDED,),
    ListKind.MINE: (Status.OPEN, Status.RUNNING, Status.ENDED),
}


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    list: ListKind = ListKind.OPEN
    game: wire.GameId | None = None
    before: Annotated[str, Meta(pattern=r"^\d{1,16}\.[A-Za-z0-9_-]{6,40}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class PreparationQuery(Struct, frozen=True, forbid_unknown_fields=True):
    game: wire.GameId | None = None


class BoardsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    tables: Annotated[tuple[wire.Id, ...], Meta(min_length=1, max_length=12)]


class TableQuery(Struct, frozen=True, forbid_unknown_fields=True):
    seat: wire.Seat | None = None
    invite: Annotated[str, Meta(max_length=40)] = ""
    key: Annotated[str, Meta(max_length=40)] = ""  # of the link to watch

    @property
    def secret(self) -> str:
        return self.invite or self.key


class CodeQuery(TableQuery, frozen=True, forbid_unknown_fields=True):
    to: wire.Seat | None = None  # the seat that who scans the code is led to


class FramesQuery(TableQuery, frozen=True, forbid_unknown_fields=True):
    first: Digits = 1
    last: Digits | None = None
    viewer: Literal["everything"] | None = None  # all hands, once the match is over


class PositionQuery(TableQuery, frozen=True, forbid_unknown_fields=True):
    ply: Digits | None = None


class OddsQuery(TableQuery, frozen=True, forbid_unknown_fields=True):
    seq: wire.Seq | None = None
    ply: wire.Ply | None = None


class PreviewQuery(OddsQuery, kw_only=True, frozen=True, forbid_unknown_fields=True):
    actions: Annotated[tuple[wire.ActionText, ...], Meta(min_length=1, max_length=16)]


# --- The server ---


async def health(request: Request) -> wire.Health:
    try:
        await request.services.store.rows("players", {"id": "none"})
    except StorageError as error:
        raise Refused(Code.STORAGE) from error
    return wire.Health(not request.services.is_stopping, __version__, wire.VERSION)


async def live(request: Request) -> wire.Health:
    """The process answers, whatever else is the matter."""
    return wire.Health(not request.services.is_stopping, __version__, wire.VERSION)


async def ready(request: Request) -> wire.Health:
    if await request.services.is_ready():
        return wire.Health(True, __version__, wire.VERSION)
    raise Refused(Code.STORAGE)


async def metrics(request: Request) -> Response:
    return Response(figures(request.services).encode(), "text/plain; version=0.0.4")


def figures(services: Services) -> str:
    """Of this process."""
    writer = getattr(services.store, "writer", None)
    counters = {name: float(count) for name, count in sorted(services.tables.counts.items())}
    if writer is not None:
        counters |= {
            "store_groups": writer.groups,
            "store_writes": writer.writes,
            "store_failures": writer.failures,
        }
    gauges = {
        "tables_loaded": float(sum(entry.table is not None for entry in services.tables.entries.values())),
        "bots_waiting": float(services.bots.waiting),
        "bots_hanging": float(services.bots.hanging),
        "study_waiting": float(services.study.waiting),
    }
    return services.metrics.text(gauges, counters)


async def games(_: Request) -> list[wire.GameFacts]:
    from regalia.server.catalogue import game_facts

    return [game_facts(game) for game in GAMES.values()]


async def preparation(request: Request) -> list[wire.Preparing]:
    loader = request.services.tables.loader
    if request.query.game is not None:
        loader.want(request.query.game)
    return [
        wire.Preparing(task.game.id, task.is_ready, task.done, task.total, task.has_failed)
        for task in loader.under_way()
    ]


async def reach_of(request: Request) -> wire.Reach:
    return reach(request.http.scope, request.services.settings)


# --- Players ---


async def guest(request: Request) -> Response:
    """A browser that is a player already stays that player and changes its name."""
    if request.caller.player is not None:
        return await rename(request)
    request.services.limiter.must_allow("guest", request.caller.address)
    label = label_of(request.http.headers.get("user-agent", ""))
    player, session = await request.services.players.new_guest(request.body.name, label)
    return known_again(player, session)


async def me(request: Request) -> Response:
    return known_again(request.caller.must_be_player(), request.caller.session)


async def rename(request: Request) -> Response:
    player = await request.services.players.rename(request.caller.must_be_player(), request.body.name)
    return known_again(player, request.caller.session)


def known_again(player: Player, session: Session | None) -> Response:
    """Who the player is; the browser keeps its session for longer."""
    return Response(msgspec.json.encode(facts_of(player)), session=session)


def facts_of(player: Player) -> wire.PlayerFacts:
    return wire.PlayerFacts(player.id, player.name, not player.is_account)


async def sessions(request: Request) -> list[wire.SessionFacts]:
    player, session = request.caller.must_be_here()
    return await request.services.sessions.listed(player.id, session.id)


async def end_session(request: Request) -> Response:
    """Also the own one: then the browser keeps none."""
    player, session = request.caller.must_be_here()
    name = request.path["session"]
    await request.services.sessions.end(player.id, name)
    left = await request.services.sessions.listed(player.id, session.id)
    return Response(msgspec.json.encode(left), forgets=name == session.id)


async def end_other_sessions(request: Request) -> list[wire.SessionFacts]:
    player, session = request.caller.must_be_here()
    await request.services.sessions.end_others(player.id, session.id)
    if request.body.tokens:
        await request.services.players.drop_tokens(player)
    return await request.services.sessions.listed(player.id, session.id)


async def tokens(request: Request) -> list[wire.TokenFacts]:
    return await request.services.players.tokens(request.caller.must_be_player())


async def new_token(request: Request) -> wire.TokenFacts:
    """Of an account: only in a browser, and only just after showing who one is."""
    if request.caller.must_be_player().is_account:
        request.services.accounts.must_be_fresh(*request.caller.must_be_here())
    return await request.services.players.new_token(request.caller.must_be_player(), request.body.label)


async def drop_token(request: Request) -> list[wire.TokenFacts]:
    player = request.caller.must_be_player()
    await request.services.players.drop_token(player, request.path["token"])
    return await request.services.players.tokens(player)


# --- Tables ---


async def list_tables(request: Request) -> wire.TableList:
    query: ListQuery = request.query
    players = None
    if query.list is ListKind.MINE:
        player = request.caller.must_be_player()
        players = (player.id, *player.also)
    before = None
    if query.before is not None:
        at, _, name = query.before.partition(".")
        before = int(at), name
    since = 0
    if query.list is ListKind.OPEN:
        since = request.services.time.wall_ms() - round(request.services.settings.open_h * 3_600_000)
    try:
        rows = await request.services.store.tables(
            tuple(map(str, STATUSES[query.list])), players, query.game, before, query.limit, since
        )
    except StorageError as error:
        raise Refused(Code.STORAGE) from error
    lines = tuple(views.list_line(summary.read(row["summary"])) for row in rows)
    more = f"{rows[-1]['updated_ms']}.{rows[-1]['id']}" if len(rows) == query.limit else None
    return wire.TableList(lines, more)


async def boards(request: Request) -> Response:
    """For lists: what everybody may see, also where the caller sits. What is not there for the caller is left out."""
    request.pay(len(request.query.tables) * COST_OF_A_BOARD)
    tables = []
    for table_id in dict.fromkeys(request.query.tables):
        try:
            table = await request.services.tables.open(table_id)
            viewer(table, request.player_at(table), None)
        except Refused:
            continue
        tables.append(table)
    return Response(await request.services.workers.run(views.boards(tables)))


async def new_table(request: Request) -> Response:
    player = request.caller.must_be_player()
    request.pay(COST_OF_A_START + len(request.body.transcript or "") * COST_OF_A_CHARACTER)
    table = await request.services.tables.create(player, request.body)
    seat = next(iter(table.seats_of(player.id)), None)
    table = await request.services.tables.open_told(table.id, player.id, seat, None)
    return Response(views.update(table, player.id, seat, "", None, request.services.now))


async def table_and_viewer(request: Request) -> tuple[Table, Viewer]:
    """The table, and who looks at it from where."""
    table = await request.services.tables.open_newest(decoded_id(request.path["table"]))
    return table, viewer(table, request.player_at(table), request.query.seat, request.query.secret)


async def show_table(request: Request) -> Response:
    table, who = await table_and_viewer(request)
    table = await request.services.tables.open_told(table.id, who.player, who.seat, None)
    return Response(
        views.update(table, who.player, who.seat, request.query.secret, None, request.services.now)
    )


async def command(request: Request) -> wire.Ack:
    if request.body.table != request.path["table"]:
        raise Refused(Code.BAD_MESSAGE, "server.error.field", None, field="$.table")
    player = request.caller.must_be_player()
    return await request.services.command(player, request.body)


async def frames(request: Request) -> Response:
    table, who = await table_and_viewer(request)
    last = (
        request.query.last
        if request.query.last is not None
        else min(table.ply, request.query.first + views.MOST_VIEWS - 1)
    )
    first, match = request.query.first, table.started_match().copy()
    views.check_plies(match, first, last)
    cost = last - first + 1 + first * COST_OF_A_RECORD
    seen_by: MatchViewer = who.seat
    if request.query.viewer is not None:
        if table.status is not Status.ENDED:
            raise Refused(Code.WRONG_PHASE)
        seen_by = EVERYTHING
    return Response(await request.work_out(cost, partial(views.replay, match, seen_by, first, last)))


async def transcript(request: Request) -> Response:
    table, who = await table_and_viewer(request)
    return Response(views.text(table, who.seat).encode(), "text/plain; charset=utf-8")


async def position(request: Request) -> Response:
    table, who = await table_and_viewer(request)
    match = table.started_match().copy()
    ply = match.ply if request.query.ply is None else request.query.ply
    views.check_plies(match, ply, ply)
    seen_by: MatchViewer = EVERYTHING if table.status is Status.ENDED else who.seat
    text = await request.work_out(1, lambda: match.at(ply).position_text(seen_by))
    return Response(text.encode(), "text/plain; charset=utf-8")


async def previews(request: Request) -> Response:
    table, who = await table_and_viewer(request)
    match = table.started_match().copy()
    if who.seat is None:
        raise Refused(Code.NOT_YOUR_SEAT)
    if not table.is_current(request.query.seq, request.query.ply):
        return Response(b"null")  # no mistake: the match went on while the question was on its way
    actions = request.query.actions
    return Response(await request.work_out(len(actions), partial(views.previews, match, who.seat, actions)))


async def odds(request: Request) -> Response:
    from regalia.server.catalogue import odds_of

    table, who = await table_and_viewer(request)
    match = table.started_match().copy()
    if not table.tells_odds:
        raise Refused(Code.NOT_AT_THIS_TABLE)
    if not table.is_current(request.query.seq, request.query.ply):
        return Response(b"null")  # as for previews
    chances = await request.work_out(COST_OF_ODDS, partial(odds_of, match, who.seat))
    if chances is None:
        raise Refused(Code.NOT_FOUND)
    return Response(msgspec.json.encode(chances))


async def hint(request: Request) -> wire.Hint:
    table = await request.services.tables.open_newest(decoded_id(request.path["table"]))
    who = viewer(table, request.caller.must_be_player().at(table).id, request.body.seat)
    bot = request.body.bot or BOTS[-1]
    match = views.hint_match(table, who, request.body, bot)
    try:
        choice = await request.services.bots.choose(match, request.body.seat, bot, views.hint_seed(table))
    except BotFailed as error:
        raise Refused(Code.NOT_AT_THIS_TABLE) from error
    return views.hint(table, bot, choice)


async def proof(request: Request) -> wire.Proof:
    table, _ = await table_and_viewer(request)
    return views.proof(table)


async def qr(request: Request) -> Response:
    from regalia.server.transport.qr import qr_svg

    table, who = await table_and_viewer(request)
    facts = views.facts(table, who, request.services.now)
    base = f"{base_for_others(request.http.scope, request.services.settings)}/t/{table.id}"
    wanted = {"invite": facts.invite, "seat": request.query.to}
    query = urlencode({name: value for name, value in wanted.items() if value is not None})
    address = f"{base}?{query}" if query else base
    return Response(await request.work_out(COST_OF_A_PICTURE, partial(qr_svg, address)), "image/svg+xml")

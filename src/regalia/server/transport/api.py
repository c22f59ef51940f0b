"""The HTTP API: every route under /api."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from regalia import GAMES, __version__
from regalia.bots import BOTS
from regalia.server import protocol as wire
from regalia.server.model import views
from regalia.server.model.commands import Player
from regalia.server.model.refusals import Refused
from regalia.server.model.table import Table
from regalia.server.model.views import Viewer
from regalia.server.players import token_topic
from regalia.server.ports import StorageError
from regalia.server.protocol import Code, ListKind, Status
from regalia.server.runtime.bot_pool import BotFailed
from regalia.server.transport import openapi
from regalia.server.transport.routes import Ask, Reply, Route

Digits = Annotated[int, Meta(ge=0, le=1_000_000)]

# In positions worked out, the unit of the budget `work`.
COST_OF_A_RECORD = 0.1  # played again on the way to the first position of a replay
COST_OF_ODDS = 20
COST_OF_A_PICTURE = 10
COST_OF_A_START = 1
COST_OF_A_CHARACTER = 0.01  # of an uploaded transcript

STATUSES = {
    ListKind.OPEN: (Status.OPEN,),
    ListKind.RUNNING: (Status.RUNNING,),
    ListKind.FINISHED: (Status.ENDED,),
    ListKind.MINE: (Status.OPEN, Status.RUNNING, Status.ENDED),
}


class Listing(Struct, frozen=True, forbid_unknown_fields=True):
    list: ListKind = ListKind.OPEN
    game: wire.GameId | None = None
    before: Annotated[str, Meta(pattern=r"^\d{1,16}\.[A-Za-z0-9_-]{6,40}$")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class Looking(Struct, frozen=True, forbid_unknown_fields=True):
    seat: wire.Seat | None = None
    invite: Annotated[str, Meta(max_length=40)] = ""


class Replaying(Looking, frozen=True, forbid_unknown_fields=True):
    first: Digits = 1
    last: Digits | None = None


class Reckoning(Looking, frozen=True, forbid_unknown_fields=True):
    seq: wire.Seq | None = None
    ply: wire.Ply | None = None


class Previewing(Reckoning, kw_only=True, frozen=True, forbid_unknown_fields=True):
    actions: Annotated[tuple[wire.ActionText, ...], Meta(min_length=1, max_length=16)]


# --- The server ---


async def health(ask: Ask) -> wire.Health:
    try:
        await ask.services.store.player("none")
    except StorageError as error:
        raise Refused(Code.STORAGE) from error
    return wire.Health(not ask.services.is_stopping, __version__, wire.VERSION)


async def metrics(ask: Ask) -> Reply:
    services = ask.services
    writer = getattr(services.store, "writer", None)
    counters = {name: float(count) for name, count in sorted(services.house.counts.items())}
    if writer is not None:
        counters |= {
            "store_groups": writer.groups,
            "store_writes": writer.writes,
            "store_failures": writer.failures,
        }
    gauges = {
        "tables_loaded": float(sum(slot.table is not None for slot in services.house.slots.values())),
        "bots_waiting": float(services.bots.waiting),
        "bots_hanging": float(services.bots.hanging),
    }
    return Reply(services.metrics.text(gauges, counters).encode(), "text/plain; version=0.0.4")


async def describe_api(_: Ask) -> Reply:
    return Reply(msgspec.json.encode(openapi.document(ROUTES)))


async def games(_: Ask) -> list[wire.GameFacts]:
    from regalia.server.catalogue import game_facts

    return [game_facts(game) for game in GAMES.values()]


async def rulebook(ask: Ask) -> wire.Rulebook:
    from regalia.server.catalogue import rulebook_of

    game = GAMES.get(ask.path["game"])
    if game is None:
        raise Refused(Code.NOT_FOUND)
    return rulebook_of(game)


# --- Players ---


async def guest(ask: Ask) -> Reply:
    """A browser that is a player already stays that player and changes its name."""
    if ask.caller.player is not None:
        return await rename(ask)
    ask.services.limiter.must_allow("guest", ask.caller.address)
    player, credential = await ask.services.people.new_guest(ask.body.name)
    return known_again(player, credential)


async def me(ask: Ask) -> Reply:
    return known_again(ask.caller.must_be_player(), ask.caller.cookie)


async def rename(ask: Ask) -> Reply:
    player = await ask.services.people.rename(ask.caller.must_be_player(), ask.body.name)
    return known_again(player, ask.caller.cookie)


def known_again(player: Player, cookie: str) -> Reply:
    """Who the player is; the cookie lasts a year from the last visit."""
    return Reply(msgspec.json.encode(wire.PlayerFacts(player.id, player.name)), cookie=cookie)


async def tokens(ask: Ask) -> list[wire.TokenFacts]:
    return await ask.services.people.tokens(ask.caller.must_be_player())


async def new_token(ask: Ask) -> wire.TokenFacts:
    return await ask.services.people.new_token(ask.caller.must_be_player(), ask.body.label)


async def drop_token(ask: Ask) -> list[wire.TokenFacts]:
    player = ask.caller.must_be_player()
    await ask.services.people.drop_token(player, ask.path["token"])
    ask.services.bus.publish(token_topic(ask.path["token"]))
    return await ask.services.people.tokens(player)


# --- Tables ---


async def list_tables(ask: Ask) -> wire.TableList:
    query: Listing = ask.query
    player = ask.caller.must_be_player().id if query.list is ListKind.MINE else None
    before = None
    if query.before is not None:
        at, _, name = query.before.partition(".")
        before = int(at), name
    since = 0
    if query.list is ListKind.OPEN:
        since = ask.services.clock.wall_ms() - round(ask.services.settings.open_h * 3_600_000)
    try:
        rows = await ask.services.store.tables(
            tuple(map(str, STATUSES[query.list])), player, query.game, before, query.limit, since
        )
    except StorageError as error:
        raise Refused(Code.STORAGE) from error
    found = tuple(msgspec.json.decode(row["summary"], type=wire.TableSummary) for row in rows)
    more = f"{rows[-1]['updated_ms']}.{rows[-1]['id']}" if len(rows) == query.limit else None
    return wire.TableList(found, more)


async def new_table(ask: Ask) -> Reply:
    player = ask.caller.must_be_player()
    ask.pay(COST_OF_A_START + len(ask.body.transcript or "") * COST_OF_A_CHARACTER)
    table = await ask.services.house.create(player, ask.body)
    seat = next(iter(table.seats_of(player.id)), None)
    return Reply(views.update(table, player.id, seat, "", None, ask.services.clock))


async def looked_at(ask: Ask) -> tuple[Table, Viewer]:
    """The table, and who looks at it from where."""
    table = await ask.services.house.open(checked_name(ask.path["table"]))
    player = ask.caller.player.id if ask.caller.player else None
    return table, views.viewer(table, player, ask.query.seat, ask.query.invite)


def checked_name(name: str) -> str:
    try:
        return msgspec.convert(name, wire.Id)
    except msgspec.ValidationError as error:
        raise Refused(Code.NOT_FOUND) from error


async def show_table(ask: Ask) -> Reply:
    table, who = await looked_at(ask)
    return Reply(views.update(table, who.player, who.seat, ask.query.invite, None, ask.services.clock))


async def command(ask: Ask) -> wire.Ack:
    if ask.body.table != ask.path["table"]:
        raise Refused(Code.BAD_MESSAGE, "server.error.field", None, field="$.table")
    player = ask.caller.must_be_player()
    return await commanded(ask.services, player, ask.body)


async def commanded(services: Any, player: Player, asked: wire.AnyCommand) -> wire.Ack:
    """A command over any channel, within the player's rate."""
    services.limiter.must_allow("chat" if isinstance(asked, wire.Chat) else "command", player.id)
    began = services.clock.steady_ms()
    ack: wire.Ack = await services.house.command(player, asked)
    services.metrics.command_s.add((services.clock.steady_ms() - began) / 1000)
    return ack


async def frames(ask: Ask) -> Reply:
    table, who = await looked_at(ask)
    last = (
        ask.query.last
        if ask.query.last is not None
        else min(table.ply, ask.query.first + views.MOST_FRAMES - 1)
    )
    first, match = ask.query.first, views.started(table).copy()
    views.check_plies(match, first, last)
    cost = last - first + 1 + first * COST_OF_A_RECORD
    return Reply(await ask.work_out(cost, partial(views.frames, match, who.seat, first, last)))


async def transcript(ask: Ask) -> Reply:
    table, who = await looked_at(ask)
    return Reply(views.text(table, who).encode(), "text/plain; charset=utf-8")


async def previews(ask: Ask) -> Reply:
    table, who = await looked_at(ask)
    match = views.started(table).copy()
    if who.seat is None:
        raise Refused(Code.NOT_YOUR_SEAT)
    if not table.is_current(ask.query.seq, ask.query.ply):
        return Reply(b"null")  # no mistake: the match went on while the question was on its way
    actions = ask.query.actions
    return Reply(await ask.work_out(len(actions), partial(views.previews, match, who.seat, actions)))


async def odds(ask: Ask) -> Reply:
    from regalia.server.catalogue import odds_of

    table, who = await looked_at(ask)
    match = views.started(table).copy()
    if not table.is_current(ask.query.seq, ask.query.ply):
        return Reply(b"null")  # as for previews
    found = await ask.work_out(COST_OF_ODDS, partial(odds_of, match, who.seat))
    if found is None:
        raise Refused(Code.NOT_FOUND)
    return Reply(msgspec.json.encode(found))


async def hint(ask: Ask) -> wire.Hint:
    table = await ask.services.house.open(checked_name(ask.path["table"]))
    who = views.viewer(table, ask.caller.must_be_player().id, ask.body.seat)
    bot = ask.body.bot or BOTS[-1]
    match = views.hint_match(table, who, ask.body, bot)
    try:
        choice = await ask.services.bots.choose(match, ask.body.seat, bot, views.hint_seed(table))
    except BotFailed as error:
        raise Refused(Code.NOT_AT_THIS_TABLE) from error
    return views.hint(table, bot, choice)


async def proof(ask: Ask) -> wire.Proof:
    table, _ = await looked_at(ask)
    return views.proof(table)


async def qr(ask: Ask) -> Reply:
    from regalia.server.transport.qr import qr_svg

    table, who = await looked_at(ask)
    facts = views.facts(table, who, ask.services.clock)
    base = f"{ask.services.settings.scheme}://{ask.request.headers['host']}/t/{table.id}"
    address = f"{base}?invite={facts.invite}" if facts.invite else base
    return Reply(await ask.work_out(COST_OF_A_PICTURE, partial(qr_svg, address)), "image/svg+xml")


ROUTES = [
    Route("GET", "/api/health", "Is the server well?", health, wire.Health),
    Route("GET", "/api/metrics", "Figures as Prometheus text.", metrics, str, media="text/plain"),
    Route("GET", "/api/openapi.json", "This document.", describe_api, dict[str, Any]),
    Route("GET", "/api/games", "The games, their options and bots.", games, list[wire.GameFacts]),
    Route(
        "GET",
        "/api/games/{game}/rulebook",
        "The chapters and clauses of a game's rules.",
        rulebook,
        wire.Rulebook,
    ),
    Route(
        "POST", "/api/guest", "Become a player, or change the name.", guest, wire.PlayerFacts, wire.NewGuest
    ),
    Route("GET", "/api/me", "Who you are.", me, wire.PlayerFacts, needs_player=True),
    Route(
        "PATCH", "/api/me", "Change your name.", rename, wire.PlayerFacts, wire.NewGuest, needs_player=True
    ),
    Route("GET", "/api/tokens", "Your tokens.", tokens, list[wire.TokenFacts], needs_player=True),
    Route(
        "POST", "/api/tokens", "A new token.", new_token, wire.TokenFacts, wire.NewToken, needs_player=True
    ),
    Route(
        "DELETE", "/api/tokens/{token}", "Drop a token.", drop_token, list[wire.TokenFacts], needs_player=True
    ),
    Route("GET", "/api/tables", "Lists of tables.", list_tables, wire.TableList, query=Listing),
    Route(
        "POST",
        "/api/tables",
        "Make a table.",
        new_table,
        wire.Update,
        wire.NewTable,
        needs_player=True,
        rate="create",
    ),
    Route("GET", "/api/tables/{table}", "A table as you may see it.", show_table, wire.Update, query=Looking),
    Route(
        "POST",
        "/api/tables/{table}/commands",
        "Do something at a table.",
        command,
        wire.Ack,
        wire.AnyCommand,
        needs_player=True,
    ),
    Route(
        "GET",
        "/api/tables/{table}/frames",
        "Replay: the views of each ply.",
        frames,
        wire.Frames,
        query=Replaying,
    ),
    Route(
        "GET",
        "/api/tables/{table}/transcript",
        "The transcript as you may see it.",
        transcript,
        str,
        query=Looking,
        media="text/plain",
    ),
    Route(
        "GET",
        "/api/tables/{table}/previews",
        "What you would see after each of up to 16 actions, before any chance; null if `seq` or `ply` has passed.",
        previews,
        wire.Previews | None,
        query=Previewing,
    ),
    Route(
        "GET",
        "/api/tables/{table}/odds",
        "The chances of your turn, where the game has such a reckoning; null if `seq` or `ply` has passed.",
        odds,
        dict[str, Any] | None,
        query=Reckoning,
    ),
    Route(
        "POST",
        "/api/tables/{table}/hint",
        "A bot's choice on your own view.",
        hint,
        wire.Hint,
        wire.HintRequest,
        needs_player=True,
        rate="hint",
    ),
    Route(
        "GET",
        "/api/tables/{table}/proof",
        "What proves the dice, at the end.",
        proof,
        wire.Proof,
        query=Looking,
    ),
    Route(
        "GET",
        "/api/tables/{table}/qr.svg",
        "The invitation as a picture.",
        qr,
        bytes,
        query=Looking,
        media="image/svg+xml",
    ),
]

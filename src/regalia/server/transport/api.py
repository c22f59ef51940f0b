"""The HTTP API: every route under /api."""

from __future__ import annotations

from typing import Any

import msgspec

from regalia.server import protocol as wire
from regalia.server.transport import handlers, lessons, links, openapi
from regalia.server.transport.routes import Request, Response, Route


async def describe_api(_: Request) -> Response:
    return Response(msgspec.json.encode(openapi.document(ROUTES)))


ROUTES = [
    Route("GET", "/api/health", "Is the server well?", handlers.health, wire.Health),
    Route("GET", "/api/metrics", "Figures as Prometheus text.", handlers.metrics, str, media="text/plain"),
    Route("GET", "/api/openapi.json", "This document.", describe_api, dict[str, Any]),
    Route(
        "GET",
        "/api/games",
        "The games, their options and bots.",
        handlers.games,
        list[wire.GameFacts],
    ),
    Route(
        "GET",
        "/api/preparation",
        "How far the games are that had to be compiled; empty once all are ready. A game that is named comes first.",
        handlers.preparation,
        list[wire.Preparing],
        query=handlers.PreparationQuery,
    ),
    Route(
        "GET",
        "/api/games/{game}/rulebook",
        "The chapters and clauses of a game's rules.",
        handlers.rulebook,
        wire.Rulebook,
    ),
    Route(
        "GET",
        "/api/games/{game}/guide",
        "The steps of the guide to a game.",
        lessons.steps,
        wire.GuideFacts,
    ),
    Route(
        "POST",
        "/api/games/{game}/lesson",
        "A step of the guide, after some answers.",
        lessons.lesson,
        wire.LessonFacts,
        wire.LessonRequest,
    ),
    Route(
        "POST",
        "/api/guest",
        "Become a player, or change the name.",
        handlers.guest,
        wire.PlayerFacts,
        wire.NewGuest,
    ),
    Route("GET", "/api/me", "Who you are.", handlers.me, wire.PlayerFacts, needs_player=True),
    Route(
        "PATCH",
        "/api/me",
        "Change your name.",
        handlers.rename,
        wire.PlayerFacts,
        wire.NewGuest,
        needs_player=True,
    ),
    Route("GET", "/api/tokens", "Your tokens.", handlers.tokens, list[wire.TokenFacts], needs_player=True),
    Route(
        "POST",
        "/api/tokens",
        "A new token.",
        handlers.new_token,
        wire.TokenFacts,
        wire.NewToken,
        needs_player=True,
    ),
    Route(
        "DELETE",
        "/api/tokens/{token}",
        "Drop a token.",
        handlers.drop_token,
        list[wire.TokenFacts],
        needs_player=True,
    ),
    Route(
        "GET",
        "/api/tables",
        "Lists of tables.",
        handlers.list_tables,
        wire.TableList,
        query=handlers.ListQuery,
    ),
    Route(
        "GET",
        "/api/boards",
        "The positions of up to 12 tables as everybody may see them.",
        handlers.boards,
        wire.Boards,
        query=handlers.BoardsQuery,
    ),
    Route(
        "POST",
        "/api/tables",
        "Make a table.",
        handlers.new_table,
        wire.Update,
        wire.NewTable,
        needs_player=True,
        rate="create",
    ),
    Route(
        "GET",
        "/api/tables/{table}",
        "A table as you may see it.",
        handlers.show_table,
        wire.Update,
        query=handlers.TableQuery,
    ),
    Route(
        "POST",
        "/api/tables/{table}/commands",
        "Do something at a table.",
        handlers.command,
        wire.Ack,
        wire.AnyCommand,
        needs_player=True,
    ),
    Route(
        "GET",
        "/api/tables/{table}/frames",
        "Replay: the views of each ply.",
        handlers.frames,
        wire.Frames,
        query=handlers.FramesQuery,
    ),
    Route(
        "GET",
        "/api/tables/{table}/transcript",
        "The transcript as you may see it.",
        handlers.transcript,
        str,
        query=handlers.TableQuery,
        media="text/plain",
    ),
    Route(
        "GET",
        "/api/tables/{table}/previews",
        "What you would see after each of up to 16 actions, before any chance; null if `seq` or `ply` has passed.",
        handlers.previews,
        wire.Previews | None,
        query=handlers.PreviewQuery,
    ),
    Route(
        "GET",
        "/api/tables/{table}/odds",
        "The chances of your turn, where the game has such a reckoning; null if `seq` or `ply` has passed.",
        handlers.odds,
        dict[str, Any] | None,
        query=handlers.OddsQuery,
    ),
    Route(
        "POST",
        "/api/tables/{table}/hint",
        "A bot's choice on your own view.",
        handlers.hint,
        wire.Hint,
        wire.HintRequest,
        needs_player=True,
        rate="hint",
    ),
    Route(
        "GET",
        "/api/tables/{table}/proof",
        "What proves the dice, at the end.",
        handlers.proof,
        wire.Proof,
        query=handlers.TableQuery,
    ),
    Route(
        "GET",
        "/api/tables/{table}/qr.svg",
        "The invitation as a picture.",
        handlers.qr,
        bytes,
        query=handlers.TableQuery,
        media="image/svg+xml",
    ),
    Route(
        "GET",
        "/api/tables/{table}/card.png",
        "The board as a spectator sees it, for sites that show a link.",
        links.card,
        bytes,
        query=links.CardQuery,
        media="image/png",
    ),
]

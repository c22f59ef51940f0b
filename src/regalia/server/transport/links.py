"""What a link shows where it is posted: a title, a sentence and a picture, as a stranger who has the link may see it.

Whoever asks, it is the spectator's view: a site that shows the link shows it to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Annotated, Literal
from urllib.parse import urlencode

from msgspec import Meta
from starlette.requests import Request as HttpRequest

from regalia.core.errors import SetupError
from regalia.core.match import Match
from regalia.core.viewers import SPECTATOR
from regalia.locale import LANGUAGES, say
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import viewer
from regalia.server.model.table import Chair, Table
from regalia.server.model.values import Status
from regalia.server.protocol import Code
from regalia.server.services import Services
from regalia.server.transport.auth import address_of, language_of
from regalia.server.transport.decoding import decoded_id
from regalia.server.transport.handlers import Digits, TableQuery, table_and_viewer
from regalia.server.transport.routes import Request, Response

COST_OF_A_CARD = 40  # in positions worked out
FOR_OTHER_SITES = (
    ("cache-control", "public, max-age=300"),
    ("cross-origin-resource-policy", "cross-origin"),
)
SECRETS = ("invite", "key")
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}


class CardQuery(TableQuery, frozen=True, forbid_unknown_fields=True):
    ply: Digits | None = None
    lang: Annotated[str, Meta(max_length=3)] = "en"
    theme: Literal["light", "dark"] = "light"


async def card(request: Request) -> Response:
    """The board with names and result, for the site that shows a link."""
    query: CardQuery = request.query
    table = await stranger_sees(request.services, request.path["table"], query.secret)
    match = shown_match(table)
    ply = match.ply if query.ply is None else query.ply
    if not 1 <= ply <= match.ply or query.lang not in LANGUAGES:
        raise Refused(Code.NOT_FOUND)
    title = say(query.lang, f"{table.created.game}.title")
    lines = tuple(chair_name(chair, query.lang) for chair in table.chairs)
    key = table.id, table.position_seq, ply, title, lines, query.theme
    cards = request.services.cards
    if key not in cards:
        draw = partial(draw_card, match, ply, title, lines, query.theme, query.lang)
        cards[key] = await request.work_out(COST_OF_A_CARD, draw)
        while len(cards) > request.services.settings.most_cards:
            del cards[next(iter(cards))]
    return Response(cards[key], "image/png", FOR_OTHER_SITES)


async def picture(request: Request) -> Response:
    """The board of a moment for who shares it: as a stranger sees it, who may see no more of it than the sharer."""
    query: CardQuery = request.query
    kind = request.path["kind"]
    table, _ = await table_and_viewer(request)
    match = shown_match(table)
    ply = match.ply if query.ply is None else query.ply
    if kind not in PICTURES or not 1 <= ply <= match.ply or query.lang not in LANGUAGES:
        raise Refused(Code.NOT_FOUND)
    draw = partial(draw_picture, match, ply, kind, query.theme, query.lang)
    return Response(await request.work_out(COST_OF_A_CARD, draw), PICTURES[kind])


def draw_picture(match: Match, ply: int, kind: str, theme: str, language: str) -> bytes:
    try:
        from regalia.pictures.files import still

        return still(match.svg(ply, SPECTATOR, theme=theme, language=language), f".{kind}")
    except SetupError as error:  # as for a card
        raise Refused(Code.NOT_FOUND) from error


def draw_card(match: Match, ply: int, title: str, lines: tuple[str, ...], theme: str, language: str) -> bytes:
    try:
        from regalia.pictures import cards
        from regalia.pictures.files import png

        return png(cards.card(match, ply, title, lines, theme, language))
    except SetupError as error:  # the extra is not installed, or the game has no drawing
        raise Refused(Code.NOT_FOUND) from error


async def stranger_sees(services: Services, table_id: str, secret: str) -> Table:
    table = await services.tables.open(decoded_id(table_id))
    viewer(table, None, None, secret)
    return table


def shown_match(table: Table) -> Match:
    """The match; before it begins, the usual start of such a match, with cards and dice of nobody's."""
    if table.match is not None:
        return table.match.copy()
    return Match.new(table.game, len(table.chairs), seed=0, options=table.options)


def chair_name(chair: Chair, language: str) -> str:
    if chair.name:
        return chair.name
    return say(language, f"ui.bot.{chair.bot}" if chair.bot else "ui.seat.open")


async def head_of(request: HttpRequest, services: Services) -> str:
    """What the head of a table's page says beside its title; "" where a stranger sees nothing."""
    if not services.limiter.allows("request", address_of(request.scope, request.headers, services.settings)):
        return ""
    asked = request.query_params
    secrets = {name: asked[name] for name in SECRETS if asked.get(name)}
    try:
        secret = next(iter(secrets.values()), "")
        table = await stranger_sees(services, request.path_params["table"], secret)
    except Refused:
        return ""
    language = language_of(request.headers.get("accept-language", ""))
    title, description = words_of(table, language)
    base = f"{services.settings.scheme}://{request.headers['host']}"
    query = urlencode({**secrets, **ply_of(asked), "lang": language})
    picture = f"{base}/api/tables/{table.id}/card.png?{query}"
    facts = {
        "og:type": "website",
        "og:site_name": "Regalia",
        "og:title": title,
        "og:description": description,
        "og:image": picture,
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
    }
    lines = [f"<title>{escape(title)}</title>", f'<meta name="description" content="{escape(description)}">']
    lines += [f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items()]
    if not secrets:  # what is not public cannot be embedded
        address = f"{base}/t/{table.id}" + (f"?{urlencode(ply_of(asked))}" if ply_of(asked) else "")
        about = urlencode({"url": address})
        lines.append(
            f'<link rel="alternate" type="application/json+oembed" href="{base}/api/oembed?{about}">'
        )
    return "".join(lines)


def ply_of(asked: Mapping[str, str]) -> dict[str, int]:
    """The ply that a page's address asks for: by the number of the last action, or (of version 0.1) by itself."""
    for name, offset in (("moment", 1), ("ply", 0)):
        number = asked.get(name, "")
        if number.isdecimal() and len(number) < 7:
            return {"ply": int(number) + offset}
    return {}


def words_of(table: Table, language: str) -> tuple[str, str]:
    """The title and the sentence of a table."""
    names = [chair_name(chair, language) for chair in table.chairs]
    title = say(
        language,
        "server.link.title",
        game=say(language, f"{table.created.game}.title"),
        names=", ".join(names),
    )
    if table.status is Status.OPEN:
        taken = sum(chair.is_ready for chair in table.chairs)
        return title, say(language, "server.link.open", taken=taken, seats=len(names))
    if table.result is None:
        return title, say(language, "server.link.running", count=table.ply)
    winners = [name for name, rank in zip(names, table.result.ranks, strict=True) if rank == 1]
    if len(winners) == len(names):
        return title, say(language, "server.link.draw")
    return title, say(language, "server.link.won", count=len(winners), names=", ".join(winners))

"""Boards on other sites: the frame that shows a table, and oEmbed, which tells a site about it.

Addresses of embeds stand on other people's pages: `/embed/t/<table>?ply=` and `/embed/p#<position>` stay as they are.
A table that is not public cannot be embedded, not even by who has a link to it: a page is read by everybody.
"""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Literal
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

from msgspec import Meta, Struct

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code
from regalia.server.transport.auth import language_of
from regalia.server.transport.links import ply_of, stranger_sees, words_of
from regalia.server.transport.routes import Request

TABLE = re.compile(r"/(?:embed/)?t/([A-Za-z0-9_-]{6,40})")
SIZE = (640, 720)  # of a frame; a board with its names above and its replay bar below
LEAST = (240, 280)
CACHE_S = 300


class EmbedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    url: Annotated[str, Meta(max_length=2000)]
    maxwidth: Annotated[int, Meta(ge=1, le=100_000)] = SIZE[0]
    maxheight: Annotated[int, Meta(ge=1, le=100_000)] = SIZE[1]
    format: Literal["json"] = "json"


async def oembed(request: Request) -> wire.Embedding:
    query: EmbedQuery = request.query
    address, host = split(query.url), request.http.headers["host"]
    found = TABLE.fullmatch(address.path) if address is not None and address.netloc == host else None
    if address is None or found is None:
        raise Refused(Code.NOT_FOUND)
    table = await stranger_sees(request.services, found[1], "")
    language = language_of(request.http.headers.get("accept-language", ""))
    moment = ply_of({name: values[0] for name, values in parse_qs(address.query).items()})
    base = f"{request.services.settings.scheme}://{host}"
    title, _ = words_of(table, language)
    width, height = min(query.maxwidth, SIZE[0]), min(query.maxheight, SIZE[1])
    return wire.Embedding(
        version="1.0",
        type="rich",
        provider_name="Regalia",
        provider_url=f"{base}/",
        title=title,
        html=frame(f"{base}/embed/t/{table.id}{asking(moment)}", title, width, height),
        width=max(width, LEAST[0]),
        height=max(height, LEAST[1]),
        thumbnail_url=f"{base}/api/tables/{table.id}/card.png{asking({**moment, 'lang': language})}",
        thumbnail_width=1200,
        thumbnail_height=630,
        cache_age=CACHE_S,
    )


def split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def asking(query: dict[str, object] | dict[str, int]) -> str:
    return f"?{urlencode(query)}" if query else ""


def frame(address: str, title: str, width: int, height: int) -> str:
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="{width}" height="{height}"'
        ' loading="lazy" referrerpolicy="no-referrer" allowfullscreen></iframe>'
    )

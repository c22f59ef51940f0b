"""The browser's files. Only what was in the bundle at the start is served: there is no path to traverse."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

BUNDLE = Path(__file__).parents[1] / "static"
INDEX = "index.html"
EMBED = "embed.html"  # what other sites show in a frame
FOR_EVER = "public, max-age=31536000, immutable"  # names with a hash in them
ALWAYS_ASK = "no-cache"
WORTH_PACKING = 1000  # bytes
TITLE = re.compile(rb"<title>.*?</title>", re.DOTALL)
APP = b'<div id="app"></div>'

NO_BUNDLE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Regalia</title></head>
<body>
<h1>Regalia</h1>
<p>The server runs, but its pages have not been built. In the source folder:</p>
<pre>cd web &amp;&amp; npm ci &amp;&amp; npm run build</pre>
<p>Then start the server again. The API is at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body>
</html>
"""


@dataclass(frozen=True)
class Page:
    body: bytes
    packed: bytes | None  # gzip, where that is smaller
    media: str
    tag: str
    caching: str


def page_of(name: str, body: bytes) -> Page:
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.endswith((".js", ".mjs")):
        media = "text/javascript"
    elif name.endswith(".webmanifest"):
        media = "application/manifest+json"
    packable = media.startswith("text/") or media.endswith(("json", "xml"))
    packed = gzip.compress(body, 6, mtime=0) if packable and len(body) > WORTH_PACKING else None
    if media.startswith("text/"):
        media += "; charset=utf-8"
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return Page(body, packed, media, tag, FOR_EVER if name.startswith("assets/") else ALWAYS_ASK)


class Pages:
    def __init__(self, folder: Path = BUNDLE) -> None:
        self._pages: dict[str, Page] = {}
        if folder.is_dir():
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    name = file.relative_to(folder).as_posix()
                    self._pages[name] = page_of(name, file.read_bytes())
        if INDEX not in self._pages:
            self._pages[INDEX] = page_of(INDEX, NO_BUNDLE.encode())

    @property
    def build(self) -> str:
        """Changes with any file: the names in the first page have hashes in them."""
        return self._pages[INDEX].tag.strip('"')

    def find(self, path: str) -> Page | None:
        """A file of the bundle; for an address of the client's own router, the page itself."""
        name = path.strip("/")
        if name in self._pages:
            return self._pages[name]
        return None if "." in name.rpartition("/")[2] or name.startswith("assets/") else self._pages[INDEX]

    async def serve(self, request: Request, head: str = "", plain: str = "") -> Response:
        """A file, or the page; `head` takes the place of the page's title, `plain` is shown where no script runs."""
        page = self.find(request.scope["path"])
        if page is not None and head:
            body = TITLE.sub(lambda _: head.encode(), page.body, count=1)
            if plain:
                body = body.replace(APP, APP + f"<noscript>{plain}</noscript>".encode(), 1)
            page = page_of(INDEX, body)
        return answer(request, page)

    async def serve_embed(self, request: Request) -> Response:
        """One page for all that can be embedded: its script reads the address."""
        return answer(request, self._pages.get(EMBED))


def answer(request: Request, page: Page | None) -> Response:
    if page is None:
        return Response("not found", 404, media_type="text/plain")
    headers = {"etag": page.tag, "cache-control": page.caching, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == page.tag:
        return Response(b"", 304, headers)
    body = page.body
    if page.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        body = page.packed
    return Response(body, 200, {**headers, "content-type": page.media})

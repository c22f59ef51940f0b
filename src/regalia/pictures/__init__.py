"""Pictures of positions, drawn by the browser's own diagrams without a browser.

`match.svg()` is the way in; files and animations are made by `regalia render`. This needs the extra `pictures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from regalia.core.errors import SetupError
from regalia.core.viewers import SPECTATOR, Viewer
from regalia.locale import LANGUAGES

if TYPE_CHECKING:
    from regalia.core.match import Match

THEMES = ("light", "dark")
WIDTH = 800  # of a picture, in pixels, unless another one is asked for
WIDEST = 8000


def svg(
    match: Match,
    ply: int | None = None,
    viewer: Viewer = SPECTATOR,
    marks: Sequence[str] = (),
    theme: str = "light",
    language: str = "en",
    width: float = WIDTH,
) -> str:
    """The position as an SVG that stands alone, as the viewer may see it; `ply` looks back.

    What happened last is marked, and so are the places named in `marks`.
    """
    check(theme, language, width)
    at = match.ply if ply is None else ply
    if not 1 <= at <= match.ply:
        raise SetupError("cli.error.ply", ply=at, last=match.ply)
    drawing = import_drawing()
    if match.game.id not in drawing.artist().materials["games"]:
        raise SetupError("pictures.error.game", game=match.game.id)
    props = props_of(match, at, viewer, marks)
    body, style = drawing.artist().draw(match.game.id, props, language)
    return str(drawing.studio(theme).picture(body, style, width))


def props_of(match: Match, ply: int, viewer: Viewer, marks: Sequence[str]) -> dict[str, Any]:
    """What a diagram is given."""
    view = (match if ply == match.ply else match.at(ply)).view(viewer)
    props: dict[str, Any] = to_builtins(
        {"view": view, "last": last_record(match, ply - 1, viewer), "marks": list(marks)}
    )
    return props


def last_record(match: Match, ply: int, viewer: Viewer) -> dict[str, object] | None:
    """A record as the browser gets it. None in a match that was dealt anew since: what led there is not known."""
    record = match.records[ply].seen_by(viewer)
    try:
        effects = match.effects(ply, viewer)
    except SetupError:
        return None
    return {
        "ply": ply,
        "seat": record.seat,
        "action": record.action,
        "outcomes": record.outcomes,
        "effects": effects,
        "at_ms": 0,
    }


def check(theme: str, language: str, width: float) -> None:
    if theme not in THEMES:
        raise SetupError("pictures.error.theme", theme=theme, allowed=", ".join(THEMES))
    if language not in LANGUAGES:
        raise SetupError("pictures.error.language", language=language, allowed=", ".join(LANGUAGES))
    if not 16 <= width <= WIDEST:
        raise SetupError("pictures.error.width", width=width, most=WIDEST)


def import_drawing() -> Any:
    """What draws; it needs libraries that not everyone installs, and a bundle that is built with the pages."""
    try:
        from regalia.pictures import drawing
    except ImportError as error:
        raise SetupError("pictures.error.missing") from error
    if not drawing.BUNDLE.is_file():
        raise SetupError("pictures.error.missing")
    return drawing

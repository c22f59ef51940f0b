"""Pictures as files: SVG as it is, PNG, and animations of a whole match."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from regalia.core.errors import SetupError

if TYPE_CHECKING:
    from PIL.Image import Image

STILL = (".svg", ".png")
MOVING = (".gif", ".webp")
FRAME_MS, LAST_MS = 900, 4000


def kind_of(path: Path) -> str:
    kind = path.suffix.lower()
    if kind not in STILL + MOVING:
        raise SetupError("pictures.error.kind", file=path.name, allowed=", ".join(STILL + MOVING))
    return kind


def still(picture: str, kind: str) -> bytes:
    return picture.encode() if kind == ".svg" else png(picture)


def png(picture: str) -> bytes:
    try:
        import resvg_py
    except ImportError as error:
        raise SetupError("pictures.error.missing") from error
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, skip_system_fonts=True))


def moving(pictures: Iterable[str], kind: str) -> bytes:
    """All pictures one after the other; the last one stays a while."""
    frames = [as_image(png(picture)) for picture in pictures]
    times = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
    file = BytesIO()
    first, *rest = frames
    first.save(file, kind[1:].upper(), save_all=True, append_images=rest, duration=times, loop=0)
    return file.getvalue()


def as_image(picture: bytes) -> Image:
    from PIL import Image

    return Image.open(BytesIO(picture)).convert("RGB")

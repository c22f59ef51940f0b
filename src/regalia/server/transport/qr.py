"""An address as a picture that a telephone reads."""

from __future__ import annotations

import io


def qr_svg(text: str) -> bytes:
    import segno

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", dark="#2b2118", light="#ffffff", border=2, scale=4
    )
    return out.getvalue()

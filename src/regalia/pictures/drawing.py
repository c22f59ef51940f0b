"""The browser's own diagrams, drawn in this process: an embedded JavaScript engine runs what was built from web/."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from py_mini_racer import MiniRacer

from regalia.core.errors import SetupError
from regalia.locale import catalogue
from regalia.pictures.standalone import Studio

BUNDLE = Path(__file__).parent / "bundle" / "draw.js"
STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


class Artist:
    """One engine for all pictures of the process; they are drawn one after the other."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._engine = MiniRacer()
        self._engine.eval("var self = globalThis;")
        self._engine.eval(BUNDLE.read_text("utf-8"))
        self._spoken: tuple[str, str] | None = None
        self.materials: dict[str, Any] = json.loads(str(self._engine.call("materials")))

    def draw(self, game: str, props: Mapping[str, object], language: str) -> tuple[str, str]:
        """The markup of a diagram, and its style."""
        with self._turn:
            if self._spoken != (game, language):
                words = {
                    key: text
                    for key, text in catalogue(language).items()
                    if key.startswith((f"{game}.", "ui."))
                }
                self._engine.call("speak", language, json.dumps(words))
                self._spoken = game, language
            drawn = json.loads(str(self._engine.call("draw", game, json.dumps(props))))
        if "unknown" in drawn:
            raise SetupError("pictures.error.marks", marks=", ".join(drawn["unknown"]))
        return drawn["body"], "".join(STYLE.findall(drawn["head"]))


@cache
def artist() -> Artist:
    return Artist()


@cache
def studio(theme: str) -> Studio:
    materials = artist().materials
    style = "".join(STYLE.findall(materials["style"]))
    return Studio(materials["symbols"], style, materials["colours"], theme)

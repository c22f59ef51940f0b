"""A server with an empty compile cache, in a process of its own: prints what happened there as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from numba.core import event

from regalia import GAMES
from server.harness import Guest, running, wait_for

PATIENCE_S = 120.0
AWAITED = "rose_king"
compiled: list[str] = []  # in this process


class Notes(event.Listener):
    def on_start(self, event: Any) -> None:
        compiled.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event: Any) -> None:
        pass


def preparing(guest: Guest, **query: str) -> dict[str, dict[str, Any]]:
    return {each["game"]: each for each in guest.get("/api/preparation", **query).json}


def main(folder: Path) -> None:
    event.register("numba:compile", Notes())
    with running(folder, compilers=1) as server, Guest(server) as ann:
        first = preparing(ann, game=AWAITED)
        tables = {}
        for game in GAMES.values():
            seats = [{"kind": "human"}, *[{"kind": "bot", "bot": "knight"}] * (game.seats[0] - 1)]
            table = ann.post("/api/tables", {"game": game.id, "seats": seats}).json["table"]["id"]
            ann.must("seed", table, seed="5eed" * 8)
            tables[game.id] = table

        def has_answer(game: str) -> bool:
            """Whether a bot has acted; the person plays on until one is due."""
            shown = ann.table(tables[game], seat=0)
            if any(record["seat"] for record in shown["records"]):
                return True
            view = shown["view"]
            if view and view["actions"]:
                ann.do("play", tables[game], seat=0, ply=len(shown["records"]), action=view["actions"][0])
            return False

        for game in GAMES:
            wait_for(lambda game=game: has_answer(game), PATIENCE_S)
        at_answer = preparing(ann)
        parts: list[int] = []

        def is_ready() -> bool:
            now = preparing(ann)[AWAITED]
            parts.append(now["done"])
            return bool(now["is_ready"])

        wait_for(is_ready, PATIENCE_S)
        print(
            json.dumps(
                {
                    "first": first,
                    "at_answer": at_answer,
                    "parts": parts,
                    "at_end": preparing(ann),
                    "loaded": len(GAMES[AWAITED].engine.bound.apply_at.signatures),  # type: ignore[attr-defined]
                    "compiled": compiled,
                }
            )
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""A program that plays: it takes the first open seat of a game and answers every turn at random.

    python examples/bot.py http://127.0.0.1:8642 rose_king [--once]

It uses only what every client has: a token, the list of open tables, and the socket. It sees its own view.
"""

from __future__ import annotations

import json
import random
import sys
import time
import urllib.request
from typing import Any
from uuid import uuid4

from websockets.sync.client import connect


def ask(base: str, path: str, body: object = None, **headers: str) -> tuple[Any, str]:
    """The reply, and the cookie it sets; credentials are given as headers."""
    data = None if body is None else json.dumps(body).encode()
    wish = urllib.request.Request(base + path, data, {"content-type": "application/json", **headers})  # noqa: S310
    with urllib.request.urlopen(wish, timeout=30) as reply:  # noqa: S310 - the address is the caller's own
        return json.load(reply), (reply.headers.get("set-cookie") or "").partition(";")[0]


def play(base: str, token: str, table: dict[str, Any]) -> None:
    """Sit down, and act whenever the seat owes a decision."""
    seat = next(number for number, facts in enumerate(table["seats"]) if facts["kind"] == "open")
    address = base.replace("http", "ws", 1) + "/ws"
    with connect(address, additional_headers={"authorization": f"Bearer {token}"}, max_size=None) as line:
        command = {"table": table["id"], "seat": seat}
        line.send(json.dumps({"type": "sit", "id": str(uuid4()), **command}))
        for raw in line:
            message = json.loads(raw)
            if message["type"] == "ack" and message["ply"] <= 1:
                line.send(json.dumps({"type": "watch", **command}))
            view = message.get("view")
            if message["type"] == "update" and message["table"]["status"] == "ended":
                return
            if view and seat in view["actors"]:
                turn = {"id": str(uuid4()), "ply": view["ply"], "action": random.choice(view["actions"])}
                line.send(json.dumps({"type": "play", **command, **turn}))


def main(base: str, game: str, once: bool) -> None:
    _, cookie = ask(base, "/api/guest", {"name": "Random Rita"})
    token = ask(base, "/api/tokens", {"label": "example"}, cookie=cookie)[0]["token"]
    while True:
        for table in ask(base, f"/api/tables?list=open&game={game}")[0]["tables"]:
            play(base, token, table)
            if once:
                return
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2], "--once" in sys.argv)

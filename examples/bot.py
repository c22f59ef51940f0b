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

QUIET_S = 5.0  # after so long without a message, say that we are still here


def ask(base: str, path: str, body: object = None, **headers: str) -> tuple[Any, str]:
    """The reply, and the cookie it sets; credentials are given as headers."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {"content-type": "application/json", **headers})  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - the address is the caller's own
        return json.load(reply), (reply.headers.get("set-cookie") or "").partition(";")[0]


def hear(line: Any) -> Any:
    """The next message. While the others think, say that we are still here, or the server closes the socket."""
    while True:
        try:
            return json.loads(line.recv(timeout=QUIET_S))
        except TimeoutError:
            line.send(json.dumps({"type": "ping", "t": int(time.time() * 1000)}))


def play(base: str, token: str, table: dict[str, Any]) -> None:
    """Sit down, unless somebody was faster, and act whenever the seat owes a decision."""
    seat = next(number for number, facts in enumerate(table["seats"]) if facts["kind"] == "open")
    headers = {"authorization": f"Bearer {token}"}
    with connect(base.replace("http", "ws", 1) + "/ws", additional_headers=headers, max_size=None) as line:
        command = {"table": table["id"], "seat": seat}
        line.send(json.dumps({"type": "sit", "id": "sit-down", "seed": uuid4().hex, **command}))
        while True:
            match hear(line):
                case {"type": "refused", "id": "sit-down"} | {"type": "update", "table": {"status": "ended"}}:
                    return
                case {"type": "ack", "id": "sit-down"}:
                    line.send(json.dumps({"type": "watch", **command}))
                case {"type": "update", "seq": seq, "view": {"actors": due, "actions": ways}} if seat in due:
                    turn = {"id": str(uuid4()), "seq": seq, "action": random.choice(ways)}
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

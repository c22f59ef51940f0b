"""Check the dice of a finished match without the server's code: only the rules of the game are used.

    python examples/verify.py proof.json

A proof is what `GET /api/tables/<id>/proof` gives once a match is over. The server showed SHA-256(server seed)
before anybody sat down, and every seat added a seed. Draw n below `total` is HMAC-SHA256(server seed,
"<client seeds>|<table>|<n>|<attempt>"), with the next attempt while it is not below a multiple of `total`.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

import regalia


class Dice:
    def __init__(self, key: bytes, message: str) -> None:
        self.key, self.message, self.count = key, message, 0

    def below(self, total: int, kind: str) -> int:
        for attempt in range(1000):
            text = f"{self.message}|{self.count}|{attempt}"
            number = int(hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest(), 16)
            if number < 2**256 // total * total:
                self.count += 1
                return number % total
        raise AssertionError(f"no draw for {kind}")


def check(proof: dict[str, Any]) -> str:
    key = bytes.fromhex(proof["server_seed"])
    if hashlib.sha256(key).hexdigest() != proof["commitment"]:
        return "the server's seed is not the one it promised"
    dice = Dice(key, ",".join(proof["client_seeds"]) + "|" + proof["table"])
    facts = [line.split() for line in proof["transcript"].splitlines()]
    if proof["start"] is not None:
        match = regalia.Match.replay(proof["start"], chance=dice)
    else:
        known = {words[0]: words[1] for words in facts if words[0] in ("game", "seats")}
        options = {words[1]: words[2] for words in facts if words[0] == "option"}
        match = regalia.Match.new(known["game"], int(known["seats"]), options=options, chance=dice)
    for line in proof["transcript"].splitlines():
        ply, _, rest = line.partition(" ")
        if ply.isdigit() and int(ply) >= match.ply:
            seat, _, action = rest.partition(" / ")[0].partition(" ")
            match.play(int(seat), action)
    if match.transcript() != proof["transcript"]:
        return "the transcript is not what the seeds give"
    return ""


if __name__ == "__main__":
    problem = check(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    sys.exit(problem or print("The dice are fair: every outcome follows from the seeds."))

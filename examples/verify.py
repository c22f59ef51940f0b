"""Check the dice of a finished match without the server's code: only the rules of the game are used.

    python examples/verify.py proof.json [commitment noted before the match]

Draw n below `total` is HMAC-SHA256(server seed, "<client seeds>|<table>|<n>|<attempt>"); the attempt counts up while
that is not below a multiple of `total`. In format 2 players were told SHA-256(server seed) before they sent a seed.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

import regalia
from regalia.core import transcript


class Dice:
    def __init__(self, key: bytes, message: str) -> None:
        self.key, self.message, self.count = key, message, 0

    def below(self, total: int, kind: str) -> int:
        for attempt in range(1000):
            text = f"{self.message}|{self.count}|{attempt}".encode()
            number = int.from_bytes(hmac.digest(self.key, text, "sha256"))
            if number < 2**256 // total * total:
                self.count += 1
                return number % total
        raise AssertionError(f"no draw for {kind}")

    def copy(self) -> Dice:
        return copy.copy(self)


def check(proof: dict[str, Any], noted: str = "") -> str:
    key, promise = bytes.fromhex(proof["server_seed"]), proof["commitment"]
    if hashlib.sha256(key).hexdigest() != promise or noted not in ("", promise):
        return "the server's seed is not the one it promised"
    for seat, source in enumerate(proof.get("sources", [])):
        derived = hashlib.sha256(f"{promise}|{seat}".encode()).hexdigest()[:32]
        if source == "bot" and proof["client_seeds"][seat] != derived:
            return f"the seed of the bot at seat {seat} does not follow from the promise"
    dice = Dice(key, ",".join(proof["client_seeds"]) + "|" + proof["table"])
    header, lines = transcript.read(proof["transcript"])
    start = proof["start"]
    match = regalia.Match.begin(header, dice) if start is None else regalia.Match.replay(start, chance=dice)
    for _, record in lines[match.ply :]:
        assert record.seat is not None
        match.play(record.seat, record.action)
    return "" if match.transcript() == proof["transcript"] else "the transcript is not what the seeds give"


if __name__ == "__main__":
    proof = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    sys.exit(check(proof, *sys.argv[2:3]) or print("Proved, with seeds by:", *proof.get("sources", "?")))

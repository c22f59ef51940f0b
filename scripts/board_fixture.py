"""Writes what a board is tested with (tests/games/GAME/board.json): views of a match, and its records.

    python scripts/board_fixture.py tests/games/hex_king/transcripts/target.txt stake=1 turn=5 over=8 > board.json

Each moment is a name and a ply. Views and records are as the seat sees them, 0 unless --seat says another.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from regalia import Match
from regalia.server.protocol import RecordFacts


def fixture(match: Match, seat: int, moments: dict[str, int]) -> dict[str, Any]:
    views = {}
    for name, ply in moments.items():
        then = match.copy()
        if ply < match.ply:
            then.back_to(ply)
        views[name] = then.view(seat)
    return {**views, "records": [record(match, ply, seat) for ply in range(match.ply)]}


def record(match: Match, ply: int, seat: int) -> RecordFacts:
    seen = match.records[ply].seen_by(seat)
    return RecordFacts(ply, seen.seat, seen.action, seen.outcomes, match.effects(ply, seat), 0)


def moment(text: str) -> tuple[str, int]:
    name, _, ply = text.partition("=")
    return name, int(ply)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("transcript", type=Path)
    parser.add_argument("moments", type=moment, nargs="+", metavar="NAME=PLY")
    parser.add_argument("--seat", type=int, default=0)
    given = parser.parse_args()
    match = Match.replay(given.transcript.read_text("utf-8"))
    print(msgspec.json.encode(fixture(match, given.seat, dict(given.moments))).decode())


if __name__ == "__main__":
    main()

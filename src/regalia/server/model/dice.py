"""Dice that can be checked afterwards, and that the server cannot choose.

The server draws a 256-bit seed when a table is made and tells its SHA-256, the commitment. Only then does each
player's client draw a seed and send it; a bot's seed follows from the commitment. Draw number n (from 0) below
`total` is

    HMAC-SHA256(server seed, "<the seats' seeds, joined by commas>|<table>|<n>|<attempt>")

as a whole number; the attempt (from 0) counts up while the number is not below the greatest multiple of
`total` that fits into 256 bits; the draw is the rest by division. At the end the server's seed is told, and
everybody can do the same.

What a proof shows, by its format:

1   the outcomes follow from the seeds. The server knew the host's seed when it drew its own, and drew the seeds of
    bots and of who asked for a rematch itself: it could have tried until it liked the dice.
2   besides, whose each seat's seed is. A player who sent one after having been told the commitment is sure that the
    server did not choose the dice, since it would have had to know that seed before; a player who sent none is not.
    Neither format protects against a player who works together with the server and sends the last seed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from regalia import Match
from regalia.core import transcript
from regalia.core.errors import RegaliaError
from regalia.core.viewers import EVERYTHING
from regalia.server.model.copies import shallow_copy
from regalia.server.model.values import SeedSource
from regalia.server.protocol import Proof

SPACE = 1 << 256
PROOF = 2  # the format of new tables
FORMATS = {1: "regalia proof 1", 2: "regalia proof 2"}
SEED = re.compile("[0-9a-f]{32,64}")  # of a player: too long to be guessed when the server draws its own


class ProofError(ValueError):
    """The proof does not hold; the message says where."""


@dataclass(frozen=True)
class Verified:
    """What a proof that holds has shown."""

    format: int
    draws: int  # how many follow from the seeds
    unprotected: tuple[int, ...]  # the seats of people who sent no seed; format 1: all seats
    is_protected: bool  # every person at the table sent a seed after the commitment was told


@lru_cache(4096)  # it is told with every update
def commitment(server_seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(server_seed)).hexdigest()


def bot_seed(promised: str, seat: int) -> str:
    """A bot's share in the dice: fixed with the commitment, so that the server cannot choose it later."""
    return hashlib.sha256(f"{promised}|{seat}".encode()).hexdigest()[:32]


class ProvableDice:
    """A source of draws (see `core.chance.Source`). `drawn` counts them; setting it back repeats them."""

    def __init__(self, server_seed: str, client_seeds: Sequence[str], table: str, drawn: int = 0) -> None:
        self._key = bytes.fromhex(server_seed)
        self._prefix = f"{','.join(client_seeds)}|{table}|"
        self.drawn = drawn

    def below(self, total: int, kind: str) -> int:
        bound = SPACE - SPACE % total
        attempt = 0
        while True:
            message = f"{self._prefix}{self.drawn}|{attempt}".encode()
            number = int.from_bytes(hmac.digest(self._key, message, "sha256"))
            if number < bound:
                self.drawn += 1
                return number % total
            attempt += 1

    def skip(self, count: int) -> None:
        """So many draws have been made elsewhere."""
        self.drawn += count

    def copy(self) -> ProvableDice:
        return shallow_copy(self)


def verify(proof: Proof, promised: str | None = None) -> Verified:
    """Check a proof; raises ProofError. `promised` is the commitment that somebody noted before the match."""
    number = next((number for number, name in FORMATS.items() if name == proof.format), None)
    if number is None:
        raise ProofError(f"no format of a proof: {proof.format[:40]}")
    if promised is not None and promised != proof.commitment:
        raise ProofError("this is not the commitment that was told before the match")
    check_server_seed(proof)
    dice = ProvableDice(proof.server_seed, proof.client_seeds, proof.table)
    try:
        match = replayed(proof, dice)
    except RegaliaError as error:
        raise ProofError(str(error)) from error
    compare(proof.transcript.splitlines(), match.transcript(EVERYTHING).splitlines())
    if number == 1:
        return Verified(1, dice.drawn, tuple(range(match.seats)), False)
    check_seeds(proof, match.seats)
    unprotected = tuple(seat for seat, source in enumerate(proof.sources) if source is SeedSource.NONE)
    return Verified(2, dice.drawn, unprotected, SeedSource.PLAYER in proof.sources and not unprotected)


def check_server_seed(proof: Proof) -> None:
    try:
        fits = commitment(proof.server_seed) == proof.commitment and len(proof.server_seed) == 64
    except ValueError as error:
        raise ProofError("the server's seed is not hexadecimal") from error
    if not fits:
        raise ProofError("the server's seed does not fit the commitment")


def check_seeds(proof: Proof, seats: int) -> None:
    """Format 2: the seeds are those of the sources that are named."""
    if not len(proof.sources) == len(proof.client_seeds) == seats:
        raise ProofError(f"there are {seats} seats, and not as many seeds and sources")
    for seat, (seed, source) in enumerate(zip(proof.client_seeds, proof.sources, strict=True)):
        if not is_seed_of(source, seed, proof.commitment, seat):
            raise ProofError(f"the seed of seat {seat} is not that of its source, {source}")


def is_seed_of(source: SeedSource, seed: str, promised: str, seat: int) -> bool:
    match source:
        case SeedSource.PLAYER:
            return SEED.fullmatch(seed) is not None
        case SeedSource.BOT:
            return seed == bot_seed(promised, seat)
        case SeedSource.NONE:
            return seed == ""


def compare(stated: list[str], drawn: list[str]) -> None:
    for number, (line, expected) in enumerate(zip(stated, drawn, strict=False), 1):
        if line != expected:
            raise ProofError(f"line {number} says {line!r}; the seeds give {expected!r}")
    if len(stated) != len(drawn):
        raise ProofError(f"the transcript has {len(stated)} lines; the seeds give {len(drawn)}")


def replayed(proof: Proof, dice: ProvableDice) -> Match:
    """The match again: the players' actions from the transcript, all outcomes from the dice."""
    header, lines = transcript.read(proof.transcript)
    if proof.start is not None:
        match = Match.replay(proof.start, chance=dice)
    else:
        match = Match.new(header.game, header.seats, options=header.options, chance=dice)
    for _, record in lines[match.ply :]:
        assert record.seat is not None
        match.play(record.seat, record.action)
    return match

"""Dice that can be checked afterwards.

The server draws a 256-bit seed when a table is made and shows its SHA-256. Each seat adds a seed of its own,
which the server could not know then. Draw number n (from 0) below `total` is

    HMAC-SHA256(server seed, "<client seeds, joined by commas>|<table>|<n>|<attempt>")

as a whole number; the attempt (from 0) counts up while the number is not below the greatest multiple of
`total` that fits into 256 bits; the draw is the rest by division. At the end the server's seed is told, and
everybody can do the same.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from regalia import Match
from regalia.core import transcript
from regalia.core.errors import RegaliaError
from regalia.server.protocol import Proof

SPACE = 1 << 256
FORMAT = "regalia proof 1"


class ProofError(ValueError):
    """The proof does not hold; the message says where."""


def commitment(server_seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(server_seed)).hexdigest()


class FairDice:
    """A source of draws (see `core.draws.Source`). `drawn` counts them; setting it back repeats them."""

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


def verify(proof: Proof) -> int:
    """Check a proof; returns the number of draws that were checked."""
    if proof.format != FORMAT:
        raise ProofError(f"not a {FORMAT}: {proof.format[:40]}")
    try:
        fits = commitment(proof.server_seed) == proof.commitment and len(proof.server_seed) == 64
    except ValueError as error:
        raise ProofError("the server's seed is not hexadecimal") from error
    if not fits:
        raise ProofError("the server's seed does not fit the commitment")
    dice = FairDice(proof.server_seed, proof.client_seeds, proof.table)
    try:
        match = replayed(proof, dice)
    except RegaliaError as error:
        raise ProofError(str(error)) from error
    told, drawn = proof.transcript.splitlines(), match.transcript().splitlines()
    for number, (line, expected) in enumerate(zip(told, drawn, strict=False), 1):
        if line != expected:
            raise ProofError(f"line {number} says {line!r}; the seeds give {expected!r}")
    if len(told) != len(drawn):
        raise ProofError(f"the transcript has {len(told)} lines; the seeds give {len(drawn)}")
    return dice.drawn


def replayed(proof: Proof, dice: FairDice) -> Match:
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

"""A line of a list of tables, as it is kept in the table's row: nothing that a stranger may not know.

Rows of every past version stay readable: new fields need defaults.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from regalia.server.model.table import Table
from regalia.server.model.values import ByHand, Result, SeatKind, Status, TimeControl


class SeatSummary(Struct, frozen=True):
    kind: SeatKind
    name: str
    player: str


class Summary(Struct, frozen=True):
    id: str
    game: str
    status: Status
    options: dict[str, str]
    seats: tuple[SeatSummary, ...]
    host_name: str
    is_public: bool
    clock: TimeControl
    ply: int
    actors: tuple[int, ...]
    result: Result | None
    created_ms: int
    updated_ms: int
    is_practice: bool = False
    by_hand: ByHand = ByHand.NOTHING


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Summary] = msgspec.json.Decoder(Summary)


def write(summary: Summary) -> bytes:
    return _encoder.encode(summary)


def read(column: bytes) -> Summary:
    return _decoder.decode(column)


def summary_of(table: Table) -> Summary:
    return Summary(
        id=table.id,
        game=table.created.game,
        status=table.status,
        options=table.created.options,
        seats=tuple(
            SeatSummary(
                SeatKind.BOT if chair.bot and not chair.player else chair.kind, chair.name, chair.player
            )
            for chair in table.chairs
        ),
        host_name=table.created.host_name,
        is_public=table.created.is_public,
        clock=table.created.clock,
        ply=table.ply,
        actors=table.awaited,
        result=table.result,
        created_ms=table.created_ms,
        updated_ms=table.updated_ms,
        is_practice=table.is_practice,
        by_hand=table.created.by_hand,
    )

"""How a table begins: from a player's wish to its first events."""

from __future__ import annotations

import base64
import hashlib

from regalia import Match
from regalia.core import transcript
from regalia.core.errors import RegaliaError
from regalia.server import events as ev
from regalia.server import protocol as wire
from regalia.server import views
from regalia.server.decide import Player, clean, known_bot
from regalia.server.ports import Randomness
from regalia.server.protocol import Clock, Code, SeatKind, Status, Tempo
from regalia.server.refused import Refused
from regalia.server.table import Table


def random_name(randomness: Randomness) -> str:
    """A name for an address: 10 letters and digits (60 bits)."""
    return spelled(randomness.bytes(8))


def spelled(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=").replace("-", "x").replace("_", "y")[:10]


def name_of(player: Player, asked: wire.NewTable, randomness: Randomness) -> str:
    """The same wish (by its command id) of the same player names the same table."""
    if asked.id is None:
        return random_name(randomness)
    return spelled(hashlib.sha256(f"{player.id}|{asked.id}".encode()).digest())


def plan(
    player: Player, asked: wire.NewTable, source: Table | None, randomness: Randomness
) -> list[ev.AnyEvent]:
    """The events of a new table: made, and its first seats taken."""
    check_clock(asked.clock)
    try:
        match = beginning(asked, source)
    except RegaliaError as error:
        raise Refused.by_rule(error, Code.SETUP) from error
    given = any(part is not None for part in (asked.transcript, asked.position, source))
    created = ev.Created(
        game=match.game.id,
        rules=match.game.rules,
        seats=match.seats,
        options=match.options,
        host=player.id,
        host_name=player.name,
        server_seed=randomness.bytes(32).hex(),
        invite=spelled(randomness.bytes(12)),
        clock=asked.clock,
        is_public=asked.is_public,
        hotseat=any(seat.kind is SeatKind.HOTSEAT for seat in asked.seats),
        undo=asked.undo,
        hints=asked.hints,
        autostart=asked.autostart,
        start=match.transcript() if given else None,
    )
    seats = [seated(player, seat, place, randomness) for seat, place in enumerate(asked.seats)]
    if sum(isinstance(sat, ev.Sat) and sat.kind is SeatKind.HUMAN for sat in seats) > 1:
        raise Refused(Code.ALREADY_SEATED)
    return [created, *(sat for sat in seats if sat is not None)]


def beginning(asked: wire.NewTable, source: Table | None) -> Match:
    """The match before any draw of the table's own dice; it also checks game, seats and options."""
    ways = [asked.transcript, asked.position, asked.table]
    if sum(way is not None for way in ways) > 1 or (asked.ply is not None and asked.table is None):
        raise Refused(Code.BAD_MESSAGE)
    if asked.transcript is not None:
        match = Match.replay(asked.transcript, chance="manual")
    elif asked.position is not None:
        heading = {"seats": len(asked.seats), "options": asked.options}
        match = Match.from_position(asked.game, {**heading, **asked.position}, chance="manual")
    elif source is not None:
        match = from_table(source, asked.ply)
    else:
        return Match.new(asked.game, len(asked.seats), options=asked.options, chance="manual")
    if match.game.id != asked.game or match.seats != len(asked.seats):
        raise Refused(Code.SETUP, "server.error.start_other")
    if not match.actors:
        raise Refused(Code.SETUP, "error.over")
    return match


def from_table(source: Table, ply: int | None) -> Match:
    """A moment of another table. While that one runs, only where nothing about it is hidden from anyone."""
    match = views.started(source)
    if source.status is not Status.ENDED and match.engine.layout.hidden:
        raise Refused(Code.WRONG_PHASE)
    moment = views.moments(match, *[match.ply if ply is None else ply] * 2)[0]
    return Match.replay(
        transcript.write(transcript.read(match.transcript())[0], moment.records), chance="manual"
    )


def check_clock(clock: Clock) -> None:
    timed = clock.tempo is not Tempo.NONE
    if timed != (clock.reserve_ms > 0) or (not timed and clock.increment_ms):
        raise Refused(Code.SETUP, "server.error.clock")


def seated(player: Player, seat: int, place: wire.SeatPlan, randomness: Randomness) -> ev.Sat | None:
    seed = place.seed or randomness.bytes(16).hex()
    match place.kind:
        case SeatKind.OPEN:
            return None
        case SeatKind.BOT:
            return ev.Sat(seat, SeatKind.BOT, place.bot, bot=known_bot(place.bot), seed=seed)
        case SeatKind.HUMAN:
            return ev.Sat(seat, SeatKind.HUMAN, player.name, player.id, seed=seed)
        case SeatKind.HOTSEAT:
            return ev.Sat(seat, SeatKind.HOTSEAT, clean(place.name) or player.name, player.id, seed=seed)


def rematch(table: Table, player: Player, randomness: Randomness) -> list[ev.AnyEvent]:
    """The same again, everyone one seat on. Bots and whoever asks sit down; the others find a seat open."""
    made = table.created
    count = len(table.chairs)
    created = ev.Created(
        game=made.game,
        rules=Match.find(made.game).rules,
        seats=made.seats,
        options=made.options,
        host=player.id,
        host_name=player.name,
        server_seed=randomness.bytes(32).hex(),
        invite=made.invite,
        clock=made.clock,
        is_public=made.is_public,
        hotseat=made.hotseat,
        undo=made.undo,
        hints=made.hints,
        autostart=True,
        previous=table.id,
    )
    events: list[ev.AnyEvent] = [created]
    for old, chair in enumerate(table.chairs):
        seat = (old + 1) % count
        seed = randomness.bytes(16).hex()
        if chair.kind is SeatKind.BOT:
            events.append(ev.Sat(seat, SeatKind.BOT, chair.name, bot=known_bot(chair.name), seed=seed))
        elif chair.player == player.id:
            events.append(ev.Sat(seat, chair.kind, chair.name, player.id, seed=seed))
    return events

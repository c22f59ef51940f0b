"""How a table begins: from a player's wish to its first events."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from regalia import Match
from regalia.core.errors import RegaliaError
from regalia.core.viewers import EVERYTHING
from regalia.server import protocol as wire
from regalia.server.model import events as ev
from regalia.server.model import views
from regalia.server.model.commands import Player, known_bot
from regalia.server.model.dice import PROOF, bot_seed, commitment
from regalia.server.model.refusals import Refused
from regalia.server.model.table import Table
from regalia.server.model.text import clean
from regalia.server.ports import Randomness
from regalia.server.protocol import Clock, Code, Result, SeatKind, Status, Tempo


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


def plan(player: Player, asked: wire.NewTable, match: Match, randomness: Randomness) -> list[ev.AnyEvent]:
    """The events of a new table that begins with a match: made, and its first seats taken.

    A match that is over is only there to be looked at: the table ends as it is made, and nobody else sees it.
    """
    check_clock(asked.clock)
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
        is_public=asked.is_public and not match.is_over,
        hotseat=any(seat.kind is SeatKind.HOTSEAT for seat in asked.seats),
        undo=asked.undo,
        hints=asked.hints,
        autostart=asked.autostart,
        start=match.transcript(EVERYTHING) if has_own_start(asked) else None,
        proof=PROOF,
        is_imported=match.is_over,
    )
    seats = [seated(created, player, seat, place) for seat, place in enumerate(asked.seats)]
    if sum(isinstance(sat, ev.Sat) and sat.kind is SeatKind.HUMAN for sat in seats) > 1:
        raise Refused(Code.ALREADY_SEATED)
    return [created, *(sat for sat in seats if sat is not None), *ending(match)]


def ending(match: Match) -> list[ev.AnyEvent]:
    """What ends the table of a match that is over."""
    outcome = match.outcome
    if outcome is None:
        return []
    result = Result(outcome.ranks, outcome.points, outcome.reason)
    return [ev.Started(match.transcript(EVERYTHING), drawn=0), ev.Ended(result)]


def has_own_start(asked: wire.NewTable) -> bool:
    """Does the match begin elsewhere than the rules begin it?"""
    return any(start is not None for start in (asked.transcript, asked.position, asked.table))


def beginning(asked: wire.NewTable, source: Table | None) -> Callable[[], Match]:
    """What makes the match before any draw of the table's own dice, away from the event loop."""
    ways = [asked.transcript, asked.position, asked.table]
    if sum(way is not None for way in ways) > 1 or (asked.ply is not None and asked.table is None):
        raise Refused(Code.BAD_MESSAGE)
    forked = None if source is None else forkable(source, asked.ply)

    def begin() -> Match:
        try:
            return begun(asked, forked)
        except RegaliaError as error:
            raise Refused.by_rule(error, Code.SETUP) from error

    return begin


def begun(asked: wire.NewTable, forked: Match | None) -> Match:
    """It also checks game, seats and options. A text may be long: not on the event loop."""
    if asked.transcript is not None:
        match = Match.replay(asked.transcript, chance="manual")
    elif asked.position is not None:
        heading = {"seats": len(asked.seats), "options": asked.options}
        match = Match.from_position(asked.game, {**heading, **asked.position}, chance="manual")
    elif forked is not None:
        match = forked
    else:
        return Match.new(asked.game, len(asked.seats), options=asked.options, chance="manual")
    if match.game.id != asked.game or match.seats != len(asked.seats):
        raise Refused(Code.SETUP, "server.error.start_other")
    if match.is_over and asked.transcript is None:
        raise Refused(Code.SETUP, "error.over")
    return match


def forkable(source: Table, ply: int | None) -> Match:
    """The match of another table, as it stood at a ply. While that one runs, only where nothing of it is hidden."""
    match = views.started(source)
    if source.status is not Status.ENDED and match.engine.layout.hidden:
        raise Refused(Code.WRONG_PHASE)
    ply = match.ply if ply is None else ply
    views.check_plies(match, ply, ply)
    return match.at(ply)


def check_clock(clock: Clock) -> None:
    timed = clock.tempo is not Tempo.NONE
    if timed != (clock.reserve_ms > 0) or (not timed and clock.increment_ms):
        raise Refused(Code.SETUP, "server.error.clock")


def seated(created: ev.Created, player: Player, seat: int, place: wire.SeatPlan) -> ev.Sat | None:
    match place.kind:
        case SeatKind.OPEN:
            return None
        case SeatKind.BOT:
            return bot_seated(created, seat, place.bot)
        case SeatKind.HUMAN:
            return person_seated(created, player, seat, SeatKind.HUMAN, player.name)
        case SeatKind.HOTSEAT:
            name = clean(place.name) or player.name
            return person_seated(created, player, seat, SeatKind.HOTSEAT, name)


def person_seated(created: ev.Created, player: Player, seat: int, kind: SeatKind, name: str) -> ev.Sat:
    """A seat taken with the table: its player has not been told the commitment, so the seed comes later."""
    return ev.Sat(seat, kind, name, player.id, awaits_seed=not created.is_imported)


def bot_seated(created: ev.Created, seat: int, bot: str) -> ev.Sat:
    seed = bot_seed(commitment(created.server_seed), seat)
    return ev.Sat(seat, SeatKind.BOT, bot, bot=known_bot(bot), seed=seed)


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
        proof=PROOF,
    )
    events: list[ev.AnyEvent] = [created]
    for old, chair in enumerate(table.chairs):
        seat = (old + 1) % count
        if chair.kind is SeatKind.BOT:
            events.append(bot_seated(created, seat, chair.name))
        elif chair.player == player.id:
            events.append(person_seated(created, player, seat, chair.kind, chair.name))
    return events

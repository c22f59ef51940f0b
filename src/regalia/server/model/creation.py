"""How a table begins: from what its host asks for to its first events."""

from __future__ import annotations

from collections.abc import Callable

from regalia import Match
from regalia.core.errors import RegaliaError
from regalia.core.viewers import EVERYTHING
from regalia.server import protocol as wire
from regalia.server.model import events as ev
from regalia.server.model.dice import PROOF, bot_seed, commitment
from regalia.server.model.ids import RandomBytes, to_id
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player, is_secret, known_bot
from regalia.server.model.table import Table
from regalia.server.model.text import clean
from regalia.server.model.values import ByHand, Result, SeatKind, Status, Tempo, TimeControl
from regalia.server.protocol import Code


def events_for(
    player: Player, new_table: wire.NewTable, match: Match, random_bytes: RandomBytes
) -> list[ev.AnyEvent]:
    """The events of a new table that begins with a match: made, and its first seats taken.

    A match that is over is only there to be looked at: the table ends as it is made, and nobody else sees it.
    """
    check_time_control(new_table.clock)
    created = ev.Created(
        game=match.game.id,
        rules=match.game.rules,
        seats=match.seats,
        options=match.options,
        host=player.id,
        host_name=player.name,
        server_seed=random_bytes(32).hex(),
        invite=to_id(random_bytes(12)),
        watch_key=random_bytes(16).hex(),
        clock=new_table.clock,
        is_public=new_table.is_public and not match.is_over,
        hotseat=any(seat.kind is SeatKind.HOTSEAT for seat in new_table.seats),
        undo=new_table.undo,
        hints=new_table.hints,
        autostart=new_table.autostart,
        by_hand=checked_hand(new_table, match),
        odds=new_table.odds,
        start=match.transcript(EVERYTHING) if has_own_start(new_table) else None,
        proof=PROOF,
        is_imported=match.is_over,
    )
    seats = [seat_event(created, player, seat, place) for seat, place in enumerate(new_table.seats)]
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


def has_own_start(new_table: wire.NewTable) -> bool:
    """Does the match begin elsewhere than the rules begin it?"""
    return any(start is not None for start in (new_table.transcript, new_table.position, new_table.table))


def starting_match(new_table: wire.NewTable, source: Table | None) -> Callable[[], Match]:
    """What makes the match before any draw of the table's own dice, away from the event loop."""
    ways = [new_table.transcript, new_table.position, new_table.table]
    if sum(way is not None for way in ways) > 1 or (new_table.ply is not None and new_table.table is None):
        raise Refused(Code.BAD_MESSAGE)
    forked = None if source is None else forkable(source, new_table.ply)

    def make() -> Match:
        try:
            return make_match(new_table, forked)
        except RegaliaError as error:
            raise Refused.by_rule(error, Code.SETUP) from error

    return make


def make_match(new_table: wire.NewTable, forked: Match | None) -> Match:
    """It also checks game, seats and options. A text may be long: not on the event loop."""
    if new_table.transcript is not None:
        match = Match.replay(new_table.transcript, chance="manual")
    elif new_table.position is not None:
        heading = {"seats": len(new_table.seats), "options": new_table.options}
        match = Match.from_position(new_table.game, {**heading, **new_table.position}, chance="manual")
    elif forked is not None:
        match = forked
    else:
        return Match.new(new_table.game, len(new_table.seats), options=new_table.options, chance="manual")
    if match.game.id != new_table.game or match.seats != len(new_table.seats):
        raise Refused(Code.SETUP, "server.error.start_other")
    if match.is_over and new_table.transcript is None:
        raise Refused(Code.SETUP, "error.over")
    return match


def forkable(source: Table, ply: int | None) -> Match:
    """The match of another table, as it stood at a ply. While that one runs, only where nothing of it is hidden."""
    match = source.started_match()
    if source.status is not Status.ENDED and match.engine.layout.hidden:
        raise Refused(Code.WRONG_PHASE)
    ply = match.ply if ply is None else ply
    if not 1 <= ply <= match.ply:
        raise Refused(Code.BAD_MESSAGE)
    return match.at(ply)


def checked_hand(new_table: wire.NewTable, match: Match) -> ByHand:
    """What a game offers to be rolled and dealt by hand. A bot cannot look at a real card."""
    by_hand = new_table.by_hand
    if match.is_over:
        return ByHand.NOTHING
    if by_hand and by_hand not in match.game.by_hand:
        raise Refused(Code.SETUP, "server.error.by_hand", game=match.game.id)
    if is_secret(match.game, by_hand) and any(seat.kind is SeatKind.BOT for seat in new_table.seats):
        raise Refused(Code.SETUP, "server.error.bot_cards")
    return by_hand


def check_time_control(control: TimeControl) -> None:
    timed = control.tempo is not Tempo.NONE
    if timed != (control.reserve_ms > 0) or (not timed and control.increment_ms):
        raise Refused(Code.SETUP, "server.error.clock")


def seat_event(created: ev.Created, player: Player, seat: int, place: wire.SeatPlan) -> ev.Sat | None:
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
    is_own_name = player.is_account and kind is SeatKind.HUMAN
    return ev.Sat(seat, kind, name, player.id, awaits_seed=not created.is_imported, is_account=is_own_name)


def bot_seated(created: ev.Created, seat: int, bot: str) -> ev.Sat:
    seed = bot_seed(commitment(created.server_seed), seat)
    return ev.Sat(seat, SeatKind.BOT, bot, bot=known_bot(bot), seed=seed)


def rematch(table: Table, player: Player, random_bytes: RandomBytes) -> list[ev.AnyEvent]:
    """The same again, everyone one seat on. Bots and who asks sit down; the others find a seat open."""
    old = table.created
    count = len(table.chairs)
    created = ev.Created(
        game=old.game,
        rules=Match.find(old.game).rules,
        seats=old.seats,
        options=old.options,
        host=player.id,
        host_name=player.name,
        server_seed=random_bytes(32).hex(),
        invite=old.invite,
        watch_key=random_bytes(16).hex(),
        clock=old.clock,
        is_public=old.is_public,
        hotseat=old.hotseat,
        undo=old.undo,
        hints=old.hints,
        autostart=True,
        by_hand=old.by_hand,
        odds=old.odds,
        previous=table.id,
        proof=PROOF,
    )
    events: list[ev.AnyEvent] = [created]
    for place, chair in enumerate(table.chairs):
        seat = (place + 1) % count
        if chair.kind is SeatKind.BOT:
            events.append(bot_seated(created, seat, chair.name))
        elif chair.player == player.id:
            events.append(person_seated(created, player, seat, chair.kind, chair.name))
    return events

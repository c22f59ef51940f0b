"""The one place where something is made that a player, bot or spectator gets to see of a table.

Everything is picked by name for its viewer (an allow-list); positions come from `Match.view` and records from
`Record.seen_by`. Two tables that a viewer cannot tell apart give the same bytes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from regalia import Match
from regalia.bots import Choice
from regalia.core.errors import RegaliaError
from regalia.core.viewers import EVERYTHING, SPECTATOR
from regalia.server import protocol as wire
from regalia.server.model.commands import can_undo, known_bot, must_be_current
from regalia.server.model.dice import FORMATS
from regalia.server.model.refusals import Refused
from regalia.server.model.table import Table
from regalia.server.ports import Clock
from regalia.server.protocol import Code, SeatKind, SeedSource, Status

FRESH_MS = 250  # facts are shared for so long: their clock readings carry the time they were taken at
MOST_FRAMES = 200
MOST_KEPT = 16  # encoded frames and positions per table

encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Viewer:
    """Who looks: a player (or nobody), from one of the own seats or as a spectator."""

    player: str | None
    seat: int | None


def viewer(table: Table, player: str | None, seat: int | None, invite: str = "") -> Viewer:
    """Who asks to look at the table as it is now: it must be open to the player, the seat the player's own.

    Seats change hands: a viewer is made for one answer and never kept.
    """
    who = listener(table, player, seat, invite)
    if who.seat != seat:
        raise Refused(Code.NOT_YOUR_SEAT)
    return who


def listener(table: Table, player: str | None, seat: int | None, invite: str) -> Viewer:
    """Who goes on looking at a table, from a seat while it is the own one, else as a spectator."""
    if not table.is_open_to(player, invite):
        raise Refused(Code.NOT_FOUND)
    return Viewer(player, seat if seat in table.seats_of(player) else None)


# --- A table now ---


def update(
    table: Table, player: str | None, seat: int | None, invite: str, since: int | None, clock: Clock
) -> bytes:
    """The frame that brings someone who has `since` (None: nothing) up to date; what they may see is judged anew."""
    who = listener(table, player, seat, invite)
    if since is not None and not 0 <= since <= table.seq:
        since = None
    known = -1 if since is None else since
    key = (shared_player(table, who), who.seat, known)
    ready = table.cache.get(key)
    now = clock.steady_ms()
    if ready is not None and now - ready[0] < FRESH_MS:
        return ready[1]
    from_ply = 0 if since is None else min(table.marks[since + 1 :], default=table.ply)
    from_ply = min(from_ply, table.ply)
    frame = wire.RawUpdate(
        table=msgspec.Raw(encode(facts(table, who, clock))),
        seat=who.seat,
        seq=table.seq,
        since=since,
        from_ply=from_ply,
        records=records(table, who.seat, from_ply),
        events=happenings(table, who, known),
        view=msgspec.Raw(position(table, who.seat)),
    )
    made = encode(frame)
    keep(table, key, (now, made))
    return made


def keep(table: Table, key: object, ready: tuple[int, bytes]) -> None:
    """For the next who asks the same. What clients ask for is theirs to choose, so there is room for a few only."""
    table.cache.pop(key, None)
    while len(table.cache) >= MOST_KEPT:
        del table.cache[next(iter(table.cache))]
    table.cache[key] = ready


def shared_player(table: Table, who: Viewer) -> str | None:
    """Strangers all see the same; only who sits here or is the host sees something of the own."""
    if who.player and (who.player == table.created.host or table.seats_of(who.player)):
        return who.player
    return None


def position(table: Table, seat: int | None) -> bytes:
    """`Match.view` from a seat, encoded; `null` before the start. Kept until the next event.

    Of a match whose rules are not known any more there is what was kept at its end.
    """
    if table.match is None and table.final_views:
        return table.final_views[-1 if seat is None else seat]
    ready = table.cache.get(seat)
    if ready is None:
        ready = (0, encode(None if table.match is None else view_of(table, table.match, seat)))
        keep(table, seat, ready)
    return ready[1]


def view_of(table: Table, match: Match, seat: int | None) -> dict[str, Any]:
    """`match.view(seat)`. Where a game hides nothing, all views are one but for two fields: it is made once."""
    if match.engine.layout.hidden:
        return match.view(seat)
    if table.shared_view is None:
        table.shared_view = match.view(SPECTATOR)
    if seat is None:
        return table.shared_view
    return {**table.shared_view, "you": seat, "actions": match.actions(seat)}


def records(table: Table, seat: int | None, from_ply: int) -> tuple[wire.RecordFacts, ...]:
    if table.match is None:
        return ()
    return tuple(
        record_facts(table.match, ply, seat, table.times[ply]) for ply in range(from_ply, table.match.ply)
    )


def record_facts(match: Match, ply: int, seat: int | None, at_ms: int) -> wire.RecordFacts:
    seen = match.records[ply].seen_by(seat)
    return wire.RecordFacts(ply, seen.seat, seen.action, seen.outcomes, match.effects(ply, seat), at_ms)


def happenings(table: Table, who: Viewer, after: int) -> tuple[wire.EventFacts, ...]:
    """What happened besides records. Partner talk reaches the seats it was meant for, and only there."""
    found = []
    for happening in reversed(table.happenings):
        if happening.facts.seq <= after:
            break
        if happening.to is None or (who.seat is not None and who.seat in happening.to):
            found.append(happening.facts)
    return tuple(reversed(found))


def facts(table: Table, who: Viewer, clock: Clock) -> wire.TableFacts:
    made = table.created
    mine = table.seats_of(who.player)
    is_host = bool(who.player) and who.player == made.host
    return wire.TableFacts(
        id=table.id,
        game=made.game,
        rules=made.rules,
        status=table.status,
        options=made.options,
        seats=seat_facts(table, mine, clock),
        host=made.host,
        host_name=made.host_name,
        is_host=is_host,
        is_public=made.is_public,
        invite=made.invite if mine or is_host else None,
        hotseat=made.hotseat,
        undo=made.undo,
        hints=made.hints,
        clock=made.clock,
        can_undo=who.seat is not None and can_undo(table, who.seat, clock.steady_ms()),
        draw_offer=table.draw_offer,
        partners=table.partners,
        partner_talk=table.partners_may_talk,
        from_position=made.start is not None,
        is_imported=made.is_imported,
        previous=made.previous,
        next=table.next,
        result=table.result,
        fairness=fairness(table),
        created_ms=table.created_ms,
        started_ms=table.started_ms,
        ended_ms=table.ended_ms,
        now_ms=clock.wall_ms(),
    )


def seat_facts(table: Table, mine: list[int], clock: Clock) -> tuple[wire.SeatFacts, ...]:
    left = table.timer.left(clock.steady_ms())
    return tuple(
        wire.SeatFacts(
            seat=seat,
            kind=chair.kind,
            name=chair.name,
            player=chair.player,
            bot=chair.bot,
            is_yours=seat in mine,
            is_out=chair.is_out,
            left_ms=left[seat] if left else None,
            is_running=seat in table.timer.running,
        )
        for seat, chair in enumerate(table.chairs)
    )


def fairness(table: Table) -> wire.Fairness:
    """The server's seed is told only when nothing is left to draw."""
    begun = table.status in (Status.RUNNING, Status.ENDED)
    over = table.status is Status.ENDED
    return wire.Fairness(
        proof=table.created.proof,
        commitment=table.commitment,
        awaited=tuple(seat for seat, chair in enumerate(table.chairs) if chair.awaits_seed and not begun),
        client_seeds=tuple(chair.seed for chair in table.chairs) if begun else None,
        sources=seed_sources(table) or None if begun else None,
        server_seed=table.created.server_seed if over else None,
    )


def seed_sources(table: Table) -> tuple[SeedSource, ...]:
    if table.created.proof == 1:
        return ()
    return tuple(
        SeedSource.BOT if not chair.is_person else SeedSource.PLAYER if chair.seed else SeedSource.NONE
        for chair in table.chairs
    )


def summary(table: Table) -> wire.TableSummary:
    """A line of a public list: nothing that a stranger may not know."""
    return wire.TableSummary(
        id=table.id,
        game=table.created.game,
        status=table.status,
        options=table.created.options,
        seats=tuple(
            wire.SummarySeat(
                SeatKind.BOT if chair.bot and not chair.player else chair.kind, chair.name, chair.player
            )
            for chair in table.chairs
        ),
        host_name=table.created.host_name,
        is_public=table.created.is_public,
        clock=table.created.clock,
        ply=table.ply,
        actors=table.actors,
        result=table.result,
        created_ms=table.created_ms,
        updated_ms=table.updated_ms,
    )


def presence(table: Table, online: set[str], watchers: int) -> wire.Presence:
    return wire.Presence(table.id, tuple(chair.player in online for chair in table.chairs), watchers)


# --- A table at other moments ---


def started(table: Table) -> Match:
    if table.match is None:
        code = Code.WRONG_PHASE if table.started_ms is None else Code.SETUP
        if code is Code.SETUP:
            made = table.created
            raise Refused(code, "error.rules_version", None, game=made.game, rules=made.rules, known="?")
        raise Refused(code)
    return table.match


def check_plies(match: Match, first: int, last: int) -> None:
    if not 1 <= first <= last <= match.ply or last - first >= MOST_FRAMES:
        raise Refused(Code.BAD_MESSAGE)


def frames(match: Match, seat: int | None, first: int, last: int) -> bytes:
    """Replay: what the seat could see at each ply. Long: not on the event loop."""
    views: tuple[Any, ...] = tuple(moment.view(seat) for moment in match.moments(first, last))
    return encode(wire.Frames(seat, first, views))


def text(table: Table, who: Viewer) -> str:
    """The transcript as the viewer may see it; all of it when the match is over."""
    return started(table).transcript(EVERYTHING if table.status is Status.ENDED else who.seat)


def previews(match: Match, seat: int, actions: tuple[str, ...]) -> bytes:
    """What the seat would see after each action, before any chance. Long: not on the event loop."""
    try:
        views = {action: match.preview(seat, action) for action in actions}
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    return encode(wire.Previews(match.ply, views))


def hint_match(table: Table, who: Viewer, asked: wire.HintRequest, bot: str) -> Match:
    """The match a hint may be asked for. The bot blanks it to the seat's own view before it looks."""
    match = started(table)
    if not table.created.hints:
        raise Refused(Code.NOT_AT_THIS_TABLE)
    known_bot(bot)
    if table.status is not Status.RUNNING:
        raise Refused(Code.MATCH_OVER, "error.over")
    must_be_current(table, asked.seq, asked.ply)
    if who.seat not in match.actors:
        raise Refused(Code.NOT_YOUR_TURN)
    return match


def hint_seed(table: Table) -> int:
    """The same question has the same answer."""
    return int.from_bytes(hashlib.sha256(f"{table.id}|{table.ply}".encode()).digest()[:4])


def hint(table: Table, bot: str, choice: Choice) -> wire.Hint:
    return wire.Hint(table.ply, choice.action, bot, choice.reasons)


def proof(table: Table) -> wire.Proof:
    """Everything needed to check the dice, once nothing can be drawn any more."""
    made = table.created
    if made.is_imported:  # its dice fell elsewhere
        raise Refused(Code.NOT_AT_THIS_TABLE)
    if table.status is not Status.ENDED:
        raise Refused(Code.WRONG_PHASE)
    return wire.Proof(
        format=FORMATS[made.proof],
        table=table.id,
        commitment=table.commitment,
        server_seed=made.server_seed,
        client_seeds=tuple(chair.seed for chair in table.chairs),
        start=made.start,
        transcript=started(table).transcript(EVERYTHING),
        sources=seed_sources(table),
    )

"""The one place where something is made that a player, bot or spectator gets to see of a table.

Everything is picked by name for its viewer (an allow-list); positions come from `Match.view` and records from
`Record.seen_by`. Two tables that a viewer cannot tell apart give the same bytes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from regalia import CHANCE, Match
from regalia.bots import Choice
from regalia.core import transcript
from regalia.core.errors import RegaliaError
from regalia.core.transcript import Record
from regalia.server import protocol as wire
from regalia.server.decide import can_undo, known_bot
from regalia.server.fair import FORMAT, commitment
from regalia.server.ports import Clock
from regalia.server.protocol import Code, SeatKind, Status
from regalia.server.refused import Refused
from regalia.server.table import Table

FRESH_MS = 250  # facts are shared for so long: their clock readings carry the time they were taken at
MOST_FRAMES = 200

encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Viewer:
    """Who looks: a player (or nobody), from one of the own seats or as a spectator."""

    player: str | None
    seat: int | None


def viewer(table: Table, player: str | None, seat: int | None, invite: str = "") -> Viewer:
    """The only way to become a viewer: the table must be open to the player, the seat the player's own."""
    if not table.is_open_to(player, invite):
        raise Refused(Code.NOT_FOUND)
    if seat is not None and seat not in table.seats_of(player):
        raise Refused(Code.NOT_YOUR_SEAT)
    return Viewer(player, seat)


# --- A table now ---


def update(table: Table, who: Viewer, since: int | None, clock: Clock) -> bytes:
    """The frame that brings a viewer who has `since` (None: nothing) up to date."""
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
    table.cache[key] = (now, made)
    return made


def shared_player(table: Table, who: Viewer) -> str | None:
    """Strangers all see the same; only who sits here or is the host sees something of the own."""
    if who.player and (who.player == table.created.host or table.seats_of(who.player)):
        return who.player
    return None


def position(table: Table, seat: int | None) -> bytes:
    """`Match.view` from a seat, encoded; `null` before the start. Kept until the next event."""
    ready = table.cache.get(seat)
    if ready is None:
        ready = (0, encode(None if table.match is None else view_of(table, table.match, seat)))
        table.cache[seat] = ready
    return ready[1]


def view_of(table: Table, match: Match, seat: int | None) -> dict[str, Any]:
    """`match.view(seat)`. Where a game hides nothing, all views are one but for two fields: it is made once."""
    if match.engine.layout.hidden:
        return match.view(seat)
    if table.shared_view is None:
        table.shared_view = match.view(None)
    if seat is None:
        return table.shared_view
    return {**table.shared_view, "you": seat, "actions": match.actions(seat)}


def records(table: Table, seat: int | None, from_ply: int) -> tuple[wire.RecordFacts, ...]:
    if table.match is None:
        return ()
    return tuple(
        record_facts(ply, record, seat, table.times[ply])
        for ply, record in enumerate(table.match.records[from_ply:], from_ply)
    )


def record_facts(ply: int, record: Record, seat: int | None, at_ms: int) -> wire.RecordFacts:
    seen = record.seen_by(seat)
    return wire.RecordFacts(ply, seen.seat, seen.action, seen.outcomes, at_ms)


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
        can_undo=who.seat is not None and can_undo(table, who.seat),
        draw_offer=table.draw_offer,
        partners=table.partners,
        partner_talk=table.partners_may_talk,
        from_position=made.start is not None,
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
        commitment=commitment(table.created.server_seed),
        client_seeds=tuple(chair.seed for chair in table.chairs) if begun else None,
        server_seed=table.created.server_seed if over else None,
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
        code = Code.WRONG_PHASE if not table.base else Code.SETUP
        if code is Code.SETUP:
            made = table.created
            raise Refused(code, "error.rules_version", None, game=made.game, rules=made.rules, known="?")
        raise Refused(code)
    return table.match


def moments(match: Match, first: int, last: int) -> list[Match]:
    """The match at each ply from `first` to `last`: its records again, through the gate."""
    if not 1 <= first <= last <= match.ply or last - first >= MOST_FRAMES:
        raise Refused(Code.BAD_MESSAGE)
    text = match.transcript()
    header, _ = transcript.read(text)
    replay = Match.replay(transcript.write(header, match.records[:first]), chance="manual")
    found = [replay.copy()]
    for record in match.records[first:last]:
        assert record.seat is not None
        replay.play(record.seat, record.action)
        if record.outcomes:
            replay.play(CHANCE, " ".join(record.outcomes))
        found.append(replay.copy())
    return found


def frames(table: Table, who: Viewer, first: int, last: int) -> bytes:
    """Replay: what the viewer's seat could see at each ply."""
    views: tuple[Any, ...] = tuple(moment.view(who.seat) for moment in moments(started(table), first, last))
    return encode(wire.Frames(who.seat, first, views))


def text(table: Table, who: Viewer) -> str:
    """The transcript as the viewer may see it; all of it when the match is over."""
    match = started(table)
    if table.status is Status.ENDED:
        return match.transcript()
    if who.seat is not None:
        return match.transcript(who.seat)
    header, _ = transcript.read(match.transcript())
    hidden = match.engine.layout.hidden
    if header.start is not None and hidden:
        raise Refused(Code.NOT_AT_THIS_TABLE)  # a position as a spectator sees it is no start for a replay
    return transcript.write(header, [record.seen_by(None) for record in match.records])


def preview(table: Table, who: Viewer, action: str, ply: int | None) -> bytes:
    """What the viewer would see after an action, before any chance; null if `ply` has passed."""
    match = started(table)
    if who.seat is None:
        raise Refused(Code.NOT_YOUR_SEAT)
    if ply is not None and ply != match.ply:
        return b"null"  # no mistake: the match went on while the question was on its way
    try:
        return encode(match.preview(who.seat, action))
    except RegaliaError as error:
        raise Refused.by_rule(error) from error


def hint_match(table: Table, who: Viewer, ply: int, bot: str) -> Match:
    """The match a hint may be asked for. The bot blanks it to the seat's own view before it looks."""
    match = started(table)
    if not table.created.hints:
        raise Refused(Code.NOT_AT_THIS_TABLE)
    known_bot(bot)
    if table.status is not Status.RUNNING:
        raise Refused(Code.MATCH_OVER, "error.over")
    if ply != match.ply:
        raise Refused(Code.STALE, "error.stale", None, ply=ply, now=match.ply)
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
    if table.status is not Status.ENDED:
        raise Refused(Code.WRONG_PHASE)
    made = table.created
    return wire.Proof(
        format=FORMAT,
        table=table.id,
        commitment=commitment(made.server_seed),
        server_seed=made.server_seed,
        client_seeds=tuple(chair.seed for chair in table.chairs),
        start=made.start,
        transcript=started(table).transcript(),
    )

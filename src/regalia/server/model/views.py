"""The one place where something is made that a player, bot or spectator gets to see of a table.

Everything is picked by name for its viewer (an allow-list); positions come from `Match.view` and records from
`Record.seen_by`. Two tables that a viewer cannot tell apart give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

from regalia import Match
from regalia.bots import Choice
from regalia.core.errors import RegaliaError
from regalia.core.viewers import EVERYTHING, SPECTATOR
from regalia.core.viewers import Viewer as MatchViewer
from regalia.server import protocol as wire
from regalia.server.model.box import Entry
from regalia.server.model.clock import Now
from regalia.server.model.dice import FORMATS
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import (
    Viewer,
    amend_from,
    amenders,
    can_type,
    can_undo,
    known_bot,
    listener,
    must_be_current,
    practice_ply,
)
from regalia.server.model.summary import Summary
from regalia.server.model.table import Table
from regalia.server.model.values import Notice, SeedSource, Status
from regalia.server.protocol import Code

FRESH_MS = 250  # facts are shared for so long: their clock readings carry the time they were taken at
MOST_VIEWS = 200
BY_HAND = "# by hand: dice or cards of a real table, typed there; unrated, and there is no proof of them"
PRACTICE = "# practice: decisions were taken back after bots had answered or dice had fallen"
MOST_KEPT = 16  # encoded frames and positions per table
MOST_TYPED = 24  # of what was typed: to be amended
MOST_TOLD_AT_ONCE = 16  # records: to say what more of them did takes milliseconds

encode = msgspec.json.Encoder().encode


# --- A table now ---


def untold(
    table: Table, player: str | None, seat: int | None, since: int | None
) -> Callable[[], None] | None:
    """What is to be done off the event loop before `update`: say what the records of a long match did.

    None if there is little to say, or if this viewer was told before.
    """
    if table.match is None or (since is not None and 0 <= table.seq - since < MOST_TOLD_AT_ONCE // 2):
        return None  # so few events bring few records
    first = first_new_ply(table, since)
    if table.ply - first <= MOST_TOLD_AT_ONCE:
        return None
    seat = seat if seat in table.seats_of(player) else None
    new = [ply for ply in range(first, table.ply) if not table.match.has_told(ply, seat)]
    if len(new) <= MOST_TOLD_AT_ONCE:
        return None
    match = table.match.copy()
    return lambda: tell(match, new, seat)


def tell(match: Match, plies: list[int], seat: int | None) -> None:
    """Copies of a match share what was told."""
    for ply in plies:
        match.effects(ply, seat)


def first_new_ply(table: Table, since: int | None) -> int:
    """The first record that is not as it was at an update (None: before there was one)."""
    if since is None or not 0 <= since <= table.seq:
        return 0
    return min([table.ply, *table.marks[since + 1 :]])


def update(
    table: Table, player: str | None, seat: int | None, secret: str, since: int | None, now: Now
) -> bytes:
    """The frame that brings someone who has `since` (None: nothing) up to date; what they may see is judged anew."""
    who = listener(table, player, seat, secret)
    if since is not None and not 0 <= since <= table.seq:
        since = None
    known = -1 if since is None else since
    key = (shared_player(table, who), who.seat, known)
    ready = table.cache.get(key)
    if ready is not None and now.steady_ms - ready[0] < FRESH_MS:
        return ready[1]
    from_ply = first_new_ply(table, since)
    frame = wire.RawUpdate(
        table=msgspec.Raw(encode(facts(table, who, now))),
        seat=who.seat,
        seq=table.seq,
        since=since,
        from_ply=from_ply,
        records=records(table, who.seat, from_ply),
        events=notices(table, who.seat, known),
        view=msgspec.Raw(position(table, who.seat)),
    )
    encoded = encode(frame)
    keep(table, key, (now.steady_ms, encoded))
    return encoded


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


def record_facts(match: Match, ply: int, viewer: MatchViewer, at_ms: int) -> wire.RecordFacts:
    seen = match.records[ply].seen_by(viewer)
    return wire.RecordFacts(ply, seen.seat, seen.action, seen.outcomes, match.effects(ply, viewer), at_ms)


def notices(table: Table, seat: int | None, after: int) -> tuple[Notice, ...]:
    """What happened besides records. Partner talk reaches the seats it was meant for, and only there."""
    newest_first = []
    for notice in reversed(table.notices):
        if notice.seq <= after:
            break
        if table.is_for(notice, seat):
            newest_first.append(notice)
    return tuple(reversed(newest_first))


def facts(table: Table, who: Viewer, now: Now) -> wire.TableFacts:
    created = table.created
    mine = table.seats_of(who.player)
    is_host = bool(who.player) and who.player == created.host
    can_undo_now = who.seat is not None and can_undo(table, who.seat, now.steady_ms)
    return wire.TableFacts(
        id=table.id,
        game=created.game,
        rules=created.rules,
        status=table.status,
        options=created.options,
        seats=seat_facts(table, mine, now),
        host=created.host,
        host_name=created.host_name,
        is_host=is_host,
        is_public=created.is_public,
        invite=created.invite if mine or is_host else None,
        watch_key=None if created.is_public else table.watch_key,
        hotseat=created.hotseat,
        undo=created.undo,
        hints=created.hints,
        clock=created.clock,
        can_undo=can_undo_now,
        can_go_back=who.seat is not None and not can_undo_now and practice_ply(table, who.seat) is not None,
        is_practice=table.is_practice,
        draw_offer=table.draw_offer,
        partners=table.partners,
        partner_talk=table.partners_may_talk,
        from_position=created.start is not None,
        is_imported=created.is_imported,
        by_hand=created.by_hand,
        odds=table.tells_odds,
        due=due_facts(table, who),
        amend_from=amend_from(table, who.player),
        typed=typed(table),
        amendment=amendment(table, who),
        previous=created.previous,
        next=table.next,
        result=table.result,
        fairness=fairness(table),
        created_ms=table.created_ms,
        started_ms=table.started_ms,
        ended_ms=table.ended_ms,
        now_ms=now.wall_ms,
    )


def due_facts(table: Table, who: Viewer) -> wire.DueFacts | None:
    """Of a secret deal each is told what the own seat could get, as far as it can know."""
    due = table.due
    if due is None:
        return None
    if not due.shares:
        return wire.DueFacts(
            due.phase, due.seat, due.count, dict(due.most), can_type(table, who.player, due), ()
        )
    awaited = table.awaited
    if who.seat is None or table.match is None:
        return wire.DueFacts(due.phase, None, 0, {}, False, awaited)
    count = due.shares[who.seat]
    most = {text: min(count, most) for text, most in table.match.could_get(who.seat).items()}
    return wire.DueFacts(due.phase, who.seat, count, most, who.seat in awaited, awaited)


def typed(table: Table) -> tuple[wire.Typed, ...]:
    """What may be amended, the latest last. Cards that others may not see are not told."""
    match = table.match
    if match is None or table.status is not Status.RUNNING:
        return ()
    return tuple(
        wire.Typed(each.ply, each.outcomes, each.seat, seen_texts(match, each))
        for each in table.box.entries[-MOST_TYPED:]
        if each.ply >= table.box.floor
    )


def seen_texts(match: Match, entry: Entry) -> tuple[str, ...]:
    record = match.records[entry.ply].seen_by(SPECTATOR)
    return record.outcomes[entry.outcomes : entry.outcomes + len(entry.texts)]


def amendment(table: Table, who: Viewer) -> wire.AmendmentFacts | None:
    proposal = table.box.proposal
    if proposal is None or table.status is not Status.RUNNING:
        return None
    missing = amenders(table) - proposal.agreed
    names = {chair.player: chair.name for chair in reversed(table.chairs)}
    return wire.AmendmentFacts(
        proposal.name,
        proposal.ply,
        proposal.outcomes,
        who.player in missing,
        tuple(sorted(names[player] for player in missing)),
    )


def seat_facts(table: Table, mine: list[int], now: Now) -> tuple[wire.SeatFacts, ...]:
    left = table.timer.left(now.steady_ms)
    return tuple(
        wire.SeatFacts(
            seat=seat,
            kind=chair.kind,
            name=chair.name,
            player=chair.player,
            is_guest=chair.is_person and not chair.is_account,
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


def list_line(summary: Summary) -> wire.TableSummary:
    """A line of a public list."""
    return wire.TableSummary(
        id=summary.id,
        game=summary.game,
        status=summary.status,
        options=summary.options,
        seats=tuple(wire.SummarySeat(seat.kind, seat.name, seat.player) for seat in summary.seats),
        host_name=summary.host_name,
        is_public=summary.is_public,
        clock=summary.clock,
        ply=summary.ply,
        actors=summary.actors,
        result=summary.result,
        is_practice=summary.is_practice,
        by_hand=summary.by_hand,
        created_ms=summary.created_ms,
        updated_ms=summary.updated_ms,
    )


def boards(tables: list[Table]) -> Callable[[], bytes]:
    """The positions of several tables, as a spectator sees them; what it returns is to be done off the event loop."""
    ready: dict[str, msgspec.Raw] = {}
    matches: dict[str, Match] = {}
    for table in tables:
        if None in table.cache or (table.match is None and table.final_views):
            ready[table.id] = msgspec.Raw(position(table, None))
        elif table.match is not None:
            matches[table.id] = table.match.copy()

    def draw_up() -> bytes:
        made = {name: msgspec.Raw(encode(match.view(SPECTATOR))) for name, match in matches.items()}
        return encode(
            wire.Boards({table.id: view for table in tables if (view := (ready | made).get(table.id))})
        )

    return draw_up


def presence(table: Table, online: set[str], watchers: int) -> wire.Presence:
    return wire.Presence(table.id, tuple(chair.player in online for chair in table.chairs), watchers)


# --- A table at other moments ---


def check_plies(match: Match, first: int, last: int) -> None:
    if not 1 <= first <= last <= match.ply or last - first >= MOST_VIEWS:
        raise Refused(Code.BAD_MESSAGE)


def replay(match: Match, viewer: MatchViewer, first: int, last: int) -> bytes:
    """Replay: what the viewer could see at each ply. Long: not on the event loop."""
    views: tuple[Any, ...] = tuple(past.view(viewer) for past in match.moments(first, last))
    return encode(wire.Frames(viewer if isinstance(viewer, int) else None, first, views))


def text(table: Table, seat: int | None) -> str:
    """The transcript as the seat (None: a spectator) may see it; all of it when the match is over.

    Of a match that was practice, or by hand, a comment says so, which every reader skips.
    """
    written = table.started_match().transcript(EVERYTHING if table.status is Status.ENDED else seat)
    notes = [PRACTICE] * table.is_practice + [BY_HAND] * bool(table.created.by_hand)
    return written.replace("\n", "\n".join(["", *notes, ""]), 1)


def previews(match: Match, seat: int, actions: tuple[str, ...]) -> bytes:
    """What the seat would see after each action, before any chance. Long: not on the event loop."""
    try:
        views = {action: match.preview(seat, action) for action in actions}
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    return encode(wire.Previews(match.ply, views))


def hint_match(table: Table, who: Viewer, request: wire.HintRequest, bot: str) -> Match:
    """The match a hint may be asked for. The bot blanks it to the seat's own view before it looks."""
    match = table.started_match()
    if not table.created.hints:
        raise Refused(Code.NOT_AT_THIS_TABLE)
    known_bot(bot)
    if table.status is not Status.RUNNING:
        raise Refused(Code.MATCH_OVER, "error.over")
    must_be_current(table, request.seq, request.ply)
    if who.seat not in match.actors:
        raise Refused(Code.NOT_YOUR_TURN)
    return match


def hint_seed(table: Table) -> int:
    """The same question has the same answer."""
    return int.from_bytes(hashlib.sha256(f"{table.id}|{table.ply}".encode()).digest()[:4])


def hint(table: Table, bot: str, choice: Choice) -> wire.Hint:
    return wire.Hint(table.ply, choice.action, bot, choice.reasons)


def has_proof(table: Table) -> bool:
    """Not of a match whose dice fell elsewhere."""
    return not table.created.is_imported and not table.created.by_hand


def proof(table: Table) -> wire.Proof:
    """Everything needed to check the dice, once nothing can be drawn any more."""
    created = table.created
    if not has_proof(table):
        raise Refused(Code.NOT_AT_THIS_TABLE)
    if table.status is not Status.ENDED:
        raise Refused(Code.WRONG_PHASE)
    return wire.Proof(
        format=FORMATS[created.proof],
        table=table.id,
        commitment=table.commitment,
        server_seed=created.server_seed,
        client_seeds=tuple(chair.seed for chair in table.chairs),
        start=created.start,
        transcript=table.started_match().transcript(EVERYTHING),
        sources=seed_sources(table),
    )

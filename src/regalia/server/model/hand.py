"""At the table of the boxed game: typing what fell or was dealt, and amending what was typed wrongly."""

from __future__ import annotations

from regalia import CHANCE, Match
from regalia.core import transcript
from regalia.core.due import Due
from regalia.core.errors import NotationError, RegaliaError
from regalia.server import protocol as wire
from regalia.server.model import events as ev
from regalia.server.model.refusals import Refused, refuse
from regalia.server.model.results import ending
from regalia.server.model.rights import (
    Player,
    amend_from,
    amenders,
    can_type,
    must_be_current,
    own_seat,
    running_match,
)
from regalia.server.model.table import Table
from regalia.server.protocol import Code

Events = list[ev.AnyEvent]


# --- What fell ---


def outcome(table: Table, player: Player, command: wire.Outcome) -> Events:
    match = running_match(table)
    if not table.created.by_hand:
        refuse(Code.NOT_AT_THIS_TABLE, "server.error.dice_by_program")
    must_be_current(table, command.seq, command.ply)
    due = table.due
    if due is None:
        refuse(Code.WRONG_PHASE, "server.error.none_due")
    if due.shares:
        return deal(table, match, due, player, command)
    if not can_type(table, player.id, due):
        name = "" if due.seat is None else table.chairs[due.seat].name
        refuse(Code.NOT_YOUR_TURN, "server.error.not_your_roll", name=name)
    return roll(table, match, due, checked(command.text, due.count))


def checked(text: str, count: int) -> tuple[str, ...]:
    """As many outcomes as are due; whether there are such is the match's to judge."""
    outcomes = transcript.split_outcomes(text)
    if len(outcomes) != count:
        refuse(Code.UNREADABLE, "server.error.outcome_count", typed=len(outcomes), count=count)
    return outcomes


def roll(table: Table, match: Match, due: Due, outcomes: tuple[str, ...]) -> Events:
    """They are behind the last record then, and the table's own dice draw what comes after them."""
    after = match.copy()
    before = len(after.records[-1].outcomes)
    try:
        record = after.play(CHANCE, " ".join(outcomes))
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    new = record.outcomes[before:]
    return [ev.Rolled(new, due.seat, len(new) - due.count), *ending(table, after)]


def deal(table: Table, match: Match, due: Due, player: Player, command: wire.Outcome) -> Events:
    """The own part of a secret deal. The last one makes it a deal, if it can have been one."""
    if command.seat is None:
        refuse(Code.BAD_MESSAGE, "server.error.field", field="$.seat")
    seat = own_seat(table, player, command.seat)
    if seat in table.box.hands:
        refuse(Code.WRONG_PHASE, "server.error.hand_typed")
    cards = checked(command.text, due.shares[seat])
    most = match.could_get(seat)
    for card in cards:
        if card not in most:
            refuse(Code.UNREADABLE, "error.outcome", outcome=card[:40])
        if cards.count(card) > most[card]:
            refuse(Code.UNREADABLE, "server.error.hand_cannot_be", card=card, most=most[card])
    typed = ev.Dealt(seat, tuple(sorted(cards)))
    hands = table.box.hands | {seat: typed.outcomes}
    if any(other not in hands for other in due.shares):
        return [typed]
    try:
        arranged = match.arranged(hands)
    except NotationError:
        return [typed, ev.Miscounted()]
    return [typed, *roll(table, match, due, tuple(arranged))]


# --- What was typed wrongly ---


def amend(table: Table, player: Player, command: wire.Amend) -> Events:
    match = running_match(table)
    lowest = amend_from(table, player.id)
    if lowest is None:
        refuse(Code.NOT_AT_THIS_TABLE)
    if command.outcomes is None:
        if not max(lowest, 1) <= command.ply < match.ply:
            refuse(Code.ILLEGAL_ACTION, "server.error.amend_ply")
    elif command.ply < lowest or table.box.entry_at(command.ply, command.outcomes) is None:
        refuse(Code.ILLEGAL_ACTION, "server.error.amend_ply")
    proposed = ev.Proposed(player.id, player.name, command.ply, command.outcomes)
    if amenders(table) <= {player.id}:
        return [amended(table, match, player.name, command.ply, command.outcomes)]
    return [proposed]


def answer_amend(table: Table, player: Player, accept: bool) -> Events:
    match = running_match(table)
    proposal = table.box.proposal
    if proposal is None or player.id not in amenders(table) - proposal.agreed:
        refuse(Code.WRONG_PHASE)
    if not accept:
        return [ev.Kept(player.name)]
    if amenders(table) <= proposal.agreed | {player.id}:
        back = amended(table, match, proposal.name, proposal.ply, proposal.outcomes)
        return [ev.Agreed(player.id), back]
    return [ev.Agreed(player.id)]


def amended(table: Table, match: Match, name: str, ply: int, outcomes: int | None) -> ev.Amended:
    """Of a choice that all made at once, back to its beginning: they have seen what the others chose."""
    if outcomes is not None:
        entry = table.box.entry_at(ply, outcomes)
        assert entry is not None
        drawn = entry.drawn
    else:
        while ply > 1 and len(match.at(ply - 1).actors) > 1:
            ply -= 1
        drawn = table.box.drawn_before[ply]
    left = table.clocks[ply if outcomes is not None else ply - 1]  # clocks stand as they stood there
    return ev.Amended(name, ply, outcomes, drawn, left)

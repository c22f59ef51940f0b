"""What a command leads to: events, or a refusal. Nothing here waits, writes or changes the table.

Each function looks at the table and the rules and returns the events to come; `house` commits them.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import NoReturn, assert_never

from regalia import CHANCE, Match
from regalia.bots import BOTS
from regalia.core.errors import RegaliaError
from regalia.core.transcript import Record
from regalia.server import events as ev
from regalia.server import protocol as wire
from regalia.server.protocol import Audience, Code, Result, SeatKind, Status
from regalia.server.refused import Refused
from regalia.server.table import Chair, Table, changed_from

REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # marks that turn text around


@dataclass(frozen=True)
class Player:
    """Who asks."""

    id: str
    name: str


@dataclass(frozen=True)
class Moment:
    """What a decision may depend on besides the table and the command."""

    steady_ms: int
    seed: str  # fresh, for a seat that brings none
    away: frozenset[str] = frozenset()  # players who have been gone for a while


@dataclass(frozen=True)
class Change:
    """The events of one commit, with the match after each (None: as before)."""

    events: list[ev.AnyEvent] = field(default_factory=list)
    match: Match | None = None


def refuse(code: Code, key: str = "", **values: object) -> NoReturn:
    raise Refused(code, key, None, **values)


def decide(table: Table, player: Player, command: wire.AnyCommand, now: Moment) -> Change:
    """The command of a player. `Rematch` makes a second table and is the house's own matter."""
    match command:
        case wire.Play():
            return play(table, own_seat(table, player, command.seat), command, now)
        case wire.Undo():
            return undo(table, own_seat(table, player, command.seat), command.ply, now)
        case wire.Sit():
            return sit(table, player, command, now)
        case wire.Leave():
            return leave(table, own_seat(table, player, command.seat))
        case wire.Place():
            return place(table, player, command.seat, command.bot, now)
        case wire.Start():
            must_be_host(table, player)
            must_be(table, Status.OPEN)
            if not table.is_full:
                refuse(Code.WRONG_PHASE, "server.error.seats_open")
            return start(table, [])
        case wire.Takeover():
            return take_over(table, player, command.seat, command.bot, now)
        case wire.Reclaim():
            seat = own_seat(table, player, command.seat)
            return Change([*reclaim(table, seat)] or refuse(Code.WRONG_PHASE))
        case wire.Resign():
            must_be(table, Status.RUNNING)
            return go_out(table, own_seat(table, player, command.seat), by_time=False)
        case wire.OfferDraw():
            return offer_draw(table, own_seat(table, player, command.seat))
        case wire.AnswerDraw():
            return answer_draw(table, own_seat(table, player, command.seat), command.accept)
        case wire.Chat():
            return say(table, player, command)
        case wire.Close():
            must_be_host(table, player)
            must_be(table, Status.OPEN)
            return Change([ev.Closed()])
        case wire.Rematch():
            raise TypeError("a rematch is made by the house")
        case _:
            assert_never(command)


# --- What must hold ---


def must_be(table: Table, *states: Status) -> None:
    if table.status not in states:
        code = Code.MATCH_OVER if table.status is Status.ENDED else Code.WRONG_PHASE
        refuse(code, "error.over" if code is Code.MATCH_OVER else "")


def must_be_host(table: Table, player: Player) -> None:
    if player.id != table.created.host:
        refuse(Code.HOST_ONLY)


def chair_at(table: Table, seat: int) -> Chair:
    if seat >= len(table.chairs):
        refuse(Code.NOT_YOUR_SEAT)
    return table.chairs[seat]


def own_seat(table: Table, player: Player, seat: int) -> int:
    if chair_at(table, seat).player != player.id:
        refuse(Code.NOT_YOUR_SEAT)
    return seat


def known_bot(bot: str) -> str:
    if bot not in BOTS:
        refuse(Code.SETUP, "error.bot", bot=bot, allowed=", ".join(BOTS))
    return bot


def stand_in() -> str:
    """The bot that takes a seat when nobody says which."""
    return BOTS[len(BOTS) // 2]


def running_match(table: Table) -> Match:
    must_be(table, Status.RUNNING)
    if table.match is None:
        refuse(
            Code.SETUP, "error.rules_version", game=table.created.game, rules=table.created.rules, known="?"
        )
    return table.match


# --- The match ---


def play(table: Table, seat: int, command: wire.Play, now: Moment) -> Change:
    running_match(table)
    back = reclaim(table, seat)
    change = play_at(table, seat, command.action, command.ply, now)
    return Change([*back, *change.events], change.match)


def play_at(table: Table, seat: int, action: str, ply: int, now: Moment, fallback: str = "") -> Change:
    """The gate: the action on a copy of the match. A failed commit throws the copy away."""
    before = running_match(table)
    assert table.dice is not None
    if seat == CHANCE:
        refuse(Code.NOT_YOUR_SEAT)
    table.dice.drawn = table.drawn  # the next draw is the same, however often it is tried
    after = before.copy()
    try:
        after.play(seat, action, before.ply if is_beside(before, seat, ply) else ply)
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    last = after.log[-1]
    assert isinstance(last, Record)
    touched = changed_from(before, after)
    played = ev.Played(
        seat,
        last.action,
        last.outcomes,
        touches=touched if touched < before.ply else None,
        left_ms=table.timer.left(now.steady_ms, acted=seat),
        fallback=fallback,
    )
    events: list[ev.AnyEvent] = [played]
    outcome = after.outcome
    if outcome is not None:
        ranks = ranked(table, outcome.ranks, table.out)
        events.append(ev.Ended(Result(ranks, outcome.points, outcome.reason)))
    return Change(events, after)


def is_beside(match: Match, seat: int, ply: int) -> bool:
    """Since that ply others have chosen at the same time, sealed: nothing has changed for who still chooses."""
    return 0 < ply < match.ply and all(
        record.sealed and record.seat != seat for record in match.records[ply:]
    )


def undo(table: Table, seat: int, ply: int, now: Moment) -> Change:
    before = running_match(table)
    if not table.created.undo:
        refuse(Code.NOT_AT_THIS_TABLE)
    if ply != before.ply:
        refuse(Code.STALE, "error.stale", ply=ply, now=before.ply)
    after = before.copy()
    try:
        entry = after.undo(seat)
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    return Change([ev.Undone(seat, entry.ply, table.timer.left(now.steady_ms))], after)


def can_undo(table: Table, seat: int) -> bool:
    if table.match is None or table.status is not Status.RUNNING or not table.created.undo:
        return False
    if table.match.records[-1].seat != seat:
        return False
    try:
        table.match.copy().undo(seat)
    except RegaliaError:
        return False
    return True


def go_out(table: Table, seat: int, by_time: bool) -> Change:
    """Resigned or out of time. With two seats the other wins; with more a bot plays on and it ranks last."""
    if table.chairs[seat].is_out:
        refuse(Code.WRONG_PHASE)
    if len(table.chairs) > 2:
        return Change([ev.Resigned(seat, by_time, table.chairs[seat].bot or stand_in())], table.match)
    ranks = (2, 1) if seat == 0 else (1, 2)
    result = Result(ranks, (0, 0), "time" if by_time else "resigned")
    return Change([ev.Resigned(seat, by_time), ev.Ended(result)], table.match)


def ranked(table: Table, ranks: tuple[int, ...], out: list[int]) -> tuple[int, ...]:
    """Those who went out rank last, the earliest the lowest; the others as the game ranks them."""
    if not out:
        return ranks
    sides = {table.side(seat) for seat in range(len(ranks)) if seat not in out}
    best = {side: min(ranks[seat] for seat in side if seat not in out) for side in sides}
    result = []
    for seat, rank in enumerate(ranks):
        if seat in out:
            result.append(1 + len(sides) + len(out) - 1 - out.index(seat))
        else:
            result.append(1 + sum(other < rank for other in best.values()))
    return tuple(result)


def offer_draw(table: Table, seat: int) -> Change:
    must_be(table, Status.RUNNING)
    if len(table.chairs) != 2 or table.chairs[1 - seat].bot:
        refuse(Code.NOT_AT_THIS_TABLE)
    if table.draw_offer is not None or table.offered_at.get(seat) == table.ply:
        refuse(Code.WRONG_PHASE)
    return Change([ev.Offered(seat)], table.match)


def answer_draw(table: Table, seat: int, accept: bool) -> Change:
    must_be(table, Status.RUNNING)
    if table.draw_offer is None or table.draw_offer == seat:
        refuse(Code.WRONG_PHASE)
    if not accept:
        return Change([ev.Declined(seat)], table.match)
    return Change([ev.Ended(Result((1, 1), (0, 0), "draw"))], table.match)


# --- Seats ---


def sit(table: Table, player: Player, command: wire.Sit, now: Moment) -> Change:
    must_be(table, Status.OPEN)
    if chair_at(table, command.seat).kind is not SeatKind.OPEN:
        refuse(Code.SEAT_TAKEN)
    if table.seats_of(player.id) and not table.created.hotseat:
        refuse(Code.ALREADY_SEATED)
    kind = SeatKind.HOTSEAT if table.seats_of(player.id) else SeatKind.HUMAN
    sat = ev.Sat(command.seat, kind, player.name, player.id, seed=command.seed or now.seed)
    return filled(table, sat)


def place(table: Table, player: Player, seat: int, bot: str, now: Moment) -> Change:
    must_be_host(table, player)
    must_be(table, Status.OPEN)
    chair = chair_at(table, seat)
    if chair.is_person:
        refuse(Code.SEAT_TAKEN)
    if bot:
        return filled(table, ev.Sat(seat, SeatKind.BOT, bot, bot=known_bot(bot), seed=now.seed))
    return Change([ev.Left(seat)]) if chair.kind is SeatKind.BOT else refuse(Code.WRONG_PHASE)


def filled(table: Table, sat: ev.Sat) -> Change:
    """Someone sat down: the match starts with the last of them."""
    others = [chair for seat, chair in enumerate(table.chairs) if seat != sat.seat]
    if not table.created.autostart or any(chair.kind is SeatKind.OPEN for chair in others):
        return Change([sat])
    return start(table, [sat])


def start(table: Table, before: list[ev.Sat]) -> Change:
    """The match at its first decision. The dice know every seat's seed by now."""
    seeds = [chair.seed for chair in table.chairs]
    for sat in before:
        seeds[sat.seat] = sat.seed
    dice = table.new_dice(seeds)
    made = table.created
    try:
        if made.start is not None:
            match = Match.replay(made.start, chance=dice)
        else:
            match = Match.new(made.game, made.seats, options=made.options, chance=dice)
    except RegaliaError as error:
        raise Refused.by_rule(error, Code.SETUP) from error
    return Change([*before, ev.Started(match.transcript(), dice.drawn)], match)


def leave(table: Table, seat: int) -> Change:
    if table.status is Status.OPEN:
        others = [c for s, c in enumerate(table.chairs) if s != seat and c.is_person]
        return Change([ev.Left(seat)] if others else [ev.Left(seat), ev.Closed()])
    must_be(table, Status.RUNNING)
    if table.chairs[seat].bot:
        refuse(Code.WRONG_PHASE)
    return Change([ev.TakenOver(seat, stand_in())], table.match)


def take_over(table: Table, player: Player, seat: int, bot: str, now: Moment) -> Change:
    must_be(table, Status.RUNNING)
    chair = chair_at(table, seat)
    if chair.player != player.id and not (table.seats_of(player.id) and chair.player in now.away):
        refuse(Code.NOT_YOUR_SEAT)
    if chair.bot:
        refuse(Code.WRONG_PHASE)
    return Change([ev.TakenOver(seat, known_bot(bot))], table.match)


def reclaim(table: Table, seat: int) -> list[ev.AnyEvent]:
    """The player comes back to a seat that a bot kept warm; not after resigning."""
    must_be(table, Status.RUNNING)
    chair = table.chairs[seat]
    if chair.is_out:
        refuse(Code.WRONG_PHASE, "server.error.out")
    return [ev.Reclaimed(seat)] if chair.bot else []


# --- Talk ---


def clean(text: str) -> str:
    """Readable text: no control characters, no marks that reorder the page, single spaces."""
    kept = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp", "Cs") else letter for letter in text)
    return " ".join("".join(letter for letter in kept if letter not in REORDERING).split())


def say(table: Table, player: Player, command: wire.Chat) -> Change:
    name = player.name
    if command.seat is not None:
        name = table.chairs[own_seat(table, player, command.seat)].name
    if command.audience is Audience.PARTNERS and (command.seat is None or not table.partners_may_talk):
        refuse(Code.NOT_AT_THIS_TABLE)
    words = clean(command.text)
    if not words:
        refuse(Code.BAD_MESSAGE)
    return Change([ev.Said(words, name, command.seat, command.audience)], table.match)

"""What a command leads to: events, or a refusal. Nothing here waits, writes or changes the table.

Each function looks at the table and the rules and returns the events to come; `runtime.tables` commits them.
"""

from __future__ import annotations

from typing import assert_never

from regalia import CHANCE, Match
from regalia.bots import BOTS
from regalia.core.errors import RegaliaError
from regalia.core.transcript import Record
from regalia.core.viewers import EVERYTHING
from regalia.server import protocol as wire
from regalia.server.model import events as ev
from regalia.server.model import hand
from regalia.server.model.clock import Now
from regalia.server.model.dice import bot_seed
from regalia.server.model.refusals import Refused, refuse
from regalia.server.model.results import ending
from regalia.server.model.rights import (
    Player,
    chair_at,
    check_takeover,
    is_secret,
    known_bot,
    must_be,
    must_be_current,
    must_be_heard,
    must_be_host,
    own_seat,
    practice_ply,
    running_match,
)
from regalia.server.model.table import Table, dice_of
from regalia.server.model.text import clean
from regalia.server.model.values import ChatScope, Result, SeatKind, Status
from regalia.server.protocol import Code

Events = list[ev.AnyEvent]  # of one commit


def decide(table: Table, player: Player, command: wire.AnyCommand, now: Now) -> Events:
    """The command of a player. `Rematch` makes a second table and is the matter of `runtime.tables`."""
    match command:
        case wire.Play():
            return play(table, own_seat(table, player, command.seat), command, now)
        case wire.Outcome():
            return hand.outcome(table, player, command)
        case wire.Amend():
            return hand.amend(table, player, command)
        case wire.AnswerAmend():
            return hand.answer_amend(table, player, command.accept)
        case wire.Undo():
            return undo(table, own_seat(table, player, command.seat), command, now)
        case wire.Sit():
            return sit(table, player, command)
        case wire.Seed():
            return add_seed(table, player, command.seed)
        case wire.Leave():
            return leave(table, player, own_seat(table, player, command.seat), now)
        case wire.Place():
            return place(table, player, command.seat, command.bot)
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
            return [*reclaim(table, seat)] or refuse(Code.WRONG_PHASE)
        case wire.Resign():
            must_be(table, Status.RUNNING)
            return forfeit(table, own_seat(table, player, command.seat), now.steady_ms)
        case wire.OfferDraw():
            return offer_draw(table, own_seat(table, player, command.seat))
        case wire.AnswerDraw():
            return answer_draw(table, own_seat(table, player, command.seat), command.accept)
        case wire.Chat():
            return say(table, player, command, now)
        case wire.Close():
            must_be_host(table, player)
            must_be(table, Status.OPEN)
            return [ev.Closed()]
        case wire.Rematch():
            raise TypeError("a rematch is made by runtime.tables")
        case _:
            assert_never(command)


def default_bot() -> str:
    """The bot that takes a seat when nobody says which."""
    return BOTS[len(BOTS) // 2]


def strongest_bot() -> str:
    return BOTS[-1]


# --- The match ---


class Played(list[ev.AnyEvent]):
    """The events of a play, with the match as it is after it: the fold need not judge the action again."""

    def __init__(self, events: Events, match: Match) -> None:
        super().__init__(events)
        self.match = match


def play(table: Table, seat: int, command: wire.Play, now: Now) -> Events:
    running_match(table)
    must_be_current(table, command.seq, command.ply)
    back = reclaim(table, seat)
    played = play_now(table, seat, command.action, now)
    return Played([*back, *played], played.match)


def play_now(table: Table, seat: int, action: str, now: Now, fallback: str = "") -> Played:
    """The gate: the action on a copy of the match and its dice, which fall alike however often it is tried."""
    before = running_match(table)
    if seat == CHANCE:
        refuse(Code.NOT_YOUR_SEAT)
    after = before.copy()
    try:
        after.play(seat, action)
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    last = after.log[-1]
    assert isinstance(last, Record)
    played = ev.Played(
        seat,
        last.action,
        last.outcomes,
        left_ms=table.timer.left(now.steady_ms, acted=seat),
        fallback=fallback,
    )
    return Played([played, *ending(table, after)], after)


def undo(table: Table, seat: int, command: wire.Undo, now: Now) -> Events:
    before = running_match(table)
    if not table.created.undo:
        refuse(Code.NOT_AT_THIS_TABLE)
    must_be_current(table, command.seq, command.ply)
    if not before.can_undo(seat) and (ply := practice_ply(table, seat)) is not None:
        return [go_back(before, seat, ply)]
    after = before.copy()
    try:
        entry = after.undo(seat)
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    if entry.ply < table.first_ply:
        refuse(Code.ILLEGAL_ACTION, "error.undo", seat=seat)
    if entry.ply < table.undo_floor.get(seat, 0):
        refuse(Code.ILLEGAL_ACTION, "server.error.undo_of_bot")
    left = table.timer.taken_back(table.clocks[-1], seat, now.steady_ms)
    if left and left[seat] <= 0:
        refuse(Code.ILLEGAL_ACTION, "server.error.undo_time")
    return [ev.Undone(seat, entry.ply, left)]


def go_back(match: Match, seat: int, ply: int) -> ev.Undone:
    """Over bots' answers and chance, for practice: the dice will fall as they did, the bots decide anew."""
    entry = match.copy().back_to(ply)
    return ev.Undone(seat, ply, drawn=dice_of(match).drawn - entry.outcomes, is_practice=True)


def forfeit(table: Table, seat: int, steady_ms: int, by_time: bool = False) -> Events:
    """Resigned or out of time. With two seats the other wins; with more a bot plays on and it ranks last."""
    if table.chairs[seat].is_out:
        refuse(Code.WRONG_PHASE)
    left = table.timer.left(steady_ms)
    if len(table.chairs) > 2:
        bot = table.chairs[seat].bot or default_bot()
        return [ev.Resigned(seat, by_time, bot, left)]
    ranks = (2, 1) if seat == 0 else (1, 2)
    result = Result(ranks, (0, 0), "time" if by_time else "resigned")
    return [ev.Resigned(seat, by_time, left_ms=left), ev.Ended(result)]


def offer_draw(table: Table, seat: int) -> Events:
    must_be(table, Status.RUNNING)
    if len(table.chairs) != 2 or table.chairs[1 - seat].bot:
        refuse(Code.NOT_AT_THIS_TABLE)
    if table.draw_offer is not None or table.offered_at.get(seat) == table.ply:
        refuse(Code.WRONG_PHASE)
    return [ev.Offered(seat)]


def answer_draw(table: Table, seat: int, accept: bool) -> Events:
    must_be(table, Status.RUNNING)
    if table.draw_offer is None or table.draw_offer == seat:
        refuse(Code.WRONG_PHASE)
    if not accept:
        return [ev.Declined(seat)]
    return [ev.Ended(Result((1, 1), (0, 0), "draw"))]


# --- Seats ---


def sit(table: Table, player: Player, command: wire.Sit) -> Events:
    must_be(table, Status.OPEN)
    if chair_at(table, command.seat).kind is not SeatKind.OPEN:
        refuse(Code.SEAT_TAKEN)
    if table.seats_of(player.id) and not table.created.hotseat:
        refuse(Code.ALREADY_SEATED)
    kind = SeatKind.HOTSEAT if table.seats_of(player.id) else SeatKind.HUMAN
    sat = ev.Sat(command.seat, kind, player.name, player.id, seed=command.seed, is_account=player.is_account)
    return start_if_ready(table, sat)


def add_seed(table: Table, player: Player, seed: str) -> Events:
    """The share in the dice of those of the player's seats that were taken when nobody knew the commitment yet."""
    must_be(table, Status.OPEN)
    seats = tuple(seat for seat in table.seats_of(player.id) if table.chairs[seat].awaits_seed)
    if not seats:
        refuse(Code.WRONG_PHASE, "server.error.no_seed_awaited")
    return start_if_ready(table, ev.Seeded(seats, seed))


def place(table: Table, player: Player, seat: int, bot: str) -> Events:
    must_be_host(table, player)
    must_be(table, Status.OPEN)
    chair = chair_at(table, seat)
    if chair.is_person:
        refuse(Code.SEAT_TAKEN)
    if bot:
        if is_secret(table.game, table.created.by_hand):
            refuse(Code.SETUP, "server.error.bot_cards")
        seed = bot_seed(table.commitment, seat)
        return start_if_ready(table, ev.Sat(seat, SeatKind.BOT, bot, bot=known_bot(bot), seed=seed))
    return [ev.Left(seat)] if chair.kind is SeatKind.BOT else refuse(Code.WRONG_PHASE)


def start_if_ready(table: Table, event: ev.Sat | ev.Seeded) -> Events:
    """Someone sat down or sent a seed: the match starts when no seat is open and no seed is awaited."""
    chairs = table.chairs_after(event)
    if not table.created.autostart or not all(chair.is_ready for chair in chairs):
        return [event]
    return start(table, [event])


def start(table: Table, before: list[ev.Sat | ev.Seeded]) -> Events:
    """The match at its first decision. A seed that has not come by now has no part in the dice."""
    dice = table.new_dice(table.chairs_after(*before))
    chance = table.chance(dice)
    created = table.created
    try:
        if created.start is not None:
            match = Match.replay(created.start, chance=chance)
        else:
            match = Match.new(created.game, created.seats, options=created.options, chance=chance)
    except RegaliaError as error:
        raise Refused.by_rule(error, Code.SETUP) from error
    return [*before, ev.Started(match.transcript(EVERYTHING), dice.drawn)]


def leave(table: Table, player: Player, seat: int, now: Now) -> Events:
    if table.status is Status.OPEN:
        is_empty = not any(c.is_person for s, c in enumerate(table.chairs) if s != seat)
        if is_empty and player.id == table.created.host:
            return [ev.Left(seat), ev.Closed()]
        return [ev.Left(seat)]
    must_be(table, Status.RUNNING)
    if table.chairs[seat].bot:
        refuse(Code.WRONG_PHASE)
    if not table.created.hints:
        return forfeit(table, seat, now.steady_ms)
    return [ev.TakenOver(seat, default_bot())]


def take_over(table: Table, player: Player, seat: int, bot: str, now: Now) -> Events:
    """A bot plays for a person: for the asker, who names it, or for someone the table waits for in vain."""
    check_takeover(table, player, seat, now)
    is_own = table.chairs[seat].player == player.id
    return [ev.TakenOver(seat, known_bot(bot) if bot and is_own else strongest_bot())]


def reclaim(table: Table, seat: int) -> list[ev.AnyEvent]:
    """The player comes back to a seat that a bot kept warm; not after resigning."""
    must_be(table, Status.RUNNING)
    chair = table.chairs[seat]
    if chair.is_out:
        refuse(Code.WRONG_PHASE, "server.error.out")
    return [ev.Reclaimed(seat)] if chair.bot else []


# --- Talk ---


def say(table: Table, player: Player, command: wire.Chat, now: Now) -> Events:
    must_be_heard(table, player, now)
    name = player.name
    if command.seat is not None:
        name = table.chairs[own_seat(table, player, command.seat)].name
    if command.audience is ChatScope.PARTNERS and (command.seat is None or not table.partners_may_talk):
        refuse(Code.NOT_AT_THIS_TABLE)
    words = clean(command.text)
    if not words:
        refuse(Code.BAD_MESSAGE)
    return [ev.Said(words, name, command.seat, command.audience)]

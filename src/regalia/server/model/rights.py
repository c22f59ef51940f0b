"""Who may do what: look, act, take back, take over, talk. A right is judged when it is used, and never kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from regalia import Match, bots
from regalia.core.due import Due
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.server.model.clock import Now
from regalia.server.model.refusals import Refused, refuse
from regalia.server.model.table import Chair, Table
from regalia.server.model.values import ByHand, SeatKind, Status
from regalia.server.protocol import Code

MOST_LINES = 500  # of talk at a table
LAST_WORDS_MS = 86_400_000  # so long after the end the players may still talk


@dataclass(frozen=True)
class Player:
    """Who asks."""

    id: str
    name: str
    is_account: bool = False
    also: tuple[str, ...] = ()  # ids of guests whose matches the player has brought along

    def at(self, table: Table) -> Player:
        """As whom the player is known at a table: by an id of before, if that is who sits there or made it."""
        for name in (self.id, *self.also):
            if table.seats_of(name) or table.created.host == name:
                return replace(self, id=name)
        return self


@dataclass(frozen=True)
class Viewer:
    """Who looks: a player (or nobody), from one of the own seats or as a spectator."""

    player: str | None
    seat: int | None


# --- Looking ---


def viewer(table: Table, player: str | None, seat: int | None, secret: str = "") -> Viewer:
    """Who asks to look at the table as it is now: it must be open to the player, the seat the player's own.

    Seats change hands: a viewer is made for one answer and never kept.
    """
    who = listener(table, player, seat, secret)
    if who.seat != seat:
        refuse(Code.NOT_YOUR_SEAT)
    return who


def listener(table: Table, player: str | None, seat: int | None, secret: str) -> Viewer:
    """Who goes on looking at a table, from a seat while it is the own one, else as a spectator."""
    if not table.may_be_seen_by(player, secret):
        refuse(Code.NOT_FOUND)
    return Viewer(player, seat if seat in table.seats_of(player) else None)


def may_be_analysed(table: Table) -> bool:
    """Whether who sits at the running table may have its position looked into: not against people, nor without hints."""
    return table.created.hints and sum(chair.is_person for chair in table.chairs) < 2


# --- Acting ---


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


def running_match(table: Table) -> Match:
    must_be(table, Status.RUNNING)
    return table.started_match()


def must_be_current(table: Table, seq: int | None, ply: int | None) -> None:
    """What was decided on the update `seq`, or at `ply`, was decided on the position as it still is."""
    if seq is None and ply is None:
        refuse(Code.BAD_MESSAGE, "server.error.field", field="$.seq")
    if not table.is_current(seq, None):
        refuse(Code.STALE)
    if not table.is_current(None, ply):
        refuse(Code.STALE, "error.stale", ply=ply, now=table.ply)


def known_bot(bot: str) -> str:
    try:
        return bots.known_bot(bot)
    except SetupError as error:
        raise Refused.by_rule(error, Code.SETUP) from error


# --- With the box ---


def is_secret(game: Game, by_hand: str) -> bool:
    """Whether people at this table hold real cards that the others do not see."""
    return by_hand == ByHand.ALL and game.engine.held is not None


def can_type(table: Table, player: str | None, due: Due) -> bool:
    """The seat whose roll it is, or anybody's who sits here if it is nobody's; and the host. Of a secret deal each
    types the own part alone.
    """
    if not player:
        return False
    seats = table.seats_of(player)
    if due.shares:
        return any(seat not in table.box.hands for seat in seats)
    return player == table.created.host or (bool(seats) if due.seat is None else due.seat in seats)


def amenders(table: Table) -> set[str]:
    """The players who must agree: those who play here themselves."""
    return {chair.player for chair in table.chairs if chair.is_person and not chair.bot and not chair.is_out}


def amend_from(table: Table, player: str | None) -> int | None:
    """The lowest ply whose record the player may ask to amend; None: not here, or not now."""
    is_asker = bool(player) and (player == table.created.host or player in amenders(table))
    if not is_asker or not table.created.by_hand or table.status is not Status.RUNNING or table.match is None:
        return None
    given = 0 if table.created.start is None else table.first_ply
    return max(given, table.box.floor)


# --- Taking back, taking over, talking ---


def can_undo(table: Table, seat: int, steady_ms: int) -> bool:
    if table.match is None or table.status is not Status.RUNNING or not table.created.undo:
        return False
    if not table.match.can_undo(seat):
        return False
    left = table.timer.taken_back(table.clocks[-1], seat, steady_ms)
    can_pay = not left or left[seat] > 0
    return can_pay and table.match.ply > max(table.first_ply, table.undo_floor.get(seat, 0))


def practice_ply(table: Table, seat: int) -> int | None:
    """Where somebody goes back to who plays alone against bots and without a clock: the own last decision, whatever
    came after it. Of a choice that all made at once, to its beginning. None: not here, or not now.
    """
    match, chair = table.match, table.chairs[seat]
    if match is None or table.status is not Status.RUNNING or not table.created.undo or table.timer.is_on:
        return None
    if table.created.by_hand:  # real dice do not fall again as they fell: there is `amend`
        return None
    others = [other for other in table.chairs if other is not chair]
    if not chair.is_person or chair.bot or any(other.kind is not SeatKind.BOT for other in others):
        return None
    lowest = max(table.first_ply, table.undo_floor.get(seat, 0))
    ply = next((ply for ply in range(match.ply - 1, lowest - 1, -1) if match.records[ply].seat == seat), None)
    while ply is not None and ply > lowest and len(match.at(ply - 1).actors) > 1:
        ply -= 1
    return ply


def check_takeover(table: Table, player: Player, seat: int, now: Now) -> None:
    """The player may have a bot play the seat: the own one where hints are allowed, since it would be one; another's
    where no clock decides and the table has long waited for its player in vain.
    """
    must_be(table, Status.RUNNING)
    chair = chair_at(table, seat)
    is_own = chair.player == player.id
    if not is_own and not (chair.is_person and table.seats_of(player.id)):
        refuse(Code.NOT_YOUR_SEAT)
    if chair.bot:
        refuse(Code.WRONG_PHASE)
    if is_own:
        if not table.created.hints:
            refuse(Code.NOT_AT_THIS_TABLE, "server.error.no_stand_in")
    elif table.timer.is_on:
        refuse(Code.NOT_AT_THIS_TABLE, "server.error.clock_decides")
    elif seat not in table.actors or chair.player not in now.away:
        refuse(Code.NOT_YOUR_SEAT, "server.error.not_away")


def must_be_heard(table: Table, player: Player, now: Now) -> None:
    """Talk has an end: so many lines a table, half of them for who only looks on, and some time after the match."""
    belongs = player.id == table.created.host or bool(table.seats_of(player.id))
    if table.ended_ms is not None and (not belongs or now.wall_ms - table.ended_ms >= LAST_WORDS_MS):
        refuse(Code.MATCH_OVER, "server.error.talk_over")
    if table.lines_said >= (MOST_LINES if belongs else MOST_LINES // 2):
        refuse(Code.NOT_AT_THIS_TABLE, "server.error.talk_full")

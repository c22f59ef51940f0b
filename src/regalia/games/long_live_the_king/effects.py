"""What happened in Long Live the King, step by step."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from regalia.core.effects import Effect
from regalia.core.game import CHANCE
from regalia.core.layout import UNKNOWN
from regalia.games.long_live_the_king.components import (
    AREA_NAMES,
    AREAS,
    BANISH,
    CARD_NAMES,
    END,
    FACES,
    MOVE,
    MOVE_BY,
    NO_ONE,
    NOWHERE,
    PLACE,
    PUT,
    RECLAIM,
    ROLL,
    STAKE,
    STAKES,
    START,
    VALUES,
    AreaName,
    Value,
)
from regalia.games.long_live_the_king.dispute import addition, next_card, to_banish
from regalia.games.long_live_the_king.election import area_votes, held_votes, needed_votes, total_votes
from regalia.games.long_live_the_king.position import ELECTIONS, names_of
from regalia.games.long_live_the_king.state import Election, Phase, State
from regalia.games.long_live_the_king.turn import placing_area
from regalia.games.long_live_the_king.view import ElectionName


class StartDealt(Effect, frozen=True):
    """LK-4: noble and courtiers stand in a start area."""

    seat: int
    area: AreaName
    is_first: bool  # LK-5: to play


# --- A turn ---


class NobleMoved(Effect, frozen=True, rename={"origin": "from", "target": "to"}):
    """LK-10, LK-33: into a neighbouring area."""

    seat: int
    origin: AreaName
    target: AreaName
    is_free: bool  # LK-35: else by a favour roll


class CourtierPlaced(Effect, frozen=True):
    """LK-30, LK-63: from the supply."""

    seat: int
    area: AreaName
    is_free: bool  # else by a favour roll


class FavourPaid(Effect, frozen=True):
    """LK-20: a card is discarded, a die will be rolled."""

    seat: int
    card: Value
    area: AreaName
    is_move: bool  # LK-33: to move on to the area; else for another courtier in it


class FavourRolled(Effect, frozen=True):
    """LK-20: what came of it."""

    seat: int
    card: Value
    area: AreaName
    is_move: bool
    die: int
    succeeded: bool


class Stopped(Effect, frozen=True):
    """LK-30, LK-33, LK-63: a player does nothing more."""

    seat: int
    area: AreaName | None  # where a dispute was won; else None


# --- A dispute ---


class DisputeOpened(Effect, frozen=True, rename={"origin": "from"}):
    """LK-40: a noble is in a foreign area."""

    seat: int  # the intruder
    defender: int
    area: AreaName
    origin: AreaName  # where the intruder came from


class StakeSealed(Effect, frozen=True):
    """LK-51: face down, until all have chosen."""

    seat: int
    area: AreaName  # disputed
    cards: list[Value] | None


class Stake(Struct, frozen=True):
    """What a player brings into a dispute."""

    seat: int
    cards: list[Value]  # highest first; LK-51: none without cards in hand
    addition: int  # LK-53: for the pieces


class StakesRevealed(Effect, frozen=True):
    """LK-52: all have chosen."""

    stakes: list[Stake]  # clockwise from the intruder


class Pair(Struct, frozen=True):
    """A staked card and the die on it."""

    card: Value
    die: int


class DiceRolled(Effect, frozen=True):
    """LK-52: one for each staked card."""

    seat: int
    dice: list[int]  # highest first
    pairs: list[Pair]  # where they give most; empty if the player is to put them
    total: int  # with the addition, and with the dice that lie on cards


class DiePut(Effect, frozen=True):
    """LK-52, dice by hand: on a card."""

    seat: int
    area: AreaName  # disputed
    card: Value
    die: int
    total: int  # with those put before, and the addition


class DisputeTied(Effect, frozen=True):
    """LK-54: several share the highest total."""

    seats: list[int]  # who roll again, clockwise from the intruder
    total: int


class DisputeWon(Effect, frozen=True):
    """LK-54: by the highest total."""

    seat: int
    area: AreaName
    total: int


class CourtiersReturned(Effect, frozen=True):
    """LK-61: a beaten defender's, to the supply."""

    seat: int
    area: AreaName
    count: int


class NobleBanished(Effect, frozen=True, rename={"origin": "from", "target": "to"}):
    """LK-60…62: by the winner."""

    seat: int
    owner: int  # of the noble
    origin: AreaName
    target: AreaName


class NobleReturned(Effect, frozen=True, rename={"origin": "from", "target": "to"}):
    """LK-62: an intruder's, whence it came, since there is nowhere to banish it to."""

    seat: int
    origin: AreaName
    target: AreaName


class CardsReclaimed(Effect, frozen=True):
    """LK-64: staked cards go back to the hand."""

    seat: int
    area: AreaName  # disputed
    cards: list[Value]  # none if the player declines


class StakesDiscarded(Effect, frozen=True):
    """LK-64: the other staked cards, at the end of a dispute."""

    cards: list[Value]


# --- An election ---


class Votes(Struct, frozen=True):
    """LK-71…73: of one player at an election."""

    seat: int
    held: int  # of all own areas
    lost: int  # LK-72: by an empty hand
    area: int  # held, less what is lost
    bonus: int  # of earlier elections
    total: int
    cards: int  # in hand


class ElectionHeld(Effect, frozen=True):
    """LK-70, LK-83: at the end of a turn."""

    number: int  # 1 for the first
    needed: int  # LK-74: to be elected
    votes: list[Votes]  # seat by seat


class TieRolled(Effect, frozen=True):
    """LK-77: five dice of one of those who are level."""

    deciding: ElectionName  # what the order of the seats decides
    seat: int
    sum: int


class KingElected(Effect, frozen=True):
    """LK-75."""

    seat: int


class PlacesDecided(Effect, frozen=True):
    """LK-78: the match is over."""

    places: list[int]  # seat by seat; the king's is 1


class BonusGained(Effect, frozen=True):
    """LK-76: nobody was elected."""

    seat: int
    place: int  # by area votes
    votes: int


class DealBegun(Effect, frozen=True):
    """LK-80: the discard pile is shuffled."""

    cards: int  # to each player


class CardDealt(Effect, frozen=True):
    """LK-80: face down."""

    seat: int
    card: Value | None


class Scored(Effect, frozen=True):
    """LK-73: a step changed what the players' votes come to."""

    votes: list[int]  # seat by seat, with the bonus


# --- What a step did ---


def effects(before: State, seat: int, step: int, after: State) -> list[Effect]:
    return [*done(before, seat, step, after), *scored(before, after)]


def scored(before: State, after: State) -> list[Effect]:
    if before.phase == Phase.START:
        return []
    seats = range(int(after.seats))
    votes = [int(total_votes(after, seat)) for seat in seats]
    return [Scored(votes)] if votes != [int(total_votes(before, seat)) for seat in seats] else []


def done(before: State, seat: int, step: int, after: State) -> list[Effect]:
    if seat == CHANCE:
        return outcome(before, step, after)
    if step >= PUT and step != UNKNOWN:
        return put(before, seat, step - PUT, after)
    if step >= STAKE:
        return stake(before, seat, step, after)
    if step >= RECLAIM:
        return reclaim(before, seat, after)
    if step >= BANISH:
        owner = int(to_banish(before))
        banished = NobleBanished(
            seat, owner, AREA_NAMES[before.nobles[owner]], AREA_NAMES[after.nobles[owner]]
        )
        return [banished, *returned(before, owner, after)]
    if step == END:
        area = None if before.disputed == NOWHERE else AREA_NAMES[before.disputed]
        return [Stopped(seat, area), *discarded(before, 0, after), *election(before, after)]
    if step >= ROLL:
        return [FavourPaid(seat, CARD_NAMES[step - ROLL], AREA_NAMES[placing_area(before, seat)], False)]
    if step == PLACE:
        return [CourtierPlaced(seat, AREA_NAMES[placing_area(before, seat)], True)]
    if step >= MOVE_BY:
        card, target = divmod(step - MOVE_BY, AREAS)
        return [FavourPaid(seat, CARD_NAMES[card], AREA_NAMES[target], True)]
    return moved(before, seat, step - MOVE, after, is_free=True)


def outcome(before: State, outcome: int, after: State) -> list[Effect]:
    seat = int(before.active)
    match before.phase:
        case Phase.DEAL:
            return [CardDealt(seat, None if outcome == UNKNOWN else CARD_NAMES[outcome])]
        case Phase.ROLL:
            return roll(before, seat, outcome, after)
        case Phase.DIE:
            return favour(before, seat, outcome, after)
        case Phase.TIE:
            if before.due > 1:
                return []
            rolled = TieRolled(
                ELECTIONS[int(before.election) - 1], seat, int(before.sums[seat]) + outcome + 1
            )
            return [rolled, *election(before, after)]
    return [StartDealt(seat, AREA_NAMES[START[int(before.seats), outcome]], outcome == 0)]


def moved(before: State, seat: int, area: int, after: State, *, is_free: bool) -> list[Effect]:
    origin, target = AREA_NAMES[before.nobles[seat]], AREA_NAMES[area]
    noble = NobleMoved(seat, origin, target, is_free)
    if after.disputed == NOWHERE:
        return [noble]
    return [noble, DisputeOpened(seat, int(after.defender), target, origin)]


def favour(before: State, seat: int, face: int, after: State) -> list[Effect]:
    card, target = CARD_NAMES[int(before.paid) - 1], int(before.target)
    is_move = target != NOWHERE
    area = target if is_move else int(placing_area(before, seat))
    succeeded = bool(after.nobles[seat] == area if is_move else after.supply[seat] < before.supply[seat])
    rolled = FavourRolled(seat, card, AREA_NAMES[area], is_move, face + 1, succeeded)
    if not succeeded:
        return [rolled, *election(before, after)]
    if is_move:
        return [rolled, *moved(before, seat, area, after, is_free=False)]
    return [rolled, CourtierPlaced(seat, AREA_NAMES[area], False)]


# --- Disputes ---


def clockwise(state: State) -> list[int]:
    """The seats from the intruder on."""
    return [(int(state.turn) + k) % int(state.seats) for k in range(int(state.seats))]


def stake(before: State, seat: int, step: int, after: State) -> list[Effect]:
    cards = None if step == UNKNOWN else names_of(STAKES[step - STAKE].tolist())
    sealed = StakeSealed(seat, AREA_NAMES[before.disputed], cards)
    if after.phase == Phase.STAKES:
        return [sealed]
    stakes = after.stakes.tolist()
    return [
        sealed,
        StakesRevealed(
            [
                Stake(each, names_of(stakes[each])[::-1], int(addition(after, each)))
                for each in clockwise(after)
            ]
        ),
    ]


def roll(before: State, seat: int, face: int, after: State) -> list[Effect]:
    """A die; after the last one of a roll what they came to."""
    if before.due > 1:
        return []
    counts = before.dice[seat].tolist()
    counts[face] += 1
    dice = [number for number in range(FACES, 0, -1) for _ in range(counts[number - 1])]
    total = int(before.totals[seat])
    if before.dice_by_hand:
        return [DiceRolled(seat, dice, [], total)]
    values = [value for value in range(VALUES - 1, -1, -1) for _ in range(int(before.stakes[seat, value]))]
    pairs = [Pair(CARD_NAMES[value], die) for value, die in zip(values, dice, strict=True)]
    total += sum((value + 1) * die for value, die in zip(values, dice, strict=True))
    return [DiceRolled(seat, dice, pairs, total), *judged(before, seat, total, after)]


def put(before: State, seat: int, face: int, after: State) -> list[Effect]:
    value, _ = next_card(before)
    total = int(before.totals[seat]) + (value + 1) * (face + 1)
    laid = DiePut(seat, AREA_NAMES[before.disputed], CARD_NAMES[value], face + 1, total)
    return [laid] if after.phase == Phase.PUTTING else [laid, *judged(before, seat, total, after)]


def judged(before: State, seat: int, total: int, after: State) -> list[Effect]:
    """What follows when a seat has its total."""
    if after.winner != NO_ONE:
        return won(before, after)
    if int(before.owing) != 1 << seat:
        return []
    again = [each for each in clockwise(after) if int(after.owing) >> each & 1]
    return [DisputeTied(again, max(total, *before.totals.tolist()))]


def won(before: State, after: State) -> list[Effect]:
    winner, defender, disputed = int(after.winner), int(before.defender), int(before.disputed)
    area, courtiers = AREA_NAMES[disputed], int(before.courtiers[disputed])
    told: list[Effect] = [DisputeWon(winner, area, int(after.totals[winner]))]
    if winner != defender and courtiers:
        told.append(CourtiersReturned(defender, area, courtiers))
    return [*told, *returned(before, NO_ONE, after)]


def returned(before: State, banished: int, after: State) -> list[Effect]:
    """The intruder's noble, if it left without being banished."""
    seat = int(before.turn)
    origin, target = int(before.nobles[seat]), int(after.nobles[seat])
    if seat == banished or origin == target:
        return []
    return [NobleReturned(seat, AREA_NAMES[origin], AREA_NAMES[target])]


def reclaim(before: State, seat: int, after: State) -> list[Effect]:
    """Cards that are taken back are known to be in the hand."""
    taken = after.known[seat].astype(int) - before.known[seat]
    reclaimed = CardsReclaimed(seat, AREA_NAMES[before.disputed], names_of(taken.tolist()))
    return [reclaimed, *discarded(before, taken, after), *election(before, after)]


def discarded(before: State, taken: Any, after: State) -> list[Effect]:
    if before.disputed == NOWHERE or after.disputed != NOWHERE:
        return []
    return [StakesDiscarded(names_of((before.stakes.sum(axis=0, dtype=int) - taken).tolist()))]


# --- Elections ---


def election(before: State, after: State) -> list[Effect]:
    """What the end of a turn, or of a roll for a tie, led to."""
    told: list[Effect] = []
    if after.elections != before.elections:
        told.append(held(before, after))
    is_over = after.phase == Phase.OVER
    if before.election != Election.RANKING and (is_over or after.election == Election.RANKING):
        told.append(KingElected(after.standing.tolist().index(0)))
    if is_over:
        told.append(PlacesDecided([place + 1 for place in after.standing.tolist()[: int(after.seats)]]))
    return [*told, *gained(before, after)]


def held(before: State, after: State) -> ElectionHeld:
    votes = []
    for seat in range(int(after.seats)):
        areas, counted = int(held_votes(after, seat)), int(area_votes(after, seat))
        bonus = int(before.bonus[seat])
        votes.append(
            Votes(seat, areas, areas - counted, counted, bonus, counted + bonus, int(after.cards[seat]))
        )
    return ElectionHeld(int(after.elections), int(needed_votes(after)), votes)


def gained(before: State, after: State) -> list[Effect]:
    """Bonus votes from the first place to the last, and the deal that follows."""
    seats = int(after.seats)
    votes = (after.bonus.astype(int) - before.bonus).tolist()[:seats]
    if not any(votes):
        return []
    ranked = sorted(range(seats), key=lambda seat: -votes[seat])
    told: list[Effect] = [BonusGained(seat, place, votes[seat]) for place, seat in enumerate(ranked, 1)]
    if after.phase == Phase.DEAL:
        told.append(DealBegun(int(after.due) // seats))
    return told

"""What happened in Carolus Magnus, step by step."""

from __future__ import annotations

from typing import Literal, get_args

from regalia.core.effects import Effect
from regalia.core.game import CHANCE
from regalia.games.carolus_magnus import preview
from regalia.games.carolus_magnus.components import (
    COLOURS,
    COURT,
    CROWN,
    DISC,
    MOVE,
    PROVINCES,
    TAKE,
    TARGETS,
    Family,
    Side,
)
from regalia.games.carolus_magnus.ring import places
from regalia.games.carolus_magnus.state import Phase, State

Face = Literal["red", "purple", "blue", "yellow", "green", "crown"]
FACES: tuple[Face, ...] = get_args(Face)


class KnightLaidOut(Effect, frozen=True):
    """CM-3: into a province, at the start."""

    family: Family
    province: int


class EmperorArrived(Effect, frozen=True):
    """CM-4: where it starts."""

    province: int


class StartDrawn(Effect, frozen=True):
    """CM-10: who lays the first disc."""

    seat: int


class DiscLaid(Effect, frozen=True):
    seat: int
    disc: int  # 1 … 5


class KnightPlaced(Effect, frozen=True):
    """CM-20: from the reserve into a place."""

    seat: int
    family: Family
    place: int
    provinces: list[int]  # of the place, clockwise


class KnightToCourt(Effect, frozen=True):
    """CM-20: from the reserve into the own court."""

    seat: int
    family: Family


class ControlGained(Effect, frozen=True):
    """CM-45: of a family."""

    seat: int
    family: Family


class EmperorMoved(Effect, frozen=True):
    """CM-30: clockwise."""

    seat: int
    steps: int
    place: int  # where it stopped, by its number before the move
    provinces: list[int]  # of that place then, clockwise
    strengths: dict[Side, int]  # of every side there
    region: list[int]  # the provinces of the place afterwards


class CastlesBuilt(Effect, frozen=True):
    """CM-52, CM-53: where the emperor stopped."""

    side: Side
    count: int
    provinces: list[int]
    replaced: Side | None  # whose castles left


class Scored(Effect, frozen=True):
    """CM-60: how many castles stand on the ring now."""

    castles: list[int]  # of each side


class PlacesMerged(Effect, frozen=True):
    """CM-54: into one region."""

    places: list[int]  # the places that joined it, by their numbers before
    provinces: list[int]  # of the region, clockwise


class DieRolled(Effect, frozen=True):
    """CM-7, CM-40: for the reserve."""

    seat: int
    face: Face


class KnightTaken(Effect, frozen=True):
    """CM-40: the family chosen for a crown."""

    seat: int
    family: Family


class CourtsReduced(Effect, frozen=True):
    """CM-41: the supply had run out, so every court gave back so many."""

    family: Family
    count: int


def effects(before: State, seat: int, step: int, after: State) -> list[Effect]:
    if seat == CHANCE:
        return chance(before, step, after)
    if step < DISC:
        return knight(before, seat, step // TARGETS, step % TARGETS, after)
    if step < MOVE:
        return [DiscLaid(seat, step - DISC + 1)]
    if step < TAKE:
        return emperor(before, seat, step - MOVE + 1, after)
    return [KnightTaken(seat, COLOURS[step - TAKE]), *reduced(before, step - TAKE, after)]


def chance(before: State, outcome: int, after: State) -> list[Effect]:
    match before.phase:
        case Phase.SPREAD:
            return [KnightLaidOut(COLOURS[outcome], PROVINCES - int(before.due) + 1)]
        case Phase.ARRIVAL:
            return [EmperorArrived(outcome + 1)]
        case Phase.START:
            return [StartDrawn(outcome)]
    rolled = DieRolled(int(before.order[before.at]), FACES[outcome])
    return [rolled] if outcome == CROWN else [rolled, *reduced(before, outcome, after)]


def reduced(before: State, colour: int, after: State) -> list[Effect]:
    """What every court gave back."""
    count = int(before.courts[0, colour]) - int(after.courts[0, colour])
    return [CourtsReduced(COLOURS[colour], count)] if count else []


def knight(before: State, seat: int, colour: int, target: int, after: State) -> list[Effect]:
    family = COLOURS[colour]
    if target != COURT:
        place = next(place for place in places(before) if place.number == target + 1)
        return [KnightPlaced(seat, family, place.number, place.provinces)]
    joined = KnightToCourt(seat, family)
    gained = before.control[colour] != after.control[colour]
    return [joined, ControlGained(seat, family)] if gained else [joined]


def emperor(before: State, seat: int, steps: int, after: State) -> list[Effect]:
    ring, strengths = preview.survey(before)
    at = preview.stop_of(before, ring, steps)
    stop = preview.judge(steps, ring, at, strengths[at], after)
    provinces = ring[at].provinces
    told: list[Effect] = [EmperorMoved(seat, steps, stop.place, provinces, stop.strengths, stop.region)]
    if stop.takes:
        told.append(CastlesBuilt(stop.takes, stop.castles, provinces, stop.loses))
    if stop.merges:
        told.append(PlacesMerged(stop.merges, stop.region))
    if stop.takes:
        told.append(
            Scored(
                [int(after.castles[after.owner == side].sum()) for side in range(len(preview.teams(after)))]
            )
        )
    return told

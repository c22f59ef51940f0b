"""Refusing positions that no game of Carolus Magnus could reach, as far as counting tells."""

from __future__ import annotations

from collections.abc import Iterator

from regalia.core.position import Fields
from regalia.games.carolus_magnus.components import (
    COLOURS,
    DISCS,
    FAMILIES,
    LEAST_PLACES,
    MOST_ROUNDS,
    NONE,
    PROVINCES,
    RESERVE,
    SERVICE,
    SIDES,
    SPREAD,
)
from regalia.games.carolus_magnus.knights import can_take
from regalia.games.carolus_magnus.preview import teams
from regalia.games.carolus_magnus.ring import places
from regalia.games.carolus_magnus.state import Phase, Reason, State

Flaws = Iterator[tuple[str, str]]  # the field and what is wrong with it


def check(state: State, fields: Fields) -> None:
    for name, why in find_flaws(state, len(teams(state))):
        fields.refuse(name, why)


def find_flaws(state: State, sides: int) -> Flaws:
    if (state.phase == Phase.OVER) != (state.reason != Reason.RUNNING):
        yield "reason", Reason(int(state.reason)).name.lower()
    if state.place[state.emperor] != state.emperor:
        yield "emperor", f"{state.emperor + 1} (CM-54)"
    if (state.rounds == 0) != is_setup(state):
        yield "round", f"{state.rounds}"
    yield from in_ring(state)
    yield from in_courts(state)
    if state.rounds == 0:
        yield from in_setup(state)
    else:
        yield from in_discs(state)
        yield from in_action(state)
        yield from in_end(state, sides)


def is_setup(state: State) -> bool:
    """Dice and crowns belong to the set-up or to a round; the round says which."""
    either = state.phase in (Phase.DICE, Phase.CROWN)
    return (state.phase < Phase.DISC and not either) or (either and state.rounds == 0)


def in_ring(state: State) -> Flaws:
    """CM-52…55, CM-56: a castle per province, neighbours of one owner merged, but for the last castle."""
    ring = places(state)
    for place, follower in zip(ring, [*ring[1:], ring[0]], strict=True):
        size = len(place.provinces)
        last = state.reason == Reason.CASTLES and state.emperor in (place.number - 1, follower.number - 1)
        short = state.reason == Reason.CASTLES and state.emperor == place.number - 1
        if place.owner == NONE:
            if place.castles or size > 1:
                yield "ring.castles", f"{place.castles} (CM-54)"
        elif place.castles != size and not (short and 0 < place.castles < size):
            yield "ring.castles", f"{place.castles} (CM-54)"
        elif place.owner == follower.owner and not last:
            yield "ring.owner", f"{SIDES[place.owner]} (CM-54)"
        if sum(place.knights) < size and state.phase != Phase.SPREAD:
            yield "ring.knights", f"{sum(place.knights)} (CM-3)"


def in_courts(state: State) -> Flaws:
    """CM-45, CM-47: who controls a colour has as many as anyone; without a controller nobody ever had one."""
    for colour in range(FAMILIES):
        seat = int(state.control[colour])
        most = int(state.courts[:, colour].max())
        if most > (0 if seat == NONE else state.courts[seat, colour]):
            yield f"control.{COLOURS[colour]}", "CM-45"
        if state.knights[:, colour].sum() < SPREAD and state.phase != Phase.SPREAD:
            yield "ring.knights", f"{COLOURS[colour]} (CM-3)"


def in_setup(state: State) -> Flaws:
    """CM-3, CM-4, CM-7: knight by knight, then seat by seat."""
    seats = int(state.seats)
    full = int(RESERVE[seats])
    laid = PROVINCES - state.due if state.phase == Phase.SPREAD else PROVINCES
    lying = [int(knights.sum()) for knights in state.knights]
    if lying != [1] * laid + [0] * (PROVINCES - laid) or state.knights.sum(axis=0).max() > SPREAD:
        yield "ring.knights", "CM-3"
    if state.courts.any() or (state.owner != NONE).any() or (state.control != NONE).any():
        yield "round", "0"
    if (
        state.used.any()
        or state.discs.any()
        or state.brought
        or list(state.order[:seats]) != list(range(seats))
    ):
        yield "round", "0"
    rolling = state.phase in (Phase.DICE, Phase.CROWN)
    for seat in range(seats):
        wanted = full if state.phase == Phase.START or (rolling and seat < state.at) else 0
        if rolling and seat == state.at:
            wanted = full - int(state.due) - int(state.crowns)
        if state.reserves[seat].sum() != wanted:
            yield "players.reserve", "CM-7"
    if (state.due > 0) != (state.phase in (Phase.SPREAD, Phase.DICE)):
        yield "due", f"{state.due}"
    if state.phase != Phase.DICE and (state.crowns > 0) != (state.phase == Phase.CROWN):
        yield "crowns", f"{state.crowns}"


def in_discs(state: State) -> Flaws:
    """CM-10…14: a disc per round, all back after five; who has laid one, and the order it gives."""
    seats = int(state.seats)
    laying = state.phase == Phase.DISC
    for k in range(seats):
        seat = int(state.order[k])
        disc = int(state.discs[seat])
        has_laid = k < state.at if laying else True
        if (disc > 0) != has_laid or (disc and not state.used[seat] >> (disc - 1) & 1):
            yield "players.disc", f"{disc} (CM-10)"
        if int(state.used[seat]).bit_count() != (int(state.rounds) - 1) % DISCS + has_laid:
            yield "players.used", "CM-13"
        if k and not laying and state.discs[int(state.order[k - 1])] > disc:
            yield "order", "CM-14"


def in_action(state: State) -> Flaws:
    """CM-20, CM-40, CM-42: how much is due, and how many knights a reserve can hold then."""
    full, service = int(RESERVE[state.seats]), int(SERVICE[state.seats])
    held = [int(reserve.sum()) for reserve in state.reserves]
    due, crowns = int(state.due), int(state.crowns)
    mine = held[int(state.order[state.at])]
    room = full
    if state.phase == Phase.KNIGHTS:
        possible = 1 <= due <= min(service, mine) and crowns == 0
        room = full - service + due
    elif state.phase == Phase.DICE:
        possible = due >= 1 and due + crowns <= service
        room = full - due - crowns
    elif state.phase == Phase.CROWN:
        possible = due == 0 and 1 <= crowns <= service and any(can_take(state, c) for c in range(FAMILIES))
        room = full - crowns
    else:
        possible = due == 0 and crowns == 0
        if state.phase == Phase.EMPEROR or state.reason in (Reason.CASTLES, Reason.REGIONS):
            room = full - service
    if not possible:
        yield "due", f"{due}, {crowns}"
    if max(held) > full or mine > room:
        yield "players.reserve", f"{max(held)} (CM-7)"
    if state.phase == Phase.DISC and state.brought:
        yield "brought", "true"


def in_end(state: State, sides: int) -> Flaws:
    """CM-60, CM-61, CM-64: each end leaves its mark, and a running game none."""
    reason = Reason(int(state.reason))
    spent = [side for side in range(sides) if state.stock[side] == 0]
    if spent != ([int(state.owner[state.emperor])] if reason == Reason.CASTLES else []):
        yield "reason", "CM-60"
    few = len(places(state)) < LEAST_PLACES
    if few != (reason == Reason.REGIONS):
        yield "reason", "CM-61"
    if reason == Reason.REGIONS and state.castles[state.emperor] < 2:
        yield "emperor", f"{state.emperor + 1} (CM-61)"
    last = state.at == state.seats - 1
    if reason == Reason.STANDSTILL and (state.brought or not last):
        yield "reason", "CM-64"
    if reason == Reason.ROUNDS and (not state.brought or not last or state.rounds != MOST_ROUNDS):
        yield "reason", "CM-64"

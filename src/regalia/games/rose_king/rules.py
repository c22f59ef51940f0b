"""The rules of The Rose King, in the order of clauses.md."""

from __future__ import annotations

from regalia.core.arrays import Ints, Mask, Rng, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.games.rose_king.bits import bits_of, ones, region_in
from regalia.games.rose_king.components import (
    CARDS,
    CELLS,
    CENTRE,
    DEALT,
    DRAW,
    EDGE,
    HAND,
    HERO,
    HEROES,
    NEIGHBOURS,
    NONE,
    OFF,
    OUTCOMES,
    STEPS,
    STONES,
    TARGETS,
)
from regalia.games.rose_king.state import Phase, Reason, State

__all__ = ["OUTCOMES", "STEPS", "actors", "apply", "draws", "legal", "outcome", "redeal", "score", "setup"]


@kernel
def setup(state: State) -> None:
    """RK-1…6: the crown on e5, all stones in the supply; chance will deal the hands."""
    state.crown = CENTRE
    state.supply = STONES
    state.heroes[:] = HEROES
    state.left = CARDS
    for card in range(CARDS):
        state.pile[card] = card
    state.stones[:] = NONE
    state.stones[OFF] = EDGE
    state.phase = Phase.DEAL


@kernel
def actors(state: State) -> int:
    if state.phase == Phase.TURN:
        return 1 << int(state.turn)
    return 0 if state.phase == Phase.OVER else CHANCE_BIT


@kernel
def legal(state: State, seat: int, steps: Steps) -> int:
    """RK-10, RK-20…25, RK-30, RK-40, RK-41."""
    crown = int(state.crown)
    rival = 1 - seat if state.heroes[seat] > 0 else EDGE + 1
    held = int(state.held[seat])
    count = 0
    for k in range(HAND):  # no branch: which cards are playable cannot be predicted
        card = int(state.hands[seat, k])
        owner = int(state.stones[TARGETS[crown, card]])
        steps[count] = card + HERO * (owner == rival)
        count += (k < held) & ((owner == NONE) | (owner == rival))
    steps[count] = DRAW
    return count + (held < HAND)


@kernel
def draws(state: State) -> int:
    """RK-6, RK-31: every card of the pile is equally likely."""
    return int(state.left)


@kernel
def outcome(state: State, draw: int) -> int:
    return int(state.pile[draw])


@kernel
def apply(state: State, seat: int, step: int) -> None:
    if seat == CHANCE:
        take_card(state, step)
    elif step == DRAW:
        state.phase = Phase.DRAW
    else:
        if step < HERO:
            lay_stone(state, seat, step)
        else:
            flip_stone(state, seat, step - HERO)
        if state.supply == 0:
            end(state, Reason.STONES)
        else:
            pass_turn(state)


@kernel
def lay_stone(state: State, seat: int, card: int) -> None:
    """RK-24: a stone from the supply on the target, own colour up, the crown on it."""
    move_crown(state, seat, card)
    state.supply -= 1


@kernel
def flip_stone(state: State, seat: int, card: int) -> None:
    """RK-40, RK-42: a hero turns the opponent's stone; none leaves the supply."""
    move_crown(state, seat, card)
    state.heroes[seat] -= 1


@kernel
def move_crown(state: State, seat: int, card: int) -> None:
    """RK-20: the card's distance in its direction; then the target is the player's and the card is discarded."""
    state.crown = TARGETS[int(state.crown), card]
    state.stones[int(state.crown)] = seat
    state.held[seat] -= 1
    for k in range(HAND - 1):
        state.hands[seat, k] = state.hands[seat, k + (state.hands[seat, k] >= card)]
    state.hands[seat, HAND - 1] = 0


@kernel
def take_card(state: State, card: int) -> None:
    """RK-6, RK-31, RK-32: a card from the pile into the hand; an empty pile is made anew from the discards."""
    seat = int(state.turn)
    take_from_pile(state, card)
    place = int(state.held[seat])
    while place > 0 and state.hands[seat, place - 1] > card:
        state.hands[seat, place] = state.hands[seat, place - 1]
        place -= 1
    state.hands[seat, place] = card
    state.held[seat] += 1
    if state.phase == Phase.DEAL:
        state.turn = 1 - seat
        if state.left == CARDS - DEALT:
            state.phase = Phase.TURN
        return
    if state.left == 0:
        make_pile(state)
    pass_turn(state)


@kernel
def take_from_pile(state: State, card: int) -> None:
    state.left -= 1
    for k in range(CARDS - 1):
        state.pile[k] = state.pile[k + 1] if state.pile[k] >= card else state.pile[k]
    state.pile[CARDS - 1] = 0


@kernel
def make_pile(state: State) -> None:
    """RK-32: all cards but those in the hands."""
    for card in range(CARDS):
        in_hand = False
        for seat in range(2):
            for k in range(int(state.held[seat])):
                in_hand = in_hand or state.hands[seat, k] == card
        if not in_hand:
            state.pile[int(state.left)] = card
            state.left += 1


@kernel
def pass_turn(state: State) -> None:
    """RK-11, RK-51: the opponent is next, or is skipped; when neither can act the game is over."""
    other = 1 - int(state.turn)
    state.phase = Phase.TURN
    if can_act(state, other):
        state.turn = other
    elif not can_act(state, 1 - other):
        end(state, Reason.BLOCKED)


@kernel
def can_act(state: State, seat: int) -> bool:
    """RK-10: draw, play a card, or play one with a hero."""
    if state.held[seat] < HAND:
        return True
    crown = int(state.crown)
    rival = 1 - seat if state.heroes[seat] > 0 else EDGE + 1
    can = False
    for k in range(HAND):
        owner = int(state.stones[TARGETS[crown, int(state.hands[seat, k])]])
        can |= (owner == NONE) | (owner == rival)
    return can


@kernel
def end(state: State, reason: Reason) -> None:
    state.phase = Phase.OVER
    state.reason = reason


@kernel
def score(state: State, points: Ints, ranks: Ints) -> None:
    """RK-60…63: points are the squares of the regions; ties go to the largest region, then to the stones laid."""
    points[0], largest, laid = measure(state, 0)
    points[1], other_largest, other_laid = measure(state, 1)
    lead = points[0] - points[1]
    if lead == 0:
        lead = largest - other_largest
    if lead == 0:
        lead = laid - other_laid
    ranks[0] = 1 + (lead < 0)
    ranks[1] = 1 + (lead > 0)


@kernel
def measure(state: State, seat: int) -> tuple[int, int, int]:
    """RK-60, RK-61: the squares of a seat's regions, the size of the largest, and its stones."""
    south, north = bits_of(state, seat)
    points = largest = laid = 0
    while south | north:
        here, there = region_in(south, north, south, north)
        size = ones(here) + ones(there)
        points += size * size
        largest = max(largest, size)
        laid += size
        south ^= here
        north ^= there
    return points, largest, laid


@kernel
def fill_region(state: State, start: int, seen: Mask, queue: Mask) -> int:
    """RK-60: queue[:size] become the cells of a region, which are marked as seen. Returns its size."""
    owner = int(state.stones[start])
    queue[0] = start
    seen[start] = 1
    size = 1
    done = 0
    while done < size:
        cell = int(queue[done])
        done += 1
        for side in range(4):
            near = int(NEIGHBOURS[cell, side])
            if state.stones[near] == owner and not seen[near]:
                seen[near] = 1
                queue[size] = near
                size += 1
    return size


@kernel
def number_regions(state: State, numbers: Mask, queue: Mask) -> int:
    """RK-60: numbers[cell] becomes its region, counted from 1 by their first cells, or 0. Returns how many there are."""
    numbers[:] = 0
    regions = 0
    for cell in range(CELLS):
        if state.stones[cell] != NONE and not numbers[cell]:
            size = fill_region(state, cell, numbers, queue)
            regions += 1
            for place in range(size):
                numbers[queue[place]] = regions
    return regions


@kernel
def redeal(state: State, seat: int, rng: Rng) -> None:
    """Nothing is hidden: hands are open and the pile has no order until a card is turned up."""

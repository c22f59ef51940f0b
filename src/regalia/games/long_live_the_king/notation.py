"""The texts of Long Live the King: actions and chance outcomes. Positions are in position.py."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regalia.core.errors import NotationError
from regalia.games.long_live_the_king.components import (
    AREA_NAMES,
    AREAS,
    BANISH,
    CARD_NAMES,
    END,
    FACES,
    MOST_STAKED,
    MOVE,
    MOVE_BY,
    NO_DICE,
    NO_RECLAIM,
    NO_STAKE,
    PLACE,
    PUT,
    RECLAIM,
    ROLL,
    STAKE,
    STAKE_OF,
    STAKES,
    START,
    VALUES,
)
from regalia.games.long_live_the_king.position import names_of
from regalia.games.long_live_the_king.state import Phase, State

AREA_OF = {name.casefold(): area for area, name in enumerate(AREA_NAMES)}
AREA_OF["lancastre"] = AREA_OF["loncastre"]  # the Dutch spelling
VALUE_OF: dict[str, int] = {name: value for value, name in enumerate(CARD_NAMES)}
START_PHASE, DEAL_PHASE = int(Phase.START), int(Phase.DEAL)  # plain numbers: these are compared for every die
BARE = {"place": PLACE, "end": END}
BEYOND = {NO_STAKE: "stake", NO_RECLAIM: "reclaim", NO_DICE: "dice"}


def read(text: str, state: State, seat: int) -> list[int]:
    match text.casefold().split():
        case [("place" | "end") as word]:
            return [BARE[word]]
        case ["move", area] if area in AREA_OF:
            return [MOVE + AREA_OF[area]]
        case ["move", area, card] if area in AREA_OF and card in VALUE_OF:
            return [MOVE_BY + AREAS * VALUE_OF[card] + AREA_OF[area]]
        case ["roll", card] if card in VALUE_OF:
            return [ROLL + VALUE_OF[card]]
        case ["banish", area] if area in AREA_OF:
            return [BANISH + AREA_OF[area]]
        case ["reclaim", count] if re.fullmatch("[0-9]+", count):
            return [RECLAIM + int(count) if int(count) <= MOST_STAKED else NO_RECLAIM]
        case ["stake", *cards] if all(card in VALUE_OF for card in cards):
            return [read_stake([VALUE_OF[card] for card in cards])]
        case ["dice", *pairs] if pairs and all(re.fullmatch("[1-6]>x[1-3]", pair) for pair in pairs):
            return read_dice([(VALUE_OF[pair[2:]], int(pair[0]) - 1) for pair in pairs], state, seat)
    raise NotationError("long_live_the_king.unread", action=text[:40])


def read_stake(cards: list[int]) -> int:
    if not 1 <= len(cards) <= MOST_STAKED:
        return NO_STAKE
    return STAKE + int(STAKE_OF[tuple(cards.count(value) for value in range(VALUES))])


def read_dice(pairs: list[tuple[int, int]], state: State, seat: int) -> list[int]:
    """A die for every staked card, highest cards first, on equal cards dice ascending."""
    pairs = sorted(pairs, key=lambda pair: (-pair[0], pair[1]))
    if [value for value, _ in pairs] != cards_to_put_on(state, seat):
        return [NO_DICE]
    return [PUT + face for _, face in pairs]


def cards_to_put_on(state: State, seat: int) -> list[int]:
    return [value for value in reversed(range(VALUES)) for _ in range(state.stakes[seat, value])]


def write(steps: Sequence[int], state: State, seat: int) -> str:
    step = steps[0]
    if step in BEYOND:
        return BEYOND[step]
    if step >= PUT:
        cards = cards_to_put_on(state, seat)
        return "dice " + " ".join(
            f"{put - PUT + 1}>{CARD_NAMES[card]}" for put, card in zip(steps, cards, strict=True)
        )
    if step >= STAKE:
        return "stake " + " ".join(names_of(STAKES[step - STAKE].tolist()))
    if step >= RECLAIM:
        return f"reclaim {step - RECLAIM}"
    if step >= BANISH:
        return f"banish {AREA_NAMES[step - BANISH]}"
    if step >= ROLL:
        return f"roll {CARD_NAMES[step - ROLL]}" if step < END else "end"
    if step >= MOVE_BY:
        value, area = divmod(step - MOVE_BY, AREAS)
        return f"move {AREA_NAMES[area]} {CARD_NAMES[value]}" if step < PLACE else "place"
    return f"move {AREA_NAMES[step - MOVE]}"


def read_outcome(text: str, state: State) -> int:
    word = text.casefold()
    phase = int(state.phase)
    if phase == START_PHASE:
        row = START[state.seats, : state.seats].tolist()
        if AREA_OF.get(word) in row:
            return int(row.index(AREA_OF[word]))
    elif phase == DEAL_PHASE:
        if word in VALUE_OF:
            return VALUE_OF[word]
    elif re.fullmatch(f"[1-{FACES}]", word):
        return int(word) - 1
    raise NotationError("error.outcome", outcome=text[:40])


def write_outcome(step: int, state: State) -> str:
    phase = int(state.phase)
    if phase == START_PHASE:
        return AREA_NAMES[int(START[state.seats, step])]
    return CARD_NAMES[step] if phase == DEAL_PHASE else str(step + 1)


def receiver(state: State) -> int | None:
    """LK-80: a card dealt is seen by who gets it."""
    return int(state.active) if int(state.phase) == DEAL_PHASE else None


def order(state: State) -> list[int]:
    """Stakes are told clockwise from the intruder."""
    return [(state.turn + k) % int(state.seats) for k in range(state.seats)]

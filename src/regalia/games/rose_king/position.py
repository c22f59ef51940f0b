"""Positions of The Rose King: a state as data for people, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import numpy as np

from regalia.core.position import Fields
from regalia.games.rose_king.check import check
from regalia.games.rose_king.components import (
    CARD_NAMES,
    CARDS,
    CELL_NAMES,
    CELLS,
    EDGE,
    HAND,
    HEROES,
    OFF,
    SIDE,
    TARGETS,
)
from regalia.games.rose_king.rules import number_regions, score
from regalia.games.rose_king.state import State
from regalia.games.rose_king.view import Derived, Position, ReasonName, Region

SIGNS = "rw."
REASONS: tuple[ReasonName, ...] = get_args(ReasonName)


def names(cards: Iterable[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def describe(state: State) -> Position:
    stones = "".join(SIGNS[owner] for owner in state.stones[:CELLS].tolist())
    rows = [stones[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
    hands = [cards[:held] for cards, held in zip(state.hands.tolist(), state.held.tolist(), strict=True)]
    pile = state.pile.tolist()[: state.left]
    return Position(
        turn=int(state.turn),
        board=rows[::-1],
        crown=CELL_NAMES[state.crown],
        hands=[names(hand) for hand in hands],
        heroes=state.heroes.tolist(),
        pile=names(pile),
        discards=names(set(range(CARDS)) - {*pile, *hands[0], *hands[1]}),
        reason=REASONS[state.reason],
    )


def restore(position: dict[str, Any], state: State) -> None:
    fields = Fields(position)
    state.turn = fields.number("turn", 0, 1)
    state.reason = fields.choice("reason", REASONS)
    rows = fields.texts("board", SIDE)
    for row, text in enumerate(reversed(rows)):
        if len(text) != SIDE or set(text) - set(SIGNS):
            fields.refuse("board", f"row {row + 1}")
        state.stones[row * SIDE : (row + 1) * SIDE] = [SIGNS.index(sign) for sign in text]
    state.stones[OFF] = EDGE
    state.crown = fields.choice("crown", CELL_NAMES)
    state.heroes[:] = fields.numbers("heroes", 2, 0, HEROES)
    places = [read_cards(fields, held) for held in fields.lists("hands", 2)]
    places += [read_cards(fields, fields.take("pile")), read_cards(fields, fields.take("discards"))]
    fields.finish()
    everywhere = sorted(card for place in places for card in place)
    if everywhere != list(range(CARDS)):
        wrong = next(card for card in range(CARDS) if everywhere.count(card) != 1)
        fields.refuse("cards", f"{everywhere.count(wrong)} x {CARD_NAMES[wrong]} (RK-3)")
    for seat in range(2):
        if len(places[seat]) > HAND:
            fields.refuse("hands", f"> {HAND} (RK-30)")
        state.held[seat] = len(places[seat])
        state.hands[seat, : state.held[seat]] = sorted(places[seat])
    state.left = len(places[2])
    state.pile[: state.left] = sorted(places[2])
    check(state, fields)


def read_cards(fields: Fields, texts: Any) -> list[int]:
    if not isinstance(texts, list) or not all(isinstance(text, str) and text in CARD_NAMES for text in texts):
        fields.refuse("cards", f"{texts!r:.40}")
    return [CARD_NAMES.index(text) for text in texts]


def derive(state: State) -> Derived:
    """Scores and regions as they stand, and where each card of the seat to act would lead."""
    points, ranks = np.zeros((2, 2), np.int64)
    score(state, points, ranks)
    numbers, queue = np.zeros((2, CELLS + 1), np.uint8)
    regions: list[list[int]] = [[] for _ in range(number_regions(state, numbers, queue))]
    for cell, number in enumerate(numbers.tolist()):
        if number:
            regions[number - 1].append(cell)
    owners = state.stones.tolist()
    leads = dict(zip(CARD_NAMES, TARGETS[state.crown].tolist(), strict=True))
    return Derived(
        supply=int(state.supply),
        scores=points.tolist(),
        regions=[Region(owners[cells[0]], [CELL_NAMES[cell] for cell in cells]) for cells in regions],
        targets={name: CELL_NAMES[cell] for name, cell in leads.items() if cell != OFF},
    )

"""Refusing positions that no game of The Rose King could reach, as far as counting tells."""

from __future__ import annotations

from regalia.core.position import Fields
from regalia.games.rose_king.components import CARDS, CELL_NAMES, CELLS, DEALT, HAND, HEROES, NONE, STONES
from regalia.games.rose_king.rules import can_act
from regalia.games.rose_king.state import Phase, Reason, State


def check(state: State, fields: Fields) -> None:
    """RK-4…50: what the board, the hands and the pile say about each other."""
    laid = sum(owner != NONE for owner in state.stones[:CELLS])
    if laid > STONES:
        fields.refuse("board", f"{laid} > {STONES} (RK-4)")
    state.supply = STONES - laid
    if laid and state.stones[state.crown] == NONE:
        fields.refuse("crown", CELL_NAMES[state.crown] + " (RK-24)")
    dealt = int(state.held[0]) + int(state.held[1])
    dealing = state.phase == Phase.DEAL
    if dealing and (laid or sum(state.heroes) < 2 * HEROES or dealt + state.left < CARDS or dealt >= DEALT):
        fields.refuse("phase", "deal (RK-6)")
    if dealing and (state.turn != dealt % 2 or state.held[0] != (dealt + 1) // 2):
        fields.refuse("turn", f"{state.turn} (RK-6)")
    if state.left == 0:
        fields.refuse("pile", "0 (RK-32)")
    if state.phase == Phase.DRAW and state.held[state.turn] == HAND:
        fields.refuse("phase", "draw (RK-30)")
    blocked = not can_act(state, 0) and not can_act(state, 1)
    ended = (
        Reason.STONES if state.supply == 0 else Reason.BLOCKED if blocked and not dealing else Reason.RUNNING
    )
    if state.reason != ended or (state.phase == Phase.OVER) != (ended != Reason.RUNNING):
        fields.refuse("reason", Reason(int(state.reason)).name.lower())
    if state.phase == Phase.TURN and not can_act(state, state.turn):
        fields.refuse("turn", f"{state.turn} (RK-11)")

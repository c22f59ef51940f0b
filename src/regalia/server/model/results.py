"""How a match ends for the table."""

from __future__ import annotations

from regalia import Match
from regalia.server.model import events as ev
from regalia.server.model.table import Table
from regalia.server.model.values import Result


def ending(table: Table, match: Match) -> list[ev.Ended]:
    """What ends the table if its match, as it will be, is over."""
    outcome = match.outcome
    if outcome is None:
        return []
    ranks = ranked(table, outcome.ranks, table.out)
    return [ev.Ended(Result(ranks, outcome.points, outcome.reason))]


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

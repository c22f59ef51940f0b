"""What dice set aside mean for one target: those that leave the same prospects are one.

For a total of 15 it is the sum that matters, for seven of a kind hardly more than one face and its number. Rather
than by hand for each cost, this is found by counting back from finished results: dice set aside have the same
prospects if both are good enough when the turn ends now, and if one more die of any face gives them the same
prospects again. (With the Astronomer in play the faces set aside must be the same too.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regalia.core.kernel import kernel
from regalia.core.templates import Steps
from regalia.games.court_the_king.components import FACES
from regalia.games.court_the_king.costs import faces_of
from regalia.games.court_the_king.dice import HANDFULS, Handfuls, Numbers, handfuls

LOST, SURE, OPEN = -1, -2, -3  # whatever follows it is lost or sure, or neither
TOO_FEW = 2  # instead of 0 or 1 for a result: the turn cannot end with so few dice
SLOTS = 1 << 14  # of the table in which equal prospects are found: more than twice as many as handfuls of a size


class Prospects(NamedTuple):
    """Levels are counted from the dice set aside already: level 0 is these, level 1 one die more, …"""

    of: Numbers  # [handful added]: its prospect, or LOST or SURE
    first: Numbers  # [level]: the first prospect of that level
    number: Numbers  # [level]: how many there are
    after: Numbers  # [prospect, face - 1]: the prospect with one more die, or LOST or SURE
    wins: Steps  # [prospect]: 1 if a turn that ends so meets the target, 0 if not, TOO_FEW if it cannot end
    faces: Steps  # [prospect]: the faces set aside, a bit each; only with the Astronomer


def find_prospects(aside: int, levels: int, least: int, wanted: Steps, by_faces: bool) -> Prospects:
    """Prospects after setting aside a handful.

    levels: how many dice may still follow it; least: with how many of them the turn may end, the fewest;
    wanted[handful]: 1 if that result meets the target; by_faces: keep apart what the Astronomer tells apart.
    """
    room = int(handfuls().start[levels + 1])
    found = Prospects(
        np.zeros(room, np.int32),
        np.zeros(levels + 1, np.int32),
        np.zeros(levels + 1, np.int32),
        np.zeros((room, FACES), np.int32),
        np.zeros(room, np.uint8),
        np.zeros(room, np.uint8),
    )
    whole = np.zeros(room, np.int32)
    slots = np.zeros(SLOTS, np.int32)
    count = fill_prospects(handfuls(), aside, levels, least, wanted, by_faces, found, whole, slots)
    return found._replace(after=found.after[:count], wins=found.wins[:count], faces=found.faces[:count])


@kernel
def fill_prospects(
    tables: Handfuls,
    aside: int,
    levels: int,
    least: int,
    wanted: Steps,
    by_faces: bool,
    found: Prospects,
    whole: Numbers,
    slots: Numbers,
) -> int:
    """Fills the prospects, from the last level back; returns how many there are. whole, slots: room to work in."""
    whole[0] = aside
    for added in range(1, tables.start[levels + 1]):
        face = FACES - 1
        while tables.less[added, face] < 0:
            face -= 1
        whole[added] = tables.more[whole[tables.less[added, face]], face]
    count = 0
    for level in range(levels, -1, -1):
        found.first[level] = count
        slots[:] = -1
        for added in range(tables.start[level], tables.start[level + 1]):
            end = int(wanted[whole[added]]) if level >= least else TOO_FEW
            faces = faces_of(tables.counts[whole[added]]) if by_faces else 0
            mark = settle_prospect(tables, added, level == levels, end, found)
            if mark == OPEN:
                mark = place_prospect(tables, added, end, faces, count, found, slots)
                count = max(count, mark + 1)
            found.of[added] = mark
        found.number[level] = count - int(found.first[level])
    return count


@kernel
def settle_prospect(tables: Handfuls, added: int, is_last: bool, end: int, found: Prospects) -> int:
    """LOST or SURE if nothing that follows can change it, else OPEN."""
    sure = end != 0
    lost = end != 1
    if not is_last:
        for face in range(FACES):
            after = int(found.of[tables.more[added, face]])
            sure = sure and after == SURE
            lost = lost and after == LOST
    return SURE if sure else LOST if lost else OPEN


@kernel
def place_prospect(
    tables: Handfuls, added: int, end: int, faces: int, count: int, found: Prospects, slots: Numbers
) -> int:
    """The prospect equal to this one, or the next number for a new one."""
    mixed = end * 64 + faces
    for face in range(FACES):
        mixed = (mixed * 1_000_003 + int(found.of[tables.more[added, face]]) - OPEN) & 0xFFFFFFFF
    slot = (mixed ^ (mixed >> 15)) % SLOTS
    while slots[slot] >= 0:
        other = int(slots[slot])
        same = found.wins[other] == end and found.faces[other] == faces
        for face in range(FACES):
            same = same and found.after[other, face] == found.of[tables.more[added, face]]
        if same:
            return other
        slot = (slot + 1) % SLOTS
    slots[slot] = count
    found.wins[count] = end
    found.faces[count] = faces
    for face in range(FACES):
        found.after[count, face] = found.of[tables.more[added, face]]
    return count

"""What dice set aside mean for a target: those that leave the same prospects are one.

For a total of 15 it is the sum that matters, for seven of a kind hardly more than one face and its number. Rather
than by hand for each cost, this is found by counting back from finished results: dice set aside have the same
prospects if both are good enough, or both not, should the turn end now, and if one more die of any face gives them the
same prospects again. (With the Astronomer in play the faces set aside must be the same too.)

All targets asked about share one list of prospects. Levels are counted from the dice set aside already: level 0 is
these, level 1 one die more, … In each level prospect LOST cannot meet the target any more, and SURE cannot miss it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regalia.core.arrays import Steps
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import FACES
from regalia.games.court_the_king.costs import faces_of
from regalia.games.court_the_king.odds.dice_multisets import Handfuls, Numbers, handfuls

LOST, SURE = 0, 1
OPEN = -1  # neither of them
TOO_FEW = 2  # instead of 0 or 1 for a result: the turn cannot end with so few dice
SLOTS = (
    1 << 18
)  # of the table in which equal prospects are found: well over all handfuls of a size for each target


class Prospects(NamedTuple):
    """Within its level a prospect is a column; all levels' columns follow each other, the last level first."""

    of: Numbers  # [target, handful added]: its column
    first: Numbers  # [level]: where its columns begin
    width: Numbers  # [level]: how many there are
    after: Numbers  # [face - 1, first + column]: the column in the next level with one more die
    wins: Steps  # [first + column]: 1 if a turn that ends so meets the target, 0 if not, TOO_FEW if it cannot end
    faces: Steps  # [first + column]: the faces set aside, a bit each; only with the Astronomer


def find_prospects(aside: int, levels: int, least: int, wanted: Steps, by_faces: bool) -> Prospects:
    """Prospects after setting aside a handful.

    levels: how many dice may still follow it; least: with how many of them the turn may end, the fewest;
    wanted[target, handful]: 1 if that result meets the target; by_faces: keep apart what the Astronomer tells apart.
    """
    added = int(handfuls().start[levels + 1])
    room = added * len(wanted) + 2 * (levels + 1)
    found = Prospects(
        np.zeros((len(wanted), added), np.int32),
        np.zeros(levels + 1, np.int32),
        np.zeros(levels + 1, np.int32),
        np.zeros((FACES, room), np.int32),
        np.zeros(room, np.uint8),
        np.zeros(room, np.uint8),
    )
    whole = np.zeros(added, np.int32)
    slots = np.full(SLOTS, OPEN, np.int32)
    count = fill_prospects(handfuls(), aside, levels, least, wanted, by_faces, found, whole, slots)
    return found._replace(
        after=found.after[:, :count].copy(), wins=found.wins[:count], faces=found.faces[:count]
    )


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
        first = count
        found.first[level] = first
        for column in (LOST, SURE):
            found.wins[first + column] = column
            for face in range(FACES):
                found.after[face, first + column] = column
        count += 2
        for target in range(wanted.shape[0]):
            for added in range(tables.start[level], tables.start[level + 1]):
                end = int(wanted[target, whole[added]]) if level >= least else TOO_FEW
                faces = faces_of(tables.counts[whole[added]]) if by_faces else 0
                column = settle_prospect(tables, target, added, level == levels, end, found)
                if column == OPEN:
                    column = place_prospect(tables, target, added, end, faces, first, count, found, slots)
                    count = max(count, first + column + 1)
                found.of[target, added] = column
        found.width[level] = count - first
    return count


@kernel
def settle_prospect(
    tables: Handfuls, target: int, added: int, is_last: bool, end: int, found: Prospects
) -> int:
    """LOST or SURE if nothing that follows can change it, else OPEN."""
    sure = end != 0
    lost = end != 1
    if not is_last:
        for face in range(FACES):
            after = int(found.of[target, tables.more[added, face]])
            sure = sure and after == SURE
            lost = lost and after == LOST
    return SURE if sure else LOST if lost else OPEN


@kernel
def place_prospect(
    tables: Handfuls,
    target: int,
    added: int,
    end: int,
    faces: int,
    first: int,
    count: int,
    found: Prospects,
    slots: Numbers,
) -> int:
    """The column of an equal prospect in this level, or the next one. Slots of other levels are below `first`."""
    mixed = end * 64 + faces
    for face in range(FACES):
        mixed = (mixed * 1_000_003 + int(found.of[target, tables.more[added, face]])) & 0xFFFFFFFF
    slot = (mixed ^ (mixed >> 13)) % slots.size
    while slots[slot] >= first:
        other = int(slots[slot])
        same = found.wins[other] == end and found.faces[other] == faces
        for face in range(FACES):
            same = same and found.after[face, other] == found.of[target, tables.more[added, face]]
        if same:
            return other - first
        slot = (slot + 1) % slots.size
    slots[slot] = count
    found.wins[count] = end
    found.faces[count] = faces
    for face in range(FACES):
        found.after[face, count] = found.of[target, tables.more[added, face]]
    return count - first

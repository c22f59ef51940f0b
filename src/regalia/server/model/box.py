"""What people at the table of the boxed game have typed, and what they want to amend of it."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from regalia.server.model.growing import Growing


@dataclass(frozen=True)
class Entry:
    """A roll or a deal as it was typed."""

    ply: int  # of its record
    outcomes: int  # of that record that came before it
    seat: int | None  # whose roll it was
    texts: tuple[str, ...]
    drawn: int  # draws that the table's own dice had made before it


@dataclass(frozen=True)
class Proposal:
    """Somebody wants to amend; it happens when all who play have agreed."""

    name: str
    ply: int
    outcomes: int | None
    agreed: frozenset[str]  # players


@dataclass
class Box:
    entries: Growing[Entry] = field(default_factory=Growing)
    drawn_before: Growing[int] = field(default_factory=Growing)  # each record: draws of the table's own dice
    hands: dict[int, tuple[str, ...]] = field(
        default_factory=dict
    )  # of a secret deal, as far as they are typed
    proposal: Proposal | None = None
    floor: int = 0  # what was typed before the last amendment stands

    def copy(self) -> Box:
        twin = copy.copy(self)
        twin.entries, twin.drawn_before = self.entries.copy(), self.drawn_before.copy()
        twin.hands = dict(self.hands)
        return twin

    def cut(self, ply: int, outcomes: int | None = None) -> None:
        """The match went back to a ply, or into its record."""
        kept = [each for each in self.entries if (each.ply, each.outcomes) < (ply, outcomes or 0)]
        self.entries.cut(len(kept))
        self.drawn_before.cut(ply)
        self.hands = {}
        if self.proposal is not None and self.proposal.ply >= ply:
            self.proposal = None

    def agree(self, player: str) -> None:
        assert self.proposal is not None
        before = self.proposal
        self.proposal = Proposal(before.name, before.ply, before.outcomes, before.agreed | {player})

    def entry_at(self, ply: int, outcomes: int) -> Entry | None:
        return next((each for each in self.entries if (each.ply, each.outcomes) == (ply, outcomes)), None)

"""What seldom happens in Long Live the King, noticed while a match is played (chance by hand, outcome by outcome)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from regalia import CHANCE, Match
from regalia.games.long_live_the_king.components import NO_ONE, NOWHERE
from regalia.games.long_live_the_king.state import Election, Phase

Chooser = Callable[[Match, int, random.Random], str]

CASES = (
    "third party wins",  # LK-61
    "tie rolled again",  # LK-54
    "one outside the tie wins",  # LK-54
    "player without cards in a tie",  # LK-54
    "noble returns by itself",  # LK-62
    "player without cards in a dispute",  # LK-51
    "all five cards reclaimed",  # LK-64
    "x3 reclaimed",  # LK-64
    "five x3 staked",  # LK-51
    "move on fails with the last card",  # LK-33
    "nowhere to move on to",  # LK-33
    "supply empty",  # LK-36
    "several have enough votes",  # LK-75
    "crown for fewer total votes",  # LK-75
    "crown decided by dice",  # LK-75, LK-77
    "bonus votes decided by dice",  # LK-76, LK-77
    "places decided by dice",  # LK-77, LK-78
    "bonus votes beyond fifteen",  # LK-76
    "fifteen cards each",  # LK-80
    "pile too small",  # LK-82
    "quiet election",  # LK-83
)
DICE_OF = {
    Election.CROWN: "crown decided by dice",
    Election.BONUS: "bonus votes decided by dice",
    Election.RANKING: "places decided by dice",
}


class Watch:
    """Counts cases, each once per match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats = match.seats
        self.found: set[str] = set()
        self.tied = 0  # who shared the highest total last
        self.before = match.engine.layout.load(match.state_bytes())[0]

    def look(self) -> None:
        """Compare with what was there before the last step."""
        before, now = self.before, self.match.engine.layout.load(self.match.state_bytes())[0]
        self.before = now
        phase, last = Phase(int(now.phase)), Phase(int(before.phase))
        if now.disputed != NOWHERE:
            self.look_at_dispute(before, now, phase)
        elif before.disputed == NOWHERE and last == Phase.DIE and before.target != NOWHERE:
            if phase not in (Phase.ENTERED, Phase.FAILED):
                self.found.add("move on fails with the last card")
            elif phase == Phase.FAILED and self.match.actions(int(now.turn)) == ["end"]:
                self.found.add("nowhere to move on to")
        if now.supply[: self.seats].min() == 0:
            self.found.add("supply empty")
        if last == Phase.RECLAIM:
            self.look_at_reclaim(before, now)
        if now.elections > before.elections and min(self.held(now)) > 0:
            self.found.add("quiet election")
        if phase == Phase.TIE:
            self.found.add(DICE_OF[Election(int(now.election))])
        elif phase == Phase.DEAL and now.due == 15 * self.seats:
            self.found.add("fifteen cards each")
        elif phase == Phase.TURN and 0 in self.held(now):
            self.found.add("pile too small")
        elif phase == Phase.OVER:
            self.look_at_end(now)
        if now.bonus.max() > 15:
            self.found.add("bonus votes beyond fifteen")

    def held(self, state: Any) -> list[int]:
        cards: list[int] = state.cards[: self.seats].tolist()
        return cards

    def look_at_dispute(self, before: Any, now: Any, phase: Phase) -> None:
        if phase == Phase.STAKES:
            self.tied = 0
            if 0 in self.held(now):
                self.found.add("player without cards in a dispute")
            return
        if now.stakes[:, 2].max() == 5:
            self.found.add("five x3 staked")
        if phase == Phase.ROLL and is_rolled_again(before, now):
            self.look_at_tie(now)
        if now.winner == NO_ONE:
            return
        if before.winner == NO_ONE:
            if now.winner not in (now.turn, now.defender):
                self.found.add("third party wins")
            if self.tied and not self.tied >> int(now.winner) & 1:
                self.found.add("one outside the tie wins")
        sent_back = phase == Phase.PLACING and now.winner != now.turn and now.nobles[now.turn] == now.origin
        if sent_back and not ((now.owner == now.turn) & (now.courtiers > 0)).any():
            self.found.add("noble returns by itself")

    def look_at_tie(self, now: Any) -> None:
        self.tied = int(now.owing)
        self.found.add("tie rolled again")
        if self.tied.bit_count() == 1:  # the other has no dice
            self.found.add("player without cards in a tie")

    def look_at_reclaim(self, before: Any, now: Any) -> None:
        seat = int(before.active)
        back = now.hand[seat].astype(int) - before.hand[seat]
        if now.phase in (Phase.RECLAIM, Phase.TURN):
            if back.sum() == 5:
                self.found.add("all five cards reclaimed")
            if back[2] > 0:
                self.found.add("x3 reclaimed")

    def look_at_end(self, now: Any) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        needed = 19 if self.seats == 3 else 20
        if sum(points >= needed for points in outcome.points) > 1:
            self.found.add("several have enough votes")
        if outcome.points[outcome.ranks.index(1)] < max(outcome.points):
            self.found.add("crown for fewer total votes")


def is_rolled_again(before: Any, now: Any) -> bool:
    """Whether the last die, or the last placing, made a tie: then dice leave the table."""
    more = int(now.dice.sum()) - int(before.dice.sum())
    return more < 0 or (more == 0 and before.phase == Phase.ROLL)


def play_watched(seats: int, seed: int, choose: Chooser) -> tuple[Match, set[str]]:
    """A whole match, and which of the cases came up in it."""
    rng = random.Random(seed)
    options = {"dice_by_hand": rng.choice(["false", "true"])}
    match = Match.new("long_live_the_king", seats, options=options, chance="manual")
    watch = Watch(match)
    while match.actors:
        seat = rng.choice(match.actors)
        if seat == CHANCE:
            odds = match.engine.odds(match._states).tolist()
            step = rng.choices(range(len(odds)), odds)[0]
            match.play(CHANCE, match.engine.notation.write_outcome(step, match._states[0]))
        else:
            match.play(seat, choose(match, seat, rng))
        watch.look()
    return match, watch.found


def count_cases(games: int, choose: Chooser, seed: int = 0) -> Counter[str]:
    """In how many of so many games each case came up."""
    counter: Counter[str] = Counter()
    for number in range(games):
        counter.update(play_watched(3 + number % 3, seed + number, choose)[1])
    return counter

"""Long Live the King once more, slow and obvious: the second witness beside the engine.

The game is told as one long script, a generator. Wherever a player must decide, or a die or a card is due,
the script hands out what is asked (per seat: each possible text and its odds) and waits for one answer.

End reasons: `elected` (LK-75; there is no other).

`snapshot()` gives everything true now. Lists run by seat; cards are counted as {"x1": n, "x2": n, "x3": n}.
  seats         number of seats
  dice_by_hand  the option of LK-52, true or false
  phase         what is due:
                start    a start area (chance)
                turn     the first decision of a turn: a free move, `place` or `end`
                entered  the noble has entered an empty or own area: `place`, `move` by favour roll or `end`
                failed   after a failed favour roll for moving: `move` by favour roll or `end`
                placed   the free courtier is placed: `roll` or `end`
                favour   the die of a favour roll (chance)
                stake    stakes, from every seat that still owes one
                contest  the dice of a dispute (chance)
                dice     a placing of these dice (dice_by_hand only)
                banish   where a noble goes
                settle   the winner of a dispute: `place` or `end`
                reclaim  how many staked cards are taken back
                tie      the five dice of LK-77 (chance)
                deal     the cards of LK-80 (chance)
                over     nothing
  turn          whose turn it is; election and deal still belong to it; null in the set-up
  nobles        area of each noble; null before it is dealt
  courtiers     {area: courtiers of each seat}; the Isle of Man is listed with 3 seats too, always empty
  supply        courtiers in supply
  bonus         bonus votes
  hands         cards in hand, without those staked
  discards      the discard pile, face up or face down
  entered       areas entered this turn, in order, the disputed one included; emptied when a turn begins
  came_from     the area the noble moved from last this turn; null before the first move of a turn
  idle_turns    turns in a row in which no card was discarded, this turn not included (LK-83)
  discarded     whether a card was discarded this turn; false when a turn begins
  elections     elections held so far, one in progress included
  dispute       null, or from the entering of a foreign area until the turn ends:
                area, intruder, defender
                staked   whether each seat has its stake down (seats without cards: from the start)
                stakes   cards staked and still on the table
                dice     last roll of each seat, ascending; emptied when the seat begins to roll again
                totals   last total of each seat; null until it is counted for the first time
                winner   null until it is settled
  election      null, or from an election's count until its bonus votes are given (when won it stays):
                area     area votes of each seat after LK-72
                total    total votes of each seat, before any new bonus votes
                sums     the five dice of LK-77 as far as thrown by each seat in this round, ascending
  outcome       null, or {ranks, points, reason}
"""

from collections.abc import Generator, Iterable
from itertools import permutations, product
from typing import TypeAlias

CHANCE = 7  # the seat that rolls and deals

Cards: TypeAlias = dict[str, int]
Ask: TypeAlias = dict[int, dict[str, int]]  # seat -> possible text -> odds (1 for a player's decision)
Answer: TypeAlias = tuple[int, str]

VALUES = {"x1": 1, "x2": 2, "x3": 3}
FACES = ("1", "2", "3", "4", "5", "6")

VOTES = {  # LK-1
    "Man": 2,
    "Sedberouie": 2,
    "Sarisberie": 2,
    "Rouecestre": 2,
    "Loncastre": 3,
    "Lincolia": 3,
    "Stadford": 3,
    "Lundonia": 3,
    "Lideforde": 3,
    "Wigemor": 4,
    "Tateshale": 4,
    "Oxeneford": 4,
    "Grentebrige": 4,
}

NEIGHBOURS = {  # LK-12: land borders and dashed sea lines alike
    "Man": "Wigemor Loncastre",
    "Sedberouie": "Loncastre Tateshale",
    "Sarisberie": "Oxeneford Lideforde",
    "Rouecestre": "Lundonia Grentebrige",
    "Loncastre": "Man Sedberouie Tateshale Wigemor",
    "Lincolia": "Tateshale Stadford Grentebrige",
    "Stadford": "Wigemor Tateshale Lincolia Grentebrige Oxeneford",
    "Lundonia": "Oxeneford Grentebrige Rouecestre",
    "Lideforde": "Wigemor Oxeneford Sarisberie",
    "Wigemor": "Man Loncastre Tateshale Stadford Oxeneford Lideforde",
    "Tateshale": "Sedberouie Loncastre Wigemor Stadford Lincolia Grentebrige",
    "Oxeneford": "Wigemor Stadford Grentebrige Lundonia Sarisberie Lideforde",
    "Grentebrige": "Lincolia Tateshale Stadford Oxeneford Lundonia Rouecestre",
}

STARTS = {  # LK-4, LK-5: whoever is in the first one begins
    3: ("Rouecestre", "Sarisberie", "Sedberouie"),
    4: ("Tateshale", "Lundonia", "Lideforde", "Man"),
    5: ("Stadford", "Man", "Sedberouie", "Lundonia", "Lideforde"),
}

NEEDED = {3: 19, 4: 20, 5: 20}  # LK-74


def no_cards() -> Cards:
    return {"x1": 0, "x2": 0, "x3": 0}


def listed(cards: Cards) -> list[str]:
    """The single cards, ascending."""
    return [card for card in ("x1", "x2", "x3") for _ in range(cards[card])]


class Dispute:
    """What lies on the table between the entering of a foreign area and the end of that turn."""

    def __init__(self, seats: int, area: str, intruder: int, defender: int) -> None:
        self.area = area
        self.intruder = intruder
        self.defender = defender
        self.staked = [False] * seats
        self.stakes = [no_cards() for _ in range(seats)]
        self.dice: list[list[int]] = [[] for _ in range(seats)]
        self.totals: list[int | None] = [None] * seats
        self.winner: int | None = None


class Election:
    """The votes that count at one election."""

    def __init__(self, area: list[int], bonus: list[int]) -> None:
        self.area = area
        self.total = [votes + extra for votes, extra in zip(area, bonus, strict=True)]  # LK-73
        self.sums: list[list[int]] = [[] for _ in area]


class Oracle:
    """One game from the set-up's first draw to the election that is won."""

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        if seats not in STARTS:
            raise ValueError(f"3 to 5 seats, not {seats}")
        by_hand = options.get("dice_by_hand", "false")
        if set(options) - {"dice_by_hand"} or by_hand not in ("true", "false"):
            raise ValueError(f"unknown option in {options}")
        self.seats = seats
        self.dice_by_hand = by_hand == "true"
        self.phase = "start"
        self.turn: int | None = None
        self.nobles: list[str | None] = [None] * seats
        self.courtiers = {area: [0] * seats for area in VOTES}
        self.supply = [15] * seats  # LK-4: 18, of which 2 stand in the start area and 1 marks the bonus votes
        self.bonus = [0] * seats
        self.hands: list[Cards] = [{"x1": 12, "x2": 7, "x3": 1} for _ in range(seats)]  # LK-3
        self.discards = no_cards()
        self.entered: list[str] = []
        self.came_from: str | None = None
        self.idle_turns = 0
        self.discarded_this_turn = False
        self.elections = 0
        self.dispute: Dispute | None = None
        self.election: Election | None = None
        self.result: tuple[tuple[int, ...], tuple[int, ...], str] | None = None
        self.script = self._game()
        self.asked: Ask = next(self.script)

    # ---- what the test asks ----

    def actors(self) -> tuple[int, ...]:
        return tuple(sorted(self.asked))

    def actions(self, seat: int) -> list[str]:
        return sorted(self.asked.get(seat, {}))

    def odds(self) -> dict[str, int]:
        return dict(self.asked.get(CHANCE, {}))

    def play(self, seat: int, text: str) -> None:
        if text not in self.asked.get(seat, {}):
            raise ValueError(f"seat {seat} may not play {text!r} in phase {self.phase}")
        try:
            self.asked = self.script.send((seat, text))
        except StopIteration:
            self.asked = {}

    def outcome(self) -> tuple[tuple[int, ...], tuple[int, ...], str] | None:
        return self.result

    def snapshot(self) -> dict[str, object]:
        dispute: dict[str, object] | None = None
        if self.dispute is not None:
            dispute = {
                "area": self.dispute.area,
                "intruder": self.dispute.intruder,
                "defender": self.dispute.defender,
                "staked": list(self.dispute.staked),
                "stakes": [dict(cards) for cards in self.dispute.stakes],
                "dice": [sorted(dice) for dice in self.dispute.dice],
                "totals": list(self.dispute.totals),
                "winner": self.dispute.winner,
            }
        election: dict[str, object] | None = None
        if self.election is not None:
            election = {
                "area": list(self.election.area),
                "total": list(self.election.total),
                "sums": [sorted(dice) for dice in self.election.sums],
            }
        outcome: dict[str, object] | None = None
        if self.result is not None:
            ranks, points, reason = self.result
            outcome = {"ranks": list(ranks), "points": list(points), "reason": reason}
        return {
            "seats": self.seats,
            "dice_by_hand": self.dice_by_hand,
            "phase": self.phase,
            "turn": self.turn,
            "nobles": list(self.nobles),
            "courtiers": {area: list(counts) for area, counts in self.courtiers.items()},
            "supply": list(self.supply),
            "bonus": list(self.bonus),
            "hands": [dict(hand) for hand in self.hands],
            "discards": dict(self.discards),
            "entered": list(self.entered),
            "came_from": self.came_from,
            "idle_turns": self.idle_turns,
            "discarded": self.discarded_this_turn,
            "elections": self.elections,
            "dispute": dispute,
            "election": election,
            "outcome": outcome,
        }

    # ---- asking ----

    def _decide(self, phase: str, seat: int, texts: Iterable[str]) -> Generator[Ask, Answer, str]:
        self.phase = phase
        _, text = yield {seat: dict.fromkeys(texts, 1)}
        return text

    def _draw(self, phase: str, odds: dict[str, int]) -> Generator[Ask, Answer, str]:
        self.phase = phase
        _, text = yield {CHANCE: odds}
        return text

    def _roll(self, phase: str) -> Generator[Ask, Answer, int]:
        face = yield from self._draw(phase, dict.fromkeys(FACES, 1))
        return int(face)

    # ---- looking ----

    def _clockwise(self, first: int) -> list[int]:
        return [(first + i) % self.seats for i in range(self.seats)]

    def _cards(self, seat: int) -> int:
        return sum(self.hands[seat].values())

    def _is_own(self, seat: int, area: str) -> bool:
        """LK-6, LK-36: a courtier or the noble alone makes an area own."""
        return self.courtiers[area][seat] > 0 or self.nobles[seat] == area

    def _own_areas(self, seat: int) -> list[str]:
        return [area for area in VOTES if self._is_own(seat, area)]

    def _other_owner(self, seat: int, area: str) -> int | None:
        """LK-6: the player to whom an area foreign to `seat` belongs."""
        for other in range(self.seats):
            if other != seat and self._is_own(other, area):
                return other
        return None

    def _may_enter(self, seat: int, area: str, price: int) -> bool:
        """LK-34: judged when the area is named, before paying `price` cards."""
        if area == "Man" and self.seats == 3:  # LK-2
            return False
        if area in self.entered:  # LK-13
            return False
        defender = self._other_owner(seat, area)
        if defender is not None:
            if len(self._own_areas(defender)) == 1:  # LK-41
                return False
            if self._cards(seat) - price < 1:  # LK-42
                return False
        return True

    def _destinations(self, seat: int, price: int) -> list[str]:
        here = self.nobles[seat]
        assert here is not None
        return [area for area in NEIGHBOURS[here].split() if self._may_enter(seat, area, price)]

    def _can_place(self, seat: int, area: str) -> bool:
        """LK-30, LK-31: the noble does not count towards the limit."""
        return self.supply[seat] > 0 and self.courtiers[area][seat] < VOTES[area]

    def _payments(self, seat: int) -> list[str]:
        return [card for card, count in self.hands[seat].items() if count > 0]

    # ---- the whole game ----

    def _game(self) -> Generator[Ask, Answer, None]:
        yield from self._set_up()
        while self.result is None:
            yield from self._take_turn()
            assert self.turn is not None
            following = (self.turn + 1) % self.seats  # LK-5, LK-65
            self.dispute = None
            self.idle_turns = 0 if self.discarded_this_turn else self.idle_turns + 1
            someone_is_out = any(self._cards(seat) == 0 for seat in range(self.seats))
            if someone_is_out or self.idle_turns >= 20 * self.seats:  # LK-70, LK-83
                self.idle_turns = 0
                yield from self._hold_election()
                if self.result is None:
                    yield from self._deal(following)
            if self.result is None:
                self.turn = following  # LK-81
        self.phase = "over"

    def _set_up(self) -> Generator[Ask, Answer, None]:
        """LK-4, LK-5."""
        left = list(STARTS[self.seats])
        for seat in range(self.seats):
            area = yield from self._draw("start", dict.fromkeys(left, 1))
            left.remove(area)
            self.nobles[seat] = area
            self.courtiers[area][seat] = 2
        self.turn = self.nobles.index(STARTS[self.seats][0])

    # ---- a turn ----

    def _take_turn(self) -> Generator[Ask, Answer, None]:
        """LK-10…42."""
        assert self.turn is not None
        seat = self.turn
        self.entered = []  # LK-13: the area the turn starts in has not been entered
        self.came_from = None
        self.discarded_this_turn = False
        phase = "turn"
        while True:
            here = self.nobles[seat]
            assert here is not None
            texts = ["end"]
            if phase == "turn":  # LK-35: the first move is free
                texts += [f"move {area}" for area in self._destinations(seat, price=0)]
            else:  # LK-33
                texts += [
                    f"move {area} {card}"
                    for area in self._destinations(seat, price=1)
                    for card in self._payments(seat)
                ]
            if phase != "failed" and self._can_place(seat, here):  # LK-33: not after a roll for moving on
                texts.append("place")
            words = (yield from self._decide(phase, seat, texts)).split()
            if words[0] == "end":
                return
            if words[0] == "place":  # LK-32
                yield from self._place_courtiers(seat, here)
                return
            target = words[1]
            if len(words) == 3:
                success = yield from self._favour_roll(seat, words[2])
                if not success:
                    if self._cards(seat) == 0:  # LK-33: automatically
                        return
                    phase = "failed"
                    continue
            defender = self._other_owner(seat, target)  # LK-6: judged before the noble enters
            self.came_from = here
            self.nobles[seat] = target
            self.entered.append(target)
            if defender is not None:  # LK-40
                yield from self._hold_dispute(Dispute(self.seats, target, seat, defender))
                return
            phase = "entered"

    def _favour_roll(self, seat: int, card: str) -> Generator[Ask, Answer, bool]:
        """LK-20: the card is spent either way."""
        self.hands[seat][card] -= 1
        self._discard(card, 1)
        die = yield from self._roll("favour")
        return die * VALUES[card] >= 3

    def _discard(self, card: str, count: int) -> None:
        self.discards[card] += count
        if count > 0:
            self.discarded_this_turn = True

    def _place_courtiers(self, seat: int, area: str) -> Generator[Ask, Answer, None]:
        """LK-30: the free courtier, then others by favour rolls until the player says `end`."""
        self._place_one(seat, area)
        while True:
            texts = ["end"]
            if self._can_place(seat, area):
                texts += [f"roll {card}" for card in self._payments(seat)]
            words = (yield from self._decide("placed", seat, texts)).split()
            if words[0] == "end":
                return
            success = yield from self._favour_roll(seat, words[1])
            if success:
                self._place_one(seat, area)

    def _place_one(self, seat: int, area: str) -> None:
        self.supply[seat] -= 1
        self.courtiers[area][seat] += 1

    # ---- disputes ----

    def _hold_dispute(self, dispute: Dispute) -> Generator[Ask, Answer, None]:
        """LK-50…64."""
        self.dispute = dispute
        yield from self._choose_stakes(dispute)
        yield from self._contest(dispute)
        winner = dispute.winner
        assert winner is not None
        if winner != dispute.defender:  # LK-61
            self.supply[dispute.defender] += self.courtiers[dispute.area][dispute.defender]
            self.courtiers[dispute.area][dispute.defender] = 0
            if self.nobles[dispute.defender] == dispute.area:
                yield from self._banish(dispute, dispute.defender)
        if winner != dispute.intruder:  # LK-60, LK-61
            yield from self._banish(dispute, dispute.intruder)
        texts = ["end"]  # LK-63
        if self._can_place(winner, dispute.area):
            texts.append("place")
        text = yield from self._decide("settle", winner, texts)
        if text == "place":
            yield from self._place_courtiers(winner, dispute.area)
        yield from self._take_back(dispute)

    def _choose_stakes(self, dispute: Dispute) -> Generator[Ask, Answer, None]:
        """LK-51: in any order of choosing; a stake is final. Without cards there is none."""
        owing: Ask = {}
        for seat in range(self.seats):
            if self._cards(seat) == 0:
                dispute.staked[seat] = True
            else:
                owing[seat] = dict.fromkeys(self._possible_stakes(seat), 1)
        while owing:
            self.phase = "stake"
            seat, text = yield dict(owing)
            for card in text.split()[1:]:
                self.hands[seat][card] -= 1
                dispute.stakes[seat][card] += 1
            dispute.staked[seat] = True
            del owing[seat]

    def _possible_stakes(self, seat: int) -> list[str]:
        """LK-51: one to five cards of any values."""
        hand = self.hands[seat]
        texts = []
        for ones, twos, threes in product(range(6), repeat=3):
            held = ones <= hand["x1"] and twos <= hand["x2"] and threes <= hand["x3"]
            if held and 1 <= ones + twos + threes <= 5:
                texts.append(" ".join(["stake", *listed({"x1": ones, "x2": twos, "x3": threes})]))
        return texts

    def _contest(self, dispute: Dispute) -> Generator[Ask, Answer, None]:
        """LK-52…54: everybody rolls; while the highest total is shared, those who share it roll again."""
        rolling = self._clockwise(dispute.intruder)
        while len(rolling) > 1:
            for seat in rolling:
                points = yield from self._roll_stake(dispute, seat)
                dispute.totals[seat] = points + self._additions(dispute, seat)
            totals = [total for total in dispute.totals if total is not None]
            rolling = [seat for seat in self._clockwise(dispute.intruder) if totals[seat] == max(totals)]
        dispute.winner = rolling[0]

    def _additions(self, dispute: Dispute, seat: int) -> int:
        """LK-53."""
        if seat == dispute.intruder:
            return 2
        if seat == dispute.defender:
            noble = 2 if self.nobles[seat] == dispute.area else 0
            return 2 * self.courtiers[dispute.area][seat] + noble
        return 0

    def _roll_stake(self, dispute: Dispute, seat: int) -> Generator[Ask, Answer, int]:
        """LK-52: a die for each staked card, then one die on each card."""
        cards = listed(dispute.stakes[seat])
        dispute.dice[seat] = []
        for _ in cards:
            die = yield from self._roll("contest")
            dispute.dice[seat].append(die)
        if not cards:
            return 0
        placings = possible_placings(cards, dispute.dice[seat])
        if self.dice_by_hand:
            text = yield from self._decide("dice", seat, placings)
            return placings[text]
        return max(placings.values())

    def _banish(self, dispute: Dispute, owner: int) -> Generator[Ask, Answer, None]:
        """LK-62."""
        areas = [area for area in VOTES if area != dispute.area and self.courtiers[area][owner] > 0]
        if not areas:
            assert owner == dispute.intruder
            self.nobles[owner] = self.came_from
            return
        assert dispute.winner is not None
        text = yield from self._decide("banish", dispute.winner, [f"banish {area}" for area in areas])
        self.nobles[owner] = text.split()[1]

    def _take_back(self, dispute: Dispute) -> Generator[Ask, Answer, None]:
        """LK-64: for each 1 of the last roll a card, the lowest first; what remains is discarded."""
        for seat in self._clockwise(dispute.intruder):
            staked = listed(dispute.stakes[seat])
            ones = dispute.dice[seat].count(1)
            if len(staked) < 2 or ones == 0:
                continue
            text = yield from self._decide("reclaim", seat, [f"reclaim {count}" for count in range(ones + 1)])
            for card in staked[: int(text.split()[1])]:
                dispute.stakes[seat][card] -= 1
                self.hands[seat][card] += 1
        for stake in dispute.stakes:
            for card in stake:
                self._discard(card, stake[card])
                stake[card] = 0

    # ---- elections ----

    def _hold_election(self) -> Generator[Ask, Answer, None]:
        """LK-71…78: either somebody is elected, or bonus votes are given."""
        self.elections += 1
        everyone = list(range(self.seats))
        election = Election([self._area_votes(seat) for seat in everyone], self.bonus)
        self.election = election
        enough = [seat for seat in everyone if election.total[seat] >= NEEDED[self.seats]]
        if not enough:  # LK-76
            order = yield from self._rank(everyone, election.area)
            for place, seat in enumerate(order):
                self.bonus[seat] += self.seats - place
            self.election = None
            return
        winner = yield from self._pick_winner(enough, election)
        others = [seat for seat in everyone if seat != winner]
        order = [winner, *(yield from self._rank(others, election.total))]  # LK-78
        ranks = tuple(order.index(seat) + 1 for seat in everyone)
        self.result = (ranks, tuple(election.total), "elected")

    def _area_votes(self, seat: int) -> int:
        """LK-71, LK-72."""
        votes = sum(VOTES[area] for area in self._own_areas(seat))
        return votes if self._cards(seat) > 0 else votes - votes // 3

    def _pick_winner(self, enough: list[int], election: Election) -> Generator[Ask, Answer, int]:
        """LK-75: most area votes, most total votes, most cards, highest dice. Only first place matters."""
        best = max((election.area[seat], election.total[seat], self._cards(seat)) for seat in enough)
        tied = [
            seat for seat in enough if (election.area[seat], election.total[seat], self._cards(seat)) == best
        ]
        while len(tied) > 1:
            sums = yield from self._roll_sums(tied)
            tied = [seat for seat in tied if sums[seat] == max(sums.values())]
        return tied[0]

    def _rank(self, seats: list[int], votes: list[int]) -> Generator[Ask, Answer, list[int]]:
        """LK-77: by votes, then by cards, then by dice, one group of equals after the other from the best."""
        order: list[int] = []
        for standing in sorted({(votes[seat], self._cards(seat)) for seat in seats}, reverse=True):
            equals = [seat for seat in seats if (votes[seat], self._cards(seat)) == standing]
            order += yield from self._rank_by_dice(equals)
        return order

    def _rank_by_dice(self, equals: list[int]) -> Generator[Ask, Answer, list[int]]:
        if len(equals) == 1:
            return equals
        sums = yield from self._roll_sums(equals)
        order: list[int] = []
        for points in sorted(set(sums.values()), reverse=True):
            order += yield from self._rank_by_dice([seat for seat in equals if sums[seat] == points])
        return order

    def _roll_sums(self, seats: list[int]) -> Generator[Ask, Answer, dict[int, int]]:
        """LK-77: five dice each, by ascending seat."""
        assert self.election is not None
        sums = self.election.sums = [[] for _ in range(self.seats)]
        for seat in sorted(seats):
            for _ in range(5):
                die = yield from self._roll("tie")
                sums[seat].append(die)
        return {seat: sum(sums[seat]) for seat in seats}

    def _deal(self, first: int) -> Generator[Ask, Answer, None]:
        """LK-80, LK-82: one card at a time, equally many to each, at most 15."""
        each = min(15, sum(self.discards.values()) // self.seats)
        for _ in range(each):
            for seat in self._clockwise(first):
                odds = {card: count for card, count in self.discards.items() if count > 0}
                card = yield from self._draw("deal", odds)
                self.discards[card] -= 1
                self.hands[seat][card] += 1


def possible_placings(cards: list[str], dice: list[int]) -> dict[str, int]:
    """LK-52: every different placing of the dice on the cards, and what it counts."""
    placings: dict[str, int] = {}
    for order in set(permutations(dice)):
        pairs = sorted(zip(cards, order, strict=True), key=lambda pair: (-VALUES[pair[0]], pair[1]))
        text = " ".join(["dice", *(f"{die}>{card}" for card, die in pairs)])
        placings[text] = sum(die * VALUES[card] for card, die in pairs)
    return placings

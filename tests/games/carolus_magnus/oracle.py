"""Carolus Magnus once more, slow and obvious: the second witness for the compiled rules.

Written from the clauses CM-1…64 with plain lists, dicts and texts. Everything is public: there is one view.

End reasons: `castles` (CM-60), `regions` (CM-61), `standstill` and `rounds` (CM-64; `standstill` if both).

Phases: `province`, `emperor`, `dice`, `first` (chance is due); `disc`, `knight`, `move`, `take` (a seat
decides); `over`.

`snapshot()` has these keys; colours are texts, and a count per colour always names all five:
    seats      number of seats
    options    {"partners": …, "confer": …} with 4 seats, else {}
    sides      side of each seat: 0 black, 1 white, 2 grey
    round      1, 2, …; 0 during the set-up
    phase      one of the phases above
    seat       the seat that decides, or for which dice are rolled; None when there is none
    places     by lowest province: {"place": lowest province, "provinces": ascending, "knights": per colour,
               "side": owner of the castles or None, "castles": how many}
    emperor    lowest province of the emperor's place; None before CM-4
    supply     knights per colour in the common supply (40 each before the first draw of CM-3)
    reserves   per seat: knights per colour
    courts     per seat: knights per colour
    control    per colour: the controlling seat or None
    discs      per seat: unused discs, ascending. In a game that is over those laid last were not taken back
    laid       [seat, number] of this round, in the order laid
    choosing   seats in the order in which they choose discs this round; [] during the set-up
    acting     seats in the order in which they act this round; [] until all discs are laid
    to_bring   knights the acting seat still has to bring into play now
    brought    knights brought into play this round by all seats
    dice       faces of the roll under way, in the order of FACES; [] once the coloured dice are served
    dice_due   dice of that roll still to be rolled
    crowns     free choices still due, crowns and replaced dice (CM-42) together
    stock      per side: castles not on the table
    castles    per side: castles on the table
    outcome    None, or {"ranks": …, "points": …, "reason": …}
"""

from collections import Counter

CHANCE = 7  # the seat that rolls and deals

COLOURS = ("red", "purple", "blue", "yellow", "green")
FACES = (*COLOURS, "crown")
PROVINCES = 15
KNIGHTS = 40  # CM-2: of each colour
SPREAD = 3  # CM-3: of each colour over the provinces
LAST_ROUND = 100  # CM-64
TEAMS = {"02-13": (0, 1, 0, 1), "01-23": (0, 0, 1, 1), "03-12": (0, 1, 1, 0)}  # CM-8: side of each seat


class Place:
    """A province, or a region of several: one step for the emperor (CM-30)."""

    def __init__(self, province: int) -> None:
        self.provinces: list[int] = [province]
        self.knights: Counter[str] = Counter()
        self.side: int | None = None  # whose castles stand here
        self.castles = 0

    def name(self) -> int:
        """The lowest province, also when the region runs past 15."""
        return min(self.provinces)


class Oracle:
    """One match of Carolus Magnus, played text by text."""

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        """CM-1…9: the material; everything random is left to CHANCE."""
        if seats not in (2, 3, 4):
            raise ValueError(f"Carolus Magnus has 2, 3 or 4 seats, not {seats}")
        if seats < 4 and options:
            raise ValueError(f"options {sorted(options)} need 4 seats (CM-8, CM-9)")
        choices = {"partners": list(TEAMS), "confer": ["true", "false"]}
        for name, value in options.items():
            if name not in choices or value not in choices[name]:
                raise ValueError(f"unknown option {name}={value}")

        self.seats = seats
        self.options: dict[str, str] = {}
        self.sides: tuple[int, ...] = tuple(range(seats))
        if seats == 4:
            self.options = {"partners": "02-13", "confer": "false"} | options
            self.sides = TEAMS[self.options["partners"]]
        self.castles_per_side = 8 if seats == 3 else 10  # CM-5
        self.reserve_size = 9 if seats == 3 else 7  # CM-7
        self.share = 4 if seats == 3 else 3  # CM-20, CM-40: knights in, dice rolled

        self.ring = [Place(number) for number in range(1, PROVINCES + 1)]  # clockwise
        self.emperor: int | None = None  # some province of the place it stands on
        self.supply = Counter(dict.fromkeys(COLOURS, KNIGHTS))
        self.reserves: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.courts: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.control: dict[str, int | None] = dict.fromkeys(COLOURS)
        self.discs = [[1, 2, 3, 4, 5] for _ in range(seats)]

        self.phase = "province"
        self.round = 0
        self.seat: int | None = None
        self.laid: list[tuple[int, int]] = []
        self.choosing: list[int] = []
        self.acting: list[int] = []
        self.to_bring = 0
        self.brought = 0
        self.dice: list[str] = []
        self.dice_due = 0
        self.crowns = 0
        self.result: tuple[tuple[int, ...], tuple[int, ...], str] | None = None

    # What may happen now

    def actors(self) -> tuple[int, ...]:
        if self.phase == "over":
            return ()
        if self.phase in ("province", "emperor", "dice", "first"):
            return (CHANCE,)
        return (self.decider(),)

    def actions(self, seat: int) -> list[str]:
        if seat not in self.actors():
            return []
        if seat == CHANCE:
            return sorted(self.odds())
        if self.phase == "disc":
            return sorted(f"disc {number}" for number in self.discs_allowed(seat))
        if self.phase == "knight":  # CM-20
            targets = ["court"] + [str(place.name()) for place in self.ring]
            colours = [colour for colour in COLOURS if self.reserves[seat][colour] > 0]
            return sorted(f"{colour}>{target}" for colour in colours for target in targets)
        if self.phase == "move":  # CM-30: never more than once round
            furthest = min(dict(self.laid)[seat], len(self.ring))
            return sorted(f"move {steps}" for steps in range(1, furthest + 1))
        return sorted(f"take {colour}" for colour in self.colours_available())

    def odds(self) -> dict[str, int]:
        if self.phase == "province":  # CM-3: drawn without replacement
            lying = Counter(colour for place in self.ring for colour in place.knights.elements())
            return {colour: SPREAD - lying[colour] for colour in COLOURS if lying[colour] < SPREAD}
        if self.phase == "emperor":  # CM-4
            return {f"province {number}": 1 for number in range(1, PROVINCES + 1)}
        if self.phase == "dice":  # CM-7: one face per colour and a crown
            return dict.fromkeys(FACES, 1)
        if self.phase == "first":  # CM-10
            return {f"seat {seat}": 1 for seat in range(self.seats)}
        return {}

    def discs_allowed(self, seat: int) -> list[int]:
        """CM-12: no number laid this round, unless only such numbers are left."""
        taken = [number for _, number in self.laid]
        fresh = [number for number in self.discs[seat] if number not in taken]
        return fresh or list(self.discs[seat])

    def colours_available(self) -> list[str]:
        """CM-41: in the supply, or in every court so that it can be refilled."""
        return [colour for colour in COLOURS if self.supply[colour] > 0 or self.fewest_in_courts(colour) > 0]

    def fewest_in_courts(self, colour: str) -> int:
        return min(court[colour] for court in self.courts)

    def decider(self) -> int:
        assert self.seat is not None
        return self.seat

    def emperors_place(self) -> Place:
        """CM-54: the emperor stays in the region its province merged into."""
        return self.place_of(self.emperor)

    def place_of(self, province: int | None) -> Place:
        return next(place for place in self.ring if province in place.provinces)

    # What happens

    def play(self, seat: int, text: str) -> None:
        if self.phase == "province":
            self.spread_knight(text)
        elif self.phase == "emperor":
            self.emperor = int(text.removeprefix("province "))
            self.begin_roll(0, self.reserve_size)
        elif self.phase == "dice":
            self.roll_die(text)
        elif self.phase == "first":
            first = int(text.removeprefix("seat "))  # CM-10: then clockwise
            self.begin_round([(first + step) % self.seats for step in range(self.seats)])
        elif self.phase == "disc":
            self.lay_disc(seat, int(text.removeprefix("disc ")))
        elif self.phase == "knight":
            colour, target = text.split(">")
            self.bring_knight(seat, colour, target)
        elif self.phase == "move":
            self.move_emperor(int(text.removeprefix("move ")))
        elif self.phase == "take":
            self.crowns -= 1
            self.take_knight(seat, text.removeprefix("take "))
            self.next_crown()

    def spread_knight(self, colour: str) -> None:
        """CM-3: provinces 1…15 in turn get one knight."""
        empty = next(place for place in self.ring if not place.knights)
        empty.knights[colour] += 1
        self.supply[colour] -= 1
        if empty is self.ring[-1]:
            self.phase = "emperor"

    # Rolling: the starting reserve (CM-7) and the end of every action (CM-40)

    def begin_roll(self, seat: int, dice: int) -> None:
        self.seat = seat
        self.phase = "dice"
        self.dice_due = dice

    def roll_die(self, face: str) -> None:
        """CM-40: when all dice lie, the coloured ones are served first."""
        self.dice.append(face)
        self.dice_due -= 1
        if self.dice_due > 0:
            return
        self.crowns = self.dice.count("crown")
        for colour in self.dice:
            if colour != "crown" and not self.take_knight(self.decider(), colour):
                self.crowns += 1  # CM-42: counts as a crown
        self.dice = []
        self.next_crown()

    def take_knight(self, seat: int, colour: str) -> bool:
        """CM-41: from the supply; an empty one is first refilled equally from all courts."""
        if self.supply[colour] == 0:
            fewest = self.fewest_in_courts(colour)
            for court in self.courts:
                court[colour] -= fewest
                self.supply[colour] += fewest
        if self.supply[colour] == 0:
            return False
        self.supply[colour] -= 1
        self.reserves[seat][colour] += 1
        return True

    def next_crown(self) -> None:
        """CM-40, CM-42: choices one by one; none while no colour is available."""
        if self.crowns > 0 and self.colours_available():
            self.phase = "take"
            return
        self.crowns = 0
        if self.round > 0:
            self.next_player()
        elif self.decider() + 1 < self.seats:  # CM-7: the next seat's starting reserve
            self.begin_roll(self.decider() + 1, self.reserve_size)
        else:
            self.seat = None
            self.phase = "first"

    # Rounds

    def begin_round(self, choosing: list[int]) -> None:
        self.round += 1
        self.brought = 0
        self.laid = []
        self.choosing = choosing
        self.acting = []
        self.phase = "disc"
        self.seat = choosing[0]

    def lay_disc(self, seat: int, number: int) -> None:
        """CM-10, CM-14: when all have laid, the lowest acts first; of equals the one laid first."""
        self.discs[seat].remove(number)
        self.laid.append((seat, number))
        if len(self.laid) < self.seats:
            self.seat = self.choosing[len(self.laid)]
            return
        by_number = sorted(self.laid, key=lambda disc: disc[1])  # a stable sort
        self.acting = [who for who, _ in by_number]
        self.begin_action(self.acting[0])

    def begin_action(self, seat: int) -> None:
        """CM-20: 3 (4) knights, or all of a smaller reserve; with none the emperor moves at once."""
        self.seat = seat
        self.to_bring = min(self.share, self.reserves[seat].total())
        self.phase = "knight" if self.to_bring > 0 else "move"

    def next_player(self) -> None:
        """CM-14: the next in order acts, or the round is over."""
        index = self.acting.index(self.decider()) + 1
        if index < self.seats:
            self.begin_action(self.acting[index])
            return
        if self.brought == 0:  # CM-64
            self.finish("standstill")
        elif self.round == LAST_ROUND:
            self.finish("rounds")
        else:
            if self.round % 5 == 0:  # CM-13
                self.discs = [[1, 2, 3, 4, 5] for _ in range(self.seats)]
            self.begin_round(self.acting)  # CM-11

    # A player's action

    def bring_knight(self, seat: int, colour: str, target: str) -> None:
        """CM-20, CM-45…47: into the own court, perhaps taking control, or into a place."""
        self.reserves[seat][colour] -= 1
        if target == "court":
            self.courts[seat][colour] += 1
            holder = self.control[colour]
            if holder is None or self.courts[seat][colour] > self.courts[holder][colour]:
                self.control[colour] = seat
        else:
            self.place_of(int(target)).knights[colour] += 1
        self.brought += 1
        self.to_bring -= 1
        if self.to_bring == 0:
            self.phase = "move"

    def move_emperor(self, steps: int) -> None:
        """CM-30, CM-31: the emperor stops, the place is counted, then dice unless the game is over."""
        start = self.ring.index(self.emperors_place())
        stop = self.ring[(start + steps) % len(self.ring)]
        self.emperor = stop.name()
        self.count_place(stop)
        if self.result is None:
            self.begin_roll(self.decider(), self.share)  # CM-40

    # Castles and regions

    def strength(self, place: Place, side: int) -> int:
        """CM-50: knights of the colours the side controls, and its castles."""
        total = place.castles if place.side == side else 0
        for colour, holder in self.control.items():
            if holder is not None and self.sides[holder] == side:
                total += place.knights[colour]
        return total

    def count_place(self, place: Place) -> None:
        """CM-51…56, CM-60, CM-61: castles, last castle, merge, too few places, in this order."""
        all_sides = sorted(set(self.sides))
        strengths = {side: self.strength(place, side) for side in all_sides}
        strongest = [side for side in all_sides if strengths[side] == max(strengths.values())]
        if len(strongest) > 1:  # CM-51; all at 0 is equality too
            return
        winner = strongest[0]
        if place.side == winner:  # CM-52: never a second castle
            return
        wanted = 1 if place.side is None else place.castles  # CM-52, CM-53
        stock = self.castles_per_side - self.castles_on_table(winner)
        place.side = winner
        place.castles = min(wanted, stock)  # CM-56
        if self.castles_on_table(winner) == self.castles_per_side:
            self.finish("castles", winner)
            return
        self.merge(place)
        if len(self.ring) < 4:
            self.finish("regions")

    def merge(self, place: Place) -> None:
        """CM-54: neighbours on either side with castles of the same side join the place."""
        index = self.ring.index(place)
        for neighbour in (self.ring[index - 1], self.ring[(index + 1) % len(self.ring)]):
            if neighbour.side == place.side:
                place.provinces += neighbour.provinces
                place.knights += neighbour.knights
                place.castles += neighbour.castles
                self.ring = [other for other in self.ring if other is not neighbour]

    def castles_on_table(self, side: int) -> int:
        return sum(place.castles for place in self.ring if place.side == side)

    # The end

    def finish(self, reason: str, winner: int | None = None) -> None:
        """CM-60…63: most castles, then most colours controlled; equals and partners share a rank."""
        standing: dict[int, tuple[bool, int, int]] = {}
        for side in set(self.sides):
            colours = [holder for holder in self.control.values() if holder is not None]
            controlled = sum(self.sides[holder] == side for holder in colours)
            standing[side] = (side == winner, self.castles_on_table(side), controlled)
        ranks = tuple(1 + sum(other > standing[side] for other in standing.values()) for side in self.sides)
        points = tuple(self.castles_on_table(side) for side in self.sides)
        self.result = (ranks, points, reason)
        self.phase = "over"
        self.seat = None

    def outcome(self) -> tuple[tuple[int, ...], tuple[int, ...], str] | None:
        return self.result

    def snapshot(self) -> dict[str, object]:
        """Everything true now; the keys are listed at the top of this module."""

        def per_colour(knights: Counter[str]) -> dict[str, int]:
            return {colour: knights[colour] for colour in COLOURS}

        castles = [self.castles_on_table(side) for side in sorted(set(self.sides))]
        outcome: dict[str, object] | None = None
        if self.result is not None:
            ranks, points, reason = self.result
            outcome = {"ranks": list(ranks), "points": list(points), "reason": reason}
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "sides": list(self.sides),
            "round": self.round,
            "phase": self.phase,
            "seat": self.seat,
            "places": [
                {
                    "place": place.name(),
                    "provinces": sorted(place.provinces),
                    "knights": per_colour(place.knights),
                    "side": place.side,
                    "castles": place.castles,
                }
                for place in sorted(self.ring, key=Place.name)
            ],
            "emperor": None if self.emperor is None else self.emperors_place().name(),
            "supply": per_colour(self.supply),
            "reserves": [per_colour(reserve) for reserve in self.reserves],
            "courts": [per_colour(court) for court in self.courts],
            "control": dict(self.control),
            "discs": [sorted(discs) for discs in self.discs],
            "laid": [list(disc) for disc in self.laid],
            "choosing": list(self.choosing),
            "acting": list(self.acting),
            "to_bring": self.to_bring,
            "brought": self.brought,
            "dice": sorted(self.dice, key=FACES.index),
            "dice_due": self.dice_due,
            "crowns": self.crowns,
            "stock": [self.castles_per_side - count for count in castles],
            "castles": castles,
            "outcome": outcome,
        }

"""The Rose King once more, slow and obvious: the second witness for the engine's rules.

Written from the clauses RK-1 to RK-63 and the rulebook, with nothing imported from the package.
Red is seat 0, white is seat 1. A cell is a text such as `e5`, a card a text such as `NE2`.

Actions: `NE2` plays the card, `NE2*` plays it with a hero, `draw` draws. Chance outcomes: a card.

End reasons
    stones      RK-50: the 52nd stone was laid
    blocked     RK-51: neither player can act

Keys of `snapshot()`
    phase       "deal" (chance deals the ten cards), "turn", "draw" (chance gives the card), "over"
    turn        the seat whose turn it is, in "deal" the seat that gets the next card; None when over
    crown       the cell of the crown
    stones      {cell: seat whose colour is up}, cells ascending; empty cells are left out
    supply      stones not yet on the board: 0..52
    hands       [red's cards, white's cards], each ascending as text
    heroes      [red's, white's] hero cards left: 0..4
    pile        the cards of the draw pile, ascending as text (their order is nobody's knowledge)
    discards    the cards of the discard pile, ascending as text
    reason      the end reason; None while the game goes on
"""

CHANCE = 7

COLUMNS = "abcdefghi"  # RK-1: west to east
ROWS = "123456789"  # RK-1: south to north
# RK-3: direction -> (columns eastward, rows northward), the same for both players
DIRECTIONS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
CARDS = [direction + str(distance) for direction in DIRECTIONS for distance in (1, 2, 3)]  # RK-3: 24
HAND_LIMIT = 5  # RK-6, RK-30


def move(cell: str, east: int, north: int) -> str | None:
    """The cell so many columns and rows away; None beyond the edge (RK-21)."""
    column = COLUMNS.index(cell[0]) + east
    row = ROWS.index(cell[1]) + north
    if column not in range(9) or row not in range(9):
        return None
    return COLUMNS[column] + ROWS[row]


def target(crown: str, card: str) -> str | None:
    """RK-20, RK-23: exactly the card's distance, whatever lies in between."""
    east, north = DIRECTIONS[card[:-1]]
    distance = int(card[-1])
    return move(crown, east * distance, north * distance)


def regions(cells: set[str]) -> list[int]:
    """RK-60: the sizes of the groups joined by sides."""
    sizes = []
    left = set(cells)
    while left:
        found = [left.pop()]
        for cell in found:  # grows while it is walked
            for east, north in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                neighbour = move(cell, east, north)
                if neighbour in left:
                    left.remove(neighbour)
                    found.append(neighbour)
        sizes.append(len(found))
    return sizes


class Oracle:
    """One game. Rules change it in `play`; everything else only looks."""

    def __init__(self, seats: int, options: dict[str, str]) -> None:
        """RK-1 to RK-6: the set-up, up to the cards that chance deals."""
        if seats != 2 or options:
            raise ValueError("The Rose King has two seats and no options")
        self.crown = "e5"  # RK-2
        self.stones: dict[str, int] = {}
        self.supply = 52  # RK-4
        self.hands: list[list[str]] = [[], []]
        self.heroes = [4, 4]  # RK-5
        self.pile = list(CARDS)
        self.discards: list[str] = []
        self.phase = "deal"
        self.turn = 0  # red gets the first card and has the first turn
        self.reason: str | None = None

    def actors(self) -> tuple[int, ...]:
        """Who owes a decision."""
        if self.phase == "over":
            return ()
        if self.phase in ("deal", "draw"):
            return (CHANCE,)
        return (self.turn,)

    def actions(self, seat: int) -> list[str]:
        """Every legal text for a seat, or the cards that chance may give; none where nothing is owed."""
        if seat not in self.actors():
            return []
        if seat == CHANCE:
            return sorted(self.pile)
        return sorted(self.possible(seat))

    def possible(self, seat: int) -> list[str]:
        """RK-10: what a seat could do if it were its turn."""
        texts = []
        for card in self.hands[seat]:  # RK-25
            cell = target(self.crown, card)
            if cell is None:  # RK-21
                continue
            if cell not in self.stones:  # RK-22
                texts.append(card)
            elif self.stones[cell] != seat and self.heroes[seat] > 0:  # RK-40, RK-41
                texts.append(card + "*")
        if len(self.hands[seat]) < HAND_LIMIT:  # RK-30; RK-32 keeps the pile from ever being empty
            texts.append("draw")
        return texts

    def odds(self) -> dict[str, int]:
        """Every card of the pile is there once."""
        if self.actors() != (CHANCE,):
            return {}
        return dict.fromkeys(sorted(self.pile), 1)

    def play(self, seat: int, text: str) -> None:
        """Do what a legal text says."""
        if self.phase == "deal":
            self.deal(text)
        elif self.phase == "draw":
            self.take(text)
        elif text == "draw":
            self.phase = "draw"
        else:
            self.move_crown(seat, text)

    def deal(self, card: str) -> None:
        """RK-6: red and white in turn, red first, until both have five."""
        self.pile.remove(card)
        self.hands[self.turn].append(card)
        self.turn = 1 - self.turn
        if len(self.hands[0]) == HAND_LIMIT and len(self.hands[1]) == HAND_LIMIT:
            self.phase = "turn"  # ten cards: it is red's turn again

    def take(self, card: str) -> None:
        """RK-31, RK-32: the card joins the hand; an empty pile is renewed at once."""
        self.pile.remove(card)
        self.hands[self.turn].append(card)
        if not self.pile:
            self.pile, self.discards = self.discards, []
        self.phase = "turn"
        self.pass_turn()

    def move_crown(self, seat: int, text: str) -> None:
        """RK-24, RK-40, RK-42: move the crown, lay or flip a stone, discard the card."""
        card = text.removesuffix("*")
        cell = target(self.crown, card)
        assert cell is not None
        if text.endswith("*"):
            self.heroes[seat] -= 1
        else:
            self.supply -= 1
        self.stones[cell] = seat
        self.crown = cell
        self.hands[seat].remove(card)
        self.discards.append(card)
        if self.supply == 0:
            self.end("stones")  # RK-50
        else:
            self.pass_turn()

    def pass_turn(self) -> None:
        """RK-11: to the opponent, if they can act; else the same player goes on. RK-51: else it is over."""
        if self.possible(1 - self.turn):
            self.turn = 1 - self.turn
        elif not self.possible(self.turn):
            self.end("blocked")

    def end(self, reason: str) -> None:
        """No more decisions."""
        self.phase = "over"
        self.reason = reason

    def outcome(self) -> tuple[tuple[int, ...], tuple[int, ...], str] | None:
        """RK-61 to RK-63: ranks, scores and why it ended."""
        if self.reason is None:
            return None
        merits = []
        for seat in (0, 1):
            sizes = regions({cell for cell, owner in self.stones.items() if owner == seat})
            score = sum(size * size for size in sizes)
            merits.append((score, max(sizes, default=0), sum(sizes)))  # RK-62: compared in this order
        red, white = merits
        ranks = (1 if red >= white else 2, 1 if white >= red else 2)
        return ranks, (red[0], white[0]), self.reason

    def snapshot(self) -> dict[str, object]:
        """Everything true now; the keys are listed at the top of this file."""
        return {
            "phase": self.phase,
            "turn": None if self.phase == "over" else self.turn,
            "crown": self.crown,
            "stones": dict(sorted(self.stones.items())),
            "supply": self.supply,
            "hands": [sorted(hand) for hand in self.hands],
            "heroes": list(self.heroes),
            "pile": sorted(self.pile),
            "discards": sorted(self.discards),
            "reason": self.reason,
        }

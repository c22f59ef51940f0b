"""The contract of a game in words. Read this before a game's folder; core/contract.py has the same as types.

A game is a plain state, eight small rules that change it, and a text for every action. Its folder holds

    __init__.py    GAME = Game(...), the only name others import; it is found by its folder (core/registry.py)
    components.py  what is in the box, and how steps are numbered
    state.py       State, one field per line, with its audience; Phase and Reason
    rules.py       the eight rules, compiled with `kernel`; chapters of a long game stand beside it
    notation.py    text <-> steps, text <-> chance outcomes
    position.py    state <-> position, and what a view adds to it
    check.py       refuses positions that no match could reach
    view.py        Position and Derived: what a view holds, a commented field per line
    effects.py     what a step did; optional
    explain.py     which clause refuses a step
    encode.py      what a seat sees as numbers, for those who learn; optional
    toys.py        tiny endgames with known values; optional
    hand.py        whose roll it is, where people use the dice and cards of the box; optional
    clauses.md     the law

Steps
    A step is the smallest decision, an id below 256. Draws and rolls are steps too, of the seat CHANCE: one die or
    one card each. Player steps and chance outcomes may share ids, since the seat tells them apart.

Actions
    What a player decides and everyone reads: one or more steps from rest to rest. A state is at rest unless its
    phase is one of `INNER`. Rules offer each distinct effect by exactly one path of steps.

state.py declares
    State          its fields (core/layout.py). Required fields: `seats` (players at the table), `phase`, `reason`
                   (0 while running), and a field for each option, named like it: the index of the chosen value.
    Phase, Reason  IntEnums. Reason.RUNNING = 0. Their lower-case names are public ("turn", "stones").
    INNER          the phases inside an action (a frozenset, empty for most games)
    DICE           the phases in which chance rolls dice that people could roll at a table (chance="dice")

rules.py: the eight rules. They change or fill their arguments, check nothing and never raise.
    setup(state)               the start; seats and options are already in the state, all else is zero
    actors(state) -> int       a bit per seat that owes a decision, CHANCE_BIT alone when a draw is due, 0 when over.
                               Several bits mean that these seats choose at once: their actions are sealed until all
                               have chosen, then public.
    legal(state, seat, steps) -> int
                               writes the steps the seat may take now, each once, and returns how many. It may depend
                               only on what the seat may see. (A list, not a mask: a playout needs no scan; measured.)
    draws(state) -> int        chance only: how many equally likely draws there are now (cards in the pile, faces)
    outcome(state, draw) -> int  chance only: the outcome of the draw-th of them. So odds are whole numbers, and a
                               playout needs no table of them (measured: 3 ns instead of 47).
    apply(state, seat, step)   does a legal step; the seat is CHANCE for a draw. It always ends in a state whose
                               actors are right: automatic consequences are part of it.
    score(state, points, ranks)  the final reckoning: points per seat, and ranks: 1 + the number of better sides
    redeal(state, seat, rng)   the state comes in with what the seat cannot know blanked to UNKNOWN; fills it with a
                               world the seat could believe, each such world possible (rng: core/rng.py).
                               seat == NO_SEAT is a spectator.
    STEPS, OUTCOMES            how many step ids players and chance have
    Numbers: fields are unsigned bytes. Compiled, the sum or difference of two of them is unsigned too (3 - 5 is huge) and
    unsigned mixed with signed becomes a float. So load with int(…) and begin a difference or a sum with a signed number:
    `0 + int(state.held[0]) - int(state.held[1])`. Plain Python has no such trap, and the contract tests compare both.

notation.py: plain Python on one state, which for a player's text is blanked to what that player may see.
    read(text, state, seat) -> list[int]    an action's steps, any accepted spelling; NotationError if unreadable
    write(steps, state, seat) -> str        the one canonical text
    read_outcome(text, state) -> int        a chance outcome; likewise
    write_outcome(step, state) -> str       a word ("N1"), or letters with a number ("seat 1"); letters alone ("red") only
                                            where no outcome that is a number can follow
    receiver(state) -> int | None           who sees the outcome now due: a seat, or None for everyone; only games with
                                            secrets have it
    order(state) -> list[int]               the order in which a simultaneous choice is told; only where there is one

position.py
    describe(state) -> Position             the whole state as data for people; blanked fields are None
    restore(position, state) -> None        the inverse; NotationError if it is no position that can exist
    derive(state) -> Derived                what views add: scores, regions, previews; never read back

view.py: `msgspec.Struct`s, from which the browser's types are written (scripts/protocol.py). Texts of a closed set are
    Literals. A struct has all its keys; a dict keyed by a closed set may lack some.
    Position       has `reason`, the lower-case name of a Reason
    Derived

effects.py: plain Python; without it records tell their texts alone. `Effect` is a struct of core/effects.py.
    effects(before, seat, step, after) -> list[Effect]
                               what a step did, chance's too: for the log, and for motion on a board. It is asked for
                               each viewer: both states are blanked to what the viewer may see, and the step is UNKNOWN
                               where the viewer may not read it.

hand.py: plain Python; for games that name something in `Game.by_hand`
    roller(state) -> int | None             who rolls or draws the outcome now due: a seat; None: nobody in particular
    held(state, seat) -> Mapping[str, int]  of a secret deal: how many of each outcome the seat could get, as far as it
                                            can know (the state is blanked for it); only games that deal secretly

encode.py: compiled; without it learning code gets the bytes of the state alone (core/encoding.py)
    encode(state, seat, out)                fills a row of numbers from a state blanked for the seat: own things first
    SLICES, VERSION                         what they are, and which encoding it is
    LONGEST                                 a bound for the decisions of a match, chance not counted

toys.py: tiny endgames whose value is known (core/toys.py); optional
    TOYS                                    by name: Toy(seats, write, value)

explain.py
    refuse(state, seat, step) -> str        the clause that refuses a step which is not legal (state blanked likewise)
    out_of_turn(state) -> str               the clause that says whose turn it is
    over(state) -> str                      the clause by which the match ended
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from regalia.core.errors import SetupError

if TYPE_CHECKING:
    from regalia.core.engine import Engine


CHANCE = 7  # the seat that rolls and deals
CHANCE_BIT = 1 << CHANCE


@dataclass(frozen=True)
class Option:
    """Something fixed before the start; the first value is the default."""

    name: str
    values: tuple[str, ...]
    seats: tuple[int, ...] | None = None  # only with these numbers of players; None: always


def everyone_alone(seats: int, _options: Mapping[str, str]) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(seats))


@dataclass(frozen=True)
class Game:
    """A game as a value: facts about it, light to import. Its rules load when `engine` is first used."""

    id: str
    rules: int  # the rules version: changes only when some legal transcript would replay differently
    titles: Mapping[str, str]  # by language
    designer: str
    published: str
    seats: tuple[int, ...]
    package: str  # where its modules are
    options: tuple[Option, ...] = ()
    minutes: int | None = None  # playing time printed on the box
    shelf: int = 100  # its place in lists; equals in the order of ids
    # what people with the box can do by hand: "dice" (roll; the program deals), "manual" (roll, draw and deal)
    by_hand: tuple[str, ...] = ()
    # (seats, options) -> the seats of each side; the seats of one side win and lose together.
    sides: Callable[[int, Mapping[str, str]], tuple[tuple[int, ...], ...]] = everyone_alone
    # (options) -> whether partners may talk where the others do not hear them.
    partners_may_talk: Callable[[Mapping[str, str]], bool] = lambda _options: False

    def __hash__(self) -> int:
        return hash(self.id)

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """For pickle: a game is where its package is."""
        return game_in, (self.package,)

    @cached_property
    def engine(self) -> Engine:
        from regalia.core.engine import Engine

        return Engine(self)

    @property
    def folder(self) -> Path:
        spec = importlib.util.find_spec(self.package)
        assert spec is not None and spec.origin is not None
        return Path(spec.origin).parent

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def part(self, name: str) -> ModuleType | None:
        """What a game may have besides its rules: `bots`, `odds`, `cli.board`; None if it does not."""
        return self.module(name) if self.has_part(name) else None

    def has_part(self, name: str) -> bool:
        """Whether it has such a part, which is not imported for it."""
        full = f"{self.package}.{name}"
        try:
            return importlib.util.find_spec(full) is not None
        except ModuleNotFoundError as error:
            if error.name is None or not full.startswith(f"{error.name}."):
                raise  # the folder is there, but something it needs is not
            return False

    def side(self, seat: int, seats: int, options: Mapping[str, str]) -> tuple[int, ...]:
        """The seat and its partners."""
        return next(side for side in self.sides(seats, options) if seat in side)

    def checked_seats(self, seats: object) -> int:
        if seats is None:
            return self.seats[0]
        if not isinstance(seats, int) or isinstance(seats, bool) or seats not in self.seats:
            raise SetupError(
                "error.seats", game=self.id, seats=seats, allowed=", ".join(map(str, self.seats))
            )
        return seats

    def checked_options(self, seats: int, options: Mapping[str, object] | None) -> dict[str, str]:
        """All options with their values, defaults filled in; only those that exist with this number of seats."""
        left = dict(options or {})
        result = {}
        for option in self.options:
            if option.seats is not None and seats not in option.seats:
                continue
            value = spell(left.pop(option.name, option.values[0]))
            if value not in option.values:
                raise SetupError(
                    "error.option_value", option=option.name, value=value, allowed=", ".join(option.values)
                )
            result[option.name] = value
        if left:
            raise SetupError("error.option", game=self.id, option=next(iter(left)), seats=seats)
        return result


def game_in(package: str) -> Game:
    game: Game = importlib.import_module(package).GAME
    return game


def spell(value: object) -> str:
    """Option values are texts; True and False may be written as such."""
    return str(value).lower() if isinstance(value, bool) else str(value)

"""Match: the one gate through which every action goes. It checks, it raises, and then nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from msgspec import to_builtins

from regalia.core import drawer, gate, registry, transcript
from regalia.core import due as dues
from regalia.core import position as positions
from regalia.core.arrays import States
from regalia.core.chance import SECURE, Chance, Source
from regalia.core.due import Due
from regalia.core.effects import Effect, effects_of
from regalia.core.errors import (
    IllegalAction,
    MatchOver,
    NotationError,
    RegaliaError,
    RuleError,
    SetupError,
    StaleAction,
)
from regalia.core.game import CHANCE, Game
from regalia.core.gate import Draw
from regalia.core.rng import seeded_rng
from regalia.core.transcript import HIDDEN, Header, Record
from regalia.core.viewers import EVERYTHING, SPECTATOR, Sight, Viewer


@dataclass(frozen=True)
class Outcome:
    """How a match ended. ranks[seat] = 1 + the number of better sides; equals and partners share."""

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Undo:
    """An entry of the log: the match went back to this ply."""

    ply: int
    outcomes: int = (
        0  # of chance that were taken back with it: none by a player's right, perhaps some by `back_to`
    )


class Rest(NamedTuple):
    """A ply that the match has passed."""

    states: States
    fixed: int  # the lowest ply to which a player could have gone back then


class Match:
    """A transcript being written.

    `records` is the line of play as it stands; `ply` is their number. `log` has everything that happened, with each
    undo as an entry of its own. A match rests only where a seat owes a decision (or, with chance by hand, where
    chance owes an outcome), never inside an action. A state is never written to once the match has it, so copies and
    earlier plies share theirs.
    """

    def __init__(self, game: Game, states: States, chance: Chance, origin: States | None = None) -> None:
        self.game = game
        self.engine = game.engine
        self.records: list[Record] = [Record(None, "")]
        self.log: list[Record | Undo] = [self.records[0]]
        self._origin = origin  # the position it began from, if it was not the usual start
        self._states = states
        self._chance = chance
        self._due: tuple[int, ...] | None = None  # who owes a decision, once asked
        self._earlier: list[Rest] = []  # the plies before this one
        self._fixed = 1  # the lowest ply to which the seat that acted last may go back
        # What was told of a record to a viewer. Copies share it: an entry counts for the very record it was made for.
        self._effects: dict[tuple[int, Viewer], tuple[Record, tuple[Effect, ...]]] = {}
        self._draw_until_decision()

    # --- Beginnings ---

    @classmethod
    def new(
        cls,
        game: Game | str,
        seats: int | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
        chance: Chance | Source | str | None = None,
    ) -> Match:
        """A match at its first decision. Dice are secure unless a seed makes them reproducible.

        chance: "manual" (every outcome is played), "dice" (dice are played, cards are dealt), a source of draws, or a
        `Chance` that says both.
        """
        game = cls.find(game)
        players = game.checked_seats(seats)
        header = Header(game.id, game.rules, players, game.checked_options(players, options))
        return cls._begin(game, header, Chance.of(seed, chance))

    @classmethod
    def begin(cls, header: Header, chance: Chance | Source | str | None = None) -> Match:
        """The match of a header at its start: what `replay` appends the records of a text to."""
        return cls._begin(cls.find(header.game), header, Chance.of(None, chance))

    @classmethod
    def _begin(cls, game: Game, header: Header, chance: Chance) -> Match:
        if header.rules != game.rules:
            raise NotationError("error.rules_version", game=game.id, rules=header.rules, known=game.rules)
        players = game.checked_seats(header.seats)
        options = game.checked_options(players, header.options)
        if header.start is None:
            return cls(game, game.engine.start(players, options), chance)
        states = positions.read_state(game.engine, players, options, header.start)
        return cls(game, states, chance, origin=states)

    @staticmethod
    def find(game: Game | str) -> Game:
        return game if isinstance(game, Game) else registry.find(game)

    @classmethod
    def from_position(
        cls,
        game: Game | str,
        position: Mapping[str, Any] | str,
        seed: int | None = None,
        chance: Chance | Source | str | None = None,
    ) -> Match:
        """A match that begins at a position, as `position()` or `position_text()` gives it."""
        game = cls.find(game)
        return cls._begin(game, positions.read_header(game, position), Chance.of(seed, chance))

    @classmethod
    def replay(cls, text: str, seed: int | None = None, chance: Chance | Source | str | None = None) -> Match:
        """The match of a transcript, every record through the same gate; it can be played on."""
        header, lines = transcript.read(text)
        match = cls.begin(header, "manual")
        if dict(header.options) != match.options:
            raise NotationError("error.transcript_header", word="option")
        if not lines:
            raise NotationError("error.transcript_cut")
        for number, record in lines:
            try:
                match.append(record, may_lack_outcomes=number == lines[-1][0])
            except RegaliaError as error:
                raise NotationError("error.transcript_record", line=number, why=str(error)) from error
        match._chance = Chance.of(seed, chance)
        match._draw_until_decision()
        return match

    # --- What is due ---

    @property
    def seats(self) -> int:
        return int(self._states["seats"][0])

    @property
    def options(self) -> dict[str, str]:
        return self.engine.read_options(self._states)

    @property
    def ply(self) -> int:
        return len(self.records)

    @property
    def phase(self) -> str:
        return self.engine.phases[int(self._states["phase"][0])]

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that owe a decision; () when the match is over."""
        if self._due is None:
            self._due = self.engine.actors(self._states)
        return self._due

    @property
    def due(self) -> Due | None:
        """What people who roll or deal by hand are to type next; None while a seat owes a decision."""
        return dues.due(self.engine, self._states)

    def could_get(self, seat: int) -> dict[str, int]:
        """Of a secret deal that is due: how many of each outcome the seat could get, as far as it can know."""
        assert self.engine.held is not None, "a game that deals secretly by hand says what could be dealt"
        return dict(self.engine.held(self.seen(seat)[0], seat))

    def arranged(self, hands: Mapping[int, Sequence[str]]) -> list[str]:
        """The outcomes of a secret deal in its order, from what each seat says it got."""
        return dues.arrange(self.engine, self._states, hands)

    @property
    def is_over(self) -> bool:
        return not self.actors

    @property
    def outcome(self) -> Outcome | None:
        reason = int(self._states["reason"][0])
        if reason == 0:
            return None
        ranks, points = self.engine.score(self._states)
        return Outcome(ranks, points, self.engine.reasons[reason])

    @property
    def source(self) -> Source:
        """What the match draws from. A copy of the match draws from a copy of it."""
        return self._chance.source

    def actions(self, seat: int, prefix: str = "") -> list[str]:
        """The legal actions of a seat as canonical texts; () if it owes none."""
        if seat not in self.actors:
            return []
        if seat == CHANCE:
            odds = self.engine.odds(self._states)
            texts = [
                self.engine.notation.write_outcome(step, self._states[0])
                for step in odds.nonzero()[0].tolist()
            ]
        else:
            seen = self.seen(seat)[0]
            texts = [
                self.engine.notation.write(path, seen, seat) for path in self.engine.paths(self._states, seat)
            ]
        start = " ".join(prefix.split()).casefold()
        return [text for text in texts if text.casefold().startswith(start)]

    def is_legal(self, seat: int, action: str) -> bool:
        """Whether `play` would accept the action now."""
        try:
            text = gate.checked_text(action)
            gate.check_turn(self.engine, self._states, seat, self.actors)
            if seat == CHANCE:
                gate.apply_outcomes(
                    self.engine, self.engine.layout.copy(self._states), transcript.split_outcomes(text)
                )
            else:
                gate.judge(self.engine, self._states, seat, text)
        except RegaliaError:
            return False
        return True

    # --- The gate ---

    def play(self, seat: int, action: str, ply: int | None = None) -> Record:
        """Play an action (for CHANCE: one or several outcomes). `ply` says at which ply the caller decided."""
        text = gate.checked_text(action)
        try:
            if ply is not None and ply != self.ply:
                raise StaleAction("error.stale", ply=ply, now=self.ply)
            gate.check_turn(self.engine, self._states, seat, self.actors)
            if seat == CHANCE:
                states = self.engine.layout.copy(self._states)
                draws = gate.apply_outcomes(self.engine, states, transcript.split_outcomes(text))
                self._keep_draws(states, draws + gate.draw(self.engine, states, self._chance))
            else:
                text, states = gate.judge(self.engine, self._states, seat, text)
                order = self._order_of_telling(states)
                self._keep_action(seat, text, states, gate.draw(self.engine, states, self._chance), order)
        except RuleError as error:
            error.at(seat, self.ply)
            raise
        return self.records[-1]

    def append(self, record: Record, may_lack_outcomes: bool = False) -> Record:
        """An action with its outcomes as they were, through the same gate: nothing is drawn.

        An outcome that is left over is refused, and so is one that is missing, unless the record may end before its
        dice have fallen. A record without a seat is that of the set-up, for a match that was begun with chance
        "manual".
        """
        try:
            if record.seat is None:
                if record.action or self.ply > 1 or self.records[0].outcomes:
                    raise NotationError("error.action", action=record.line(self.ply)[:40])
                text, states, order = "", self.engine.layout.copy(self._states), None
            else:
                text = gate.checked_text(record.action)
                gate.check_turn(self.engine, self._states, record.seat, self.actors)
                text, states = gate.judge(self.engine, self._states, record.seat, text)
                order = self._order_of_telling(states)
            draws = gate.apply_outcomes(self.engine, states, record.outcomes)
            if not may_lack_outcomes and self.engine.actors(states) == (CHANCE,):
                raise NotationError("error.outcome_missing")
        except RuleError as error:
            error.at(record.seat, self.ply)
            raise
        if record.seat is None:
            self._keep_draws(states, draws)
        else:
            self._keep_action(record.seat, text, states, draws, order)
        return self.records[-1]

    def append_outcomes(self, outcomes: Sequence[str]) -> Record:
        """Outcomes behind the last record as they were: nothing is drawn."""
        states = self.engine.layout.copy(self._states)
        self._keep_draws(states, gate.apply_outcomes(self.engine, states, outcomes))
        return self.records[-1]

    def _draw_until_decision(self) -> None:
        states = self.engine.layout.copy(self._states)
        self._keep_draws(states, gate.draw(self.engine, states, self._chance))

    # --- What was accepted ---

    def _keep_action(
        self, seat: int, text: str, states: States, draws: list[Draw], order: list[int | None] | None
    ) -> None:
        last = self.records[-1]
        is_sealed = last.sealed or len(self.actors) > 1
        self._earlier.append(Rest(self._states, self._fixed))
        if is_sealed:
            self._fixed = self.ply + 1
        elif last.seat != seat:
            self._fixed = self.ply
        record = Record(seat, text, sealed=is_sealed)
        self.records.append(record)
        self.log.append(record)
        if order is not None:
            self._unseal(order)
        self._keep_draws(states, draws)

    def _keep_draws(self, states: States, draws: list[Draw]) -> None:
        """The state after them, and the outcomes behind the last record."""
        self._states, self._due = states, None
        if not draws:
            return
        self._fixed = self.ply
        record = self.records[-1].with_outcomes(draws)
        last = self.log[-1]
        assert isinstance(last, Record)
        self.log[-1] = record if last is self.records[-1] else last.with_outcomes(draws)
        self.records[-1] = record

    def _order_of_telling(self, states: States) -> list[int | None] | None:
        """If the action that led to this state ends a choice of several seats at once: the order in which it is told."""
        if len(self.actors) > 1 or not self.records[-1].sealed:
            return None
        assert self.engine.order is not None, "a game in which several choose at once tells their order"
        return [*self.engine.order(states[0])]

    def _unseal(self, order: list[int | None]) -> None:
        """All have chosen at once: their records are told in the order of the rules, not of arrival."""
        start = self.ply
        while self.records[start - 1].sealed:
            start -= 1
        ordered = sorted(self.records[start:], key=lambda record: order.index(record.seat))
        self.records[start:] = [replace(record, sealed=False) for record in ordered]
        if start < self.ply - len(self._earlier):  # redealt while they chose: what was before is not known
            self._earlier.clear()
            return
        # The plies in between, as if the actions had arrived in this order.
        states = self._earlier[start - self.ply].states
        for ply, record in enumerate(ordered[:-1], start + 1):
            assert record.seat is not None
            _, states = gate.judge(self.engine, states, record.seat, record.action)
            self._earlier[ply - self.ply] = Rest(states, ply)

    # --- Going back ---

    def can_undo(self, seat: int) -> bool:
        """Whether no chance outcome and no other seat's action came after the seat's last action."""
        return self._fixed < self.ply and self.records[-1].seat == seat

    def undo(self, seat: int) -> Undo:
        """Take back the seat's last action: a player's right, while `can_undo`."""
        if not self.can_undo(seat):
            if self.is_over and self._fixed == self.ply:
                raise MatchOver("error.over", self.engine.explain.over(self._states[0])).at(seat, self.ply)
            raise IllegalAction("error.undo", None, seat=seat).at(seat, self.ply)
        return self.back_to(self.ply - 1)

    def back_to(self, ply: int) -> Undo:
        """Take back everything after a ply, of all seats: for analysts. The source of draws is not set back."""
        then = self.at(ply)
        entry = Undo(ply, sum(len(record.outcomes) for record in self.records[ply:]))
        self.records[:], self._earlier = then.records, then._earlier
        self._states, self._due = then._states, None
        self._fixed = min(self._fixed, ply)
        self.log.append(entry)
        return entry

    def reopen(self, ply: int, outcomes: int) -> None:
        """Go back into a record: it keeps its action and so many outcomes, and chance owes what came after them."""
        if not 0 <= ply < self.ply:
            raise SetupError("error.ply", ply=ply, first=0, last=self.ply - 1)
        record = self.records[ply]
        kept = replace(record, outcomes=record.outcomes[:outcomes], receivers=(), sealed=False)
        if ply:
            self.back_to(ply)
        else:
            taken = sum(len(each.outcomes) for each in self.records)
            self.records, self._earlier, self._fixed = [Record(None, "")], [], 1
            self._states, self._due = self._start(), None
            self.log += [Undo(0, taken), self.records[0]]
        self.append(kept, may_lack_outcomes=True)

    def at(self, ply: int) -> Match:
        """An independent match as it stood at a ply."""
        first = self.ply - len(self._earlier)
        if not first <= ply <= self.ply:
            raise SetupError("error.ply", ply=ply, first=first, last=self.ply)
        twin = self.copy()
        if ply < self.ply:
            twin._states, twin._fixed = self._earlier[ply - first]
            twin._due = None
            del twin.records[ply:], twin._earlier[ply - first :]
            start = ply
            while start > first and len(self.engine.actors(self._earlier[start - 1 - first].states)) > 1:
                start -= 1  # others were still choosing then
            twin.records[start:] = [replace(record, sealed=True) for record in twin.records[start:]]
        twin.log = list(twin.records)
        return twin

    def moments(self, first: int = 1, last: int | None = None) -> Iterator[Match]:
        """The match as it stood at each ply, from `first` to `last`."""
        return (self.at(ply) for ply in range(first, (self.ply if last is None else last) + 1))

    # --- What a viewer may know ---

    def seen(self, viewer: Viewer) -> States:
        """The state with what the viewer may not know blanked. Everything a player or bot gets comes from it."""
        return self.engine.seen(self._states, self._checked(viewer))

    def view(self, viewer: Viewer = SPECTATOR) -> dict[str, Any]:
        """What that viewer may know, as JSON-able data."""
        seen = self.seen(viewer)[0]
        seat = viewer if isinstance(viewer, int) else None
        outcome = self.outcome
        return {
            **self._heading(),
            "ply": self.ply,
            "actors": list(self.actors),
            "you": seat,
            "actions": [] if seat is None else self.actions(seat),
            "outcome": outcome
            and {"ranks": list(outcome.ranks), "points": list(outcome.points), "reason": outcome.reason},
            **to_builtins(self.engine.position.describe(seen)),
            **to_builtins(self.engine.position.derive(seen)),
        }

    def effects(self, ply: int, viewer: Viewer = SPECTATOR) -> tuple[Effect, ...]:
        """What happened in the record decided at a ply (0: the set-up), as the viewer may know it.

        It is made when it is first asked for. () in a game without `effects.py`.
        """
        viewer = self._told_as(viewer)
        first = self.ply - len(self._earlier)
        record = self.records[ply] if 0 <= ply < self.ply else None
        known = self._effects.get((ply, viewer))
        if known is None or known[0] is not record:
            if (
                record is None or 0 < ply < first or HIDDEN in (record.action, *record.outcomes)
            ):  # redealt since
                raise SetupError("error.ply", ply=ply, first=first, last=self.ply - 1)
            before = self._start() if ply == 0 else self._earlier[ply - first].states
            known = record, effects_of(self.engine, before, record, viewer)
            self._effects[ply, viewer] = known
        return known[1]

    def has_told(self, ply: int, viewer: Viewer = SPECTATOR) -> bool:
        """Whether `effects` would answer from memory: it was asked for this record and viewer before."""
        known = self._effects.get((ply, self._told_as(viewer)))
        return known is not None and known[0] is self.records[ply]

    def _told_as(self, viewer: Viewer) -> Viewer:
        """Without secrets everyone is told the same."""
        return self._checked(viewer) if self.engine.layout.hidden else EVERYTHING

    def _start(self) -> States:
        """Where the match began, before the set-up's draws."""
        return self.engine.start(self.seats, self.options) if self._origin is None else self._origin

    def preview(self, seat: int, action: str) -> dict[str, Any]:
        """What the seat would see after an action, before any chance: computed from its own view alone."""
        world = self.redeal(seat, 0)
        world._chance = Chance(SECURE, "manual")
        if len(world.actors) > 1:
            raise IllegalAction("error.preview", None, action=action).at(seat, self.ply)
        world.play(seat, action)
        return world.view(seat)

    def redeal(self, viewer: Viewer, seed: int) -> Match:
        """A match that the viewer cannot tell from this one: what it cannot know is drawn anew.

        It has no earlier plies: what was hidden then is not known.
        """
        viewer = self._checked(viewer)
        world = self.copy()
        world._states = self.engine.redeal(self._states, viewer, seeded_rng(seed))
        if self._origin is not None:
            world._origin = self.engine.redeal(self._origin, viewer, seeded_rng(seed, 1))
        world.records = [record.seen_by(viewer) for record in self.records]
        world.log = list(world.records)
        world._earlier, world._fixed, world._effects = [], self.ply, {}
        world._chance = Chance.of(seed, None)
        return world

    # --- Text and data ---

    @property
    def header(self) -> Header:
        return self.header_for(EVERYTHING)

    def header_for(self, viewer: Viewer) -> Header:
        """The header; what the viewer may not know of the position it began from is null."""
        start = None
        if self._origin is not None:
            seen = self.engine.seen(self._origin, self._checked(viewer))
            phase = self.engine.phases[int(seen["phase"][0])]
            start = {"phase": phase, **to_builtins(self.engine.position.describe(seen[0]))}
        return Header(self.game.id, self.game.rules, self.seats, self.options, start)

    def position(self, viewer: Viewer = EVERYTHING) -> dict[str, Any]:
        """What is true now, as JSON-able data; what the viewer may not know is null."""
        return {**self._heading(), **to_builtins(self.engine.position.describe(self.seen(viewer)[0]))}

    def position_text(self, viewer: Viewer = EVERYTHING) -> str:
        """The position in one line, which `from_position` reads."""
        return positions.write_line(self.position(viewer))

    def transcript(self, viewer: Viewer = EVERYTHING) -> str:
        """The text of the match; what the viewer may not know prints as ?, in a position as null."""
        records = [record.seen_by(viewer) for record in self.records]
        return transcript.write(self.header_for(viewer), records)

    def svg(
        self,
        ply: int | None = None,
        viewer: Viewer = SPECTATOR,
        marks: Sequence[str] = (),
        theme: str = "light",
        language: str = "en",
        width: float = 800,
    ) -> str:
        """The position, or that of an earlier ply, as a picture; it needs the extra `pictures`.

        What happened last is marked, and so are the places in `marks`, named as in the notation.
        """
        return drawer.draw(self, ply, self._checked(viewer), marks, theme, language, width)

    def _repr_svg_(self) -> str | None:
        """For notebooks; without the extra they show the text."""
        try:
            return self.svg()
        except SetupError:
            return None

    def state_bytes(self) -> bytes:
        """The whole state, byte by byte: two matches at the same point have the same."""
        return self._states.tobytes()

    def _heading(self) -> dict[str, Any]:
        return {
            "game": self.game.id,
            "rules": self.game.rules,
            "seats": self.seats,
            "options": self.options,
            "phase": self.phase,
        }

    def _checked(self, viewer: object) -> Viewer:
        if viewer is None or isinstance(viewer, Sight):
            return SPECTATOR if viewer is None else viewer
        if not isinstance(viewer, int) or isinstance(viewer, bool) or not 0 <= viewer < self.seats:
            raise SetupError("error.seat", seat=repr(viewer), seats=self.seats)
        return viewer

    # --- As a Python object ---

    def copy(self) -> Match:
        """An independent match at the same point, with draws of its own to come."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.records, twin.log, twin._earlier = self.records[:], self.log[:], self._earlier[:]
        twin._chance = self._chance.copy()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """For pickle: the game by its package, states as bytes."""
        fields = {name: value for name, value in self.__dict__.items() if name not in ("engine", "_effects")}
        fields["_states"] = self._states.tobytes()
        fields["_origin"] = self._origin if self._origin is None else self._origin.tobytes()
        fields["_earlier"] = [(rest.states.tobytes(), rest.fixed) for rest in self._earlier]
        return fields

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        self.engine, self._effects = self.game.engine, {}
        load = self.engine.layout.load
        self._states = load(fields["_states"])
        self._origin = None if fields["_origin"] is None else load(fields["_origin"])
        self._earlier = [Rest(load(states), fixed) for states, fixed in fields["_earlier"]]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __eq__(self, other: object) -> bool:
        """The same game, begun alike, with the same records, at the same state. Who draws next does not matter."""
        if not isinstance(other, Match):
            return NotImplemented
        return (self.header, self.records, self.state_bytes()) == (
            other.header,
            other.records,
            other.state_bytes(),
        )

    __hash__ = None  # type: ignore[assignment]  # it changes as it is played

    def __repr__(self) -> str:
        return f"<Match {self.game.id}, ply {self.ply}, {self._due_in_words()}>"

    def _due_in_words(self) -> str:
        match self.actors:
            case ():
                return "over"
            case (actor,):
                return f"{'chance' if actor == CHANCE else f'seat {actor}'} to act"
            case actors:
                return f"seats {', '.join(map(str, actors))} to act"

    def __str__(self) -> str:
        """The position, a field or a row of the board a line."""
        return "\n".join(positions.lines(self.position()))

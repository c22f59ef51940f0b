"""Match: the one gate through which every action goes. It checks, it raises, and then nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from regalia.core import transcript
from regalia.core.draws import SECURE, Chance, Source, seeded_words
from regalia.core.errors import (
    IllegalAction,
    MatchOver,
    NotationError,
    NotYourTurn,
    RegaliaError,
    SetupError,
    StaleAction,
)
from regalia.core.game import CHANCE, Game
from regalia.core.record import SPECTATOR, States
from regalia.core.transcript import Header, Record
from regalia.locale import has

MOST_CHARACTERS_OF_AN_ACTION = 2000  # the outcomes of a whole deal included


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


class Match:
    """A transcript being written.

    `records` is the line of play as it stands; `ply` is their number. `log` has everything that happened, with each
    undo as an entry of its own. A match rests only where a seat owes a decision (or, with chance by hand, where
    chance owes an outcome), never inside an action.
    """

    registry: ClassVar[Mapping[str, Game]] = {}  # the games that can be named by id; `regalia` fills it in

    def __init__(self, game: Game, states: States, chance: Chance, is_start: bool = True) -> None:
        self.game = game
        self.engine = game.engine
        self.records: list[Record] = [Record(None, "")]
        self.log: list[Record | Undo] = [self.records[0]]
        self._origin = None if is_start else states.copy()  # the position it began from
        self._states = states
        self._chance = chance
        self._due: tuple[int, ...] | None = None  # who owes a decision, once asked
        self._past: list[States] = []  # the states to which the seat that acted last may still go back
        self._settle()

    # --- Beginnings ---

    @classmethod
    def new(
        cls,
        game: Game | str,
        seats: int | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
        chance: Source | str | None = None,
    ) -> Match:
        """A match at its first decision. Dice are secure unless a seed makes them reproducible.

        chance: "manual" (every outcome is played), "dice" (dice are played, cards are dealt), or a source of draws.
        """
        game = cls.find(game)
        players = game.checked_seats(seats)
        values = game.checked_options(players, options)
        return cls(game, game.engine.start(players, values), Chance.of(seed, chance))

    @classmethod
    def find(cls, game: Game | str) -> Game:
        if isinstance(game, Game):
            return game
        if game not in cls.registry:
            raise SetupError("error.game", game=game, allowed=", ".join(cls.registry))
        return cls.registry[game]

    @classmethod
    def from_position(
        cls,
        game: Game | str,
        position: Mapping[str, Any],
        seed: int | None = None,
        chance: Source | str | None = None,
    ) -> Match:
        """A match that begins at a position (as `position()` gives it)."""
        game = cls.find(game)
        if not isinstance(position, Mapping):
            raise NotationError("error.position", what="position")
        given = dict(position)
        for key, expected in (("game", game.id), ("rules", game.rules)):
            if given.pop(key, expected) != expected:
                raise NotationError("error.position_other", key=key, value=position[key], expected=expected)
        players = game.checked_seats(given.pop("seats", None))
        options = given.pop("options", {})
        if not isinstance(options, Mapping):
            raise NotationError("error.position", what="options")
        states = game.engine.layout.empty(1)
        game.engine.write_options(states, players, game.checked_options(players, options))
        phase = given.pop("phase", None)
        if phase not in game.engine.phases:
            raise NotationError("error.position", what="phase")
        states["phase"] = game.engine.phases.index(phase)
        try:
            game.engine.notation.restore(given, states[0])
        except (TypeError, KeyError, IndexError, ValueError, OverflowError) as error:
            if isinstance(error, RegaliaError):
                raise
            raise NotationError("error.position", what=str(error)[:80]) from error
        if game.engine.is_inner(states):
            raise NotationError("error.position", what="phase")
        return cls(game, states, Chance.of(seed, chance), is_start=False)

    @classmethod
    def replay(cls, text: str, seed: int | None = None, chance: Source | str | None = None) -> Match:
        """The match of a transcript, every record through the same gate; it can be played on."""
        header, lines = transcript.read(text)
        game = cls.find(header.game)
        if header.rules != game.rules:
            raise NotationError("error.rules_version", game=game.id, rules=header.rules, known=game.rules)
        if header.start is None:
            match = cls.new(game, header.seats, None, header.options, "manual")
        else:
            place = {**header.start, "seats": header.seats, "options": dict(header.options)}
            match = cls.from_position(game, place, None, "manual")
        if dict(header.options) != match.options:
            raise NotationError("error.transcript_header", word="option")
        if not lines:
            raise NotationError("error.transcript_cut")
        for number, record in lines:
            try:
                if match.actors == (CHANCE,) and record.seat is not None:
                    raise NotationError("error.outcome_missing")
                if record.seat is not None:
                    match.play(record.seat, record.action)
                if record.outcomes:
                    match.play(CHANCE, record.outcomes[0])
            except RegaliaError as error:
                raise NotationError("error.transcript_record", line=number, why=str(error)) from error
        match._chance = Chance.of(seed, chance)
        match._settle()
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
    def outcome(self) -> Outcome | None:
        reason = int(self._states["reason"][0])
        if reason == 0:
            return None
        ranks, points = self.engine.score(self._states)
        return Outcome(ranks, points, self.engine.reasons[reason])

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

    # --- The gate ---

    def play(self, seat: int, action: str, ply: int | None = None) -> Record:
        """Play an action (for CHANCE: one or several outcomes). `ply` says at which ply the caller decided."""
        text = checked_text(action)
        if ply is not None and ply != self.ply:
            raise StaleAction("error.stale", ply=ply, now=self.ply)
        actors = self.actors
        if not actors:
            raise MatchOver("error.over", self.engine.explain.over(self._states[0]))
        if seat not in actors or isinstance(seat, bool):
            clause = self.engine.explain.out_of_turn(self._states[0])
            names = ", ".join("chance" if actor == CHANCE else str(actor) for actor in actors)
            raise NotYourTurn("error.turn", clause, seat=seat, actors=names)
        if seat == CHANCE:
            self._play_outcomes(text)
        else:
            self._play_action(seat, text, actors)
        return self.records[-1]

    def _play_action(self, seat: int, action: str, actors: tuple[int, ...]) -> None:
        seen = self.seen(seat)[0]
        steps = self.engine.notation.read(action, seen, seat)
        text = self.engine.notation.write(steps, seen, seat)
        after = self.engine.layout.copy(self._states)
        for count, step in enumerate(steps):
            if count and not self.engine.is_inner(after):
                raise NotationError("error.action", action=text)
            if step not in self.engine.legal(after, seat):
                self._refuse(after, seat, step, text)
            self.engine.apply(after, seat, step)
        if not steps or self.engine.is_inner(after):
            raise NotationError("error.unfinished", action=text)
        sealed = len(actors) > 1 or self.records[-1].sealed
        if sealed or (self.records[-1].seat != seat):
            self._past.clear()
        self._past.append(self._states)
        self._states, self._due = after, None
        self.records.append(Record(seat, text, sealed=sealed))
        self.log.append(self.records[-1])
        if sealed:
            self._past.clear()
            if len(actors) == 1:
                self._unseal()
        self._settle()

    def _refuse(self, states: States, seat: int, step: int, text: str) -> None:
        hidden = self.engine.layout.load(self.engine.layout.hide(states.tobytes(), seat))
        clause = self.engine.explain.refuse(hidden[0], seat, step)
        key = f"{self.game.id}.refused.{clause}"
        raise IllegalAction(key if has(key) else "error.refused", clause, action=text)

    def _play_outcomes(self, text: str) -> None:
        """Chance by hand: outcomes in order, a name with its number ("seat 1") being one."""
        before = self.engine.layout.copy(self._states), self.records[-1], self.log[-1]
        words = text.split()
        try:
            while words:
                if self.actors != (CHANCE,):
                    raise NotationError("error.outcome_surplus", outcome=" ".join(words)[:40])
                words = words[self._play_outcome(words) :]
            self._settle()
        except RegaliaError:
            self._states, self.records[-1], self.log[-1] = before
            self._due = None
            raise

    def _play_outcome(self, words: list[str]) -> int:
        """Play the outcome that the next word, or the next two, name; returns how many words it took."""
        read = self.engine.notation.read_outcome
        taken = 1
        try:
            step = read(words[0], self._states[0])
        except NotationError:
            if len(words) == 1:
                raise
            taken = 2
            step = read(" ".join(words[:2]), self._states[0])
        if step >= self.engine.outcomes or not self.engine.odds(self._states)[step]:
            raise NotationError("error.outcome", outcome=" ".join(words[:taken]))
        self._draw(step)
        return taken

    def _settle(self) -> None:
        """Let chance act until a seat owes a decision, unless its outcomes are played by hand."""
        while self.actors == (CHANCE,):
            phase = self.phase
            if self._chance.by_hand == "manual" or (
                self._chance.by_hand == "dice" and phase in self.engine.dice
            ):
                return
            draw = self._chance.source.below(int(self.engine.odds(self._states).sum()), phase)
            self._draw(self.engine.outcome(self._states, draw))

    def _draw(self, step: int) -> None:
        """One chance outcome, into the record being written."""
        state = self._states[0]
        text = self.engine.notation.write_outcome(step, state)
        receiver = self.engine.notation.receiver(state) if self.engine.layout.hidden else SPECTATOR
        self.engine.apply(self._states, CHANCE, step)
        self._due = None
        self._past.clear()
        for entries in (self.records, self.log):
            last = entries[-1]
            assert isinstance(last, Record)
            reader = None if receiver == SPECTATOR else receiver
            entries[-1] = replace(last, outcomes=(*last.outcomes, text), receivers=(*last.receivers, reader))

    def _unseal(self) -> None:
        """All have chosen at once: their records are told in the order of the rules, not of arrival."""
        start = len(self.records)
        while self.records[start - 1].sealed:
            start -= 1
        order = self.engine.notation.order(self._states[0])
        chosen = sorted(self.records[start:], key=lambda record: order.index(record.seat))
        self.records[start:] = [replace(record, sealed=False) for record in chosen]

    # --- Going back ---

    def undo(self, seat: int) -> Undo:
        """Take back the seat's last action, while no chance outcome and no other seat's action came after it."""
        if not self.actors and not self._past:
            raise MatchOver("error.over", self.engine.explain.over(self._states[0]))
        if not self._past or self.records[-1].seat != seat:
            raise IllegalAction("error.undo", None, seat=seat)
        self._states, self._due = self._past.pop(), None
        self.records.pop()
        entry = Undo(self.ply)
        self.log.append(entry)
        return entry

    # --- What a seat may know ---

    def seen(self, seat: int | None) -> States:
        """The record with what the seat may not know blanked. Everything a player or bot gets comes from it."""
        row = SPECTATOR if seat is None else self._checked_seat(seat)
        return self.engine.layout.load(self.engine.layout.hide(self._states.tobytes(), row))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What that seat may know, as JSON-able data; None is a spectator."""
        seen = self.seen(seat)[0]
        outcome = self.outcome
        return {
            **self._heading(),
            "ply": self.ply,
            "actors": list(self.actors),
            "you": seat,
            "actions": [] if seat is None else self.actions(seat),
            "outcome": outcome
            and {"ranks": list(outcome.ranks), "points": list(outcome.points), "reason": outcome.reason},
            **self.engine.notation.describe(seen),
            **self.engine.notation.derive(seen),
        }

    def preview(self, seat: int, action: str) -> dict[str, Any]:
        """What the seat would see after an action, before any chance: computed from its own view alone."""
        world = self.redeal(seat, 0)
        world._chance = Chance(SECURE, "manual")
        if len(world.actors) > 1:
            raise IllegalAction("error.preview", None, action=action)
        world.play(seat, action)
        return world.view(seat)

    def redeal(self, seat: int | None, seed: int) -> Match:
        """A match that the seat cannot tell from this one: what it cannot know is drawn anew."""
        row = SPECTATOR if seat is None else self._checked_seat(seat)
        words = seeded_words(seed)
        world = Match.__new__(Match)
        world.__dict__.update(self.__dict__)
        world._states, world._due = self.engine.redeal(self._states, row, words), None
        world.records = [record.seen_by(seat) for record in self.records]
        world.log = list(world.records)
        world._past = []
        world._chance = Chance.of(seed, None)
        return world

    # --- Text and data ---

    def position(self, seat: int | None = None) -> dict[str, Any]:
        """Everything true now, as JSON-able data; with a seat only what that seat knows."""
        states = self._states if seat is None else self.seen(seat)
        return {**self._heading(), **self.engine.notation.describe(states[0])}

    def transcript(self, seat: int | None = None) -> str:
        """The text of the match; with a seat as that seat may see it: what is hidden prints as ?."""
        records = (
            self.records
            if seat is None
            else [record.seen_by(self._checked_seat(seat)) for record in self.records]
        )
        return transcript.write(
            Header(self.game.id, self.game.rules, self.seats, self.options, self._start(seat)), records
        )

    def _start(self, seat: int | None) -> dict[str, Any] | None:
        """The position the match began from, as a seat may see it; None for the usual beginning."""
        if self._origin is None:
            return None
        layout = self.engine.layout
        states = self._origin if seat is None else layout.load(layout.hide(self._origin.tobytes(), seat))
        return {
            "phase": self.engine.phases[int(states["phase"][0])],
            **self.engine.notation.describe(states[0]),
        }

    def copy(self) -> Match:
        """An independent match at the same point."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin._states = self.engine.layout.copy(self._states)
        twin.records, twin.log, twin._past = list(self.records), list(self.log), list(self._past)
        return twin

    def state_bytes(self) -> bytes:
        """The whole record, byte by byte: two matches at the same point have the same."""
        return self._states.tobytes()

    def _heading(self) -> dict[str, Any]:
        return {
            "game": self.game.id,
            "rules": self.game.rules,
            "seats": self.seats,
            "options": self.options,
            "phase": self.phase,
        }

    def _checked_seat(self, seat: object) -> int:
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < self.seats:
            raise SetupError("error.seat", seat=repr(seat), seats=self.seats)
        return seat


def checked_text(action: object) -> str:
    """An action's text with single spaces."""
    if not isinstance(action, str) or not action.strip() or len(action) > MOST_CHARACTERS_OF_AN_ACTION:
        raise NotationError("error.action", action=repr(action)[:40])
    return " ".join(action.split())

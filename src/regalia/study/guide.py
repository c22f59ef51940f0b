"""Guides to the games, as their folders have them: `lessons.json`, read strictly.

A guide is a list of steps. A step teaches one rule and has one task or more; each task asks for something to be done.

    id        of the step; its title is the game's word `lesson.<id>`
    clauses   the clauses that it teaches
    tasks     what is to be done, one after the other

    position  where the task begins, or
    after     the step at whose end it begins; without either it goes on from the task before
    seat      whose eyes the learner has
    say       the task in words: a key of the game's words, as all that follows
    show      places to point out, named as in the notation
    expect    ["NE2"]                       one of these actions
              "any"                         any action
              {"refused": "RK-21", "attempts": ["E3"]}
                                            an action that this clause refuses; the attempts are offered
              {"answer": key, "answers": [key, …]}
                                            one of several answers to a question
    outcomes  of chance behind the expected action, or by action; what is not given falls by a fixed seed
    reply     what the others do then: [seat, action, outcomes]
    wrong     by action or answer: why it is not what was asked for; "*" is every other
    done      what was to be learnt
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from regalia.core.errors import NotationError, SetupError
from regalia.core.game import Game

FILE = "lessons.json"
ELSE = "*"  # among the wrong answers: every other


class Refused(Struct, frozen=True, forbid_unknown_fields=True):
    refused: str  # the clause
    attempts: tuple[str, ...]


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    answer: str
    answers: tuple[str, ...]


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    say: str
    expect: tuple[str, ...] | Literal["any"] | dict[str, Any]  # an object is read by `read_expected`
    done: str
    position: dict[str, Any] | None = None
    after: str | None = None
    show: tuple[str, ...] = ()
    outcomes: str | dict[str, str] = ""
    reply: tuple[tuple[int, str, str], ...] = ()
    wrong: dict[str, str] = {}

    @property
    def expected(self) -> tuple[str, ...] | Literal["any"] | Refused | Answer:
        return read_expected(self.expect)

    def outcomes_of(self, action: str) -> str | None:
        """What falls behind an action; None where the seed says so."""
        return self.outcomes.get(action) if isinstance(self.outcomes, dict) else self.outcomes or None

    def why_not(self, answer: str) -> str:
        """The words for an answer that was not asked for."""
        return self.wrong.get(answer) or self.wrong[ELSE]


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    clauses: tuple[str, ...]
    tasks: tuple[Task, ...]

    @property
    def title(self) -> str:
        return f"lesson.{self.id}"

    @property
    def is_played(self) -> bool:
        """Whether some task of it goes through the gate."""
        return any(not isinstance(task.expected, Answer) for task in self.tasks)


def read_expected(
    expect: tuple[str, ...] | Literal["any"] | dict[str, Any],
) -> tuple[str, ...] | Literal["any"] | Refused | Answer:
    if not isinstance(expect, dict):
        return expect
    return msgspec.convert(expect, Refused if "refused" in expect else Answer)


def read(text: bytes) -> tuple[Step, ...]:
    """The steps of a guide. What is unknown, missing or of the wrong type is refused by its place."""
    try:
        steps = msgspec.json.decode(text, type=tuple[Step, ...])
        for step in steps:
            for task in step.tasks:
                read_expected(task.expect)
    except msgspec.ValidationError as error:
        raise NotationError("error.lesson", why=str(error)) from error
    except msgspec.DecodeError as error:
        raise NotationError("error.lesson", why=str(error)) from error
    names = [step.id for step in steps]
    if len({*names}) < len(names) or not all(step.tasks for step in steps):
        raise NotationError("error.lesson", why="id, tasks")
    return steps


def has_guide(game: Game) -> bool:
    return (game.folder / FILE).is_file()


@cache
def steps_of(game: Game) -> tuple[Step, ...]:
    if not has_guide(game):
        raise SetupError("error.no_lesson", game=game.id)
    return read((game.folder / FILE).read_bytes())

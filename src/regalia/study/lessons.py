"""Doing a step of a guide: every answer is judged by the gate, and only what was asked for is played.

A step is a function of the answers given in it: the same answers lead to the same position, dice included. So
nothing needs to be kept but the step and the answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from regalia.core.errors import NotationError, RegaliaError, RuleError, SetupError
from regalia.core.game import Game
from regalia.core.match import Match
from regalia.core.transcript import Record, split_outcomes
from regalia.locale import say
from regalia.study.guide import Answer, Refused, Step, Task, steps_of

Kind = Literal["right", "wrong", "refused", "unread"]
SEED = 20  # of what a guide does not say


@dataclass(frozen=True)
class Verdict:
    """What an answer was: what was asked for, something else, forbidden, or no answer at all."""

    kind: Kind
    key: str  # words of the game for what is right or wrong
    error: RegaliaError | None = None  # what was refused, also where this was to be learnt

    def text(self, game: Game, language: str) -> str:
        words = say(language, f"{game.id}.{self.key}") if self.key else ""
        refusal = self.error.text(language) if self.error else ""
        return f"{refusal} {words}".strip()


class Lesson:
    """A step that is being done."""

    def __init__(self, game: Game, step: Step) -> None:
        self.game = game
        self.step = step
        self.done = 0  # how many of its tasks
        self.match = start_of(game, step.tasks[0])

    @property
    def task(self) -> Task | None:
        """What is to be done now; None when the step is done."""
        return self.step.tasks[self.done] if self.done < len(self.step.tasks) else None

    @property
    def shown(self) -> Task:
        """The task at which the learner looks: the last one stays when all are done."""
        return self.task or self.step.tasks[-1]

    def answer(self, text: str) -> Verdict:
        """Judge an answer; what is right is played, with what the guide lets follow."""
        task = self.task
        if task is None:
            raise SetupError("error.lesson_done", step=self.step.id)
        expected = task.expected
        if isinstance(expected, Answer):
            verdict = judge_answer(task, expected, text)
        elif isinstance(expected, Refused):
            verdict = self.judge_refused(task, expected, text)
        else:
            verdict = self.judge_action(task, expected, text)
        if verdict.kind == "right":
            self.done += 1
            if self.task is not None and (self.task.position or self.task.after):
                self.match = start_of(self.game, self.task)
        return verdict

    def judge_action(self, task: Task, expected: tuple[str, ...] | Literal["any"], text: str) -> Verdict:
        after = self.match.copy()
        try:
            action = after.play(task.seat, text).action
        except RegaliaError as error:
            return refused(error)
        if expected != "any" and action not in expected:
            return Verdict("wrong", task.why_not(action))
        play_task(self.match, task, action)
        return Verdict("right", task.done)

    def judge_refused(self, task: Task, expected: Refused, text: str) -> Verdict:
        try:
            action = self.match.copy().play(task.seat, text).action
        except RuleError as error:
            if error.clause == expected.refused:
                return Verdict("right", task.done, error)
            return refused(error)
        except RegaliaError as error:
            return refused(error)
        return Verdict("wrong", task.why_not(action))


def judge_answer(task: Task, expected: Answer, text: str) -> Verdict:
    if text not in expected.answers:
        return Verdict("unread", "", NotationError("error.action", action=text[:40]))
    return Verdict("right", task.done) if text == expected.answer else Verdict("wrong", task.why_not(text))


def refused(error: RegaliaError) -> Verdict:
    return Verdict("refused" if isinstance(error, RuleError) else "unread", "", error)


def play_task(match: Match, task: Task, action: str) -> None:
    """The action with the outcomes that the guide lets fall, and what the others do then."""
    play_with(match, task.seat, action, task.outcomes_of(action))
    for seat, reply, outcomes in task.reply:
        play_with(match, seat, reply, outcomes or None)


def play_with(match: Match, seat: int, action: str, outcomes: str | None) -> None:
    if outcomes is None:
        match.play(seat, action)
    else:
        match.append(Record(seat, action, tuple(split_outcomes(outcomes))))


def start_of(game: Game, task: Task) -> Match:
    """The match in which a task begins."""
    if task.after is not None:
        return end_of(game, find_step(game, task.after))
    if task.position is None:
        raise NotationError("error.lesson", why="position")
    return Match.from_position(game, task.position, seed=SEED)


def end_of(game: Game, step: Step) -> Match:
    """The match as a step leaves it, if everything was done as the guide says."""
    lesson = Lesson(game, step)
    for task in step.tasks:
        lesson.answer(answer_to(task, lesson.match))
    return lesson.match


def answer_to(task: Task, match: Match) -> str:
    """What the task asks for: the first of several."""
    expected = task.expected
    if isinstance(expected, Answer):
        return expected.answer
    if isinstance(expected, Refused):
        return expected.attempts[0]
    return match.actions(task.seat)[0] if expected == "any" else expected[0]


def find_step(game: Game, name: str) -> Step:
    for step in steps_of(game):
        if step.id == name:
            return step
    raise SetupError("error.lesson_step", game=game.id, step=name, steps=len(steps_of(game)))


def lesson_at(game: Game, name: str, answers: Iterable[str] = ()) -> tuple[Lesson, Verdict | None]:
    """A step with these answers given in it, and what the last of them was."""
    lesson = Lesson(game, find_step(game, name))
    verdict = None
    for text in answers:
        verdict = lesson.answer(text)
    return lesson, verdict

"""Guides over HTTP. Nothing is kept: a step and the answers in it say where somebody is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from regalia import GAMES, Game
from regalia.core.errors import RegaliaError, RuleError
from regalia.locale import has, say
from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.model.views import record_facts
from regalia.server.protocol import Code
from regalia.server.transport.auth import language_of
from regalia.server.transport.routes import Request, Response
from regalia.study import guide
from regalia.study.lessons import Lesson, Verdict, answer_to, lesson_at

COST_OF_A_STEP = 5  # in positions worked out: a step may begin where another ends


async def steps(request: Request) -> wire.GuideFacts:
    game, language = game_and_language(request)
    titles = tuple(say(language, f"{game.id}.{step.title}") for step in guide.steps_of(game))
    return wire.GuideFacts(game.id, titles)


async def lesson(request: Request) -> Response:
    game, language = game_and_language(request)
    asked: wire.LessonRequest = request.body
    if asked.step >= len(guide.steps_of(game)):
        raise Refused(Code.NOT_FOUND)
    cost = COST_OF_A_STEP + len(asked.answers) + len(asked.previews)
    return Response(await request.work_out(cost, partial(taught, game, asked, language)))


def game_and_language(request: Request) -> tuple[Game, str]:
    game = GAMES.get(request.path["game"])
    if game is None or not guide.has_guide(game):
        raise Refused(Code.NOT_FOUND)
    return game, language_of(request.http.headers.get("accept-language", ""))


def taught(game: Game, asked: wire.LessonRequest, language: str) -> bytes:
    step = guide.steps_of(game)[asked.step]
    try:
        done, verdict = lesson_at(game, step.id, asked.answers)
        previews = {action: done.match.preview(done.shown.seat, action) for action in asked.previews}
    except RegaliaError as error:
        raise Refused.by_rule(error) from error
    return msgspec.json.encode(lesson_facts(game, asked.step, done, verdict, previews, language))


def lesson_facts(
    game: Game,
    number: int,
    lesson: Lesson,
    verdict: Verdict | None,
    previews: dict[str, Any],
    language: str,
) -> wire.LessonFacts:
    step, task, match = lesson.step, lesson.shown, lesson.match

    def words(key: str) -> str:
        return say(language, f"{game.id}.{key}")

    view = match.view(task.seat)
    if lesson.task is None or isinstance(task.expected, guide.Answer):
        view["actions"] = []
    return wire.LessonFacts(
        game=game.id,
        step=number,
        title=words(step.title),
        clauses=step.clauses,
        done=lesson.done,
        tasks=len(step.tasks),
        say=words(task.say),
        marks=task.show if lesson.task is not None else (),
        choices=choices(lesson, words) if lesson.task is not None else (),
        answer=answer_to(task, match) if lesson.task is not None else "",
        verdict=None if verdict is None else verdict_facts(game, verdict, language),
        view=view,
        records=tuple(record_facts(match, ply, task.seat, 0) for ply in range(match.ply)),
        previews=previews,
    )


def choices(lesson: Lesson, words: Callable[[str], str]) -> tuple[wire.LessonChoice, ...]:
    match lesson.shown.expected:
        case guide.Answer(answers=answers):
            return tuple(wire.LessonChoice(answer, words(answer)) for answer in answers)
        case guide.Refused(attempts=attempts):
            return tuple(wire.LessonChoice(attempt, attempt) for attempt in attempts)
        case _:
            return ()


def verdict_facts(game: Game, verdict: Verdict, language: str) -> wire.Verdict:
    error = verdict.error
    clause = error.clause if isinstance(error, RuleError) else None
    known = clause if has(f"{game.id}.clause.{clause}") else None
    return wire.Verdict(verdict.kind, verdict.text(game, language), known)

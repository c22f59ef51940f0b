"""The guides: every step is played through the gate, as a learner would, right and wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from regalia import GAMES, Match, NotationError, RuleError, SetupError
from regalia.core.game import Game
from regalia.core.rulebook import laws
from regalia.locale import LANGUAGES, catalogue
from regalia.study import guide
from regalia.study.guide import Answer, Refused, Step, Task, has_guide, read, steps_of
from regalia.study.lessons import Lesson, answer_to, end_of, lesson_at, start_of

STEPS = {"rose_king": 11, "carolus_magnus": 12, "court_the_king": 12, "long_live_the_king": 12}
GUIDES = [name for name, game in GAMES.items() if has_guide(game)]
MOST_WORDS = 25
each_guide = pytest.mark.parametrize("name", GUIDES)


def tasks_of(game: Game) -> Iterator[tuple[Step, Task, Match]]:
    """Every task with the match in which it is set."""
    for step in steps_of(game):
        lesson = Lesson(game, step)
        for task in step.tasks:
            assert lesson.task is task
            yield step, task, lesson.match.copy()
            lesson.answer(answer_to(task, lesson.match))


def keys_of(task: Task) -> list[str]:
    answers = task.expected.answers if isinstance(task.expected, Answer) else ()
    return [task.say, task.done, *task.wrong.values(), *answers]


@each_guide
def test_a_guide_has_its_steps_and_most_of_them_are_played(name: str) -> None:
    steps = steps_of(GAMES[name])
    assert len(steps) == STEPS[name]
    assert sum(step.is_played for step in steps) >= 0.8 * len(steps)


@each_guide
def test_every_step_is_done_by_what_it_asks_for(name: str) -> None:
    game = GAMES[name]
    for step in steps_of(game):
        lesson = Lesson(game, step)
        before: list[str] = []
        for task in step.tasks:
            expected = task.expected
            rights = expected if isinstance(expected, tuple) else (answer_to(task, lesson.match),)
            for right in rights[1:]:  # each of several leads on
                other, verdict = lesson_at(game, step.id, [*before, right])
                assert verdict is not None
                assert verdict.kind == "right", (step.id, right)
                assert other.done == lesson.done + 1
            assert lesson.answer(rights[0]).kind == "right", (step.id, rights[0])
            before.append(rights[0])
        assert lesson.task is None
        with pytest.raises(SetupError):
            lesson.answer("once more")


@each_guide
def test_whatever_else_is_done_has_words_and_changes_nothing(name: str) -> None:
    for step, task, match in tasks_of(GAMES[name]):
        expected = task.expected
        if isinstance(expected, Answer):
            assert expected.answer in expected.answers
            wrongs = [answer for answer in expected.answers if answer != expected.answer]
        elif expected == "any":
            continue
        else:
            rights = () if isinstance(expected, Refused) else expected
            actions = match.actions(task.seat)
            assert {*rights} <= {*actions}, step.id
            wrongs = [action for action in actions if action not in rights]
        for wrong in wrongs:
            assert task.why_not(wrong)
        assert {*task.wrong} - {"*"} <= {*wrongs}, (step.id, "words for what cannot be done")
        assert bool(wrongs) or not task.wrong, step.id
        lesson = Lesson(GAMES[name], step)
        lesson.done, lesson.match = step.tasks.index(task), match
        before = match.state_bytes()
        for wrong in wrongs[:3]:
            verdict = lesson.answer(wrong)
            assert (verdict.kind, verdict.key) == ("wrong", task.why_not(wrong)), step.id
            assert (lesson.task, lesson.match.state_bytes()) == (task, before)


@each_guide
def test_what_is_to_be_refused_is_refused_by_its_clause(name: str) -> None:
    for step, task, match in tasks_of(GAMES[name]):
        if isinstance(task.expected, Refused):
            assert task.expected.attempts
            for attempt in task.expected.attempts:
                with pytest.raises(RuleError) as caught:
                    match.play(task.seat, attempt)
                assert caught.value.clause == task.expected.refused, step.id


@each_guide
def test_clauses_exist_and_nothing_is_said_twice_or_never(name: str) -> None:
    game = GAMES[name]
    known = {law.id for law in laws(game)}
    used = []
    for step in steps_of(game):
        assert step.clauses
        assert {*step.clauses} <= known, step.id
        used.append(step.title)
        for task in step.tasks:
            used += keys_of(task)
    written = {key.removeprefix(f"{name}.") for key in catalogue("en") if key.startswith(f"{name}.lesson.")}
    assert sorted(used) == sorted(written)


@each_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_is_said_in_few_words(name: str, language: str) -> None:
    words = catalogue(language)
    for step in steps_of(GAMES[name]):
        for task in step.tasks:
            for key in (task.say, task.done, *task.wrong.values()):
                text = words[f"{name}.{key}"]
                assert sum(re.search(r"\w", word) is not None for word in text.split()) <= MOST_WORDS, text


@each_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_can_be_told_in_every_language(name: str, language: str) -> None:
    game = GAMES[name]
    for step, task, match in tasks_of(game):
        lesson = Lesson(game, step)
        lesson.done, lesson.match = step.tasks.index(task), match
        if not isinstance(task.expected, Answer):
            unread = lesson.answer("abracadabra")
            assert unread.kind == "unread"
            assert unread.text(game, language)
        right = lesson.answer(answer_to(task, match)).text(game, language)
        assert catalogue(language)[f"{name}.{task.done}"] in right


def test_answers_lead_to_the_same_position_again() -> None:
    game = GAMES["rose_king"]
    once, _ = lesson_at(game, "skipped", ["S1", "draw"])
    again, verdict = lesson_at(game, "skipped", ["S1", "W3x", "draw"])
    assert verdict is not None
    assert verdict.kind == "right"
    assert once.match == again.match
    assert once.match.records[-1].outcomes  # a card was drawn, the same one


def test_a_step_that_goes_on_from_another_begins_where_that_one_ends() -> None:
    game = GAMES["rose_king"]
    skipped = next(step for step in steps_of(game) if step.id == "skipped")
    look = next(step for step in steps_of(game) if step.id == "look")
    assert start_of(game, skipped.tasks[0]) == end_of(game, look)


def test_the_rose_king_says_what_it_means() -> None:
    """The first wrong answer, the forbidden one and the right one, as a learner reads them."""
    game = GAMES["rose_king"]
    _, wrong = lesson_at(game, "north", ["s1"])
    assert wrong is not None
    assert wrong.text(game, "en").startswith("S1 leads south, to f6.")
    lesson, refused = lesson_at(game, "exact", ["E3"])
    assert refused is not None
    assert refused.kind == "right"
    assert refused.text(game, "de").startswith(
        "Die Krone würde das Brett verlassen. (RK-21) Eine Karte gilt ganz"
    )
    assert lesson.answer("N3").text(game, "en") == "This card is not in your hand. (RK-25)"
    hero, _ = lesson_at(game, "hero", ["W1*"])
    assert hero.match.view(0)["scores"] == [6, 8]


def asked(game: Game, name: str) -> Match:
    """The match at the end of a step, done as the guide asks."""
    return end_of(game, next(step for step in steps_of(game) if step.id == name))


def test_there_are_47_steps_in_all() -> None:
    steps = [step for name in GUIDES for step in steps_of(GAMES[name])]
    assert len(steps) == sum(STEPS.values()) == 47
    assert sum(step.is_played for step in steps) >= 0.8 * len(steps)


def test_what_the_guides_count_up_is_so() -> None:
    """Points, odds and votes that the words name."""
    rose, carolus = GAMES["rose_king"], GAMES["carolus_magnus"]
    court, king = GAMES["court_the_king"], GAMES["long_live_the_king"]
    assert asked(rose, "join").view(0)["scores"][0] == 36
    end = asked(rose, "end").outcome
    assert end is not None
    assert (end.points, end.ranks) == ((117, 117), (1, 2))
    region = next(place for place in asked(carolus, "swing").view(1)["ring"] if place["place"] == 3)
    assert (region["owner"], region["castles"]) == ("white", 5)
    merged = next(place for place in asked(carolus, "merge").view(1)["ring"] if place["place"] == 1)
    assert (sum(merged["knights"].values()), merged["castles"]) == (6, 3)
    won = asked(carolus, "end").outcome
    assert won is not None
    assert (won.ranks, won.reason) == ((2, 1), "castles")
    crowned = asked(court, "king").outcome
    assert crowned is not None
    assert crowned.ranks == (1, 2)
    odds = court.module("odds").turn_odds(lesson_at(court, "which")[0].match, target="hunter")["actions"]
    assert {
        row["action"]: round(100 * row["odds"])
        for row in odds
        if row["action"] in ("keep 2", "keep 5", "keep 6")
    } == {
        "keep 2": 81,
        "keep 5": 64,
        "keep 6": 64,
    }
    assert asked(king, "stake").view(0)["dispute"]["totals"][0] == 36
    assert lesson_at(king, "dice", ["dice 6>x3 1>x2 2>x2 6>x2 1>x1"])[0].match.view(0)["dispute"][
        "totals"
    ] == [39, 36, 40]
    elected = asked(king, "election").outcome
    assert elected is not None
    assert (elected.ranks[0], elected.points[0]) == (1, 19)


def test_a_learner_sees_only_what_the_seat_may_know() -> None:
    match = lesson_at(GAMES["long_live_the_king"], "stake")[0].match
    match.play(1, "stake x1 x1")
    assert match.view(0)["sealed"][1] is None


def broken(**changes: Any) -> bytes:
    step = {
        "id": "one",
        "clauses": ["RK-1"],
        "tasks": [{"seat": 0, "say": "a", "expect": "any", "done": "b"}],
    }
    step["tasks"][0].update(changes)  # type: ignore[index]
    return json.dumps([step]).encode()


def test_a_guide_is_read_strictly() -> None:
    assert read(broken())[0].tasks[0].expected == "any"
    for wrong in (
        broken(sayy="b"),
        broken(seat="red"),
        broken(expect="all"),
        broken(expect={"refused": "RK-21"}),
        broken(expect={"answer": "a"}),
        broken(reply=[["0", "draw", ""]]),
        b"[",
        b'[{"id": "one", "clauses": [], "tasks": []}]',
        broken()[:-1] + b"," + broken()[1:],
    ):
        with pytest.raises(NotationError) as caught:
            read(wrong)
        assert caught.value.key == "error.lesson"


def test_what_does_not_exist_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["rose_king"]
    with pytest.raises(SetupError, match=r"The guide to rose_king has no step twelfth; there are 11\."):
        lesson_at(game, "twelfth")
    step = read(broken())[0]
    with pytest.raises(NotationError, match="position"):
        Lesson(game, step)
    monkeypatch.setattr(guide, "FILE", "elsewhere.json")
    steps_of.cache_clear()
    try:
        with pytest.raises(SetupError, match=r"There is no guide to rose_king yet\."):
            steps_of(game)
    finally:
        steps_of.cache_clear()

"""Guides over HTTP: every step can be done, what is wrong says so, and nothing needs to be kept."""

from __future__ import annotations

from typing import Any

import pytest

from regalia import GAMES
from regalia.locale import LANGUAGES, say
from regalia.study.guide import has_guide, steps_of
from server.harness import Guest, Reply

GUIDED = [name for name, game in GAMES.items() if has_guide(game)]


def ask(guest: Guest, game: str, step: int, *answers: str, language: str = "en", **more: Any) -> Reply:
    body = {"step": step, "answers": list(answers), **more}
    return guest.post(f"/api/games/{game}/lesson", body, **{"accept-language": language})


@pytest.mark.parametrize("game", GUIDED)
def test_a_guide_is_done_by_doing_what_it_asks_for(ann: Guest, game: str) -> None:
    titles = ann.get(f"/api/games/{game}/guide").json["steps"]
    assert len(titles) == len(steps_of(GAMES[game]))
    for step, title in enumerate(titles):
        facts = ask(ann, game, step).json
        assert facts["title"] == title
        assert facts["verdict"] is None
        answers: list[str] = []
        while facts["done"] < facts["tasks"]:
            seat = facts["view"]["you"]
            assert seat is not None
            answers.append(facts["answer"])
            facts = ask(ann, game, step, *answers).json
            assert facts["verdict"]["kind"] == "right"
            assert facts["verdict"]["text"]
        assert facts["answer"] == ""
        assert facts["view"]["actions"] == []
        assert ask(ann, game, step, *answers).json == facts  # nothing is kept, dice included


def test_a_guide_speaks_the_readers_language(ann: Guest) -> None:
    for language in LANGUAGES:
        facts = ask(ann, "rose_king", 1, language=language).json
        assert facts["say"] == say(language, f"rose_king.{steps_of(GAMES['rose_king'])[1].tasks[0].say}")


def test_an_answer_that_was_not_asked_for_says_why_and_changes_nothing(ann: Guest) -> None:
    facts = ask(ann, "rose_king", 0).json
    wrong = next(choice["answer"] for choice in facts["choices"] if choice["answer"] != facts["answer"])
    told = ask(ann, "rose_king", 0, wrong).json
    assert (told["verdict"]["kind"], told["done"]) == ("wrong", 0)
    assert told["verdict"]["text"]
    assert told["view"] == facts["view"]
    unread = ask(ann, "rose_king", 1, "nonsense").json
    assert (unread["verdict"]["kind"], unread["done"]) == ("unread", 0)


def test_a_forbidden_action_is_refused_by_the_clause_that_is_taught(ann: Guest) -> None:
    steps = steps_of(GAMES["rose_king"])
    number = next(
        at
        for at, step in enumerate(steps)
        if isinstance(step.tasks[0].expect, dict) and "refused" in step.tasks[0].expect
    )
    facts = ask(ann, "rose_king", number).json
    told = ask(ann, "rose_king", number, facts["choices"][0]["answer"]).json
    assert told["verdict"]["kind"] == "right"
    assert told["verdict"]["clause"] == steps[number].tasks[0].expect["refused"]


def test_one_may_look_ahead(ann: Guest) -> None:
    actions = ask(ann, "rose_king", 1).json["view"]["actions"]
    facts = ask(ann, "rose_king", 1, previews=actions[:1]).json
    assert list(facts["previews"]) == actions[:1]
    assert facts["previews"][actions[0]]["crown"] != facts["view"]["crown"]
    assert ask(ann, "rose_king", 1, previews=["N9"]).code in ("illegal_action", "unreadable")


def test_what_there_is_not_is_refused(ann: Guest) -> None:
    assert ann.get("/api/games/chess/guide").code == "not_found"
    assert ask(ann, "chess", 0).code == "not_found"
    assert ask(ann, "rose_king", 99).code == "not_found"
    assert ask(ann, "rose_king", -1).code == "bad_message"
    assert ask(ann, "rose_king", 0, *["x"] * 21).code == "bad_message"
    facts = ask(ann, "rose_king", 0).json
    assert ask(ann, "rose_king", 0, facts["answer"], facts["answer"]).code == "setup"


def test_the_games_say_how_long_their_guides_are(ann: Guest) -> None:
    told = {game["id"]: game["guide"] for game in ann.get("/api/games").json}
    assert all(told[game] == len(steps_of(GAMES[game])) for game in GUIDED)

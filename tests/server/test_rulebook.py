"""Rules over HTTP: the words of a game, examples to step through and to try, and a page without scripts."""

from __future__ import annotations

from html import escape

import pytest

from regalia import GAMES
from regalia.core.rulebook import laws
from regalia.locale import LANGUAGES, say
from regalia.study.examples import examples_of
from regalia.study.glossary import terms_of
from server.harness import Guest, Reply

OURS = [name for name, game in GAMES.items() if examples_of(game)]


def spoken(guest: Guest, path: str, language: str) -> Reply:
    return Reply(guest.http.get(path, headers={"accept-language": language}))


@pytest.mark.parametrize("game", OURS)
def test_every_example_is_told_moment_by_moment(ann: Guest, game: str) -> None:
    book = ann.get(f"/api/games/{game}/rulebook").json
    assert [*book["examples"]] == [example.clause for example in examples_of(GAMES[game])]
    for example in examples_of(GAMES[game]):
        facts = ann.get(f"/api/games/{game}/examples/{example.clause}").json
        assert facts["clause"] == example.clause
        assert len(facts["views"]) == len(facts["records"]) + 1 == len(example.play) + 1
        assert {view["you"] for view in facts["views"]} == {None}
        assert [record["action"] for record in facts["records"]] == [action for _, action, _ in example.play]


def test_an_example_is_tried_through_the_gate_and_nothing_is_kept(ann: Guest) -> None:
    path = "/api/games/rose_king/examples/RK-X2"
    begun = ann.post(path, {}).json
    assert (begun["verdict"], begun["view"]["you"], begun["view"]["crown"]) == (None, 0, "e5")
    moved = ann.post(path, {"actions": ["NE2"], "previews": ["S2"]}).json
    assert (moved["verdict"]["kind"], moved["view"]["you"], moved["view"]["crown"]) == ("right", 1, "g7")
    assert moved["previews"]["S2"]["crown"] == "g5"
    refused = ann.post(path, {"actions": ["NE2", "E3"]}).json
    assert (refused["verdict"]["kind"], refused["verdict"]["clause"]) == ("refused", "RK-25")
    assert refused["view"] == moved["view"]
    assert ann.post(path, {}).json == begun
    assert ann.post(path, {"previews": ["E3"]}).status == 409
    assert ann.post(path, {"actions": ["NE2"] * 41}).status == 422


def test_what_is_not_there_is_not_found(ann: Guest) -> None:
    for path in ("chess/glossary", "chess/examples/RK-X1", "rose_king/examples/RK-20"):
        assert ann.get(f"/api/games/{path}").status == 404


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_glossary_speaks_the_readers_language_and_names_the_others(
    ann: Guest, game: str, language: str
) -> None:
    terms = spoken(ann, f"/api/games/{game}/glossary", language).json["terms"]
    assert [term["term"] for term in terms] == [term.term for term in terms_of(GAMES[game])]
    for term in terms:
        assert term["names"][language] == term["forms"][0]
        assert term["text"] == say(language, f"{game}.term.{term['term']}.text")
        assert term["view"]["game"] == game


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_the_rules_are_a_text_with_the_same_places(ann: Guest, language: str) -> None:
    page = spoken(ann, "/rules/rose_king", language).text
    text = page.partition("<noscript>")[2].partition("</noscript>")[0]
    for law in laws(GAMES["rose_king"]):
        assert f'id="clause-{law.id}"' in text
        assert escape(say(language, f"rose_king.clause.{law.id}")) in text
    for term in terms_of(GAMES["rose_king"]):
        assert f'id="term-{term.term}"' in text
    assert "<noscript>" not in ann.get("/rules/chess").text

"""The rulebook's examples and the words of the games: played through the gate, in all languages."""

from __future__ import annotations

import re

import pytest

from regalia import GAMES, NotationError, SetupError
from regalia.core.rulebook import laws
from regalia.locale import LANGUAGES, catalogue
from regalia.study import examples, glossary
from regalia.study.examples import due, examples_of, find_example, tried
from regalia.study.glossary import terms_of

OURS = [name for name, game in GAMES.items() if (game.folder / examples.FILE).is_file()]
each_game = pytest.mark.parametrize("name", OURS)


@each_game
def test_every_example_of_the_rulebook_can_be_stepped_through(name: str) -> None:
    game = GAMES[name]
    known = [law.id for law in laws(game)]
    assert [example.clause for example in examples_of(game)] == [each for each in known if "-X" in each]
    for example in examples_of(game):
        assert example.shows
        assert {*example.shows} <= {*known}, example.clause
        plies = [match.ply - example.start(game).ply for match in example.moments(game)]
        assert plies == list(range(len(example.play) + 1)), example.clause


def end(name: str, clause: str) -> dict[str, object]:
    """The view at the end of an example."""
    game = GAMES[name]
    example = find_example(game, clause)
    return example.at(game, len(example.play)).view()


def test_examples_end_with_the_rulebooks_numbers() -> None:
    assert end("rose_king", "RK-X1")["scores"] == [34, 69]
    assert end("rose_king", "RK-X2")["crown"] == "g7"
    assert end("carolus_magnus", "CM-X4")["scores"] == [2, 5]
    courts = [player["court"]["red"] for player in end("carolus_magnus", "CM-X6")["players"]]  # type: ignore[index, attr-defined]
    assert courts == [9, 10]
    assert end("court_the_king", "CK-X5")["active"] == [4, 4, 4]
    assert end("court_the_king", "CK-X6")["outcome"]["ranks"] == [2, 1, 2, 2]  # type: ignore[index]
    assert end("court_the_king", "CK-X7")["best"] == {"seat": 0, "count": 8, "face": 1}
    assert "hunter" in end("court_the_king", "CK-X2")["characters"][0]  # type: ignore[index]
    assert end("long_live_the_king", "LK-X6")["dispute"]["totals"] == [39, 36, 40]  # type: ignore[index]
    assert end("long_live_the_king", "LK-X9")["bonus"] == [2, 4, 3, 1]
    game = GAMES["long_live_the_king"]
    before = find_example(game, "LK-X4").at(game, 2).view()
    assert (before["held_votes"][0], before["reduced_votes"][0]) == (14, 10)


def test_an_example_is_tried_for_whoever_is_due_and_what_is_refused_changes_nothing() -> None:
    game = GAMES["rose_king"]
    match, verdict = tried(game, "rk-x2", ["NE2", "N3", "S2"])
    assert verdict is not None
    assert verdict.kind == "right"
    assert [(record.seat, record.action) for record in match.records[-2:]] == [(0, "NE2"), (1, "S2")]
    again, refusal = tried(game, "RK-X2", ["NE2", "S2", "E3", "N3"])
    assert refusal is not None
    assert refusal.kind == "refused"
    assert again == match
    assert due(match) == 0
    assert tried(game, "RK-X2", ["abracadabra"])[1].kind == "unread"  # type: ignore[union-attr]
    over = find_example(GAMES["court_the_king"], "CK-X6")
    assert due(over.at(GAMES["court_the_king"], len(over.play))) == 0


@each_game
def test_words_of_a_game_have_a_clause_a_picture_and_every_language(name: str) -> None:
    game = GAMES[name]
    known = {law.id for law in laws(game)}
    terms = terms_of(game)
    assert 10 <= len(terms) <= 14
    written = {key.removeprefix(f"{name}.") for key in catalogue("en") if key.startswith(f"{name}.term.")}
    assert written == {f"term.{term.term}{more}" for term in terms for more in ("", ".text")}
    for term in terms:
        assert term.clauses
        assert {*term.clauses} <= known, term.term
        example = find_example(game, term.example)
        assert example.at(game, term.moment).ply - example.start(game).ply == term.moment
    for language in LANGUAGES:
        forms = [form.casefold() for term in terms for form in term.forms(game, language)]
        assert len(forms) == len({*forms}), "one form is one word"


@each_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_those_of_the_rules(name: str, language: str) -> None:
    """Each stands somewhere in the clauses in one of its forms, so that it is linked."""
    game = GAMES[name]
    text = " ".join(catalogue(language)[f"{name}.clause.{law.id}"] for law in laws(game))
    for term in terms_of(game):
        forms = "|".join(map(re.escape, term.forms(game, language)))
        assert re.search(rf"(?<!\w)(?:{forms})(?!\w)", text, re.IGNORECASE), term.term


def test_what_cannot_be_read_is_one_clear_error() -> None:
    for read, key in ((examples.read, "error.examples"), (glossary.read, "error.glossary")):
        for wrong in (b"[", b'[{"clause": 1}]', b'[{"else": ""}]'):
            with pytest.raises(NotationError) as caught:
                read(wrong)
            assert caught.value.key == key
    with pytest.raises(SetupError, match="rose_king has no example RK-X9"):
        find_example(GAMES["rose_king"], "RK-X9")

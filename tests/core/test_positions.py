"""Reading positions and asking for previews: what the gate itself refuses."""

from __future__ import annotations

from typing import Any

import pytest

from probe import GAME as PROBE
from regalia import GAMES, IllegalAction, Match, NotationError, SetupError
from regalia.core.chance import Seeded
from regalia.core.position import Fields

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    "changes, why",
    [
        ({"game": "carolus_magnus"}, "game"),
        ({"rules": 99}, "99"),
        ({"options": []}, "options"),
        ({"phase": "noon"}, "phase"),
    ],
)
def test_a_position_of_something_else_is_refused(changes: dict[str, Any], why: str) -> None:
    position = {**Match.new("rose_king", seed=1).position(), **changes}
    with pytest.raises((NotationError, SetupError), match=why):
        Match.from_position("rose_king", position)


def test_no_position_at_all_is_refused() -> None:
    with pytest.raises(NotationError):
        Match.from_position("rose_king", [])  # type: ignore[arg-type]


def test_a_position_inside_an_action_is_refused() -> None:
    match = Match.new(PROBE, seed=1)
    for seat in range(4):
        match.play(seat, match.actions(seat)[0])
    with pytest.raises(NotationError, match="phase"):
        Match.from_position(PROBE, {**match.position(), "phase": "pick"})


def test_the_parts_of_a_position_are_read_strictly() -> None:
    fields = Fields({"a": 1, "b": [1, 2], "c": ["x"], "d": {"e": 5}, "f": "two"})
    assert fields.number("a", 0, 3) == 1
    assert fields.numbers("b", 2, 0, 3) == [1, 2]
    assert fields.texts("c") == ["x"]
    assert fields.inner("d").number("e", 0, 9) == 5
    assert fields.choice("f", ["one", "two"]) == 1
    fields.finish()
    bad: list[Any] = [
        lambda: Fields({}).take("a"),
        lambda: Fields({"a": True}).number("a", 0, 3),
        lambda: Fields({"a": 1}).lists("a"),
        lambda: Fields({"a": [1]}).texts("a"),
        lambda: Fields({"a": 1}).inner("a"),
        lambda: Fields({"a": 1}).choice("a", ["1"]),
        lambda: Fields({"a": {"b": 9}}).inner("a").number("b", 0, 3),
    ]
    for read in bad:
        with pytest.raises(NotationError):
            read()


def test_a_sealed_choice_has_no_preview() -> None:
    match = Match.new(PROBE, seed=1)
    with pytest.raises(IllegalAction):
        match.preview(0, match.actions(0)[0])


def test_an_own_source_of_draws_can_be_given() -> None:
    assert Match.new("rose_king", chance=Seeded(5)).records == Match.new("rose_king", seed=5).records


def test_facts_about_games_are_light() -> None:
    game = GAMES["rose_king"]
    assert hash(game) == hash("rose_king")
    assert (game.folder / "clauses.md").exists()


def test_a_text_longer_than_any_action_is_refused() -> None:
    match = Match.new("rose_king", seed=1)
    for text in ("N" * 3000, "", "   ", None, 7):
        with pytest.raises(NotationError):
            match.play(0, text)  # type: ignore[arg-type]


def test_half_an_action_or_one_and_a_half_is_refused() -> None:
    match = Match.new(PROBE, seed=1)
    for seat in range(4):
        match.play(seat, match.actions(seat)[0])
    leader = match.actors[0]
    notation = match.engine.notation
    read = notation.read
    first = match.actions(leader, "reroll")[0]
    for change in (lambda steps: steps[:-1], lambda steps: [*steps, 17]):
        notation.read = lambda text, state, seat, change=change: change(read(text, state, seat))
        try:
            with pytest.raises((NotationError, IndexError)):
                match.play(leader, first)
        finally:
            notation.read = read


def test_a_reader_that_stumbles_over_strange_data_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Match.new(PROBE, seed=1).position()
    monkeypatch.setattr(PROBE.engine.position, "restore", lambda _position, _state: {}["no such entry"])
    with pytest.raises(NotationError, match="no such entry"):
        Match.from_position(PROBE, position)

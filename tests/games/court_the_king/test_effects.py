"""What the records of To Court the King tell."""

from __future__ import annotations

import msgspec
import pytest

from games.court_the_king.table import Match, play, turn
from regalia.core.effects import Effect
from regalia.games.court_the_king.effects import (
    CharacterTaken,
    CharacterUsed,
    DiceThrown,
    DieAdded,
    DieChanged,
    DieRerolled,
    DieRolled,
    DieSetAside,
    FinalResult,
    KingMoved,
    NobodyTaken,
    StartDrawn,
    TurnPassed,
)

pytestmark = pytest.mark.plain

SEVEN = "general charlatan charlatan"  # brings seven dice


def told(match: Match, *texts: str) -> tuple[Effect, ...]:
    """What the last record tells once these were played."""
    return play(match, *texts).effects(match.ply - 1)


def test_the_set_up_tells_who_starts() -> None:
    match = Match.new("court_the_king", seats=4, seed=5)
    assert match.effects(0) == (StartDrawn(match.view()["starter"]),)


def test_a_roll_tells_how_many_dice_and_then_what_they_show() -> None:
    match = turn("farmer")
    assert told(match, "roll") == (DiceThrown(0, 4),)
    assert told(match, "6 2 2 1") == (
        DiceThrown(0, 4),
        DieRolled(0, 6),
        DieRolled(0, 2),
        DieRolled(0, 2),
        DieRolled(0, 1),
    )
    assert told(match, "keep 2 6", "roll") == (DiceThrown(0, 2),)


def test_dice_set_aside_are_told_one_by_one() -> None:
    assert told(turn(active="2 5 5 6", own="farmer"), "keep 2 5") == (DieSetAside(0, 2), DieSetAside(0, 5))


@pytest.mark.parametrize(
    "character, face",
    [("laborer", 1), ("guard", 2), ("hunter", 3), ("pawnbroker", 4), ("knight", 5), ("bishop", 6)],
)
def test_a_character_that_adds_a_die_tells_its_face_but_not_before_the_first_roll(
    character: str, face: int
) -> None:
    match = turn(character, active="2 5 5")
    assert told(match, f"use {character}") == (CharacterUsed(0, character), DieAdded(0, face))  # type: ignore[arg-type]
    assert told(turn(character), f"use {character}")[1] == DieAdded(0, None)


def test_the_queen_tells_the_face_that_was_named() -> None:
    best = {"seat": 1, "count": 7, "face": 3}
    match = turn("queen", "1 2 3", courts=["king"], final="king", best=best, starter=1)
    assert told(match, "use queen 4") == (CharacterUsed(0, "queen"), DieAdded(0, 4))
    match = turn("queen", courts=["king"], final="king", phase="final", best=best, starter=1)
    assert told(match, "use queen") == (CharacterUsed(0, "queen"), DieAdded(0, None))


def test_re_rolled_dice_tell_what_they_showed_and_what_they_show() -> None:
    match = turn("fool merchant", active="2 5 6")
    assert told(match, "use fool 6", "3") == (CharacterUsed(0, "fool"), DieRerolled(0, 6), DieRolled(0, 3))
    assert told(match, "use merchant 2 3", "1", "4") == (
        CharacterUsed(0, "merchant"),
        DieRerolled(0, 2),
        DieRerolled(0, 3),
        DieRolled(0, 1),
        DieRolled(0, 4),
    )


@pytest.mark.parametrize(
    "action, changes",
    [
        ("maid 2+3", [(2, 5)]),
        ("philosopher 5-1>2", [(5, 4), (2, 3)]),
        ("philosopher 2-1>5", [(2, 1), (5, 6)]),
        ("astronomer 2=1", [(2, 1)]),
        ("magician 2=6", [(2, 6)]),
        ("lady 2 5", [(2, 3), (5, 6)]),
        ("nobleman 2 2", [(2, 4), (2, 4)]),
        ("alchemist 2 5 = 3 4", [(2, 3), (5, 4)]),
        ("alchemist 2 5 5 = 4 4 4", [(2, 4), (5, 4), (5, 4)]),
    ],
)
def test_changed_dice_tell_their_faces_before_and_after(action: str, changes: list[tuple[int, int]]) -> None:
    character = action.split(maxsplit=1)[0]
    match = turn(f"{character} farmer charlatan charlatan", active="2 2 5 5 6", aside="1")
    used, *others = told(match, f"use {action}")
    assert used == CharacterUsed(0, character)  # type: ignore[arg-type]
    assert others == [DieChanged(0, origin, target) for origin, target in changes]


def test_a_character_taken_is_told_with_the_result_that_won_it_over() -> None:
    assert told(turn(aside="2 2 2"), "take guard") == (CharacterTaken(0, "guard", [2, 2, 2]),)
    assert told(turn("fool", aside="1 2 4"), "take charlatan") == (CharacterTaken(0, "charlatan", [1, 2, 4]),)
    match = turn(SEVEN, aside="2 2 2 2 2 2 2")
    assert told(match, "take king") == (CharacterTaken(0, "king", [2] * 7),)
    assert told(turn(aside="1 2 4"), "take none") == (NobodyTaken(0),)


def test_the_final_round_tells_every_result_and_whose_the_king_is() -> None:
    match = turn(
        SEVEN,
        courts=["", "", f"{SEVEN} king queen"],
        final="king",
        phase="final",
        best={"seat": 3, "count": 7, "face": 2},
    )
    assert told(match, "roll", "3 3 3 3 3 3 3", "keep 3 3 3 3 3", "keep 3 3") == (
        DieSetAside(0, 3),
        DieSetAside(0, 3),
        FinalResult(0, [3] * 7, 7, 3, True),
        KingMoved(3, 0),
    )
    assert told(match, "roll", "6 6 5", "keep 5 6 6")[3:] == (FinalResult(1, [5, 6, 6], 2, 6, False),)
    assert told(match, "pass") == (TurnPassed(2),)
    assert told(match, "use queen", "roll", "3 3 3 3 3 3 3 1", "keep 1 3 3 3 3 3 3 3")[8:] == (
        FinalResult(3, [1, *[3] * 7], 7, 3, True),
        KingMoved(0, 3),
    )


def test_without_a_king_the_final_round_moves_none() -> None:
    match = turn("", final="rounds", phase="final", round=41)
    assert told(match, "roll", "3 3 1", "keep 1 3 3")[3:] == (FinalResult(0, [1, 3, 3], 2, 3, True),)


def test_as_data_a_change_goes_from_one_face_to_another() -> None:
    match = turn("maid", active="2 5 6")
    assert msgspec.to_builtins(told(match, "use maid 2+3")[1]) == {
        "type": "die_changed",
        "seat": 0,
        "from": 2,
        "to": 5,
    }

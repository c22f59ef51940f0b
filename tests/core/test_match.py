"""A match as a Python object: begun, appended to, looked at where it was, copied, compared and printed."""

from __future__ import annotations

import copy
import pickle

import pytest

from driving import finished, walk
from probe import GAME as PROBE
from regalia import (
    CHANCE,
    IllegalAction,
    Match,
    MatchOver,
    NotationError,
    NotYourTurn,
    Record,
    SetupError,
    StaleAction,
)
from regalia.core.chance import SECURE, Seeded
from regalia.core.transcript import Header, split_outcomes
from regalia.core.viewers import EVERYTHING, SPECTATOR


def in_turn(seed: int = 1) -> Match:
    """The probe, played by hand, at the turn of seat 1 with dice 4 4 6."""
    match = Match.new(PROBE, chance="manual")
    match.play(CHANCE, "c1 c2 c1 c3 c2 c3 c1 c3")
    for seat, stake in enumerate((1, 3, 2, 3)):
        match.play(seat, f"stake {stake}")
    match.play(CHANCE, "4 4 6")
    return match


def after_a_card_each() -> Match:
    match = Match.new("rose_king", seed=7)
    for seat in range(2):
        match.play(seat, match.actions(seat)[0])
    return match


def everything_of(match: Match) -> object:
    earlier = [(rest.states.tobytes(), rest.fixed) for rest in match._earlier]
    sealed = [record.sealed for record in match.records]
    return match.state_bytes(), match.records[:], match.log[:], earlier, match._fixed, sealed


# --- Draws ---


def test_what_a_copy_draws_changes_nothing_for_the_original() -> None:
    match = after_a_card_each()
    twin, other = match.copy(), match.copy()
    card = twin.play(0, "draw").outcomes
    twin.play(1, "draw")
    assert match.play(0, "draw").outcomes == other.play(0, "draw").outcomes == card


def test_a_copy_of_a_copy_goes_on_alone_too() -> None:
    source = Seeded(3)
    first = source.copy()
    second = first.copy()
    drawn = [[one.below(1000, "card") for _ in range(5)] for one in (second, source, first)]
    assert drawn[0] == drawn[1] == drawn[2]
    assert SECURE.copy() is SECURE


def test_a_refused_list_of_outcomes_leaves_what_can_be_taken_back() -> None:
    match = in_turn()
    match.play(1, "reroll 4 6")
    before = match.state_bytes(), match.records[:], match.log[:]
    with pytest.raises(NotationError):
        match.play(CHANCE, "1 7")
    assert (match.state_bytes(), match.records, match.log) == before
    assert match.can_undo(1)
    assert match.undo(1).ply == 5


# --- Beginning and appending ---


@pytest.mark.parametrize("seed", range(3))
def test_a_match_appended_record_by_record_is_the_same_match(seed: int) -> None:
    for game in (PROBE, Match.find("rose_king"), Match.find("long_live_the_king")):
        match = finished(game, game.seats[0], seed)
        again = Match.begin(match.header, "manual")
        for record in match:
            assert again.append(record) == record
        assert again == match
        assert [rest.fixed for rest in again._earlier] == [rest.fixed for rest in match._earlier]


def test_appending_draws_nothing_whatever_the_source() -> None:
    match = after_a_card_each()
    by_hand = Match.replay(match.transcript(), chance="manual")
    by_hand.play(0, "draw")
    drawn = match.copy().play(0, "draw").outcomes[0]
    card = next(card for card in by_hand.actions(CHANCE) if card != drawn)
    next_draw = match.copy().source.below(1000, "card")
    assert match.append(Record(0, "draw", (card,))).outcomes == (card,)
    assert match.source.below(1000, "card") == next_draw


@pytest.mark.parametrize(
    "record, error",
    [
        (Record(1, "reroll 4 6"), NotationError),
        (Record(1, "reroll 4 6", ("1",)), NotationError),
        (Record(1, "reroll 4 6", ("1", "2", "3")), NotationError),
        (Record(1, "reroll 4 6", ("1", "7")), NotationError),
        (Record(1, "reroll 4 6", ("1", "?")), NotationError),
        (Record(1, "mark 4", ("1",)), NotationError),
        (Record(1, "mark 5"), IllegalAction),
        (Record(1, ""), NotationError),
        (Record(0, "mark 4"), NotYourTurn),
        (Record(CHANCE, "1"), NotYourTurn),
        (Record(None, "", ("c1",)), NotationError),
        (Record(None, "mark 4"), NotationError),
    ],
)
def test_a_record_that_does_not_fit_is_refused_and_nothing_has_changed(
    record: Record, error: type[Exception]
) -> None:
    match = in_turn()
    match.play(1, "mark 6")
    match.undo(1)
    before = everything_of(match)
    with pytest.raises(error):
        match.append(record)
    assert everything_of(match) == before


def test_the_last_record_of_a_sealed_choice_is_appended_whole_or_not_at_all() -> None:
    match = Match.new(PROBE, chance="manual")
    match.play(CHANCE, "c1 c2 c1 c3 c2 c3 c1 c3")
    for seat, stake in ((3, 3), (1, 3), (2, 2)):
        match.append(Record(seat, f"stake {stake}"))
    before = everything_of(match)
    with pytest.raises(NotationError, match="missing"):
        match.append(Record(0, "stake 1", ("4", "4")))
    assert everything_of(match) == before
    match.append(Record(0, "stake 1", ("4", "4", "6")))
    assert [record.seat for record in match] == [None, 0, 1, 2, 3]
    assert match == in_turn()


def test_a_header_says_how_a_match_begins() -> None:
    match = Match.begin(Header("rose_king", 1, 2, {}), Seeded(7))
    assert match == Match.new("rose_king", seed=7)
    assert match.header == Header("rose_king", 1, 2, {"dice_by_hand": "false"} if match.options else {})
    assert Match.begin(match.header, "manual").actors == (CHANCE,)
    begun = Match.from_position("rose_king", match.position())
    assert Match.begin(begun.header) == begun
    with pytest.raises(NotationError, match="version 9"):
        Match.begin(Header("rose_king", 9, 2, {}))
    with pytest.raises(SetupError):
        Match.begin(Header("no_such_game", 1, 2, {}))


def test_outcomes_are_one_text_each_however_they_are_read() -> None:
    assert split_outcomes(" seat 1  6 5 N1 red blue province 12 x2 ?") == (
        "seat 1", "6", "5", "N1", "red", "blue", "province 12", "x2", "?"
    )  # fmt: skip
    assert split_outcomes("") == ()


# --- What is legal, who refused ---


def test_an_action_is_legal_exactly_if_play_accepts_it() -> None:
    match = in_turn()
    assert match.is_legal(1, "MARK  4")
    assert not match.is_legal(1, "mark 5")
    assert not match.is_legal(0, "mark 4")
    assert not match.is_legal(1, "")
    assert not match.is_legal(CHANCE, "1")
    before = everything_of(match)
    match.play(1, "reroll 4")
    assert match.is_legal(CHANCE, "1")
    assert not match.is_legal(CHANCE, "7")
    assert not match.is_legal(CHANCE, "1 1")
    match.undo(1)
    del match.log[-2:]
    assert everything_of(match) == before


def test_a_refusal_says_who_was_refused_at_which_ply() -> None:
    match = in_turn()
    attempts = [
        (1, lambda: match.play(1, "mark 5")),
        (0, lambda: match.play(0, "mark 4")),
        (1, lambda: match.play(1, "mark 4", ply=2)),
        (1, lambda: match.append(Record(1, "mark 5"))),
        (0, lambda: match.undo(0)),
    ]
    for seat, attempt in attempts:
        with pytest.raises((IllegalAction, NotYourTurn, StaleAction)) as caught:
            attempt()
        assert (caught.value.seat, caught.value.ply) == (seat, 5)
    over = finished(PROBE, 4, 3)
    with pytest.raises(MatchOver) as ended:
        over.play(2, "end")
    assert (ended.value.seat, ended.value.ply) == (2, over.ply)
    assert over.is_over
    assert not match.is_over


# --- Going back ---


@pytest.mark.parametrize("seed", range(2))
def test_a_match_can_be_had_as_it_stood_at_every_ply(seed: int) -> None:
    for game in (PROBE, Match.find("long_live_the_king"), Match.find("carolus_magnus")):
        match = finished(game, game.seats[-1], seed)
        again = Match.begin(match.header, "manual")
        for ply, (record, moment) in enumerate(zip(match.records, match.moments(), strict=True), 1):
            again.append(record)
            if again.actors == (CHANCE,):
                again.play(CHANCE, " ".join(record.outcomes))
            assert moment.ply == ply
            assert moment == again
            assert [one.sealed for one in moment] == [one.sealed for one in again]
            assert [moment.can_undo(seat) for seat in range(4)] == [again.can_undo(seat) for seat in range(4)]
            assert moment.view(0) == again.view(0)


def test_moments_are_matches_of_their_own() -> None:
    match = in_turn()
    match.play(1, "mark 4")
    before = everything_of(match)
    early = match.at(1)
    for seat in (3, 2, 1, 0):
        early.play(seat, early.actions(seat)[0])
    assert match.at(match.ply) == match
    assert [moment.ply for moment in match.moments(2, 4)] == [2, 3, 4]
    assert everything_of(match) == before
    for ply in (0, match.ply + 1, -1):
        with pytest.raises(SetupError, match=r"1 to 6"):
            match.at(ply)


def test_an_analyst_can_go_back_to_any_ply_and_the_log_says_so() -> None:
    match = in_turn()
    match.play(1, "reroll 4 6")
    match.play(CHANCE, "1 1")
    match.play(1, "mark 1")
    with pytest.raises(SetupError):
        match.back_to(9)
    entry = match.back_to(3)
    assert (entry.ply, entry.outcomes) == (3, 5)
    assert match.log[-1] == entry
    assert match.actors == (2, 3)
    assert [record.sealed for record in match] == [False, True, True]
    assert not match.can_undo(1)
    for seat, stake in ((3, 3), (2, 2)):
        match.play(seat, f"stake {stake}")
    match.play(CHANCE, "4 4 6")
    assert match == in_turn()


def test_who_took_nothing_back_has_no_right_to_it_when_another_did() -> None:
    match = Match.new("rose_king", seed=1)
    match.play(0, match.actions(0)[0])
    match.play(1, match.actions(1)[0])
    match.undo(1)
    assert not match.can_undo(0)


def test_a_redealt_match_has_no_past_that_could_tell() -> None:
    world = in_turn().redeal(1, 5)
    assert world.at(world.ply) == world
    with pytest.raises(SetupError):
        world.at(1)
    world.play(1, "mark 4")
    assert world.at(5).ply == 5
    assert world.undo(1).ply == 5
    choosing = in_turn().at(3).redeal(0, 5)
    for seat in choosing.actors:
        choosing.play(seat, choosing.actions(seat)[0])
    with pytest.raises(SetupError, match="5 to 5"):
        choosing.at(4)


# --- As a Python object ---


def test_matches_are_equal_if_they_began_and_went_alike() -> None:
    match = in_turn()
    assert match == in_turn()
    assert match != Match.new(PROBE, chance="manual")
    assert match != "a match"
    assert Match.from_position(PROBE, match.position()).state_bytes() == match.state_bytes()
    assert Match.from_position(PROBE, match.position()) != match
    with pytest.raises(TypeError):
        hash(match)


def test_copies_and_pickles_are_the_same_match_and_go_on_alike() -> None:
    started = next(match for match in walk(PROBE, 4, 5) if match.ply == 4)
    for match in (started, Match.from_position(PROBE, in_turn().position(), seed=3)):
        for twin in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
            assert twin == match
            assert twin.game is match.game
            assert list(twin.moments()) == list(match.moments())
            while twin.actors:
                twin.play(twin.actors[0], twin.actions(twin.actors[0])[0])
            assert twin != match
            again = match.copy()
            while again.actors:
                again.play(again.actors[0], again.actions(again.actors[0])[0])
            assert again == twin


def test_a_match_says_in_a_line_where_it_stands() -> None:
    match = Match.new(PROBE, chance="manual")
    assert repr(match) == "<Match probe, ply 1, chance to act>"
    match.play(CHANCE, "c1 c2 c1 c3 c2 c3 c1 c3")
    assert repr(match) == "<Match probe, ply 1, seats 0, 1, 2, 3 to act>"
    assert repr(in_turn()) == "<Match probe, ply 5, seat 1 to act>"
    over = finished(PROBE, 4, 3)
    assert repr(over) == f"<Match probe, ply {over.ply}, over>"


def test_a_match_prints_its_position_a_field_or_a_row_of_the_board_a_line() -> None:
    lines = str(Match.new("rose_king", seed=1)).split("\n")
    assert lines[:3] == ["game: rose_king", "rules: 1", "seats: 2"]
    board = lines.index("board:")
    assert [len(line) for line in lines[board + 1 : board + 10]] == [len(lines[board + 1])] * 9
    assert "dice: [0,0,0,2,0,1]" in str(in_turn()).split("\n")


# --- Positions in a line ---


def test_a_position_is_a_line_that_can_be_read_again() -> None:
    match = in_turn()
    text = match.position_text()
    assert text.startswith('probe rules=1 seats=4 target=5 {"phase":"turn","rounds":0,')
    assert "\n" not in text
    again = Match.from_position(PROBE, text)
    assert again.state_bytes() == match.state_bytes()
    assert again.position_text() == text
    assert '"hands":[[null,null,null],[0,1,0]' not in text


@pytest.mark.parametrize(
    "old, new",
    [
        ("probe ", ""),
        ("probe ", "rose_king "),
        ("rules=1 ", ""),
        ("rules=1", "rules=2"),
        ("seats=4", "seats=four"),
        ("seats=4", "seats=3"),
        ("target=5", "target=7"),
        ("target=5", "no_such=7"),
        ('{"phase"', '["phase"'),
        ('"rounds":0', '"rounds":null'),
        ("}", ""),
    ],
)
def test_a_line_that_is_no_position_is_refused(old: str, new: str) -> None:
    with pytest.raises((NotationError, SetupError)):
        Match.from_position(PROBE, in_turn().position_text().replace(old, new, 1))
    with pytest.raises(NotationError):
        Match.from_position(PROBE, "")
    with pytest.raises(NotationError):
        Match.from_position(PROBE, "probe rules=1 seats=4 target=5 " + "[" * 100_000)


# --- Who looks ---


def test_nobody_named_sees_what_a_spectator_sees() -> None:
    match = in_turn()
    assert match.view() == match.view(None) == match.view(SPECTATOR)
    assert match.position(None) == match.position(SPECTATOR) != match.position()
    assert match.transcript(None) == match.transcript(SPECTATOR) != match.transcript()
    assert match.position(SPECTATOR)["hands"] == [[None] * 3] * 4
    assert match.position_text(None) == match.position_text(SPECTATOR) != match.position_text(EVERYTHING)
    with pytest.raises(NotationError):
        Match.from_position(PROBE, match.position(1))


def test_everything_can_be_looked_at_and_has_no_seat() -> None:
    match = in_turn()
    view = match.view(EVERYTHING)
    assert (view["you"], view["actions"]) == (None, [])
    assert view["hands"] == match.position()["hands"]
    assert match.transcript(EVERYTHING) == match.transcript()
    assert match.redeal(EVERYTHING, 5).state_bytes() == match.state_bytes()
    assert match.records[0].seen_by(EVERYTHING) is match.records[0]
    for wrong in (4, -1, True, "0"):
        with pytest.raises(SetupError):
            match.view(wrong)  # type: ignore[arg-type]


def test_a_hidden_start_prints_with_nulls_for_those_who_may_not_know_it() -> None:
    begun = Match.from_position(PROBE, in_turn().position(), seed=1)
    hands = {
        viewer: begun.header_for(viewer).start["hands"]  # type: ignore[index]
        for viewer in (SPECTATOR, None, 1, EVERYTHING)
    }
    unknown = [None] * 3
    assert hands[SPECTATOR] == hands[None] == [unknown] * 4
    assert hands[1] == [unknown, [1, 0, 0], unknown, unknown]
    assert None not in hands[EVERYTHING][0]
    assert '"hands":[[null,null,null],[null' in begun.transcript(SPECTATOR)
    with pytest.raises(NotationError):
        Match.replay(begun.transcript(SPECTATOR))

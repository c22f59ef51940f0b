"""What the records of Long Live the King tell."""

from __future__ import annotations

from typing import Any

import pytest

from games.long_live_the_king.table import play, table
from games.long_live_the_king.test_dispute import BOARD, entered, rolled, staked
from games.long_live_the_king.test_election import BOARD as AREAS
from games.long_live_the_king.test_election import before_election, crowned, last_card
from regalia import Match
from regalia.core.effects import Effect
from regalia.core.viewers import EVERYTHING, SPECTATOR, Viewer
from regalia.games.long_live_the_king.effects import (
    BonusGained,
    CardDealt,
    CardsReclaimed,
    CourtierPlaced,
    CourtiersReturned,
    DealBegun,
    DiceRolled,
    DiePut,
    DisputeOpened,
    DisputeTied,
    DisputeWon,
    ElectionHeld,
    FavourPaid,
    FavourRolled,
    KingElected,
    NobleBanished,
    NobleMoved,
    NobleReturned,
    Pair,
    PlacesDecided,
    Scored,
    Stake,
    StakesDiscarded,
    StakeSealed,
    StakesRevealed,
    StartDealt,
    Stopped,
    TieRolled,
    Votes,
)

pytestmark = pytest.mark.plain

EQUAL = "0 Tateshale 1, 1 Wigemor 1, 2 Oxeneford 1, 3 Sarisberie 1"  # 4 votes each for three of them


def told(match: Match, viewer: Viewer = SPECTATOR) -> list[Effect]:
    """Of the last record, but for the votes, which have a test of their own."""
    return [effect for effect in match.effects(match.ply - 1, viewer) if not isinstance(effect, Scored)]


def picked(match: Match, *kinds: type[Effect]) -> list[Effect]:
    return [effect for effect in told(match) if isinstance(effect, kinds)]


# --- A turn ---


@pytest.mark.clause("LK-4", "LK-5")
def test_the_set_up_tells_the_start_areas_and_who_is_first() -> None:
    match = Match.new("long_live_the_king", seats=3, seed=2)
    areas = match.records[0].outcomes
    assert told(match) == [
        StartDealt(seat, area, area == "Rouecestre")  # type: ignore[arg-type]
        for seat, area in enumerate(areas)
    ]
    assert told(match)[match.view()["turn"]].is_first  # type: ignore[attr-defined]


@pytest.mark.clause("LK-73")
def test_the_votes_are_told_as_soon_as_they_change() -> None:
    match = play(table(4), "move Stadford")
    assert match.effects(match.ply - 1)[-1] == Scored(match.view(SPECTATOR)["total_votes"])
    play(match, "place")
    assert not any(isinstance(effect, Scored) for effect in match.effects(match.ply - 1))


@pytest.mark.clause("LK-10", "LK-30")
def test_a_free_move_and_a_free_courtier_are_told() -> None:
    match = play(table(4), "move Stadford")
    assert told(match) == [NobleMoved(0, "Tateshale", "Stadford", True)]
    assert told(play(match, "place")) == [CourtierPlaced(0, "Stadford", True)]
    assert told(play(match, "end")) == [Stopped(0, None)]


@pytest.mark.clause("LK-20", "LK-30")
def test_a_favour_roll_for_a_courtier_tells_card_die_and_what_came_of_it() -> None:
    match = play(table(4), "place", "roll x1")
    paid = FavourPaid(0, "x1", "Tateshale", False)
    assert told(match) == [paid]
    assert told(play(match, "3")) == [
        paid,
        FavourRolled(0, "x1", "Tateshale", False, 3, True),
        CourtierPlaced(0, "Tateshale", False),
    ]
    match = play(table(4), "place", "roll x1", "2")
    assert told(match) == [paid, FavourRolled(0, "x1", "Tateshale", False, 2, False)]


@pytest.mark.clause("LK-20", "LK-33")
def test_a_favour_roll_to_move_on_tells_where_to_and_whether_the_noble_went() -> None:
    match = play(table(4), "move Stadford", "move Lincolia x2", "1")
    paid = FavourPaid(0, "x2", "Lincolia", True)
    assert told(match) == [paid, FavourRolled(0, "x2", "Lincolia", True, 1, False)]
    assert told(play(match, "move Lincolia x2", "2")) == [
        paid,
        FavourRolled(0, "x2", "Lincolia", True, 2, True),
        NobleMoved(0, "Stadford", "Lincolia", False),
    ]


# --- A dispute ---


@pytest.mark.clause("LK-40", "LK-50")
def test_a_noble_in_a_foreign_area_opens_a_dispute() -> None:
    assert told(entered()) == [
        NobleMoved(0, "Stadford", "Wigemor", True),
        DisputeOpened(0, 1, "Wigemor", "Stadford"),
    ]
    match = play(table(4, areas=BOARD), "move Tateshale", "move Wigemor x3", "1")
    assert told(match)[2:] == [
        NobleMoved(0, "Tateshale", "Wigemor", False),
        DisputeOpened(0, 1, "Wigemor", "Tateshale"),
    ]


@pytest.mark.clause("LK-51")
def test_a_sealed_stake_tells_its_cards_to_its_owner_alone_until_all_have_chosen() -> None:
    match = play(entered(), "2: stake x2 x1")
    ply = match.ply - 1
    for viewer in (SPECTATOR, 0, 1, 3):
        assert match.effects(ply, viewer) == (StakeSealed(2, "Wigemor", None),)
    for viewer in (2, EVERYTHING):
        assert match.effects(ply, viewer) == (StakeSealed(2, "Wigemor", ["x1", "x2"]),)
    play(match, "0: stake x1", "1: stake x1", "3: stake x1")
    stakes = [match.effects(ply + seat)[0] for seat in range(4)]
    assert stakes[2] == StakeSealed(2, "Wigemor", ["x1", "x2"])


@pytest.mark.clause("LK-51", "LK-52", "LK-53")
def test_the_last_stake_tells_all_of_them_with_what_each_adds() -> None:
    hands = ["34 20 2", "12 7 0", "0 0 0", "2 1 1"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4])
    play(match, "3: stake x3", "1: stake x1 x2", "0: stake x1 x1")
    assert told(match) == [
        StakeSealed(3, "Wigemor", ["x3"]),
        StakesRevealed(
            [Stake(0, ["x1", "x1"], 2), Stake(1, ["x2", "x1"], 6), Stake(2, [], 0), Stake(3, ["x3"], 0)]
        ),
    ]


@pytest.mark.clause("LK-52", "LK-54")
def test_a_roll_tells_which_die_lies_on_which_card_and_the_last_one_who_wins() -> None:
    match = staked("x1 x2 x3", "x1", "x1", "x1")
    assert told(play(match, "4", "6"))[2:] == []
    first = DiceRolled(0, [6, 4, 2], [Pair("x3", 6), Pair("x2", 4), Pair("x1", 2)], 2 + 18 + 8 + 2)
    assert told(play(match, "2"))[2:] == [first]
    assert told(play(match, "6", "5", "4"))[2:] == [
        first,
        DiceRolled(1, [6], [Pair("x1", 6)], 12),
        DiceRolled(2, [5], [Pair("x1", 5)], 5),
        DiceRolled(3, [4], [Pair("x1", 4)], 4),
        DisputeWon(0, "Wigemor", 30),
        CourtiersReturned(1, "Wigemor", 2),
    ]


@pytest.mark.clause("LK-54")
def test_a_tie_tells_who_roll_again() -> None:
    match = rolled("5", "3", "6", "2", nobles={1: "Man"})
    assert told(match)[-1] == DisputeTied([0, 1], 7)
    play(match, "1", "2")
    assert told(match)[-3:] == [
        DiceRolled(0, [1], [Pair("x1", 1)], 3),
        DiceRolled(1, [2], [Pair("x1", 2)], 6),
        DisputeTied([1, 2], 6),
    ]
    play(match, "1", "4")
    assert told(match)[-1] == DisputeWon(1, "Wigemor", 5)


@pytest.mark.clause("LK-54")
def test_one_without_dice_shares_a_tie_but_does_not_roll_again() -> None:
    hands = ["38 21 2", "0 0 0", "2 1 1", "6 6 0"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4])
    play(match, "0: stake x1", "2: stake x1", "3: stake x1", "4", "6", "1")
    assert told(match)[-1] == DisputeTied([0, 2], 6)


@pytest.mark.clause("LK-52")
def test_dice_by_hand_are_rolled_first_and_told_as_they_are_put() -> None:
    match = play(staked("x1 x2 x3", "x1", "x1", "x1", dice_by_hand=True), "4 4 6")
    assert told(match)[2:] == [DiceRolled(0, [6, 4, 4], [], 2)]
    play(match, "dice 4>x3 6>x2 4>x1")
    assert told(match) == [
        DiePut(0, "Wigemor", "x3", 4, 14),
        DiePut(0, "Wigemor", "x2", 6, 26),
        DiePut(0, "Wigemor", "x1", 4, 30),
    ]
    for _ in range(3):
        play(match, "1", "dice 1>x1")
    assert told(match) == [
        DiePut(3, "Wigemor", "x1", 1, 1),
        DisputeWon(0, "Wigemor", 30),
        CourtiersReturned(1, "Wigemor", 2),
    ]


# --- Its outcome ---


@pytest.mark.clause("LK-60", "LK-62")
def test_a_defender_who_wins_keeps_the_courtiers_and_banishes() -> None:
    match = rolled("1", "6", "1", "1")
    assert told(match)[-1] == DisputeWon(1, "Wigemor", 12)
    assert told(play(match, "banish Stadford")) == [NobleBanished(1, 0, "Wigemor", "Stadford")]
    assert told(play(match, "place")) == [CourtierPlaced(1, "Wigemor", True)]
    assert told(play(match, "roll x1")) == [FavourPaid(1, "x1", "Wigemor", False)]
    assert told(play(match, "3", "end")) == [
        Stopped(1, "Wigemor"),
        StakesDiscarded(["x1", "x1", "x1", "x1"]),
    ]


@pytest.mark.clause("LK-61", "LK-62")
def test_a_third_party_banishes_the_defender_then_the_intruder() -> None:
    match = rolled("1", "1", "6 6", "1", stakes=("x1", "x1", "x1 x1", "x1"))
    assert told(match)[-2:] == [DisputeWon(2, "Wigemor", 12), CourtiersReturned(1, "Wigemor", 2)]
    assert told(play(match, "banish Man")) == [NobleBanished(2, 1, "Wigemor", "Man")]
    assert told(play(match, "banish Stadford")) == [NobleBanished(2, 0, "Wigemor", "Stadford")]


@pytest.mark.clause("LK-61")
def test_a_lone_noble_leaves_no_courtiers_to_return() -> None:
    match = rolled("6", "1", "1", "1", areas=BOARD.replace("1 Wigemor 2", "1 Wigemor 0"))
    assert told(match)[-1] == DisputeWon(0, "Wigemor", 8)


@pytest.mark.clause("LK-62")
def test_an_intruder_with_nowhere_to_go_returns_at_once_or_after_the_defenders_noble() -> None:
    areas = BOARD.replace("0 Stadford 1", "0 Stadford 0")
    match = rolled("1", "6", "1", "1", areas=areas)
    back = NobleReturned(0, "Wigemor", "Stadford")
    assert told(match)[-2:] == [DisputeWon(1, "Wigemor", 12), back]
    match = rolled("1", "1", "6 6", "1", stakes=("x1", "x1", "x1 x1", "x1"), areas=areas)
    assert back not in told(match)
    assert told(play(match, "banish Man")) == [NobleBanished(2, 1, "Wigemor", "Man"), back]


@pytest.mark.clause("LK-64")
def test_cards_taken_back_and_those_discarded_are_told() -> None:
    stakes = ("x1 x1 x2", "x1", "x1 x3", "x2")
    match = play(rolled("6 6 1", "2", "1 1", "2", stakes=stakes), "banish Man")
    assert told(play(match, "end")) == [Stopped(0, "Wigemor")]
    assert told(play(match, "reclaim 1")) == [CardsReclaimed(0, "Wigemor", ["x1"])]
    none = play(match.copy(), "reclaim 0")
    assert told(none) == [
        CardsReclaimed(2, "Wigemor", []),
        StakesDiscarded(["x1", "x1", "x1", "x2", "x2", "x3"]),
    ]
    assert told(play(match, "reclaim 2")) == [
        CardsReclaimed(2, "Wigemor", ["x1", "x3"]),
        StakesDiscarded(["x1", "x1", "x2", "x2"]),
    ]


# --- Elections ---


@pytest.mark.clause("LK-70", "LK-71", "LK-72", "LK-73", "LK-74", "LK-76", "LK-80")
def test_an_election_tells_votes_bonus_and_the_deal() -> None:
    match = last_card(bonus=[1, 2, 3, 4])
    assert told(match) == [
        Stopped(0, None),
        ElectionHeld(
            2,
            20,
            [
                Votes(0, 14, 4, 10, 1, 11, 0),
                Votes(1, 9, 0, 9, 2, 11, 20),
                Votes(2, 5, 0, 5, 3, 8, 20),
                Votes(3, 2, 0, 2, 4, 6, 20),
            ],
        ),
        BonusGained(0, 1, 4),
        BonusGained(1, 2, 3),
        BonusGained(2, 3, 2),
        BonusGained(3, 4, 1),
        DealBegun(5),
    ]


@pytest.mark.clause("LK-80")
def test_a_card_dealt_is_told_to_who_gets_it() -> None:
    match = play(last_card(), "x1", "x2", "x1")
    faces: dict[Viewer, list[str | None]] = {
        SPECTATOR: [None] * 3,
        0: [None] * 3,
        1: ["x1", None, None],
        2: [None, "x2", None],
        EVERYTHING: ["x1", "x2", "x1"],
    }
    for viewer, cards in faces.items():
        dealt = [effect for effect in told(match, viewer) if isinstance(effect, CardDealt)]
        assert [(effect.seat, effect.card) for effect in dealt] == list(zip((1, 2, 3), cards, strict=True))


@pytest.mark.clause("LK-33", "LK-70")
def test_a_failed_roll_with_the_last_card_ends_the_turn_with_an_election() -> None:
    match = play(table(4, areas=AREAS, hands=["1 0 0"]), "move Stadford", "move Oxeneford x1", "1")
    assert told(match)[1] == FavourRolled(0, "x1", "Oxeneford", True, 1, False)
    assert isinstance(told(match)[2], ElectionHeld)


@pytest.mark.clause("LK-64", "LK-70")
def test_an_election_after_a_dispute_is_told_with_its_last_card_taken_back() -> None:
    areas = AREAS + ", 3 Rouecestre 1"
    match = play(table(4, areas=areas, hands=["2 0 0"], nobles={0: "Lundonia"}), "move Rouecestre")
    play(match, "stake x1 x1", "stake x1", "stake x1", "stake x1", "1 6", "2", "2", "2", "end", "reclaim 0")
    reclaimed, discarded, held, *_ = told(match)
    assert reclaimed == CardsReclaimed(0, "Rouecestre", [])
    assert discarded == StakesDiscarded(["x1"] * 5)
    assert isinstance(held, ElectionHeld)
    assert [votes.cards for votes in held.votes] == [0, 19, 19, 19]


@pytest.mark.clause("LK-76", "LK-77", "LK-82", "LK-83")
def test_dice_decide_the_order_of_equals_and_nothing_is_dealt_from_a_pile_too_small() -> None:
    match = play(table(3, quiet=59), "end", "1 1 1 1 1", "2 1 1 1 1", "2 1 1 1")
    rolls: list[Effect] = [TieRolled("bonus", 0, 5), TieRolled("bonus", 1, 6)]
    assert told(match)[2:] == rolls
    play(match, "1")  # 6 again: seats 1 and 2 roll once more
    rolls.append(TieRolled("bonus", 2, 6))
    assert told(match)[2:] == rolls
    play(match, "1 1 1 1 1", "6 6 6 6 6")
    assert told(match)[2:] == [
        *rolls,
        TieRolled("bonus", 1, 5),
        TieRolled("bonus", 2, 30),
        BonusGained(2, 1, 3),
        BonusGained(1, 2, 2),
        BonusGained(0, 3, 1),
    ]


@pytest.mark.clause("LK-75", "LK-78")
def test_a_king_and_the_places_behind_are_told_without_bonus_votes() -> None:
    match = crowned(AREAS, [6, 12, 10, 12])
    assert told(match)[2:] == [KingElected(0), PlacesDecided([1, 2, 3, 4])]


@pytest.mark.clause("LK-75", "LK-77", "LK-78")
def test_dice_for_the_crown_and_for_the_places_are_told_apart() -> None:
    match = crowned(EQUAL, [16, 16, 16, 12], None, "1 1 1 1 2", "6 6 6 6 6", "6 6 6 6 6")
    play(match, "1 1 1 1 1", "1 1 1 1 2")
    king = KingElected(2)
    assert told(match)[-1] == king
    play(match, "3 3 3 3 3", "4 3 3 3 3")
    assert picked(match, TieRolled, KingElected, PlacesDecided) == [
        TieRolled("crown", 0, 6),
        TieRolled("crown", 1, 30),
        TieRolled("crown", 2, 30),
        TieRolled("crown", 1, 5),
        TieRolled("crown", 2, 6),
        king,
        TieRolled("ranking", 0, 15),
        TieRolled("ranking", 1, 16),
        PlacesDecided([3, 2, 1, 4]),
    ]


@pytest.mark.clause("LK-83")
def test_a_quiet_election_is_told_too() -> None:
    words: dict[str, Any] = {"hands": ["11 7 1"] * 4}
    match = play(before_election(AREAS, **words), "end")
    assert [type(effect) for effect in told(match)] == [
        Stopped,
        ElectionHeld,
        *[BonusGained] * 4,
        DealBegun,
    ]

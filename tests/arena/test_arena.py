"""The arena: fair fixtures, honest intervals, the same results again, and nothing lost when it is stopped."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

import driving  # noqa: F401 - registers the games
from regalia import GAMES, SetupError
from regalia.arena import report
from regalia.arena.contest import Contest, Plan, play_fixture
from regalia.arena.figures import FEWEST_DEALS, decided_by_deals, rate, share_of, superiority_of, wilson
from regalia.arena.play import KeyedDraws, Played, play_match
from regalia.arena.ratings import Meeting, meetings, rate_bots
from regalia.arena.run import run
from regalia.arena.schedule import Fixture, fixtures
from regalia.arena.workers import InProcess, ProcessPool, RayCluster
from regalia.bots import opponent


def tiny(**changes: object) -> Plan:
    given: dict[str, object] = {"game": "rose_king", "bots": ("page", "random"), "matches": 4, **changes}
    return Plan.of(**given)  # type: ignore[arg-type]


# --- Fixtures ---


def test_every_pairing_meets_in_every_seat_with_the_same_draws() -> None:
    found = fixtures(GAMES["rose_king"], ["page", "squire", "random"], 6, 2, 1, {})
    assert len(found) == 3 * 6
    for one, other in (found[at : at + 2] for at in range(0, len(found), 2)):
        assert one.seed == other.seed
        assert one.bots == other.bots[::-1]
    assert [fixture.number for fixture in found] == list(range(18))


def test_at_larger_tables_one_plays_against_copies_of_the_other_and_roles_change() -> None:
    found = fixtures(GAMES["long_live_the_king"], ["knight", "page"], 8, 4, 1, {})
    assert {fixture.bots for fixture in found[:4]} == {
        tuple("knight" if seat == own else "page" for seat in range(4)) for own in range(4)
    }
    assert {fixture.challenger for fixture in found[4:]} == {"page"}


def test_partners_are_one_side() -> None:
    found = fixtures(GAMES["carolus_magnus"], ["knight", "page"], 2, 4, 1, {})
    assert [fixture.bots for fixture in found] == [("knight", "page") * 2, ("page", "knight") * 2]


def test_partners_are_those_of_the_option_and_never_play_against_each_other() -> None:
    plan = Plan.of("carolus_magnus", ["knight", "page"], 2, 4, options={"partners": "01-23"})
    assert [fixture.bots for fixture in plan.fixtures()] == [
        ("knight", "knight", "page", "page"),
        ("page", "page", "knight", "knight"),
    ]
    assert plan.sides == (0, 0, 1, 1)


def test_draws_are_named_by_seed_kind_and_ordinal() -> None:
    one, other = KeyedDraws(5), KeyedDraws(5)
    dice = [one.below(6, "die") for _ in range(50)]
    mixed = []
    for _ in range(50):
        other.below(3, "card")
        mixed.append(other.below(6, "die"))
    assert dice == mixed
    assert set(dice) == set(range(6))
    assert [KeyedDraws(6).below(1000, "die")] != [KeyedDraws(5).below(1000, "die")]


# --- Figures ---


def test_wilsons_interval_has_its_known_values() -> None:
    low, high = wilson(0.7, 100)
    assert (round(low, 3), round(high, 3)) == (0.604, 0.781)
    assert wilson(1.0, 20)[1] == 1.0
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_a_shared_victory_is_divided() -> None:
    assert share_of((1, 1, 3), (0, 1, 2), 0) == 0.5
    assert share_of((1, 2, 1, 2), (0, 1, 0, 1), 0) == 1.0
    assert share_of((1, 2), (0, 1), 1) == 0.0


def test_shared_luck_saves_variance_where_luck_decides() -> None:
    """Each deal is won from one side whoever sits there: half of every pair, and all variance is saved."""
    lucky = rate((deal, float(side)) for deal in range(50) for side in (0, 1))
    assert lucky.share == 0.5
    assert lucky.saved == pytest.approx(1.0)
    rng = random.Random(1)
    skill = rate((deal, float(rng.random() < 0.7)) for deal in range(400) for _ in (0, 1))
    assert abs(skill.saved) < 0.2
    assert skill.low < 0.7 < skill.high


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    rng = random.Random(2)
    covered = 0
    for _ in range(400):
        found = rate((deal, float(rng.random() < 0.7)) for deal in range(40) for _ in (0, 1))
        covered += found.low <= 0.7 <= found.high
    assert 0.9 <= covered / 400 <= 0.99


def made_up(rng: random.Random, truth: float, luck: float) -> Iterator[tuple[int, float]]:
    """Two matches a deal; in some deals luck decides both, so that they are far from independent."""
    for deal in range(800):
        decides = rng.random() < luck
        first = float(rng.random() < truth)
        yield deal, first
        yield deal, first if decides else float(rng.random() < truth)


@pytest.mark.parametrize("luck", [0.0, 0.6], ids=["independent", "clustered"])
def test_the_sequential_test_on_deals_is_seldom_wrong(luck: float) -> None:
    rng = random.Random(3)

    def verdict(truth: float) -> str | None:
        played: list[tuple[object, float]] = []
        for number, match in enumerate(made_up(rng, truth, luck)):
            played.append(match)
            if number % 16 == 15 and (said := decided_by_deals(played, 0.45, 0.55)):
                return said
        return None

    assert sum(verdict(0.45) == "above" for _ in range(150)) <= 0.07 * 150
    assert sum(verdict(0.55) == "below" for _ in range(150)) <= 0.07 * 150
    assert sum(verdict(0.65) == "above" for _ in range(40)) >= 39


def test_the_sequential_test_waits_for_whole_deals() -> None:
    wins: list[tuple[object, float]] = [(deal, 1.0) for deal in range(FEWEST_DEALS) for _ in (0, 1)]
    assert decided_by_deals(wins, 0.45, 0.55) == "above"
    assert decided_by_deals(wins[:-1], 0.45, 0.55) is None
    assert decided_by_deals([(deal, 0.0) for deal, _ in wins], 0.45, 0.55) == "below"
    assert decided_by_deals([], 0.45, 0.55) is None


def test_who_ranks_above_whom_is_fair_at_one_half_at_any_table() -> None:
    assert superiority_of((1, 2), (0, 1), 0) == 1
    assert superiority_of((2, 1, 2, 4), (0, 1, 2, 3), 0) == pytest.approx(0.5)
    assert superiority_of((1, 2, 1, 2), (0, 1, 0, 1), 1) == 0
    for ranks in ((1, 2, 3), (1, 1, 3), (1, 1, 1)):
        assert sum(superiority_of(ranks, (0, 1, 2), side) for side in range(3)) == pytest.approx(1.5)


def test_ratings_find_known_strengths_within_their_intervals() -> None:
    rng = random.Random(4)
    truth = {"a": 200.0, "b": 50.0, "c": -250.0}
    found = []
    for deal in range(600):
        one, other = rng.sample(sorted(truth), 2)
        chance = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
        found.append(Meeting(deal, one, other, float(rng.random() < chance), 1.0))
    ratings = {rating.bot: rating for rating in rate_bots(tuple(truth), found)}
    assert list(ratings) == ["a", "b", "c"]
    for bot, elo in truth.items():
        assert ratings[bot].low - 30 < elo < ratings[bot].high + 30
        assert ratings[bot].high - ratings[bot].low < 120


def test_the_unbeaten_stay_finite() -> None:
    ratings = rate_bots(("a", "b"), [Meeting(deal, "a", "b", 1.0, 1.0) for deal in range(10)])
    assert all(math.isfinite(rating.elo) for rating in ratings)
    assert ratings[0].elo > 200


def test_a_match_of_several_sides_counts_once() -> None:
    found = meetings(1, ("a", "b", "b", "b"), (1, 2, 3, 4), (0, 1, 2, 3))
    assert sum(meeting.of for meeting in found) == pytest.approx(1.0)
    assert sum(meeting.won for meeting in found) == pytest.approx(1.0)
    teams = meetings(1, ("a", "b", "a", "b"), (2, 1, 2, 1), (0, 1, 0, 1))
    assert [(meeting.one, meeting.won) for meeting in teams] == [("a", 0.0)]


# --- Contests ---


def test_a_match_of_bots_is_the_same_for_the_same_seed() -> None:
    game = GAMES["rose_king"]
    bots = [opponent(GAMES["rose_king"], "page"), opponent(GAMES["rose_king"], "random")]
    one, other = (play_match(game, bots, 9) for _ in range(2))
    assert (one.ranks, one.points, one.decisions) == (other.ranks, other.points, other.decisions)
    assert one.reason in ("stones", "blocked")


def same(one: Contest, other: Contest) -> bool:
    """Everything but the thinking time."""
    rows = [
        [(n, p.ranks, p.points, p.decisions, p.simulations) for n, p in sorted(c.played.items())]
        for c in (one, other)
    ]
    return rows[0] == rows[1]


class Stopping:
    """Plays some matches, then the keyboard stops it."""

    def __init__(self, after: int) -> None:
        self.after = after

    def play(self, plan: Plan, left: Sequence[Fixture]) -> Iterator[tuple[int, Played]]:
        for fixture in left[: self.after]:
            yield play_fixture(plan, fixture)
        raise KeyboardInterrupt


def test_stopped_and_started_again_it_goes_on_where_it_was(tmp_path: Path) -> None:
    plan, path = tiny(), tmp_path / "results.json"
    whole = Contest(plan)
    assert run(whole, InProcess())
    stopped = Contest.open(plan, path)
    assert not run(stopped, Stopping(3))
    again = Contest.open(plan, path)
    assert len(again.played) == 3
    told: list[tuple[int, int]] = []
    assert run(again, InProcess(), lambda played, total: told.append((played, total)))
    assert told == [(4, 4)]
    assert same(whole, Contest.open(plan, path))


@pytest.mark.slow
def test_processes_give_the_same_results_as_one() -> None:
    here, there = Contest(tiny()), Contest(tiny())
    run(here, InProcess())
    run(there, ProcessPool(2))
    assert same(here, there)


@pytest.mark.parametrize(
    "game, seats, matches",
    [
        ("carolus_magnus", 4, 4),
        ("court_the_king", 3, 3),
        ("long_live_the_king", 4, 4),
        ("long_live_the_king", 5, 5),
    ],
)
def test_tables_of_every_size_and_teams_are_rated(game: str, seats: int, matches: int) -> None:
    contest = Contest(tiny(game=game, seats=seats, matches=matches))
    assert run(contest, InProcess())
    sides = 2 if game == "carolus_magnus" else seats
    assert {fixture.side for fixture in contest.all} == set(range(sides))
    assert report.fair_share(contest) == pytest.approx(1 / sides)
    best, worst = contest.ratings()
    assert best.low <= best.elo <= best.high
    assert best.elo == pytest.approx(-worst.elo)
    assert contest.habits()["page"]["ms"] > 0
    (found,) = contest.rates().values()
    assert found.low <= found.share <= found.high


WORKERS = """
import sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from regalia.arena.workers import belong_to_the_parent
if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=belong_to_the_parent)
    assert pool.submit(abs, -1).result() == 1
    pool.submit(time.sleep, 600)
    print("at work", flush=True)
    time.sleep(600)
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(WORKERS, "utf-8")
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "at work\n"
    parent.kill()
    parent.communicate(
        timeout=60
    )  # the pipe has an end only when the worker, which writes there too, is gone


@pytest.mark.slow
def test_a_ray_cluster_gives_the_same_results() -> None:
    pytest.importorskip("ray", reason="the extra “ray” is not installed")
    here, there = Contest(tiny()), Contest(tiny())
    run(here, InProcess())
    run(there, RayCluster("local"))
    assert same(here, there)


def test_without_ray_a_cluster_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SetupError, match="extra “ray” is needed") as error:
        RayCluster("auto")
    assert "\n" not in str(error.value)


def test_a_file_of_another_contest_or_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    contest = Contest(tiny(), path)
    contest.save()
    with pytest.raises(SetupError, match="another contest"):
        Contest.open(tiny(seed=2), path)
    with pytest.raises(SetupError, match="4 matches per pairing"):
        Contest.open(tiny(matches=6), path)
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "format": 99}))
    with pytest.raises(SetupError, match="another version"):
        Contest.open(tiny(), path)
    path.write_text(json.dumps({**stored, "plan": {**stored["plan"], "version": 0}}))
    with pytest.raises(SetupError, match="another version"):
        Contest.open(tiny(), path)
    stored["plan"]["opponents"]["page"]["simulations"] += 1
    path.write_text(json.dumps(stored))
    with pytest.raises(SetupError, match="another version"):
        Contest.open(tiny(), path)
    for text in ("", "[]", "{}", "no json", '{"format": 1, "plan": {}, "results": {"1": {"ranks": 3}}}'):
        path.write_text(text)
        with pytest.raises(SetupError, match="not a file of the arena"):
            Contest.open(tiny(), path)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"bots": ("page",)}, "two different bots"),
        ({"bots": ("page", "page")}, "two different bots"),
        ({"bots": ("page", "nobody")}, "no bot called nobody"),
        ({"matches": 0}, "more than zero"),
        ({"budget_s": 0.0}, "more than zero"),
        ({"seats": 5}, "not for 5 players"),
        ({"game": "chess"}, "no game called chess"),
        ({"options": {"speed": "fast"}}, "no option called speed"),
    ],
)
def test_bad_input_is_one_clear_line(changes: dict[str, object], words: str) -> None:
    with pytest.raises(SetupError, match=words) as error:
        tiny(**changes)
    assert "\n" not in str(error.value)


def test_the_report_says_what_was_found_in_every_language(tmp_path: Path) -> None:
    contest = Contest(tiny())
    run(contest, InProcess())
    found = report.summary(contest)
    assert found["played"] == 4
    assert found["pairings"][0]["matches"] == 4
    assert found["bots"]["page"]["simulations"] > 0
    assert json.loads(json.dumps(found)) == found
    for language, word in (("en", "Challenger"), ("de", "Herausforderer"), ("nl", "Uitdager")):
        report.write(contest, tmp_path / language, language)
        text = (tmp_path / language / "report.md").read_text("utf-8")
        assert word in text
        assert "page | random" in text
        assert json.loads((tmp_path / language / "summary.json").read_text("utf-8")) == found
        for name in ("ratings.svg", "shares.svg"):
            assert f"]({name})" in text
            picture = ElementTree.parse(tmp_path / language / name).getroot()
            assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        assert "{" not in text

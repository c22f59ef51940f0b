"""The review: its parts add up, luck is fair, decisions are judged by what was known, and every form of it reads."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from math import factorial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

import regalia
from driving import TABLES, at_random, finished, name_of, walk
from regalia import GAMES, Game, Match, NotationError, RegaliaError, SetupError
from regalia.bots import choose
from regalia.cli import app
from regalia.core.chance import Seeded
from regalia.core.transcript import Record
from regalia.locale import LANGUAGES
from regalia.study import levels
from regalia.study.decisions import Decision, marked
from regalia.study.history import History, history_of
from regalia.study.levels import Level
from regalia.study.luck import Luck, all_outcomes
from regalia.study.pieces import finish
from regalia.study.review import PARTS, Review, review
from regalia.study.rollouts import Rollouts
from regalia.study.value import sides_of, value

TINY = Level(simulations=16, runs=8, most_outcomes=60, samples=8)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(levels.LEVELS, "tiny", TINY)


def by_policy(match: Match, seat: int, rng: random.Random) -> str:
    """Random play of some games takes long to come to an end."""
    return choose(match, seat, "squire", rng.randrange(1 << 30), simulations=8).action


def a_match(game: Game, seats: int, seed: int) -> Match:
    return finished(game, seats, seed, at_random if game.id != "court_the_king" else by_policy)


@pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
def test_the_parts_of_every_side_add_up_to_its_result(game: Game, seats: int) -> None:
    match = a_match(game, seats, 3)
    made = review(match, level="tiny")
    assert match.outcome is not None
    assert len(made.values) == match.ply + 1
    for number, side in enumerate(made.sides):
        parts = sum(getattr(side, part) for part in PARTS)
        assert side.start + parts == pytest.approx(side.result, abs=1e-9)
        assert side.own <= 1e-12
        assert side.start == made.values[0].share[number]
        assert (side.result > 0) == (match.outcome.ranks[side.seats[0]] == 1)
    for parts_together in (("luck",), ("own", "others"), ("rest",)):  # what one side gains others lose
        total = sum(getattr(side, part) for side in made.sides for part in parts_together)
        assert total == pytest.approx(0, abs=1e-4)
    assert len(made.turning_points) <= 5
    assert all(one.ply < other.ply for one, other in pairwise(made.turning_points))


def test_a_reviews_own_terms_are_what_the_parts_are_made_of() -> None:
    """Luck from its events, and what is not explained from value to value; not as what is left over."""
    made = review(a_match(GAMES["rose_king"], 2, 5), level="tiny")
    own, rest = 0.0, made.values[1].share[0] - made.values[0].share[0]
    rest -= sum(event.by_side[0] for event in made.luck if event.ply == 0)
    decisions = {decision.ply: decision for decision in made.decisions}
    for ply in range(1, len(made.values) - 1):
        after = made.values[ply + 1].share[0] - sum(e.by_side[0] for e in made.luck if e.ply == ply)
        if ply in decisions:
            own += decisions[ply].change[0] if decisions[ply].seat == 0 else 0.0
            rest += after - decisions[ply].share[0] + decisions[ply].best_share[0] - made.values[ply].share[0]
        else:
            rest += after - made.values[ply].share[0]
    assert made.sides[0].luck == pytest.approx(sum(event.by_side[0] for event in made.luck), abs=1e-9)
    assert made.sides[0].own == pytest.approx(own, abs=1e-9)
    assert made.sides[0].rest == pytest.approx(rest, abs=1e-9)


# --- Luck ---


def test_a_roll_is_compared_with_every_roll_by_its_exact_odds() -> None:
    """Seven dice have 792 results, each as likely as its dice can fall."""
    game = GAMES["court_the_king"]
    states = game.engine.start(2, {})
    game.engine.apply(states, 7, 0)
    states["in_hand"] = 7
    game.engine.apply(states, 0, 0)
    found = finish(all_outcomes(game.engine, states, 800))
    assert found is not None
    ends, odds = found
    assert len(ends) == len(odds) == 792
    for end, chance in zip(ends, odds, strict=True):
        ways = factorial(7)
        for number in end["active"].tolist():
            ways //= factorial(number)
        assert chance == pytest.approx(ways / 6**7, rel=1e-12)
    assert finish(all_outcomes(game.engine, states, 791)) is None


@pytest.mark.parametrize("name", ["rose_king", "carolus_magnus", "court_the_king", "long_live_the_king"])
@pytest.mark.parametrize("is_bad", [False, True], ids=["tuned", "bad"])
def test_luck_has_mean_nothing_also_with_a_bad_valuation(name: str, is_bad: bool) -> None:
    """Over the rolls of some matches; a bad valuation is one whose weights are turned round."""
    game = GAMES[name]
    lucks = []
    for seed in range(4):
        match = a_match(game, game.seats[0], seed)
        history = history_of(match)
        rollouts = Rollouts(game, sides_of(match).mates)
        if is_bad:
            rollouts.weights = -2.0 * rollouts.weights
        luck = Luck(game, history.sides, rollouts, replace(TINY, runs=64, samples=32))
        events = [event for moment in history.moments for event in moment.events][:120]
        lucks += [finish(luck.of(event, history.looker)) for event in events]
    found = np.array(lucks)
    error = found.std(0, ddof=1) / np.sqrt(len(found))
    assert len(found) > 60
    assert found.std() > 1e-4
    assert (np.abs(found.mean(0)) <= 3.5 * error).all()
    assert np.abs(found.sum(1)).max() < 1e-6


# --- Decisions ---


def test_a_win_that_was_let_go_is_marked() -> None:
    """A seat that can end a match of Carolus Magnus as its winner, and does otherwise."""
    for seed in range(40):
        for match in walk(GAMES["carolus_magnus"], 2, seed):
            if not match.actors or match.phase != "emperor":
                continue
            seat = match.actors[0]
            ends = {}
            for action in match.actions(seat):
                after = match.copy()
                after.play(seat, action)
                ends[action] = after
            won = [
                action for action, after in ends.items() if after.outcome and after.outcome.ranks[seat] == 1
            ]
            others = [
                action
                for action, after in ends.items()
                if not after.outcome and value(after, simulations=100, seed=1).share[seat] < 0.6
            ]
            if won and others:
                made = lose_from(ends[others[0]])
                decision = next(one for one in made.decisions if one.ply == match.ply)
                assert decision.best in won
                assert decision.mark is not None
                assert decision.loss == pytest.approx(1 - decision.share[seat], abs=1e-6)
                return
    pytest.fail("no such position met")


def lose_from(match: Match) -> Review:
    rng = random.Random(1)
    while match.actors:
        match.play(match.actors[0], at_random(match, match.actors[0], rng))
    return review(match, level="glance")


def test_a_mark_needs_the_threshold_and_certainty() -> None:
    plain = Decision(1, 0, "a", "b", 0.12, 0.01, None, (0.4, 0.6), (0.52, 0.48), (0.01, 0.01))
    assert marked(plain, 2).mark == "mistake"
    assert marked(plain, 5).mark == "blunder"  # with five sides an even share is 20 points, not 50
    assert marked(replace(plain, loss=0.06), 2).mark == "doubtful"
    assert marked(replace(plain, loss=0.04), 2).mark is None
    assert marked(replace(plain, error=0.06), 2).mark is None
    assert marked(replace(plain, is_sealed=True), 2).mark is None
    assert marked(replace(plain, is_sealed=True, loss=0.2), 2).mark == "blunder"


# --- What a seat knew ---


def other_histories(match: Match, viewer: int, count: int) -> list[Match]:
    """Matches that the viewer cannot tell from this one: cards dealt face down to others are exchanged."""
    rng = random.Random(3)
    found: list[Match] = []
    known = {match.transcript()}
    for _ in range(20 * count):
        other = Match.begin(match.header, "manual")
        try:
            for record in match.records:
                other.append(Record(record.seat, record.action, exchanged(record, viewer, rng)))
        except RegaliaError:
            continue
        if other.transcript() not in known:
            known.add(other.transcript())
            found.append(other)
        if len(found) == count:
            break
    return found


def exchanged(record: Record, viewer: int, rng: random.Random) -> tuple[str, ...]:
    """Up to three pairs of cards change hands: more, and somebody would later play a card they do not hold."""
    hidden = [at for at, receiver in enumerate(record.receivers) if receiver not in (None, viewer)]
    outcomes = list(record.outcomes)
    for _ in range(rng.randint(0, 3) if hidden else 0):
        one, other = rng.choice(hidden), rng.choice(hidden)
        outcomes[one], outcomes[other] = outcomes[other], outcomes[one]
    return tuple(outcomes)


def as_bytes(history: History) -> list[bytes]:
    parts = [history.end.tobytes(), history.transcript.encode(), repr(history.records).encode()]
    for moment in history.moments:
        parts.append(moment.seen.tobytes())
        if moment.choice is not None:
            parts += [moment.choice.seen.tobytes(), repr(moment.choice.path).encode()]
        for event in moment.events:
            parts += [event.before.tobytes(), event.after.tobytes(), event.text.encode()]
    return parts


def a_match_with_deals() -> Match:
    for seed in range(60):
        match = finished(GAMES["long_live_the_king"], 3, seed)
        if any(receiver is not None for record in match.records for receiver in record.receivers):
            return match
    raise AssertionError("no deal met")


@pytest.mark.parametrize("count", [12, pytest.param(1000, marks=pytest.mark.long)])
def test_a_review_as_you_knew_it_is_the_same_whatever_the_others_held(count: int) -> None:
    """All that such a review is made from is equal byte by byte; and so is the review, while the open one differs."""
    match = a_match_with_deals()
    worlds = other_histories(match, 0, count)
    assert len(worlds) == count
    told = as_bytes(history_of(match, 0))
    openly = as_bytes(history_of(match))
    for world in worlds:
        assert as_bytes(history_of(world, 0)) == told
        assert as_bytes(history_of(world)) != openly
    made = [review(one, view=0, level="tiny") for one in (match, worlds[0])]
    assert json.dumps(made[0].data()) == json.dumps(made[1].data())
    assert (made[0].html(), made[0].annotated()) == (made[1].html(), made[1].annotated())
    assert {decision.seat for decision in made[0].decisions} == {0}
    assert made[0].view == 0
    opened = [review(one, level="tiny").data() for one in (match, worlds[0])]
    assert opened[0] != opened[1]
    assert opened[0]["view"] == "open"
    for side in made[0].sides:
        assert side.start + sum(getattr(side, part) for part in PARTS) == pytest.approx(side.result, abs=1e-9)


# --- Its forms ---

KEYS = {
    "sides": {"seats", "start", "result", "luck", "own", "others", "rest"},
    "values": {"ply", "share", "error", "points", "exact"},
    "decisions": {"ply", "seat", "played", "best", "loss", "error", "mark"},
    "luck": {"ply", "text", "by_side"},
}


def test_a_review_reads_in_every_form(tmp_path: Path) -> None:
    match = a_match(GAMES["carolus_magnus"], 3, 2)
    made = regalia.review(match, level="tiny")
    assert made == regalia.review(match, level="tiny")
    data = json.loads(json.dumps(made.data()))
    more = {"game", "seats", "level", "version", "turning_points", "kingmakers", "view"}
    assert set(data) == {*KEYS, *more}
    for name, keys in KEYS.items():
        assert data[name]
        assert all(set(one) == keys for one in data[name])
    assert [value["ply"] for value in data["values"]] == list(range(match.ply + 1))
    again = Match.replay(made.annotated())
    assert again == match
    assert made.annotated().count("# ") == match.ply
    for language in LANGUAGES:
        ElementTree.fromstring(made.svg(language))
        assert f'<html lang="{language}">' in made.html(language)
    assert "<svg" in made._repr_html_()


def test_the_command_reviews_a_file(tmp_path: Path) -> None:
    match = a_match(GAMES["rose_king"], 2, 2)
    file = tmp_path / "match.txt"
    file.write_text(match.transcript(), "utf-8")
    page, graph, text = (tmp_path / name for name in ("page.html", "graph.svg", "remarks.txt"))

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["review", str(file), *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    made = review(match, level="tiny")
    assert json.loads(run("--level", "tiny", "--json")) == json.loads(json.dumps(made.data()))
    told = run("--level", "tiny", "--lang", "de")
    assert "Rückblick" in told
    assert "Glück" in told
    run("--level", "tiny", "--html", str(page), "--svg", str(graph), "--annotated", str(text), "--lang", "nl")
    assert page.read_text("utf-8") == made.html("nl")
    ElementTree.fromstring(graph.read_text("utf-8"))
    assert Match.replay(text.read_text("utf-8")) == match


def test_what_cannot_be_reviewed_is_refused(tmp_path: Path) -> None:
    match = a_match(GAMES["rose_king"], 2, 2)
    with pytest.raises(SetupError, match="still being played"):
        review(Match.new("rose_king", seed=1))
    with pytest.raises(SetupError, match="no level called deepest"):
        review(match, level="deepest")
    with pytest.raises(SetupError, match="no seat 2"):
        review(match, view=2)
    with pytest.raises(NotationError, match="version"):
        Match.replay(match.transcript().replace("rules 1", "rules 99"))
    for name, text in (
        ("running", Match.new("rose_king", chance=Seeded(1)).transcript()),
        ("rules", match.transcript().replace("rules 1", "rules 99")),
        ("cut", match.transcript()[:200]),
    ):
        file = tmp_path / name
        file.write_text(text, "utf-8")
        result = CliRunner().invoke(app, ["review", str(file)])
        assert result.exit_code == 2
        assert result.stdout == ""
        assert len(result.stderr.strip().split("\n")) == 1

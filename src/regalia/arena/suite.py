"""The suite: one bot from outside against frozen baselines, with a result that anyone can check.

A result holds what the bot answered, match by match. Baselines play by simulations and draws follow from the seeds, so
the matches can be played again from it without the bot: who doubts a result does that (`check`).
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

from regalia.arena.contest import Contest, Plan
from regalia.arena.entrant import Entrant, Fault, command_of
from regalia.arena.figures import rate, share_of, superiority_of
from regalia.arena.play import KeyedDraws, Played
from regalia.arena.schedule import Fixture, sides_of
from regalia.bots.decision import decide
from regalia.bots.opponents import BOTS, VERSION, opponent
from regalia.bots.search import Budget
from regalia.core.errors import RegaliaError, SetupError
from regalia.core.game import Game
from regalia.core.match import Match

SUITE = 1  # raised with whatever changes results
TRACKS = ("search", "learning", "language", "exploiter")
BASELINES = ("page", "squire", "knight", "duke")
DEALS = 100
LIMIT_S = 10.0
ENTRY = "entry"  # how the bot is called in fixtures
MOST_DECISIONS = 20_000


@dataclass(frozen=True)
class Logged(Played):
    """A match of the suite, with all that is needed to play it again."""

    answers: tuple[str, ...] = ()  # of the bot
    fault: str = ""  # what it lost by
    digest: str = ""  # of the transcript


@dataclass(frozen=True)
class SuitePlan:
    """One game at one table against some baselines."""

    game: str
    entry: str  # a Python file, a command, or the name of a bot
    seats: int
    baselines: tuple[str, ...] = BASELINES
    deals: int = DEALS
    seed: int = 1
    limit_s: float = LIMIT_S  # for each decision
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        game: str,
        entry: str,
        seats: int | None = None,
        baselines: Sequence[str] = BASELINES,
        deals: int = DEALS,
        seed: int = 1,
        limit_s: float = LIMIT_S,
        options: Mapping[str, object] | None = None,
    ) -> SuitePlan:
        """A checked plan."""
        rules = Match.find(game)
        players = rules.checked_seats(seats)
        if not deals > 0:
            raise SetupError("bots.error.matches", matches=deals)
        if not (limit_s > 0 and math.isfinite(limit_s)):
            raise SetupError("bots.error.budget", budget=limit_s)
        if not baselines or len({*baselines}) < len(baselines):
            raise SetupError("suite.error.baselines", allowed=", ".join(BOTS))
        for name in baselines:
            opponent(rules, name)
        if entry not in BOTS:
            command_of(entry)
        checked = rules.checked_options(players, options)
        return cls(rules.id, entry, players, tuple(baselines), deals, seed, limit_s, checked)

    @property
    def matches(self) -> int:
        return self.deals

    @property
    def rules(self) -> Game:
        return Match.find(self.game)

    @property
    def sides(self) -> tuple[int, ...]:
        return sides_of(self.rules, self.seats, self.options)

    def fixtures(self) -> list[Fixture]:
        """Each deal with the bot on every side in turn; deals are shared by all baselines."""
        found: list[Fixture] = []
        for baseline in self.baselines:
            for deal in range(self.deals):
                for side in range(max(self.sides) + 1):
                    seated = tuple(ENTRY if own == side else baseline for own in self.sides)
                    found.append(Fixture(len(found), ENTRY, baseline, side, seated, self.seed + deal))
        return found

    def play(self, fixture: Fixture) -> Logged:
        if self.entry in BOTS:
            named = tuple(self.entry if bot == ENTRY else bot for bot in fixture.bots)
            return Table(self, fixture, named).play()
        with Entrant(command_of(self.entry), self.limit_s) as entrant:
            return Table(self, fixture, fixture.bots, entrant).play()

    def play_again(self, fixture: Fixture, logged: Logged) -> Logged:
        """From what the bot answered then."""
        return Table(self, fixture, fixture.bots, Recording(logged)).play()

    def as_json(self) -> dict[str, Any]:
        """With everything that the results depend on."""
        names = {name: asdict(opponent(self.rules, name)) for name in self.baselines}
        plan = {
            **asdict(self),
            "matches": self.matches,
            "suite": SUITE,
            "rules": self.rules.rules,
            "bots": VERSION,
            "opponents": names,
        }
        data: dict[str, Any] = json.loads(json.dumps(plan))
        return data


class SuiteContest(Contest):
    """What was played of a plan, and the file that keeps it meanwhile."""

    kind = Logged

    @classmethod
    def of(cls, plan: SuitePlan, path: Path) -> SuiteContest:
        """As `open`; a plan of the suite has all of it but ratings."""
        return cast("SuiteContest", cls.open(cast("Plan", plan), path))

    @property
    def logged(self) -> dict[int, Logged]:
        return cast("dict[int, Logged]", self.played)


class Recording:
    """A bot's answers as they were logged."""

    def __init__(self, logged: Logged) -> None:
        self._answers, self._fault = list(logged.answers), logged.fault

    def choose(self, _match: Match, _seat: int, _number: int) -> str:
        if not self._answers:
            raise Fault(self._fault or "missing")
        return self._answers.pop(0)


class Table:
    """One match: the bot is shown views; baselines search; draws are those of the deal."""

    def __init__(
        self,
        plan: SuitePlan,
        fixture: Fixture,
        bots: Sequence[str],
        entrant: Entrant | Recording | None = None,
    ) -> None:
        self.plan, self.fixture, self.bots, self.entrant = plan, fixture, bots, entrant
        self.match = Match.new(plan.rules, plan.seats, options=plan.options, chance=KeyedDraws(fixture.seed))

    def play(self) -> Logged:
        seats, match = self.plan.seats, self.match
        decisions, simulations, seconds = [0] * seats, [0] * seats, [0.0] * seats
        answers: list[str] = []
        fault = ""
        for number in range(MOST_DECISIONS):
            if match.is_over or fault:
                break
            seat = match.actors[0]
            began = time.perf_counter()
            decisions[seat] += 1
            if self.fixture.bots[seat] == ENTRY and self.entrant is not None:
                try:
                    action = self.entrant.choose(match, seat, self.fixture.number)
                    match.play(seat, action)
                except Fault as error:
                    fault = str(error)
                except RegaliaError:  # of a recording that was tampered with
                    fault = "illegal"
                else:
                    answers.append(action)
            else:
                simulations[seat] += self._baseline(seat, number, answers)
            seconds[seat] += time.perf_counter() - began
        ranks, points = self._reckoning(fault)
        reason = fault or match.engine.reasons[int(match._states["reason"][0])]
        digest = hashlib.sha256(match.transcript().encode()).hexdigest()[:16]
        return Logged(
            ranks, points, reason, tuple(decisions), tuple(seconds), tuple(simulations), (),
            tuple(answers), fault, digest,
        )  # fmt: skip

    def _baseline(self, seat: int, number: int, answers: list[str]) -> int:
        match = self.match
        who = opponent(match.game, self.bots[seat])
        seen = match.seen(seat)
        seed = self.fixture.seed * 100_003 + number
        decision = decide(match.game, seen, seat, who, seed, Budget(who.simulations or None))
        action = match.engine.notation.write(decision.path, seen[0], seat)
        match.play(seat, action)
        if self.fixture.bots[seat] == ENTRY:
            answers.append(action)
        return decision.simulations

    def _reckoning(self, fault: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who loses by a fault comes last; the others share the victory."""
        if not fault:
            outcome = self.match.outcome
            assert outcome is not None, "a match of more than MOST_DECISIONS"
            return outcome.ranks, outcome.points
        sides = self.plan.sides
        count = len(sides) - sides.count(self.fixture.side)
        ranks = tuple(1 + count if own == self.fixture.side else 1 for own in sides)
        return ranks, (0,) * len(ranks)


# --- Results ---


def result_of(plan: SuitePlan, played: Mapping[int, Logged], track: str, name: str) -> dict[str, Any]:
    """What is written and handed in: figures, the log, and a digest of all of it but the times."""
    if track not in TRACKS:
        raise SetupError("suite.error.track", track=track, allowed=", ".join(TRACKS))
    log = [
        {
            "number": number,
            "ranks": list(played[number].ranks),
            "points": list(played[number].points),
            "fault": played[number].fault,
            "answers": list(played[number].answers),
            "digest": played[number].digest,
        }
        for number in sorted(played)
    ]
    said = {**plan.as_json(), "entry": name, "track": track}
    result = {"plan": said, "figures": figures(plan, log), "log": log}
    return {**result, "digest": digest_of(result)}


def figures(plan: SuitePlan, log: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Superiority over all baselines is the score; by baseline likewise, with shares and faults."""
    fixtures = {fixture.number: fixture for fixture in plan.fixtures()}
    rows: dict[str, Any] = {}
    above_all: list[tuple[object, float]] = []
    for baseline in plan.baselines:
        mine = [(fixtures[row["number"]], row) for row in log if fixtures[row["number"]].field == baseline]
        above = [(one.seed, superiority_of(row["ranks"], plan.sides, one.side)) for one, row in mine]
        shares = [(one.seed, share_of(row["ranks"], plan.sides, one.side)) for one, row in mine]
        above_all += above
        faults = [row["fault"] for _, row in mine if row["fault"]]
        rows[baseline] = {
            "superiority": asdict(rate(above)),
            "share": asdict(rate(shares)),
            "faults": {fault: faults.count(fault) for fault in sorted({*faults})},
        }
    data: dict[str, Any] = json.loads(json.dumps({"superiority": asdict(rate(above_all)), "against": rows}))
    return data


def digest_of(result: Mapping[str, Any]) -> str:
    """Of everything but the digest itself, whatever the order of keys."""
    rest = {key: value for key, value in result.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def row_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """What the leaderboard shows of a result."""
    plan, score = result["plan"], result["figures"]["superiority"]
    return {
        "suite": plan["suite"],
        "game": plan["game"],
        "seats": plan["seats"],
        "track": plan["track"],
        "entry": plan["entry"],
        "superiority": round(score["share"], 4),
        "low": round(score["low"], 4),
        "high": round(score["high"], 4),
        "baselines": plan["baselines"],
        "deals": plan["deals"],
        "seed": plan["seed"],
        "bots": plan["bots"],
        "rules": plan["rules"],
        "digest": result["digest"],
    }


def check(result: object, part: float = 0.05) -> int:
    """Whether a result is true: its digest, its figures, and a part of its matches played again; returns how many."""
    try:
        assert isinstance(result, dict)
        said, log = result["plan"], result["log"]
        keys = ("game", "seats", "baselines", "deals", "seed", "limit_s", "options")
        given = {key: said[key] for key in keys}
        plan = SuitePlan.of(given.pop("game"), "random", **given)
        known = {**plan.as_json(), "entry": said["entry"], "track": said["track"]}
        logged = {int(row["number"]): row for row in log}
        fixtures = plan.fixtures()
    except (AssertionError, KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, RegaliaError):
            raise
        raise SetupError("suite.error.unreadable") from error
    if said != known:
        raise SetupError("suite.error.other_suite")
    if result.get("digest") != digest_of(result):
        raise SetupError("suite.error.digest")
    if [*logged] != [fixture.number for fixture in fixtures] or result["figures"] != figures(plan, log):
        raise SetupError("suite.error.figures")
    # Which matches are played again follows from the digest, so nobody can know it before all are logged.
    order = sorted(fixtures, key=lambda fixture: digest_of({"of": result["digest"], "n": fixture.number}))
    chosen = order[: max(1, round(part * len(order)))]
    for fixture in chosen:
        row = logged[fixture.number]
        kept = Logged((), (), "", (), (), (), (), tuple(row["answers"]), row["fault"], row["digest"])
        again = plan.play_again(fixture, kept)
        if (list(again.ranks), list(again.points), again.fault, again.digest) != (
            row["ranks"],
            row["points"],
            row["fault"],
            row["digest"],
        ):
            raise SetupError("suite.error.match", number=fixture.number)
    return len(chosen)


__all__ = ["BASELINES", "TRACKS", "SuitePlan", "check", "result_of", "row_of"]

"""A contest: its fixtures, what was played of them, and the file that keeps both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from regalia import Match
from regalia.arena.figures import Rate, decided_by_deals, rate, share_of, superiority_of
from regalia.arena.play import Played, play_match
from regalia.arena.ratings import Meeting, Rating, meetings, rate_bots
from regalia.arena.schedule import Fixture, fixtures, sides_of
from regalia.bots.choice import check_budget
from regalia.bots.opponents import VERSION, Opponent, opponent
from regalia.core.errors import SetupError
from regalia.core.game import Game

FORMAT = 1
MARGIN = 0.1  # of the fair share: by so much a bot must be better or worse to be called so


class Playable(Protocol):
    """What workers are given: it knows how a fixture is played, wherever that is."""

    @property
    def rules(self) -> Game: ...

    def play(self, fixture: Fixture) -> Played: ...


@dataclass(frozen=True)
class Plan:
    """What a contest is. Two contests of the same plan have the same fixtures and, by simulations, the same results."""

    game: str
    bots: tuple[str, ...]
    matches: int  # per pairing, rounded up to whole deals
    seats: int
    seed: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    budget_s: float | None = None  # thinking time per decision instead of the bots' simulations

    @classmethod
    def of(
        cls,
        game: str,
        bots: Sequence[str],
        matches: int,
        seats: int | None = None,
        seed: int = 1,
        options: Mapping[str, object] | None = None,
        budget_s: float | None = None,
    ) -> Plan:
        """A checked plan."""
        rules = Match.find(game)
        players = rules.checked_seats(seats)
        check_budget(budget_s, None)
        for bot in bots:
            opponent(rules, bot)
        plan = cls(
            rules.id, tuple(bots), matches, players, seed, rules.checked_options(players, options), budget_s
        )
        plan.fixtures()
        return plan

    def fixtures(self) -> list[Fixture]:
        return fixtures(self.rules, self.bots, self.matches, self.seats, self.seed, self.options)

    @property
    def rules(self) -> Game:
        return Match.find(self.game)

    @property
    def sides(self) -> tuple[int, ...]:
        return sides_of(self.rules, self.seats, self.options)

    def play(self, fixture: Fixture) -> Played:
        bots: list[Opponent] = [opponent(self.rules, bot) for bot in fixture.bots]
        return play_match(self.rules, bots, fixture.seed, self.options, self.budget_s)

    def as_json(self) -> dict[str, Any]:
        """With everything that the results depend on."""
        opponents = {bot: asdict(opponent(self.rules, bot)) for bot in self.bots}
        plan = {**asdict(self), "rules": self.rules.rules, "version": VERSION, "opponents": opponents}
        data: dict[str, Any] = json.loads(json.dumps(plan))
        return data


class Contest:
    kind: type[Played] = Played  # what is kept of a match

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.plan = plan
        self.path = path
        self.all = plan.fixtures()
        self.played: dict[int, Played] = {}

    @classmethod
    def open(cls, plan: Plan, path: Path) -> Contest:
        """Go on with the file's contest if it is of this plan; an unreadable or other one is refused."""
        contest = cls(plan, path)
        if not path.exists():
            return contest
        try:
            stored = json.loads(path.read_text("utf-8"))
            results = {int(number): cls.kind(**tuples(row)) for number, row in stored["results"].items()}
            known = stored["format"], stored["plan"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SetupError("bots.error.file", file=path.name) from error
        mine = plan.as_json()
        if known[0] != FORMAT or {**known[1], "matches": 0} != {**mine, "matches": 0}:
            raise SetupError("bots.error.other_file", file=path.name)
        if known[1]["matches"] != plan.matches:
            raise SetupError("bots.error.other_matches", file=path.name, matches=known[1]["matches"])
        contest.played = results
        return contest

    @property
    def left(self) -> list[Fixture]:
        return [fixture for fixture in self.all if fixture.number not in self.played]

    def add(self, number: int, played: Played) -> None:
        self.played[number] = played

    def save(self) -> None:
        """Whole or not at all, so that a stop in the middle loses nothing."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        rows = {str(number): asdict(self.played[number]) for number in sorted(self.played)}
        text = json.dumps(
            {"format": FORMAT, "plan": self.plan.as_json(), "results": rows}, separators=(",", ":")
        )
        draft = self.path.with_suffix(".tmp")
        draft.write_text(text + "\n", "utf-8")
        draft.replace(self.path)

    # --- What came of it ---

    def results(self) -> Iterable[tuple[Fixture, Played]]:
        return (
            (fixture, self.played[fixture.number]) for fixture in self.all if fixture.number in self.played
        )

    def rates(self) -> dict[tuple[str, str], Rate]:
        """(challenger, field): the challenger's share of the victories."""
        return {pair: rate(shares) for pair, shares in self._by_deals(share_of).items()}

    def superiorities(self) -> dict[tuple[str, str], Rate]:
        """(challenger, field): the part of the others that the challenger ranks above; fair is one half."""
        return {pair: rate(shares) for pair, shares in self._by_deals(superiority_of).items()}

    def verdicts(self, margin: float = MARGIN) -> dict[tuple[str, str], str | None]:
        """(challenger, field): whether the challenger is better ("above") or worse than its fair share by this margin.

        By the sequential test on deals; None: more would have to be played.
        """
        fair = 1 / (max(self.plan.sides) + 1)
        found = self._by_deals(share_of)
        return {
            pair: decided_by_deals(shares, fair * (1 - margin), fair * (1 + margin))
            for pair, shares in found.items()
        }

    def _by_deals(
        self, measure: Callable[[Sequence[int], Sequence[int], int], float]
    ) -> dict[tuple[str, str], list[tuple[object, float]]]:
        """(challenger, field): the deal and what the challenger got by this measure, of each match."""
        found: dict[tuple[str, str], list[tuple[object, float]]] = {}
        for fixture, played in self.results():
            got = measure(played.ranks, self.plan.sides, fixture.side)
            found.setdefault((fixture.challenger, fixture.field), []).append((fixture.deal, got))
        return found

    def ratings(self) -> list[Rating]:
        sides = self.plan.sides
        played_meetings: list[Meeting] = []
        for fixture, played in self.results():
            played_meetings += meetings(fixture.deal, fixture.bots, played.ranks, sides)
        return rate_bots(self.plan.bots, played_meetings)

    def habits(self) -> dict[str, dict[str, float]]:
        """Per bot: mean points, decisions per match; per decision milliseconds, those of the processor, simulations."""
        keys = ("seats", "points", "seconds", "cpu_s", "decisions", "simulations")
        sums = {bot: dict.fromkeys(keys, 0.0) for bot in self.plan.bots}
        for fixture, played in self.results():
            for seat, bot in enumerate(fixture.bots):
                mine = sums[bot]
                mine["seats"] += 1
                for key in keys[1:]:
                    mine[key] += (getattr(played, key) or (0.0,) * len(fixture.bots))[seat]
        return {
            bot: {
                "points": mine["points"] / max(mine["seats"], 1),
                "decisions": mine["decisions"] / max(mine["seats"], 1),
                "ms": 1000 * mine["seconds"] / max(mine["decisions"], 1),
                "cpu_ms": 1000 * mine["cpu_s"] / max(mine["decisions"], 1),
                "simulations": mine["simulations"] / max(mine["decisions"], 1),
            }
            for bot, mine in sums.items()
        }


def tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    """Of a result as JSON keeps it."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def play_fixture(plan: Playable, fixture: Fixture) -> tuple[int, Played]:
    """One match; everything it needs is in its arguments, so it can be played anywhere."""
    return fixture.number, plan.play(fixture)

"""What happens, made from a seed beforehand, and the run of it. The same seed always leads to the same log."""

from __future__ import annotations

import hashlib
import json
import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import probe
from regalia.core.registry import register
from server.simulation import invariants
from server.simulation.clients import Journal, Person, Tab
from server.simulation.cluster import Cluster, Worker
from server.simulation.ports import WRITE_FAULTS
from server.simulation.universe import Universe
from server.simulator import load

register(probe.GAME)

QUIET_S = 60.0  # after the last fault everything has come right
PLANS: list[tuple[str, list[str]]] = [
    ("rose_king", ["human", "open"]),
    ("rose_king", ["human", "open"]),
    ("rose_king", ["human", "bot"]),
    ("rose_king", ["bot", "bot"]),
    ("probe", ["human", "open", "bot", "open"]),
    ("probe", ["human", "bot", "bot", "bot"]),
]
CLOCKS: list[dict[str, Any]] = [
    {},
    {"tempo": "live", "reserve_ms": 40_000, "increment_ms": 3000},
    {"tempo": "live", "reserve_ms": 15_000},
    {"tempo": "turns", "reserve_ms": 60_000, "increment_ms": 5000},
]
# What people do, and how often; then what breaks.
DOINGS = {
    "play": 30, "chat": 8, "play twice": 4, "say again": 3, "undo": 2, "draw": 2, "away": 2, "back": 2, "reload": 3,
    "resign": 1, "rematch": 2, "create": 1, "stranger": 3, "all chat": 4,
}  # fmt: skip
FAULTS = {
    "kill": 3, "freeze": 3, "renew": 1, "store": 5, "bus": 3, "apart": 2, "cut": 3, "vanish": 2, "stall": 1,
    "set clock": 1, "bots": 2, "evict": 1, "all down": 1,
}  # fmt: skip
MOST_FAULT_S = 12.0
FIRST_WITH_ZOMBIES = (
    1000  # from this seed on workers are also stopped so long that others take over, and hear nothing of it
)


@dataclass(frozen=True)
class Step:
    at: float
    what: str
    numbers: tuple[int, int, int]


def plan(seed: int, steps: int = 70, faults: int = 12, lasts_s: float = 45.0) -> list[Step]:
    draw = random.Random(f"plan {seed}")

    def some(kinds: dict[str, int], count: int) -> list[Step]:
        chosen = draw.choices(list(kinds), list(kinds.values()), k=count)
        return [
            Step(
                round(draw.uniform(0, lasts_s), 3),
                kind,
                (draw.getrandbits(20), draw.getrandbits(20), draw.getrandbits(20)),
            )
            for kind in chosen
        ]

    happening = [*some(DOINGS, steps), *some(FAULTS, draw.randint(0, faults))]
    if seed >= FIRST_WITH_ZOMBIES:
        happening += some({"zombie": 1}, 3)
    return sorted(happening, key=lambda step: (step.at, step.what))


@dataclass
class Result:
    seed: int
    events: int = 0
    acks: int = 0
    kills: int = 0
    conflicts: int = 0  # decided again
    taken_back: int = 0  # refusals on an old picture
    frames: int = 0
    digest: str = ""
    violations: list[str] = field(default_factory=list)


class LogKeeper(logging.Handler):
    """Everything that the server writes to its log."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def kept_log() -> Iterator[LogKeeper]:
    keeper, logger = LogKeeper(), logging.getLogger("regalia")
    level, spreads = logger.level, logger.propagate
    logger.addHandler(keeper)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield keeper
    finally:
        logger.removeHandler(keeper)
        logger.setLevel(level)
        logger.propagate = spreads


class Story:
    def __init__(self, seed: int, workers: int | None = None, steps: list[Step] | None = None) -> None:
        self.seed = seed
        self.universe = Universe(seed)
        self.draw = self.universe.chance("story")
        drawn = self.draw.choice((1, 2, 2, 3, 3))
        self.cluster = Cluster(self.universe, workers or drawn)
        self.journal = Journal()
        self.people: list[Person] = []
        self.tables: list[str] = []
        self.steps = plan(seed) if steps is None else steps
        self.trouble_until = 0.0
        for game in ("rose_king", "probe"):
            load(game)

    def run(self, switched_off: frozenset[str] = frozenset()) -> Result:
        with kept_log() as log:
            try:
                self._begin()
                self._go_through()
                self._quiet_down()
                self.log = log.records
                violations = invariants.check(self, switched_off)
                return self._result(violations)
            finally:
                self.universe.close()

    # --- The beginning: nothing breaks yet ---

    def _begin(self) -> None:
        assert self.universe.run_until(lambda: len(self.cluster.serving) == len(self.cluster.workers), 10)
        self.universe.run(1.5)  # they get to know each other
        for name in ("ann", "bob", "cyd", "eve"):
            _, headers, reply = self._ask("POST", "/api/guest", {"name": name}, "")
            cookie = headers["set-cookie"].partition(";")[0]
            self.people.append(Person(self.cluster, self.journal, name, cookie, reply["id"]))
        for number in range(self.draw.choice((1, 1, 2))):
            self.tables.append(self._made(self.people[number], f"first-{number:04}"))
        for person in self.people[:3]:
            for _ in range(self.draw.choice((1, 2))):
                tab = Tab(person)
                for table in self.tables:
                    tab.watch(table, None)
        for _ in range(8):
            self.universe.run(0.3)
            for person in self.people[:3]:
                for table in self.tables:
                    person.tabs[0].fill(table)

    def _ask(self, method: str, path: str, body: Any, cookie: str) -> tuple[int, dict[str, str], Any]:
        answers: list[tuple[int, dict[str, str], Any]] = []
        worker = self.cluster.any_worker()
        assert worker is not None
        self.cluster.request(worker, method, path, body, cookie, lambda *answer: answers.append(answer))
        assert self.universe.run_until(lambda: bool(answers), 10)
        assert answers[0][0] == 200, answers
        return answers[0]

    def _new_table(self, name: str) -> dict[str, Any]:
        game, seats = self.draw.choice(PLANS)
        places = [{"kind": kind, **({"bot": "random"} if kind == "bot" else {})} for kind in seats]
        return {"game": game, "seats": places, "clock": self.draw.choice(CLOCKS), "id": name}

    def _made(self, person: Person, name: str) -> str:
        reply = self._ask("POST", "/api/tables", self._new_table(name), person.cookie)[2]
        return str(reply["table"]["id"])

    # --- What happens ---

    def _go_through(self) -> None:
        began = self.universe.now
        self._look_after()
        for step in self.steps:
            self.universe.run(max(0.0, began + step.at - self.universe.now))
            getattr(self, "_" + step.what.replace(" ", "_"))(*step.numbers)

    def _look_after(self) -> None:
        """The pages do what they do by themselves, once a second."""
        for person in self.people:
            person.look_after()
        self.universe.later(1.0, self._look_after)

    def _quiet_down(self) -> None:
        """No faults any more, and time for everything to come right."""
        self.universe.run(max(0.0, self.trouble_until - self.universe.now) + QUIET_S)

    def _tab(self, number: int) -> Tab:
        person = self.people[number % 3]
        return person.tabs[number // 3 % len(person.tabs)]

    def _table(self, number: int) -> str:
        return self.tables[number % len(self.tables)]

    def _play(self, who: int, which: int, what: int) -> None:
        """Whoever is due, most of the time: else matches would hardly go on."""
        table = self._table(which)
        tabs = (
            [self._tab(who)] if who % 5 == 0 else [tab for person in self.people[:3] for tab in person.tabs]
        )
        for tab in tabs:
            tab.fill(table)
            if tab.play(table, what, lambda tab=tab: None if what % 7 == 0 else tab) is not None:
                return

    def _play_twice(self, who: int, which: int, what: int) -> None:
        """The same command over two lines at once."""
        for person in self.people[:3]:
            sent = person.tabs[0].play(self._table(which), what, lambda person=person: person.tabs[0])
            if sent is not None:
                sent.times += 1
                person.tabs[-1].say(sent.body) if len(person.tabs) > 1 else person.send(sent)
                return

    def _chat(self, who: int, which: int, what: int) -> None:
        tab = self._tab(who)
        text = f"said {who} {which} {what}"
        tab.person.command("chat", self._table(which), tab, text=text, seat=tab.own_seat(self._table(which)))

    def _all_chat(self, who: int, which: int, what: int) -> None:
        """At one moment, from everywhere."""
        for number in range(6):
            self._chat(number, which, what + number)

    def _say_again(self, who: int, which: int, what: int) -> None:
        """Somebody sends what was answered long ago."""
        done = [sent for sent in self.journal.sent.values() if sent.acks]
        if done:
            sent = done[what % len(done)]
            person = next(person for person in self.people if person.id == sent.player)
            person.tabs[who % len(person.tabs)].say(sent.body) if person.tabs else person.send(sent)

    def _at_own_seat(self, kind: str, who: int, which: int, **fields: Any) -> None:
        tab, table = self._tab(who), self._table(which)
        seat = tab.own_seat(table)
        if seat is not None:
            tab.person.command(kind, table, tab, seat=seat, **fields)

    def _undo(self, who: int, which: int, what: int) -> None:
        update = self._tab(who).updates.get(self._table(which))
        if update is not None:
            self._at_own_seat("undo", who, which, seq=update["seq"])

    def _draw(self, who: int, which: int, what: int) -> None:
        if what % 2:
            self._at_own_seat("offer_draw", who, which)
        else:
            self._at_own_seat("answer_draw", who, which, accept=what % 4 == 0)

    def _away(self, who: int, which: int, what: int) -> None:
        self._at_own_seat("takeover", who, which, bot="random")

    def _back(self, who: int, which: int, what: int) -> None:
        self._at_own_seat("reclaim", who, which)

    def _resign(self, who: int, which: int, what: int) -> None:
        if what % 3 == 0:
            self._at_own_seat("resign", who, which)

    def _rematch(self, who: int, which: int, what: int) -> None:
        self._at_own_seat("rematch", who, which)

    def _reload(self, who: int, which: int, what: int) -> None:
        tab = self._tab(who)
        tab.updates.clear()
        tab.connect()

    def _create_at(self, person: Person, body: dict[str, Any]) -> None:
        """Until it is answered, with the same name."""
        worker = self.cluster.any_worker()
        answered: list[int] = []

        def done(status: int, _headers: dict[str, str], reply: Any) -> None:
            answered.append(status)
            if status == 200 and reply["table"]["id"] not in self.tables:
                self.tables.append(reply["table"]["id"])
                for tab in person.tabs:
                    tab.watch(reply["table"]["id"], None)

        if worker is not None:
            self.cluster.request(worker, "POST", "/api/tables", body, person.cookie, done)
        again = self.universe.now + 3
        self.universe.later(
            3.0,
            lambda: (
                None if 200 in answered or again > self.trouble_until + 30 else self._create_at(person, body)
            ),
        )

    def _create(self, who: int, which: int, what: int) -> None:
        self._create_at(self.people[who % 3], self._new_table(f"later-{what:07}"))

    def _stranger(self, who: int, which: int, what: int) -> None:
        """Eve wants what is not hers, and says what is no message."""
        eve = self.people[3]
        if not eve.tabs:
            Tab(eve)
        tab, table = eve.tabs[0], self._table(which)
        known = list(self.journal.sent.values())
        other = known[what % len(known)].body if known else {}
        if "text" in other:
            other = {**other, "text": f"eve {what}"}
        tab.say({**other, "table": table})  # under the name of somebody else's words
        for message in (
            {"type": "play", "table": table, "id": f"eve-{what:07}", "seat": who % 4, "seq": which % 40, "action": "x"},
            {"type": "watch", "table": table, "seat": who % 4},
            {"type": "resign", "table": table, "id": f"eve-{what:06}r", "seat": who % 4},
            {"type": "play", "table": "nowhere123", "id": f"eve-{what:06}n", "seat": 0, "ply": 0, "action": "x"},
        ):  # fmt: skip
            tab.say(message)
        if tab.line is not None:
            tab.line.send(("{" * (what % 9000)) or "\x00")

    # --- What breaks ---

    def _for(self, number: int, most: float = MOST_FAULT_S) -> float:
        seconds = 0.5 + number % 1000 / 1000 * most
        self.trouble_until = max(self.trouble_until, self.universe.now + seconds)
        return seconds

    def _worker(self, number: int) -> Worker | None:
        up = self.cluster.serving
        return up[number % len(up)] if up else None

    def _kill(self, who: int, which: int, what: int) -> None:
        self._for(0)
        if worker := self._worker(who):
            self.cluster.kill(worker)

    def _all_down(self, who: int, which: int, what: int) -> None:
        """Nobody serves for a while."""
        seconds = self._for(which, 15.0)
        for worker in self.cluster.serving:
            self.universe.freeze(worker.loop, seconds)

    def _freeze(self, who: int, which: int, what: int) -> None:
        if worker := self._worker(who):
            self.universe.freeze(worker.loop, self._for(which))

    def _zombie(self, who: int, which: int, what: int) -> None:
        """Stopped so long that others take over, and without the hints of that time when it wakes."""
        if worker := self._worker(who):
            seconds = 6.0 + which % 1000 / 200
            self._for(999, seconds + 2.0)
            self.universe.freeze(worker.loop, seconds)
            self.cluster.hints.part(worker.name, seconds + 1.0)

    def _renew(self, who: int, which: int, what: int) -> None:
        self._for(0)
        if worker := self._worker(who):
            self.cluster.renew(worker)

    def _store(self, who: int, which: int, what: int) -> None:
        kind = WRITE_FAULTS[who % len(WRITE_FAULTS)]
        likely = 1.0 if kind == "full" else (0.05, 0.2, 0.5)[what % 3]
        self.cluster.disk.faults[kind] = (self.universe.now + self._for(which), likely)
        self._for(999, 12.0)  # what hangs is given up only then

    def _bus(self, who: int, which: int, what: int) -> None:
        kind = ("drop", "double", "delay")[who % 3]
        self.cluster.hints.faults[kind] = (self.universe.now + self._for(which), (0.2, 0.5, 1.0)[what % 3])

    def _apart(self, who: int, which: int, what: int) -> None:
        if worker := self._worker(who):
            self.cluster.hints.part(worker.name, self._for(which))

    def _cut(self, who: int, which: int, what: int) -> None:
        if line := self._tab(who).line:
            line.cut()

    def _vanish(self, who: int, which: int, what: int) -> None:
        if line := self._tab(who).line:
            self._for(0)
            line.vanish()

    def _stall(self, who: int, which: int, what: int) -> None:
        if line := self._tab(who).line:
            line.stall(self._for(which, 25.0))

    def _set_clock(self, who: int, which: int, what: int) -> None:
        if worker := self._worker(who):
            worker.machine.wrong_ms = which % 7_200_000 - 3_600_000

    def _bots(self, who: int, which: int, what: int) -> None:
        kind = ("hang", "crash", "illegal")[who % 3]
        until = self.universe.now + self._for(which)
        for worker in self.cluster.workers:
            worker.bots.faults[kind] = (until, (0.3, 1.0)[what % 2])

    def _evict(self, who: int, which: int, what: int) -> None:
        """A worker forgets what it can forget."""
        if worker := self._worker(who):
            for table, entry in list(worker.services.tables.entries.items()):
                if not entry.lock.locked() and not worker.services.tables.presence.is_watched(table):
                    del worker.services.tables.entries[table]

    # --- The end ---

    def _result(self, violations: list[str]) -> Result:
        disk = self.cluster.disk
        lines = [
            [line.table_id, line.seq, line.at_ms, line.body.decode(), line.player, line.command]
            for log in disk.events.values()
            for line in log
        ]
        answers = [[name, sent.acks, sent.refusals] for name, sent in self.journal.sent.items()]
        told = json.dumps([lines, answers, len(self.journal.frames)])
        counts = [worker.services.tables.counts for worker in self.cluster.everyone]
        return Result(
            self.seed,
            events=len(lines),
            acks=sum(len(sent.acks) for sent in self.journal.sent.values()),
            kills=self.cluster.kills,
            conflicts=sum(count["conflicts"] for count in counts),
            taken_back=sum(count["refusals_taken_back"] for count in counts),
            frames=len(self.journal.frames),
            digest=hashlib.sha256(told.encode()).hexdigest()[:16],
            violations=violations,
        )

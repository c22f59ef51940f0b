"""People with tabs, which behave as the page does: they come back, say again what was not answered, and show what
they are told. And somebody hostile, who is told nothing and changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from server.harness import SEED
from server.simulation.cluster import Cluster, Connection

PING_S = 2.5
SILENT_S = 9.0  # a page that hears nothing for so long connects anew
ANSWER_S = 6.0  # a page that waits for an answer for so long does so as well
NOT_FINAL = ("storage", "too_fast", "sign_in", "bad_credentials")


@dataclass
class Sent:
    """A command and what became of it."""

    player: str
    body: dict[str, Any]
    first_at: float
    tab: Tab | None = None  # that waits for the answer
    tried_at: float = 0.0
    times: int = 0  # it was sent
    acks: list[tuple[float, int]] = field(default_factory=list)  # when, and under which number
    refusals: list[str] = field(default_factory=list)  # that are final

    @property
    def is_answered(self) -> bool:
        return bool(self.acks or self.refusals)


@dataclass
class Frame:
    """An update as it came to a tab."""

    player: str
    asked_seat: int | None
    had: int | None  # what the tab had of the table
    update: dict[str, Any]


def is_passing(message: dict[str, Any]) -> bool:
    """A table cannot be shown just now."""
    is_of_watch = message["type"] == "refused" and message["id"] is None and message["table"] is not None
    return is_of_watch and message["code"] in NOT_FINAL


class Journal:
    """What all clients sent and were told."""

    def __init__(self) -> None:
        self.sent: dict[str, Sent] = {}
        self.frames: list[Frame] = []
        self.texts: list[tuple[str, str]] = []  # who was told what, word for word, of all that is no update
        self.mistakes: list[str] = []


class Person:
    def __init__(self, cluster: Cluster, journal: Journal, name: str, cookie: str, player: str) -> None:
        self.cluster = cluster
        self.universe = cluster.universe
        self.journal = journal
        self.name = name
        self.cookie = cookie
        self.id = player
        self.tabs: list[Tab] = []

    def command(self, kind: str, table: str, tab: Tab | None, **fields: Any) -> Sent:
        """By a tab, or (None) as a request."""
        name = f"{self.name}-{len(self.journal.sent):05}"
        sent = Sent(self.id, {"type": kind, "table": table, "id": name, **fields}, self.universe.now, tab)
        self.journal.sent[name] = sent
        self.send(sent)
        return sent

    def send(self, sent: Sent) -> None:
        sent.tried_at = self.universe.now
        sent.times += 1
        if sent.tab is not None:
            sent.tab.say(sent.body)
            return
        worker = self.cluster.any_worker()
        if worker is None:
            return

        def done(status: int, _headers: dict[str, str], reply: Any) -> None:
            if status == 200:
                self.answered({**reply, "type": "ack"})
            else:
                self.answered({**reply["error"], "id": sent.body["id"], "type": "refused"})

        path = f"/api/tables/{sent.body['table']}/commands"
        self.cluster.request(worker, "POST", path, sent.body, self.cookie, done)

    def answered(self, message: dict[str, Any]) -> None:
        sent = self.journal.sent.get(message["id"] or "")
        if sent is None or sent.player != self.id:
            return
        if message["type"] == "ack":
            sent.acks.append((self.universe.now, message["seq"]))
        elif message["code"] == "internal":
            self.journal.mistakes.append(f"{sent.body} led to a mistake in the server")
        elif message["code"] not in NOT_FINAL:
            sent.refusals.append(message["code"])

    def look_after(self) -> None:
        """What a page does by itself, once a second: it never gives up before it has an answer."""
        for sent in self.journal.sent.values():
            if sent.player == self.id and not sent.is_answered:
                if self.universe.now - sent.tried_at > ANSWER_S and sent.tab is not None:
                    sent.tab.connect()
                elif self.universe.now - sent.tried_at > 1.0 and (
                    sent.tab is None or not sent.tab.is_waiting(sent)
                ):
                    self.send(sent)
        for tab in self.tabs:
            tab.look_after()


class Tab:
    def __init__(self, person: Person) -> None:
        self.person = person
        self.line: Connection | None = None
        self.seats: dict[str, int | None] = {}  # the tables it shows, and from where
        self.updates: dict[str, dict[str, Any]] = {}  # the last one of each
        self._heard_at = self._pinged_at = 0.0
        self._asked: set[str] = set()  # commands sent on this line and not answered
        person.tabs.append(self)
        self.connect()

    def connect(self) -> None:
        """To any worker, with what it has."""
        if self.line is not None and self.line.is_open:
            self.line.close()
        self.line = None
        self._asked.clear()
        self._heard_at = self.person.universe.now
        worker = self.person.cluster.any_worker()
        if worker is None:
            return
        line = self.line = Connection(
            worker,
            self.person.cookie,
            lambda text: self.hear(text) if self.line is line else None,
            lambda: self._ended(line),
        )
        for table, seat in self.seats.items():
            self.watch(table, seat)
        for sent in self.person.journal.sent.values():
            if sent.tab is self and not sent.is_answered:
                self.person.send(sent)

    def _ended(self, line: Connection) -> None:
        if self.line is line:
            self.line = None

    def watch(self, table: str, seat: int | None) -> None:
        if self.seats.get(table, seat) != seat:  # another view: what it has is of no use
            self.updates.pop(table, None)
        self.seats[table] = seat
        had = self.updates.get(table)
        self.say({"type": "watch", "table": table, "seat": seat, "seq": had and had["seq"]})

    def say(self, message: dict[str, Any]) -> None:
        if self.line is not None:
            self._asked.add(message.get("id", ""))
            self.line.send(json.dumps(message))

    def is_waiting(self, sent: Sent) -> bool:
        return self.line is not None and sent.body["id"] in self._asked

    def hear(self, text: str) -> None:
        journal, universe = self.person.journal, self.person.universe
        self._heard_at = universe.now
        message = json.loads(text)
        if message["type"] == "update":
            name = message["table"]["id"]
            had = self.updates.get(name)
            asked = self.seats.get(name)
            journal.frames.append(Frame(self.person.id, asked, had and had["seq"], message))
            if message["since"] is not None and (had is None or had["seq"] != message["since"]):
                self.updates.pop(name, None)  # it does not fit what the page has, as after a change of seats
                self.watch(name, asked)
            else:
                self.updates[name] = message
            return
        journal.texts.append((self.person.id, text))
        if message["type"] in ("ack", "refused"):
            self._asked.discard(message["id"])
            if message["type"] == "refused" and message["code"] == "internal":
                journal.mistakes.append(f"{self.person.name} met a mistake in the server")
            if is_passing(message):
                self.connect()  # as if the line were lost
            self.person.answered(message)

    def look_after(self) -> None:
        now = self.person.universe.now
        if self.line is None or now - self._heard_at > SILENT_S:
            self.connect()
        elif now - self._pinged_at > PING_S:
            self._pinged_at = now
            self.say({"type": "ping", "t": round(now * 1000)})

    # --- What a person does at a table ---

    def play(self, table: str, number: int, by: Callable[[], Tab | None]) -> Sent | None:
        """An action of those that it shows, on the position that it shows."""
        update = self.updates.get(table)
        if update is None or update["view"] is None or update["table"]["status"] != "running":
            return None
        mine = [facts["seat"] for facts in update["table"]["seats"] if facts["is_yours"]]
        due = [seat for seat in update["view"]["actors"] if seat in mine]
        if due and update["seat"] not in due:
            self.watch(table, due[0])
            return None
        actions = update["view"]["actions"] if due else []
        if not actions:
            return None
        return self.person.command(
            "play",
            table,
            by(),
            seat=update["seat"],
            seq=update["seq"],
            action=actions[number % len(actions)],
        )

    def fill(self, table: str) -> None:
        """Sit down where there is room, and add to the dice what is awaited."""
        update = self.updates.get(table)
        if update is None or update["table"]["status"] != "open":
            return
        seats = update["table"]["seats"]
        mine = [facts["seat"] for facts in seats if facts["is_yours"]]
        free = [facts["seat"] for facts in seats if facts["kind"] == "open"]
        if set(mine) & set(update["table"]["fairness"]["awaited"]):
            self.person.command("seed", table, self, seed=SEED)
        elif free and not mine:
            self.person.command("sit", table, self, seat=free[0], seed=SEED)

    def own_seat(self, table: str) -> int | None:
        update = self.updates.get(table)
        if update is None:
            return None
        return next((facts["seat"] for facts in update["table"]["seats"] if facts["is_yours"]), None)

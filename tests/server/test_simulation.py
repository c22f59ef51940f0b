"""People at tables over hours and days, by the thousand: whatever they do, and whatever breaks, some things hold.

Hypothesis chooses what happens next; `World` makes it happen in virtual time. After every step all invariants are
checked against the logs, which are the truth, and against what every socket was sent.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import probe
from regalia.bots import BOTS
from regalia.core.registry import register
from regalia.server.model import events as ev
from regalia.server.model.dice import verify
from regalia.server.model.events import StoredEvent
from regalia.server.model.table import Table, dice_of
from regalia.server.model.values import SeatKind, Status, Tempo
from regalia.server.model.views import proof
from regalia.server.ports import StorageError, read_time
from server.harness import SEED, Guest
from server.simulator import Connection, World

register(probe.GAME)

NAMES = ("Ann", "Bob", "Cyd")
PLANS = {
    "duel": ("rose_king", ["human", "open"]),
    "against a bot": ("rose_king", ["human", "bot"]),
    "hot seat": ("rose_king", ["human", "hotseat"]),
    "hosted for others": ("rose_king", ["open", "open"]),
    "sealed choices": ("probe", ["human", "open", "open", "bot"]),
    "alone among bots": ("probe", ["human", "bot", "bot", "bot"]),
    "real dice": ("probe", ["human", "open", "open", "bot"]),
    "real dice at one device": ("probe", ["hotseat", "hotseat", "hotseat", "hotseat"]),
    "real dice and bots": ("probe", ["human", "bot", "bot", "bot"]),
    "real cards": ("probe", ["hotseat", "hotseat", "open", "open"]),
}
BY_HAND = {  # with the box: what the people of a plan roll and deal themselves
    "real dice": "dice",
    "real dice at one device": "dice",
    "real dice and bots": "dice",
    "real cards": "manual",
}
CLOCKS = {
    "none": {},
    "live": {"tempo": "live", "reserve_ms": 60_000, "increment_ms": 10_000},
    "turns": {"tempo": "turns", "reserve_ms": 3_600_000, "increment_ms": 600_000},
}
SETTINGS = {"silent_s": 10.0**6, "idle_s": 45.0}  # nobody must say something all the time
PATIENCE_S = 30.0  # a bot's pause and limit, a slow disk and a second try
AWAY_MS = 300_000

pick = st.integers(0, 1000)  # which of those there are


@dataclass
class Sent:
    """A command, and what its sender had seen when it was sent."""

    player: str
    body: dict[str, Any]
    at_ms: int


@dataclass
class Person:
    guest: Guest
    line: Connection | None = None
    updates: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def id(self) -> str:
        return self.guest.id


class Story:
    """The log of a table, read event by event: the table after each of them, and who sat where."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.outcomes: dict[tuple[bytes, int, int, str], tuple[str, ...]] = {}

    def check_outcomes(self, before: Table, event: ev.Played) -> None:
        """Invariant 9: the same action at the same draw of the dice meets the same outcomes, also after going back."""
        match = before.started_match()
        at = match.state_bytes(), dice_of(match).drawn, event.seat, event.action
        assert self.outcomes.setdefault(at, event.outcomes) == event.outcomes

    def read_on(self, name: str, log: list[StoredEvent], world: World) -> list[tuple[StoredEvent, int]]:
        """The events that are new."""
        first = len(self.tables)
        self.tables += [
            Table.read(name, log[: seq + 1], read_time(world.time)) for seq in range(first, len(log))
        ]
        return [(stored, stored.seq) for stored in log[first:]]


class People(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World(**SETTINGS)
        self.players = [Person(Guest(self.world, name)) for name in NAMES]
        self.names: list[str] = []
        self.stories: dict[str, Story] = defaultdict(Story)
        self.sent: dict[str, Sent] = {}
        self.acks: dict[str, dict[str, Any]] = {}
        self.due_since: dict[str, tuple[tuple[int, int], float]] = {}  # table: position and seat, time
        self.trouble_at = 0.0  # when the disk or the server was last down
        self.present_ms: dict[tuple[str, str], list[int]] = defaultdict(list)  # when a player was at a table

    def teardown(self) -> None:
        self.world.close()

    # --- Choosing ---

    def table(self, number: int) -> Table:
        return self.newest(self.names[number % len(self.names)])

    def newest(self, name: str) -> Table:
        story = self.stories[name]
        story.read_on(name, self.world.log(name), self.world)
        return story.tables[-1]

    def person(self, number: int) -> Person:
        return self.players[number % len(self.players)]

    def send(self, person: Person, kind: str, table: str, **fields: Any) -> None:
        """Over the person's socket, else as a request. Nobody waits for the answer."""
        name = f"command-{len(self.sent):06}"
        body = {"type": kind, "table": table, "id": name, **fields}
        self.sent[name] = Sent(person.id, body, self.now_ms)
        self.present_ms[table, person.id].append(self.now_ms)
        if person.line is not None and person.line.is_open:
            person.line.send(json.dumps(body))
            self.world.settle()
            return
        reply = person.guest.post(f"/api/tables/{table}/commands", body)
        if reply.status == 200:
            self.acks[name] = reply.json

    @property
    def now_ms(self) -> int:
        return self.world.time.wall_ms()

    # --- Tables ---

    @initialize(
        plan=st.sampled_from(sorted(PLANS)),
        clock=st.sampled_from(sorted(CLOCKS)),
        hints=st.booleans(),
        watchers=st.integers(0, 3),
    )
    def begin(self, plan: str, clock: str, hints: bool, watchers: int) -> None:
        """A story begins with people at a table, some of them connected."""
        self.create(0, plan, clock, hints)
        self.fill(0)
        for who in range(watchers):
            self.watch(who, 0, seat=0, comes_back=False)

    @precondition(lambda self: len(self.names) < 3)
    @rule(
        who=pick,
        plan=st.sampled_from(sorted(PLANS)),
        clock=st.sampled_from(sorted(CLOCKS)),
        hints=st.booleans(),
    )
    def create(self, who: int, plan: str, clock: str, hints: bool) -> None:
        game, seats = PLANS[plan]
        places = [{"kind": kind, **({"bot": "random"} if kind == "bot" else {})} for kind in seats]
        body = {"game": game, "seats": places, "clock": CLOCKS[clock], "hints": hints}
        body |= {"by_hand": BY_HAND.get(plan, "")}
        reply = self.person(who).guest.post("/api/tables", body)
        if reply.status == 200:
            self.names.append(reply.json["table"]["id"])

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick)
    def sit(self, who: int, which: int, seat: int) -> None:
        table = self.table(which)
        self.send(self.person(who), "sit", table.id, seat=seat % len(table.chairs))

    @precondition(lambda self: self.names)
    @rule(which=pick)
    def fill(self, which: int) -> None:
        """Everyone sits down who can, and adds to the dice what is awaited of them."""
        for person in self.players:
            table = self.table(which)
            open_seats = [s for s, chair in enumerate(table.chairs) if chair.kind is SeatKind.OPEN]
            if open_seats and table.status is Status.OPEN and not table.seats_of(person.id):
                self.send(person, "sit", table.id, seat=open_seats[0])
            if any(
                self.table(which).chairs[seat].awaits_seed for seat in self.table(which).seats_of(person.id)
            ):
                self.send(person, "seed", table.id, seed=SEED)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick)
    def seed(self, who: int, which: int) -> None:
        self.send(self.person(who), "seed", self.table(which).id, seed=SEED)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick)
    def leave(self, who: int, which: int, seat: int) -> None:
        self.at_own_seat("leave", who, which, seat)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick, bot=st.sampled_from(["random", ""]))
    def place(self, who: int, which: int, seat: int, bot: str) -> None:
        table = self.table(which)
        self.send(self.person(who), "place", table.id, seat=seat % len(table.chairs), bot=bot)

    # --- TableQuery ---

    @rule(who=pick)
    def connect(self, who: int) -> None:
        person = self.person(who)
        if person.line is None:
            cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in person.guest.http.cookies.jar)
            person.line = self.world.connect({"cookie": cookies})
            self.world.settle()

    @rule(who=pick)
    def disconnect(self, who: int) -> None:
        self.hear()
        person = self.person(who)
        if person.line is not None:
            person.line.close()
            person.line = None

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=st.one_of(st.none(), pick), comes_back=st.booleans())
    def watch(self, who: int, which: int, seat: int | None, comes_back: bool) -> None:
        person, table = self.person(who), self.table(which)
        self.connect(who)
        mine = table.seats_of(person.id)
        had = person.updates[table.id]
        message = {
            "type": "watch",
            "table": table.id,
            "seat": mine[seat % len(mine)] if seat is not None and mine else seat and seat % 4,
            "seq": had[-1]["seq"] if had and comes_back else None,
        }
        assert person.line is not None
        person.line.send(json.dumps(message))
        self.world.settle()

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick)
    def unwatch(self, who: int, which: int) -> None:
        person = self.person(who)
        if person.line is not None:
            person.line.send(json.dumps({"type": "unwatch", "table": self.table(which).id}))
            self.world.settle()

    # --- Playing ---

    def look(self, person: Person, table: Table, seat: int) -> dict[str, Any] | None:
        """What the person last saw of the table from that seat; who saw nothing yet asks."""
        self.hear()
        seen = [update for update in person.updates[table.id] if update["seat"] == seat and update["view"]]
        if not seen:
            reply = person.guest.get(f"/api/tables/{table.id}", seat=seat)
            if reply.status != 200 or not reply.json["view"]:
                return None
            self.note(person, reply.json)
            return dict(reply.json)
        return seen[-1]

    @precondition(lambda self: self.names)
    @rule(which=pick, action=pick, rounds=st.integers(1, 8))
    def play(self, which: int, action: int, rounds: int) -> None:
        """Whoever is due decides, on what is seen now."""
        for number in range(rounds):
            table = self.table(which)
            for seat in table.actors[:1]:
                person = next((p for p in self.players if p.id == table.chairs[seat].player), None)
                if person is None:
                    continue
                reply = person.guest.get(f"/api/tables/{table.id}", seat=seat)
                if reply.status == 200:
                    self.note(person, reply.json)
                    self.decide(person, table.id, reply.json, seat, action + number)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick, action=pick, age=pick)
    def play_on_what_was_seen(self, who: int, which: int, seat: int, action: int, age: int) -> None:
        """Perhaps long ago, from another tab, or out of turn."""
        person, table = self.person(who), self.table(which)
        mine = table.seats_of(person.id)
        if not mine or self.look(person, table, mine[seat % len(mine)]) is None:
            return
        seen = [update for update in person.updates[table.id] if update["seat"] in mine and update["view"]]
        update = seen[-1 - age % len(seen)]
        self.decide(person, table.id, update, update["seat"], action)

    @precondition(lambda self: self.names)
    @rule(which=pick, who=pick, face=pick, rounds=st.integers(1, 3), wrong=st.sampled_from([0, 0, 0, 1]))
    def type_what_fell(self, which: int, who: int, face: int, rounds: int, wrong: int) -> None:
        """At a real table: whoever rolls, or the host, or somebody who may not; one too many now and then."""
        for number in range(rounds):
            table = self.table(which)
            due = table.due
            if due is None:
                self.play(which, face, 1)
                continue
            if due.shares:
                self.type_hands(table, face + number, wrong)
                continue
            texts = list(due.most)
            text = " ".join([texts[(face + number) % len(texts)]] * (due.count + wrong))
            host = next(person for person in self.players if person.id == table.created.host)
            person = self.person(who) if who % 4 == 0 else host
            self.send(person, "outcome", table.id, text=text, seq=table.seq)

    def type_hands(self, table: Table, card: int, wrong: int) -> None:
        due = table.due
        assert due is not None
        for person in self.players:
            for seat in table.seats_of(person.id):
                texts = [f"c{1 + (card + seat + at) % 3}" for at in range(due.shares[seat] + wrong)]
                self.send(person, "outcome", table.id, seat=seat, text=" ".join(texts), seq=table.seq)

    @precondition(lambda self: self.names)
    @rule(which=pick, who=pick, back=st.integers(1, 6), is_roll=st.booleans(), agree=st.integers(0, 7))
    def amend(self, which: int, who: int, back: int, is_roll: bool, agree: int) -> None:
        """Somebody mistyped: the others are asked, and agree or not."""
        table = self.table(which)
        entries = list(table.box.entries)
        outcomes = None
        ply = max(0, table.ply - back)
        if is_roll and entries:
            entry = entries[-1 - back % len(entries)]
            ply, outcomes = entry.ply, entry.outcomes
        self.send(self.person(who), "amend", table.id, ply=ply, outcomes=outcomes)
        for number, person in enumerate(self.players):
            self.send(person, "answer_amend", table.id, accept=agree >> number & 1 == 0)

    def decide(self, person: Person, table: str, update: dict[str, Any], seat: int, action: int) -> None:
        actions = update["view"]["actions"]
        if actions:
            text = actions[action % len(actions)]
            self.send(person, "play", table, seat=seat, seq=update["seq"], action=text)

    @precondition(lambda self: self.names)
    @rule(which=pick, age=st.sampled_from([0, 0, 0, 1, 2]), seconds=st.sampled_from([0.0, 0.1, 9.0]))
    def undo(self, which: int, age: int, seconds: float) -> None:
        """Who acted last regrets it, perhaps after a while."""
        self.world.tick(seconds)
        table = self.table(which)
        seat = table.match.records[-1].seat if table.match is not None else None
        person = next(
            (p for p in self.players if seat is not None and p.id == table.chairs[seat].player), None
        )
        if person is not None:
            self.send(person, "undo", table.id, seat=seat, seq=max(0, table.seq - age))

    @precondition(lambda self: self.names)
    @rule(which=pick, times=st.integers(1, 3), action=pick, seconds=st.sampled_from([0.0, 0.3, 9.0]))
    def practise(self, which: int, times: int, action: int, seconds: float) -> None:
        """Who plays alone against bots lets them answer, goes back, perhaps far, and plays on."""
        self.play(which, action, 1)
        self.world.tick(seconds)
        for _ in range(times):
            table = self.table(which)
            host = next(person for person in self.players if person.id == table.created.host)
            for seat in table.seats_of(host.id)[:1]:
                self.send(host, "undo", table.id, seat=seat, seq=table.seq)
        self.play(which, action, 1)

    @precondition(lambda self: self.names)
    @rule(which=pick, action=pick, seconds=st.sampled_from([0.1, 9.0, 9.0]))
    def change_ones_mind(self, which: int, action: int, seconds: float) -> None:
        """Play, wait, take back, play something else."""
        self.play(which, action, 1)
        self.undo(which, 0, seconds)
        self.play(which, action + 1, 1)

    def at_own_seat(self, kind: str, who: int, which: int, seat: int, **fields: Any) -> None:
        """At one of the own seats, or, without one, at somebody else's."""
        person, table = self.person(who), self.table(which)
        seats = table.seats_of(person.id) or list(range(len(table.chairs)))
        self.send(person, kind, table.id, seat=seats[seat % len(seats)], **fields)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick, bot=st.sampled_from(["random", BOTS[-1]]))
    def hand_over(self, who: int, which: int, seat: int, bot: str) -> None:
        self.at_own_seat("takeover", who, which, seat, bot=bot)

    @precondition(lambda self: self.names)
    @rule(which=pick, bot=st.sampled_from(["random", BOTS[-1]]), seconds=st.sampled_from([0.0, 250.0, 350.0]))
    def take_over(self, which: int, bot: str, seconds: float) -> None:
        """Somebody tires of waiting for the seat that is due."""
        self.world.tick(seconds)
        table = self.table(which)
        for seat in table.actors[:1]:
            others = [p for p in self.players if table.seats_of(p.id) and p.id != table.chairs[seat].player]
            if others:
                self.everything_holds()  # who was there until now was there
                self.send(others[0], "takeover", table.id, seat=seat, bot=bot)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick)
    def reclaim(self, who: int, which: int, seat: int) -> None:
        self.at_own_seat("reclaim", who, which, seat)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick)
    def resign(self, who: int, which: int, seat: int) -> None:
        if seat % 4 == 0:  # else matches end too soon
            self.at_own_seat("resign", who, which, seat)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick, seat=pick, accept=st.one_of(st.none(), st.booleans()))
    def draw(self, who: int, which: int, seat: int, accept: bool | None) -> None:
        if accept is None:
            self.at_own_seat("offer_draw", who, which, seat)
        else:
            self.at_own_seat("answer_draw", who, which, seat, accept=accept)

    @precondition(lambda self: self.names)
    @rule(who=pick, which=pick)
    def chat(self, who: int, which: int) -> None:
        self.send(self.person(who), "chat", self.table(which).id, text="hello")

    @precondition(lambda self: self.sent)
    @rule(which=pick)
    def say_it_again(self, which: int) -> None:
        """The answer got lost: the same command once more."""
        name = sorted(self.sent)[which % len(self.sent)]
        sent = self.sent[name]
        person = next(person for person in self.players if person.id == sent.player)
        reply = person.guest.post(f"/api/tables/{sent.body['table']}/commands", sent.body)
        self.present_ms[sent.body["table"], person.id].append(self.now_ms)
        if reply.status == 200:
            assert self.acks.get(name, reply.json)["seq"] == reply.json["seq"]
            self.acks[name] = reply.json

    @rule(who=pick)
    def drop_token(self, who: int) -> None:
        """A program plays as someone, until its token is dropped."""
        guest = self.person(who).guest
        made = guest.post("/api/tokens", {"label": "program"})
        if made.status != 200:
            return
        credentials = {"authorization": f"Bearer {made.json['token']}"}
        program = self.world.client(credentials)
        assert program.get("/api/me").status_code == 200
        dropped = guest.http.delete(f"/api/tokens/{made.json['id']}")
        if dropped.status_code == 200:
            assert program.get("/api/me").status_code == 401

    # --- The world ---

    @rule(seconds=st.sampled_from([0.1, 0.5, 2.0, 8.0, 25.0, 61.0, 290.0, 400.0, 4000.0]))
    def tick(self, seconds: float) -> None:
        self.world.tick(seconds)

    @rule(how=st.sampled_from(["well", "well", "well", "full", "slow", "another process"]))
    def disk(self, how: str) -> None:
        self.trouble_at = self.world.loop.time()
        self.world.store.error = StorageError("the disk is full") if how == "full" else None
        self.world.store.slow_s = 2.0 if how == "slow" else 0.0
        self.world.store.intruder = how == "another process"

    @rule(
        think_s=st.sampled_from([0.0, 0.2, 3.0, 19.0, None]),
        is_wrong=st.sampled_from([False, False, False, True]),
    )
    def bots(self, think_s: float | None, is_wrong: bool) -> None:
        self.world.bots.think_s = think_s
        self.world.bots.says = "no such action" if is_wrong else ""

    @rule(is_gentle=st.booleans())
    def restart(self, is_gentle: bool) -> None:
        self.hear()
        if is_gentle:
            self.world.stop()
        else:
            self.world.kill()
        self.hear()
        for person in self.players:
            person.line = None
        self.world.start()
        self.trouble_at = self.world.loop.time()
        # Nobody could come while the server was down.
        for times in self.present_ms.values():
            times.append(self.now_ms)

    # --- What everyone is told ---

    def hear(self) -> None:
        for person in self.players:
            if person.line is None:
                continue
            for message in person.line.read():
                if message["type"] == "update":
                    self.note(person, message)
                elif message["type"] == "ack":
                    self.acks[message["id"]] = message
                else:
                    assert message.get("code") != "internal", message
            if not person.line.is_open:
                person.line = None

    def note(self, person: Person, update: dict[str, Any]) -> None:
        """Invariant 1: who gets the view of a seat owns the seat at that moment."""
        name, seat = update["table"]["id"], update["seat"]
        self.newest(name)
        if seat is not None:
            assert self.stories[name].tables[update["seq"]].chairs[seat].player == person.id
        assert update["view"] is None or update["view"]["you"] == seat
        person.updates[name] = [*person.updates[name][-5:], update]

    @invariant()
    def everything_holds(self) -> None:
        self.hear()
        for name in self.names:
            story, log = self.stories[name], self.world.log(name)
            self.newest(name)
            for seq in range(getattr(story, "checked", 0), len(log)):
                self.check_event(story, log, seq)
            story.checked = len(log)  # type: ignore[attr-defined]
            self.check_table(name, story.tables[-1])
            self.remember_presence(story.tables[-1])
        self.check_acks()

    def check_event(self, story: Story, log: list[StoredEvent], seq: int) -> None:
        if seq == 0:
            return
        before, after, event = story.tables[seq - 1], story.tables[seq], ev.read(log[seq].body)
        cause = log[seq - 1] if is_play_after_reclaim(log[seq - 1], log[seq]) else log[seq]
        sent = self.sent.get(cause.command or "")
        match event:
            case ev.Played(seat) if sent is not None:
                story.check_outcomes(before, event)
                assert sent.player == before.chairs[seat].player
                assert was_seen(story, sent.body["seq"], seq, seat)
                check_time_after_play(before, after, event)
            case ev.Played(seat):
                self.check_bot(before, event)
                check_time_after_play(before, after, event)
            case ev.Rolled():
                check_roll(before, after, event, sent)
            case ev.Amended():
                check_amendment(before, after, event)
            case ev.Undone(seat):
                check_time_after_undo(before, after, event)
                check_practice(before, after, event)
            case ev.Ended() if after.is_practice:
                assert verify(proof(after)).draws == dice_of(before.started_match()).drawn
            case ev.TakenOver(seat, bot):
                assert sent is not None
                self.check_takeover(before, seat, bot, sent, log[seq].at_ms)
            case ev.Reclaimed(seat):
                assert sent is not None
                assert sent.player == before.chairs[seat].player

    def check_bot(self, before: Table, event: ev.Played) -> None:
        """Invariants 7 and 8: a bot acts at a seat that is its to play, on the position that it saw."""
        assert before.chairs[event.seat].bot
        assert before.match is not None
        if not event.fallback:
            assert any(
                action == event.action and seen.actions(event.seat) == before.match.actions(event.seat)
                for seen, action in self.world.bots.answers
            )

    def check_takeover(self, before: Table, seat: int, bot: str, sent: Sent, at_ms: int) -> None:
        """Invariant 8: one's own seat where hints are allowed; another's only where somebody is waited for in vain."""
        owner = before.chairs[seat].player
        if owner == sent.player:
            assert before.created.hints
            return
        assert before.created.clock.tempo is Tempo.NONE
        assert before.seats_of(sent.player)
        assert seat in before.actors
        assert bot == BOTS[-1]
        earlier = [ms for ms in self.present_ms[before.id, owner] if ms <= at_ms]  # who came later came back
        assert at_ms - max(earlier, default=0) >= AWAY_MS

    def check_table(self, name: str, told: Table) -> None:
        entry = self.world.services.tables.entries.get(name)
        kept = entry.table if entry is not None and not entry.is_unsure else None
        if kept is not None and kept.seq == told.seq:
            assert essence(kept) == essence(told)  # invariant 5
        self.check_bots_act(told)
        if kept is not None:
            self.check_flags(kept)
        if told.clocks and told.clocks[-1]:
            control, standing = told.created.clock, len(told.clocks) - told.first_ply
            most = len(told.chairs) * control.reserve_ms + standing * control.increment_ms
            assert sum(told.timer.left(told.timer._since)) <= most  # invariant 2

    def check_bots_act(self, table: Table) -> None:
        """Invariant 3: a bot that is due acts in time, unless the disk fails. Of several the first is awaited."""
        now = self.world.loop.time()
        if not table.bots_due():
            self.due_since.pop(table.id, None)
            return
        awaited = table.position_seq, table.bots_due()[0][0]
        known, since = self.due_since.get(table.id, (None, 0.0))
        if known != awaited:
            self.due_since[table.id] = (awaited, now)
        elif self.world.store.error is None:
            assert now - max(since, self.trouble_at) <= PATIENCE_S, table.bots_due()

    def check_flags(self, table: Table) -> None:
        """Invariant 4: nobody plays on with a clock at zero."""
        deadline = table.timer.deadline()
        if deadline is None or self.world.store.error is not None:
            return
        late_s = (self.world.time.steady_ms() - deadline) / 1000
        assert late_s <= 5 or self.world.loop.time() - self.trouble_at <= 5

    def check_acks(self) -> None:
        """Invariant 6: what was acknowledged is in the log, once, as its player's."""
        for name, ack in self.acks.items():
            sent = self.sent[name]
            lines = [line for line in self.world.log(sent.body["table"]) if line.command == name]
            assert [(line.seq, line.player) for line in lines] == [(ack["seq"], sent.player)]

    def remember_presence(self, table: Table) -> None:
        """Who is there now was there; and nobody is waited for longer than since the position came about."""
        for chair in table.chairs:
            if chair.player and self.world.services.tables.presence.is_here(table.id, chair.player):
                self.present_ms[table.id, chair.player].append(self.now_ms)


def is_play_after_reclaim(line: StoredEvent, following: StoredEvent) -> bool:
    """Who plays at a seat that a bot kept has it back: two events of one command, at that seat."""
    first, second = ev.read(line.body), ev.read(following.body)
    is_one_command = line.command is not None and following.command is None
    return (
        is_one_command
        and isinstance(first, ev.Reclaimed)
        and isinstance(second, ev.Played)
        and first.seat == second.seat
    )


def was_seen(story: Story, seen_seq: int, seq: int, seat: int) -> bool:
    """Invariant 7: between what its player saw and the action lie only others' sealed choices."""
    if any(story.tables[number].position_seq == number for number in range(seen_seq + 1, seq)):
        return False
    return story.tables[seen_seq].status is Status.RUNNING


def check_time_after_play(before: Table, after: Table, event: ev.Played) -> None:
    """Invariant 2: only seats that were to act lose time, and only who acted gains the increment."""
    if not event.left_ms:
        return
    was, now = before.timer._left, after.timer._left
    for seat in range(len(was)):
        gain = after.created.clock.increment_ms if seat == event.seat else 0
        assert now[seat] <= was[seat] + gain
        if seat not in before.timer.running:
            assert now[seat] == was[seat] + gain


def check_time_after_undo(before: Table, after: Table, event: ev.Undone) -> None:
    """Invariant 2: an undo raises no clock above what it was there, and gives the others all they had."""
    if not event.left_ms:
        return
    # Sealed choices are told in another order than they came: the clocks stood as after the last that came.
    latest = max(before.times[: event.ply])
    there = [before.clocks[ply] for ply in range(event.ply) if before.times[ply] == latest]
    played = before.clocks[event.ply]
    for seat, ms in enumerate(event.left_ms):
        most = max(left[seat] for left in there)
        assert 0 < ms <= most if seat == event.seat else ms == played[seat]


def check_roll(before: Table, after: Table, event: ev.Rolled, sent: Sent | None) -> None:
    """Invariant 10: only what was due is typed, by whose roll it is or the host; no clock runs meanwhile."""
    due = before.due
    assert due is not None
    assert before.created.by_hand
    assert before.timer.running == ()
    assert not before.bots_due()
    assert len(event.outcomes) - event.drawn == due.count
    assert event.seat == due.seat
    if sent is not None and not due.shares:
        owner = before.created.host if due.seat is None else before.chairs[due.seat].player
        seats = before.seats_of(sent.player)
        assert sent.player in (owner, before.created.host) or (due.seat is None and seats)
    drawn = dice_of(after.started_match()).drawn - dice_of(before.started_match()).drawn
    assert drawn == event.drawn


def check_amendment(before: Table, after: Table, event: ev.Amended) -> None:
    """Invariant 11: it goes back to where the match stood; what was typed before it stands."""
    was, now = before.started_match(), after.started_match()
    kept = now.ply - (event.outcomes is not None)
    assert kept == event.ply >= before.box.floor
    assert was.records[:kept] == now.records[:kept]
    if event.outcomes is not None:
        assert now.records[-1].outcomes == was.records[event.ply].outcomes[: event.outcomes]
        assert after.due is not None
    assert after.box.proposal is None


def check_practice(before: Table, after: Table, event: ev.Undone) -> None:
    """Invariant 9: only who plays alone against bots without a clock goes back over answers and chance, to a decision
    of the own; the dice go back as far, and what was practice once stays it."""
    assert after.is_practice == (before.is_practice or event.is_practice)
    match = before.started_match()
    taken = sum(len(record.outcomes) for record in match.records[event.ply :])
    assert dice_of(after.started_match()).drawn == dice_of(match).drawn - taken
    if not event.is_practice:
        assert taken == 0
        return
    kinds = [chair.kind for chair in before.chairs]
    assert [kind is SeatKind.BOT for kind in kinds].count(False) == 1
    assert kinds[event.seat] is SeatKind.HUMAN
    assert not before.chairs[event.seat].bot
    assert before.created.clock.tempo is Tempo.NONE
    assert before.created.undo
    assert event.seat in after.actors
    assert event.ply >= max(before.first_ply, before.undo_floor.get(event.seat, 0))


LEFT_OUT = {"cache", "shared_view", "timer", "due_since_ms", "match", "_is_match_shared", "game", "partners"}


def essence(table: Table) -> dict[str, Any]:
    """What two tables must share to be the same."""
    facts = {name: value for name, value in vars(table).items() if name not in LEFT_OUT}
    match = table.match
    return {
        **facts,
        "left": list(table.timer._left),
        "running": table.timer.running,
        "match": match and (match.state_bytes(), match.records, match.actors, dice_of(match).drawn),
    }


USUAL = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def test_whatever_people_do_and_whatever_breaks_the_tables_stay_right() -> None:
    run_state_machine_as_test(People, settings=USUAL)


@pytest.mark.long
def test_the_tables_stay_right_through_many_more_stories() -> None:
    run_state_machine_as_test(
        People, settings=settings(USUAL, max_examples=3000, stateful_step_count=80, derandomize=False)
    )

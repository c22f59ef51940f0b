"""What takes long is worked out beside the event loop, in bounded numbers, and paid for by what it costs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regalia import Match
from regalia.core import match as matches
from regalia.server import catalogue
from regalia.server.model.views import MOST_TOLD_AT_ONCE
from regalia.server.runtime.workers import MOST_UNFINISHED, THREADS
from regalia.server.settings import UNLIMITED, Rate
from regalia.server.transport import qr
from server.harness import Guest, Running, running, wait_for


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[int]]:
    """In which threads the long calculations were done, by the name of the calculation."""
    seen: dict[str, set[int]] = {}

    def note(owner: Any, name: str, wrap: Any = lambda work: work) -> None:
        work = getattr(owner, name)

        def noted(*values: Any, **named: Any) -> Any:
            seen.setdefault(name, set()).add(threading.get_ident())
            return work(*values, **named)

        monkeypatch.setattr(owner, name, wrap(noted))

    note(Match, "view")
    note(Match, "preview")
    note(Match, "replay", staticmethod)
    note(Match, "from_position", staticmethod)
    note(matches, "effects_of")
    note(catalogue, "odds_of")
    note(qr, "qr_svg")
    return seen


def loop_thread(server: Running) -> int:
    ident: int = server.call(threading.get_ident)
    return ident


def test_replays_previews_odds_pictures_and_uploaded_texts_are_made_off_the_loop(
    server: Running, ann: Guest, threads: dict[str, set[int]]
) -> None:
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    view = ann.table(table, seat=0)["view"]
    ann.must("play", table, seat=0, ply=1, action=view["actions"][0])
    rolled = ann.new_table("court_the_king", ["human", "hotseat"])
    dice, due = rolled["table"]["id"], rolled["view"]["actors"][0]
    text = ann.get(f"/api/tables/{table}/transcript", seat=0).text
    position = Match.replay(text).position()
    actions = ann.table(table, seat=1)["view"]["actions"][:2]
    threads.clear()
    replies = [
        ann.get(f"/api/tables/{table}/frames", seat=0),
        ann.get(f"/api/tables/{table}/previews", seat=1, actions=actions),
        ann.get(f"/api/tables/{dice}/odds", seat=due),
        ann.get(f"/api/tables/{table}/qr.svg"),
    ]
    assert [reply.status for reply in replies] == [200] * 4, [reply.text for reply in replies]
    assert {"view", "preview", "odds_of", "qr_svg"} <= set(threads)
    open_table = ann.new_table(seats=["human", "open"], transcript=text)["table"]["id"]
    with Guest(server, "Bob") as bob:
        bob.must("sit", open_table, seat=1)
    starts: list[dict[str, Any]] = [{"transcript": text}, {"position": position}, {"table": table}]
    for start in starts:
        ann.new_table(seats=["human", "hotseat"], **start)
    loop = loop_thread(server)
    for name in ("view", "effects_of"):  # the first look at a new table is made on the loop, and is short
        del threads[name]
    assert [name for name, idents in threads.items() if loop in idents] == []


def test_a_replay_is_one_walk(server: Running, ann: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    for ply in range(1, 12):
        shown = ann.table(table)["view"]["actors"][0]
        action = ann.table(table, seat=shown)["view"]["actions"][0]
        ann.must("play", table, seat=shown, ply=ply, action=action)
    plies: list[int] = []
    work = Match.view

    def view(match: Match, seat: int | None = None) -> dict[str, Any]:
        plies.append(match.ply)
        return work(match, seat)

    monkeypatch.setattr(Match, "view", view)
    assert len(ann.get(f"/api/tables/{table}/frames", seat=0).json["views"]) == 12
    assert plies == list(range(1, 13))


def test_others_play_on_while_ten_replays_are_made(tmp_path: Path) -> None:
    """The threads are held: whoever asked for a replay waits, and nobody else does."""
    with running(tmp_path) as server, Guest(server, "Ann") as ann, Guest(server, "Bob") as bob:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        gate = threading.Event()
        busy = [server.begin(server.services.workers.run(gate.wait)) for _ in range(2)]
        replies: list[int] = []

        def replay() -> None:
            with Guest(server, "Replay") as guest:
                replies.append(guest.get(f"/api/tables/{table}/frames").status)

        readers = [threading.Thread(target=replay) for _ in range(10)]
        for reader in readers:
            reader.start()
        mine = bob.new_table(seats=["human", "hotseat"])["table"]["id"]
        view = bob.table(mine, seat=0)["view"]
        bob.must("play", mine, seat=0, ply=1, action=view["actions"][0])
        assert replies == []
        gate.set()
        for reader in readers:
            reader.join(60)
        assert [task.result(60) for task in busy] == [True, True]
        assert replies == [200] * 10


def test_more_than_can_be_done_soon_is_refused_at_once(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        path = f"/api/tables/{table}/frames"
        gate = threading.Event()
        busy = [server.begin(server.services.workers.run(gate.wait)) for _ in range(MOST_UNFINISHED)]
        assert ann.get("/api/health").status == 200
        assert ann.get(path).code == "too_fast"
        gate.set()
        assert all(task.result(60) for task in busy)
        assert ann.get(path).status == 200


def test_a_long_replay_costs_more_of_the_budget_than_a_short_one(tmp_path: Path) -> None:
    rates = replace(UNLIMITED, work=Rate(60, 3600))
    with running(tmp_path, rates=rates) as server, Guest(server, "Ann") as ann, Guest(server, "Bob") as bob:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        for ply in range(1, 25):
            seat = ann.table(table)["view"]["actors"][0]
            view = ann.table(table, seat=seat)["view"]
            ann.must("play", table, seat=seat, ply=ply, action=view["actions"][0])
        path = f"/api/tables/{table}/frames"
        assert [ann.get(path).status for _ in range(4)] == [200, 200, 429, 429]  # 25 positions each
        assert [bob.get(path, first=1, last=1).status for _ in range(20)] == [200] * 20
        long = {"game": "rose_king", "seats": [{}, {}], "transcript": "x" * 150_000}
        assert bob.post("/api/tables", long).code == "too_fast"


# --- What the records of a long match tell ---

LONG = Path(__file__).parents[1] / "games/long_live_the_king/transcripts/elected.txt"


def forget_what_was_told(server: Running, table: str) -> int:
    """As if the table had just been read from its log. Returns its number of records."""
    match = server.services.tables.entries[table].table.match  # type: ignore[union-attr]
    assert match is not None
    match._effects.clear()
    return match.ply


def test_a_long_match_is_told_off_the_loop_and_to_each_viewer_once(
    server: Running, ann: Guest, threads: dict[str, set[int]]
) -> None:
    """Opening it, asking for it and watching it: each tells the records to a viewer for whom nobody has told them."""
    loop = loop_thread(server)
    made = ann.new_table(
        "long_live_the_king", ["human", "hotseat", "hotseat"], transcript=LONG.read_text("utf-8")
    )
    table = made["table"]["id"]
    assert any(record["effects"] for record in made["records"])
    assert threads.pop("effects_of").isdisjoint({loop})
    assert ann.table(table, seat=made["seat"])["records"] == made["records"]
    assert "effects_of" not in threads
    assert forget_what_was_told(server, table) > 60
    shown = ann.table(table)["records"]
    assert threads.pop("effects_of").isdisjoint({loop})
    forget_what_was_told(server, table)
    with ann.socket() as line:
        assert line.watch(table)["records"] == shown
    assert threads.pop("effects_of").isdisjoint({loop})


@contextmanager
def busy_workers(server: Running) -> Iterator[None]:
    """All threads are held meanwhile."""
    gate = threading.Event()
    held = [server.begin(server.services.workers.run(gate.wait)) for _ in range(THREADS)]
    try:
        yield
    finally:
        gate.set()
        assert all(task.result(60) for task in held)


def long_match(server: Running, guest: Guest) -> tuple[str, int]:
    """A table whose records nobody was told yet, and its ply."""
    table = guest.new_table(seats=["human", "hotseat"])["table"]["id"]
    for ply in range(1, 2 * MOST_TOLD_AT_ONCE):
        seat = guest.table(table)["view"]["actors"][0]
        action = guest.table(table, seat=seat)["view"]["actions"][0]
        guest.must("play", table, seat=seat, ply=ply, action=action)
    return table, forget_what_was_told(server, table)


def test_an_action_during_the_telling_is_acknowledged_before_it_is_shown(server: Running, ann: Guest) -> None:
    table, ply = long_match(server, ann)
    tables, workers = server.services.tables, server.services.workers
    match = tables.entries[table].table.match  # type: ignore[union-attr]
    assert match is not None
    seat = match.actors[0]
    with ann.socket() as line:
        with busy_workers(server):
            line.send(type="watch", table=table, seat=seat, seq=None)
            wait_for(lambda: workers.unfinished > THREADS)
            action = match.actions(seat)[0]
            line.send(type="play", id="during-it", table=table, seat=seat, ply=ply, action=action)
            wait_for(lambda: tables.entries[table].table.ply > ply)  # type: ignore[union-attr]
        assert line.receive("ack", "update")["type"] == "ack"
        assert len(line.receive("ack", "update")["records"]) == ply + 1


def test_who_turns_away_during_the_telling_is_told_nothing(server: Running, ann: Guest) -> None:
    table, _ = long_match(server, ann)
    workers = server.services.workers
    with ann.socket() as line:
        with busy_workers(server):
            line.send(type="watch", table=table, seat=None, seq=None)
            wait_for(lambda: workers.unfinished > THREADS)
            line.send(type="unwatch", table=table)
            line.send(type="ping", t=1)
            wait_for(lambda: not server.services.tables.presence.is_watched(table))
        assert line.receive("pong", "update")["type"] == "pong"
        line.send(type="ping", t=2)
        assert line.receive("pong", "update")["type"] == "pong"

"""What must be true after a story, whatever happened in it.

I0  nobody met a mistake in the server
I1  what was acknowledged stands in the log, under the number that was told; what was refused for good does not
I2  everything happened once: a command, a thing said, a bot's decision, on the position it was made for
I3  the numbers of a log have no gaps, and the table's row knows the last one
I4  of two commands, one sent after the other was acknowledged, the log has them in that order
I5  every frame is what the log up to its number shows to its viewer, and it fits what the client had
I6  all workers come to the same table
I7  so does who reads the log anew, and who replays the match from its transcript
I8  every outcome follows from the seeds
I9  no frame, refusal or line of the server's log has a secret in it
I10 nobody was charged more time than passed, nor less, and none while nobody could play
I11 in the end all is answered and shown, bots that are due have acted, and clocks that ran out have ended it
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from regalia import Match
from regalia.core.viewers import EVERYTHING
from regalia.server.model import events as ev
from regalia.server.model import views
from regalia.server.model.clock import Now, Outages
from regalia.server.model.dice import FORMATS, ProofError, verify
from regalia.server.model.refusals import Refused
from regalia.server.model.table import Table, dice_of
from regalia.server.model.values import Status
from regalia.server.ports import StorageError
from regalia.server.protocol import Proof
from server.simulation.ports import position_of
from server.simulator import START_MS

if TYPE_CHECKING:
    from server.simulation.story import Story

FAIR_MS = 50  # by which thinking time may be counted wrongly
OUTAGE_S = 5.5  # so long without any write, signs of life among them, is surely an outage

Found = Iterator[str]


class Truth:
    """The logs, and each table after every event of its own."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.opened = open_everywhere(story)
        self.now = story.universe.now
        self.logs = {name: list(log) for name, log in story.cluster.disk.events.items()}
        self.tables: dict[str, list[Table]] = {}
        self.is_whole = True
        for name, log in self.logs.items():
            prefixes: list[Table] = []
            try:
                for line in log:
                    if prefixes:
                        table = prefixes[-1].after([line], 0)
                        table.remember([line])
                    else:
                        table = Table.read(name, [line], Now(0))
                    prefixes.append(table)
            except Exception:  # a log that cannot be read: I3 and I7 say so
                self.is_whole = False
            self.tables[name] = prefixes

    @property
    def newest(self) -> list[Table]:
        return [tables[-1] for tables in self.tables.values() if tables]


def check(story: Story, switched_off: frozenset[str] = frozenset()) -> list[str]:
    """What does not hold."""
    truth = Truth(story)
    found: list[str] = []
    for name, invariant in ALL.items():
        if name in switched_off:
            continue
        try:
            found += [f"{name}: {what}" for what in invariant(truth)]
        except Exception as error:  # what is so wrong that it cannot even be looked at
            if truth.is_whole:
                raise
            found.append(f"{name}: {error!r}")
    return found


def no_mistakes(truth: Truth) -> Found:
    yield from truth.story.journal.mistakes
    for worker in truth.story.cluster.everyone:
        yield from worker.loop.failures
    for record in truth.story.log:
        if record.exc_info and not isinstance(record.exc_info[1], StorageError | Refused):
            yield f"{record.getMessage()}: {record.exc_info[1]!r}"


def acknowledged(truth: Truth) -> Found:
    places = {
        (line.table_id, line.player, line.command): line.seq
        for log in truth.logs.values()
        for line in log
        if line.command is not None
    }
    for name, sent in truth.story.journal.sent.items():
        place = places.get((sent.body["table"], sent.player, name))
        for _, seq in sent.acks:
            if place != seq and not is_without_effect(sent.body, place):
                yield f"{name} was acknowledged as {seq} and stands at {place}"
        # Of a command that was sent again one copy may come too early or too late, and the other not.
        if sent.refusals and place is not None and sent.times == 1:
            yield f"{name} was refused ({sent.refusals}) and stands at {place}"


def is_without_effect(body: dict[str, Any], place: int | None) -> bool:
    """A rematch that there is already is told again."""
    return body["type"] == "rematch" and place is None


def once(truth: Truth) -> Found:
    for name, log in truth.logs.items():
        commands = Counter((line.player, line.command) for line in log if line.command is not None)
        yield from (f"{name}: {command} {count} times" for command, count in commands.items() if count > 1)
        said = Counter(event.text for line in log if isinstance(event := ev.read(line.body), ev.Said))
        yield from (f"{name}: {text!r} {count} times" for text, count in said.items() if count > 1)
    chosen = {choice for worker in truth.story.cluster.everyone for choice in worker.bots.chosen}
    for name, tables in truth.tables.items():
        for before, line in zip(tables, truth.logs[name][1:], strict=False):
            event = ev.read(line.body)
            if isinstance(event, ev.Played) and not line.player and not event.fallback:
                assert before.match is not None
                choice = (*position_of(before.match), event.seat, event.action)
                if before.chairs[event.seat].bot and choice not in chosen:
                    yield f"{name}: {event} was not chosen for the position at {line.seq}"


def whole(truth: Truth) -> Found:
    for name, log in truth.logs.items():
        if [line.seq for line in log] != list(range(len(log))):
            yield f"{name}: {[line.seq for line in log]}"
        head = truth.story.cluster.disk.kept["tables"][name]["seq"]
        if head != log[-1].seq:
            yield f"{name}: its row says {head}, its log {log[-1].seq}"
        if len(truth.tables[name]) != len(log):
            yield f"{name}: it cannot be read beyond {len(truth.tables[name])}"


def in_order(truth: Truth) -> Found:
    by_table: dict[str, list[tuple[float, float, int]]] = {}
    for sent in truth.story.journal.sent.values():
        if sent.acks:
            at, seq = sent.acks[0]
            by_table.setdefault(sent.body["table"], []).append((sent.first_at, at, seq))
    for name, commands in by_table.items():
        for _, acked_at, seq in commands:
            for later_sent, _, later_seq in commands:
                if later_sent > acked_at and later_seq <= seq:
                    if later_seq == seq:
                        continue  # a rematch, told again
                    yield f"{name}: {later_seq} was sent after {seq} was acknowledged"


def frames_fit(truth: Truth) -> Found:
    known: dict[tuple[Any, ...], dict[str, Any]] = {}
    for frame in truth.story.journal.frames:
        update = frame.update
        name, seq, since = update["table"]["id"], update["seq"], update["since"]
        if since is not None and frame.had == since and seq < since:
            yield f"{name}: from {since} back to {seq}"
        tables = truth.tables[name]
        if seq >= len(tables):
            yield f"{name}: a frame of event {seq}, and the log has {len(tables)}"
            continue
        key = (name, seq, frame.player, update["seat"], since)
        if key not in known:
            table = tables[seq]
            told = views.update(table, frame.player, update["seat"], table.created.invite, since, Now(0))
            known[key] = timeless(json.loads(told))
        if timeless(update) != known[key]:
            different = [part for part, value in known[key].items() if timeless(update).get(part) != value]
            yield f"{name}: another frame at {seq} for seat {update['seat']} since {since}: {different}"


def timeless(update: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on the moment at which it was told."""
    table = {
        name: value
        for name, value in update["table"].items()
        if name not in ("now_ms", "can_undo", "can_go_back")
    }
    table["seats"] = [{**facts, "left_ms": None} for facts in table["seats"]]
    return {**update, "type": "update", "table": table}


def open_everywhere(story: Story) -> list[tuple[str, int, Table | str]]:
    """Every table at every worker that serves: the table's name, what the log had a while before, what is known."""
    heads = {name: len(log) - 1 for name, log in story.cluster.disk.events.items()}
    story.universe.run(3.0)
    opened: list[tuple[str, int, Table | str]] = []

    async def open_all(tables: Any) -> None:
        for name, head in heads.items():
            try:
                opened.append((name, head, await tables.open(name)))
            except Exception as error:
                opened.append((name, head, repr(error)))

    tasks = [worker.begin(open_all(worker.services.tables)) for worker in story.cluster.serving]
    if not story.universe.run_until(lambda: all(task.done() for task in tasks), 10):
        opened.append(("a table", 0, "it takes too long"))
    return opened


def workers_agree(truth: Truth) -> Found:
    for name, head, table in truth.opened:
        if isinstance(table, str):
            yield f"{name} cannot be opened: {table}"
        elif table.seq < head or table.seq >= len(truth.tables[name]):
            yield f"{name} is known up to {table.seq}, and its log has {head}"
        else:
            yield from differences(name, table, truth.tables[name][table.seq])


LEFT_OUT = {
    "cache",
    "shared_view",
    "timer",
    "due_since_ms",
    "match",
    "_is_match_shared",
    "game",
    "partners",
    "watch_key",
    "commands",
}


def essence(table: Table) -> dict[str, Any]:
    """What two tables must share to be the same."""
    facts = {name: value for name, value in vars(table).items() if name not in LEFT_OUT}
    match = table.match
    return {
        **{name: list(value) if name in GROWING else value for name, value in facts.items()},
        "left": list(table.timer._left),
        "running": table.timer.running,
        "match": match and (match.state_bytes(), match.records, match.actors, dice_of(match).drawn),
    }


def differences(what: str, table: Table, told: Table) -> Found:
    one, other = essence(table), essence(told)
    parts = [part for part in other if one[part] != other[part]]
    if parts:
        yield f"{what} is another table: {[(one[part], other[part]) for part in parts]}"


GROWING = {"times", "clocks", "marks", "notices"}


def read_anew(truth: Truth) -> Found:
    for table in truth.newest:
        log = truth.logs[table.id]
        yield from differences(
            f"{table.id}, read at once", Table.read(table.id, log, Now(0, log[-1].at_ms)), table
        )
        if table.match is not None:
            again = Match.replay(table.match.transcript(EVERYTHING))
            if again.state_bytes() != table.match.state_bytes():
                yield f"{table.id}: its transcript leads elsewhere"


def dice_fit(truth: Truth) -> Found:
    for table in truth.newest:
        if table.match is None:
            continue
        proof = Proof(
            format=FORMATS[table.created.proof],
            table=table.id,
            commitment=table.commitment,
            server_seed=table.created.server_seed,
            client_seeds=tuple(chair.seed for chair in table.chairs),
            start=table.created.start,
            transcript=table.match.transcript(EVERYTHING),
            sources=views.seed_sources(table),
        )
        try:
            drawn = verify(proof).draws
        except ProofError as error:
            yield f"{table.id}: {error}"
            continue
        if drawn != dice_of(table.match).drawn:
            yield f"{table.id}: {drawn} draws, and not {dice_of(table.match).drawn}"


def secrets_kept(truth: Truth) -> Found:
    people = {person.id: person.cookie.partition("=")[2] for person in truth.story.people}
    seeds = [table.created.server_seed for table in truth.newest]
    journal = truth.story.journal
    told = [
        (frame.player, json.dumps(frame.update), frame.update["table"]["status"]) for frame in journal.frames
    ]
    told += [(player, text, "") for player, text in journal.texts]
    told += [("", f"{record.getMessage()} {getattr(record, 'facts', '')}", "") for record in truth.story.log]
    for player, text, status in told:
        if status != "ended" and any(seed in text for seed in seeds):
            yield f"the dice's seed was told to {player or 'the log'}"
        if any(cookie.partition(".")[2] in text for cookie in people.values()):
            yield f"a cookie was told to {player or 'the log'}"


def time_is_fair(truth: Truth) -> Found:
    disk = truth.story.cluster.disk
    outages = outages_of(truth)
    moments = sorted([0.0, *disk.written_at, truth.now])
    gaps = Outages(
        *((wall(earlier), wall(later)) for earlier, later in pairwise(moments) if later - earlier > OUTAGE_S)
    )
    for name, tables in truth.tables.items():
        clocked_at = 0.0
        for before, after, line in zip(tables, tables[1:], truth.logs[name][1:], strict=False):
            asked_at = disk.asked_at[name, line.seq]
            event = ev.read(line.body)
            seat, left = charged_by(event)
            if seat is not None and left and before.timer.running:
                could = gaps.time_between(wall(clocked_at), wall(asked_at))
                at_least = outages.time_between(wall(clocked_at), wall(asked_at))
                for other in before.timer.running:
                    gained = (
                        before.created.clock.increment_ms
                        if isinstance(event, ev.Played) and other == seat
                        else 0
                    )
                    spent = before.timer._left[other] + gained - left[other]
                    if spent > could + FAIR_MS:
                        yield f"{name} at {line.seq}: seat {other} was charged {spent} ms of {could}"
                    if left[other] > 0 and spent < at_least - FAIR_MS:
                        yield f"{name} at {line.seq}: seat {other} was charged only {spent} ms of {at_least}"
            if after.clocked_ms != before.clocked_ms or left:
                clocked_at = asked_at


def outages_of(truth: Truth) -> Outages:
    """As the workers have written them down."""
    rows = truth.story.cluster.disk.kept.get("outages", {}).values()
    return Outages(*((row["from_ms"], row["to_ms"]) for row in rows))


def wall(seconds: float) -> int:
    return START_MS + round(seconds * 1000)


def charged_by(event: ev.AnyEvent) -> tuple[int | None, tuple[int, ...]]:
    match event:
        case ev.Played(seat, _, _, left) | ev.Resigned(seat, _, _, left):
            return seat, left
    return None, ()


def all_is_done(truth: Truth) -> Found:
    story = truth.story
    for name, sent in story.journal.sent.items():
        if not sent.is_answered:
            yield f"{name} was never answered: {sent.body}"
    for person in story.people[:3]:
        for tab in person.tabs:
            for table in tab.seats:
                log = truth.logs.get(table, [])
                seq = tab.updates.get(table, {}).get("seq")
                recent = [line for line in log if line.at_ms > wall(truth.now - 4)]
                if seq is None or (seq != len(log) - 1 and not recent):
                    yield f"{person.name} shows {table} at {seq}, and the log has {len(log)} events"
    for table in truth.newest:
        if table.status is not Status.RUNNING:
            continue
        idle_s = truth.now - (table.updated_ms - START_MS) / 1000
        if table.bots_due() and idle_s > 20:
            yield f"{table.id}: {table.bots_due()} has been due for {idle_s:.0f} s"
        spent = outages_of(truth).time_between(table.clocked_ms, wall(truth.now))
        for seat in table.timer.running:
            if table.timer._left[seat] + 5000 < spent:
                yield f"{table.id}: the time of seat {seat} ran out {spent - table.timer._left[seat]} ms ago"


ALL: dict[str, Callable[[Truth], Found]] = {
    "I0": no_mistakes,
    "I1": acknowledged,
    "I2": once,
    "I3": whole,
    "I4": in_order,
    "I5": frames_fit,
    "I6": workers_agree,
    "I7": read_anew,
    "I8": dice_fit,
    "I9": secrets_kept,
    "I10": time_is_fair,
    "I11": all_is_done,
}

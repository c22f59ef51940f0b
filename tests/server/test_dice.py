"""The dice: committed to before, shared by the seats, revealed and checked at the end."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from regalia.server.model.dice import ProofError, ProvableDice, bot_seed, check_seeds, commitment, verify
from regalia.server.model.values import SeedSource
from regalia.server.protocol import Proof
from server.harness import SEED, Guest, running, wait_for
from server.simulator import World

EXAMPLES = Path(__file__).parents[2] / "examples"


def finished(ann: Guest, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
    table = ann.new_table(game, seats, **more)["table"]["id"]
    assert ann.get(f"/api/tables/{table}/proof").status in (200, 409)
    wait_for(lambda: ann.table(table)["table"]["status"] == "ended", 90)
    proof: dict[str, Any] = ann.get(f"/api/tables/{table}/proof").json
    assert proof["commitment"] == ann.table(table)["table"]["fairness"]["commitment"]
    return proof


def script() -> Any:
    spec = importlib.util.spec_from_file_location("verify_example", EXAMPLES / "verify.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "game, seats", [("rose_king", 2), ("carolus_magnus", 3), ("court_the_king", 2), ("long_live_the_king", 3)]
)
def test_every_game_proves_its_dice_twice_over(ann: Guest, game: str, seats: int, tmp_path: Path) -> None:
    proof = finished(ann, game, ["bot"] * seats)
    assert hashlib.sha256(bytes.fromhex(proof["server_seed"])).hexdigest() == proof["commitment"]
    verified = verify(msgspec.convert(proof, Proof))
    assert verified.draws > 5
    assert not verified.is_protected  # bots alone: nobody was there to add a seed
    assert script().check(proof) == ""


# --- The server cannot choose the dice ---


def resigned(guest: Guest, table: str, seat: int = 0) -> Proof:
    guest.must("resign", table, seat=seat)
    return proof_of(guest, table)


def proof_of(guest: Guest, table: str) -> Proof:
    return msgspec.convert(guest.get(f"/api/tables/{table}/proof").json, Proof)


def test_the_commitment_is_told_before_any_seed_is_sent(ann: Guest) -> None:
    early = {"game": "court_the_king", "seats": [{"kind": "human", "seed": SEED}, {"kind": "open"}]}
    assert ann.post("/api/tables", early).code == "bad_message"
    plan = [{"kind": "human"}, {"kind": "bot", "bot": "random"}]
    created = ann.post("/api/tables", {"game": "court_the_king", "seats": plan}).json["table"]
    promised = created["fairness"]["commitment"]
    assert (created["status"], created["fairness"]["awaited"]) == ("open", [0])
    assert created["fairness"]["client_seeds"] is None
    ann.must("seed", created["id"], seed="ab" * 16)
    shown = ann.table(created["id"])["table"]
    assert (shown["status"], shown["fairness"]["awaited"]) == ("running", [])
    assert shown["fairness"]["sources"] == ["player", "bot"]
    proof = resigned(ann, created["id"])
    assert proof.commitment == promised
    assert proof.client_seeds[0] == "ab" * 16
    assert verify(proof, promised).is_protected


def test_a_server_that_tries_seeds_after_it_has_heard_the_players_cannot_meet_its_commitment(
    ann: Guest,
) -> None:
    """It looks for dice that it likes: a first roll of three sixes."""
    table = ann.new_table("court_the_king", ["human", "bot"])["table"]
    promised = table["fairness"]["commitment"]
    honest = resigned(ann, table["id"])
    assert verify(honest, promised).is_protected
    tries = (f"{number:064x}" for number in range(100_000))
    liked = next(seed for seed in tries if first_draws(seed, honest) == [5, 5, 5])
    promise_kept = msgspec.structs.replace(honest, server_seed=liked)
    with pytest.raises(ProofError, match="does not fit the commitment"):
        verify(promise_kept, promised)
    seeds = (honest.client_seeds[0], bot_seed(commitment(liked), 1))
    promise_changed = msgspec.structs.replace(
        honest, server_seed=liked, commitment=commitment(liked), client_seeds=seeds
    )
    with pytest.raises(ProofError, match="not the commitment that was told"):
        verify(promise_changed, promised)


def first_draws(server_seed: str, proof: Proof) -> list[int]:
    dice = ProvableDice(server_seed, proof.client_seeds, proof.table)
    return [dice.below(6, "roll") for _ in range(3)]


def test_a_server_cannot_choose_the_seed_of_a_bot_or_of_a_player_who_sent_none(
    ann: Guest, bob: Guest
) -> None:
    table = ann.new_table("carolus_magnus", ["human", "open", "bot"])["table"]["id"]
    bob.must("sit", table, seat=1)
    proof = msgspec.structs.replace(
        msgspec.convert(finished(ann, "carolus_magnus", ["bot"] * 3), Proof),
        **seeds_of(ann.table(table)["table"]["fairness"]),
    )
    check_seeds(proof, 3)
    for seat, seed in ((1, "cd" * 16), (2, "cd" * 16), (0, "ab"), (0, "")):
        seeds = list(proof.client_seeds)
        seeds[seat] = seed
        with pytest.raises(ProofError, match=f"the seed of seat {seat} is not that of its source"):
            check_seeds(msgspec.structs.replace(proof, client_seeds=tuple(seeds)), 3)
    with pytest.raises(ProofError, match="not as many seeds"):
        check_seeds(msgspec.structs.replace(proof, sources=proof.sources[:2]), 3)


def seeds_of(fairness: dict[str, Any]) -> dict[str, Any]:
    return {
        "commitment": fairness["commitment"],
        "client_seeds": tuple(fairness["client_seeds"]),
        "sources": tuple(map(SeedSource, fairness["sources"])),
    }


def test_who_sends_no_seed_can_play_and_the_proof_says_what_is_missing(ann: Guest, bob: Guest) -> None:
    plan = [{"kind": "human"}, {"kind": "open"}]
    table = ann.post("/api/tables", {"game": "rose_king", "seats": plan}).json["table"]["id"]
    assert ann.do("start", table).code == "wrong_phase"
    bob.must("sit", table, seat=1, seed="cd" * 16)
    assert ann.table(table)["table"]["status"] == "open"  # the host's seed may still come
    assert bob.do("start", table).code == "host_only"
    ann.must("start", table)
    shown = ann.table(table)["table"]
    assert (shown["status"], shown["fairness"]["sources"]) == ("running", ["none", "player"])
    assert ann.do("seed", table, seed=SEED).code == "wrong_phase"
    verified = verify(resigned(ann, table))
    assert (verified.unprotected, verified.is_protected) == ((0,), False)


def test_one_seed_serves_all_seats_of_a_device(ann: Guest) -> None:
    plan = [{"kind": "hotseat", "name": "A"}, {"kind": "hotseat", "name": "B"}]
    created = ann.post("/api/tables", {"game": "rose_king", "seats": plan}).json["table"]
    assert created["fairness"]["awaited"] == [0, 1]
    ann.must("seed", created["id"], seed=SEED)
    shown = ann.table(created["id"])["table"]
    assert shown["fairness"]["client_seeds"] == [SEED, SEED]
    assert verify(resigned(ann, created["id"])).is_protected


def test_of_two_tabs_the_first_seed_counts(ann: Guest) -> None:
    plan = [{"kind": "human"}, {"kind": "open"}]
    table = ann.post("/api/tables", {"game": "rose_king", "seats": plan}).json["table"]["id"]
    with ann.socket() as first, ann.socket() as second:
        assert first.watch(table, 0)["table"]["fairness"]["awaited"] == [0]
        assert second.watch(table, 0)["table"]["fairness"]["awaited"] == [0]
        assert first.ask("seed", table=table, id="tab-one", seed="aa" * 16)["type"] == "ack"
        assert second.ask("seed", table=table, id="tab-two", seed="bb" * 16)["code"] == "wrong_phase"
        assert first.ask("seed", table=table, id="tab-one", seed="aa" * 16)["type"] == "ack"


def test_nobody_sends_a_seed_for_another(ann: Guest, bob: Guest) -> None:
    plan = [{"kind": "human"}, {"kind": "open"}]
    table = ann.post("/api/tables", {"game": "rose_king", "seats": plan}).json["table"]["id"]
    assert bob.do("seed", table, seed=SEED).code == "wrong_phase"
    for wrong in ("", "ab", "xy" * 16, "ab" * 33):
        assert ann.do("seed", table, seed=wrong).code == "bad_message"
    assert ann.table(table)["table"]["fairness"]["awaited"] == [0]


def test_a_rematch_starts_when_the_seed_of_who_asked_has_come(ann: Guest) -> None:
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    ann.must("resign", table, seat=0)
    answer = ann.must("rematch", table, seat=0)
    following = answer["next"]
    assert ann.table(following)["table"]["status"] == "open"
    ann.must("seed", following, seed="cd" * 16)
    shown = ann.table(following)["table"]
    assert shown["status"] == "running"
    assert shown["fairness"]["client_seeds"][1] == "cd" * 16
    assert verify(resigned(ann, following, seat=1), answer["commitment"]).is_protected


def test_a_seed_sent_after_the_server_was_killed_keeps_the_commitment() -> None:
    with World() as world, Guest(world, "Ann") as ann:
        plan = [{"kind": "human"}, {"kind": "bot", "bot": "random"}]
        body = {"game": "rose_king", "seats": plan, "id": "killed-between"}
        created = ann.post("/api/tables", body).json["table"]
        world.kill()
        world.start()
        again = ann.post("/api/tables", body).json["table"]
        assert (again["id"], again["fairness"]) == (created["id"], created["fairness"])
        first = ann.must("seed", created["id"], id="once-only", seed=SEED)
        world.kill()
        world.start()
        assert ann.must("seed", created["id"], id="once-only", seed=SEED)["seq"] == first["seq"]
        assert ann.table(created["id"])["table"]["status"] == "running"
        assert verify(resigned(ann, created["id"]), created["fairness"]["commitment"]).is_protected


def test_a_proof_of_the_first_format_says_that_it_does_not_bind_the_server(ann: Guest) -> None:
    proof = finished(ann, "rose_king", ["bot", "bot"])
    verified = verify(msgspec.convert({**proof, "format": "regalia proof 1", "sources": []}, Proof))
    assert (verified.format, verified.is_protected, verified.unprotected) == (1, False, (0, 1))


# --- What was changed is noticed ---


def test_a_changed_outcome_seed_or_promise_is_noticed(ann: Guest) -> None:
    proof = finished(ann, "rose_king", ["bot", "bot"])
    lines = proof["transcript"].splitlines()
    drawn = next(i for i, line in enumerate(lines) if " draw / " in line)
    card = lines[drawn].rpartition(" ")[2]
    lines[drawn] = lines[drawn].replace(card, "N1" if card != "N1" else "N2")
    changes: list[dict[str, Any]] = [
        {"transcript": "\n".join(lines) + "\n"},
        {"server_seed": "00" * 32},
        {"server_seed": "00" * 32, "commitment": commitment("00" * 32)},
        {"client_seeds": [proof["client_seeds"][0], "beef"]},
        {"table": "another000"},
        {"transcript": proof["transcript"].replace("end", "# end")},
        {"format": "something else"},
        {"server_seed": "xyz"},
    ]
    for change in changes:
        with pytest.raises(ProofError):
            verify(msgspec.convert({**proof, **change}, Proof))
    assert script().check({**proof, **changes[0]}) != ""
    assert script().check({**proof, **changes[1]}) != ""


def test_a_match_from_a_position_proves_what_was_drawn_later(ann: Guest) -> None:
    first = finished(ann, "rose_king", ["bot", "bot"])
    head = first["transcript"].splitlines()
    start = "\n".join([*head[:12], f"end {12 - 4}", ""])
    proof = finished(ann, "rose_king", ["bot", "bot"], transcript=start)
    assert proof["start"] == start
    assert verify(msgspec.convert(proof, Proof)).draws > 0
    assert script().check(proof) == ""


def test_the_draws_are_even() -> None:
    dice = ProvableDice("11" * 32, ["a", "b"], "table")
    counts = Counter(dice.below(6, "roll") for _ in range(6000))
    assert all(850 < counts[face] < 1150 for face in range(6))
    assert dice.drawn == 6000


def test_every_seed_changes_the_dice() -> None:
    def draws(*arguments: Any) -> list[int]:
        dice = ProvableDice(*arguments)
        return [dice.below(1 << 30, "x") for _ in range(3)]

    usual = draws("11" * 32, ["a", "b"], "table")
    assert usual == draws("11" * 32, ["a", "b"], "table")
    others = [draws("12" * 32, ["a", "b"], "table"), draws("11" * 32, ["a", "c"], "table")]
    others += [draws("11" * 32, ["a", "b"], "other")]
    assert usual not in others


def test_a_failed_commit_does_not_roll_again(tmp_path: Path) -> None:
    """Whoever could make commits fail must not get to choose among outcomes."""
    from regalia.server.ports import StorageError

    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table("court_the_king", ["human", "hotseat"])["table"]["id"]
        for _ in range(3):
            shown = ann.table(table)
            seat = shown["view"]["actors"][0]
            mine = ann.table(table, seat=seat)["view"]
            real = server.services.store.write
            tried: list[bytes] = []

            async def failing(change: Any, tried: list[bytes] = tried) -> None:
                tried.append(change.appends[0].events[0].body)
                raise StorageError("full")

            play = {"seat": seat, "ply": mine["ply"], "action": mine["actions"][0]}
            server.services.tables.store.write = failing  # type: ignore[method-assign]
            assert ann.do("play", table, **play).code == "storage"
            assert ann.do("play", table, **play).code == "storage"
            server.services.tables.store.write = real  # type: ignore[method-assign]
            assert ann.table(table, seat=seat)["view"] == mine
            ann.must("play", table, **play)
            assert tried[0] == tried[1]
            last = ann.table(table)["records"][-1]
            assert json.loads(tried[0]).get("outcomes", []) == last["outcomes"]


def test_the_script_is_short_and_runs(ann: Guest, tmp_path: Path) -> None:
    assert len((EXAMPLES / "verify.py").read_text("utf-8").splitlines()) <= 60
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(finished(ann, "rose_king", ["bot", "bot"])), "utf-8")
    done = subprocess.run([sys.executable, EXAMPLES / "verify.py", file], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    file.write_text(file.read_text("utf-8").replace("/ ", "/ N1 "), "utf-8")
    done = subprocess.run([sys.executable, EXAMPLES / "verify.py", file], capture_output=True, text=True)
    assert done.returncode == 1

"""The dice: committed to before, shared by the seats, revealed and checked at the end."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from regalia.server.fair import FairDice, ProofError, commitment, verify
from regalia.server.protocol import Proof
from server.harness import Guest, Running, running
from server.test_tables import wait_for

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
    assert verify(msgspec.convert(proof, Proof)) > 5
    assert script().check(proof) == ""


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
    verify(msgspec.convert(proof, Proof))
    assert script().check(proof) == ""


def test_the_draws_are_even() -> None:
    dice = FairDice("11" * 32, ["a", "b"], "table")
    counts = Counter(dice.below(6, "roll") for _ in range(6000))
    assert all(850 < counts[face] < 1150 for face in range(6))
    assert dice.drawn == 6000


def test_every_seed_changes_the_dice() -> None:
    def draws(*made: Any) -> list[int]:
        dice = FairDice(*made)
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
                tried.append(change.events[0].body)
                raise StorageError("full")

            play = {"seat": seat, "ply": mine["ply"], "action": mine["actions"][0]}
            server.services.house.store.write = failing  # type: ignore[method-assign]
            assert ann.do("play", table, **play).code == "storage"
            assert ann.do("play", table, **play).code == "storage"
            server.services.house.store.write = real  # type: ignore[method-assign]
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


def test_the_example_bot_sits_down_and_plays_to_the_end(server: Running, ann: Guest) -> None:
    made = ann.new_table("carolus_magnus", ["bot", "open"])
    spec = importlib.util.spec_from_file_location("bot_example", EXAMPLES / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    others = [
        t["id"] for t in ann.get("/api/tables", list="open", game="carolus_magnus", limit=100).json["tables"]
    ]
    assert others[0] == made["table"]["id"]
    thread = threading.Thread(target=module.main, args=(server.base, "carolus_magnus", True), daemon=True)
    thread.start()
    thread.join(90)
    assert not thread.is_alive()
    shown = ann.table(made["table"]["id"])
    assert shown["table"]["status"] == "ended"
    assert shown["table"]["seats"][1]["name"] == "Random Rita"

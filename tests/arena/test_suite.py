"""The suite: views only, judged fairly, and a result that anyone can check."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from regalia import SetupError
from regalia.arena.suite import SuitePlan, check, digest_of, result_of
from regalia.cli import app

FIRST = """
def choose(view, actions, told):
    print("thinking aloud")
    return actions[0]
"""


def bot(folder: Path, text: str) -> str:
    path = folder / "my_bot.py"
    path.write_text(text, "utf-8")
    return str(path)


def plan_of(entry: str, **changes: Any) -> SuitePlan:
    given: dict[str, Any] = {"game": "rose_king", "baselines": ["random"], "deals": 1, "limit_s": 60.0}
    return SuitePlan.of(entry=entry, **{**given, **changes})


def played(plan: SuitePlan) -> dict[str, Any]:
    result = result_of(plan, {one.number: plan.play(one) for one in plan.fixtures()}, "search", "mine")
    data: dict[str, Any] = json.loads(json.dumps(result))
    return data


@pytest.mark.parametrize(
    "game, seats", [("rose_king", 2), ("carolus_magnus", 4), ("court_the_king", 2), ("long_live_the_king", 3)]
)
def test_a_bot_plays_and_its_result_is_true(tmp_path: Path, game: str, seats: int) -> None:
    plan = plan_of(bot(tmp_path, FIRST), game=game, seats=seats)
    result = played(plan)
    assert [row["fault"] for row in result["log"]] == [""] * len(plan.fixtures())
    assert check(result, part=1.0) == len(plan.fixtures())


def test_the_same_bot_has_the_same_digest_again(tmp_path: Path) -> None:
    entry = bot(tmp_path, FIRST)
    assert played(plan_of(entry))["digest"] == played(plan_of(entry))["digest"]


def test_a_command_speaks_text(tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text(
        "import json, sys\nfor line in sys.stdin:\n    print(json.loads(line)['actions'][-1], '', flush=True)\n",
        "utf-8",
    )
    result = played(plan_of(f"{sys.executable} {path}"))
    assert [row["fault"] for row in result["log"]] == ["", ""]


def test_a_named_bot_may_enter_too() -> None:
    assert check(played(plan_of("page")), part=1.0) == 2


def test_a_bot_is_told_what_its_seat_sees_and_nothing_else(tmp_path: Path) -> None:
    seen = tmp_path / "seen.jsonl"
    text = f"""
import json, os
def choose(view, actions, told):
    with open({str(seen)!r}, "a") as file:
        file.write(json.dumps([view, actions, told, sorted(os.environ), os.listdir()]) + "\\n")
    return actions[0]
"""
    plan = plan_of(bot(tmp_path, text), game="long_live_the_king", seats=3)
    plan.play(plan.fixtures()[1])
    lines = [json.loads(line) for line in seen.read_text("utf-8").splitlines()]
    for view, actions, told, names, files in lines:
        assert set(told) == {"game", "seat", "seats", "match", "ply"}
        assert (told["seat"], told["seats"]) == (1, 3)
        assert actions
        assert {"HOME", "LANG", "PATH"} <= set(names) <= {"HOME", "LANG", "LC_CTYPE", "PATH"}
        assert files == []
        assert [hand is None for hand in view["hands"]] == [True, False, True]
        assert view["pile"] is None


@pytest.mark.parametrize(
    "text, fault",
    [
        ("def choose(view, actions, told):\n    return 'anything'", "illegal"),
        ("def choose(view, actions, told):\n    return ''", "illegal"),
        ("def choose(view, actions, told):\n    return actions[0] + ' ' * 100_000", "answer"),
        ("def choose(view, actions, told):\n    raise ValueError", "crash"),
        ("import os\ndef choose(view, actions, told):\n    os._exit(0)", "crash"),
        ("import nothing_of_this_name", "crash"),
        ("CHOOSE = 1", "crash"),
    ],
)
def test_what_goes_wrong_loses_the_match(tmp_path: Path, text: str, fault: str) -> None:
    plan = plan_of(bot(tmp_path, text))
    result = played(plan)
    assert [row["fault"] for row in result["log"]] == [fault, fault]
    assert [row["ranks"] for row in result["log"]] == [[2, 1], [1, 2]]
    assert result["figures"]["superiority"]["share"] == 0
    assert result["figures"]["against"]["random"]["faults"] == {fault: 2}
    assert check(result, part=1.0) == 2


def test_who_thinks_too_long_loses_and_is_ended(tmp_path: Path) -> None:
    text = "import time\ndef choose(view, actions, told):\n    time.sleep(10_000)"
    plan = plan_of(bot(tmp_path, text), limit_s=0.2)
    assert plan.play(plan.fixtures()[0]).fault == "time"


def test_what_was_changed_is_found_out(tmp_path: Path) -> None:
    result = played(plan_of(bot(tmp_path, FIRST)))

    def changed(**changes: Any) -> dict[str, Any]:
        twin = {**json.loads(json.dumps(result)), **changes}
        twin["digest"] = digest_of(twin)
        return twin

    with pytest.raises(SetupError, match="digest does not fit"):
        check({**result, "log": result["log"][:1]})
    with pytest.raises(SetupError, match="do not follow from the log"):
        check(changed(log=result["log"][:1]))
    with pytest.raises(SetupError, match="other rules, bots"):
        check(changed(plan={**result["plan"], "bots": 0}))
    swapped = changed()
    swapped["log"][0]["answers"] = swapped["log"][0]["answers"][:-1]
    swapped["digest"] = digest_of(swapped)
    with pytest.raises(SetupError, match="Match 0 ends otherwise"):
        check(swapped, part=1.0)
    for nonsense in (None, [], {"plan": 3}, {"plan": {}, "log": []}):
        with pytest.raises(SetupError, match="no result of the suite"):
            check(nonsense)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"game": "ludo"}, "ludo"),
        ({"entry": "nowhere.py"}, "no file nowhere.py"),
        ({"entry": " "}, "no command"),
        ({"seats": 7}, "not for 7 players"),
        ({"baselines": []}, "one or more different baselines"),
        ({"baselines": ["page", "page"]}, "one or more different baselines"),
        ({"baselines": ["queen"]}, "queen"),
        ({"deals": 0}, "0"),
        ({"limit_s": 0.0}, "0"),
    ],
)
def test_bad_input_is_one_clear_line(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        plan_of(**{"entry": "random", **changes})


# --- The command ---


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["suite", *words], prog_name="regalia")


def test_the_command_writes_and_checks_a_result(tmp_path: Path) -> None:
    entry, out = bot(tmp_path, FIRST), tmp_path / "out"
    words = [entry, "--game", "rose_king", "--against", "random", "--deals", "1", "--limit", "60"]
    words += ["--workers", "1", "--out", str(out)]
    assert "The Rose King: ranks above in" in run(*words).stdout
    (row,) = json.loads(run(*words, "--json").stdout)
    assert (row["entry"], row["track"], row["deals"]) == ("my_bot", "search", 1)
    said = run("--check", str(out / "rose_king.json"), "--part", "1").stdout
    assert said == f"True: digest {row['digest']}, 2 matches played again.\n"


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Name a bot"),
        (("page", "--track", "chess"), "There is no track chess"),
        (("no-such-program-here --x", "--game", "rose_king", "--workers", "1"), "could not be started"),
        (("--check", "nowhere.json"), "nowhere.json"),
    ],
)
def test_the_command_refuses_in_one_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    more = ("--out", str(tmp_path)) if words[:1] != ("--check",) else ()
    result = run(*words, *more)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1

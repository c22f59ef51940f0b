"""The compile cache: an edit anywhere a rule depends on is never ignored, and old folders go."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from regalia.core import kernel

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from toy.rules import answer
print(answer(1))
"""
RULES = """
from regalia.core.kernel import kernel
from toy.components import NUMBER

@kernel
def answer(x):
    return x + NUMBER
"""


def answer(folder: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        env={**os.environ, "REGALIA_CACHE": str(folder / "cache"), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.slow
def test_an_edit_in_another_file_of_the_folder_is_seen(tmp_path: Path) -> None:
    toy = tmp_path / "toy"
    toy.mkdir()
    (toy / "__init__.py").write_text("")
    (toy / "rules.py").write_text(RULES)
    (toy / "components.py").write_text("NUMBER = 17\n")
    assert answer(tmp_path) == 18
    assert answer(tmp_path) == 18
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 1
    (toy / "components.py").write_text("NUMBER = 706\n")
    assert answer(tmp_path) == 707
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 2


def digest_of(source: Path) -> str:
    """Under which digest a kernel in a file is kept."""
    return kernel.digest_of(tuple(kernel.folders_of(str(source))))


def test_a_kernel_is_compiled_anew_for_edits_that_it_may_depend_on_and_for_no_others(tmp_path: Path) -> None:
    sources = {"rules": tmp_path / "rules.py"}
    for name in ("bots", "odds"):
        sources[name] = tmp_path / name / "kernels.py"
    for path in (*sources.values(), tmp_path / "state.py", tmp_path / "cli" / "board.py"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("", "utf-8")

    def changed_by(edited: str) -> set[str]:
        before = {name: digest_of(path) for name, path in sources.items()}
        (tmp_path / edited).write_text("# edited", "utf-8")
        return {name for name, path in sources.items() if digest_of(path) != before[name]}

    assert changed_by("state.py") == {"rules", "bots", "odds"}
    assert changed_by("bots/kernels.py") == {"bots"}
    assert changed_by("odds/more.py") == {"odds"}
    assert changed_by("cli/board.py") == set()


def test_a_kernel_of_a_games_bots_depends_on_what_all_bots_share(tmp_path: Path) -> None:
    (tmp_path / "state.py").write_text("", "utf-8")
    source = tmp_path / "bots" / "knowledge.py"
    assert kernel.folders_of(str(source)) == [tmp_path, tmp_path / "bots", kernel.PACKAGE / "bots"]


def test_old_cache_folders_are_pruned_but_not_those_in_use(tmp_path: Path) -> None:
    for age in range(kernel.KEPT_FOLDERS + 3):
        folder = tmp_path / f"{age:02}"
        folder.mkdir()
        then = time.time() - 7200 + age
        os.utime(folder, (then, then))
    (tmp_path / "file").write_text("not a folder")
    kernel.prune(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == [
        f"{age:02}" for age in range(3, kernel.KEPT_FOLDERS + 3)
    ]
    for age in range(20):
        (tmp_path / f"new{age:02}").mkdir()
    kernel.prune(tmp_path)
    assert sum(path.name.startswith("new") for path in tmp_path.iterdir()) == 20


def test_a_cache_folder_may_vanish_while_another_process_prunes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = [tmp_path / str(number) for number in range(kernel.KEPT_FOLDERS + 1)]
    monkeypatch.setattr(Path, "iterdir", lambda _: iter(gone))
    monkeypatch.setattr(Path, "is_dir", lambda _: True)  # it still was there a moment ago
    kernel.prune(tmp_path)


def test_the_cache_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REGALIA_CACHE", str(tmp_path))
    assert kernel.cache_root() == tmp_path
    monkeypatch.delenv("REGALIA_CACHE")
    assert kernel.cache_root().name == "regalia"


ALLOCATING = """
import numpy as np
from regalia.core.kernel import kernel

@kernel
def answer(x):
    return int(np.{maker}(3, np.int64).sum()) + x
"""


def test_a_kernel_may_make_scratch_arrays_by_empty_and_zeros_only(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    rules = folder / "rules.py"
    rules.write_text(ALLOCATING.format(maker="zeros"), "utf-8")
    assert answer(tmp_path) == 1
    rules.write_text(ALLOCATING.format(maker="ones"), "utf-8")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        answer(tmp_path)
    assert "TypingError" in refused.value.stderr


def test_a_cache_that_cannot_be_written_is_copied_for_this_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    full = tmp_path / "full" / "compiled" / "digest"
    full.mkdir(parents=True)
    (full / "rule.nbc").write_text("code", "utf-8")

    def refuse(**_: object) -> None:
        raise PermissionError

    monkeypatch.setenv("REGALIA_CACHE", str(tmp_path / "full"))
    monkeypatch.setattr(kernel.tempfile, "TemporaryFile", refuse)
    copy = kernel.cache_root()
    assert copy != tmp_path / "full"
    assert (copy / "compiled" / "digest" / "rule.nbc").read_text("utf-8") == "code"
    assert os.environ["REGALIA_CACHE"] == str(copy), "processes that are started use the same copy"


def test_rules_compile_where_no_cache_can_be_made(tmp_path: Path) -> None:
    """Without a home to write in, say: every run compiles into a folder of its own, which it removes."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "rules.py").write_text(ALLOCATING.format(maker="zeros"), "utf-8")
    (tmp_path / "cache").write_text("a file, not a folder", "utf-8")
    (tmp_path / "scratch").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env={
            **os.environ,
            "REGALIA_CACHE": str(tmp_path / "cache"),
            "NUMBA_DISABLE_JIT": "0",
            "TMPDIR": str(tmp_path / "scratch"),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n"
    assert list((tmp_path / "scratch").iterdir()) == []

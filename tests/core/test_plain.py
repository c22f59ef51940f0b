"""Kernels that another process still compiles run as plain Python."""

from __future__ import annotations

import importlib
import threading
from pathlib import Path
from types import ModuleType

import pytest

from regalia.core import kernel, plain

RULES = """
from regalia.core.kernel import kernel
from {package}.more import double

@kernel
def answer(x):
    return double(x) + 1

@kernel
def count_down(x):
    return 0 if x == 0 else 1 + count_down(x - 1)
"""
MORE = """
from regalia.core.kernel import kernel

@kernel
def double(x):
    return 2 * x
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Two modules with kernels, of a folder that is postponed."""
    folder = tmp_path / f"toy_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "more.py").write_text(MORE, "utf-8")
    (folder / "rules.py").write_text(RULES.format(package=folder.name), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("REGALIA_CACHE", str(tmp_path / "cache"))
    plain.postpone(folder)
    return importlib.import_module(f"{folder.name}.rules")


def folder_of(rules: ModuleType) -> Path:
    return Path(str(rules.__file__)).parent


def test_what_is_postponed_answers_without_being_compiled(rules: ModuleType) -> None:
    assert rules.answer(3) == 7
    assert rules.count_down(5) == 5
    assert not any(each.signatures for each in (rules.answer, rules.double, rules.count_down))


def test_what_goes_on_is_compiled_at_its_next_call(rules: ModuleType) -> None:
    assert rules.answer(3) == 7
    plain.resume(folder_of(rules))
    assert rules.answer(3) == 7
    assert rules.answer.signatures
    assert rules.double.signatures


def test_a_thread_that_loads_leaves_the_others_with_plain_python_until_it_is_done(rules: ModuleType) -> None:
    def load() -> None:
        with plain.loading():
            assert rules.answer(3) == 7

    loader = threading.Thread(target=load)
    loader.start()
    loader.join()
    assert rules.answer.signatures
    assert rules.count_down(5) == 5
    assert not rules.count_down.signatures


def test_other_folders_are_compiled_meanwhile(rules: ModuleType, tmp_path: Path) -> None:
    del rules
    other = kernel.compiled(lambda x: x + 1, tmp_path / "other", counts=False)
    assert other(1) == 2
    assert other.signatures  # type: ignore[attr-defined]

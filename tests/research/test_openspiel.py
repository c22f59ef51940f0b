"""The games in OpenSpiel: what needs it says so; what it says of them is in open_spiel/cases.py."""

from __future__ import annotations

import sys

import pytest

import regalia.research
from regalia import SetupError
from research.apart import run_apart


def test_without_openspiel_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "regalia.research.openspiel", raising=False)
    with pytest.raises(SetupError) as error:
        regalia.research.__getattr__("openspiel")
    assert str(error.value) == "This needs the extra openspiel: pip install 'regalia[openspiel]'."


@pytest.mark.long
def test_in_an_environment_with_openspiel() -> None:
    said = run_apart(
        *["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/research/open_spiel/cases.py"],
        extras=("openspiel",),
        packages=("pytest>=9.0",),
    )
    assert " passed" in said
    assert "failed" not in said

"""Every test of the command line has a data folder of its own and speaks English unless it says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("REGALIA_DATA", str(folder))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "40")
    return folder


@pytest.fixture
def finished_match(tmp_path: Path) -> Path:
    """The file of a whole match of The Rose King."""
    return Path(__file__).parents[1] / "games" / "rose_king" / "transcripts" / "stones.txt"

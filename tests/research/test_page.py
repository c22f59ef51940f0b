"""The page for those who learn is true: its code runs, and what stands behind a line comes out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from regalia import GAMES
from regalia.core.toys import find_toy

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def test_the_code_of_the_page_runs() -> None:
    text = PAGE.read_text("utf-8")
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        exec(block, names)
    assert names["best"] == max(names["by_step"].values()) == find_toy(GAMES["rose_king"], "roses").value
    assert names["observations"].shape == (64, 427)
    shown = re.findall(r"^(features\S+?)  # (.+)$", blocks[-2], re.MULTILINE)
    assert len(shown) == 3
    for code, value in shown:
        assert repr(eval(code, names)) == value

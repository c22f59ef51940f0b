"""The example of the README is true: its lines run, and what stands behind them comes out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"
SHOWN = re.compile(r"(\[.*\]|\(.*?\)|<.*>|True|False|\d+)(: .*)?")


def test_the_example_of_the_readme_gives_what_it_says() -> None:
    example = README.read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    checked = 0
    for line in example.splitlines():
        code, _, remark = line.partition("  # ")
        shown = SHOWN.fullmatch(remark)
        if shown is None:
            exec(code, names)
        else:
            assert repr(eval(code, names)) == shown[1], line
            checked += 1
    assert checked == 5
    match = names["match"]
    assert names["regalia"].Match.replay(match.transcript()) == match

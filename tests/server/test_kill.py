"""The server is killed again and again while matches are played; nothing acknowledged is lost."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "kill_test.py"


def test_twenty_kills_lose_double_and_reorder_nothing(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("kill_test", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kill_test"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    figures = module.run(kills=20, tables=6, seed=20, folder=tmp_path, most_views=40)
    assert figures["acknowledged"] >= 20
    assert figures["sent_again"] >= 5
    assert figures["views"] >= 20

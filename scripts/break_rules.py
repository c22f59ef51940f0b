"""Break each branch of a game's rules once, and see whether its tests notice.

    python scripts/break_rules.py rose_king            every condition of the game's compiled rules
    python scripts/break_rules.py rose_king --only 7   one of them

Every `if`, `elif`, `while` and conditional expression inside a kernel is negated in turn, in a copy of the sources,
and the game's tests run against the copy as plain Python. A break that no test notices is printed at the end and
makes the exit code 1. Breaks that only make a loop endless are stopped by a time limit and count as noticed.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 120


def kernels(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "kernel" for d in node.decorator_list):
            yield node


def conditions(tree: ast.Module) -> list[ast.If | ast.While | ast.IfExp]:
    found = [
        node
        for rule in kernels(tree)
        for node in ast.walk(rule)
        if isinstance(node, ast.If | ast.While | ast.IfExp)
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def broken(source: str, number: int) -> tuple[str, str]:
    """The source with one condition negated, and where."""
    tree = ast.parse(source)
    node = conditions(tree)[number]
    where = f"line {node.lineno}: {ast.unparse(node.test)}"
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return ast.unparse(ast.fix_missing_locations(tree)), where


def noticed(game: str, path: Path, source: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "regalia"
        shutil.copytree(
            ROOT / "src" / "regalia", copy, ignore=shutil.ignore_patterns("static", "__pycache__")
        )
        (copy / path.relative_to(ROOT / "src" / "regalia")).write_text(source, "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "plain", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, str(ROOT / "tests" / "games" / game)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": folder, "NUMBA_DISABLE_JIT": "1"},
                capture_output=True,
                timeout=LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
    return done.returncode == 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Break each branch of a game's rules once.")
    parser.add_argument("game")
    parser.add_argument("--only", type=int)
    given = parser.parse_args()
    folder = ROOT / "src" / "regalia" / "games" / given.game
    places = [
        (path, number)
        for path in sorted([*folder.glob("*.py"), *folder.glob("odds/*.py")])
        for number in range(len(conditions(ast.parse(path.read_text("utf-8")))))
    ]
    missed = []
    for index, (path, number) in enumerate(places):
        if given.only is not None and index != given.only:
            continue
        source, where = broken(path.read_text("utf-8"), number)
        verdict = noticed(given.game, path, source)
        print(
            f"{index + 1}/{len(places)} {path.name} {where}: {'noticed' if verdict else 'MISSED'}", flush=True
        )
        if not verdict:
            missed.append(f"{path.name} {where}")
    print(f"{len(places)} breaks, {len(missed)} missed", *missed, sep="\n  ")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

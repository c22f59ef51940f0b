"""All checks, behind ./test.

./test                 every stage of the table below
./test --fast          lint, types and the quick tests, in under two minutes
./test --long          only the tests that are too long for every landing (marked `long`)
./test ARGUMENT ...    only the tests, without coverage, with these pytest arguments:
                       ./test tests/core -k undo -x
                       a stage that these leave without a test says so; all of them without one is a failure
                       ./test --fast tests/core        also without slow tests and the plain run

Every stage runs, also after one that failed, but for coverage after failed tests. The last line counts tests,
and a stage that failed without any as one failure; the exit code is 0 only if nothing failed. Up to three tests that
wait for a browser or another process get a second try by themselves if no other test failed; the summary says how many
needed it. Everything else runs in virtual time or in its own process, and must pass at once.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
SOME_FAILED = 1  # pytest's exit code after a whole run
NO_TESTS = 5  # pytest's exit code for a selection without a single test
BROWSER = ROOT / "tests" / "browser"
# Where a busy machine can make a sound program late: tests with a browser, another process or real sockets.
WAIT_FOR_OTHERS = (
    "tests.browser.",
    "tests.arena.test_suite",
    "tests.cli.test_terminal",
    "tests.server.test_abuse",
    "tests.server.test_calculations",
    "tests.server.test_auth",
    "tests.server.test_example_bot",
    "tests.server.test_dice",
    "tests.server.test_faults",
    "tests.server.test_golden",
    "tests.server.test_kill",
    "tests.server.test_leaks",
    "tests.server.test_many",
    "tests.server.test_operations",
    "tests.server.test_operator",
    "tests.server.test_reviews",
    "tests.server.test_reach",
    "tests.server.test_schema",
    "tests.server.test_store",
    "tests.server.test_study",
    "tests.server.test_workers",
)
MOST_TRIED_AGAIN = 3

# Coverage cannot look into compiled rules: the second run shows it their lines, as plain Python. Numba's own
# way (NUMBA_JIT_COVERAGE) would count every line that was compiled as a line that was run.
SPREAD = "--numprocesses=auto --maxprocesses=4 --dist=loadfile"  # over the cores, whole files
COMPILED = {"NUMBA_DISABLE_JIT": "0", "NUMBA_JIT_COVERAGE": "0"}
PLAIN = {"NUMBA_DISABLE_JIT": "1", "NUMBA_JIT_COVERAGE": "0"}


@dataclass(frozen=True)
class Stage:
    name: str
    when: str  # full, fast, both, or long
    command: str  # what follows `python -m`, or a script with its arguments
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def is_tests(self) -> bool:
        return self.command.startswith("pytest ")

    @property
    def is_browser(self) -> bool:
        return "tests/browser -m browser" in self.command


STAGES = [
    Stage("lint", "full fast", "ruff check"),
    Stage("format", "full fast", "ruff format --check"),
    Stage("types", "full fast", "mypy"),
    Stage("browser pages: words and types", "full", "scripts/npm.py run check"),
    Stage("browser pages: components", "full", "scripts/npm.py test"),
    Stage(
        "quick tests",
        "fast",
        "pytest -m 'not slow and not long and not browser' --ignore=tests/browser",
        COMPILED,
    ),
    Stage(
        "tests, compiled rules",
        "full",
        f"pytest -m 'not browser and not long' --ignore=tests/browser --cov --cov-report= {SPREAD}",
        COMPILED,
    ),
    Stage("tests in a real browser", "full", "pytest tests/browser -m browser", COMPILED),
    Stage(
        "tests, plain rules",
        "full",
        f"pytest -m 'plain and not long' --ignore=tests/browser --cov --cov-report= --cov-append {SPREAD}",
        PLAIN,
    ),
    Stage("long tests", "long", f"pytest -m long --ignore=tests/browser {SPREAD}", COMPILED),
    Stage(
        "coverage of core and games, both runs together",
        "full",
        "coverage report --fail-under=100 --include=src/regalia/core/*,src/regalia/games/*"
        " --omit=src/regalia/games/*/bots/*,src/regalia/games/*/cli/*",
    ),
]


@dataclass
class Result:
    stage: Stage
    verdict: str  # ok, FAILED, nothing selected or not run
    seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    late: int = 0  # passed at the second try


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    when = next((kind for kind in ("fast", "long") if f"--{kind}" in arguments), "full")
    chosen = [argument for argument in arguments if argument not in ("--fast", "--long")]

    results: list[Result] = []
    for stage in STAGES:
        if when not in stage.when or (chosen and not stage.is_tests):
            continue
        tests_failed = any(result.failed for result in results if result.stage.is_tests)
        if tests_failed and stage.command.startswith("coverage "):
            results.append(Result(stage, "not run"))
        else:
            results.append(run(stage, chosen))
    if chosen and not any(result.passed + result.failed + result.skipped for result in results):
        print("\nNo test was selected; that counts as a failure.")
        results[0].failed = 1
    return summarise(results)


def run(stage: Stage, chosen: list[str]) -> Result:
    print(f"\n== {stage.name} ".ljust(100, "="), flush=True)
    start = time.monotonic()
    words = shlex.split(stage.command)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        if stage.is_tests and chosen:
            words = with_arguments(stage, words, chosen)
            if not words:
                return nothing_selected(stage, start)
        if stage.is_tests:
            words.append(f"--junitxml={report}")
        environment = {**os.environ, **stage.environment}
        if not words[0].endswith(".py"):
            words = ["-m", *words]
        status = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, check=False).returncode
        result = Result(stage, "ok")
        if report.exists():
            count(report, result)
            if deserves_another_try(report, status):
                print("\n-- once more, by themselves, what failed", flush=True)
                words = [word for word in words if word not in SPREAD.split()]
                words += ["--last-failed", *(["--cov-append"] if "--cov" in words else [])]
                status = subprocess.run(
                    [sys.executable, *words], cwd=ROOT, env=environment, check=False
                ).returncode
                if not status:
                    result.late, result.failed = result.failed, 0
                    result.passed += result.late
        result.seconds = time.monotonic() - start

    if status == NO_TESTS and stage.is_tests:
        if chosen:
            return nothing_selected(stage, start)
        print("No test was selected; that counts as a failure.")
    if status:
        result.verdict = "FAILED"
        result.failed = max(result.failed, 1)
    print(f"-- {result.verdict} after {result.seconds:.1f} s", flush=True)
    return result


def nothing_selected(stage: Stage, start: float) -> Result:
    print("-- nothing selected", flush=True)
    return Result(stage, "nothing", time.monotonic() - start)


def with_arguments(stage: Stage, words: list[str], chosen: list[str]) -> list[str]:
    """The stage's own words with the paths and options of the caller; empty if all paths are another stage's."""
    paths = [word for word in chosen if is_path(word)]
    options = [word for word in chosen if not is_path(word)]
    pytest, *rest = [word for word in words if not word.startswith("--cov") and word not in SPREAD.split()]
    if paths:
        rest = [word for word in rest if word != "tests/browser"]
        mine = [path for path in paths if is_for(stage, path)]
        if not mine:
            return []
        options = [*mine, *options]
    # The last -m counts: one among the arguments replaces the stage's own, but not the choice of plain tests.
    return [pytest, *options, *rest] if stage.environment is PLAIN else [pytest, *rest, *options]


def is_path(word: str) -> bool:
    return not word.startswith("-") and ("/" in word or (ROOT / word).exists())


def is_for(stage: Stage, path: str) -> bool:
    """Browser tests have a stage of their own; a folder above them is for every stage."""
    place = (ROOT / path.partition("::")[0]).resolve()
    is_inside = place == BROWSER or BROWSER in place.parents
    return is_inside or place in BROWSER.parents if stage.is_browser else not is_inside


def count(report: Path, result: Result) -> None:
    for suite in ElementTree.parse(report).iter("testsuite"):  # noqa: S314 - pytest wrote it a moment ago
        tests, failures, errors, skipped = (
            int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")
        )
        result.failed += failures + errors
        result.skipped += skipped
        result.passed += tests - failures - errors - skipped


def deserves_another_try(report: Path, status: int) -> bool:
    """Whether a few tests failed, and only such as wait for a browser or a server."""
    cases = ElementTree.parse(report).iter("testcase")  # noqa: S314 - pytest wrote it a moment ago
    failed = [
        case.get("classname", "")
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    return (
        status == SOME_FAILED
        and 0 < len(failed) <= MOST_TRIED_AGAIN
        and all(name.startswith(WAIT_FOR_OTHERS) for name in failed)
    )


def summarise(results: list[Result]) -> int:
    print("\n== summary ".ljust(100, "="))
    for result in results:
        print(f"{result.verdict:8}{result.seconds:7.1f} s  {result.stage.name}")
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    skipped = sum(result.skipped for result in results)
    late = sum(result.late for result in results)
    if late:
        print(f"\n{late} of the passed tests failed at first and passed by themselves: worth a look.")
    print(f"\n{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nStopped by you.")

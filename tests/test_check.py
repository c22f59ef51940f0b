"""`./test PATH`: which stage runs what, and what is tried again."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def check() -> Any:
    spec = importlib.util.spec_from_file_location("check", ROOT / "scripts" / "check.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["check"] = module
    spec.loader.exec_module(module)
    return module


def words(check: Any, name: str, *chosen: str) -> list[str]:
    stage = next(stage for stage in check.STAGES if stage.name == name)
    found: list[str] = check.with_arguments(stage, stage.command.replace("'", "").split(), list(chosen))
    return found


def test_the_browser_stage_leaves_other_tests_alone(check: Any) -> None:
    assert words(check, "tests in a real browser", "tests/core", "-x") == []
    assert words(check, "tests, compiled rules", "tests/core", "-x")[-2:] == ["tests/core", "-x"]


def test_browser_tests_run_only_in_their_stage(check: Any) -> None:
    path = "tests/browser/test_pages.py::test_it_installs_as_an_app"
    assert words(check, "tests, compiled rules", path) == []
    assert words(check, "tests, plain rules", path) == []
    assert words(check, "tests in a real browser", path) == ["pytest", "-m", "browser", path]


def test_a_folder_above_both_is_for_every_stage(check: Any) -> None:
    assert "tests" in words(check, "tests in a real browser", "tests")
    assert "tests" in words(check, "tests, compiled rules", "tests")


def test_options_without_a_path_go_to_every_stage(check: Any) -> None:
    assert words(check, "tests in a real browser", "-k", "undo")[-2:] == ["-k", "undo"]
    assert words(check, "tests, plain rules", "-k", "undo")[1:3] == ["-k", "undo"]


def report_of(folder: Path, *failed: str) -> Path:
    cases = "".join(f'<testcase classname="{name}" name="it"><failure/></testcase>' for name in failed)
    report = folder / "report.xml"
    report.write_text(
        f'<testsuites><testsuite><testcase classname="tests.core.a"/>{cases}</testsuite></testsuites>'
    )
    return report


def test_a_second_try_is_for_few_tests_and_only_those_that_wait_for_other_processes(
    check: Any, tmp_path: Path
) -> None:
    late = "tests.browser.test_pages"
    assert check.deserves_another_try(report_of(tmp_path, late, "tests.server.test_kill"), 1)
    assert not check.deserves_another_try(report_of(tmp_path, late, "tests.server.test_tables"), 1)
    assert not check.deserves_another_try(report_of(tmp_path, late, "tests.core.test_match"), 1)
    assert not check.deserves_another_try(report_of(tmp_path, *[late] * 4), 1)
    assert not check.deserves_another_try(report_of(tmp_path), 1)  # a crash, not a test
    assert not check.deserves_another_try(report_of(tmp_path, late), 2)  # stopped by hand


def test_long_tests_run_only_when_they_are_asked_for(check: Any) -> None:
    for stage in check.STAGES:
        if stage.is_tests and not stage.is_browser:
            assert ("not long" in stage.command) is (stage.when != "long")


def test_what_may_be_tried_again_is_there(check: Any) -> None:
    for name in check.WAIT_FOR_OTHERS:
        place = ROOT / name.rstrip(".").replace(".", "/")
        assert place.is_dir() or place.with_suffix(".py").is_file(), name

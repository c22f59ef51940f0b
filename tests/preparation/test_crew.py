"""Processes that compile: one for each game, the wanted ones first, and what happens when one of them dies."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from regalia import GAMES
from regalia.core import kernel
from regalia.core.game import Game
from regalia.preparation import crew as crews
from regalia.preparation.crew import MOST_FAILURES, Crew, Progress, Task
from regalia.preparation.stages import Stage, kernels_of

PATIENCE_S = 120.0  # a game may have to be compiled from nothing
MakeCrew = Callable[..., Crew]


@pytest.fixture
def make_crew() -> Iterator[MakeCrew]:
    made: list[Crew] = []

    def make(*names: str, compiled: list[str] | None = None) -> Crew:
        def note(game: Game) -> None:
            if compiled is not None:
                compiled.append(game.id)

        made.append(Crew([GAMES[name] for name in names], [Stage.TABLE], 1, note, is_background=False))
        return made[-1]

    yield make
    for crew in made:
        crew.stop()


def until(crew: Crew, is_so: Callable[[dict[str, Task]], object]) -> dict[str, Task]:
    """The tasks by game, once this is so."""
    end = time.monotonic() + PATIENCE_S
    while not is_so(tasks := {task.game.id: task for task in crew.tasks()}):
        assert time.monotonic() < end, tasks
        time.sleep(0.01)
    return tasks


def test_a_process_of_its_own_compiles_all_that_was_counted(make_crew: MakeCrew) -> None:
    compiled: list[str] = []
    crew = make_crew("rose_king", compiled=compiled)
    crew.count(GAMES["rose_king"])
    total = len(kernels_of(GAMES["rose_king"], [Stage.TABLE]))
    assert [(task.done, task.total, task.progress) for task in crew.tasks()] == [(0, total, Progress.WAITING)]
    crew.start()
    task = until(crew, lambda tasks: tasks["rose_king"].is_ready)["rose_king"]
    assert (task.done, task.total) == (total, total)
    assert compiled == ["rose_king"]
    until(crew, lambda _: not crew.is_at_work)


def test_the_game_somebody_opened_comes_first_even_if_another_has_begun(make_crew: MakeCrew) -> None:
    compiled: list[str] = []
    crew = make_crew("rose_king", "long_live_the_king", compiled=compiled)
    crew.start()
    until(crew, lambda tasks: tasks["long_live_the_king"].process)  # it is the longest
    crew.want("rose_king")
    crew.want("long_live_the_king")  # not before one that somebody wanted earlier
    tasks = until(crew, lambda tasks: all(task.is_ready for task in tasks.values()))
    assert compiled == ["rose_king", "long_live_the_king"]
    assert tasks["long_live_the_king"].failures == 0, "it was put off, and did not fail"


def test_a_process_that_is_killed_is_started_again(make_crew: MakeCrew) -> None:
    crew = make_crew("rose_king")
    crew.start()
    process = until(crew, lambda tasks: tasks["rose_king"].process)["rose_king"].process
    assert process is not None
    process.kill()
    task = until(crew, lambda tasks: tasks["rose_king"].is_ready)["rose_king"]
    assert task.failures == 1


def test_a_game_that_cannot_be_compiled_is_given_up(
    make_crew: MakeCrew, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(crews.sys, "executable", shutil.which("false"))
    crew = make_crew("rose_king")
    crew.start()
    task = until(crew, lambda tasks: tasks["rose_king"].has_failed)["rose_king"]
    assert task.failures == MOST_FAILURES
    assert caplog.messages == ["a compiling process failed"] * MOST_FAILURES
    until(crew, lambda _: not crew.is_at_work)


def test_a_game_whose_process_cannot_even_be_started_is_given_up(
    make_crew: MakeCrew, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crews.sys, "executable", "/nowhere/python")
    crew = make_crew("rose_king")
    crew.start()
    until(crew, lambda tasks: tasks["rose_king"].has_failed)


def test_processes_end_with_their_crew(make_crew: MakeCrew) -> None:
    crew = make_crew("rose_king", "carolus_magnus")
    crew.start()
    process = until(crew, lambda tasks: tasks["carolus_magnus"].process)["carolus_magnus"].process
    crew.stop()
    until(crew, lambda _: not crew.is_at_work)
    assert process is not None
    assert process.poll() is not None
    assert [task.is_ready for task in crew.tasks()] == [False, False]


def test_of_several_crews_one_compiles_and_the_others_use_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As every process of a server has one. The crew that is first ends before it is done, as with its process."""
    monkeypatch.setenv("REGALIA_CACHE", str(tmp_path))
    kernel.cache_folder.cache_clear()
    compiled: list[list[str]] = [[], [], []]
    games = [GAMES["rose_king"]]
    made = [Crew(games, [Stage.TABLE], 2, lambda game, done=done: done.append(game.id)) for done in compiled]
    try:
        made[0].start()
        until(made[0], lambda tasks: tasks["rose_king"].process)
        for crew in made[1:]:
            crew.start()
        made[0].stop()
        for crew in made[1:]:
            until(crew, lambda tasks: tasks["rose_king"].is_ready)
            until(crew, lambda _, crew=crew: not crew.is_at_work)
        took_s = [next(iter(crew.tasks())).seconds for crew in made[1:]]
        assert sorted(map(bool, took_s)) == [False, True]  # one had a process
        assert compiled[1:] == [["rose_king"], ["rose_king"]]
    finally:
        for crew in made:
            crew.stop()
        kernel.cache_folder.cache_clear()

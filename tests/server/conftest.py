"""One server for the tests that only talk to it; those that break it start their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.harness import Guest, Running, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def ann(server: Running) -> Iterator[Guest]:
    with Guest(server, "Ann") as guest:
        yield guest


@pytest.fixture
def bob(server: Running) -> Iterator[Guest]:
    with Guest(server, "Bob") as guest:
        yield guest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path

"""One server for the tests that only talk to it; those that break it start their own."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from regalia.server.store import open_store
from server.harness import Guest, Running, running

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from postgres import Postgres

NUMBERS = itertools.count()


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


# --- PostgreSQL ---


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of PostgreSQL for this process's tests; `base` is a database of Regalia without anything in it."""
    with Postgres() as cluster:
        asyncio.run(open_store(cluster.new_database("base")).close())
        yield cluster


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """A fresh database."""
    return postgres.new_database(f"test-{next(NUMBERS)}", template="base")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A fresh database of each kind."""
    if request.param == "sqlite":
        return tmp_path / "test.sqlite3"
    url: str = request.getfixturevalue("postgres_url")
    return url

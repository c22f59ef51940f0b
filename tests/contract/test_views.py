"""Every game: its views hold what `view.py` declares, no more and no less."""

from __future__ import annotations

import random
from typing import get_args, get_type_hints

import msgspec
import pytest

from driving import ALL_GAMES, TABLES, chooser, name_of, walk
from regalia import Game

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
games = pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
HEADING = ["game", "rules", "seats", "options", "phase", "ply", "actors", "you", "actions", "outcome"]


@pytest.mark.plain
@tables
def test_a_view_is_the_heading_the_position_and_what_follows_from_it(game: Game, seats: int) -> None:
    view_of = game.module("view")
    declared = {
        kind: {field.encode_name for field in msgspec.structs.fields(kind)}
        for kind in (view_of.Position, view_of.Derived)
    }
    rng = random.Random(4)
    for match in walk(game, seats, 3, chooser(game)):
        if match.actors and rng.random() > 0.1:
            continue
        for viewer in (None, *range(seats)):
            view = match.view(viewer)
            assert len(view) == len(HEADING) + sum(map(len, declared.values())), "a key stands twice"
            for kind, keys in declared.items():
                part = {key: view[key] for key in view if key in keys}
                assert msgspec.to_builtins(msgspec.convert(part, kind)) == part


@games
def test_a_position_names_every_reason_to_end(game: Game) -> None:
    assert list(get_args(get_type_hints(game.module("view").Position)["reason"])) == game.engine.reasons

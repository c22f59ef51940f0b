"""Every game: its __init__.py proves to the type checker that its modules fit the contract, and loads none of them."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from driving import ALL_GAMES, name_of
from regalia import GAMES, Game
from regalia.core import contract
from regalia.core.engine import RULES

PROVED = {  # the types that a module may be said to fit
    "state": {"States"},
    "rules": {"Rules"},
    "notation": {"Notation", "SecretNotation", "SealedNotation"},
    "position": {"Positions"},
    "effects": {"Effects"},
    "explain": {"Explain"},
    "encode": {"Encode"},
    "hand": {"Hand", "SecretHand"},
    "bots/knowledge": {"Knowledge"},
    "cli/board": {"Board", "NamingBoard", "TellingBoard"},
}


def proofs(game: Game) -> list[tuple[str, str]]:
    """The assignments for the type checker: (type, module)."""
    tree = ast.parse((game.folder / "__init__.py").read_text("utf-8"))
    found = []
    for block in ast.walk(tree):
        match block:
            case ast.If(test=ast.Name("TYPE_CHECKING"), body=body):
                for node in body:
                    match node:
                        case ast.AnnAssign(annotation=annotation, value=ast.Name(module)):
                            name = ast.unparse(annotation).partition("[")[0]
                            found.append((name.removeprefix("contract."), module))
    return found


@pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
def test_each_module_is_proved_to_fit(game: Game) -> None:
    has = [name for name in PROVED if (game.folder / f"{name}.py").is_file()]
    assert {module for _, module in proofs(game)} == {name.rpartition("/")[2] for name in has}
    for kind, module in proofs(game):
        (allowed,) = (kinds for name, kinds in PROVED.items() if name.rpartition("/")[2] == module)
        assert kind in allowed


@pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
def test_what_a_game_may_leave_out_is_proved_where_it_is_there(game: Game) -> None:
    """Core asks for them by name, so that a misspelt one would be missed."""
    proved = {kind for kind, _ in proofs(game)}
    board = game.part("cli.board")
    assert ("SecretNotation" in proved) == (game.engine.receiver is not None) == game.engine.layout.hidden
    assert ("SealedNotation" in proved) == (game.engine.order is not None)
    assert ("NamingBoard" in proved) == hasattr(board, "name_of")
    assert ("TellingBoard" in proved) == hasattr(board, "tell")


def test_the_rules_are_eight_and_the_contract_has_them_all() -> None:
    assert [name for name in vars(contract.Rules) if name in RULES] == list(RULES)
    assert len(RULES) == 8


def test_games_are_light_to_import() -> None:
    """Neither a module of a game nor the compiler is loaded until somebody plays."""
    code = "import sys, regalia; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = set(loaded.stdout.split())
    assert {f"regalia.games.{name}" for name in GAMES} <= names
    assert [name for name in names if name.startswith("regalia.games.") and name.count(".") > 2] == []
    assert names.isdisjoint({"numba", "rich", "regalia.core.contract"})

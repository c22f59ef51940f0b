"""The tree itself: imports point one way, and every language says the same things."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from regalia import GAMES, locale
from regalia.locale import LANGUAGES, catalogue, say

PACKAGE = Path(__file__).parents[1] / "src" / "regalia"
ORDER = (  # each imports only what stands before it; those of one line know nothing of each other
    {"locale"},
    {"core"},
    {"games", "pictures"},
    {"bots"},
    {"preparation", "study"},
    {"arena"},
    {"training"},
    {"research", "server"},
    {"bench"},
    {"cli"},
)
LAYERS = {name: level for level, names in enumerate(ORDER) for name in names}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in found if name.startswith("regalia.")}


def layer_of(*parts: str) -> str:
    """The package that a module belongs to; a game's folder `bots` or `cli` belongs to the one whose name it bears."""
    return parts[2] if parts[0] == "games" and len(parts) > 2 and parts[2] in LAYERS else parts[0]


def proved_by(path: Path) -> set[str]:
    """A game's __init__.py imports its own modules for the type checker alone (tests/contract/test_fit.py)."""
    package, *parts = path.relative_to(PACKAGE).parts
    if package != "games" or parts[1:] != ["__init__.py"]:
        return set()
    return {name for name in imports(path) if name.startswith(f"regalia.games.{parts[0]}.")}


def test_imports_point_one_way() -> None:
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        layer = layer_of(*path.relative_to(PACKAGE).with_suffix("").parts)
        if layer not in LAYERS:
            continue
        for name in imports(path) - proved_by(path):
            other = layer_of(*name.split(".")[1:])
            if other in LAYERS and other != layer and LAYERS[other] >= LAYERS[layer]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


# Inside the server likewise; a module at its root stands with the folder that it belongs to.
SERVER = (
    {"model"},
    {"ports", "settings", "logs", "metrics"},
    {"store", "runtime", "people", "catalogue"},
    {"transport"},
)
SERVER_LAYERS = {name: level for level, names in enumerate(SERVER) for name in names}
AT_THE_ROOT = {"protocol": "model", "services": "transport"}


def server_layer(module: str) -> str:
    """Of `regalia.server.model.values`: `model`."""
    name = module.split(".")[2]
    return AT_THE_ROOT.get(name, name)


def test_imports_inside_the_server_point_one_way() -> None:
    wrong = []
    for path in (PACKAGE / "server").rglob("*.py"):
        parts = ("regalia", *path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[2] == "__init__":
            continue
        layer = server_layer(".".join(parts))
        for name in imports(path):
            if not name.startswith("regalia.server."):
                continue
            other = server_layer(name)
            if other != layer and SERVER_LAYERS[other] >= SERVER_LAYERS[layer]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


def test_the_model_of_a_table_is_pure() -> None:
    """It waits for nothing and knows neither disk nor network: what it decides follows from what it is given."""
    pure = {
        "base64",
        "collections",
        "copy",
        "dataclasses",
        "enum",
        "functools",
        "hashlib",
        "hmac",
        "re",
        "typing",
        "unicodedata",
    }
    for path in (PACKAGE / "server" / "model").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        waits = [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef | ast.Await)]
        assert waits == [], path
        modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules.update(alias.name for alias in node.names)
        foreign = {name.split(".")[0] for name in modules} - {"__future__", "msgspec", "regalia"}
        assert foreign <= pure, path


def test_the_types_of_the_log_know_nothing_of_the_protocol() -> None:
    server = PACKAGE / "server"
    assert imports(server / "model" / "values.py") == set()
    assert "regalia.server.protocol" not in imports(server / "model" / "events.py")
    of_the_server = {name for name in imports(server / "protocol.py") if name.startswith("regalia.server.")}
    assert {".".join(name.split(".")[:4]) for name in of_the_server} == {"regalia.server.model.values"}


def test_a_game_knows_no_other_game() -> None:
    for folder in (PACKAGE / "games").iterdir():
        for path in folder.rglob("*.py"):
            others = [name for name in imports(path) if name.startswith("regalia.games.")]
            assert {name.split(".")[2] for name in others} <= {folder.name}, path


def test_kernels_in_a_folder_of_a_game_depend_on_no_other_folder_of_it() -> None:
    """The compile cache of games/<game>/bots looks at the game's root and at bots, not at the folders beside it."""
    for path in (PACKAGE / "games").glob("*/*/*.py"):
        if "kernel import" in path.read_text("utf-8"):
            _, game, own, _ = path.relative_to(PACKAGE).parts
            inner = {
                name.split(".")[3] for name in imports(path) if name.startswith(f"regalia.games.{game}.")
            }
            folders = {name for name in inner if (PACKAGE / "games" / game / name).is_dir()}
            assert folders <= {own}, path


ROOT = PACKAGE.parents[1]
# They draw the pictures of the README.
NAMES_A_GAME = {"scripts/capture_browser.py", "scripts/capture_terminal.py"}


def code_of(path: Path) -> str:
    """The names and texts of a source file; what explains them may name any game as an example."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ""
    return ast.unparse(tree)


def test_no_games_name_stands_outside_its_folder() -> None:
    """But in tests, docs and examples, and where the bench compares one game with another program."""
    ids = re.compile("|".join(GAMES))
    own = re.compile(rf"/games/({ids.pattern})[./]")  # in the package and in the browser's code
    found = set()
    for folder in ("src/regalia", "scripts", "web/src"):
        for path in (ROOT / folder).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in (".py", ".json", ".ts", ".svelte") or own.search(name):
                continue
            if "/static/" in name or name.startswith("src/regalia/bench/"):
                continue
            if ids.search(code_of(path)):
                found.add(name)
    assert found <= NAMES_A_GAME


def test_the_server_names_who_looks_whenever_something_is_shown() -> None:
    """`match.transcript()` shows every secret: inside the server nobody may forget to say for whom."""
    showing = {"view", "position", "position_text", "transcript", "header_for", "seen", "seen_by", "redeal"}
    bare = []
    for path in (PACKAGE / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Attribute(attr=name), [], []) if name in showing:
                    bare.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {name}()")
                case ast.Attribute(attr="header") | ast.Call(ast.Name("str" | "repr"), [ast.Name("match")]):
                    bare.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert bare == []


def test_the_files_that_documents_name_exist() -> None:
    files = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("[!.]*/**/*")
        if "node_modules" not in path.parts
    ]
    for page in (
        "architecture.md",
        "add-a-game.md",
        "concepts.md",
        "hosting.md",
        "protocol.md",
        "research.md",
    ):
        text = (ROOT / "docs" / page).read_text("utf-8")
        for name in re.findall(r"`([\w/.]+\.(?:py|ts|svelte|md))`", text):
            is_example = "hex_king" in name
            assert is_example or any(f"/{file}".endswith(f"/{name}") for file in files), f"{page}: {name}"


def test_every_folder_of_the_package_has_its_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= set(LAYERS)


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_all_languages_have_the_same_keys_and_placeholders() -> None:
    english = catalogue("en")
    for language in LANGUAGES:
        words = catalogue(language)
        assert sorted(words) == sorted(english)
        assert [key for key in english if placeholders(words[key]) != placeholders(english[key])] == []
        assert [key for key, text in words.items() if not text.strip()] == []
        assert [key for key, text in words.items() if len(text.split("||")) > 2] == []
        assert [key for key, text in words.items() if re.search(r"\w\((s|e|n|en|er)\)", text)] == []


def test_values_are_put_in_as_they_are() -> None:
    assert (
        say("en", "error.game", game="{allowed}", allowed="x")
        == "There is no game called {allowed}. There are: x."
    )
    with pytest.raises(KeyError):
        catalogue("fr")


def test_a_text_has_one_form_for_one_and_another_for_any_other_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for language, one, more in (
        ("en", "hero", "heroes"),
        ("de", "Held", "Helden"),
        ("nl", "held", "helden"),
    ):
        said = [say(language, "rose_king.ui.heroes", count=count) for count in (0, 1, 2, 5)]
        assert said == [f"0 {more}", f"1 {one}", f"2 {more}", f"5 {more}"]
    texts = {"named": "{name}: a card||{name}: {cards} cards of {all}", "unsaid": "It is||They are"}
    monkeypatch.setattr("regalia.locale.catalogue", lambda _: texts)
    said = [say("en", "named", name="1", cards=cards, all=1) for cards in (0, 1, 2, 5)]
    assert said == ["1: 0 cards of 1", "1: a card", "1: 2 cards of 1", "1: 5 cards of 1"]
    assert [say("en", "unsaid", count=count) for count in (1, 2)] == ["It is", "They are"]


def test_every_message_that_is_raised_exists() -> None:
    keys = set()
    for path in PACKAGE.rglob("*.py"):
        keys.update(
            re.findall(r'(?:Error|Action|Turn|Over)\(\s*"([a-z_]+\.[\w.]+)"', path.read_text("utf-8"))
        )
    assert keys
    assert [key for key in sorted(keys) if key not in catalogue("en")] == []


def test_a_games_words_are_known_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"title": "Go", "clause.GO-1": "Black begins."}
    for language in LANGUAGES:
        (tmp_path / f"{language}.json").write_text(json.dumps(words), "utf-8")
    monkeypatch.setattr(locale, "_games", dict(locale._games))
    locale.register("go", tmp_path)
    try:
        assert say("nl", "go.clause.GO-1") == "Black begins."
        locale.register("go", tmp_path / "nowhere")  # a game without words is none the less a game
    finally:
        locale.catalogue.cache_clear()

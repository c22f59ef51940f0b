"""Pictures of positions without a browser."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.svgLib.path import parse_path
from PIL import Image
from typer.testing import CliRunner, Result

import regalia
from regalia.cli import app
from regalia.core.errors import SetupError
from regalia.locale import LANGUAGES
from regalia.pictures import THEMES, drawing, svg
from regalia.pictures.fonts import Type
from regalia.pictures.standalone import length, typed
from regalia.pictures.styles import declared, mixed, resolve

DRAWN = drawing.artist().materials["games"]
SVG = "{http://www.w3.org/2000/svg}"


def played(game: str, plies: int, seats: int | None = None, seed: int = 5) -> regalia.Match:
    match = regalia.Match.new(game, seats, seed=seed)
    rng = random.Random(seed)
    while match.actors and match.ply < plies:
        seat = rng.choice(match.actors)
        match.play(seat, rng.choice(match.actions(seat)))
    return match


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_stands_alone(game: str, theme: str) -> None:
    match = played(game, 30)
    for language in LANGUAGES:
        picture = match.svg(theme=theme, language=language)
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        assert root.get("width") == "800"
        assert not re.search(r"var\(|color-mix|class=|<text|<style|NaN|undefined", picture)
        names = {element.get("id") for element in root.iter() if element.get("id")}
        used = {element.get("href", "")[1:] for element in root.iter(f"{SVG}use")}
        assert used | set(re.findall(r"url\(#([^)]+)\)", picture)) <= names


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_number_of_seats_can_be_drawn_to_the_end(game: str, seats: int) -> None:
    if seats not in regalia.GAMES[game].seats:
        pytest.skip("not a number of seats of this game")
    match = played(game, 60, seats)
    for ply in {1, match.ply // 2, match.ply}:
        for viewer in (regalia.SPECTATOR, regalia.EVERYTHING, 0, seats - 1):
            ElementTree.fromstring(match.svg(ply, viewer))


@pytest.mark.parametrize("game", DRAWN)
def test_a_picture_tells_no_secret(game: str) -> None:
    match = played(game, 25)
    for viewer in (regalia.SPECTATOR, 0):
        worlds = [match.redeal(viewer, seed) for seed in range(6)]
        assert len({world.svg(viewer=viewer) for world in worlds}) == 1


def test_an_earlier_ply_is_drawn_as_it_stood() -> None:
    match = played("rose_king", 20)
    assert match.svg(8) == match.at(8).svg()
    assert match.svg(8) != match.svg(9)


def test_places_can_be_marked() -> None:
    match = regalia.Match.new("rose_king", seed=1)
    assert match.svg(marks=["a1", "i9"]) != match.svg()
    with pytest.raises(SetupError, match="no such place on the board: z9"):
        match.svg(marks=["z9"])


def test_areas_can_be_marked_by_name() -> None:
    match = regalia.Match.new("long_live_the_king", seed=1)
    assert match.svg(marks=["Wigemor"]) != match.svg()
    with pytest.raises(SetupError, match="no such place on the board: Anglia"):
        match.svg(marks=["Anglia"])


def test_what_cannot_be_drawn_is_refused() -> None:
    match = regalia.Match.new("rose_king", seed=1)
    for wrong in ({"theme": "pink"}, {"language": "fr"}, {"width": 3}, {"ply": 0}, {"ply": 9}, {"viewer": 2}):
        with pytest.raises(SetupError):
            match.svg(**wrong)  # type: ignore[arg-type]


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    match = regalia.Match.new("rose_king", seed=1)
    assert match._repr_svg_() == match.svg()
    monkeypatch.setitem(sys.modules, "regalia.pictures.drawing", None)
    monkeypatch.delattr("regalia.pictures.drawing")
    with pytest.raises(SetupError, match=r"pip install 'regalia\[pictures\]'"):
        match.svg()
    assert match._repr_svg_() is None  # a notebook then shows the text


def test_a_game_without_a_diagram_is_not_drawn() -> None:
    import probe

    with pytest.raises(SetupError, match="no drawing of probe"):
        svg(regalia.Match.new(probe.GAME, seed=1))


# --- The little of CSS ---


@pytest.mark.parametrize(
    "mix, colour",
    [  # as Chromium works them out
        ("in srgb, #ffffff 50%, #000000", "#808080"),
        ("in srgb, #ff0000, #0000ff 25%", "#bf0040"),
        ("in oklab, #fbf5e6 70%, transparent", "rgba(251, 245, 230, 0.7)"),
        ("in oklab, #ff0000 50%, #0000ff", "#8c53a2"),
        ("in srgb, transparent, transparent", "transparent"),
    ],
)
def test_colours_are_mixed_as_browsers_do(mix: str, colour: str) -> None:
    assert mixed(mix) == colour


def test_values_follow_each_other_and_fall_back() -> None:
    values = {"--a": "var(--b)", "--b": "#123456"}
    assert resolve("1px solid var(--a)", values) == "1px solid #123456"
    assert resolve("var(--none, var(--b))", values) == "#123456"
    assert resolve("translate(3px, 4px)", values) == "translate(3px, 4px)"


def test_type_is_inherited_and_changed() -> None:
    small = typed(Type(), declared("font: 600 12px/1.2 EB Garamond; letter-spacing: 0.1em"))
    assert (small.weight, small.size, small.family) == (600, 12.0, "EB Garamond")
    assert small.spacing == pytest.approx(1.2)
    assert typed(small, {"font-size": "2em", "text-anchor": "end"}).size == 24.0
    assert length("1.5rem", 10) == 24.0
    assert small.outline("fi") != typed(small, {"letter-spacing": "normal"}).outline("fi")


def test_the_font_shorthand_takes_back_what_it_leaves_out() -> None:
    before = typed(Type(), declared("font-style: italic; font-variant-caps: small-caps; font-weight: bold"))
    assert (before.is_italic, before.is_small_caps, before.weight) == (True, True, 700)
    after = typed(before, declared("font: 10px serif"))
    assert (after.is_italic, after.is_small_caps, after.weight, after.numbers) == (
        False,
        False,
        400,
        "normal",
    )
    assert typed(Type(), declared("font: italic 500 1.5em serif")).is_italic
    with pytest.raises(ValueError, match="no font"):
        declared("font: inherit")


def test_the_stronger_rule_of_a_font_holds_in_either_spelling() -> None:
    for css, family in (
        ("font-family: a; font: 1px b", "b"),
        ("font: 1px b; font-family: a", "a"),
    ):
        assert declared(css)["font-family"] == family


def box(path: str) -> tuple[float, float, float, float]:
    pen = ControlBoundsPen(None)
    parse_path(path, pen)
    assert pen.bounds is not None
    return pen.bounds


def test_small_capitals_are_capitals_that_are_smaller() -> None:
    type_ = Type(family="EB Garamond", size=100, is_small_caps=True)
    plain = replace(type_, is_small_caps=False)
    small, large = box(type_.outline("e")), box(plain.outline("E"))
    assert [0.7 * number for number in large] == pytest.approx(small, abs=0.05)
    assert box(type_.outline("E")) == large


def test_a_slanted_text_leans_to_the_right() -> None:
    plain = box(Type(size=100).outline("I"))
    slanted = box(Type(size=100, is_italic=True).outline("I"))
    assert slanted[2] - plain[2] == pytest.approx(0.25 * -plain[1], abs=1)
    assert slanted[1] == pytest.approx(plain[1], abs=0.05)


def test_words_follow_a_path() -> None:
    type_ = Type(size=10, anchor="middle")
    flat = box(type_.outline("Mare"))
    straight = box(type_.outline_along("Mare", "M0 50L200 50", 0.5))
    assert straight == pytest.approx((flat[0] + 100, flat[1] + 50, flat[2] + 100, flat[3] + 50), abs=0.05)
    left, top, right, bottom = box(type_.outline_along("Mare", "M7 200C7 150 7 50 7 0", 0.5))  # upwards
    assert (top, bottom) == pytest.approx((100 - flat[2], 100 - flat[0]), abs=0.3)
    assert (left, right) == pytest.approx((7 + flat[1], 7 + flat[3]), abs=0.3)
    assert (
        box(type_.outline_along("Mare", "M0 0L9 0", 0.5))[2] <= 9 + 5
    )  # what is beyond its ends is left out


def test_a_drawing_may_name_its_colours_by_each_other_and_set_words_on_a_path() -> None:
    body = (
        '<svg viewBox="0 0 10 10"><defs><path id="way" d="M0 5L10 5"/></defs>'
        '<g class="a b"><rect/><text><textPath href="#way" startOffset="50%">ab</textPath></text></g></svg>'
    )
    style = ".a { --own: #123456 } .b { --field: var(--own) } rect { fill: var(--field) }"
    svg = ElementTree.fromstring(drawing.studio("light").picture(body, style))
    _ground, drawn = svg.iter(f"{SVG}rect")
    assert drawn.get("fill") == "#123456"
    (path,) = svg.iter(f"{SVG}path")  # what is only referred to is not drawn
    assert path.get("d") == typed(Type(), {"font-family": "serif"}).outline_along("ab", "M0 5L10 5", 0.5)


# --- Files ---


def render(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["render", *map(str, arguments)], prog_name="regalia")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    path.write_text(played("rose_king", 6).transcript(), "utf-8")
    return path


def test_render_writes_what_the_name_says(file: Path, tmp_path: Path) -> None:
    assert render(file, "-o", tmp_path / "last.svg", "--theme", "dark", "--lang", "de").exit_code == 0
    assert (tmp_path / "last.svg").read_text("utf-8") == played("rose_king", 6).svg(
        theme="dark", language="de"
    )
    assert render(file, "-o", tmp_path / "third.png", "--ply", 3, "--width", 300).exit_code == 0
    with Image.open(tmp_path / "third.png") as picture:
        assert (picture.format, picture.size) == ("PNG", (300, 300))
    for kind in ("GIF", "WEBP"):
        assert render(file, "-o", tmp_path / f"all.{kind.lower()}", "--width", 120).exit_code == 0
        with Image.open(tmp_path / f"all.{kind.lower()}") as picture:
            assert (picture.format, getattr(picture, "n_frames", 1)) == (kind, 6)
    done = render(file, "-o", tmp_path / "each.svg", "--every")
    assert done.stdout.count("Wrote") == 6
    assert sorted(path.name for path in tmp_path.glob("each-*.svg")) == [
        f"each-{ply}.svg" for ply in range(1, 7)
    ]


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["-o", "x.jpg"], "must end in one of .svg, .png, .gif, .webp"),
        (["-o", "x.svg", "--ply", "9"], "9"),
        (["-o", "x.svg", "--ply", "2", "--every"], "together"),
        (["-o", "x.svg", "--theme", "pink"], "no theme pink"),
        (["-o", "x.svg", "--width", "9999"], "16 to 8000"),
        (["-o", "x.svg", "--seat", "4"], "seat 4"),
    ],
)
def test_render_says_in_a_line_what_is_wrong(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = render(file, *arguments)
    assert done.exit_code == 2
    assert why in done.stderr
    assert not list(tmp_path.glob("x*"))

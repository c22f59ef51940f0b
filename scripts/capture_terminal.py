"""Draws the picture of the terminal for the README: docs/images/terminal.svg.

The match is played from a fixed seed, so the picture changes only when the program does.
"""

import io
import random
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import regalia
from regalia.cli import boards
from regalia.cli.screen import Screen

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "images" / "terminal.svg"
SEED, PLIES = 40, 71
WIDTH, HEIGHT = 80, 24

DARK = ["1d1a16", "c84848", "6ea078", "c79a3b", "6082be", "aa6ea0", "6eafb4", "ece2cd"]
BRIGHT = ["6e6458", "e26262", "8cbe96", "f0be5a", "82a5e1", "cd91c3", "8cd2d7", "fffaee"]


def rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour)
    return red, green, blue


NIGHT = TerminalTheme(rgb(DARK[0]), rgb(DARK[-1]), [rgb(one) for one in DARK], [rgb(one) for one in BRIGHT])

# As Rich's own, but with the reader's fonts instead of some from the network.
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
    font-family: "Fira Code", "DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
    font-variant-east-asian: full-width;
}}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: Georgia, serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def main() -> None:
    console = Console(
        file=io.StringIO(), record=True, width=WIDTH, height=HEIGHT, force_terminal=True, color_system="truecolor",
        highlight=False,
    )  # fmt: skip
    show(middle_of_a_match(), Screen("en", console))
    picture = console.export_svg(
        title="regalia play rose_king --bots random", theme=NIGHT, code_format=SVG, unique_id="regalia"
    )
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text("\n".join(line.rstrip() for line in picture.splitlines()) + "\n", "utf-8")


def middle_of_a_match() -> regalia.Match:
    match = regalia.Match.new("rose_king", seed=SEED)
    chance = random.Random(SEED)
    while match.ply < PLIES:
        seat = match.actors[0]
        match.play(seat, chance.choice(match.actions(seat)))
    return match


def show(match: regalia.Match, screen: Screen) -> None:
    seat = match.actors[0]
    screen.show(boards.render(match.view(seat), screen.language))
    last = boards.tell(match, match.ply - 1, None, screen.language)
    screen.show(Text(f"{match.ply - 1:>3} ", "dim").append(last, "not dim"))
    screen.list_actions(match.actions(seat))
    screen.show(Text(f"{boards.name_of('rose_king', seat, screen.language)} > █"))


if __name__ == "__main__":
    main()

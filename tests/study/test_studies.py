"""Studies: trees of play with comments and marks, and their text, strict both ways."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regalia import CHANCE, GAMES, Match, NotationError, RegaliaError, SetupError, Study
from regalia.cli import app
from regalia.study.text import is_study
from regalia.study.tree import MARKS, MOST_CHAPTERS, MOST_NODES, Chapter, Node

GOOD = """regalia study 1
title "Heroes too early"
language en
chapter "After the first card"
game rose_king
rules 1
seats 2
0 / N1 N2 N3 NE1 NE2 NE3 E1 E2 E3 SE1
1 0 N1
2 1 NE1
3 0 E1
1a <0 0 N3
2a <1a 1 E2
2b <1 1 NE3
; 0 "The crown stands in the middle."
; 2a "Too early:\\nthe hero is “gone”."
; 2a mark mistake
; 2a place e5
; 2a arrow e5 g7
; 2a share 0.41 0.59
end 7
"""


def test_a_good_text_is_read_and_written_again() -> None:
    study = Study.read(GOOD.replace("2b <1", "\n# a remark\n2b <1"))
    root = study.chapters[0].root
    assert study.title == "Heroes too early"
    assert [child.action for child in root.children] == ["N1", "N3"]
    branch = root.children[1].children[0]
    assert (branch.comment, branch.mark) == ("Too early:\nthe hero is “gone”.", "mistake")
    assert (branch.places, branch.arrows, branch.share) == (["e5"], [("e5", "g7")], (0.41, 0.59))
    assert study.write() == GOOD


def test_branches_may_bear_any_letters_and_are_written_with_those_of_their_order() -> None:
    lines = GOOD.replace("2b", "2x").replace("1a", "1q").replace("2a", "2r").splitlines(keepends=True)
    comment = next(line for line in lines if line.startswith("; 0"))
    lines.remove(comment)
    lines.insert(8, comment)
    assert Study.read("".join(lines)).write() == GOOD


@pytest.mark.parametrize(
    "old, new, why",
    [
        ("regalia study 1", "regalia study 2", "Line 1"),
        ('title "Heroes too early"', "title Heroes", "Line 2"),
        ("language en", "language E", "Line 3"),
        ('chapter "After the first card"\n', "", "Line 4"),
        ('chapter "After the first card"', "chapter 7", "Line 4"),
        ("rules 1\n", "", "rules"),
        ("rules 1", "rules 99", "version 99"),
        ("seats 2", "seats 2\noption no_such true", "no option"),
        ("E2 E3 SE1", "E2 E3", "Line 9"),
        ("0 / N1", "0 0 N1", "Line 8"),
        ("1 0 N1", "1 0 N2", "Line 9.*RK-25"),
        ("1 0 N1", "1 1 N1", "Line 9"),
        ("2 1 NE1", "3 1 NE1", "Line 10"),
        ("2 1 NE1", "2 <1 1 NE1", "Line 10"),
        ("2 1 NE1", "2", "Line 10"),
        ("1a <0", "1a", "Line 12"),
        ("1a <0", "2a <0", "Line 12"),
        ("1a <0", "1a <7", "Line 12"),
        ("1a <0 0 N3", "1a <0 0 N1", "Line 12"),
        ("2b <1 1 NE3", "2a <1 1 NE3", "Line 14"),
        ("; 0 ", "; 9 ", "Line 15"),
        ("; 0 ", ";0 ", "Line 15"),
        ('; 2a mark', '; 2a "again"\n; 2a mark', "Line 17"),
        ("mark mistake", "mark dreadful", "Line 17"),
        ("mark mistake", "mark mistake\n; 2a mark good", "Line 18"),
        ("arrow e5 g7", "arrow e5", "Line 19"),
        ("share 0.41 0.59", "share 0.41", "Line 20"),
        ("share 0.41 0.59", "share 0.9 0.9", "Line 20"),
        ("share 0.41 0.59", "share a b", "Line 20"),
        ("share 0.41 0.59", "share nan nan", "Line 20"),
        ("end 7", "end 8", "cut off"),
        ("end 7\n", "", "cut off"),
        ("end 7", "end 7\n1 0 N1", "cut off"),
    ],
)  # fmt: skip
def test_a_bad_text_is_refused_and_says_where(old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises((NotationError, SetupError), match=why):
        Study.read(GOOD.replace(old, new, 1))


def test_too_many_nodes_or_chapters_are_refused_before_anything_is_played() -> None:
    lines = "".join(f"{ply} 0 N1\n" for ply in range(1, MOST_NODES + 1))
    with pytest.raises(NotationError, match=str(MOST_NODES)):
        Study.read(GOOD.split("1 0 N1", maxsplit=1)[0] + lines + f"end {MOST_NODES + 1}\n")
    chapter = "chapter" + GOOD.split("chapter")[1]
    with pytest.raises(NotationError, match=str(MOST_CHAPTERS)):
        Study.read("regalia study 1\n" + chapter * (MOST_CHAPTERS + 1))


def test_a_chapter_takes_no_more_nodes_than_a_text_may_have() -> None:
    chapter = Chapter.of(Match.new("rose_king", seed=1))
    chapter.size = MOST_NODES
    with pytest.raises(NotationError, match=str(MOST_NODES)):
        chapter.root.play(chapter.root.match.actions(0)[0])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_main_line_is_the_transcript_of_the_match(game: str) -> None:
    match = Match.new(game, seed=5)
    rng = random.Random(5)
    while not match.is_over and match.ply < 60:
        seat = rng.choice(match.actors)
        match.play(seat, rng.choice(match.actions(seat)))
    study = Study.of(match, "A whole match")
    chapter = Study.read(study.write()).chapters[0]
    if not match.records[-1].sealed:
        assert chapter.transcript() == match.transcript()
    assert chapter.match.state_bytes() == match.state_bytes()


def test_a_line_is_promoted_and_removed() -> None:
    study = Study.read(GOOD)
    root = study.chapters[0].root
    branch = root.children[1]
    leaf = branch.children[0]
    assert not leaf.is_main
    branch.promote()
    assert leaf.is_main
    assert study.chapters[0].transcript().endswith("1 0 N3\n2 1 E2\nend 3\n")
    root.children[1].children[1].promote_to_main()
    assert [node.action for node in study.chapters[0].main_line()] == ["", "N1", "NE3"]
    root.children[0].remove()
    assert study.chapters[0].size == 3
    assert [node.action for node in root.walk()] == ["", "N3", "E2"]
    with pytest.raises(SetupError):
        root.remove()


def test_an_action_played_twice_is_one_node_and_dice_are_in_ones_own_hand() -> None:
    chapter = Study.read(GOOD.split("3 0 E1", maxsplit=1)[0] + "end 3\n").chapters[0]
    before = chapter.main_line()[-1]
    waiting = before.play("draw")
    assert waiting.match.actors == (CHANCE,)
    card, other = waiting.match.actions(CHANCE)[:2]
    assert Study.read(Study(chapters=[chapter]).write()).chapters[0].match.actors == (CHANCE,)
    drawn = waiting.play(card)
    assert drawn is waiting
    assert drawn.outcomes == (card,)
    assert before.play("draw", card) is drawn
    elsewhere = before.play("draw", [other])
    assert elsewhere is not drawn
    assert chapter.size == 5
    assert before.play("draw").play(card) is drawn  # completed, it is the one that was there
    assert chapter.size == 5


def test_what_is_refused_changes_nothing() -> None:
    study = Study.read(GOOD)
    root = study.chapters[0].root
    before = study.write()
    for action in ("N2", "nonsense", ""):
        with pytest.raises(RegaliaError):
            root.play(action)
    root.match.play(0, "N1")
    assert study.write() == before


def test_where_several_choose_at_once_the_seat_must_be_named() -> None:
    rng = random.Random(2)
    match = Match.new("long_live_the_king", seed=2)
    while len(match.actors) < 2:
        match.play(match.actors[0], rng.choice(match.actions(match.actors[0])))
    node = Chapter.of(match).main_line()[-1]
    seat = match.actors[-1]
    action = match.actions(seat)[0]
    with pytest.raises(SetupError):
        node.play(action)
    assert node.play(action, seat=seat).seat == seat


def test_a_mark_that_could_not_be_read_is_not_written() -> None:
    for name, value in (
        ("mark", "dreadful"),
        ("places", ["e 5"]),
        ("arrows", [("e5", "")]),
        ("share", (1.0,)),
    ):
        study = Study.read(GOOD)
        setattr(study.chapters[0].root, name, value)
        with pytest.raises(SetupError):
            study.write()


def grow(rng: random.Random) -> Study:
    """A study of some branches, with remarks of every kind."""
    games = sorted(GAMES)
    study = Study(title=text(rng), language=rng.choice(["en", "de", "nl"]))
    for number in range(rng.choice([1, 1, 2])):
        chapter = Chapter.of(Match.new(rng.choice(games), seed=rng.randrange(50)), f"{number} {text(rng)}")
        nodes = [chapter.root]
        for _ in range(rng.randrange(1, 9)):
            node = rng.choice(nodes)
            match = node.match
            if match.actors:
                seat = rng.choice(match.actors)
                child = node.play(rng.choice(match.actions(seat)), seat=seat)
                if child not in nodes:
                    nodes.append(child)
        for node in nodes:
            remark(node, rng)
        study.chapters.append(chapter)
    return study


def remark(node: Node, rng: random.Random) -> None:
    match rng.randrange(6):
        case 0:
            node.comment = text(rng)
        case 1:
            node.mark = rng.choice(MARKS)
        case 2:
            node.places = ["e5", "Wessex"]
            node.arrows = [("e5", "g7")]
        case 3:
            position = node.match
            sides = len(position.game.sides(position.seats, position.options))
            node.share = tuple(1 / sides for _ in range(sides))


def text(rng: random.Random) -> str:
    return "".join(rng.choices('aé"\\\n\t\u2028;#„“ 王', k=rng.randrange(12)))


def is_read_back(seed: int) -> bool:
    written = grow(random.Random(seed)).write()
    return Study.read(written).write() == written


def test_a_thousand_studies_are_read_and_written_byte_for_byte() -> None:
    assert all(is_read_back(seed) for seed in range(1_000))


@pytest.mark.long
def test_ten_thousand_studies_are_read_and_written_byte_for_byte() -> None:
    assert all(is_read_back(seed) for seed in range(1_000, 11_000))


def test_replay_reads_the_main_line_of_a_chapter(tmp_path: Path) -> None:
    path = tmp_path / "study.txt"
    path.write_text(
        GOOD + "\n" + "chapter" + GOOD.split("chapter")[1].replace("3 0 E1\n", "").replace("7", "6")
    )
    assert is_study(path.read_text())

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["replay", str(path), "--json", "--lang", "en", *arguments])
        return result.exit_code, result.output or str(result.exception)

    assert '"plies": 4' in run()[1]
    assert '"plies": 3' in run("--chapter", "2")[1]
    assert "chapter 3" in run("--chapter", "3")[1]
    path.write_text(Match.new("rose_king", seed=1).transcript())
    assert '"plies": 1' in run()[1]
    assert "not a study" in run("--chapter", "1")[1]

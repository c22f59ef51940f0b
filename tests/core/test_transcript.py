"""Transcripts: what a text must be, line by line."""

from __future__ import annotations

import pytest

from regalia import Match, NotationError, SetupError
from regalia.core import transcript

pytestmark = pytest.mark.plain
GOOD = """regalia transcript 1
# a comment, and a blank line

game rose_king
rules 1
seats 2
0 / N1 N2 N3 NE1 NE2 NE3 E1 E2 E3 SE1
1 0 N1
2 1 NE1
end 3
"""


def test_a_good_text_is_read() -> None:
    match = Match.replay(GOOD, seed=1)
    assert (match.ply, match.view()["crown"]) == (3, "f7")
    assert match.transcript() == GOOD.replace("# a comment, and a blank line\n\n", "")


@pytest.mark.parametrize(
    "old, new, why",
    [
        ("regalia transcript 1", "regalia transcript 2", "Line 1"),
        ("rules 1\n", "", "rules"),
        ("rules 1", "rules one", "Line 5"),
        ("rules 1", "rules true", "Line 5"),
        ("seats 2", "seats 2\nseats 2", "Line 7"),
        ("seats 2", "seats 2\noption", "Line 7"),
        ("seats 2", "seats 2\noption no_such true", "no option"),
        ("seats 2", "seats 2\nstart 7", "Line 7"),
        ("seats 2", "seats 2\nstart {", "Line 7"),
        ("seats 2", "seats 3", "not for 3"),
        ("1 0 N1", "1 0 N2", "Line 8.*RK-25"),
        ("1 0 N1", "1 1 N1", "Line 8"),
        ("1 0 N1", "7 0 N1", "Line 8"),
        ("1 0 N1", "1 zero N1", "Line 8"),
        ("1 0 N1", "1 0", "Line 8"),
        ("1 0 N1", "1 0 N1 / N2", "Line 8"),
        ("E2 E3 SE1", "E2 E3", "Line 7.*missing"),
        ("E2 E3 SE1", "E2 E3 ?", "Line 7"),
        ("end 3", "end 4", "cut off"),
        ("end 3", "", "cut off"),
        ("end 3", "end 3\nend 3", "Line 11"),
        ("0 / N1", "/ N1", "Line 7"),
    ],
)
def test_a_bad_text_is_refused_and_says_where(old: str, new: str, why: str) -> None:
    with pytest.raises((NotationError, SetupError), match=why):
        Match.replay(GOOD.replace(old, new, 1))


def test_an_empty_match_and_a_long_text_are_refused() -> None:
    header = GOOD.split("0 / N1", maxsplit=1)[0]
    with pytest.raises(NotationError, match="cut off"):
        Match.replay(header + "end 0\n")
    with pytest.raises(NotationError, match="cut off"):
        Match.replay(header)
    with pytest.raises(NotationError, match="longer"):
        Match.replay("x" * (transcript.MOST_CHARACTERS + 1))
    with pytest.raises(NotationError):
        Match.replay("")


def test_chance_that_is_still_due_at_the_end_is_drawn_on_replay() -> None:
    text = GOOD.replace("2 1 NE1\nend 3", "2 1 NE1\n3 0 draw\nend 4")
    assert Match.replay(text, seed=2).actors == (1,)
    assert Match.replay(text, chance="manual").actors == (7,)

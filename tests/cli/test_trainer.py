"""`regalia trainer`: a hand, an answer, and what everything was worth."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from regalia import GAMES
from regalia.cli.screen import Screen
from regalia.cli.trainer import Training
from regalia.locale import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_is_asked_again_until_it_is_answered_and_then_told(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    training = Training(GAMES["court_the_king"], Screen(language), "few", 3)
    rows = training.trainer.answers(training.trainer.deal("few", 3))
    lines: Iterator[str] = iter(["keep 7", "roll", rows[0].action, rows[-1].action, "quit"])

    def ask(prompt: str, complete: object = None) -> str:
        return next(lines)

    monkeypatch.setattr(training.screen, "ask", ask)
    training.run(1)
    training.number = 3
    training.run(9)
    assert training.lost == [0.0, pytest.approx(100 * (rows[0].odds - rows[-1].odds))]
    shown = capsys.readouterr()
    assert f"{100 * rows[0].odds:.1f} %" in shown.out
    assert "CK-22" in shown.out + shown.err

"""A position under analysis: every side and all chance are in one's own hand, and nothing is kept.

Where it is, is said anew each time: how it began, and the records since. Where chance is due, an outcome is chosen
from what can fall with its odds, or it falls by itself, or as well, as badly or as usual as it can for who acted.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from regalia.bots.tree import OPEN
from regalia.core import position as positions
from regalia.core.arrays import States
from regalia.core.engine import Engine
from regalia.core.game import CHANCE, Game
from regalia.core.match import Match
from regalia.core.transcript import Record, numbered_lines
from regalia.core.viewers import EVERYTHING
from regalia.study.estimates import seed_of
from regalia.study.pieces import finish
from regalia.study.rollouts import Rollouts
from regalia.study.text import is_study
from regalia.study.tree import Chapter, Study
from regalia.study.value import sides_of

MOST_WHOLE = 150  # outcomes of an event that are told one by one; of a longer one the next draw is
MOST_JUDGED = 1000  # outcomes among which the best is sought
RUNS = 2000  # of the valuation, over all outcomes
FEWEST_RUNS = 4  # after each

TRANSCRIPT = "regalia transcript"  # of any version

How = Literal["roll", "best", "worst", "average"]


class Fall(NamedTuple):
    """What chance may bring: its outcomes in their order, and how likely that is."""

    outcomes: tuple[str, ...]
    odds: float
    after: States


# --- Where it is ---


def match_at(
    game: Game,
    position: str | None,
    seats: int | None,
    options: Mapping[str, str],
    records: Sequence[Record],
) -> Match:
    """The match from its beginning (a position, or the usual start) through the records; the dice of the last may lie
    in the cup yet."""
    if position is None:
        match = Match.new(game, seats, options=options, chance="manual")
    else:
        match = Match.from_position(game, position, chance="manual")
    for number, record in enumerate(records, 1):
        match.append(record, may_lack_outcomes=number == len(records))
    return match


def read_text(text: str) -> Study:
    """The study of a text: of one, of a transcript (finished or not), or of a position."""
    if is_study(text):
        return Study.read(text)
    lines = numbered_lines(text)
    if lines and lines[0][1].startswith(TRANSCRIPT):
        return Study.of(Match.replay(text, chance="manual"))
    fields = positions.read_line(text)
    return Study(chapters=[Chapter(positions.read_header(Match.find(fields["game"]), fields))])


def beginning_of(chapter: Chapter) -> dict[str, Any]:
    """How a chapter begins; the position as a line, None for the usual start."""
    header = chapter.header
    heading = {
        "game": header.game,
        "rules": header.rules,
        "seats": header.seats,
        "options": dict(header.options),
    }
    position = None if header.start is None else positions.write_line({**heading, **header.start})
    return {**heading, "position": position}


# --- What falls ---


def is_chance(match: Match) -> bool:
    return match.actors == (CHANCE,)


def falls(match: Match, most: int = MOST_WHOLE) -> list[Fall]:
    """What can fall now, up to the next decision or event; of an event with very many outcomes the next draw."""
    return whole_falls(match, most) or next_draws(match.engine, match.seen(EVERYTHING), (), 1.0)


def whole_falls(match: Match, most: int) -> list[Fall] | None:
    """All outcomes of the event that is due, those that lead to the same taken together; None if there are too many."""
    engine, before = match.engine, match.seen(EVERYTHING)
    open_ones, ended = {before.tobytes(): Fall((), 1.0, before)}, dict[bytes, Fall]()
    while open_ones:
        following: dict[bytes, Fall] = {}
        for fall in open_ones.values():
            for after in next_draws(engine, fall.after, fall.outcomes, fall.odds):
                kept = following if is_same_event(engine, before, after.after) else ended
                key = after.after.tobytes()
                alike = kept.get(key)
                kept[key] = after if alike is None else alike._replace(odds=alike.odds + after.odds)
            if len(following) + len(ended) > most:
                return None
        open_ones = following
    return list(ended.values())


def is_same_event(engine: Engine, before: States, after: States) -> bool:
    return int(after["phase"][0]) == int(before["phase"][0]) and engine.actors(after) == (CHANCE,)


def next_draws(engine: Engine, states: States, outcomes: tuple[str, ...], odds: float) -> list[Fall]:
    weights = engine.odds(states)
    total = int(weights.sum())
    found = []
    for step in np.flatnonzero(weights).tolist():
        after = engine.layout.copy(states)
        text = engine.notation.write_outcome(step, states[0])
        engine.apply(after, CHANCE, step)
        found.append(Fall((*outcomes, text), odds * int(weights[step]) / total, after))
    return found


def let_fall(match: Match, how: How) -> None:
    """The event that is due happens: by itself, or as it is wished for the seat that acted last."""
    while is_chance(match):
        if how != "roll":
            wished = wished_fall(match, how)
            if wished is not None:
                match.play(CHANCE, " ".join(wished.outcomes))
                continue
        weights = match.engine.odds(match.seen(EVERYTHING))
        step = match.engine.outcome(match.seen(EVERYTHING), secrets.randbelow(int(weights.sum())))
        match.play(CHANCE, match.engine.notation.write_outcome(step, match.seen(EVERYTHING)[0]))


def wished_fall(match: Match, how: How) -> Fall | None:
    """By a cheap valuation, the same for all outcomes; of those as good as each other the likeliest."""
    found = whole_falls(match, MOST_JUDGED)
    if found is None:
        return None
    seat = match.records[-1].seat or 0
    ends = match.engine.layout.load(b"".join(fall.after.tobytes() for fall in found))
    seed = seed_of(match.game, match.seen(EVERYTHING), OPEN, "falls")
    rollouts = Rollouts(match.game, sides_of(match).mates)
    values = finish(rollouts.value(ends, OPEN, max(FEWEST_RUNS, RUNS // len(found)), seed))[:, seat]
    mean = sum(fall.odds * value for fall, value in zip(found, values.tolist(), strict=True))
    merits = {"best": values, "worst": -values, "average": -abs(values - mean)}[how]
    return max(zip(found, merits.tolist(), strict=True), key=lambda each: (each[1], each[0].odds))[0]

"""The tuner: better weights for a game's policy and evaluation, by self-play.

Spall's SPSA ("simultaneous perturbation", 1992), as used for chess programs: shake all weights at once by a random
sign, let the two shaken bots play each other with the same luck on both sides, and move the weights towards the winner.
Weights move in proportion to their size, so that each is tuned on its own scale. What is kept is the average of the
later iterations. Stopped and started again, it goes on where it was.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from regalia import Match
from regalia.arena.figures import share_of
from regalia.arena.play import play_match
from regalia.arena.schedule import sides_of
from regalia.bots.opponents import opponent
from regalia.bots.search import load_knowledge, load_weights
from regalia.core.errors import SetupError

SHAKE, RATE = 0.25, 0.35  # relative change tried, and made for a clear win, in the beginning
SHAKE_POWER, RATE_POWER, DELAY = (
    0.101,
    0.602,
    0.1,
)  # Spall's exponents; the delay is a share of all iterations


@dataclass(frozen=True)
class Tuning:
    game: str
    seats: int
    bot: str = "knight"
    simulations: int = 100
    iterations: int = 200
    deals: int = 2  # per iteration; each is played on every side
    names: tuple[str, ...] = ()  # weights to tune; none named: all
    seed: int = 1


class Tuner:
    def __init__(self, tuning: Tuning, path: Path | None = None) -> None:
        self.tuning = tuning
        self.path = path
        self.game = Match.find(tuning.game)
        known = load_weights(self.game, load_knowledge(self.game).module)
        unknown = set(tuning.names) - set(known)
        if unknown:
            raise SetupError("bots.error.weight", weight=min(unknown), allowed=", ".join(known))
        self.start = {name: known[name] for name in (tuning.names or tuple(known))}
        self.weights = dict(self.start)
        self.mean = dict(self.start)
        self.done = 0
        self.matches = 0
        if path is not None and path.exists():
            self._load(path)

    def _load(self, path: Path) -> None:
        stored = json.loads(path.read_text("utf-8"))
        if stored["tuning"] != json.loads(json.dumps(vars(self.tuning))):
            raise SetupError("bots.error.other_file", file=path.name)
        self.weights, self.mean = stored["weights"], stored["mean"]
        self.done, self.matches = stored["done"], stored["matches"]

    def save(self) -> None:
        if self.path is None:
            return
        state = {
            "tuning": vars(self.tuning),
            "done": self.done,
            "matches": self.matches,
            "weights": self.weights,
            "mean": self.mean,
        }
        draft = self.path.with_suffix(".tmp")
        draft.write_text(json.dumps(state, indent=1) + "\n", "utf-8")
        draft.replace(self.path)

    def run(self, tell: Callable[[int, Mapping[str, float]], None] | None = None) -> dict[str, float]:
        """All iterations that are left; returns the tuned weights."""
        while self.done < self.tuning.iterations:
            self.step()
            self.save()
            if tell is not None:
                tell(self.done, self.mean)
        return self.mean

    def step(self) -> None:
        tuning, k = self.tuning, self.done
        rng = random.Random(f"{tuning.seed}|{k}")
        shake = SHAKE / (1 + k) ** SHAKE_POWER
        rate = RATE / (1 + k / (1 + DELAY * tuning.iterations)) ** RATE_POWER
        signs = {name: rng.choice((-1, 1)) for name in self.weights}
        up = self._shaken(signs, shake)
        down = self._shaken(signs, -shake)
        won = self._contest(up, down)
        for name, sign in signs.items():
            self.weights[name] *= 1 + rate * shake * sign * (2 * won - 1)
        self.done += 1
        late = max(0, self.done - tuning.iterations // 2)
        for name, value in self.weights.items():
            self.mean[name] = value if late == 0 else self.mean[name] + (value - self.mean[name]) / late

    def _shaken(self, signs: Mapping[str, int], shake: float) -> tuple[tuple[str, float], ...]:
        return tuple((name, value * (1 + shake * signs[name])) for name, value in self.weights.items())

    def _contest(self, one: tuple[tuple[str, float], ...], other: tuple[tuple[str, float], ...]) -> float:
        """How often the first wins, 0 … 1, scaled so that a fair share is one half."""
        tuning = self.tuning
        bot = replace(opponent(self.game, tuning.bot), simulations=tuning.simulations)
        sides = sides_of(self.game, tuning.seats, {})
        shares: list[float] = []
        for deal in range(tuning.deals):
            for side in range(max(sides) + 1):
                challenger, field = (one, other) if deal % 2 == 0 else (other, one)
                bots = [replace(bot, weights=challenger if own == side else field) for own in sides]
                seed = tuning.seed * 7_919 + self.done * tuning.deals + deal
                played = play_match(self.game, bots, seed)
                self.matches += 1
                share = share_of(played.ranks, sides, side)
                fair = 1 / (max(sides) + 1)
                scaled = share * 0.5 / fair if share <= fair else 0.5 + 0.5 * (share - fair) / (1 - fair)
                shares.append(scaled if deal % 2 == 0 else 1 - scaled)
        return sum(shares) / len(shares)

    def as_data(self, verdict: str) -> dict[str, Any]:
        """What goes into a game's bots/weights.json: the weights and how they were found."""
        weights = load_weights(self.game, load_knowledge(self.game).module)
        weights.update(self.mean)
        return {
            "weights": {name: float(f"{value:.4g}") for name, value in weights.items()},
            "found": {
                "by": "SPSA self-play (regalia.training.tune)",
                **{
                    key: list(value) if isinstance(value, tuple) else value
                    for key, value in vars(self.tuning).items()
                },
                "matches": self.matches,
                "verdict": verdict,
            },
        }

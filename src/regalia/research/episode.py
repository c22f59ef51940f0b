"""One match on states, step by step: what the environments for a single match share.

A step is the smallest decision, so a match may rest inside an action; where several seats choose at once, the lowest
acts first and the others do not see it. Chance is played within a step.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from regalia.core import gate
from regalia.core.algorithms import OVER
from regalia.core.arrays import States
from regalia.core.batch import Batch
from regalia.core.chance import SECURE, Chance
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.match import Match
from regalia.core.rng import Purpose, next_bits, seeded_rng
from regalia.research.rewards import Rewards, rewards_of, worth_of_forfeit
from regalia.research.setting import Setting

ActionMask = NDArray[np.int8]


class Saved(msgspec.Struct, array_like=True):
    """A match in the middle, in a few hundred bytes."""

    environment: str
    encoding: str
    state: bytes
    rngs: bytes  # of chance, bots and seats
    steps: int
    illegal: int
    forfeited: int
    path: list[int]
    before: bytes  # the state at the begin of the path
    extra: list[Any]  # of the environment


class Episode:
    """A match that is being played, and the streams it draws from. `reset` begins it, and begins it anew."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.engine = setting.game.engine
        self._batch: Batch | None = None
        self._viewer = np.zeros(1, np.int8)
        self._seen = self.engine.layout.empty(1)

    def reset(self, seed: int | None) -> None:
        """Without a seed the streams go on; at first they begin anywhere."""
        if seed is None and self._batch is not None:
            self._batch.restart(np.ones(1, np.bool_))
        else:
            self.seed = secrets.randbits(32) if seed is None else seed
            setting = self.setting
            self._batch = Batch(setting.game, 1, seed=self.seed, start=setting.start, first=setting.stream)
            self.bots = self.stream(Purpose.BOTS)
            self.chairs = self.stream(Purpose.SEATS)
        self.steps = 0  # taken so far
        self.illegal = 0  # how many of them were replaced by a legal one
        self.forfeited = OVER  # the seat that lost by an illegal step
        self._rest()

    def stream(self, purpose: Purpose) -> NDArray[np.int64]:
        return seeded_rng(self.seed, self.setting.stream, purpose)

    def space_seed(self) -> int:
        """For the action space, from a stream of its own."""
        return next_bits(self.stream(Purpose.SPACES))

    @property
    def has_begun(self) -> bool:
        return self._batch is not None

    @property
    def batch(self) -> Batch:
        if self._batch is None:
            raise SetupError("research.error.ended")
        return self._batch

    @property
    def seat(self) -> int:
        """Who decides next, or OVER."""
        return OVER if self.forfeited != OVER else int(self.batch.seats[0])

    @property
    def is_over(self) -> bool:
        return self.seat == OVER

    @property
    def is_truncated(self) -> bool:
        return not self.is_over and self.steps == self.setting.max_steps

    @property
    def has_ended(self) -> bool:
        return self._batch is None or self.is_over or self.is_truncated

    def owing(self) -> tuple[int, ...]:
        """All seats that owe a decision now."""
        return () if self.is_over else self.engine.actors(self.batch.states)

    def mask(self, seat: int) -> ActionMask:
        """What a seat may do now; nothing if others are to act."""
        if seat == self.seat:
            return np.array(self.batch.masks[0], np.int8)
        mask: ActionMask = np.zeros(self.engine.steps, np.int8)
        if seat in self.owing():
            mask[self.engine.legal(self.batch.states, seat)] = 1
        return mask

    def observe(self, seat: int) -> NDArray[Any]:
        self._viewer[0] = seat
        out = self.setting.encoding.empty(1)
        self.setting.encoding.observe(self.batch.states, self._viewer, self._seen, out)
        return out.reshape(-1)

    def state(self) -> NDArray[np.uint8]:
        if not self.setting.centralised:
            raise SetupError("research.error.secret")
        return np.frombuffer(bytearray(self.batch.states.tobytes()), np.uint8)

    # --- Acting ---

    def checked(self, step: object, most: int) -> int:
        if (
            isinstance(step, bool | np.bool_)
            or not isinstance(step, int | np.integer)
            or not 0 <= step <= most
        ):
            raise SetupError("research.error.step", step=repr(step), last=most)
        return int(step)

    def judged(self, seat: int, step: int) -> int:
        """The step, if it is legal; else what `illegal` says: an error, the first legal one, or OVER, which forfeits."""
        legal = self.mask(seat)
        if step < legal.size and legal[step]:
            return step
        if self.setting.illegal == "raise":
            name = f"{self.phase} {step}"
            raise gate.refusal(self.engine, self.batch.states, seat, step, name).at(seat, self.steps)
        if self.setting.illegal == "lose":
            return OVER
        self.illegal += 1
        return int(legal.argmax())

    def act(self, step: int) -> None:
        """A judged step of the seat that decides next."""
        if step == OVER:
            self.forfeit(self.seat)
            return
        if self.setting.texts:
            self._path.append(step)
            self._seat = self.seat
        self.batch.decisions[0] = step
        self.batch.advance()

    def forfeit(self, seat: int) -> None:
        """A seat did what is not allowed, and loses by it."""
        self.forfeited = seat

    @property
    def phase(self) -> str:
        return self.engine.phases[int(self.batch.states["phase"][0])]

    # --- What was done, as text ---

    def _rest(self) -> None:
        self._path: list[int] = []
        self._before = self.engine.layout.copy(self.batch.states) if self.setting.texts else self._seen

    def told(self) -> str:
        """The action that the last step completed, or phase and id of a step inside an action; "" after a forfeit."""
        if self.forfeited != OVER:
            return ""
        if not self.is_over and self.engine.is_inner(self.batch.states):
            return f"{self.phase} {self._path[-1]}"
        seen = self.engine.seen(self._before, self._seat)[0]
        text = self.engine.notation.write(self._path, seen, self._seat)
        self._rest()
        return text

    def rewards(self) -> Rewards:
        """Of each seat: nothing before the end, nor when the match was truncated."""
        setting = self.setting
        if not self.is_over:
            return np.zeros(setting.seats)
        if self.forfeited != OVER:
            return worth_of_forfeit(setting.side(self.forfeited), setting.seats, setting.reward).reshape(-1)
        first = np.zeros(1, np.int64)
        return rewards_of(setting.game, self.batch.states, first, setting.seats, setting.reward).reshape(-1)

    # --- Looking, keeping ---

    def render(self) -> str | None:
        return render(self.setting.game, self.batch.states, self.setting.render_mode)

    def save(self, extra: list[Any]) -> bytes:
        batch = self.batch
        saved = Saved(
            self.setting.name,
            self.setting.encoding.digest,
            batch.states.tobytes(),
            np.stack([batch.rngs[0], self.bots, self.chairs]).astype(np.uint32).tobytes(),
            self.steps,
            self.illegal,
            self.forfeited,
            self._path if self.setting.texts else [],
            self._before.tobytes() if self.setting.texts else b"",
            [self.seed, *extra],
        )
        return msgspec.msgpack.encode(saved)

    def load(self, data: bytes) -> list[Any]:
        """Go on from what was saved; returns what the environment added to it."""
        try:
            saved = msgspec.msgpack.decode(data, type=Saved)
        except msgspec.MsgspecError as error:
            raise SetupError("research.error.saved", saved=error, known=self.setting.name) from None
        if (saved.environment, saved.encoding) != (self.setting.name, self.setting.encoding.digest):
            said = f"{saved.environment}, {saved.encoding}"
            raise SetupError("research.error.saved", saved=said, known=self.setting.name)
        seed, *extra = saved.extra
        self.reset(seed)
        batch = self.batch
        rng, self.bots, self.chairs = np.frombuffer(saved.rngs, np.uint32).astype(np.int64).reshape(3, -1)
        batch.resume(self.engine.layout.load(saved.state), rng[None])
        self.steps, self.illegal, self.forfeited = saved.steps, saved.illegal, saved.forfeited
        if self.setting.texts:
            self._path, self._before = saved.path, self.engine.layout.load(saved.before)
        return extra


def render(game: Game, states: States, mode: str | None) -> str | None:
    """A state to look at: `ansi` is the position as text, `svg` a picture; `human` prints the text."""
    if mode is None:
        return None
    match = Match(game, game.engine.layout.copy(states), Chance(SECURE, "manual"))  # perhaps inside an action
    if mode == "svg":
        return match.svg()
    if mode == "ansi":
        return str(match)
    print(match)
    return None

"""Gymnasium's vector form: many matches at once, on `Batch`.

One step is one decision in every match, of whichever seat owes it; with opponents, of the learner. Match i of a seed is
the same among any number of matches, with any number of threads, and so are those that follow it there.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from regalia.core import gate
from regalia.core.algorithms import OVER
from regalia.core.arrays import Seats, Steps
from regalia.core.batch import Batch
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.rng import Purpose, seeded_rng
from regalia.research.episode import render
from regalia.research.rewards import Rewards, rewards_of
from regalia.research.setting import Setting, check
from regalia.research.solo_env import bot_steps, bots_of, check_seat, draw_seat
from regalia.research.spaces import action_space, observation_space

Flags = NDArray[np.bool_]  # one for each match
Told = tuple[NDArray[Any], NDArray[np.float64], Flags, Flags, dict[str, Any]]


def vector(
    game: str | Game,
    num_envs: int = 1,
    seats: int | None = None,
    seed: int | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    encoding: str = "features",
    view: int | str = "mover",
    opponents: str | Sequence[str] | None = None,
    seat: int | str = "random",
    copy: bool = False,
    threads: int = 1,
    **asked: Any,
) -> VectorTable:
    """Many matches; `asked` may hold options, reward, max_steps, start and render_mode, as for the other forms."""
    check("illegal", asked.get("illegal", "raise"), ("raise",))
    check("mask", asked.get("mask", "info"), ("info",))
    setting = Setting.of(game, seats, encoding=encoding, **asked)
    return VectorTable(setting, num_envs, seed, autoreset_mode, view, opponents, seat, copy, threads)


class VectorTable(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """`observations` (N, size) and `infos["action_mask"]` (N, steps) are filled in place, unless `copy` is asked for.

    `infos["seat"]` is who decides next, `rewards` what the seat that acted gains, `infos["rewards"]` what each seat does.
    view: whose eyes: those of the seat that decides next ("mover"; at the end, of the one that acted), or of one seat.
    opponents, seat: as in `SoloEnv`.
    """

    def __init__(
        self,
        setting: Setting,
        num_envs: int,
        seed: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        view: int | str = "mover",
        opponents: str | Sequence[str] | None = None,
        seat: int | str = "random",
        copy: bool = False,
        threads: int = 1,
    ) -> None:
        modes = [mode.value for mode in AutoresetMode]
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        check("autoreset_mode", mode, modes)
        check("view", view, ("mover", *range(setting.seats)))
        check_seat(seat, setting.seats)
        self.setting, self.num_envs = setting, num_envs
        self.bots = bots_of(setting.game, setting.seats, opponents)
        self.place, self.view, self.copy, self.threads = seat, view, copy, threads
        self.mode = AutoresetMode(mode)
        self.metadata = {**setting.metadata, "autoreset_mode": self.mode}
        self.render_mode = setting.render_mode
        self.single_observation_space = observation_space(setting)
        self.single_action_space = action_space(setting)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._first_seed = seed
        self._batch: Batch | None = None

    @property
    def batch(self) -> Batch:
        if self._batch is None:
            raise SetupError("research.error.ended")
        return self._batch

    # --- Beginning ---

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Without a seed the streams go on. As in Gymnasium, `options={"reset_mask": flags}` begins some matches anew."""
        which = self._checked_mask((options or {}).get("reset_mask"))
        if self._batch is None:
            seed = self._first_seed if seed is None else seed
            self._begin(secrets.randbits(32) if seed is None else seed)
        elif seed is not None:
            if which.all():
                self._begin(seed)
            else:
                self._reseed(seed, which)
                self._restart(which)
        else:
            self._restart(which)
        if seed is not None:
            self.action_space.seed(seed)
        return self._observe(), self._infos(np.zeros_like(self._gained))

    def _begin(self, seed: int) -> None:
        setting, count = self.setting, self.num_envs
        self._batch = Batch(
            setting.game, count, seed=seed, start=setting.start, threads=self.threads, first=setting.stream
        )
        self._bot_rngs, self._chairs = self.batch.streams(Purpose.BOTS), self.batch.streams(Purpose.SEATS)
        self._observations = setting.encoding.empty(count)
        self._seen = setting.game.engine.layout.empty(count)
        self._steps = np.zeros(count, np.int64)
        self._ended = np.zeros(count, np.bool_)
        self._acted = np.zeros(count, np.int8)
        self._learners = np.zeros(count, np.int8)
        self._gained = np.zeros((count, setting.seats))
        self._take_seats(np.ones(count, np.bool_))

    def _reseed(self, seed: int, which: Flags) -> None:
        """Streams of another seed for some matches."""
        for purpose, rngs in (
            (Purpose.CHANCE, self.batch.rngs),
            (Purpose.BOTS, self._bot_rngs),
            (Purpose.SEATS, self._chairs),
        ):
            for match in np.flatnonzero(which).tolist():
                rngs[match] = seeded_rng(seed, self.setting.stream + match, purpose)

    def _restart(self, which: Flags) -> None:
        self.batch.restart(which)
        self._steps[which] = 0
        self._ended[which] = False
        self._take_seats(which)

    def _take_seats(self, which: Flags) -> None:
        """The learner sits down, and the others act until it owes a decision."""
        if self.bots is not None:
            for match in np.flatnonzero(which):
                self._learners[match] = draw_seat(self._chairs[match], self.place, self.setting.seats)
            self._let_others_act(which)
        self._acted[which] = (self.batch.seats if self.bots is None else self._learners)[which]

    def _checked_mask(self, mask: object) -> Flags:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if (
            not isinstance(mask, np.ndarray)
            or mask.shape != (self.num_envs,)
            or mask.dtype != np.bool_
            or not mask.any()
        ):
            allowed = f"({self.num_envs},) bool, True somewhere"
            raise SetupError("research.error.value", name="reset_mask", value=repr(mask), allowed=allowed)
        return mask

    # --- Playing ---

    def step(self, actions: NDArray[Any]) -> Told:
        batch, mode = self.batch, self.mode
        steps = self._checked(actions)
        lost = self._ended.copy()  # ended in the step before: Gymnasium's modes say what becomes of them
        if mode == AutoresetMode.DISABLED and lost.any():
            raise SetupError("research.error.ended")
        which = ~lost
        self._check_legal(steps, which)
        self._acted[which] = batch.seats[which]
        if lost.any():
            batch.step_some(which, steps)
            self._restart(lost)
        else:
            batch.decisions[:] = steps
            batch.advance()
        self._steps[which] += 1
        cut = which & (batch.seats != OVER) & (self._steps == (self.setting.max_steps or 0))
        if self.bots is not None:
            self._let_others_act(which & ~cut)
        over = which & (batch.seats == OVER)
        rewards = self._rewards(over)
        batch.masks[cut] = 0
        self._ended = over | cut
        infos: dict[str, Any] = {}
        gained = self._gained[np.arange(self.num_envs), self._acted]
        if mode == AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._final_infos(self._ended.copy())
            self._restart(self._ended.copy())
        return self._observe(), gained, over, cut, {**self._infos(rewards), **infos}

    def _checked(self, actions: object) -> Steps:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            kind, shape = given.dtype.name, given.shape
            raise SetupError("research.error.steps", count=self.num_envs, kind=kind, shape=shape)
        last = self.setting.game.engine.steps - 1
        if given.min() < 0 or given.max() > last:
            wrong = given[(given < 0) | (given > last)][0]
            raise SetupError("research.error.step", step=int(wrong), last=last)
        return given.astype(np.uint8)

    def _check_legal(self, steps: Steps, which: Flags) -> None:
        """Refuses the first illegal step by its clause; then nothing has changed."""
        batch = self.batch
        seats = batch.seats if which.all() else np.where(which, batch.seats, np.int8(OVER))
        wrong = batch.engine.bound.check_batch(seats, batch.masks, steps)
        if wrong < 0:
            return
        state, seat = batch.states[wrong : wrong + 1], int(seats[wrong])
        name = f"{batch.engine.phases[int(state['phase'][0])]} {steps[wrong]}"
        error = gate.refusal(batch.engine, state, seat, int(steps[wrong]), name).at(
            seat, int(self._steps[wrong])
        )
        error.add_note(f"in match {wrong}")
        raise error

    def _let_others_act(self, which: Flags) -> None:
        """In these matches, until the learner owes a decision."""
        batch, bots = self.batch, self.bots
        assert bots is not None

        def path(match: int) -> list[int]:
            seat = int(batch.seats[match])
            who = bots[(seat - int(self._learners[match]) - 1) % self.setting.seats]
            state = batch.states[match : match + 1]
            return bot_steps(self.setting.game, state, seat, who, self._bot_rngs[match])

        while True:
            waiting = np.flatnonzero(which & (batch.seats != OVER) & (batch.seats != self._learners))
            if not waiting.size:
                return
            paths = dict(zip(waiting.tolist(), batch.share(path, waiting.tolist()), strict=True))
            while paths:
                acting, steps = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.uint8)
                for match, left in paths.items():
                    acting[match], steps[match] = True, left.pop(0)
                batch.step_some(acting, steps)
                paths = {match: left for match, left in paths.items() if left}

    def _rewards(self, over: Flags) -> Rewards:
        """What each seat gains by this step: nothing, where no match has ended."""
        self._gained[:] = 0
        which = np.flatnonzero(over)
        if which.size:
            setting = self.setting
            self._gained[which] = rewards_of(
                setting.game, self.batch.states, which, setting.seats, setting.reward
            )
        return self._gained

    # --- Telling ---

    def _viewers(self) -> Seats:
        if self.view != "mover":
            return np.full(self.num_envs, self.view, np.int8)
        return np.where(self._ended | (self.batch.seats == OVER), self._acted, self.batch.seats)

    def _observe(self, which: Flags | None = None) -> NDArray[Any]:
        """What is seen of all matches, or of some; the other rows are then left as they were."""
        viewers, encoding = self._viewers(), self.setting.encoding
        if which is not None:
            viewers[~which] = OVER
        self.batch.over_slices(
            lambda part: encoding.observe(
                self.batch.states[part], viewers[part], self._seen[part], self._observations[part]
            )
        )
        return self._observations.copy() if self.copy else self._observations

    def _infos(self, rewards: Rewards) -> dict[str, Any]:
        masks = self.batch.masks.copy() if self.copy else self.batch.masks
        return with_flags(
            {"action_mask": masks, "seat": self._viewers(), "rewards": rewards.copy()},
            np.ones(self.num_envs, np.bool_),
        )

    def _final_infos(self, ended: Flags) -> dict[str, Any]:
        """How the matches ended that begin anew in this step."""
        seen = self._observe(ended)
        finals = np.full(self.num_envs, None, object)
        for match in np.flatnonzero(ended):
            finals[match] = seen[match].copy()
        told = {
            "action_mask": np.zeros_like(self.batch.masks),
            "seat": np.where(ended, self._viewers(), np.int8(0)),
            "rewards": self._gained.copy(),
        }
        return with_flags({"final_obs": finals, "final_info": with_flags(told, ended)}, ended)

    def render(self) -> tuple[Any, ...]:
        states = self.batch.states
        return tuple(
            render(self.setting.game, states[match : match + 1], self.render_mode)
            for match in range(self.num_envs)
        )


def with_flags(told: dict[str, Any], which: Flags) -> dict[str, Any]:
    """As Gymnasium marks in which matches there is something to tell: `_name` beside `name`."""
    return told | {f"_{name}": which.copy() for name in told}

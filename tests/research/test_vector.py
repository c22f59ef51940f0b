"""Many matches at once are the same matches: as one at a time, among any number, with any number of threads."""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import regalia.research.gym  # noqa: F401 - it registers the names
from driving import HIDING, TABLES, name_of, walk
from regalia import GAMES, Batch, Game, IllegalAction, Match, SetupError, research
from regalia.core.rng import Stream, seeded_rng

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
modes = pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
MATCHES = 4


def kind_of(game: Game) -> str:
    return "features" if game.has_part("encode") else "record"


def at_random(masks: Any, rng: np.random.Generator) -> Any:
    """A legal step in each match, 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


# --- The oracle: the same matches one by one, by Gymnasium's own vector environment ---


def compare(one: Any, other: Any) -> None:
    """Two observations with their infos, of ours and of Gymnasium's making."""
    (seen, told), (true_seen, true_told) = one, other
    assert seen.tobytes() == true_seen.tobytes()
    for name in ("action_mask", "seat", "rewards"):
        flags = true_told.get(f"_{name}", np.zeros(MATCHES, np.bool_))
        assert (told[f"_{name}"] >= flags).all()
        assert np.array_equal(told[name][flags], true_told[name][flags]), name


def compare_finals(infos: dict[str, Any], true: dict[str, Any]) -> None:
    assert ("final_obs" in infos) == ("final_obs" in true)
    if "final_obs" in true:
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == true["_final_obs"].tolist()
        for seen, told in zip(infos["final_obs"], true["final_obs"], strict=True):
            assert (seen is None) == (told is None)
            assert told is None or seen.tobytes() == told.tobytes()
        for name in ("action_mask", "seat", "rewards"):
            assert np.array_equal(infos["final_info"][name], true["final_info"][name]), name
            assert np.array_equal(infos["final_info"][f"_{name}"], true["final_info"][f"_{name}"])


def agree(game: Game, seats: int, mode: AutoresetMode, opponents: str | None, steps: int, most: int) -> None:
    how: dict[str, Any] = {
        "encoding": kind_of(game),
        "opponents": opponents,
        "max_steps": most,
        "reward": "rank",
    }
    ours = research.vector(game, MATCHES, seats, autoreset_mode=mode, **how)
    true = SyncVectorEnv(
        [lambda i=i: research.solo(game, seats, stream=i, **how) for i in range(MATCHES)], autoreset_mode=mode
    )
    now, shown = ours.reset(seed=3), true.reset(seed=[3] * MATCHES)
    compare(now, shown)
    rng, ends = np.random.default_rng(5), 0
    for _ in range(steps):
        actions = at_random(now[1]["action_mask"], rng)
        *told, infos = ours.step(actions)
        *shown_now, true_infos = true.step(actions)
        for mine, theirs in zip(told, shown_now, strict=True):
            assert np.array_equal(mine, theirs)
        compare_finals(infos, true_infos)
        ended = told[2] | told[3]
        if (
            mode == AutoresetMode.SAME_STEP
        ):  # ours tells in `rewards` what this step brought, before the new match
            infos = {**infos, "rewards": np.where(ended[:, None], 0, infos["rewards"])}
        now = told[0], infos
        compare(now, (shown_now[0], true_infos))
        ends += int(ended.sum())
        if mode == AutoresetMode.DISABLED and ended.any():
            now = ours.reset(options={"reset_mask": ended})
            compare(now, true.reset(options={"reset_mask": ended.copy()}))
    assert ends > MATCHES
    assert ours.metadata["autoreset_mode"] is mode
    true.close()


@tables
@modes
def test_each_match_goes_as_it_does_alone(game: Game, seats: int, mode: AutoresetMode) -> None:
    agree(game, seats, mode, None, steps=60, most=25)


@modes
@pytest.mark.parametrize("name, seats, bot", [("probe", 4, "page"), ("rose_king", 2, "random")])
def test_bots_play_as_they_do_alone(name: str, seats: int, bot: str, mode: AutoresetMode) -> None:
    agree(Match.find(name), seats, mode, bot, steps=200 if name == "rose_king" else 30, most=70)


def test_whole_matches_end_as_they_do_alone() -> None:
    agree(GAMES["rose_king"], 2, AutoresetMode.SAME_STEP, None, steps=800, most=10_000)


# --- One luck for all forms ---


@tables
def test_one_random_match_goes_through_the_same_states_in_every_form(game: Game, seats: int) -> None:
    """At every rest: in a match, a batch, and the environments for agents in turn, at once, and many matches."""
    kind, seed = kind_of(game), 20
    aec = research.aec(game, seats, encoding=kind)
    at_once = research.parallel(game, seats, encoding=kind)
    many = research.vector(game, 3, seats, encoding=kind, autoreset_mode="Disabled")
    batch = Batch(game, 2, seats, seed=seed)
    match = Match.new(game, seats, chance=Stream(seeded_rng(seed)))
    aec.reset(seed=seed)
    at_once.reset(seed=seed)
    _, infos = many.reset(seed=seed)
    engine, rng = game.engine, np.random.default_rng(6)
    path: list[int] = []
    sealed: dict[str, int] = {}
    rests = 0
    while not aec.episode.is_over and rests < 2000:
        states = aec.episode.batch.states
        seat, owing = aec.episode.seat, aec.episode.owing()
        if not path:
            before = engine.layout.copy(states)
        step = int(rng.choice(np.flatnonzero(aec.infos[aec.agent_selection]["action_mask"])))
        aec.step(step)
        batch.step([step, int(batch.masks[1].argmax())])
        _, _, over, _, infos = many.step(np.array([step, *infos["action_mask"][1:].argmax(1)]))
        sealed[f"seat_{seat}"] = step
        if len(owing) == 1:
            at_once.step({agent: sealed.get(agent, at_once.wait) for agent in at_once.agents})
            sealed = {}
        path.append(step)
        if not engine.is_inner(states) or aec.episode.is_over:
            match.play(seat, engine.notation.write(path, engine.seen(before, seat)[0], seat))
            path, rests = [], rests + 1
            now = {
                match.state_bytes(),
                states.tobytes(),
                batch.states[:1].tobytes(),
                many.batch.states[:1].tobytes(),
            }
            if not sealed:
                now.add(at_once.episode.batch.states.tobytes())
            assert len(now) == 1
        if over[1:].any() or (batch.seats[1] < 0):
            batch.restart(np.array([False, True]))
            if over[1:].any():
                _, infos = many.reset(options={"reset_mask": np.array([False, *over[1:]])})
    assert rests > 10


def test_self_play_gives_the_same_digest_among_any_number_with_any_number_of_threads() -> None:
    digests, games = [], 1000
    for count, threads in ((games, 1), (games, 3), (games + 50, 2)):
        env, digest, ends = research.vector("rose_king", count, seed=9, threads=threads), hashlib.sha256(), 0
        seen, infos = env.reset()
        for turn in range(220):
            # A step for each match that depends on match and turn alone.
            legal = np.cumsum(infos["action_mask"], 1)
            number = (np.arange(count) * 104_729 + turn * 7_919) % legal[:, -1]
            seen, rewards, over, _, infos = env.step((legal > number[:, None]).argmax(1))
            for told in (seen, rewards, over):
                digest.update(told[:games].tobytes())
            ends += int(over[:games].sum())
        assert ends > games
        digests.append(digest.hexdigest())
    assert digests[0] == digests[1] == digests[2]


# --- Buffers, names, secrets ---


def test_observations_and_masks_are_filled_in_place_unless_copies_are_wanted() -> None:
    for copy in (False, True):
        env = research.vector("court_the_king", 3, seed=1, copy=copy)
        seen, infos = env.reset()
        before = seen.copy(), infos["action_mask"].copy()
        next_seen, *_, next_infos = env.step(infos["action_mask"].argmax(1))
        assert (next_seen is seen) != copy
        assert (next_infos["action_mask"] is infos["action_mask"]) != copy
        assert np.array_equal(seen, before[0]) == copy
        assert np.array_equal(infos["action_mask"], before[1]) == copy
        assert env.observation_space.contains(next_seen)


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_they_are_made_by_name(game: Game) -> None:
    name = f"regalia/{game.id}-v1"
    seats = game.seats[-1]
    env = gymnasium.make_vec(name, num_envs=5, vectorization_mode="vector_entry_point", seats=seats)
    other = gymnasium.make_vec(name, num_envs=5, vectorization_mode="sync", seats=seats)
    assert env.single_observation_space == other.single_observation_space
    assert (env.observation_space, env.action_space) == (other.observation_space, other.action_space)
    _, infos = env.reset(seed=1)
    assert infos["action_mask"].dtype == np.uint8
    assert infos["seat"].shape == (5,)
    assert infos["rewards"].shape == (5, seats)
    assert env.metadata["encoding"] == research.encoding(game).digest


@pytest.mark.parametrize("game, seats", HIDING, ids=name_of)
def test_redealt_worlds_look_the_same(game: Game, seats: int) -> None:
    env = research.vector(game, 3, seats, encoding=kind_of(game), seed=1)
    env.reset()
    for match in islice(walk(game, seats, 41), 0, None, 11):
        if match.actors:
            seat = match.actors[0]
            worlds = [match, match.redeal(seat, 1), match.redeal(seat, 2)]
            env.batch.resume(np.concatenate([world._states for world in worlds]), env.batch.rngs)
            seen, masks = env._observe(), env.batch.masks
            assert seen[0].tobytes() == seen[1].tobytes() == seen[2].tobytes()
            assert masks[0].tobytes() == masks[1].tobytes() == masks[2].tobytes()


def test_one_seat_may_look_all_the_time() -> None:
    env = research.vector("rose_king", 2, seed=4, view=1)
    seen, infos = env.reset()
    actors = research.encoding("rose_king").slices["actors"]
    for _ in range(6):
        waits = [row[actors].tolist() for row in seen]
        assert waits == [[1.0, 0.0] if seat == 1 else [0.0, 1.0] for seat in env.batch.seats]
        seen, *_, infos = env.step(infos["action_mask"].argmax(1))


def test_positions_are_shown() -> None:
    env = research.vector("rose_king", 2, seed=4, render_mode="ansi")
    env.reset()
    assert all("crown" in text for text in env.render())


# --- Bad input ---


def test_steps_that_cannot_be_are_refused_and_change_nothing() -> None:
    env = research.vector("rose_king", 3, seed=1)
    with pytest.raises(SetupError, match="reset"):
        env.step(np.zeros(3, np.int64))
    _, infos = env.reset()
    before = env.batch.states.tobytes()
    for wrong in (np.zeros(3), np.zeros((3, 1), np.int64), np.zeros(2, np.int64), ["a", "b", "c"]):
        with pytest.raises(SetupError, match=r"shape \(3,\)"):
            env.step(wrong)
    for wrong in (-1, 49, 300):
        with pytest.raises(SetupError, match=f"{wrong} is no step"):
            env.step(np.array([0, wrong, 0]))
    legal = infos["action_mask"].argmax(1)
    legal[2] = (infos["action_mask"][2] == 0).argmax()
    with pytest.raises(IllegalAction, match="RK-") as error:
        env.step(legal)
    assert error.value.__notes__ == ["in match 2"]
    assert env.batch.states.tobytes() == before


def test_what_cannot_be_asked_for_is_refused_by_name() -> None:
    for how in (
        {"autoreset_mode": "Never"},
        {"view": "all"},
        {"view": 2},
        {"seat": 5},
        {"illegal": "first"},
        {"mask": "observation"},
    ):
        with pytest.raises(SetupError, match=next(iter(how))):
            research.vector("rose_king", 2, **how)
    env = research.vector("rose_king", 2, autoreset_mode="Disabled", max_steps=1)
    _, infos = env.reset(seed=1)
    env.step(infos["action_mask"].argmax(1))
    with pytest.raises(SetupError, match="reset"):
        env.step(infos["action_mask"].argmax(1))
    for wrong in (np.ones(3, np.bool_), np.ones(2), [True, True], np.zeros(2, np.bool_)):
        with pytest.raises(SetupError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})


def test_some_matches_may_begin_anew_with_another_seed() -> None:
    env = research.vector("rose_king", 3, seed=1, opponents="random")
    env.reset()
    kept = env.batch.states[0].tobytes()
    env.reset(seed=8, options={"reset_mask": np.array([False, True, True])})
    other = research.vector("rose_king", 3, seed=8, opponents="random")
    other.reset()
    assert env.batch.states[0].tobytes() == kept
    assert env.batch.states[1:].tobytes() == other.batch.states[1:].tobytes()

"""What the environments promise beyond the libraries' tests: luck, rewards, secrets, errors, keeping a match."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from driving import HIDING, TABLES, name_of, walk
from regalia import GAMES, Game, IllegalAction, Match, NotYourTurn, SetupError, research
from regalia.core.rng import Stream, seeded_rng
from regalia.research.rewards import worth, worth_of_forfeit

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)


def kind_of(game: Game) -> str:
    return "features" if game.has_part("encode") else "record"


def played(env: Any, seed: int, most: int = 400) -> Iterator[tuple[str, Any]]:
    """Steps at random from a stream of our own; yields the agent and its step before each."""
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter(most):
        _, _, ended, cut, info = env.last()
        step = None if ended or cut else int(rng.choice(np.flatnonzero(info["action_mask"])))
        yield agent, step
        env.step(step)


# --- Rewards ---


def test_a_win_is_shared_by_those_who_won() -> None:
    ranks, points = np.array([[1, 2, 3], [2, 1, 1], [1, 1, 1]]), np.array([[9, 5, 1], [0, 3, 3], [4, 4, 4]])
    assert np.allclose(worth(points, ranks, "share") * 6, [[4, -2, -2], [-2, 1, 1], [0, 0, 0]])
    assert worth(points, ranks, "rank").tolist() == [[1, 0, -1], [-1, 0.5, 0.5], [0, 0, 0]]
    assert worth(points, ranks, "points").tolist() == points.tolist()
    teams = np.array([[1, 2, 1, 2]])
    assert worth(teams, teams, "share").tolist() == [[0.25, -0.25, 0.25, -0.25]]
    assert np.allclose(worth(teams, teams, "rank") * 3, [[2, -2, 2, -2]])
    assert np.allclose(worth_of_forfeit((1,), 3, "share") * 6, [[1, -2, 1]])
    assert worth_of_forfeit((0, 2), 4, "share").tolist() == [[-0.25, 0.25, -0.25, 0.25]]
    assert worth_of_forfeit((1,), 3, "points").tolist() == [[0, -1, 0]]


@tables
def test_rewards_come_at_the_end_and_add_up_to_nothing(game: Game, seats: int) -> None:
    env = research.aec(game, seats, encoding="record")
    env.reset(seed=11)
    for _ in played(env, 11, 100_000):
        over = env.episode.is_over
        assert over or not any(env.rewards.values())
        if over and len(env.agents) == seats:
            assert sum(env._cumulative_rewards.values()) == pytest.approx(0)
            gained = dict(env._cumulative_rewards)
    ranks, _ = game.engine.score(env.episode.batch.states)
    assert [gained[f"seat_{seat}"] > 0 for seat in range(seats)] == [
        rank == 1 and len({*ranks}) > 1 for rank in ranks
    ]


def test_what_is_cut_off_brings_nothing() -> None:
    env = research.solo("rose_king", max_steps=3)
    _, info = env.reset(seed=1)
    for count in range(3):
        _, reward, over, cut, info = env.step(int(info["action_mask"].argmax()))
        assert (reward, over, cut) == (0, False, count == 2)
    assert not info["action_mask"].any()


# --- Secrets ---


@pytest.mark.parametrize("game, seats", HIDING, ids=name_of)
def test_nothing_that_an_agent_gets_depends_on_what_it_cannot_know(game: Game, seats: int) -> None:
    compared = 0
    for kind in {kind_of(game), "record"}:
        env = research.aec(game, seats, encoding=kind)
        env.reset(seed=5)
        for match in islice(walk(game, seats, 23), 0, None, 7):
            for seat in range(seats):
                told = []
                for states in (match._states, match.redeal(seat, 3)._states, match.redeal(seat, 4)._states):
                    env.episode.batch.resume(states, env.episode.batch.rngs)
                    env.agents = env.possible_agents[:]
                    env._tell()
                    seen = env.observe(f"seat_{seat}").tobytes()
                    told.append((seen, env.infos[f"seat_{seat}"]["action_mask"].tobytes(), env.rewards))
                compared += match.redeal(seat, 3).state_bytes() != match.state_bytes()
                assert told[0] == told[1] == told[2]
    assert compared > 10


def test_who_has_sealed_a_stake_is_all_that_others_see_of_it() -> None:
    """Only the public bits of who has chosen change while others choose; the stake itself does not matter."""
    seen = []
    for choice in range(3):
        env = research.aec("long_live_the_king", 3)
        env.reset(seed=2)
        rng = random.Random(1)
        while len(env.episode.owing()) < 2:
            env.step(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]).tolist()))
        chooser, other = env.possible_agents.index(env.agent_selection), env.possible_agents[-1]
        before = env.observe(other)
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[choice]))
        slices = research.encoding("long_live_the_king").slices
        changed = np.flatnonzero(env.observe(other) != before)
        relative = (chooser - 2) % 3
        assert changed.tolist() == [
            slices["has_sealed"].start + relative,
            slices["actors"].start + relative,
        ]
        seen.append(env.observe(other).tobytes())
    assert len({*seen}) == 1


def test_the_whole_state_is_for_those_who_asked_for_it() -> None:
    env = research.aec("long_live_the_king")
    env.reset(seed=1)
    with pytest.raises(SetupError, match="centralised=True"):
        env.state()


# --- Luck ---


@tables
def test_the_same_seed_and_steps_give_the_same_bytes(game: Game, seats: int) -> None:
    digests = []
    for _ in range(2):
        env = research.aec(game, seats, encoding=kind_of(game))
        env.reset(seed=-7)
        digests.append([env.observe(agent).tobytes() for agent, _ in played(env, 7)])
    assert digests[0] == digests[1]
    env.reset(seed=8)
    other = [env.observe(agent).tobytes() for agent, _ in played(env, 7)]
    assert other != digests[0]


def test_bots_follow_from_the_seed() -> None:
    told = []
    for _ in range(2):
        env = research.solo("rose_king", opponents="page", seat="random")
        seats, bytes_told = [], []
        for match in range(4):
            seen, info = env.reset(seed=3 if match == 0 else None)
            seats.append(info["seat"])
            for _ in range(10):
                seen, *_, info = env.step(int(info["action_mask"].argmax()))
                bytes_told.append(seen.tobytes())
        told.append((seats, bytes_told))
    assert told[0] == told[1]
    assert {*told[0][0]} == {0, 1}


def test_samples_of_the_action_space_follow_from_the_seed() -> None:
    samples = []
    for seed in (1, 1, 2):
        env = research.aec("rose_king")
        env.reset(seed=seed)
        samples.append([[env.action_space(agent).sample() for _ in range(20)] for agent in env.agents])
    assert samples[0] == samples[1] != samples[2]
    assert samples[0][0] != samples[0][1]


# --- Keeping a match ---


@tables
@pytest.mark.parametrize("texts", [False, True])
def test_a_match_that_was_kept_goes_on_alike(game: Game, seats: int, texts: bool) -> None:
    env = research.aec(game, seats, encoding=kind_of(game), texts=texts)
    env.reset(seed=4)
    for _ in played(env, 4, 37):
        pass
    data = env.save()
    assert len(data) < (700 if texts else 420)
    twins = [env.clone(), pickle.loads(pickle.dumps(env))]
    told = [[(agent, step, one.save()) for agent, step in played(one, 9, 60)] for one in (env, *twins)]
    assert told[0] == told[1] == told[2]


def test_environments_of_the_other_forms_are_kept_too() -> None:
    parallel = research.parallel("long_live_the_king", 3)
    parallel.reset(seed=1)
    solo = research.solo("rose_king", opponents="page")
    _, info = solo.reset(seed=1)
    solo.step(int(info["action_mask"].argmax()))
    for env in (parallel, solo):
        twin = pickle.loads(pickle.dumps(env.clone()))
        assert twin.save() == env.save()
    step = int(solo.action_masks().argmax())
    twin = solo.clone()
    assert [part.tobytes() for part in solo.step(step)[:1]] == [
        part.tobytes() for part in twin.step(step)[:1]
    ]
    assert pickle.loads(pickle.dumps(research.parallel("rose_king"))).agents == []
    assert not pickle.loads(pickle.dumps(research.solo("rose_king"))).episode.has_begun
    assert pickle.loads(pickle.dumps(research.aec("rose_king"))).agents == []


def test_what_another_environment_kept_is_refused() -> None:
    env = research.aec("rose_king")
    env.reset(seed=1)
    with pytest.raises(SetupError, match="regalia/rose_king-v1"):
        research.aec("carolus_magnus").load(env.save())
    with pytest.raises(SetupError, match="saved by another"):
        env.load(b"nothing")
    research.encoding("rose_king").check(research.encoding("rose_king").digest)
    with pytest.raises(SetupError, match="another encoding of rose_king"):
        research.encoding("rose_king").check("0123")


# --- Texts, positions ---


@tables
def test_texts_are_those_of_the_notation(game: Game, seats: int) -> None:
    env = research.aec(game, seats, encoding="record", texts=True)
    env.reset(seed=6)
    match = Match.new(game, seats, chance=Stream(seeded_rng(6)))
    rng, whole, half = random.Random(2), 0, 0
    while whole < 60 and not env.terminations[env.agent_selection]:
        agent = env.agent_selection
        step = rng.choice(np.flatnonzero(env.infos[agent]["action_mask"]).tolist())
        env.step(step)
        text = env.infos[agent]["action"]
        if env.episode.engine.is_inner(env.episode.batch.states):
            half += 1
            assert text == f"{env.episode.phase} {step}"
        else:
            whole += 1
            match.play(int(agent.removeprefix("seat_")), text)
            assert match.state_bytes() == env.episode.batch.states.tobytes()
    assert bool(half) == bool(game.engine.inner and env.setting.options.get("dice_by_hand") != "false")


def test_the_other_forms_tell_texts_too() -> None:
    solo = research.solo("rose_king", opponents="random", seat=0, texts=True)
    _, info = solo.reset(seed=3)
    assert info["action"] == ""
    env = research.parallel("long_live_the_king", 3, texts=True)
    seen, _ = env.reset(seed=2)
    match = Match.new("long_live_the_king", 3, chance=Stream(seeded_rng(2)))
    at_once = 0
    for _ in range(60):
        owing = match.actors
        step = int(np.flatnonzero(solo.action_masks())[-1]) if not solo.episode.has_ended else None
        if step is not None:
            assert solo.step(step)[4]["action"]
        steps = {agent: int(told["action_mask"].argmax()) for agent, told in seen.items()}
        seen, *_, infos = env.step(steps)
        texts = {int(agent[5:]): info["action"] for agent, info in infos.items() if "action" in info}
        assert tuple(texts) == owing
        at_once += len(texts) > 1
        for seat, text in texts.items():
            match.play(seat, text)
        assert match.state_bytes() == env.episode.batch.states.tobytes()
    assert at_once


def test_a_match_may_begin_at_a_position() -> None:
    match = Match.new("carolus_magnus", 3, seed=1)
    for _ in range(20):
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    for start in (match.position(), match.position_text(), match._states):
        env = research.aec("carolus_magnus", start=start)
        env.reset(seed=1)
        assert env.episode.batch.states.tobytes() == match.state_bytes()
        assert len(env.possible_agents) == 3
    for wrong in (np.zeros(1), match._states[:0], 7):
        with pytest.raises(SetupError, match="start must be"):
            research.aec("carolus_magnus", start=wrong)
    with pytest.raises(SetupError, match="start must be"):
        research.aec("carolus_magnus", 4, start=match.position())


# --- Bad input ---


def test_what_cannot_be_asked_for_is_refused_by_name() -> None:
    for how, told in (
        ({"encoding": "picture"}, "encoding"),
        ({"reward": "money"}, "reward"),
        ({"mask": "nowhere"}, "mask"),
        ({"illegal": "ignore"}, "illegal"),
        ({"render_mode": "rgb_array"}, "render_mode"),
        ({"max_steps": 0}, "max_steps"),
        ({"seats": 9}, "9"),
        ({"options": {"speed": "fast"}}, "speed"),
    ):
        with pytest.raises(SetupError, match=told):
            research.aec("rose_king", **how)
    with pytest.raises(SetupError, match="no features"):
        research.aec("probe")
    for how, told in (
        ({"opponents": "wizard"}, "wizard"),
        ({"opponents": ["page", "page"]}, "opponents"),
        ({"seat": 2}, "seat"),
        ({"seat": "best"}, "seat"),
    ):
        with pytest.raises(SetupError, match=told):
            research.solo("rose_king", **how)


@tables
def test_an_illegal_step_names_its_clause(game: Game, seats: int) -> None:
    """Every step that is not legal, at many moments, inside actions too; nothing changes by it."""
    env = research.aec(game, seats, encoding="record")
    env.reset(seed=3)
    for count, (_, step) in enumerate(played(env, 3, 200)):
        if step is None or count % 20:
            continue
        before = env.save()
        for wrong in np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0):
            with pytest.raises(IllegalAction, match=rf"{env.episode.phase} {wrong}|\([A-Z]+-\d+\)") as error:
                env.step(int(wrong))
            assert error.value.clause is not None
        assert env.save() == before


def test_an_illegal_step_loses_or_is_replaced_where_that_was_asked_for() -> None:
    env = research.aec("long_live_the_king", 4, illegal="lose")
    env.reset(seed=1)
    env.step(136)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert sorted(env._cumulative_rewards.values()) == pytest.approx([-0.25, 1 / 12, 1 / 12, 1 / 12])
    env = research.solo("rose_king", illegal="first")
    _, info = env.reset(seed=1)
    twin = env.clone()
    wrong = int((info["action_mask"] == 0).argmax())
    seen, *_, told = env.step(wrong)
    assert told["illegal"] == 1
    assert seen.tobytes() == twin.step(int(info["action_mask"].argmax()))[0].tobytes()


def test_no_step_at_all_is_refused() -> None:
    env = research.aec("rose_king")
    with pytest.raises(SetupError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    for wrong in (-1, 49, 1.0, "N1", None, True, np.float32(2), np.zeros(1, np.int64)):
        with pytest.raises(SetupError, match="whole number from 0 to 48"):
            env.step(wrong)  # type: ignore[arg-type]
    at_once = research.parallel("rose_king", max_steps=1, illegal="first")
    with pytest.raises(SetupError, match="reset"):
        at_once.step({})
    at_once.reset(seed=1)
    *_, cut, _ = at_once.step(dict.fromkeys(at_once.agents, at_once.wait))
    assert all(cut.values())
    with pytest.raises(SetupError, match="reset"):
        at_once.step({})
    solo = research.solo("rose_king", max_steps=1)
    _, info = solo.reset(seed=1)
    solo.step(int(info["action_mask"].argmax()))
    with pytest.raises(SetupError, match="reset"):
        solo.step(0)


def test_agents_that_act_at_once_say_so_for_all_and_wait_when_they_owe_nothing() -> None:
    env = research.parallel("rose_king")
    seen, _ = env.reset(seed=1)
    first = seen["seat_0"]["action_mask"][-1]  # who waits at first
    idle, busy = ("seat_0", "seat_1") if first else ("seat_1", "seat_0")
    step = int(seen[busy]["action_mask"].argmax())
    with pytest.raises(SetupError, match="seat_0, seat_1"):
        env.step({busy: step})
    with pytest.raises(NotYourTurn):
        env.step({busy: step, idle: step})
    with pytest.raises(IllegalAction, match="wait"):
        env.step({busy: env.wait, idle: env.wait})
    env.step({busy: step, idle: env.wait})
    for illegal, ends in (("lose", True), ("first", False)):
        env = research.parallel("rose_king", illegal=illegal)
        env.reset(seed=1)
        _, rewards, over, _, infos = env.step({busy: env.wait, idle: env.wait})
        assert over[busy] == ends
        assert (rewards[busy] < 0) == ends
        assert ends or infos[busy]["illegal"] == 1


# --- Without the libraries ---


def test_the_module_needs_no_library_and_says_what_an_environment_needs() -> None:
    code = """if True:
    import sys
    for name in ("gymnasium", "pettingzoo"):
        sys.modules[name] = None
    import regalia
    from regalia import research
    assert research.encoding("rose_king").slices["own_stones"] == slice(0, 81)
    for name in ("aec", "parallel", "solo"):
        try:
            getattr(research, name)
        except regalia.SetupError as error:
            assert str(error).count("\\n") == 0
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("pip install 'regalia[research]'") == 3


def test_all_names_can_be_imported() -> None:
    for name in {*research.__all__} - {
        "openspiel"
    }:  # its library is another environment's: test_openspiel.py
        assert getattr(research, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        research.chess  # noqa: B018
    assert set(GAMES) <= {game.id for game, _ in TABLES}

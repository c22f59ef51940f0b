"""How fast the environments are: decisions per second with a policy outside that takes any legal step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import regalia
from regalia.bench import peers
from regalia.bench.rows import Row, alone, compare, per_second
from regalia.core.arrays import Mask, Rng, Steps
from regalia.core.kernel import kernel
from regalia.core.rng import below, seeded_rng

OPENSPIEL = "open_spiel==2.0.*"
MATCHES = 4096
STEPS = 60  # of the vector environment, in each of its matches, a round
TURNS = 5_000  # of the environments for one match, a round
PEER_TURNS = 1_000


@kernel
def choose(masks: Mask, steps: Steps, rng: Rng) -> None:
    """Any legal step, from the mask alone."""
    for match in range(steps.size):
        count = 0
        for step in range(masks.shape[1]):
            count += int(masks[match, step])
        left = below(rng, count)
        step = -1
        while left >= 0:
            step += 1
            left -= int(masks[match, step])
        steps[match] = step


def vector_decisions(game: str) -> Row:
    """Features and masks of many matches, at the smallest table of a game."""
    from regalia.research.vector_env import vector

    env = vector(game, MATCHES, seed=1)
    steps, rng = np.zeros(MATCHES, np.uint8), seeded_rng(2)
    _, infos = env.reset()
    masks = infos["action_mask"]  # filled in place

    def play() -> int:
        for _ in range(STEPS):
            choose(masks, steps, rng)
            env.step(steps)
        return MATCHES * STEPS

    play()
    words = f"{MATCHES} matches of {env.setting.seats} seats, features and masks, one thread"
    return beside_connect_four(f"{game}_vector", lambda: per_second(play), "decisions/s", words)


def turns(env: Any, count: int, mask_of: Callable[[Any, Any], Any]) -> int:
    """So many steps of agents that take turns, each the first legal one."""
    done = 0
    while done < count:
        env.reset(seed=done)
        for _ in env.agent_iter():
            seen, _, ended, cut, info = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(int(mask_of(seen, info).argmax()))
                done += 1
    return done


def rose_king_aec() -> Row:
    """One match, each step from Python."""
    from regalia.research.aec_env import aec

    env = aec(regalia.GAMES["rose_king"])

    def ours() -> float:
        return per_second(lambda: turns(env, TURNS, lambda _, info: info["action_mask"]))

    ours()
    return beside_connect_four("rose_king_aec", ours, "steps/s", "one match, features and masks")


def rose_king_openspiel() -> Row:
    """Our adapter in OpenSpiel, each step from Python."""
    name, unit = "rose_king_openspiel", "steps/s"
    try:
        said = peers.ask("regalia.bench.openspiel_steps", OPENSPIEL)
    except peers.PeerError as error:
        return Row(name, 0.0, None, None, unit, f"OpenSpiel could not be asked: {error}")
    ours, peer = float(said["ours"]), float(said["peer"])
    words = f"OpenSpiel {said['version']}: The Rose King written there in plain Python, stepped likewise"
    return Row(name, ours, peer, ours / peer, unit, words)


def beside_connect_four(name: str, ours: Callable[[], float], unit: str, words: str) -> Row:
    """A figure, and where PettingZoo's classic games are installed that of one of them: another game, the same form."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError:
        return alone(
            name, ours, unit, f"{words}; PettingZoo's classic games (they need pygame) are not installed"
        )
    other = connect_four_v3.env()

    def peer() -> float:
        return per_second(lambda: turns(other, PEER_TURNS, lambda seen, _: seen["action_mask"]))

    return compare(name, ours, peer, unit, f"{words}; beside it PettingZoo's Connect Four, another game")

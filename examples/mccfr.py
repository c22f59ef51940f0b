"""Regret minimisation by sampling on a toy of Long Live the King, with OpenSpiel (the extra `openspiel`).

    python examples/mccfr.py --rounds 20000

Two parties choose their stakes at once; neither has a choice that is always best, so good play is mixed. The share of the
first seat comes near 4399/6408, its value, and nobody can gain much by playing otherwise (NashConv, at best 0).
"""

from __future__ import annotations

import argparse

import pyspiel  # type: ignore[import-not-found]

from regalia.research import openspiel


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20_000)
    asked = parser.parse_args()
    openspiel.register("long_live_the_king")
    game = pyspiel.load_game("regalia_long_live_the_king(toy=crown)")
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
    for number in range(1, asked.rounds + 1):
        solver.run_iteration()
        if number in (asked.rounds // 10, asked.rounds):
            policy = solver.average_policy()
            gained = pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)[0]
            share = gained * 2 / 3 + 1 / 3  # returns are so scaled that who wins alone gets 1
            print(
                f"{number} rounds: share {share:.4f}, NashConv {pyspiel.nash_conv(game, policy, True):.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""The one call that asks a bot, and a second that never fails."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time

import numpy as np

from regalia.bots.decision import decide, make_ready
from regalia.bots.opponents import BOTS, DEFAULT_S, Choice, Considered, Opponent, opponent
from regalia.bots.reasons import reasons
from regalia.bots.search import Budget
from regalia.core.arrays import Steps
from regalia.core.errors import NotYourTurn, SetupError
from regalia.core.match import Match

__all__ = ["BOTS", "Choice", "Considered", "choose", "choose_safely"]

LIMIT_S = 20.0  # a bot that has not answered by then is given up
log = logging.getLogger("regalia.bots")


def choose(
    match: Match,
    seat: int,
    bot: str | Opponent,
    seed: int | None = None,
    *,
    budget_s: float | None = None,
    simulations: int | None = None,
    stop: Steps | None = None,
) -> Choice:
    """What a bot does at a seat. It is given nothing but what the seat may know.

    Without a budget it does the bot's simulations, but takes no longer than DEFAULT_S. With `simulations` exactly so
    many are done (unless the best step is settled before); the same seed then gives the same choice. With `budget_s`
    alone it thinks for that time. Raising the flag (stop[0] = 1) ends it at once with the best so far.
    """
    who = bot if isinstance(bot, Opponent) else opponent(match.game, bot)
    check_budget(budget_s, simulations)
    if seat not in match.actors:
        clause = match.engine.explain.out_of_turn(match.seen(None)[0])
        raise NotYourTurn("error.turn", clause, seat=seat, actors=", ".join(map(str, match.actors)))
    if who.simulations:
        make_ready(match.game)
    began = time.perf_counter()
    budget = Budget(simulations, stop=np.zeros(1, np.uint8) if stop is None else stop)
    if budget_s is not None:
        budget.deadline = began + budget_s
    elif simulations is None:
        budget.simulations, budget.deadline = who.simulations, began + DEFAULT_S
    seen = match.seen(seat)
    decision = decide(match.game, seen, seat, who, secrets.randbits(32) if seed is None else seed, budget)
    considered = tuple(
        Considered(match.engine.notation.write(path, seen[0], seat), value, visits)
        for path, value, visits in decision.considered
    )
    return Choice(
        match.engine.notation.write(decision.path, seen[0], seat),
        reasons(match.game, seen, seat, decision, considered),
        considered,
        decision.simulations,
        time.perf_counter() - began,
    )


def check_budget(budget_s: float | None, simulations: int | None) -> None:
    for value in (budget_s, simulations):
        if value is not None and not value > 0:
            raise SetupError("bots.error.budget", budget=value)


def choose_safely(
    match: Match,
    seat: int,
    bot: str | Opponent,
    seed: int | None = None,
    budget_s: float | None = None,
    limit_s: float = LIMIT_S,
) -> Choice:
    """Like `choose`, but a bot that fails or overruns is replaced by some legal action; the log and the reason say so."""
    who = bot if isinstance(bot, Opponent) else opponent(match.game, bot)
    try:
        if who.simulations:
            make_ready(match.game)
        choice = answer_within(limit_s, match, seat, who, seed, budget_s)
        match.copy().play(seat, choice.action)
    except (SetupError, NotYourTurn):
        raise  # the caller's mistake
    except TimeoutError:
        log.error("bot %s overran at seat %s of %s", who.name, seat, match.game.id)
        return anything(match, seat, "bots.reason.overran", bot=who.name, seconds=f"{limit_s:g}")
    except Exception as error:  # a bot may fail in any way; the game goes on
        log.exception("bot %s failed at seat %s of %s", who.name, seat, match.game.id)
        return anything(match, seat, "bots.reason.failed", bot=who.name, why=type(error).__name__)
    return choice


def answer_within(
    limit_s: float, match: Match, seat: int, who: Opponent, seed: int | None, budget_s: float | None
) -> Choice:
    """The bot's answer, from a thread of its own: one that hangs is left behind."""
    answers: queue.SimpleQueue[Choice | Exception] = queue.SimpleQueue()
    stop = np.zeros(1, np.uint8)
    copy = match.copy()

    def think() -> None:
        try:
            answers.put(choose(copy, seat, who, seed, budget_s=budget_s, stop=stop))
        except Exception as error:  # handed to the one who asked
            answers.put(error)

    threading.Thread(target=think, name="regalia-bot", daemon=True).start()
    try:
        answer = answers.get(timeout=limit_s)
    except queue.Empty:
        raise TimeoutError from None
    finally:
        stop[0] = 1
    if isinstance(answer, Exception):
        raise answer
    return answer


def anything(match: Match, seat: int, key: str, **values: object) -> Choice:
    """Some legal action."""
    return Choice(match.redeal(seat, 0).actions(seat)[0], ((key, values),))

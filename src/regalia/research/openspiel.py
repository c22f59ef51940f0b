"""The games in OpenSpiel.

    from regalia.research import openspiel
    openspiel.register()
    game = pyspiel.load_game("regalia_long_live_the_king(players=4)")

Parameters are `players`, the game's options, and `toy`: the name of one of its toys to begin from. A chance node is one
die or one card. Where several seats choose at once, the lowest acts first and the others do not see it. Returns are
shares of the victory, so scaled that who wins alone gets 1; they add up to nothing.
"""

from __future__ import annotations

from typing import Any, ClassVar

import pyspiel  # type: ignore[import-not-found]

from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import CHANCE, Game, Option
from regalia.core.match import Match
from regalia.core.registry import GAMES
from regalia.research.encode import Encoding, encoding
from regalia.research.line import Line, Table
from regalia.research.spiel_bot import RegaliaBot
from regalia.research.spiel_observer import Observer
from regalia.research.toys import toy

__all__ = ["RegaliaBot", "register"]
PREFIX = "regalia_"
LONGEST = 1 << 30  # decisions, of a game that does not say how many a match can have


def register(*games: str | Game) -> list[str]:
    """Makes games known to OpenSpiel, all on the shelf unless some are named; returns the names they have there."""
    names = []
    for given in games or tuple(GAMES.values()):
        game = Match.find(given)
        names.append(f"{PREFIX}{game.id}")
        if names[-1] not in pyspiel.registered_names():
            # OpenSpiel pickles a game by its class, which must be found in its module.
            kind = kind_of(game)
            made = type(names[-1], (SpielGame,), {"played": game, "kind": kind, "__module__": __name__})
            globals()[names[-1]] = made
            pyspiel.register_game(kind, made)
    return names


def kind_of(game: Game) -> Any:
    kinds = pyspiel.GameType
    hides = game.engine.layout.hidden
    information = "IMPERFECT_INFORMATION" if hides else "PERFECT_INFORMATION"
    return kinds(
        short_name=f"{PREFIX}{game.id}",
        long_name=game.titles["en"],
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=getattr(kinds.Information, information),
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=hides,
        parameter_specification={"players": game.seats[0], "toy": "", **defaults(game)},
    )


def defaults(game: Game) -> dict[str, str | bool | int]:
    """The options as OpenSpiel reads them: `true` and `false` as such; what begins with a digit by its place."""
    return {option.name: given_as(option, option.values[0]) for option in game.options}


def given_as(option: Option, value: str) -> str | bool | int:
    if {*option.values} == {"true", "false"}:
        return value == "true"
    return option.values.index(value) if option.values[0][0].isdigit() else value


def option_of(game: Game, name: str, given: object) -> object:
    """The value that is meant; what is none is left for the game to refuse."""
    option = next(one for one in game.options if one.name == name)
    return next((value for value in option.values if given_as(option, value) == given), given)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game at one table; `register` makes a class of it for each game."""

    played: ClassVar[Game]
    kind: ClassVar[Any]

    def __init__(self, params: Any = None) -> None:
        game, given = self.played, dict(params or {})
        start = start_of(game, given)
        seats = int(start["seats"][0])
        self.table = Table(game, start, seats)
        self.encoding: Encoding = encoding(game, "features" if game.has_part("encode") else "record")
        info = pyspiel.GameInfo(
            num_distinct_actions=game.engine.steps,
            max_chance_outcomes=game.engine.outcomes,
            num_players=seats,
            min_utility=-1 / (seats - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=getattr(game.part("encode"), "LONGEST", LONGEST),
        )
        super().__init__(self.kind, info, given)

    def new_initial_state(self, *_: Any) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise SetupError("research.error.value", name="params", value=repr(params), allowed="none")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def start_of(game: Game, given: dict[str, Any]) -> States:
    """The state that a game with these parameters begins from. OpenSpiel fills in what was not asked for."""
    usual = defaults(game)
    options = {
        name: option_of(game, name, value)
        for name, value in given.items()
        if name in usual and value != usual[name]
    }
    if not given.get("toy"):
        seats = game.checked_seats(given.get("players"))
        return game.engine.start(seats, game.checked_options(seats, options))
    start = toy(game, given["toy"])
    seats = int(start["seats"][0])
    if given.get("players", seats) not in (seats, game.seats[0]) or options:
        raise SetupError("research.error.start", game=game.id)
    return start


class SpielState(pyspiel.State):  # type: ignore[misc]
    """One match; `line` is what it is made of."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.line = Line(game.table)

    def current_player(self) -> int:
        actors = self.line.actors
        if not actors:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actors[0] == CHANCE else actors[0]

    def is_terminal(self) -> bool:
        return not self.line.actors

    def _legal_actions(self, player: int) -> list[int]:
        return self.line.legal() if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.line.outcomes()

    def _apply_action(self, action: int) -> None:
        self.line.apply(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.line.text(action)

    def returns(self) -> list[float]:
        return self.line.returns()

    def __str__(self) -> str:
        return self.line.states.tobytes().hex()

    def resample_from_infostate(self, player_id: int, sampler: Any) -> SpielState:
        """A match that the player cannot tell from this one; `sampler()` is a number from 0 to 1.

        OpenSpiel's own history of it stays as it was: it tells what happened, not what the player believes.
        """
        world: SpielState = self.clone()
        world.line = self.line.redealt(player_id, int(sampler() * (1 << 32)))
        return world

"""What an environment was asked for, checked once: which table, what is observed, how it is rewarded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.match import Match
from regalia.research.encode import Encoding
from regalia.research.encode import encoding as encoding_of
from regalia.research.rewards import REWARDS

MASKS = ("info", "observation")
ILLEGAL = ("raise", "lose", "first")
RENDER_MODES = ("human", "ansi", "svg")


@dataclass(frozen=True)
class Setting:
    game: Game
    seats: int
    options: Mapping[str, str]
    start: States  # one state
    encoding: Encoding
    reward: str
    mask: str  # where the mask of legal steps is given
    illegal: str  # what an illegal step does
    max_steps: int | None  # after so many steps a match is truncated
    centralised: bool  # whether state() may be asked for
    texts: bool  # whether actions are told as texts
    render_mode: str | None
    stream: int  # which of a seed's random streams: match i of a vector environment draws from stream i

    @classmethod
    def of(
        cls,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        encoding: str = "features",
        reward: str = "share",
        mask: str = "info",
        illegal: str = "raise",
        max_steps: int | None = None,
        start: Mapping[str, Any] | str | States | None = None,
        centralised: bool = False,
        texts: bool = False,
        render_mode: str | None = None,
        stream: int = 0,
    ) -> Setting:
        known = Match.find(game)
        check("reward", reward, REWARDS)
        check("mask", mask, MASKS)
        check("illegal", illegal, ILLEGAL)
        check("render_mode", render_mode, (None, *RENDER_MODES))
        if max_steps is not None and not (is_whole(max_steps) and max_steps > 0):
            raise SetupError(
                "research.error.value", name="max_steps", value=repr(max_steps), allowed="1, 2, …"
            )
        states = start_of(known, seats, options, start)
        return cls(
            known,
            int(states["seats"][0]),
            known.engine.read_options(states),
            states,
            encoding_of(known, encoding),
            reward,
            mask,
            illegal,
            max_steps,
            centralised,
            texts,
            render_mode,
            stream,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: what was asked for, in short."""
        start = self.start.tobytes()
        asked = (self.encoding.kind, self.reward, self.mask, self.illegal, self.max_steps)
        return setting_of, (
            self.game,
            start,
            *asked,
            self.centralised,
            self.texts,
            self.render_mode,
            self.stream,
        )

    @property
    def name(self) -> str:
        """As Gymnasium spells it: the number is that of the encoding."""
        return f"regalia/{self.game.id}-v{self.encoding.version}"

    @property
    def metadata(self) -> dict[str, Any]:
        return {
            "name": f"{self.game.id}_v{self.encoding.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "rules": self.game.rules,
            "encoding": self.encoding.digest,
        }

    def side(self, seat: int) -> tuple[int, ...]:
        return self.game.side(seat, self.seats, self.options)


def setting_of(
    game: Game, start: bytes, encoding: str, reward: str, mask: str, illegal: str, *more: Any
) -> Setting:
    """A setting that was pickled."""
    max_steps, *rest = more
    states = game.engine.layout.load(start)
    return Setting.of(game, None, None, encoding, reward, mask, illegal, max_steps, states, *rest)


def start_of(
    game: Game,
    seats: int | None,
    options: Mapping[str, object] | None,
    start: Mapping[str, Any] | str | States | None,
) -> States:
    """The state that matches begin from: the usual one, or that of a position."""
    if start is None:
        players = game.checked_seats(seats)
        return game.engine.start(players, game.checked_options(players, options))
    if isinstance(start, Mapping | str):
        states = game.engine.layout.load(Match.from_position(game, start, chance="manual").state_bytes())
    elif getattr(start, "dtype", None) == game.engine.layout.dtype and start.shape == (1,):
        states = game.engine.layout.copy(start)
    else:
        raise SetupError("research.error.start", game=game.id)
    players = int(states["seats"][0])
    wanted = game.checked_options(players, {**game.engine.read_options(states), **(options or {})})
    if seats not in (None, players) or wanted != game.engine.read_options(states):
        raise SetupError("research.error.start", game=game.id)
    return states


def check(name: str, value: object, allowed: Sequence[object]) -> None:
    if value not in allowed:
        raise SetupError(
            "research.error.value", name=name, value=repr(value), allowed=", ".join(map(repr, allowed))
        )


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

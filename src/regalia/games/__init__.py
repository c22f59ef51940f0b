"""The games, by id. Importing this loads no rules: see `regalia.core.game.Game.engine`."""

from regalia.core.game import Game
from regalia.games import carolus_magnus, court_the_king, long_live_the_king, rose_king

GAMES: dict[str, Game] = {
    game.id: game
    for game in (rose_king.GAME, carolus_magnus.GAME, court_the_king.GAME, long_live_the_king.GAME)
}

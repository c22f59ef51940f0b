"""Carolus Magnus: knights, castles and an emperor on a ring of provinces that grows together."""

from regalia.core.game import Game, Option

GAME = Game(
    id="carolus_magnus",
    rules=1,
    titles={"en": "Carolus Magnus", "de": "Carolus Magnus", "nl": "Carolus Magnus"},
    designer="Leo Colovini",
    published="Winning Moves 2000",
    seats=(2, 3, 4),
    package=__name__,
    options=(
        Option("partners", ("02-13", "01-23", "03-12"), seats=(4,)),
        Option("confer", ("false", "true"), seats=(4,)),
    ),
    minutes=45,
)

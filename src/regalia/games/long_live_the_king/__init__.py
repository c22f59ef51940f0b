"""Long Live the King (Lang lebe der König!): nobles win areas with courtiers, sealed stakes and votes."""

from regalia.core.game import Game, Option

GAME = Game(
    id="long_live_the_king",
    rules=1,
    titles={"en": "Long Live the King", "de": "Lang lebe der König!", "nl": "Lang leve de koning!"},
    designer="Günter Burkhardt",
    published="FX Schmid 1997",
    seats=(3, 4, 5),
    package=__name__,
    options=(Option("dice_by_hand", ("false", "true")),),
    shelf=4,
)

"""To Court the King (Um Krone und Kragen): dice win over courtiers, and courtiers help the dice."""

from regalia.core.game import Game

GAME = Game(
    id="court_the_king",
    rules=1,
    titles={"en": "To Court the King", "de": "Um Krone und Kragen", "nl": "Um Krone und Kragen"},
    designer="Tom Lehmann",
    published="Amigo 2006",
    seats=(2, 3, 4, 5),
    package=__name__,
    minutes=60,
    shelf=3,
)

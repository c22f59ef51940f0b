"""The Rose King (Rosenkönig): two houses lay roses around one crown."""

from regalia.core.game import Game

GAME = Game(
    id="rose_king",
    rules=1,
    titles={"en": "The Rose King", "de": "Rosenkönig", "nl": "Rozenkoning"},
    designer="Dirk Henn",
    published="Kosmos 1999",
    seats=(2,),
    package=__name__,
    minutes=45,
    shelf=1,
)

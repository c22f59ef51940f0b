"""The probe: a small game with everything the contract must carry. Copy this folder to add a game."""

from regalia.core.game import Game, Option

GAME = Game(
    id="probe",
    rules=1,
    titles={"en": "Probe", "de": "Probe", "nl": "Proef"},
    designer="Regalia",
    published="2026",
    seats=(4,),
    package=__name__,
    options=(Option("target", ("5", "3")),),
    sides=lambda _seats, _options: ((0, 2), (1, 3)),  # PB-10
)

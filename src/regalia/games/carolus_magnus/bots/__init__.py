"""The opponents of Carolus Magnus, found by measurement (docs/strength.md): each beats the one before it clearly."""

from regalia.bots.opponents import ladder

LADDER = ladder((16, 64, 300, 1500, 10000), (0.6, 0.1, 0.0, 0.0, 0.0), 24)
MEASURED_SEATS = 2

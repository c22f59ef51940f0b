"""The opponents of the probe: `random`, and five that search, each longer than the one before."""

from regalia.bots.opponents import ladder

LADDER = ladder((16, 64, 250, 1000, 4000), (0.5, 0.1, 0.0, 0.0, 0.0), 6)
MEASURED_SEATS = 4

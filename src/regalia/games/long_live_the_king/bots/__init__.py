"""The opponents of Long Live the King, found by measurement (docs/strength.md): each beats the one before it clearly."""

from regalia.bots.opponents import ladder

# Who slips takes a step in proportion to the simulations it got: with very few they hardly leave the policy.
LADDER = ladder((24, 140, 500, 1800, 20000), (1.0, 0.15, 0.03, 0.0, 0.0), 12)
MEASURED_SEATS = 4

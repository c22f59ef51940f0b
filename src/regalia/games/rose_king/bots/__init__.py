"""The opponents of The Rose King, found by measurement (docs/strength.md): each beats the one before it clearly."""

from regalia.bots.opponents import Opponent, ladder

# Evaluation and random play err in different ways; half of each won more against blind search than the first alone.
LADDER = {
    **ladder((4, 14, 60, 450), (0.64, 0.16, 0.02, 0.0), 6, explore=0.6),
    "regent": Opponent("regent", 30000, 6, 0.6, 0.5),
}
MEASURED_SEATS = 2

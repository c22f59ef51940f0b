"""The opponents of To Court the King, found by measurement (docs/strength.md): each beats the one before it clearly."""

from regalia.bots.opponents import ladder

# A good policy alone plays well: beginners gather equal dice less resolutely, and all but the best waver.
LADDER = ladder(
    (20, 24, 28, 64, 8000),
    (1.0, 1.0, 0.95, 0.6, 0.0),
    1,
    {
        "page": {"gather": 2.0, "any": 4.0, "wish": 7.0, "roll": 10.0, "add": 10.0},
        "squire": {"gather": 3.0, "any": 4.0, "wish": 14.0},
        "knight": {"gather": 8.5, "any": 3.0},
    },
)
MEASURED_SEATS = 2
REMARK = (  # for docs/strength.md
    "Here thinking pays little beyond some hundred simulations: 8000 of them won 14 of 29 matches "
    "against 400 with a slip at one decision in ten, and 400 with such slips won 73.4 % (66.5 % – 79.4 %) against "
    "64 with a slip at every other one. So the opponents below `regent` differ by slips and by what they aim at."
)

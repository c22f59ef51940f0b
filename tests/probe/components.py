"""What is in the box of the probe, and how steps are numbered.

Steps
     0 …  2   stake a card of value 1 … 3
     3        begin a re-roll
     4 …  9   add a die of face 1 … 6 to it
    10        roll what was added
    11 … 16   mark face 1 … 6
    17        end the turn
Outcomes of chance: 0 … 2 a card of value 1 … 3, or 0 … 5 a die of face 1 … 6.
"""

SEATS = 4
VALUES = 3
COPIES = 4  # of each value
DEALT = 2  # cards each at the start
FACES = 6
DICE = 3
ROUNDS = 3
MARKS = 2

STAKE, REROLL, ADD, ROLL, MARK, END = 0, 3, 4, 10, 11, 17
STEPS = 18
OUTCOMES = 6

"""The opponents of The Rose King, found by measurement (docs/strength.md): each beats the one before it clearly."""

from regalia.bots.opponents import Opponent, ladder

# Evaluation and random play err in different ways; half of each won more against blind search than the first alone.
LADDER = {
    **ladder((4, 14, 60, 450), (0.64, 0.16, 0.02, 0.0), 6, explore=0.6),
    "regent": Opponent("regent", 30000, 6, 0.6, 0.5),
}
MEASURED_SEATS = 2
REMARK = (  # for docs/strength.md
    "In The Rose King the search judges after a few decisions and counts a little by how clear a victory "
    "is. `regent` also plays every simulation on to the end at random and takes the mean of both: such a "
    "search foretells results of self-play as well as one by the evaluation alone with twice as many "
    "simulations (cross-entropy 0.590 and 0.593 on 1,500 positions, by random play alone 0.608) and won "
    "more against the search without knowledge, which is why it pays for the time. Weights refitted to "
    "4,469 games of 800 simulations (400,646 positions) won 48 % (41 – 55) of 160 matches against those "
    "there are, though they foretell results better, so they were left; a small neural network on 34 "
    "features foretold hardly better (0.599) than a straight fit of them (0.600; the five in use 0.607). "
    "Heroes turned out to be worth more the fewer stones are left, the opposite of what was guessed by "
    "hand. What a search likes is told badly by the neighbours of a cell (51 % of its choices) and better "
    "by how well the opponent can answer from there (60 %); so that is what the policy looks at. An "
    "evaluation needs less exploring (0.6) than random results, which are far noisier (1.5). Tried and "
    'left: counting steps by the cell they fill, wherever they come in a simulation ("RAVE"), won 55 % '
    "(41 – 69) at equal time."
)

"""People: which browsers they use, how they show who they are, and what is theirs."""

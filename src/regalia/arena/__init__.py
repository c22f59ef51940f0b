"""Bot against bot, many matches: who is stronger, and how sure that is."""

"""The tables in memory, and what happens to them by itself."""

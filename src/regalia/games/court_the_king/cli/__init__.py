"""On the terminal."""

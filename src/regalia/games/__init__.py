"""One folder per game. `regalia.core.registry` finds them."""

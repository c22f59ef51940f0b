"""Weights of bots, from what they played."""

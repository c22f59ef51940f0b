"""Studying a game: guides that are played."""

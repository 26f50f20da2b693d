"""Core of the comparison of two texts."""

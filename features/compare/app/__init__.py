"""Command of the comparison of two texts."""

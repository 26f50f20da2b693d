"""Orientation forms: their values, how each is rotated, and how it is set to an orientation, in its own terms."""

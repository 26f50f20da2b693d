"""Shift of a velocity, an acceleration or a force to another point, term by term."""

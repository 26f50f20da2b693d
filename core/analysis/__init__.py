"""Analyses of a scene: diagnostics, misses of measurements, shifts to another point, drags and staged rotations."""

"""Analyses of a scene: shifts to another point, staged rotations, the detective, diagnostics, laboratories, lessons."""

"""Meshes, strokes and sprites for the visuals, and the geometry of drags. Knows no scene."""

"""Meshes, strokes and sprites that visuals are made of, and the geometry of drags. No scene."""

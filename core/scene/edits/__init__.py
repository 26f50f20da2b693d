"""Edits of a scene: each takes a scene and gives the next one with the words for undo."""

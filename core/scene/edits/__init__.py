"""Edits of a scene: functions from a scene to the next one, with a label for undo."""

"""Kinds of motions, orientation forms, shapes and elements: one record each for edits, evaluation and the window."""

"""Kinds of motions, orientation forms, shapes and elements: what edits, evaluation and the window ask of each."""

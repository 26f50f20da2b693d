"""Meaning of the columns of a recorded table, guessed from their names and numbers."""

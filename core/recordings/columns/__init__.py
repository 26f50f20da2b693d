"""Columns of a recorded table: what their names and numbers say that they are."""

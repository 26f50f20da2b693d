"""Computation of the table import: guesses, choices, row checks and summaries."""

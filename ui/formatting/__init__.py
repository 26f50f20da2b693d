"""Formatting of numbers, units, times and item names, and parsing of typed text. No Qt."""

"""Readings, the search for faults in them, and the account of what they prove."""

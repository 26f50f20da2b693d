"""Robots and mechanisms from files: reading of their contents, and checks for faults."""

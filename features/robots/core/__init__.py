"""Robots and mechanisms from the files that people have: what stands in them, and what is wrong with it."""

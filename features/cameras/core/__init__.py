"""Axes of cameras in words, and the check of optical frames."""

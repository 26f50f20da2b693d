"""Widgets and visuals of calibrations."""

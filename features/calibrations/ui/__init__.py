"""Widgets of the feature."""

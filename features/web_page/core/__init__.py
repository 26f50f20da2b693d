"""Computation of the feature."""

"""Importer of the feature."""

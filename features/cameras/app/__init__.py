"""Controllers of the feature."""

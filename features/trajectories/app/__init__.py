"""Commands of the feature and their reports."""

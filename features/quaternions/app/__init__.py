"""Controllers, readers and commands of the feature."""

"""The dialog of the settings: rows that are searched, each with its choices."""

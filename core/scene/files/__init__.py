"""Scene files: reading, validating, migrating and writing them, comments included."""

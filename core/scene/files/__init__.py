"""Scene files: reading, checking, migrating and writing them, comments included."""

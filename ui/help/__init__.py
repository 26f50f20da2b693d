"""The manual, the shortcuts and the log, as they are shown."""

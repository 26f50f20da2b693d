"""The manual, the shortcuts and the log in the window."""

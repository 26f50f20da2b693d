"""Connection of the evidence with session, window and commands."""

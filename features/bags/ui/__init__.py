"""A timeline of all frames of a recording: when each is known, and where something is wrong with it."""

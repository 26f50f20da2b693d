"""Two pose streams: their alignment and mounting, and the errors of a trajectory against a reference."""

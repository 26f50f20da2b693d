"""Misses: differences between measured poses or vectors and the motion of their frames, with the noise of both."""

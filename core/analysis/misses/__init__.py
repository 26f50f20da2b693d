"""Misses: by how much measured poses and vectors differ from the motion of their frames, beside the noise of both."""

"""Cameras of a scene: where they look, and which way their image is up."""

"""Frames of a film or a picture: the scene, plots, read-outs and captions, composed without a window."""

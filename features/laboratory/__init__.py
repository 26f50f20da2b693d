"""Laboratories: gimbal lock, and the drift of integrated rates."""

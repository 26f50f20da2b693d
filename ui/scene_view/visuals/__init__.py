"""Visuals: one module for each kind of thing drawn in the 3D view."""

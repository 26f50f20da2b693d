"""Visuals: one module for each thing that is drawn in the 3D view."""

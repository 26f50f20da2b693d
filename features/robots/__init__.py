"""Robots in URDF, SDF, MJCF and xacro: reading, checking, moving joints, writing back."""

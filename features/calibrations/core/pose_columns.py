"""Names of the columns that the images of a reconstruction have as a table, and of its frame."""

from __future__ import annotations

RECONSTRUCTION = "reconstruction"
"""Frame of a reconstruction: the world of its file."""

COLMAP_POSE = ("qw", "qx", "qy", "qz", "tx", "ty", "tz")
"""Quaternion and position of the world in the camera, as COLMAP holds them."""

NERF_POSITION = ("x", "y", "z")
"""Position of the camera."""

NERF_ROTATION = ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")
"""Rotation of the camera by rows, with axes x right, y down, z forward."""

TIME = "time"
"""Time of an image, s."""

NAME, FOLDER = "name", "folder"
"""Name of an image, and the folder in it."""

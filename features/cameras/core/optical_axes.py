"""Optical frames: z forward, x right and y down in the image (REP 103), on a mount with x forward."""

from __future__ import annotations

import numpy as np

from framescope.core.conventions.axis_words import PARALLEL
from framescope.core.kernels.validation import Array


def look_of(T: Array) -> Array:
    """Return where a camera looks: the z axis of its optical frame, resolved in the mount (..., 3).

    `T` (..., 3, 3) is the rotation of the mount into the optical frame.
    """
    return T[..., 2, :]


def image_up_of(T: Array) -> Array:
    """Return the direction of the upper edge of the image: the negative y axis of the optical frame (..., 3)."""
    return -T[..., 1, :]


def roll_of(T: Array, up: Array) -> Array:
    """Return how far the image is turned about the viewing direction, rad: 0 if its upper edge points to `up`.

    Parameters
    ----------
    T : (..., 3, 3)
        Rotation of the mount into the optical frame.
    up : (..., 3)
        Unit vector upward, resolved in the mount.

    Returns
    -------
    (...)
        Unsigned, in [0, pi].

    Examples
    --------
    >>> up = np.array([0.0, 0.0, 1.0])
    >>> T = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    >>> float(roll_of(T, up)), float(np.degrees(roll_of(T, -up)))
    (0.0, 180.0)
    """
    right, down = (np.sum(T[..., k, :] * up, axis=-1) for k in (0, 1))
    return np.abs(np.arctan2(right, -down))


def is_right_angled(T: Array) -> bool:
    """Return whether each axis of one frame is within 10 degrees of an axis of the other."""
    return bool((np.abs(T).max(axis=1) >= PARALLEL).all())

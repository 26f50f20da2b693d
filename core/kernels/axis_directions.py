"""Unchecked kernels of the directions of the axes of a frame.

>>> import numpy as np
>>> quarter_turn = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
>>> direction_of_y(quarter_turn).tolist()
[-1.0, 0.0, 0.0]
"""

from __future__ import annotations

from framescope.core.kernels.componentwise import Components, kernel


@kernel((3, 3), gives=(3,))
def direction_of_x(T: Components) -> Components:
    """Return the x axis of frame 2, resolved in frame 1: the first row of T."""
    return T[0:3]


@kernel((3, 3), gives=(3,))
def direction_of_y(T: Components) -> Components:
    """Return the y axis of frame 2, resolved in frame 1: the second row of T."""
    return T[3:6]


@kernel((3, 3), gives=(3,))
def direction_of_z(T: Components) -> Components:
    """Return the z axis of frame 2, resolved in frame 1: the third row of T."""
    return T[6:9]

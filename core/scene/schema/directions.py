"""Orientations given by two directions of any lengths, and when they determine none."""

from __future__ import annotations

import math

import numpy as np

from framescope.core import frames
from framescope.core.errors import ItemError
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import poses

PARALLEL = 1e-3
"""Sine of the angle up to which two directions count as parallel: that of the reference for directions of length 1."""

Direction = tuple[float, ...]


def named_directions(form: poses.NxNy | poses.NxNz) -> dict[str, Direction]:
    """Return both directions by their keys, that of the x axis first."""
    return {"n_x": form.n_x} | ({"n_y": form.n_y} if isinstance(form, poses.NxNy) else {"n_z": form.n_z})


def matrix_of_directions(form: poses.NxNy | poses.NxNz) -> Array:
    """Return the matrix (3, 3) of two directions, parent into frame; their lengths do not matter.

    The reference replaces directions that are zero, parallel, or short. Here the first two are an error, and lengths
    are brought near 1 by powers of two, which leave every bit of a result that needed none.

    Raises
    ------
    ItemError
        When one is zero, or they are parallel.

    Examples
    --------
    >>> matrix_of_directions(poses.NxNy(n_x=(0, 2, 0), n_y=(0, 0, 0.0005))).round(12) + 0.0
    array([[0., 1., 0.],
           [0., 0., 1.],
           [1., 0., 0.]])
    """
    n_x, (key, n) = form.n_x, list(named_directions(form).items())[1]
    axis = key[-1]
    for name, direction in (("n_x", n_x), (key, n)):
        if not any(direction):
            raise ItemError((name,), f"the direction {name} is zero.", f"Give it a length: {_example(name)}.")
    a, b = _scaled(n_x), _scaled(n)
    sine = float(np.linalg.norm(np.cross(a, b)) / (np.linalg.norm(a) * np.linalg.norm(b)))
    if sine <= PARALLEL:
        apart = f", {math.degrees(math.asin(sine)):.2g} degrees apart" if sine > 0.0 else ""
        message = f"the directions n_x and {key} are parallel{apart}: they do not say where {axis} points."
        raise ItemError((key,), message, f"Turn one of them by more than {math.degrees(PARALLEL):.2g} degrees.")
    return (frames.from_nxy if axis == "y" else frames.from_nxz)(a, b).T


def _example(name: str) -> str:
    """Return a direction as it is written.

    >>> _example("n_z")
    '[0, 0, 1]'
    """
    return str([int(name == key) for key in ("n_x", "n_y", "n_z")])


def _scaled(direction: Direction) -> Array:
    """Return a direction whose largest component is from 1 to 2."""
    _, exponent = math.frexp(max(map(abs, direction)))
    return np.array([math.ldexp(x, 1 - exponent) for x in direction])


def turned_direction(direction: Direction, R: Array, decimals: int) -> Direction:
    """Return a direction turned by a matrix (3, 3), with decimals for one of length 1, and more for shorter ones.

    >>> turned_direction((0.0, 1e-20, 0.0), np.eye(3), 3)
    (0.0, 1e-20, 0.0)
    """
    largest = max(map(abs, direction))
    more = max(0, -math.floor(math.log10(largest))) if largest > 0.0 else 0
    return tuple(round(float(x), decimals + more) + 0.0 for x in R @ np.array(direction))

"""Belt trick: a belt stays twisted after one full turn of its end; after two it can be loosened with fixed ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_algebra import multiply_quaternions
from framescope.core.kernels.validation import Array
from framescope.core.quaternions import planar_rotation, resolve1

N = 193
"""Number of samples along the belt."""

TILTED = 0.75
"""Share of the loosening during which the axis of the second turn tilts. Afterwards both turns shrink."""

ALONG, ACROSS = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
SWING = np.array([0.0, 0.0, 1.0])
"""Axis about which the axis of the second turn tilts."""


@dataclass(frozen=True, eq=False)
class Belt:
    """Shape of a belt.

    Attributes
    ----------
    q : (n, 4)
        Rotation of each sample, scalar last, without a jump of sign.
    centre : (n, 3)
        Centre line from the origin on; the belt has length 1 and does not stretch.
    across : (n, 3)
        Unit vectors across the belt.
    """

    q: Array
    centre: Array
    across: Array


def belt_of_turn(angle: float) -> Belt:
    """Return a belt along x whose far end is rotated about x by an angle, rad.

    Examples
    --------
    >>> belt_of_turn(2.0 * math.pi).q[-1].round(9).tolist()
    [0.0, 0.0, 0.0, -1.0]
    """
    return _belt(planar_rotation(ALONG, np.linspace(0.0, angle, N)))


def belt_of_two_turns(share: float) -> Belt:
    """Return the belt of two full turns during loosening: twisted at 0, straight at 1; its ends do not rotate.

    Notes
    -----
    The axis of the second turn tilts until it is opposite to the first axis, so that the turns cancel. Then both turns
    shrink. At each share the belt begins and ends with q = 1. A belt of one turn ends with -1 and cannot be loosened.

    Examples
    --------
    >>> belt = belt_of_two_turns(1.0)
    >>> bool(np.allclose(belt.centre[-1], [1.0, 0.0, 0.0])), belt.q[-1].round(9).tolist()
    (True, [0.0, 0.0, 0.0, 1.0])
    """
    tilt = math.pi * min(share / TILTED, 1.0)
    turn = 2.0 * math.pi * (1.0 - max(share - TILTED, 0.0) / (1.0 - TILTED))
    second = resolve1(planar_rotation(SWING, tilt), ALONG)
    place = np.linspace(0.0, 2.0, N)
    first_q = planar_rotation(ALONG, turn * np.minimum(place, 1.0))
    # The middle of the belt has made one full turn, so that the axis of the second turn is the same in it.
    second_q = planar_rotation(second, turn * np.maximum(place - 1.0, 0.0))
    return _belt(multiply_quaternions(first_q, second_q))


def _belt(q: Array) -> Belt:
    along, across = resolve1(q, ALONG), resolve1(q, ACROSS)
    steps = 0.5 * (along[1:] + along[:-1]) / (len(q) - 1)
    centre = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    return Belt(q, centre, across)

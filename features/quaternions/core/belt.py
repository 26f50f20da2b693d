"""Belt whose one end is turned: after one full turn it stays twisted, after two it is loosened with its ends held."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_algebra import multiply_quaternions
from framescope.core.kernels.validation import Array
from framescope.core.quaternions import planar_rotation, resolve1

N = 193
"""Places along the belt."""

TILTED = 0.75
"""Up to which share of loosening the second turn tilts over; from there on both grow less."""

ALONG, ACROSS = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
SWING = np.array([0.0, 0.0, 1.0])
"""About which the axis of the second turn is tilted."""


@dataclass(frozen=True, eq=False)
class Belt:
    """A belt in space.

    Attributes
    ----------
    q : (n, 4)
        How each place along it is turned; scalar last, without a jump of sign.
    centre : (n, 3)
        Its middle line, from the origin on; the belt is 1 long and does not stretch.
    across : (n, 3)
        Unit vectors across it.
    """

    q: Array
    centre: Array
    across: Array


def turned_belt(angle: float) -> Belt:
    """Return a belt along x whose far end was turned about x by an angle, rad.

    Examples
    --------
    >>> turned_belt(2.0 * math.pi).q[-1].round(9).tolist()
    [0.0, 0.0, 0.0, -1.0]
    """
    return _belt(planar_rotation(ALONG, np.linspace(0.0, angle, N)))


def loosened_belt(share: float) -> Belt:
    """Return the belt of two full turns, loosened: at 0 twisted twice, at 1 straight; the ends keep their orientation.

    Notes
    -----
    The axis of the second turn is tilted over until it is opposite to that of the first, and so undoes it; then both
    are made less. At each share the belt ends with q = 1, as it begins: what a belt of one turn, which ends with -1,
    cannot come to.

    Examples
    --------
    >>> belt = loosened_belt(1.0)
    >>> bool(np.allclose(belt.centre[-1], [1.0, 0.0, 0.0])), belt.q[-1].round(9).tolist()
    (True, [0.0, 0.0, 0.0, 1.0])
    """
    tilt = math.pi * min(share / TILTED, 1.0)
    turn = 2.0 * math.pi * (1.0 - max(share - TILTED, 0.0) / (1.0 - TILTED))
    second = resolve1(planar_rotation(SWING, tilt), ALONG)
    place = np.linspace(0.0, 2.0, N)
    first_q = planar_rotation(ALONG, turn * np.minimum(place, 1.0))
    # The second turn is about an axis of the middle of the belt, which one full turn has brought back.
    second_q = planar_rotation(second, turn * np.maximum(place - 1.0, 0.0))
    return _belt(multiply_quaternions(first_q, second_q))


def _belt(q: Array) -> Belt:
    along, across = resolve1(q, ALONG), resolve1(q, ACROSS)
    steps = 0.5 * (along[1:] + along[:-1]) / (len(q) - 1)
    centre = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    return Belt(q, centre, across)

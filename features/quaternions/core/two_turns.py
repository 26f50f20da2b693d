"""Two turns after one another: their product in numbers, in the order about moving axes and about fixed ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_algebra import multiply_quaternions, relative_quaternion
from framescope.core.kernels.validation import Array
from framescope.features.quaternions.core.half_angle import turn_of


@dataclass(frozen=True, eq=False)
class TwoTurns:
    """A turn p and then a turn q.

    Attributes
    ----------
    moving, fixed : (4,)
        p ⊗ q, where the axis of the second one moves with the frame, and q ⊗ p, where it stands still; scalar last.
    scalars : (2,)
        What the scalar part of both is made of: w_p w_q and -u_p · u_q.
    apart
        The angle between both results, rad.
    """

    moving: Array
    fixed: Array
    scalars: Array
    apart: float


def two_turns(p: Array, q: Array) -> TwoTurns:
    """Return two turns after one another, of unit quaternions (4,), scalar last.

    Notes
    -----
    Rodrigues: cos(γ/2) = cos(α/2) cos(β/2) − n_p·n_q sin(α/2) sin(β/2), the same in both orders, so that both results
    turn by the same angle about different axes: the vector parts differ by 2 u_p × u_q.

    Examples
    --------
    >>> h = math.sqrt(0.5)
    >>> found = two_turns(np.array([h, 0.0, 0.0, h]), np.array([0.0, h, 0.0, h]))
    >>> found.moving.round(3).tolist(), found.fixed.round(3).tolist(), round(math.degrees(found.apart))
    ([0.5, 0.5, 0.5, 0.5], [0.5, 0.5, -0.5, 0.5], 120)
    """
    moving, fixed = multiply_quaternions(p, q), multiply_quaternions(q, p)
    between = turn_of(relative_quaternion(moving, fixed))[1]
    apart = min(between, 2.0 * math.pi - between)
    return TwoTurns(moving, fixed, np.array([p[3] * q[3], -p[:3] @ q[:3]]), apart)

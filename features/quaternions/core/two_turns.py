"""Products of two turns in both orders: about moving axes and about fixed axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_algebra import multiply_quaternions, relative_quaternion
from framescope.core.kernels.validation import Array
from framescope.features.quaternions.core.half_angle import turn_of


@dataclass(frozen=True, eq=False)
class TwoTurns:
    """Products of a turn p followed by a turn q.

    Attributes
    ----------
    moving, fixed : (4,)
        p ⊗ q, with the second axis moving with the frame, and q ⊗ p, with a fixed second axis; scalar last.
    scalars : (2,)
        Terms of the scalar part of both products: w_p w_q and -u_p · u_q.
    apart
        Angle between the two products, rad.
    """

    moving: Array
    fixed: Array
    scalars: Array
    apart: float


def two_turns(p: Array, q: Array) -> TwoTurns:
    """Return the products of two unit quaternions (4,), scalar last, in both orders.

    Notes
    -----
    Rodrigues: cos(γ/2) = cos(α/2) cos(β/2) − n_p·n_q sin(α/2) sin(β/2) in both orders. Both products therefore have
    the same angle, about different axes: their vector parts differ by 2 u_p × u_q.

    Examples
    --------
    >>> h = math.sqrt(0.5)
    >>> products = two_turns(np.array([h, 0.0, 0.0, h]), np.array([0.0, h, 0.0, h]))
    >>> products.moving.round(3).tolist(), products.fixed.round(3).tolist(), round(math.degrees(products.apart))
    ([0.5, 0.5, 0.5, 0.5], [0.5, 0.5, -0.5, 0.5], 120)
    """
    moving, fixed = multiply_quaternions(p, q), multiply_quaternions(q, p)
    between = turn_of(relative_quaternion(moving, fixed))[1]
    apart = min(between, 2.0 * math.pi - between)
    return TwoTurns(moving, fixed, np.array([p[3] * q[3], -p[:3] @ q[:3]]), apart)

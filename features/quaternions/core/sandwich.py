"""Sandwich product: a vector between a quaternion and its conjugate, product by product and term by term."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_algebra import multiply_quaternions
from framescope.core.kernels.validation import Array
from framescope.core.quaternions import inverse_rotation


@dataclass(frozen=True, eq=False)
class Sandwich:
    """A vector turned by a quaternion.

    Attributes
    ----------
    half : (4,)
        q ⊗ (v, 0), scalar last: no vector yet, unless v is normal to the axis.
    whole : (4,)
        q ⊗ (v, 0) ⊗ q*: its scalar part is zero again.
    along_v, along_u, across : (3,)
        The terms of the vector part: (w² − u·u) v, 2 (u·v) u, and 2 w (u × v).
    """

    half: Array
    whole: Array
    along_v: Array
    along_u: Array
    across: Array


def sandwich(q: Array, v: Array) -> Sandwich:
    """Return what becomes of a vector (3,) between a unit quaternion (4,), scalar last, and its conjugate.

    Notes
    -----
    With q = (u, w): q v q* = (w² − u·u) v + 2 (u·v) u + 2 w (u × v). Both signs of q give the same.

    Examples
    --------
    >>> found = sandwich(np.array([0.0, 0.0, 0.6, 0.8]), np.array([1.0, 0.0, 0.0]))
    >>> found.half.tolist(), found.whole.round(12).tolist()
    ([0.8, 0.6, 0.0, 0.0], [0.28, 0.96, 0.0, 0.0])
    >>> (found.along_v + found.along_u + found.across).round(12).tolist()
    [0.28, 0.96, 0.0]
    """
    u, w = q[:3], float(q[3])
    half = multiply_quaternions(q, np.append(v, 0.0))
    whole = multiply_quaternions(half, inverse_rotation(q))
    return Sandwich(half, whole, (w * w - u @ u) * v, 2.0 * (u @ v) * u, 2.0 * w * np.cross(u, v))

"""Sandwich product of a quaternion, a vector and the conjugate: product by product, and term by term."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.linear_algebra import multiply_quaternions
from framescope.core.kernels.validation import Array
from framescope.core.quaternions import inverse_rotation


@dataclass(frozen=True, eq=False)
class Sandwich:
    """Products and terms of a vector rotated by a quaternion.

    Attributes
    ----------
    half : (4,)
        q ⊗ (v, 0), scalar last. Its scalar part is not zero, unless v is normal to the axis.
    whole : (4,)
        q ⊗ (v, 0) ⊗ q*. Its scalar part is zero.
    along_v, along_u, across : (3,)
        Terms of the vector part: (w² − u·u) v, 2 (u·v) u, and 2 w (u × v).
    """

    half: Array
    whole: Array
    along_v: Array
    along_u: Array
    across: Array


def sandwich(q: Array, v: Array) -> Sandwich:
    """Return the products and terms of q v q* for a unit quaternion (4,), scalar last, and a vector (3,).

    Notes
    -----
    With q = (u, w): q v q* = (w² − u·u) v + 2 (u·v) u + 2 w (u × v). Both signs of q give the same result.

    Examples
    --------
    >>> product = sandwich(np.array([0.0, 0.0, 0.6, 0.8]), np.array([1.0, 0.0, 0.0]))
    >>> product.half.tolist(), product.whole.round(12).tolist()
    ([0.8, 0.6, 0.0, 0.0], [0.28, 0.96, 0.0, 0.0])
    >>> (product.along_v + product.along_u + product.across).round(12).tolist()
    [0.28, 0.96, 0.0]
    """
    u, w = q[:3], float(q[3])
    half = multiply_quaternions(q, np.append(v, 0.0))
    whole = multiply_quaternions(half, inverse_rotation(q))
    return Sandwich(half, whole, (w * w - u @ u) * v, 2.0 * (u @ v) * u, 2.0 * w * np.cross(u, v))

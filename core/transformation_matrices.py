"""Functions on transformation matrices as plain arrays (..., 3, 3), after Modelica `Frames.TransformationMatrices`.

References
----------
Modelica Standard Library 3.2.3, ``Modelica.Mechanics.MultiBody.Frames.TransformationMatrices``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels
from framescope.core.arrays import Array, as_array


def orientation_constraint(T: ArrayLike) -> Array:
    """Return the six residues (..., 6) that are zero for a rotation.

    The squared norms of the columns less one, then the products of columns 12, 13 and 23.

    >>> orientation_constraint(2.0 * np.eye(3))
    array([3., 3., 3., 0., 0., 0.])
    """
    return kernels.orientation_residues(as_array("T", T, (3, 3)))


def project_to_rotation(T: ArrayLike) -> tuple[Array, Array]:
    """Return the rotations (..., 3, 3) nearest to `T` in the Frobenius norm, and the distance (...).

    Notes
    -----
    With the singular values ``T = U S Vᵀ`` the nearest rotation is ``U diag(1, 1, ±1) Vᵀ`` with the sign
    that makes the determinant +1. A left-handed or singular `T` has a nearest rotation too, far away.

    References
    ----------
    N. J. Higham, "Matrix nearness problems and applications", 1989, section 4.

    Examples
    --------
    >>> rotation, distance = project_to_rotation(1.01 * np.eye(3))
    >>> rotation[0], float(distance.round(4))
    (array([1., 0., 0.]), 0.0173)
    """
    T = as_array("T", T, (3, 3))
    U, _, Vt = np.linalg.svd(T)
    is_mirrored = np.linalg.det(U) * np.linalg.det(Vt) < 0.0
    U[..., :, 2] = np.where(is_mirrored[..., np.newaxis], -U[..., :, 2], U[..., :, 2])
    rotation = kernels.multiply_matrices(U, Vt)
    return rotation, np.sqrt(((T - rotation) ** 2).sum(axis=(-2, -1)))

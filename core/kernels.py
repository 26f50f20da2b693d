"""Unchecked component-wise kernels on the last axes of arrays, shared by the public functions and `evaluate`.

Each writes its components into one preallocated C-contiguous array. Plain products and sums in a
fixed order, never `einsum` or `matmul`: that is several times faster on 3- and 4-vectors, and a batched
call gives, row by row, the same bits as single calls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def transpose(M: Array) -> Array:
    """Return the transposed matrices, as a view."""
    return np.swapaxes(M, -1, -2)


def multiply_matrices(A: Array, B: Array) -> Array:
    """Return ``A @ B`` for (..., 3, 3)."""
    out = np.empty((*np.broadcast_shapes(A.shape[:-2], B.shape[:-2]), 3, 3))
    for i in range(3):
        for j in range(3):
            out[..., i, j] = A[..., i, 0] * B[..., 0, j] + A[..., i, 1] * B[..., 1, j] + A[..., i, 2] * B[..., 2, j]
    return out


def apply_matrix(M: Array, v: Array) -> Array:
    """``M @ v`` for (..., 3, 3) and (..., 3)."""
    out = np.empty((*np.broadcast_shapes(M.shape[:-2], v.shape[:-1]), 3))
    for i in range(3):
        out[..., i] = M[..., i, 0] * v[..., 0] + M[..., i, 1] * v[..., 1] + M[..., i, 2] * v[..., 2]
    return out


def cross(a: Array, b: Array) -> Array:
    """Return ``a × b`` for (..., 3)."""
    out = np.empty((*np.broadcast_shapes(a.shape[:-1], b.shape[:-1]), 3))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def dot(a: Array, b: Array) -> Array:
    """Return ``a · b`` for (..., 3)."""
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def skew(w: Array) -> Array:
    """Return the matrix with ``skew(w) @ v = w × v``, (..., 3, 3)."""
    out = np.zeros((*w.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -w[..., 2], w[..., 1]
    out[..., 1, 0], out[..., 1, 2] = w[..., 2], -w[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -w[..., 1], w[..., 0]
    return out


def planar_matrix(e: Array, angle: Array) -> Array:
    """Return ``e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``, (..., 3, 3), with `e` (..., 3) as given."""
    c, s = np.cos(angle), np.sin(angle)
    out = np.empty((*np.broadcast_shapes(e.shape[:-1], np.shape(angle)), 3, 3))
    for i in range(3):
        for j in range(3):
            ee = e[..., i] * e[..., j]
            out[..., i, j] = ee + ((1.0 if i == j else 0.0) - ee) * c
    for i, j, k in ((1, 2, 0), (2, 0, 1), (0, 1, 2)):
        out[..., i, j] += e[..., k] * s
        out[..., j, i] -= e[..., k] * s
    return out


def axis_matrix(axis: int, angle: Array) -> Array:
    """Return the elementary passive matrix about coordinate axis 1, 2 or 3, (..., 3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((*np.shape(angle), 3, 3))
    i, j, k = axis - 1, axis % 3, (axis + 1) % 3
    out[..., i, i] = 1.0
    out[..., j, j] = out[..., k, k] = c
    out[..., j, k], out[..., k, j] = s, -s
    return out


def multiply_quaternions(p: Array, q: Array) -> Array:
    """Return the Hamilton product ``p ⊗ q``, scalar last, (..., 4)."""
    out = np.empty((*np.broadcast_shapes(p.shape[:-1], q.shape[:-1]), 4))
    px, py, pz, pw = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    qx, qy, qz, qw = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    out[..., 0] = pw * qx + px * qw + py * qz - pz * qy
    out[..., 1] = pw * qy - px * qz + py * qw + pz * qx
    out[..., 2] = pw * qz + px * qy - py * qx + pz * qw
    out[..., 3] = pw * qw - px * qx - py * qy - pz * qz
    return out


def conjugate(q: Array) -> Array:
    """Return ``[-x, -y, -z, w]``, (..., 4)."""
    out = np.negative(q)
    out[..., 3] = q[..., 3]
    return out


def matrix_from_quaternion(q: Array) -> Array:
    """Return the transformation matrix of a quaternion as it stands, diagonal ``2(qi² + q4²) - 1``, (..., 3, 3)."""
    out = np.empty((*q.shape[:-1], 3, 3))
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    out[..., 0, 0] = 2.0 * (x * x + w * w) - 1.0
    out[..., 1, 1] = 2.0 * (y * y + w * w) - 1.0
    out[..., 2, 2] = 2.0 * (z * z + w * w) - 1.0
    out[..., 0, 1], out[..., 1, 0] = 2.0 * (x * y + z * w), 2.0 * (x * y - z * w)
    out[..., 1, 2], out[..., 2, 1] = 2.0 * (y * z + x * w), 2.0 * (y * z - x * w)
    out[..., 2, 0], out[..., 0, 2] = 2.0 * (z * x + y * w), 2.0 * (z * x - y * w)
    return out


def quaternion_from_matrix(T: Array) -> Array:
    """Return the quaternion of a transformation matrix by pivoting (Modelica 4.x), sign undecided, (..., 4)."""
    T11, T22, T33 = T[..., 0, 0], T[..., 1, 1], T[..., 2, 2]
    use_x = (T33 < 0.0) & (T11 > T22)
    use_y = (T33 < 0.0) & ~use_x
    use_z = (T33 >= 0.0) & (T11 < -T22)
    sx = np.where(use_y | use_z, -1.0, 1.0)
    sy = np.where(use_x | use_z, -1.0, 1.0)
    sz = np.where(use_x | use_y, -1.0, 1.0)
    t = 1.0 + sx * T11 + sy * T22 + sz * T33
    d23, s23 = T[..., 1, 2] - T[..., 2, 1], T[..., 1, 2] + T[..., 2, 1]
    d31, s31 = T[..., 2, 0] - T[..., 0, 2], T[..., 2, 0] + T[..., 0, 2]
    d12, s12 = T[..., 0, 1] - T[..., 1, 0], T[..., 0, 1] + T[..., 1, 0]
    out = np.empty((*T.shape[:-2], 4))
    cases = [use_x, use_y, use_z]
    out[..., 0] = np.select(cases, [t, s12, s31], d23)
    out[..., 1] = np.select(cases, [s12, t, s23], d31)
    out[..., 2] = np.select(cases, [s31, s23, t], d12)
    out[..., 3] = np.select(cases, [d23, d31, d12], t)
    out *= (0.5 / np.sqrt(t))[..., np.newaxis]
    return out


def orientation_residues(T: Array) -> Array:
    """Return the six residues of a matrix meant orthonormal: squared column norms less one, products 12, 13, 23."""
    out = np.empty((*T.shape[:-2], 6))
    columns = [T[..., :, i] for i in range(3)]
    for i in range(3):
        out[..., i] = dot(columns[i], columns[i]) - 1.0
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2)), start=3):
        out[..., k] = dot(columns[i], columns[j])
    return out

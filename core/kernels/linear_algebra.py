"""Unchecked kernels on the last axes of arrays, shared by the public functions and the evaluation of scenes.

Each kernel is a formula on components, see `framescope.core.kernels.componentwise`. Products and sums are written out
in a fixed order, which is several times faster on 3- and 4-vectors than `einsum` or `matmul`. A batched call gives, row
by row, the bits of single calls.
"""

from __future__ import annotations

import math

import numpy as np

from framescope.core.kernels.components import (
    applied_to,
    columns_of,
    conjugate_of,
    cross_of,
    dot_of,
    matrix_of_quaternion,
    minus,
    plus,
    product_of,
    quaternion_product_of,
    rows_of,
    scaled,
    transpose_of,
)
from framescope.core.kernels.componentwise import (
    Array,
    Component,
    Components,
    Kernel,
    atan2,
    cos,
    divide,
    kernel,
    kernel_of_two,
    negate,
    sin,
    sqrt,
    where,
)

NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])
"""Quaternion of no rotation, scalar last, used as the default guess for the sign of another quaternion."""
NO_TURN.flags.writeable = False


def transpose(M: Array) -> Array:
    """Return the transposed matrices, as a view."""
    return np.swapaxes(M, -1, -2)


def on_columns(resolve: Kernel, orientation: Array, vectors: Array) -> Array:
    """Apply a kernel to the columns of `vectors` (..., 3, n); `orientation` has an axis of length 1 for the columns."""
    return transpose(resolve(orientation, transpose(vectors)))


# --- Vectors


@kernel((3,), (3,), gives=())
def dot(a: Components, b: Components) -> Components:
    """Return ``a · b``."""
    return (dot_of(a, b),)


@kernel((3,), (3,), gives=(3,))
def cross(a: Components, b: Components) -> Components:
    """Return ``a × b``."""
    return cross_of(a, b)


@kernel((3,), gives=())
def length(v: Components) -> Components:
    """Return the length of a vector, ``sqrt(v · v)``."""
    return (sqrt(dot_of(v, v)),)


@kernel((3,), gives=(3,))
def normalize(v: Components) -> Components:
    """Return ``v`` divided by its length, or by 1e-13 when it is shorter."""
    size = sqrt(dot_of(v, v))
    size = where(size >= 1e-13, size, 1e-13)
    return tuple(x / size for x in v)


@kernel((3,), gives=(3, 3))
def skew(w: Components) -> Components:
    """Return the matrix with ``skew(w) @ v = w × v``."""
    x, y, z = w
    return 0.0, -z, y, z, 0.0, -x, -y, x, 0.0


# --- Matrices


@kernel((3, 3), (3, 3), gives=(3, 3))
def multiply_matrices(A: Components, B: Components) -> Components:
    """Return ``A @ B``."""
    return product_of(A, B)


@kernel((3, 3), (3, 3), gives=(3, 3))
def multiply_by_transposed(A: Components, B: Components) -> Components:
    """Return ``A @ Bᵀ``."""
    return product_of(A, transpose_of(B))


@kernel((3, 3), (3,), gives=(3,))
def apply_matrix(M: Components, v: Components) -> Components:
    """Return ``M @ v``."""
    return applied_to(M, v)


@kernel((3, 3), (3,), gives=(3,))
def apply_transposed(M: Components, v: Components) -> Components:
    """Return ``Mᵀ @ v``."""
    return applied_to(transpose_of(M), v)


@kernel((3, 3), (3, 3), gives=(3, 3))
def conjugate_by(T: Components, D: Components) -> Components:
    """Return ``T D Tᵀ``."""
    return product_of(product_of(T, D), transpose_of(T))


@kernel((3, 3), (3, 3), gives=(3, 3))
def conjugate_by_transposed(T: Components, D: Components) -> Components:
    """Return ``Tᵀ D T``."""
    return product_of(product_of(transpose_of(T), D), T)


@kernel((3, 3), (3, 3), (3,), gives=(3,))
def resolve_relative(T1: Components, T2: Components, v1: Components) -> Components:
    """Return ``T2 T1ᵀ v1``: a vector resolved in frame 1, resolved in frame 2, by way of their common frame."""
    return applied_to(T2, applied_to(transpose_of(T1), v1))


@kernel((3, 3), gives=(6,))
def orientation_residues(T: Components) -> Components:
    """Return the six residues of a matrix that should be orthonormal.

    They are the squared column norms minus one, and the products of columns 12, 13 and 23.
    """
    a, b, c = columns_of(T)
    return dot_of(a, a) - 1.0, dot_of(b, b) - 1.0, dot_of(c, c) - 1.0, dot_of(a, b), dot_of(a, c), dot_of(b, c)


@kernel((3, 3), gives=(6,))
def small_rotation(T: Components) -> Components:
    """Return ``[T23, -T13, T12]`` and the residues ``[T11 - 1, T22 - 1, T11 T22 - T21 T12 - 1]``."""
    T11, T12, T13, T21, T22, T23 = T[:6]
    return T23, -T13, T12, T11 - 1.0, T22 - 1.0, T11 * T22 - T21 * T12 - 1.0


@kernel((3, 3), (3, 3), gives=(3,))
def matrix_mismatch(T1: Components, T2: Components) -> Components:
    """Return three numbers that are zero when two rotations are equal: sines of small angles between them."""
    a, b, c = _mismatch_of(T1, T2)
    return a, b, c


@kernel((3, 3), (3, 3), gives=(3,))
def angles_between(T1: Components, T2: Components) -> Components:
    """Return ``atan2(mismatch, product of rows)`` for rows 1, 2 and 3 of two rotations."""
    sines = _mismatch_of(T1, T2)
    cosines = (dot_of(r1, r2) for r1, r2 in zip(rows_of(T1), rows_of(T2), strict=True))
    return tuple(atan2(s, c) for s, c in zip(sines, cosines, strict=True))


def _mismatch_of(T1: Components, T2: Components) -> Components:
    x1, y1, _ = rows_of(T1)
    x2, y2, _ = rows_of(T2)
    c = cross_of(x1, y1)
    return dot_of(c, y2), -dot_of(c, x2), dot_of(y1, x2)


@kernel((3, 3), (3, 3), gives=(3,))
def velocity_from_rows(T: Components, der_T: Components) -> Components:
    """Return the angular velocity resolved in frame 2, ``[T3·dT2, -T3·dT1, T2·dT1]`` for rows of `T`."""
    _, T2, T3 = rows_of(T)
    d1, d2, _ = rows_of(der_T)
    return dot_of(T3, d2), -dot_of(T3, d1), dot_of(T2, d1)


@kernel((3, 3), (3, 3), gives=(3,))
def velocity_from_columns(T: Components, der_T: Components) -> Components:
    """Return the angular velocity resolved in frame 1, ``[T2·dT3, -T1·dT3, T1·dT2]`` for columns of `T`."""
    T1, T2, _ = columns_of(T)
    _, d2, d3 = columns_of(der_T)
    return dot_of(T2, d3), -dot_of(T1, d3), dot_of(T1, d2)


@kernel((3, 3), (3,), gives=(3, 3))
def matrix_rate(T: Components, w: Components) -> Components:
    """Return ``-skew(w) @ T``, column by column as ``column × w``."""
    return transpose_of(tuple(x for column in columns_of(T) for x in cross_of(column, w)))


# --- Quaternions, scalar last


@kernel((4,), (4,), gives=(4,))
def multiply_quaternions(p: Components, q: Components) -> Components:
    """Return the Hamilton product ``p ⊗ q``."""
    return quaternion_product_of(p, q)


@kernel((4,), gives=(4,))
def conjugate(q: Components) -> Components:
    """Return ``[-x, -y, -z, w]``."""
    return conjugate_of(q)


@kernel((4,), (4,), gives=(4,))
def relative_quaternion(q1: Components, q2: Components) -> Components:
    """Return ``conj(q1) ⊗ q2``."""
    return quaternion_product_of(conjugate_of(q1), q2)


@kernel((4,), gives=())
def squared_norm(q: Components) -> Components:
    """Return ``q · q`` of a quaternion."""
    return (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3],)


SHORTEST = 1e-150
"""Length below which a quaternion has no reliable direction, because its square is near the smallest float64."""


@kernel((4,), gives=(4,), tells_results=True)
def normalize_quaternion(q: Components) -> Components:
    """Return ``q / |q|``, NaN for a quaternion shorter than `SHORTEST`."""
    size = sqrt(squared_norm.formula(q)[0])
    size = where(size > SHORTEST, size, math.nan)
    return tuple(x / size for x in q)


@kernel((4,), (3,), gives=(3,))
def resolve1_by_quaternion(q: Components, v: Components) -> Components:
    """Return ``2((q4² - 1/2) v + (q·v) q + q4 q×v)``: a vector resolved in frame 2, resolved in frame 1."""
    return _resolve_vector(q[:3], q[3], v)


@kernel((4,), (3,), gives=(3,))
def resolve2_by_quaternion(q: Components, v: Components) -> Components:
    """Return ``2((q4² - 1/2) v + (q·v) q - q4 q×v)``: a vector resolved in frame 1, resolved in frame 2."""
    return _resolve_vector(tuple(-x for x in q[:3]), q[3], v)


def _resolve_vector(q: Components, q4: Component, v: Components) -> Components:
    along_v, along_q = q4 * q4 - 0.5, dot_of(q, v)
    parts = zip(v, q, cross_of(q, v), strict=True)
    return tuple(2.0 * (along_v * x + along_q * e + q4 * across) for x, e, across in parts)


@kernel((4,), (4,), gives=(3,))
def velocity1_of_quaternion(q: Components, der_q: Components) -> Components:
    """Return ``2 vec(der_q ⊗ conj(q))``: the angular velocity resolved in frame 1."""
    return scaled(2.0, quaternion_product_of(der_q, conjugate_of(q))[:3])


@kernel((4,), (4,), gives=(3,))
def velocity2_of_quaternion(q: Components, der_q: Components) -> Components:
    """Return ``2 vec(conj(q) ⊗ der_q)``: the angular velocity resolved in frame 2."""
    return scaled(2.0, quaternion_product_of(conjugate_of(q), der_q)[:3])


@kernel((3,), (3,), gives=(3,))
def rotation_vector_rate(s: Components, w: Components) -> Components:
    """Return the rate of a small rotation vector, ``w + ½ s × w + s × (s × w) / 12``, up to terms of fourth order."""
    across = cross_of(s, w)
    return plus(plus(w, scaled(0.5, across)), scaled(1.0 / 12.0, cross_of(s, across)))


@kernel((4,), (3,), gives=(4,))
def quaternion_rate(q: Components, w: Components) -> Components:
    """Return ``½ q ⊗ [w, 0]``."""
    x, y, z, s = q
    a, b, c = scaled(0.5, w)
    return s * a + y * c - z * b, s * b - x * c + z * a, s * c + x * b - y * a, -x * a - y * b - z * c


@kernel((3,), (), gives=(4,))
def planar_quaternion(e: Components, angle: Component) -> Components:
    """Return ``[e sin(a/2), cos(a/2)]``, the quaternion of a rotation about an axis."""
    half = 0.5 * angle
    s = sin(half)
    return e[0] * s, e[1] * s, e[2] * s, cos(half)


@kernel((4,), (4,), gives=(3,))
def angles_between_quaternions(q1: Components, q2: Components) -> Components:
    """Return ``atan2(q_i, q_4)`` of ``q = conj(q1) ⊗ q2``."""
    x, y, z, w = quaternion_product_of(conjugate_of(q1), q2)
    return atan2(x, w), atan2(y, w), atan2(z, w)


@kernel((4,), gives=(3, 3))
def matrix_from_quaternion(q: Components) -> Components:
    """Return the transformation matrix of a quaternion without normalizing it, diagonal ``2(qi² + q4²) - 1``."""
    return matrix_of_quaternion(q)


@kernel((3, 3), (4,), gives=(4,))
def quaternion_from_matrix(T: Components, guess: Components) -> Components:
    """Return the quaternion of a transformation matrix by pivoting, with the sign nearest to `guess`."""
    T11, T12, T13, T21, T22, T23, T31, T32, T33 = T
    is_lower = T33 < 0.0
    is_x_over_y, is_z_over_w = T11 > T22, T11 < -T22
    s12, s23, s31 = T12 + T21, T23 + T32, T31 + T13
    d12, d23, d31 = T12 - T21, T23 - T32, T31 - T13
    a, b = where(is_lower, T11 - T22, T11 + T22), where(is_lower, -T33, T33)
    is_first = where(is_lower, is_x_over_y, negate(is_z_over_w))  # pivot on x rather than y, or on w rather than z
    t = 1.0 + where(is_first, a, -a) + b
    x = where(is_lower, where(is_first, t, s12), where(is_first, d23, s31))
    y = where(is_lower, where(is_first, s12, t), where(is_first, d31, s23))
    z = where(is_lower, where(is_first, s31, s23), where(is_first, d12, t))
    w = where(is_lower, where(is_first, d23, d31), where(is_first, t, d12))
    nearness = x * guess[0] + y * guess[1] + z * guess[2] + w * guess[3]
    factor = divide(where(nearness < 0.0, -0.5, 0.5), sqrt(t))
    return x * factor, y * factor, z * factor, w * factor


# --- Orientations: matrix and angular velocity together


@kernel_of_two((3, 3), (3,), gives=((3, 3), (3,)))
def inverse_rotation(T: Components, w: Components) -> Components:
    """Return ``Tᵀ`` and ``-Tᵀ w``."""
    T_inv = transpose_of(T)
    return (*T_inv, *(-x for x in applied_to(T_inv, w)))


@kernel_of_two((3, 3), (3,), (3, 3), (3,), gives=((3, 3), (3,)))
def relative_rotation(T1: Components, w1: Components, T2: Components, w2: Components) -> Components:
    """Return ``T2 T1ᵀ`` and ``w2 - T2 T1ᵀ w1``."""
    T = product_of(T2, transpose_of(T1))
    return (*T, *minus(w2, applied_to(T, w1)))


@kernel_of_two((3, 3), (3,), (3, 3), (3,), gives=((3, 3), (3,)))
def absolute_rotation(T1: Components, w1: Components, T_rel: Components, w_rel: Components) -> Components:
    """Return ``T_rel T1`` and ``T_rel w1 + w_rel``."""
    return (*product_of(T_rel, T1), *plus(applied_to(T_rel, w1), w_rel))

"""Arithmetic on components: vectors, matrices and quaternions as tuples.

Matrices are nine components, row by row. Sums and products are written out, which on single items is several times as
fast as loops. `framescope.core.kernels.componentwise` turns a formula into a function of arrays.
"""

from __future__ import annotations

import math

from framescope.core.kernels.componentwise import Component, Components, divide, sqrt, where

E_X, E_Y, E_Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def dot_of(a: Components, b: Components) -> Component:
    """Return ``a · b`` of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross_of(a: Components, b: Components) -> Components:
    """Return ``a × b`` of two triples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def rows_of(M: Components) -> tuple[Components, Components, Components]:
    """Return the rows of a matrix."""
    return M[0:3], M[3:6], M[6:9]


def columns_of(M: Components) -> tuple[Components, Components, Components]:
    """Return the columns of a matrix."""
    return M[0::3], M[1::3], M[2::3]


def transpose_of(M: Components) -> Components:
    """Return the transposed matrix."""
    return (*M[0::3], *M[1::3], *M[2::3])


def product_of(A: Components, B: Components) -> Components:
    """Return ``A @ B``."""
    a, b, c, d, e, f, g, h, i = A
    r, s, t, u, v, w, x, y, z = B
    return (
        a * r + b * u + c * x,
        a * s + b * v + c * y,
        a * t + b * w + c * z,
        d * r + e * u + f * x,
        d * s + e * v + f * y,
        d * t + e * w + f * z,
        g * r + h * u + i * x,
        g * s + h * v + i * y,
        g * t + h * w + i * z,
    )


def applied_to(M: Components, v: Components) -> Components:
    """Return ``M @ v``."""
    return (
        M[0] * v[0] + M[1] * v[1] + M[2] * v[2],
        M[3] * v[0] + M[4] * v[1] + M[5] * v[2],
        M[6] * v[0] + M[7] * v[1] + M[8] * v[2],
    )


def scaled(s: Component, v: Components) -> Components:
    """Return ``s v``."""
    return s * v[0], s * v[1], s * v[2]


def negated(a: Components) -> Components:
    """Return ``-a``."""
    return -a[0], -a[1], -a[2]


def plus(a: Components, b: Components) -> Components:
    """Return ``a + b``."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Components, b: Components) -> Components:
    """Return ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def either(condition: Component, a: Components, b: Components) -> Components:
    """Return `a` where the condition holds, `b` elsewhere."""
    return tuple(where(condition, x, y) for x, y in zip(a, b, strict=True))


def quaternion_product_of(p: Components, q: Components) -> Components:
    """Return the Hamilton product ``p ⊗ q``, scalar last."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    )


def conjugate_of(q: Components) -> Components:
    """Return ``[-x, -y, -z, w]``."""
    return -q[0], -q[1], -q[2], q[3]


def matrix_of_quaternion(q: Components) -> Components:
    """Return the transformation matrix of a quaternion without normalizing it, diagonal ``2(qi² + q4²) - 1``."""
    x, y, z, w = q
    ww = w * w
    x2, y2, z2 = 2.0 * x, 2.0 * y, 2.0 * z
    xy, yz, zx = x2 * y, y2 * z, z2 * x
    wx, wy, wz = w * x2, w * y2, w * z2
    return (
        2.0 * (x * x + ww) - 1.0,
        xy + wz,
        zx - wy,
        xy - wz,
        2.0 * (y * y + ww) - 1.0,
        yz + wx,
        zx + wy,
        yz - wx,
        2.0 * (z * z + ww) - 1.0,
    )


def unit_of(v: Components) -> Components:
    """Return ``v / |v|``; NaN for a zero vector."""
    size = sqrt(dot_of(v, v))
    return tuple(divide(x, size) for x in v)


def positive_half_turn(angle: Component) -> Component:
    """Return pi for -pi, and any other angle unchanged."""
    return where(angle == -math.pi, math.pi, angle)

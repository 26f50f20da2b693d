"""Unchecked kernels of the conversions in `framescope.core.conventions`."""

from __future__ import annotations

import math
from functools import lru_cache

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.components import columns_of, dot_of, minus, positive_half_turn, scaled, transpose_of
from framescope.core.kernels.componentwise import (
    Component,
    Components,
    Kernel,
    atan2,
    both,
    divide,
    kernel,
    kernel_of_two,
    sqrt,
    where,
)
from framescope.core.kernels.validation import Sequence3

DEPENDENT = 1e-14
"""Length of the remainder of a unit column below which the column counts as dependent on the columns before it."""


@kernel((3,), gives=(3, 3))
def matrix_from_rpy(angles: Components) -> Components:
    """Return the matrix of roll, pitch and yaw about fixed axes: the sequence z, y, x about moving axes."""
    return axis_rotations.axes_matrix((3, 2, 1)).formula(angles[::-1])


@kernel((3, 3), gives=(3,))
def rpy(T: Components) -> Components:
    """Return roll, pitch and yaw, with pitch in [-pi/2, pi/2]."""
    return _principal_angles((3, 2, 1), T)[2::-1]


@lru_cache
def all_in_first(sequence: Sequence3) -> Kernel:
    """Return the kernel of the angles of a sequence; at gimbal lock the first angle contains the whole rotation."""

    @kernel((3, 3), gives=(3,))
    def formula(T: Components) -> Components:
        first, second, third, is_locked = _principal_angles(sequence, T)
        whole = positive_half_turn(where(T[3 * sequence[2] + sequence[0] - 4] > 0.0, third, -third))
        return where(is_locked, whole, first), second, where(is_locked, 0.0, third)

    return formula


def _principal_angles(sequence: Sequence3, T: Components) -> Components:
    """Return the angles on branch 1, and whether the matrix is at gimbal lock, where the first angle is 0."""
    e1, e2, e3 = (axis - 1 for axis in sequence)
    A, B = T[3 * e3 + e2], T[3 * e3 + 3 - e1 - e2]  # B along e1 × e2, up to its sign
    is_locked = both(abs(A) <= axis_rotations.SINGULAR, abs(B) <= axis_rotations.SINGULAR)
    is_right_handed = (e2 - e1) % 3 == 1
    sine, cosine = (A, -B if is_right_handed else B) if e1 == e3 else (-A if is_right_handed else A, B)
    guess = where(is_locked, 0.0, atan2(sine, cosine))
    return *axis_rotations.axes_rotations_angles(sequence).formula(T, guess), is_locked


def _largest(*components: Component) -> Component:
    """Return the magnitude of the largest component, or 1 when all are zero, to be used as a divisor."""
    largest = abs(components[0])
    for component in components[1:]:
        size = abs(component)
        largest = where(size > largest, size, largest)
    return where(largest == 0.0, 1.0, largest)


@kernel_of_two((4,), gives=((3,), ()))
def axis_angle(Q: Components) -> Components:
    """Return the axis and the angle of a quaternion.

    Components are divided by the largest before they are squared, so that squares neither underflow nor overflow.
    """
    w = Q[3]
    size = _largest(*Q[:3])
    x, y, z = (where(w < 0.0, -c, c) / size for c in Q[:3])
    length = sqrt(dot_of((x, y, z), (x, y, z)))
    is_zero = length == 0.0
    divisor = where(is_zero, 1.0, length)
    largest = _largest(size, w)
    angle = 2.0 * atan2(length * (size / largest), abs(w) / largest)
    return where(is_zero, 1.0, x / divisor + 0.0), y / divisor + 0.0, z / divisor + 0.0, angle


@kernel((4,), gives=(3,))
def rotation_vector(Q: Components) -> Components:
    """Return axis times angle of a quaternion."""
    *axis, angle = axis_angle.formula(Q)
    return scaled(angle, tuple(axis))


@kernel((3, 3), gives=(3,))
def vector_from_matrix(T: Components) -> Components:
    """Return axis times angle of a matrix."""
    return rotation_vector.formula(linear_algebra.quaternion_from_matrix.formula(T, (0.0, 0.0, 0.0, 1.0)))


@kernel((4,), gives=(3,))
def rodrigues(Q: Components) -> Components:
    """Return ``q / q4``; infinite where `q4` is zero and `q` is not."""
    w = where(Q[3] == 0.0, 0.0, Q[3])  # no -0.0
    return tuple(where(x == 0.0, 0.0, divide(x, w)) for x in Q[:3])


@kernel((3,), gives=(4,))
def quaternion_from_rodrigues(g: Components) -> Components:
    """Return ``[g, 1]`` scaled to a unit quaternion."""
    size = _largest(*g, 1.0)
    x, y, z, w = g[0] / size, g[1] / size, g[2] / size, 1.0 / size
    length = sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


@kernel((4,), gives=(3,))
def modified_rodrigues(Q: Components) -> Components:
    """Return ``q / (|Q| + q4)`` for `Q` or `-Q`, whichever has ``q4 >= 0``."""
    x, y, z, w = Q
    n = sqrt(x * x + y * y + z * z + w * w)
    n = where(n == 0.0, 1.0, n)
    divisor = where(w < 0.0, w - n, w + n)
    return x / divisor, y / divisor, z / divisor


@kernel((3,), gives=(4,))
def quaternion_from_modified(p: Components) -> Components:
    """Return ``[2 p, 1 - p·p] / (1 + p·p)``."""
    squared = dot_of(p, p)
    factor = 2.0 / (1.0 + squared)
    return (*scaled(factor, p), factor - 1.0)


@kernel((3,), gives=(3,))
def shadow(p: Components) -> Components:
    """Return ``-p / p·p``."""
    size = _largest(*p)
    e = tuple(x / size for x in p)
    squared = dot_of(e, e)
    x, y, z = (-x / where(squared == 0.0, 1.0, squared) / size for x in e)
    return where(squared == 0.0, math.inf, x), y, z


@kernel((3,), gives=(3, 3))
def matrix_from_small_angles(angles: Components) -> Components:
    """Return ``1 - skew(angles)``."""
    x, y, z = angles
    return 1.0, z, -y, -z, 1.0, x, y, -x, 1.0


@kernel((3, 3), gives=(3, 3))
def gram_schmidt(T: Components) -> Components:
    """Return the columns made orthonormal, one after another."""
    orthonormal: list[Components] = []
    for column in columns_of(T):
        size = _largest(*column)
        remainder: Components = tuple(x / size for x in column)
        for _ in range(2):  # the second pass removes components left by rounding
            for e in orthonormal:
                remainder = minus(remainder, scaled(dot_of(remainder, e), e))
        length = sqrt(dot_of(remainder, remainder))
        length = where(length > DEPENDENT, length, math.nan)
        orthonormal.append(tuple(x / length for x in remainder))
    return transpose_of(tuple(x for column in orthonormal for x in column))

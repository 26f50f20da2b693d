"""Unchecked kernels of rotations: about an axis, about a sequence of axes, and towards two directions.

Functions that take a sequence return a cached kernel for it: ``axes_rotations((1, 2, 3))`` is a kernel.
"""

from __future__ import annotations

import math
from functools import lru_cache

from framescope.core.kernels.components import (
    E_X,
    E_Y,
    E_Z,
    cross_of,
    dot_of,
    either,
    matrix_of_quaternion,
    positive_half_turn,
    scaled,
    unit_of,
)
from framescope.core.kernels.componentwise import (
    Component,
    Components,
    Kernel,
    KernelOfThree,
    KernelOfTwo,
    atan2,
    both,
    cos,
    divide,
    kernel,
    kernel_of_three,
    kernel_of_two,
    sin,
    sqrt,
    where,
)

SINGULAR = 1e-12
"""Magnitude of both arguments of atan2 up to which a sequence counts as locked; angle 1 is then the guess."""


@kernel((3,), (), gives=(3, 3))
def planar_matrix(e: Components, angle: Component) -> Components:
    """Return ``e eᵀ + (1 - e eᵀ) cos a - skew(e) sin a``, without normalizing `e`."""
    return _planar(e, angle)


@kernel_of_two((3,), (), (), gives=((3, 3), (3,)))
def planar_rotation(e: Components, angle: Component, rate: Component) -> Components:
    """Return the planar matrix and the angular velocity ``e der_angle``."""
    return (*_planar(e, angle), *scaled(rate, e))


@kernel_of_three((3,), (), (), (), gives=((3, 3), (3,), (3,)))
def planar_motion(e: Components, angle: Component, rate: Component, acceleration: Component) -> Components:
    """Return the planar matrix, the angular velocity ``e der_angle`` and its derivative."""
    return (*_planar(e, angle), *scaled(rate, e), *scaled(acceleration, e))


def _planar(e: Components, angle: Component) -> Components:
    c, s = cos(angle), sin(angle)
    x, y, z = e
    xy, xz, yz = x * y, x * z, y * z
    xy_c, xz_c, yz_c = xy - xy * c, xz - xz * c, yz - yz * c
    xs, ys, zs = x * s, y * s, z * s
    xx, yy, zz = x * x, y * y, z * z
    return (
        xx + (1.0 - xx) * c,
        xy_c + zs,
        xz_c - ys,
        xy_c - zs,
        yy + (1.0 - yy) * c,
        yz_c + xs,
        xz_c + ys,
        yz_c - xs,
        zz + (1.0 - zz) * c,
    )


@kernel((3,), (3,), (3,), gives=())
def planar_angle(e: Components, v1: Components, v2: Components) -> Components:
    """Return ``atan2(-(e × v1)·v2, v1·v2 - (e·v1)(e·v2))`` in (-pi, pi]."""
    angle = atan2(-dot_of(cross_of(e, v1), v2), dot_of(v1, v2) - dot_of(e, v1) * dot_of(e, v2))
    return (positive_half_turn(angle),)


@lru_cache
def axis_rotation(axis: int) -> KernelOfTwo:
    """Return the kernel of the elementary passive matrix about a coordinate axis, and of ``e der_angle``."""

    @kernel_of_two((), (), gives=((3, 3), (3,)))
    def formula(angle: Component, rate: Component) -> Components:
        w: list[Component] = [0.0] * 3
        w[axis - 1] = rate
        return (*_elementary(axis, cos(angle), sin(angle)), *w)

    return formula


@lru_cache
def axis_matrix(axis: int) -> Kernel:
    """Return the kernel of the elementary passive matrix about a coordinate axis."""

    @kernel((), gives=(3, 3))
    def formula(angle: Component) -> Components:
        return _elementary(axis, cos(angle), sin(angle))

    return formula


def _elementary(axis: int, c: Component, s: Component) -> Components:
    i, j, k = axis - 1, axis % 3, (axis + 1) % 3
    T: list[Component] = [0.0] * 9
    T[4 * i], T[4 * j], T[4 * k] = 1.0, c, c
    T[3 * j + k], T[3 * k + j] = s, -s
    return tuple(T)


@lru_cache
def axes_matrix(sequence: tuple[int, int, int]) -> Kernel:
    """Return the kernel of ``T = T3 T2 T1`` for three angles."""

    @kernel((3,), gives=(3, 3))
    def formula(angles: Components) -> Components:
        return _product_of_turns(sequence, [cos(a) for a in angles], [sin(a) for a in angles])

    return formula


@lru_cache
def axes_rotations(sequence: tuple[int, int, int]) -> KernelOfTwo:
    """Return the kernel of ``T = T3 T2 T1`` and ``w = e3 d3 + T3 (e2 d2 + T2 e1 d1)`` for angles and their rates."""
    first, second, third = sequence

    @kernel_of_two((3,), (3,), gives=((3, 3), (3,)))
    def formula(angles: Components, rates: Components) -> Components:
        c, s = [cos(a) for a in angles], [sin(a) for a in angles]
        w: list[Component] = [0.0, 0.0, 0.0]
        w[first - 1] = rates[0]
        w = _rotate_components(second, c[1], s[1], w)
        w[second - 1] = w[second - 1] + rates[1]
        w = _rotate_components(third, c[2], s[2], w)
        w[third - 1] = w[third - 1] + rates[2]
        return (*_product_of_turns(sequence, c, s), *w)

    return formula


@lru_cache
def axes_motion(sequence: tuple[int, int, int]) -> KernelOfThree:
    """Return the kernel of `T`, `w` and the angular acceleration for angles and their first and second derivatives.

    Vectors are resolved in frame 2. An elementary rotation changes ``u`` to ``T u``. The derivative of ``T u`` is
    ``T der(u) - rate e × T u``.
    """

    @kernel_of_three((3,), (3,), (3,), gives=((3, 3), (3,), (3,)))
    def formula(angles: Components, rates: Components, accelerations: Components) -> Components:
        c, s = [cos(a) for a in angles], [sin(a) for a in angles]
        w: list[Component] = [0.0, 0.0, 0.0]
        b: list[Component] = [0.0, 0.0, 0.0]
        for n, axis in enumerate(sequence):
            i, j, k = axis - 1, axis % 3, (axis + 1) % 3
            if n:
                w, b = _rotate_components(axis, c[n], s[n], w), _rotate_components(axis, c[n], s[n], b)
                b[j], b[k] = b[j] + rates[n] * w[k], b[k] - rates[n] * w[j]
            w[i], b[i] = w[i] + rates[n], b[i] + accelerations[n]
        return (*_product_of_turns(sequence, c, s), *w, *b)

    return formula


def _product_of_turns(sequence: tuple[int, int, int], c: list[Component], s: list[Component]) -> Components:
    """Return the product of three elementary passive matrices: the columns of the first, rotated by the others."""
    first, second, third = sequence
    i, j, k = first - 1, first % 3, (first + 1) % 3
    columns: list[list[Component]] = [[0.0, 0.0, 0.0] for _ in range(3)]
    columns[i][i] = 1.0
    columns[j][j], columns[j][k] = c[0], -s[0]
    columns[k][j], columns[k][k] = s[0], c[0]
    x, y, z = (
        _rotate_components(third, c[2], s[2], _rotate_components(second, c[1], s[1], column)) for column in columns
    )
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


def _rotate_components(axis: int, c: Component, s: Component, v: list[Component]) -> list[Component]:
    """Return `v` multiplied by the elementary passive matrix of a coordinate axis."""
    j, k = axis % 3, (axis + 1) % 3
    out = list(v)
    out[j], out[k] = c * v[j] + s * v[k], c * v[k] - s * v[j]
    return out


@lru_cache
def axes_rotations_angles(sequence: tuple[int, int, int]) -> Kernel:
    """Return the kernel of the three angles of a matrix, for a guess of the first angle.

    The axes of the sequence give a basis e1, e2, m = e1 × e2. The first rotation makes the e2 component of row 3 of the
    sequence zero. The second angle follows from the remaining components of that row, and the third from e2 after the
    first rotation.
    """
    (e1, e2, e3), m, sign = (axis - 1 for axis in sequence), *_third_axis(sequence)
    is_symmetric = e1 == e3

    @kernel((3, 3), (), gives=(3,))
    def formula(T: Components, guess: Component) -> Components:
        r = T[3 * e3 : 3 * e3 + 3]
        A, B = r[e2], sign * r[m]
        first, second = atan2(A, -B), atan2(-A, B)
        angle1 = where(abs(first - guess) <= abs(second - guess), first, second)
        is_locked = both(abs(A) <= SINGULAR, abs(B) <= SINGULAR)
        angle1 = where(is_locked, guess, angle1)
        c, s = cos(angle1), sin(angle1)
        along_m = c * B - s * A
        u = [c * T[3 * i + e2] + sign * s * T[3 * i + m] for i in range(3)]
        if is_symmetric:
            angle2, angle3 = atan2(-along_m, r[e1]), atan2(-sign * u[m], u[e2])
        else:
            angle2, angle3 = atan2(sign * r[e1], sign * along_m), atan2(sign * u[e1], u[e2])
        angle1 = where(is_locked, angle1, positive_half_turn(angle1))
        return angle1, positive_half_turn(angle2), positive_half_turn(angle3)

    return formula


@lru_cache
def is_locked(sequence: tuple[int, int, int]) -> Kernel:
    """Return the kernel that gives 1 for a matrix at gimbal lock of the sequence, and 0 for any other."""
    e2, e3, (m, _) = sequence[1] - 1, sequence[2] - 1, _third_axis(sequence)

    @kernel((3, 3), gives=())
    def formula(T: Components) -> Components:
        r = T[3 * e3 : 3 * e3 + 3]
        return (where(both(abs(r[e2]) <= SINGULAR, abs(r[m]) <= SINGULAR), 1.0, 0.0),)

    return formula


@lru_cache
def euler_rates(sequence: tuple[int, int, int]) -> Kernel:
    """Return the kernel that solves ``w = e3 d3 + T3 (e2 d2 + T2 e1 d1)`` for the rates; not finite at gimbal lock."""
    (e1, e2, e3), m, sign = (axis - 1 for axis in sequence), *_third_axis(sequence)

    @kernel((3,), (3,), gives=(3,))
    def formula(angles: Components, w: Components) -> Components:
        c2, s2 = cos(angles[1]), sin(angles[1])
        u = _rotate_components(e3 + 1, cos(angles[2]), -sin(angles[2]), list(w))
        along_m = sign * u[m]
        if e1 == e3:
            d1 = divide(along_m, s2)
            return d1, u[e2], u[e1] - c2 * d1
        d1 = divide(u[e1], c2)
        return d1, u[e2], sign * (along_m - s2 * d1)

    return formula


LOCKED = 2.0**-52
"""Largest sine or cosine of the second angle at which angles count as locked."""


@lru_cache
def nearness(sequence: tuple[int, int, int]) -> KernelOfTwo:
    """Return the kernel of the nearness to gimbal lock, from 0 to 1, and the condition number of the rate map."""

    @kernel_of_two((3,), gives=((), ()))
    def formula(angles: Components) -> Components:
        s, c = abs(sin(angles[1])), abs(cos(angles[1]))
        if sequence[0] == sequence[2]:
            s, c = c, s
        return s, where(c <= LOCKED, math.inf, divide(1.0 + s, c))  # c is sqrt(1 - s²), without cancellation

    return formula


def _third_axis(sequence: tuple[int, int, int]) -> tuple[int, float]:
    """Return the index, from 0, and the sign of the coordinate axis along ``e1 × e2`` of a sequence."""
    e1, e2 = sequence[0] - 1, sequence[1] - 1
    return 3 - e1 - e2, 1.0 if (e2 - e1) % 3 == 1 else -1.0


@kernel((3,), (3,), gives=(3, 3))
def matrix_from_nxy(n_x: Components, n_y: Components) -> Components:
    """Return the matrix with x along `n_x` and y towards `n_y`; defaults replace degenerate directions."""
    e_x, n = _first_axis_and_other(n_x, n_y, E_Y)
    e_z = unit_of(cross_of(e_x, n))
    return (*e_x, *cross_of(e_z, e_x), *e_z)


@kernel((3,), (3,), gives=(3, 3))
def matrix_from_nxz(n_x: Components, n_z: Components) -> Components:
    """Return the matrix with x along `n_x` and z towards `n_z`; defaults replace degenerate directions."""
    e_x, n = _first_axis_and_other(n_x, n_z, E_Z)
    e_y = unit_of(cross_of(n, e_x))
    return (*e_x, *e_y, *cross_of(e_x, e_y))


def _first_axis_and_other(n_x: Components, n: Components, fallback: Components) -> tuple[Components, Components]:
    """Return the unit x axis, and the second direction or its replacement when it is parallel to x."""
    size = sqrt(dot_of(n_x, n_x))
    is_zero = size < 1e-10
    size = where(is_zero, 1.0, size)
    e_x = either(is_zero, E_X, tuple(x / size for x in n_x))
    normal = cross_of(e_x, n)
    is_parallel = dot_of(normal, normal) <= 1e-6
    return e_x, either(is_parallel, either(abs(e_x[0]) > 1e-6, fallback, E_X), n)


# --- Rotation vectors


@kernel((3,), gives=(4,))
def quaternion_from_rotation_vector(s: Components) -> Components:
    """Return ``[s/|s| sin(|s|/2), cos(|s|/2)]``."""
    return _quaternion_of(s)


@kernel((3,), gives=(3, 3))
def matrix_from_rotation_vector(s: Components) -> Components:
    """Return ``exp(-skew(s))``, orthonormal to rounding."""
    return matrix_of_quaternion(_quaternion_of(s))


def _quaternion_of(s: Components) -> Components:
    half = 0.5 * sqrt(dot_of(s, s))
    is_zero = half == 0.0
    ratio = where(is_zero, 0.5, 0.5 * divide(sin(half), where(is_zero, 1.0, half)))
    return (*scaled(ratio, s), cos(half))

"""Steps of three parameters of an orientation, in plain numbers: angles of a sequence, or a rotation vector."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.integration_steps import Method
from framescope.core.kernels.validation import Array, as_sequence

Three = tuple[float, ...]
ParameterStep = Callable[[int, float, Three, list[float], list[float], list[float]], Three]
"""Takes the number of the step, its length, the parameters, and the rates before, half-way and after it."""

_SMALL = 1e-2
"""Up to this length the factor of a rotation vector's rate is its series: what is left out is below rounding."""

_Rates = Callable[[Three, list[float]], Three]


def stepper(equation: str, method: Method, every: int) -> ParameterStep:
    """Return one step of ``"rotation vector"`` or of the angles of a sequence, by ``"euler"`` or ``"rk4"``."""
    is_vector = equation == "rotation vector"
    rates = rotation_vector_rates if is_vector else angle_rates(equation)
    one = _rk4(rates) if method == "rk4" else _euler(rates)
    if not (is_vector and every):
        return one

    def kept_short(k: int, h: float, s: Three, w0: list[float], w1: list[float], w2: list[float]) -> Three:
        found = one(k, h, s, w0, w1, w2)
        return within_half_turn(found) if (k + 1) % every == 0 else found

    return kept_short


def angle_rates(sequence: str) -> _Rates:
    """Return the rates of three angles that an angular velocity makes, see `kinematics.euler_rates`.

    >>> angle_rates("XYZ")((0.0, 0.0, 0.0), [1.0, 2.0, 3.0])
    (1.0, 2.0, 3.0)
    """
    e1, e2, e3 = (axis - 1 for axis in as_sequence(sequence))
    m = 3 - e1 - e2
    sign = 1.0 if (e2 - e1) % 3 == 1 else -1.0
    j, k = (e3 + 1) % 3, (e3 + 2) % 3

    def rates(angles: Three, w: list[float]) -> Three:
        c3, s3 = math.cos(angles[2]), math.sin(angles[2])
        u = list(w)
        u[j], u[k] = c3 * w[j] - s3 * w[k], c3 * w[k] + s3 * w[j]
        c2, s2 = math.cos(angles[1]), math.sin(angles[1])
        along_m = sign * u[m]
        if e1 == e3:
            first = along_m / s2
            return first, u[e2], u[e1] - c2 * first
        first = u[e1] / c2
        return first, u[e2], sign * (along_m - s2 * first)

    return rates


def rotation_vector_rates(s: Three, w: list[float]) -> Three:
    """Return ``w + ½ s × w + f s × (s × w)`` with ``f = (1 - r/2 cot(r/2)) / r²`` and `r` the length of `s`.

    It has no value at whole turns.
    """
    x, y, z = s
    a, b, c = y * w[2] - z * w[1], z * w[0] - x * w[2], x * w[1] - y * w[0]
    r2 = x * x + y * y + z * z
    if r2 < _SMALL * _SMALL:
        f = 1.0 / 12.0 + r2 / 720.0 + r2 * r2 / 30240.0
    else:
        half = 0.5 * math.sqrt(r2)
        f = (1.0 - half / math.tan(half)) / r2
    return (
        w[0] + 0.5 * a + f * (y * c - z * b),
        w[1] + 0.5 * b + f * (z * a - x * c),
        w[2] + 0.5 * c + f * (x * b - y * a),
    )


def within_half_turn(s: Three) -> Three:
    """Return the rotation vector of at most half a turn that stands for the same rotation.

    >>> within_half_turn((0.0, 0.0, 2.0 * math.pi))
    (0.0, 0.0, 0.0)
    """
    length = math.sqrt(sum(x * x for x in s))
    if length <= math.pi:
        return s
    shorter = (length - 2.0 * math.pi * round(length / (2.0 * math.pi))) / length
    return s[0] * shorter, s[1] * shorter, s[2] * shorter


def rotation_vector_from_matrix(T: Array) -> Array:
    """Return the rotation vector (3,) of at most half a turn of a matrix (3, 3), whose rotation it makes."""
    Q = linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
    length = float(np.sqrt(linear_algebra.dot(Q[:3], Q[:3])))
    return Q[:3] * (2.0 if length == 0.0 else 2.0 * math.atan2(length, float(Q[3])) / length)


def _euler(rates: _Rates) -> ParameterStep:
    def step(_k: int, h: float, s: Three, w0: list[float], _w1: list[float], _w2: list[float]) -> Three:
        return _moved(s, h, rates(s, w0))

    return step


def _rk4(rates: _Rates) -> ParameterStep:
    def step(_k: int, h: float, s: Three, w0: list[float], w1: list[float], w2: list[float]) -> Three:
        k1 = rates(s, w0)
        k2 = rates(_moved(s, 0.5 * h, k1), w1)
        k3 = rates(_moved(s, 0.5 * h, k2), w1)
        k4 = rates(_moved(s, h, k3), w2)
        sixth = h / 6.0
        return (
            s[0] + sixth * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0]),
            s[1] + sixth * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1]),
            s[2] + sixth * (k1[2] + 2.0 * (k2[2] + k3[2]) + k4[2]),
        )

    return step


def _moved(s: Three, h: float, ds: Three) -> Three:
    return s[0] + h * ds[0], s[1] + h * ds[1], s[2] + h * ds[2]

"""Rotation spline through given orientations, with continuous angular velocity and acceleration."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.rotation_vectors import rotation_vector_motion
from framescope.core.kernels.validation import Array
from framescope.core.time_functions.keyframe_checks import (
    check_choice,
    require_finite,
    validate_quaternions,
    validate_times,
)
from framescope.core.time_functions.rotation_keyframes import RotationKeyframes, constant_orientation, rotation_vectors

RotationEnds = Literal["natural", "rest"]

MAX_ITERATIONS = 50
"""Largest number of Newton iterations for a rotation spline; three to eight are usual."""


def rotation_spline(times: ArrayLike, Q: ArrayLike, ends: RotationEnds = "natural") -> RotationKeyframes:
    """Return the orientation through the keys with continuous angular velocity and acceleration.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    Q : (k, 4)
        Quaternions from frame 1 into frame 2 at the keys, scalar last, of unit length within 1e-3; either sign.
    ends
        ``"natural"``: zero angular acceleration at the first and the last key. ``"rest"``: zero angular velocity at the
        first and the last key, continuous with the rest outside the keys.

    Returns
    -------
    RotationKeyframes
        Its `sample` gives quaternion, angular velocity and angular acceleration.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the times do not increase, a quaternion is not of unit length, a
        choice is unknown, or a rate overflows.

    Notes
    -----
    Between two keys the rotation vector from the earlier key is a cubic polynomial of time. Its coefficients follow
    from the angular velocities at the keys. The angular velocities follow from the continuity of the angular
    acceleration, which is a block tridiagonal system with a quadratic term. Newton's method solves the system to
    rounding. (The reference does ten steps of a fixed-point iteration, which are not enough for keys far apart.) The
    angular acceleration is then continuous to about 1e-11 of its magnitude. If intervals have very different lengths
    and rotations are near a half turn, the system may have no solution. The angular velocities then solve its linear
    part, and polynomials of fifth degree preserve the continuity.

    For rotations about one fixed axis this is the cubic spline of the angle; two keys give `slerp_keyframes`. For a
    smooth motion with keys h apart the error of the orientation is of order h⁴. Next to a natural end at which the true
    angular acceleration is not zero, the error is of order h². A constant rotation of frame 1 or frame 2 in all keys
    rotates the result by the same amount. Reversing the order of time changes the result, by terms that vanish as the
    keys get closer. Neighbouring keys are joined the shorter way, as in `slerp_keyframes`.

    References
    ----------
    N. Mayorov, "Smooth Attitude Interpolation", 2019, the method of ``scipy.spatial.transform.RotationSpline``. Its end
    conditions differ: the first and the last angular velocity are as in `slerp_keyframes`.

    Examples
    --------
    >>> Q = [[0, 0, 0, 1], [0, 0, np.sin(0.5), np.cos(0.5)], [0, 0, 0, 1]]
    >>> Q, w, der_w = rotation_spline([0, 1, 2], Q).sample([0.0, 1.0])
    >>> w.round(12)[:, 2], der_w.round(12)[:, 2]
    (array([1.5, 0. ]), array([ 0., -3.]))
    """
    key_times, unit_quaternions = validate_times(times), validate_quaternions(times, Q)
    check_choice("ends", ends, ("natural", "rest"))
    if len(key_times) == 1:
        return constant_orientation(key_times, unit_quaternions)
    with np.errstate(all="ignore"):
        # Times are scaled by the mean interval, so that squares of rates do not overflow.
        scale = (key_times[-1] - key_times[0]) / (len(key_times) - 1)
        h, S = np.diff(key_times) / scale, rotation_vectors(unit_quaternions)
        w, is_solved = _smooth_rates(h, S, is_at_rest=ends == "rest")
        H = h[:, np.newaxis]
        polynomial = _cubics(H, S, w) if is_solved else _quintics(H, S, w, is_at_rest=ends == "rest")
        powers = np.arange(len(polynomial))[::-1, np.newaxis, np.newaxis]
        coefficients = polynomial / (scale * H) ** powers
    return RotationKeyframes(key_times, unit_quaternions, require_finite(coefficients))


def _smooth_rates(h: Array, S: Array, *, is_at_rest: bool) -> tuple[Array, bool]:
    """Return the angular velocities (k, 3) at the keys, and whether they solve the system.

    `h` (k - 1,) are the intervals, and `S` the rotation vectors from each key to the next. With `w` at both ends of an
    interval, its cubic begins with the acceleration ``6 S/h² - 4 w_k/h - 2 A w_k+1/h`` and ends with ``-6 S/h² + 2 J
    w_k/h + 4 w_k+1/h + N(S, A w_k+1)``. `J` maps rates of the rotation vector to angular velocities, `A` is its
    inverse, and `N` are the terms of the acceleration that are quadratic in the rates. Without a solution, the angular
    velocities returned solve the system without `N`, which is always possible.
    """
    # Imported here because scipy takes a fifth of a second.
    from scipy.linalg import solve_banded  # pyright: ignore[reportUnknownVariableType]

    k = len(h) + 1
    J = _rate_matrices(S)
    A = _inverse(J)
    zeros = np.zeros_like(S)
    h1, h2 = h[:, np.newaxis], h[:, np.newaxis, np.newaxis]
    # Row k of the system is multiplied by the shorter interval beside key k, so that all rows have similar magnitude.
    weight = np.minimum(np.append(h, np.inf), np.append(np.inf, h))
    lower, upper = 2.0 * J / h2 * weight[1:, np.newaxis, np.newaxis], 2.0 * A / h2 * weight[:-1, np.newaxis, np.newaxis]
    if is_at_rest:
        lower[-1], upper[0] = 0.0, 0.0
    i, j = np.indices((3, 3))
    place = 3 * np.arange(k)[:, np.newaxis, np.newaxis]

    w = first = np.zeros((k, 3))
    for i_step in range(MAX_ITERATIONS):
        slope = linear_algebra.apply_matrix(A, w[1:])
        squares = rotation_vector_motion(S, slope, zeros)[1]
        starts, stops = _accelerations(h1, S, J, w, slope)
        residue = np.zeros((k, 3))
        residue[:-1] -= starts
        residue[1:] += stops + squares
        diagonal = np.zeros((k, 3, 3))
        diagonal[:-1] += 4.0 / h2 * np.eye(3)
        diagonal[1:] += 4.0 / h2 * np.eye(3)
        # A difference of three values gives the exact derivative of quadratic terms.
        for axis in range(3):
            other = A[:, :, axis]
            sum_squares = rotation_vector_motion(S, slope + other, zeros)[1]
            own_squares = rotation_vector_motion(S, other, zeros)[1]
            diagonal[1:, :, axis] += sum_squares - squares - own_squares
        diagonal *= weight[:, np.newaxis, np.newaxis]
        residue *= weight[:, np.newaxis]
        if is_at_rest:
            diagonal[[0, -1]] = np.eye(3)
            residue[[0, -1]] = w[[0, -1]]
        bands = np.zeros((11, 3 * k))
        bands[5 + i - j, place + j] = diagonal
        bands[8 + i - j, place[:-1] + j] = lower
        bands[2 + i - j, place[1:] + j] = upper
        if not (np.isfinite(bands).all() and np.isfinite(residue).all()):
            break
        step = cast("Array", solve_banded((5, 5), bands, residue.ravel())).reshape(k, 3)
        w = w - step
        if i_step == 0:
            first = w
        # Newton's method converges quadratically: after a step this small, the next step is below rounding.
        if (np.abs(step).max(axis=1) <= 1e-9 * (np.abs(w).max(axis=1) + 1.0)).all():
            return w, True
    return first, False


def _accelerations(H: Array, S: Array, J: Array, w: Array, slope: Array) -> tuple[Array, Array]:
    """Return the accelerations at the start and, without quadratic terms, at the end of the cubic of each interval."""
    starts = 6.0 * S / (H * H) - 4.0 * w[:-1] / H - 2.0 * slope / H
    stops = 2.0 * linear_algebra.apply_matrix(J, w[:-1]) / H + 4.0 * w[1:] / H - 6.0 * S / (H * H)
    return starts, stops


def _cubics(H: Array, S: Array, w: Array) -> Array:
    """Return cubics (4, n, 3) in the elapsed fraction of each interval, with angular velocities `w` at its ends."""
    before, after = H * w[:-1], H * linear_algebra.apply_matrix(_inverse(_rate_matrices(S)), w[1:])
    return np.stack([before + after - 2.0 * S, 3.0 * S - 2.0 * before - after, before, np.zeros_like(S)])


def _quintics(H: Array, S: Array, w: Array, *, is_at_rest: bool) -> Array:
    """Return polynomials (6, n, 3) with angular velocities `w` and one angular acceleration at each key.

    The angular acceleration at a key is the mean of two accelerations, of the cubics on both sides. The two differ when
    `w` does not solve the whole system.
    """
    J = _rate_matrices(S)
    A = _inverse(J)
    slope = linear_algebra.apply_matrix(A, w[1:])
    squares = rotation_vector_motion(S, slope, np.zeros_like(S))[1]
    starts, stops = _accelerations(H, S, J, w, slope)
    b = np.zeros_like(w)
    b[1:-1] = 0.5 * (starts[1:] + stops[:-1] + squares[:-1])
    if is_at_rest:
        b[0], b[-1] = starts[0], stops[-1] + squares[-1]
    v0, v1 = H * w[:-1], H * slope
    a0, a1 = 0.5 * H * H * b[:-1], 0.5 * H * H * linear_algebra.apply_matrix(A, b[1:] - squares)
    return np.stack(
        [
            6.0 * S - 3.0 * (v0 + v1) - a0 + a1,
            -15.0 * S + 8.0 * v0 + 7.0 * v1 + 3.0 * a0 - 2.0 * a1,
            10.0 * S - 6.0 * v0 - 4.0 * v1 - 3.0 * a0 + a1,
            a0,
            v0,
            np.zeros_like(S),
        ]
    )


def _rate_matrices(S: Array) -> Array:
    """Return the matrices (n, 3, 3) that map rates of rotation vectors (n, 3) to angular velocities."""
    columns = rotation_vector_motion(S[:, np.newaxis], np.eye(3), np.zeros(3))[0]
    return linear_algebra.transpose(columns)


def _inverse(matrices: Array) -> Array:
    return cast("Array", np.linalg.inv(matrices))

"""Keyframes: numbers and orientations given at some times, made functions of all times, with their derivatives.

What is between two keys is a polynomial in the time since the first of them: of the numbers themselves, or of the
rotation vector from the orientation at that key. Outside the keys the first and the last of them hold, with rates of
zero. The same times in one call or in many give the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import kernels, quaternions, turns
from framescope.core.arrays import Array, as_array
from framescope.core.piecewise import beside, interval, sampled
from framescope.core.rotation_vectors import rotation_vector_motion

Interpolation = Literal["cubic", "linear", "step"]
Ends = Literal["natural", "not-a-knot", "rest"]
RotationEnds = Literal["natural", "rest"]

UNIT_TOLERANCE = 1e-3
"""How far a quaternion may miss unit length and still be normalised without a word."""

MAX_ITERATIONS = 50
"""Newton steps of a rotation spline; three to eight are usual."""


# --- Numbers


@dataclass(frozen=True, eq=False)
class ScalarKeyframes:
    """Numbers at some times and what is between them. Make one with `scalar_keyframes`.

    Attributes
    ----------
    times : (k,)
        Times of the keys, s.
    values : (k, ...)
        Numbers at the keys.
    coefficients : (d, max(k - 1, 1), ...)
        Polynomials in the time since the key before, the highest power first.
    """

    times: Array
    values: Array
    coefficients: Array

    def sample(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        """Return value, first and second derivative.

        Parameters
        ----------
        t : (...)
            Times, s.

        Returns
        -------
        value, rate, acceleration : (..., *values.shape[1:])
            At a key with a jump those after it; at the last key those before it. Outside the keys the first or the
            last value, with derivatives of zero.

        Raises
        ------
        ValueError
            When `t` is not finite.

        Examples
        --------
        >>> [float(x) for x in scalar_keyframes([0, 2], [1, 5], "linear").sample(0.5)]
        [2.0, 2.0, 0.0]
        """
        time = as_array("t", t)
        value, rate, acceleration = sampled(self.times, self.coefficients, time)
        is_after = beside(time >= self.times[-1], value.ndim)
        return np.where(is_after, self.values[-1], value), rate, acceleration


def scalar_keyframes(
    times: ArrayLike, values: ArrayLike, interpolation: Interpolation = "cubic", ends: Ends = "natural"
) -> ScalarKeyframes:
    """Return the function of time that takes given values at given times.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    values : (k, ...)
        Numbers at the keys: a signal (k,), positions (k, 3).
    interpolation
        ``"cubic"`` is the cubic spline, with continuous first and second derivatives; ``"linear"`` is continuous;
        ``"step"`` holds each value until the next key.
    ends
        What the cubic spline has at its ends: ``"natural"`` no second derivative, ``"not-a-knot"`` one polynomial for
        the first two and for the last two intervals, ``"rest"`` no first derivative. Others do not look at it.

    Returns
    -------
    ScalarKeyframes
        Its `sample` gives value, first and second derivative.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the times do not increase, the choices are not known, or values
        so far apart come so soon after one another that a coefficient overflows.

    Notes
    -----
    Beyond the keys the end values hold, so that the first derivative jumps there unless the ends are at rest. For a
    smooth signal with keys h apart the cubic spline is off by order h⁴ with ``"not-a-knot"``; the natural one is off by
    order h² next to ends where the second derivative is not zero.

    References
    ----------
    C. de Boor, "A Practical Guide to Splines", revised edition, 2001, chapter IV.

    Examples
    --------
    >>> value, rate, acceleration = scalar_keyframes([0, 1, 2], [0, 1, 0]).sample([0.0, 1.0, 3.0])
    >>> value, rate.round(12), acceleration.round(12)
    (array([0., 1., 0.]), array([1.5, 0. , 0. ]), array([ 0., -3.,  0.]))
    """
    checked = _checked_times(times)
    numbers = as_array("values", values).copy()
    if numbers.ndim == 0 or len(numbers) != len(checked):
        raise ValueError(f"values: expected one for each of {len(checked)} times, got shape {numbers.shape}")
    _check_choice("interpolation", interpolation, ("cubic", "linear", "step"))
    _check_choice("ends", ends, ("natural", "not-a-knot", "rest"))
    with np.errstate(all="ignore"):
        coefficients = _numbers_between(checked, numbers, interpolation, ends)
    if not np.isfinite(coefficients).all():
        raise ValueError("values: expected finite rates between the keys, got an overflow")
    return ScalarKeyframes(checked, numbers, coefficients)


def _numbers_between(times: Array, values: Array, interpolation: Interpolation, ends: Ends) -> Array:
    if len(times) == 1:
        return values[np.newaxis]
    if interpolation == "step":
        return values[np.newaxis, :-1].copy()
    if interpolation == "linear":
        h = beside(np.diff(times), values.ndim)
        return np.stack([(values[1:] - values[:-1]) / h, values[:-1]])
    # Here, since it takes a fifth of a second to import.
    from scipy.interpolate import CubicSpline  # pyright: ignore[reportUnknownVariableType]

    condition = "clamped" if ends == "rest" else ends
    return np.asarray(CubicSpline(times, values, axis=0, bc_type=condition).c, dtype=np.float64)


# --- Orientations


@dataclass(frozen=True, eq=False)
class RotationKeyframes:
    """Orientations at some times and what is between. Make one with `rotation_spline` or `slerp_keyframes`.

    Attributes
    ----------
    times : (k,)
        Times of the keys, s.
    Q : (k, 4)
        Unit quaternions from frame 1 into frame 2 at the keys, scalar last; the signs make neighbours nearest.
    coefficients : (d, max(k - 1, 1), 3)
        Polynomials of the rotation vector from the key before, in the time since it, the highest power first.
    """

    times: Array
    Q: Array
    coefficients: Array

    def sample(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        """Return the quaternion, the angular velocity, and its derivative.

        Parameters
        ----------
        t : (...)
            Times, s.

        Returns
        -------
        Q : (..., 4)
            Quaternion from frame 1 into frame 2, scalar last, continuous where the orientation is.
        w : (..., 3)
            Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.
        der_w : (..., 3)
            Derivative of `w`, which is the angular acceleration resolved in frame 2, rad/s².

        Raises
        ------
        ValueError
            When `t` is not finite.

        Notes
        -----
        ``Q = Q_key ⊗ exp(s/2)`` with the rotation vector `s` a polynomial, and ``w = der(s) - a s × der(s)
        + b s × (s × der(s))`` with ``a = (1 - cos|s|)/|s|²``, ``b = (|s| - sin|s|)/|s|³``; `der_w` is the derivative of
        that, written out. All three are exact to rounding for every size of `s`. At a key with a jump the rates are
        those after it, at the last key those before it; outside the keys they are zero.

        Examples
        --------
        >>> Q, w, der_w = slerp_keyframes([0, 2], [[0, 0, 0, 1], [0, 0, 1, 0]]).sample(1.0)
        >>> Q.round(4), w.round(4), der_w
        (array([0.    , 0.    , 0.7071, 0.7071]), array([0.    , 0.    , 1.5708]), array([0., 0., 0.]))
        """
        time = as_array("t", t)
        s, ds, dds = sampled(self.times, self.coefficients, time)
        start = self.Q[interval(self.times, time)]
        Q = kernels.multiply_quaternions(start, turns.quaternion_from_rotation_vector(s))
        # A vector that only grows is an even turn about it: without rounding.
        w, der_w = (ds, dds) if len(self.coefficients) <= 2 else rotation_vector_motion(s, ds, dds)
        return np.where(beside(time >= self.times[-1], Q.ndim), self.Q[-1], Q), w, der_w


def slerp_keyframes(times: ArrayLike, Q: ArrayLike) -> RotationKeyframes:
    """Return the orientation that turns from key to key about a fixed axis at a constant rate, the shorter way.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    Q : (k, 4)
        Quaternions from frame 1 into frame 2 at the keys, scalar last, of unit length within 1e-3; either sign.

    Returns
    -------
    RotationKeyframes
        Its `sample` gives quaternion, angular velocity and angular acceleration.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the times do not increase, a quaternion is not of unit length, or
        a rate overflows.

    Notes
    -----
    Spherical linear interpolation. The half angle between neighbours is ``atan2(|q|, q4)`` of ``conj(Q_k) ⊗ Q_k+1``,
    accurate from 0 to a half turn, where the sense of the turn is that of the signs given. The angular velocity is
    constant from each key to the next and jumps at the keys; the angular acceleration is given as zero. A turn of more
    than a half turn needs keys on its way.

    References
    ----------
    K. Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985.

    Examples
    --------
    >>> Q, w, _ = slerp_keyframes([0, 1, 3], [[0, 0, 0, 1], [0.6, 0, 0, 0.8], [1, 0, 0, 0]]).sample([0.5, 1.0])
    >>> Q.round(4)[1], w.round(4)[:, 0]
    (array([0.6, 0. , 0. , 0.8]), array([1.287 , 0.9273]))
    """
    return _turning_evenly(times, Q, 1.0)


def step_rotations(times: ArrayLike, Q: ArrayLike) -> RotationKeyframes:
    """Return the orientation that holds each key until the next.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    Q : (k, 4)
        Quaternions from frame 1 into frame 2 at the keys, scalar last, of unit length within 1e-3.

    Returns
    -------
    RotationKeyframes
        Its `sample` gives the quaternion, and rates of zero.

    Raises
    ------
    ValueError
        As `slerp_keyframes`.

    Examples
    --------
    >>> step_rotations([0, 1], [[0, 0, 0, 1], [1, 0, 0, 0]]).sample([0.9, 1.0])[0]
    array([[0., 0., 0., 1.],
           [1., 0., 0., 0.]])
    """
    return _turning_evenly(times, Q, 0.0)


def _turning_evenly(times: ArrayLike, Q: ArrayLike, share: float) -> RotationKeyframes:
    checked, units = _checked_times(times), _checked_quaternions(times, Q)
    if len(checked) == 1:
        return _held(checked, units)
    with np.errstate(all="ignore"):
        rate = share * (_rotation_vectors(units) / np.diff(checked)[:, np.newaxis])
    return RotationKeyframes(checked, units, _finite(np.stack([rate, np.zeros_like(rate)])))


def rotation_spline(times: ArrayLike, Q: ArrayLike, ends: RotationEnds = "natural") -> RotationKeyframes:
    """Return the smooth orientation through the keys: angular velocity and acceleration are continuous.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    Q : (k, 4)
        Quaternions from frame 1 into frame 2 at the keys, scalar last, of unit length within 1e-3; either sign.
    ends
        ``"natural"``: no angular acceleration at the first and the last key. ``"rest"``: no angular velocity there, so
        that it is continuous with the standstill outside.

    Returns
    -------
    RotationKeyframes
        Its `sample` gives quaternion, angular velocity and angular acceleration.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the times do not increase, a quaternion is not of unit length, a
        choice is not known, or a rate overflows.

    Notes
    -----
    Between two keys the rotation vector from the first is a cubic polynomial of time. Its coefficients follow from the
    angular velocities at the keys, and these from the continuity of the angular acceleration: a block tridiagonal
    system with a term that is quadratic in them. It is solved by Newton's method, to rounding, where the reference does
    ten steps of a fixed-point iteration, which are not enough for keys far apart. The angular acceleration is then
    continuous to about 1e-11 of its size. Turns near a half turn beside intervals of very different lengths may leave
    the system without a solution: the angular velocities are then those of its linear part, and the polynomials are of
    fifth degree, which keeps the continuity.

    For turns about one fixed axis this is the cubic spline of the angle; two keys give `slerp_keyframes`. For a smooth
    motion with keys h apart the orientation is off by order h⁴, next to natural ends by order h² where the angular
    acceleration there is not zero. Turning frame 1 or frame 2 of all keys by a constant rotation turns the result by
    the same; reversing the order of time changes it, by terms that vanish as the keys get closer. Neighbours are joined
    the shorter way, as by `slerp_keyframes`.

    References
    ----------
    N. Mayorov, "Smooth Attitude Interpolation", 2019, the method of ``scipy.spatial.transform.RotationSpline`` (which
    has other ends: the first and the last angular velocity are those of `slerp_keyframes`).

    Examples
    --------
    >>> Q = [[0, 0, 0, 1], [0, 0, np.sin(0.5), np.cos(0.5)], [0, 0, 0, 1]]
    >>> Q, w, der_w = rotation_spline([0, 1, 2], Q).sample([0.0, 1.0])
    >>> w.round(12)[:, 2], der_w.round(12)[:, 2]
    (array([1.5, 0. ]), array([ 0., -3.]))
    """
    checked, units = _checked_times(times), _checked_quaternions(times, Q)
    _check_choice("ends", ends, ("natural", "rest"))
    if len(checked) == 1:
        return _held(checked, units)
    with np.errstate(all="ignore"):
        # In units of the mean interval: rates are then of a size whose squares are finite.
        scale = (checked[-1] - checked[0]) / (len(checked) - 1)
        h, S = np.diff(checked) / scale, _rotation_vectors(units)
        w, is_found = _smooth_rates(h, S, is_at_rest=ends == "rest")
        H = h[:, np.newaxis]
        polynomial = _cubics(H, S, w) if is_found else _quintics(H, S, w, is_at_rest=ends == "rest")
        powers = np.arange(len(polynomial))[::-1, np.newaxis, np.newaxis]
        coefficients = polynomial / (scale * H) ** powers
    return RotationKeyframes(checked, units, _finite(coefficients))


def _smooth_rates(h: Array, S: Array, *, is_at_rest: bool) -> tuple[Array, bool]:
    """Return the angular velocities (k, 3) at the keys, and whether they solve the system.

    It is for intervals `h` (k - 1,) with the rotation vectors `S` from each key to the next.
    With `w` at both ends of an interval, its cubic begins with the acceleration ``6 S/h² - 4 w_k/h - 2 A w_k+1/h`` and
    ends with ``-6 S/h² + 2 J w_k/h + 4 w_k+1/h + N(S, A w_k+1)``: `J` makes rates of the rotation vector into angular
    velocities, `A` is its inverse, `N` is what the acceleration has of the squares of the rates. Without a solution
    the angular velocities are those that solve the system less `N`, which is always possible.
    """
    from scipy.linalg import solve_banded  # here, as above # pyright: ignore[reportUnknownVariableType]

    k = len(h) + 1
    J = _rate_matrices(S)
    A = _inverse(J)
    zeros = np.zeros_like(S)
    h1, h2 = h[:, np.newaxis], h[:, np.newaxis, np.newaxis]
    # Row k of the system times the shorter of the intervals beside it, so that all rows are of one size.
    weight = np.minimum(np.append(h, np.inf), np.append(np.inf, h))
    lower, upper = 2.0 * J / h2 * weight[1:, np.newaxis, np.newaxis], 2.0 * A / h2 * weight[:-1, np.newaxis, np.newaxis]
    if is_at_rest:
        lower[-1], upper[0] = 0.0, 0.0
    i, j = np.indices((3, 3))
    at = 3 * np.arange(k)[:, np.newaxis, np.newaxis]

    w = first = np.zeros((k, 3))
    for i_step in range(MAX_ITERATIONS):
        slope = kernels.apply_matrix(A, w[1:])
        squares = rotation_vector_motion(S, slope, zeros)[1]
        starts, stops = _accelerations(h1, S, J, w, slope)
        residue = np.zeros((k, 3))
        residue[:-1] -= starts
        residue[1:] += stops + squares
        diagonal = np.zeros((k, 3, 3))
        diagonal[:-1] += 4.0 / h2 * np.eye(3)
        diagonal[1:] += 4.0 / h2 * np.eye(3)
        # The squares are exactly quadratic: their derivative is a difference of three of them.
        for axis in range(3):
            other = A[:, :, axis]
            both, alone = rotation_vector_motion(S, slope + other, zeros)[1], rotation_vector_motion(S, other, zeros)[1]
            diagonal[1:, :, axis] += both - squares - alone
        diagonal *= weight[:, np.newaxis, np.newaxis]
        residue *= weight[:, np.newaxis]
        if is_at_rest:
            diagonal[[0, -1]] = np.eye(3)
            residue[[0, -1]] = w[[0, -1]]
        bands = np.zeros((11, 3 * k))
        bands[5 + i - j, at + j] = diagonal
        bands[8 + i - j, at[:-1] + j] = lower
        bands[2 + i - j, at[1:] + j] = upper
        if not (np.isfinite(bands).all() and np.isfinite(residue).all()):
            break
        step = cast("Array", solve_banded((5, 5), bands, residue.ravel())).reshape(k, 3)
        w = w - step
        if i_step == 0:
            first = w
        # Once near, this step has reached rounding, as the steps get quadratically smaller.
        if (np.abs(step).max(axis=1) <= 1e-9 * (np.abs(w).max(axis=1) + 1.0)).all():
            return w, True
    return first, False


def _accelerations(H: Array, S: Array, J: Array, w: Array, slope: Array) -> tuple[Array, Array]:
    """Return the accelerations at both ends of the cubics of intervals, the second less what the squares make."""
    starts = 6.0 * S / (H * H) - 4.0 * w[:-1] / H - 2.0 * slope / H
    stops = 2.0 * kernels.apply_matrix(J, w[:-1]) / H + 4.0 * w[1:] / H - 6.0 * S / (H * H)
    return starts, stops


def _cubics(H: Array, S: Array, w: Array) -> Array:
    """Return polynomials (4, n, 3) of the share of each interval, with the angular velocities `w` at its ends."""
    before, after = H * w[:-1], H * kernels.apply_matrix(_inverse(_rate_matrices(S)), w[1:])
    return np.stack([before + after - 2.0 * S, 3.0 * S - 2.0 * before - after, before, np.zeros_like(S)])


def _quintics(H: Array, S: Array, w: Array, *, is_at_rest: bool) -> Array:
    """Return polynomials (6, n, 3) with `w` and the mean of the accelerations that the cubics beside a key have there.

    The cubics differ there when `w` solves the system only in part: these have none of the difference.
    """
    J = _rate_matrices(S)
    A = _inverse(J)
    slope = kernels.apply_matrix(A, w[1:])
    squares = rotation_vector_motion(S, slope, np.zeros_like(S))[1]
    starts, stops = _accelerations(H, S, J, w, slope)
    b = np.zeros_like(w)
    b[1:-1] = 0.5 * (starts[1:] + stops[:-1] + squares[:-1])
    if is_at_rest:
        b[0], b[-1] = starts[0], stops[-1] + squares[-1]
    v0, v1 = H * w[:-1], H * slope
    a0, a1 = 0.5 * H * H * b[:-1], 0.5 * H * H * kernels.apply_matrix(A, b[1:] - squares)
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
    """Return the matrices (n, 3, 3) that make rates of rotation vectors (n, 3) into angular velocities."""
    columns = rotation_vector_motion(S[:, np.newaxis], np.eye(3), np.zeros(3))[0]
    return kernels.transpose(columns)


def _inverse(matrices: Array) -> Array:
    return cast("Array", np.linalg.inv(matrices))


def _rotation_vectors(Q: Array) -> Array:
    """Return the rotation vectors (k - 1, 3) from each of unit quaternions (k, 4) to the next."""
    q = kernels.relative_quaternion(Q[:-1], Q[1:])
    sine = kernels.length(q[:, :3])
    half = np.arctan2(sine, q[:, 3])
    is_none = sine == 0.0
    ratio = np.where(is_none, 2.0, 2.0 * half / np.where(is_none, 1.0, sine))
    return ratio[:, np.newaxis] * q[:, :3]


def _held(times: Array, Q: Array) -> RotationKeyframes:
    return RotationKeyframes(times, Q, np.zeros((1, 1, 3)))


# --- Poses


@dataclass(frozen=True, eq=False)
class PoseKeyframes:
    """Poses of a frame F in its parent P at some times and what is between. Make one with `pose_keyframes`.

    Attributes
    ----------
    position
        Position of F's origin from P's, resolved in P, m.
    orientation
        Quaternion from P into F.
    """

    position: ScalarKeyframes
    orientation: RotationKeyframes

    def sample(self, t: ArrayLike) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return ``T_PF, p_PF, w_PF_F, v_PF, b_PF_F, a_PF`` at times (...), `b`, `a` the derivatives of `w`, `v`."""
        Q, w, b = self.orientation.sample(t)
        p, v, a = self.position.sample(t)
        return kernels.matrix_from_quaternion(Q), p, w, v, b, a


def pose_keyframes(
    times: ArrayLike,
    p_PF: ArrayLike,
    Q_PF: ArrayLike,
    interpolation: Interpolation = "cubic",
    ends: RotationEnds = "natural",
) -> PoseKeyframes:
    """Return the motion of a frame through given poses.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    p_PF : (k, 3)
        Positions of the frame's origin from the parent's, resolved in the parent, m.
    Q_PF : (k, 4)
        Quaternions from the parent into the frame, scalar last, of unit length within 1e-3; either sign.
    interpolation
        ``"cubic"``: cubic spline and `rotation_spline`. ``"linear"``: straight lines and `slerp_keyframes`. ``"step"``:
        each pose until the next.
    ends
        What ``"cubic"`` has at its ends: ``"natural"`` no acceleration, ``"rest"`` no velocity.

    Returns
    -------
    PoseKeyframes
        Its `sample` gives pose, velocities and accelerations.

    Raises
    ------
    ValueError
        As `scalar_keyframes` and `rotation_spline`.

    Examples
    --------
    >>> motion = pose_keyframes([0, 1], [[0, 0, 0], [2, 0, 0]], [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], "linear")
    >>> T, p, w, v, b, a = motion.sample(0.5)
    >>> p, w.round(4), v
    (array([1., 0., 0.]), array([0.   , 0.   , 1.287]), array([2., 0., 0.]))
    """
    positions = as_array("p_PF", p_PF, (3,))
    checked = _checked_times(times)
    if positions.shape != (len(checked), 3):
        raise ValueError(f"p_PF: expected shape ({len(checked)}, 3), one for each time, got {positions.shape}")
    units = _checked_quaternions(checked, Q_PF, "Q_PF")
    _check_choice("interpolation", interpolation, ("cubic", "linear", "step"))
    _check_choice("ends", ends, ("natural", "rest"))
    if interpolation == "cubic":
        orientation = rotation_spline(checked, units, ends)
    else:
        orientation = _turning_evenly(checked, units, 1.0 if interpolation == "linear" else 0.0)
    return PoseKeyframes(scalar_keyframes(checked, positions, interpolation, ends), orientation)


# --- What all have in common


def _checked_times(times: ArrayLike) -> Array:
    checked = as_array("times", times)
    if checked.ndim != 1 or len(checked) == 0:
        raise ValueError(f"times: expected shape (k,) with at least one key, got {checked.shape}")
    with np.errstate(over="ignore"):
        h = np.diff(checked)
    if not (h > 0.0).all():
        i = int(np.argmin(h > 0.0))
        raise ValueError(
            f"times: expected each later than the one before, "
            f"got {checked[i + 1]:g} after {checked[i]:g} at key {i + 2}"
        )
    if not np.isfinite(h).all():
        raise ValueError("times: expected intervals that are finite, got an overflow")
    return checked.copy()


def _checked_quaternions(times: ArrayLike, Q: ArrayLike, name: str = "Q") -> Array:
    """Return unit quaternions with continuous signs, one for each time."""
    checked = as_array(name, Q, (4,))
    expected = (np.asarray(times).size, 4)
    if checked.shape != expected:
        raise ValueError(f"{name}: expected shape {expected}, one for each time, got {checked.shape}")
    with np.errstate(over="ignore"):
        miss = np.abs(np.sqrt(kernels.squared_norm(checked)) - 1.0)
    i = int(np.argmax(miss))
    if not miss[i] <= UNIT_TOLERANCE:
        raise ValueError(
            f"{name}: expected unit length within {UNIT_TOLERANCE:g}, got a length off by {miss[i]:.3g} at key {i + 1}"
        )
    return quaternions.continuous_signs(kernels.normalize_quaternion(checked)[0])


def _check_choice(name: str, choice: str, choices: tuple[str, ...]) -> None:
    if choice not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {choice!r}")


def _finite(coefficients: Array) -> Array:
    if not np.isfinite(coefficients).all():
        raise ValueError("Q: expected finite rates between the keys, got an overflow")
    return coefficients

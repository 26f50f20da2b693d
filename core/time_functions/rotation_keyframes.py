"""Keyframed orientations as functions of time, with constant angular velocity or steps between keys.

Between two keys, the rotation vector from the earlier key is a polynomial of time. `rotation_spline` has its own
module.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.rotation_vectors import rotation_vector_motion
from framescope.core.kernels.validation import Array, as_array
from framescope.core.time_functions.keyframe_checks import require_finite, validate_quaternions, validate_times
from framescope.core.time_functions.piecewise_polynomial import beside, interval, sample_polynomials


@dataclass(frozen=True, eq=False)
class RotationKeyframes:
    """Orientations at some times, interpolated between them. Made by `rotation_spline` or `slerp_keyframes`.

    Attributes
    ----------
    times : (k,)
        Times of the keys, s.
    Q : (k, 4)
        Unit quaternions from frame 1 into frame 2 at the keys, scalar last; the signs make neighbours nearest.
    coefficients : (d, max(k - 1, 1), 3)
        Coefficients of the rotation vector from the previous key as a polynomial of the time since that key, the
        highest power first.
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
        + b s × (s × der(s))`` with ``a = (1 - cos|s|)/|s|²``, ``b = (|s| - sin|s|)/|s|³``; `der_w` is the analytic
        derivative of `w`. All three are exact to rounding for every magnitude of `s`. At a key with a jump the rates
        right after it are returned, at the last key the rates right before it. Outside the keys the rates are zero.

        Examples
        --------
        >>> Q, w, der_w = slerp_keyframes([0, 2], [[0, 0, 0, 1], [0, 0, 1, 0]]).sample(1.0)
        >>> Q.round(4), w.round(4), der_w
        (array([0.    , 0.    , 0.7071, 0.7071]), array([0.    , 0.    , 1.5708]), array([0., 0., 0.]))
        """
        time = as_array("t", t)
        s, ds, dds = sample_polynomials(self.times, self.coefficients, time)
        start = self.Q[interval(self.times, time)]
        Q = linear_algebra.multiply_quaternions(start, axis_rotations.quaternion_from_rotation_vector(s))
        # For a rotation vector of fixed direction, w is its derivative, free of rounding errors.
        w, der_w = (ds, dds) if len(self.coefficients) <= 2 else rotation_vector_motion(s, ds, dds)
        return np.where(beside(time >= self.times[-1], Q.ndim), self.Q[-1], Q), w, der_w


def slerp_keyframes(times: ArrayLike, Q: ArrayLike) -> RotationKeyframes:
    """Return the orientation that turns from key to key the shorter way, about a fixed axis at a constant rate.

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
    This is spherical linear interpolation. The half angle between neighbours is ``atan2(|q|, q4)`` of
    ``conj(Q_k) ⊗ Q_k+1``, accurate from 0 to a half turn. At a half turn, the signs of the quaternions decide the sense
    of rotation. The angular velocity is constant between keys and jumps at the keys; the angular acceleration is
    returned as zero. A rotation by more than a half turn needs keys in between.

    References
    ----------
    K. Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985.

    Examples
    --------
    >>> Q, w, _ = slerp_keyframes([0, 1, 3], [[0, 0, 0, 1], [0.6, 0, 0, 0.8], [1, 0, 0, 0]]).sample([0.5, 1.0])
    >>> Q.round(4)[1], w.round(4)[:, 0]
    (array([0.6, 0. , 0. , 0.8]), array([1.287 , 0.9273]))
    """
    return constant_rates(times, Q, 1.0)


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
        When `slerp_keyframes` raises it.

    Examples
    --------
    >>> step_rotations([0, 1], [[0, 0, 0, 1], [1, 0, 0, 0]]).sample([0.9, 1.0])[0]
    array([[0., 0., 0., 1.],
           [1., 0., 0., 0.]])
    """
    return constant_rates(times, Q, 0.0)


def constant_rates(times: ArrayLike, Q: ArrayLike, share: float) -> RotationKeyframes:
    """Return the orientation that turns towards the next key at `share` of the required rate: 1, or 0 for steps."""
    checked_times, unit_quaternions = validate_times(times), validate_quaternions(times, Q)
    if len(checked_times) == 1:
        return constant_orientation(checked_times, unit_quaternions)
    with np.errstate(all="ignore"):
        rate = share * (rotation_vectors(unit_quaternions) / np.diff(checked_times)[:, np.newaxis])
    return RotationKeyframes(checked_times, unit_quaternions, require_finite(np.stack([rate, np.zeros_like(rate)])))


def constant_orientation(times: Array, Q: Array) -> RotationKeyframes:
    """Return the orientation of a single key, valid at all times."""
    return RotationKeyframes(times, Q, np.zeros((1, 1, 3)))


def rotation_vectors(Q: Array) -> Array:
    """Return the rotation vectors (k - 1, 3) from each of the unit quaternions (k, 4) to the next."""
    q = linear_algebra.relative_quaternion(Q[:-1], Q[1:])
    sine = linear_algebra.length(q[:, :3])
    half = np.arctan2(sine, q[:, 3])
    is_zero = sine == 0.0
    ratio = np.where(is_zero, 2.0, 2.0 * half / np.where(is_zero, 1.0, sine))
    return ratio[:, np.newaxis] * q[:, :3]

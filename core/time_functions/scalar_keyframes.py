"""Keyframed numbers as functions of time: cubic splines, straight lines, steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels.validation import Array, as_array
from framescope.core.time_functions.keyframe_checks import check_choice, validate_times
from framescope.core.time_functions.piecewise_polynomial import beside, sample_polynomials

Interpolation = Literal["cubic", "linear", "step"]
Ends = Literal["natural", "not-a-knot", "rest"]


@dataclass(frozen=True, eq=False)
class ScalarKeyframes:
    """Numbers at some times, interpolated between them. Made by `scalar_keyframes`.

    Attributes
    ----------
    times : (k,)
        Times of the keys, s.
    values : (k, ...)
        Numbers at the keys.
    coefficients : (d, max(k - 1, 1), ...)
        Coefficients of polynomials in the time since the previous key, the highest power first.
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
            At a key with a jump, the numbers right after the key. At the last key, the derivatives right before the
            key. Outside the keys, the first or last value, with derivatives of zero.

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
        value, rate, acceleration = sample_polynomials(self.times, self.coefficients, time)
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
        End condition of the cubic spline: ``"natural"`` for zero second derivatives, ``"not-a-knot"`` for one
        polynomial in the first two and in the last two intervals, ``"rest"`` for zero first derivatives. Other
        interpolations ignore it.

    Returns
    -------
    ScalarKeyframes
        Its `sample` gives value, first and second derivative.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, the times do not increase, a choice is unknown, or a coefficient
        overflows because values far apart follow each other closely.

    Notes
    -----
    Outside the keys the end values apply, so the first derivative jumps at the ends, except with ``"rest"``. For a
    smooth signal with keys h apart, the error of the cubic spline is of order h⁴ with ``"not-a-knot"``. Next to a
    ``"natural"`` end at which the true second derivative is not zero, the error is of order h².

    References
    ----------
    C. de Boor, "A Practical Guide to Splines", revised edition, 2001, chapter IV.

    Examples
    --------
    >>> value, rate, acceleration = scalar_keyframes([0, 1, 2], [0, 1, 0]).sample([0.0, 1.0, 3.0])
    >>> value, rate.round(12), acceleration.round(12)
    (array([0., 1., 0.]), array([1.5, 0. , 0. ]), array([ 0., -3.,  0.]))
    """
    checked = validate_times(times)
    numbers = as_array("values", values).copy()
    if numbers.ndim == 0 or len(numbers) != len(checked):
        raise ValueError(f"values: expected one for each of {len(checked)} times, got shape {numbers.shape}")
    check_choice("interpolation", interpolation, ("cubic", "linear", "step"))
    check_choice("ends", ends, ("natural", "not-a-knot", "rest"))
    with np.errstate(all="ignore"):
        coefficients = _coefficients(checked, numbers, interpolation, ends)
    if not np.isfinite(coefficients).all():
        raise ValueError("values: expected finite rates between the keys, got an overflow")
    return ScalarKeyframes(checked, numbers, coefficients)


def _coefficients(times: Array, values: Array, interpolation: Interpolation, ends: Ends) -> Array:
    """Return the coefficients of the interpolation, see `ScalarKeyframes`."""
    if len(times) == 1:
        return values[np.newaxis]
    if interpolation == "step":
        return values[np.newaxis, :-1].copy()
    if interpolation == "linear":
        h = beside(np.diff(times), values.ndim)
        return np.stack([(values[1:] - values[:-1]) / h, values[:-1]])
    # Imported here because it takes a fifth of a second.
    from scipy.interpolate import CubicSpline  # pyright: ignore[reportUnknownVariableType]

    condition = "clamped" if ends == "rest" else ends
    return np.asarray(CubicSpline(times, values, axis=0, bc_type=condition).c, dtype=np.float64)

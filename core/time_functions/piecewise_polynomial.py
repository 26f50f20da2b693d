"""Piecewise polynomials of time: one for each interval between increasing times, constant outside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array


def interval(times: Array, t: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Return the indices of the intervals between `times` that contain `t`; the end intervals extend outwards."""
    index = np.searchsorted(times, t, side="right") - 1
    return np.clip(index, 0, max(len(times) - 2, 0))


ROUNDING = 1e-9
"""Distance from the ends of a span up to which a time counts as inside, as a fraction of the span."""


def is_beyond(t: Array, start: float, end: float) -> NDArray[np.bool_]:
    """Flag (...) the times that are outside a span by more than rounding.

    >>> is_beyond(np.array([-0.1, 0.0, 2.0, 2.1]), 0.0, 2.0)
    array([ True, False, False,  True])
    """
    slack = ROUNDING * (end - start)
    return (t < start - slack) | (t > end + slack)


def sample_polynomials(times: Array, coefficients: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return value, first and second derivative of piecewise polynomials.

    Parameters
    ----------
    times : (k,)
        Increasing times, with one polynomial for each interval between them.
    coefficients : (d, max(k - 1, 1), *)
        Coefficients of polynomials in the time since the beginning of the interval, the highest power first.
    t : (...)
        Times to sample at. Outside `times` the end values apply, with derivatives of zero.

    Returns
    -------
    value, first, second : (..., *)
        Single calls and one call with many times give the same bits.

    Examples
    --------
    >>> times, coefficients = np.array([0.0, 2.0]), np.array([[1.0], [0.0], [5.0]])
    >>> sample_polynomials(times, coefficients, np.array([1.0, 3.0]))
    (array([6., 9.]), array([2., 0.]), array([2., 0.]))
    """
    i = interval(times, t)
    since = beside(np.clip(t, times[0], times[-1]) - times[i], t.ndim + coefficients.ndim - 2)
    value = first = second = np.zeros(t.shape + coefficients.shape[2:])
    for c in coefficients:
        second = second * since + first
        first = first * since + value
        value = value * since + c[i]
    is_inside = beside((t >= times[0]) & (t <= times[-1]), value.ndim)
    return value, np.where(is_inside, first, 0.0), np.where(is_inside, 2.0 * second, 0.0)


def beside(a: np.ndarray[tuple[int, ...], np.dtype[np.generic]], ndim: int) -> Array:
    """Return an array with axes of length 1 appended until it has `ndim` axes."""
    return a.reshape(a.shape + (1,) * (ndim - a.ndim))  # pyright: ignore[reportReturnType]

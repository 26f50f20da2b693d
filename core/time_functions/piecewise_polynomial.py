"""Piecewise polynomials of time: given between times that increase, held outside them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array


def interval(times: Array, t: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Return the index of the one of `times` that each of `t` follows, that of the last but one after the end."""
    found = np.searchsorted(times, t, side="right") - 1
    return np.clip(found, 0, max(len(times) - 2, 0))


ROUNDING = 1e-9
"""How far a time may miss the end of a span and still be meant as it, as a part of the span."""


def is_beyond(t: Array, start: float, end: float) -> NDArray[np.bool_]:
    """Return which times (...) are outside a span by more than rounding: what was computed over it holds there.

    >>> is_beyond(np.array([-0.1, 0.0, 2.0, 2.1]), 0.0, 2.0)
    array([ True, False, False,  True])
    """
    slack = ROUNDING * (end - start)
    return (t < start - slack) | (t > end + slack)


def sampled(times: Array, coefficients: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return value, first and second derivative of piecewise polynomials.

    Parameters
    ----------
    times : (k,)
        Times between which there is one polynomial each.
    coefficients : (d, max(k - 1, 1), *)
        Polynomials in the time since the one before, the highest power first.
    t : (...)
        Times to sample at. Outside `times` the end values hold, with rates of zero.

    Returns
    -------
    value, first, second : (..., *)
        The same times in one call or in many give the same bits.

    Examples
    --------
    >>> value, first, second = sampled(np.array([0.0, 2.0]), np.array([[1.0], [0.0], [5.0]]), np.array([1.0, 3.0]))
    >>> value, first, second
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
    """Return an array with axes appended until it has `ndim` of them."""
    return a.reshape(a.shape + (1,) * (ndim - a.ndim))  # pyright: ignore[reportReturnType]

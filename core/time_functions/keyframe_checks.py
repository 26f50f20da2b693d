"""Validation of keyframes of all kinds: increasing times, unit quaternions, known choices."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from framescope.core import quaternions
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array

UNIT_TOLERANCE = 1e-3
"""Deviation from unit length up to which a quaternion is normalized without an error."""


def validate_times(times: ArrayLike) -> Array:
    """Return times (k,) of keys, or raise `ValueError` unless they are finite and increase."""
    array = as_array("times", times)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError(f"times: expected shape (k,) with at least one key, got {array.shape}")
    with np.errstate(over="ignore"):
        h = np.diff(array)
    if not (h > 0.0).all():
        i = int(np.argmin(h > 0.0))
        raise ValueError(
            f"times: expected each later than the one before, got {array[i + 1]:g} after {array[i]:g} at key {i + 2}"
        )
    if not np.isfinite(h).all():
        raise ValueError("times: expected intervals that are finite, got an overflow")
    return array.copy()


def validate_quaternions(times: ArrayLike, Q: ArrayLike, name: str = "Q") -> Array:
    """Return unit quaternions with continuous signs, one for each time, or raise `ValueError`."""
    array = as_array(name, Q, (4,))
    expected = (np.asarray(times).size, 4)
    if array.shape != expected:
        raise ValueError(f"{name}: expected shape {expected}, one for each time, got {array.shape}")
    with np.errstate(over="ignore"):
        off = np.abs(np.sqrt(linear_algebra.squared_norm(array)) - 1.0)
    i = int(np.argmax(off))
    if not off[i] <= UNIT_TOLERANCE:
        raise ValueError(
            f"{name}: expected unit length within {UNIT_TOLERANCE:g}, got a length off by {off[i]:.3g} at key {i + 1}"
        )
    return quaternions.continuous_signs(linear_algebra.normalize_quaternion(array))


def check_choice(name: str, choice: str, choices: tuple[str, ...]) -> None:
    """Raise `ValueError` unless `choice` is one of `choices`."""
    if choice not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {choice!r}")


def require_finite(coefficients: Array) -> Array:
    """Return the coefficients of rotation vectors, or raise `ValueError` if a coefficient has overflowed."""
    if not np.isfinite(coefficients).all():
        raise ValueError("Q: expected finite rates between the keys, got an overflow")
    return coefficients

"""Euclidean lengths of vectors with components of any size, such as numbers of damaged files."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array


def lengths(vectors: Array) -> Array:
    """Return the lengths (...) of vectors (..., k); overflows only if the length itself is not finite.

    Examples
    --------
    >>> lengths(np.array([[3.0, 4.0], [3e200, 4e200], [np.inf, 1.0]]))
    array([5.e+000, 5.e+200,     inf])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        plain: Array = np.sqrt(np.square(vectors).sum(axis=-1))
        is_large = np.isinf(plain)
        if not is_large.any():
            return plain
        largest = np.abs(vectors).max(axis=-1, keepdims=True)
        scaled = largest[..., 0] * np.sqrt(np.square(vectors / largest).sum(axis=-1))
        return np.where(is_large & np.isfinite(largest[..., 0]), scaled, plain)


def distances(first: Array, second: Array) -> Array:
    """Return the distances (...) between points (..., k); infinite where the difference is no finite number.

    >>> distances(np.array([[1e308, 0.0], [3.0, 4.0]]), np.array([-1e308, 0.0]))
    array([    inf, 1.e+308])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return lengths(first - second)

"""Decimation of a curve that keeps its look: the extremes of every bucket."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def decimate_min_max(x: FloatArray, y: FloatArray, n_buckets: int) -> tuple[FloatArray, FloatArray]:
    """
    Keep the lowest and the highest point of every bucket, in the order in which they occur.

    Parameters
    ----------
    x, y : array, shape (n,)
        The curve; `y` may contain NaN, which stays where a whole bucket has nothing else.
    n_buckets : int
        About the width of the plot in pixels; at most twice as many points come back.

    Returns
    -------
    x, y : array, shape (m,)
        The points kept, `m <= max(2 * n_buckets, n)`; a curve of no more than `2 * n_buckets` points as it is.

    Notes
    -----
    Buckets hold equally many points. Every extreme of the curve survives, since it is the extreme of its bucket, and
    so do the first and the last point, which the ends of the curve would otherwise lose.
    """
    n = len(x)
    if n <= 2 * n_buckets:
        return x, y
    # Two of the points are the ends.
    n_buckets = max(n_buckets - 1, 1)
    bounds = np.linspace(0, n, n_buckets + 1).astype(np.intp)[:-1]
    is_missing = np.isnan(y)
    low = _first_of_extreme(np.where(is_missing, np.inf, y), bounds, np.minimum)
    high = _first_of_extreme(np.where(is_missing, -np.inf, y), bounds, np.maximum)
    kept = np.empty(2 * n_buckets + 2, dtype=np.intp)
    kept[0], kept[-1] = 0, n - 1
    kept[1:-1:2] = np.minimum(low, high)
    kept[2:-1:2] = np.maximum(low, high)
    return x[kept], y[kept]


def _first_of_extreme(y: FloatArray, bounds: NDArray[np.intp], extreme: np.ufunc) -> NDArray[np.intp]:
    """Return the index of the first point of every bucket that attains its extreme."""
    values = extreme.reduceat(y, bounds)
    lengths = np.diff(bounds, append=len(y))
    hits = np.flatnonzero(y == np.repeat(values, lengths))
    # Every bucket has a hit at or after its bound, the first of which is wanted.
    return hits[np.searchsorted(hits, bounds)]

"""Decimation of a curve that keeps its appearance: the extremes of every bucket."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def decimate_min_max(x: FloatArray, y: FloatArray, n_buckets: int) -> tuple[FloatArray, FloatArray]:
    """Keep the lowest and the highest point of every bucket, in their original order.

    Parameters
    ----------
    x, y : array, shape (n,)
        The curve. NaN in `y` stays where a bucket has nothing else.
    n_buckets : int
        About the width of the plot, pixels. The result has at most twice as many points.

    Returns
    -------
    x, y : array, shape (m,)
        The points kept, `m <= max(2 * n_buckets, 4)`. A curve with `2 * n_buckets` points or fewer stays unchanged.

    Notes
    -----
    Buckets hold equally many points. Every extreme of the curve is also the extreme of its bucket and survives. The
    first and the last point are always kept, since the curve would otherwise lose its ends.
    """
    n = len(x)
    if n <= 2 * n_buckets:
        return x, y
    # the end points take two
    n_buckets = max(n_buckets - 1, 1)
    bounds = np.linspace(0, n, n_buckets + 1).astype(np.intp)[:-1]
    is_missing = np.isnan(y)
    low = _first_of_extreme(np.where(is_missing, np.inf, y), bounds, np.minimum)
    high = _first_of_extreme(np.where(is_missing, -np.inf, y), bounds, np.maximum)
    indices = np.empty(2 * n_buckets + 2, dtype=np.intp)
    indices[0], indices[-1] = 0, n - 1
    indices[1:-1:2] = np.minimum(low, high)
    indices[2:-1:2] = np.maximum(low, high)
    return x[indices], y[indices]


def _first_of_extreme(y: FloatArray, bounds: NDArray[np.intp], extreme: np.ufunc) -> NDArray[np.intp]:
    """Return the index of the first point of every bucket that equals its extreme."""
    values = extreme.reduceat(y, bounds)
    lengths = np.diff(bounds, append=len(y))
    hits = np.flatnonzero(y == np.repeat(values, lengths))
    # Every bucket has a hit at or after its bound. Take the first.
    return hits[np.searchsorted(hits, bounds)]

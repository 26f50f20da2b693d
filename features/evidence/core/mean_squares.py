"""Root mean squares of differences."""

from __future__ import annotations

import math

import numpy as np

from framescope.core.kernels.validation import Array


def root_mean_square(x: Array, if_empty: float = math.nan) -> float:
    """Return the root of the mean of squares of rows (n,) or (n, k), whose squares are summed over k.

    Examples
    --------
    >>> round(root_mean_square(np.array([[3.0, 4.0], [0.0, 0.0]])), 4)
    3.5355
    """
    return float(np.linalg.norm(x)) / math.sqrt(len(x)) if len(x) else if_empty

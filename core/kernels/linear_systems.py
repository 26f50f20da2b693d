"""Solutions of linear equations with the types of arrays of floats."""

from __future__ import annotations

import numpy as np

from framescope.core.kernels.validation import Array


def inv(A: Array) -> Array:
    """Return the inverses of matrices (..., n, n)."""
    return np.linalg.inv(A)  # pyright: ignore[reportReturnType, reportUnknownVariableType]


def pinv(A: Array, rcond: float) -> Array:
    """Return the pseudoinverses of symmetric matrices (..., n, n); smaller singular values count as zero."""
    return np.linalg.pinv(A, rcond=rcond, hermitian=True)  # pyright: ignore[reportReturnType, reportUnknownVariableType]


def solve(A: Array, b: Array) -> Array:
    """Return the solutions (..., n) of equations with matrices (..., n, n) and right sides (..., n)."""
    return np.linalg.solve(A, b[..., None])[..., 0]  # pyright: ignore[reportReturnType, reportUnknownVariableType]

"""Conversion of arguments to finite float64 arrays with the trailing shape that a formula takes."""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

FLOAT64 = np.dtype(np.float64)
"""Type object shared by all float64 arrays in native byte order, so that `is` can test for it."""


def as_array(name: str, value: ArrayLike, trailing: tuple[int, ...] = ()) -> Array:
    """Return `value` as finite float64 of shape ``(..., *trailing)``, or raise `ValueError`.

    >>> as_array("v1", [1, 2, 3], (3,))
    array([1., 2., 3.])
    """
    is_ready = type(value) is np.ndarray and value.dtype is FLOAT64
    array: Array = value if is_ready else _as_float64(name, value, trailing)  # pyright: ignore[reportAssignmentType]
    if array.shape != trailing and trailing and array.shape[-len(trailing) :] != trailing:
        raise ValueError(f"{name}: expected shape {_shape_text(trailing)}, got {array.shape}")
    if not is_finite(array):
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    return array


def _as_float64(name: str, value: ArrayLike, trailing: tuple[int, ...]) -> Array:
    # No masked array exists while numpy.ma is not imported. Importing it here would cost 25 ms at start-up.
    """Return `value` as a float64 array, or raise `ValueError` when it has no real numbers."""
    if "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"{name}: expected numbers of shape {_shape_text(trailing)}, got a masked array")
    try:
        array = np.asarray(value)
    except ValueError as error:
        message = f"{name}: expected numbers of shape {_shape_text(trailing)}, got a ragged list ({error})"
        raise ValueError(message) from None
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name}: expected real numbers of shape {_shape_text(trailing)}, got {array.dtype}")
    if array.dtype.kind != "f" or array.dtype.itemsize <= 8:
        return array.astype(np.float64, copy=False)
    with np.errstate(over="ignore"):  # a long double may overflow to infinity, which as_array rejects
        return array.astype(np.float64)


def is_finite(array: Array) -> bool:
    """Return whether all numbers of an array are finite."""
    # A finite sum proves that all numbers are finite. The sum is the fastest test of a few numbers, and the sum of
    # squares of up to some thousand numbers. For more numbers BLAS starts threads, which cost more than they save. Sums
    # of finite numbers may overflow, so isfinite decides when the fast test fails.
    if array.size <= 16:
        is_known = math.isfinite(sum(array.tolist() if array.ndim == 1 else array.ravel().tolist()))
    else:
        is_known = array.size <= 8192 and math.isfinite(np.vdot(array, array))
    return is_known or bool(np.isfinite(array).all())


def _shape_text(trailing: tuple[int, ...]) -> str:
    """Return a trailing shape as text, such as ``(..., 3, 3)``."""
    return f"(..., {', '.join(map(str, trailing))})" if trailing else "(...)"

"""Arguments that are arrays: float64, finite, with the trailing shape that a formula takes."""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

FLOAT64 = np.dtype(np.float64)
"""The one object that is the type of all arrays of float64 in the order of the machine."""


def as_array(name: str, value: ArrayLike, trailing: tuple[int, ...] = ()) -> Array:
    """Return `value` as finite float64 of shape ``(..., *trailing)``, or raise `ValueError`.

    >>> as_array("v1", [1, 2, 3], (3,))
    array([1., 2., 3.])
    """
    is_ready = type(value) is np.ndarray and value.dtype is FLOAT64
    array: Array = value if is_ready else _converted(name, value, trailing)  # pyright: ignore[reportAssignmentType]
    if array.shape != trailing and trailing and array.shape[-len(trailing) :] != trailing:
        raise ValueError(f"{name}: expected shape {_written(trailing)}, got {array.shape}")
    if not is_finite(array):
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    return array


def _converted(name: str, value: ArrayLike, trailing: tuple[int, ...]) -> Array:
    # Without its module there is none; to import that here would take start-up a fortieth of a second.
    if "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray):
        raise ValueError(f"{name}: expected numbers of shape {_written(trailing)}, got a masked array")
    try:
        array = np.asarray(value)
    except ValueError as error:
        message = f"{name}: expected numbers of shape {_written(trailing)}, got a ragged list ({error})"
        raise ValueError(message) from None
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name}: expected real numbers of shape {_written(trailing)}, got {array.dtype}")
    if array.dtype.kind != "f" or array.dtype.itemsize <= 8:
        return array.astype(np.float64, copy=False)
    with np.errstate(over="ignore"):  # a longer float may become infinite, and is then refused
        return array.astype(np.float64)


def is_finite(array: Array) -> bool:
    """Return whether all numbers are."""
    # A sum is the quickest look at a few numbers, and a sum of squares at up to some thousand (above them BLAS starts
    # threads, which cost more than they save). Both may overflow where no number is infinite, so that they are not the
    # last word.
    if array.size <= 16:
        is_known = math.isfinite(sum(array.tolist() if array.ndim == 1 else array.ravel().tolist()))
    else:
        is_known = array.size <= 8192 and math.isfinite(np.vdot(array, array))
    return is_known or bool(np.isfinite(array).all())


def _written(trailing: tuple[int, ...]) -> str:
    return f"(..., {', '.join(map(str, trailing))})" if trailing else "(...)"

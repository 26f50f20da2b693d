"""Second array for the rounding errors of large numbers, such as times since 1970, so that differences are exact.

A float64 resolves a time of 1.7e9 s to 0.2 µs. At 1 m/s this is an error of 2e-7 m, and of 1e-3 m/s² in the second
differences of samples every 10 ms. A column of such numbers is therefore stored as two arrays, `values` and `rest`,
whose sum is the number in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array

LARGE = 2.0**26
"""Magnitude from which rounding errors are stored; smaller numbers have errors of less than 1e-8."""

_BLOCK = 65_536
"""Number of rows converted at a time."""
_MAX_PLAIN, _MAX_PART = 40, 15
"""Largest number of characters of a cell that is parsed digit by digit, and largest number of decimals used."""

_MAX_WHOLE = 9e18
"""Magnitude below which all whole numbers fit into int64."""


def rest_of_texts(cells: Sequence[str], values: Array) -> Array | None:
    """Return the errors of `values` (n,), which were read from the texts `cells`, or None when all errors are zero.

    >>> rest_of_texts(["1700000000.01", "1700000000.5"], np.array([1700000000.01, 1700000000.5])).round(20)
    array([9.53674316e-09, 0.00000000e+00])
    """
    if not len(values) or not np.nanmax(np.abs(values), initial=0.0) >= LARGE:
        return None
    parts = [
        _rest_of_texts(cells[start : start + _BLOCK], values[start : start + _BLOCK])
        for start in range(0, len(values), _BLOCK)
    ]
    rest = np.concatenate(parts)
    return rest if rest.any() else None


def _rest_of_texts(cells: Sequence[str], values: Array) -> Array:
    """Return the rounding errors of a block of texts, computed from the digits or, if that fails, by `Decimal`."""
    if max(map(len, cells)) <= _MAX_PLAIN and np.isfinite(values).all() and np.abs(values).max() < _MAX_WHOLE:
        rest = _rest_of_digits(np.array(cells, dtype=np.bytes_), values)
        if rest is not None:
            return rest
    rest = np.zeros(len(values))
    is_large = np.isfinite(values) & (np.abs(values) >= LARGE)
    for i in np.flatnonzero(is_large).tolist():
        with suppress(InvalidOperation):  # not a decimal number: its rounding error stays 0
            rest[i] = float(Decimal(cells[i]) - Decimal(float(values[i])))
    return rest


def _rest_of_digits(cells: NDArray[np.bytes_], values: Array) -> Array | None:
    """Return the rounding errors of texts with digits and at most one point; None if any text has other characters."""
    marks = cells.view(np.uint8).reshape(len(cells), -1)
    is_digit = (marks >= ord("0")) & (marks <= ord("9"))
    is_point = marks == ord(".")
    if not (is_digit | is_point | (marks == 0)).all() or (is_point.sum(axis=1) > 1).any():
        return None
    whole, part = np.zeros(len(cells), dtype=np.int64), np.zeros(len(cells), dtype=np.int64)
    n_part = np.zeros(len(cells), dtype=np.int64)
    is_behind = np.zeros(len(cells), dtype=bool)
    for j in range(marks.shape[1]):
        is_behind |= is_point[:, j]
        digit = marks[:, j].astype(np.int64) - ord("0")
        whole = np.where(is_digit[:, j] & ~is_behind, 10 * whole + digit, whole)
        counts = is_digit[:, j] & is_behind & (n_part < _MAX_PART)
        part = np.where(counts, 10 * part + digit, part)
        n_part += counts
    floor = np.floor(values)
    whole_rest = (whole - floor.astype(np.int64)).astype(np.float64)
    return whole_rest + (part / 10.0**n_part - (values - floor))


def rest_of_integers(integers: NDArray[Any], values: Array) -> Array | None:
    """Return the errors of `values` (n,), which were converted from numpy integers, or None when all errors are zero.

    >>> rest_of_integers(np.array([1_403_636_579_763_555_584 + 9]), np.array([1_403_636_579_763_555_584.0]))
    array([9.])
    """
    if integers.dtype.kind not in "iu" or integers.dtype.itemsize < 8:
        return None
    # Near the ends of the int64 range, a rounded number may not fit into int64. No time is that large: its rest is 0.
    is_large = (np.abs(values) >= 2.0**53) & (np.abs(values) < 2.0**62)
    back = np.where(is_large, values, 0.0).astype(integers.dtype)
    rest = (np.where(is_large, integers, 0).astype(np.int64) - back.astype(np.int64)).astype(np.float64)
    return rest if rest.any() else None


def sum_with_rest(whole: Array, part: Array) -> tuple[Array, Array]:
    """Return the sum of two arrays and its exact rounding error.

    References
    ----------
    O. Møller, "Quasi double-precision in floating point addition", BIT 5, 1965.

    Examples
    --------
    >>> total, rest = sum_with_rest(np.array([1700000000.0]), np.array([0.01]))
    >>> rest
    array([9.53674316e-09])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = whole + part
        part_in_total = total - whole
        rest = (whole - (total - part_in_total)) + (part - part_in_total)
    return total, np.where(np.isfinite(rest), rest, 0.0)


SPLIT = 2.0**27 + 1.0
"""Factor that splits a float64 into two halves of 26 bits."""


def product_with_rest(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the product of two arrays and its rounding error, exact unless a part of it overflows or underflows.

    References
    ----------
    T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18, 1971.

    Examples
    --------
    >>> product, rest = product_with_rest(np.array([1.0 + 2.0**-30]), np.array([1.0 + 2.0**-30]))
    >>> rest == 2.0**-60
    array([ True])
    """
    with np.errstate(over="ignore", invalid="ignore"):  # an infinite position has no product with zero
        product = a * b
        high_a, high_b = (SPLIT * x - (SPLIT * x - x) for x in (a, b))
        low_a, low_b = a - high_a, b - high_b
        rest = low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)
    return product, np.where(np.isfinite(rest), rest, 0.0)


def since_first(values: Array, rest: Array | None) -> Array:
    """Return numbers (n,) minus the first number, corrected by their rounding errors `rest` if given.

    >>> values = np.array([1700000000.0, 1700000000.01])
    >>> since_first(values, np.array([0.0, 9.53674316e-09]))
    array([0.  , 0.01])
    """
    with np.errstate(over="ignore"):
        difference = values - values[:1]
        return difference if rest is None else difference + (rest - rest[:1])

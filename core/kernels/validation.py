"""Validation of arguments: shapes, finiteness, unit length, axis sequences.

Public functions check their arguments once with these functions. Kernels check nothing.
"""

from __future__ import annotations

import math
from itertools import product
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.arguments import Array, as_array
from framescope.core.kernels.componentwise import common_shape

Sequence3 = tuple[int, int, int]

UNIT_TOLERANCE = 1e-6
"""Largest deviation of a direction from unit length."""

SEQUENCES: tuple[str, ...] = tuple(a + b + c for a, b, c in product("XYZ", repeat=3) if b not in (a, c))
"""The twelve axis sequences about axes of the moving frame."""


USUAL_SEQUENCE = "XYZ"
"""Axis sequence of a new rotation if nothing else is chosen."""

EXTRINSIC_SEQUENCES: tuple[str, ...] = tuple(name.lower() for name in SEQUENCES)
"""The twelve axis sequences about fixed axes."""

NO_ROTATION = (0, 0, 0, 1)
"""Quaternion of no rotation, scalar last: default guess for the sign of another quaternion."""

_NO_ROTATION = np.array(NO_ROTATION, dtype=np.float64)

_AXES: dict[str, Sequence3] = {
    s: ("XYZ".index(s[0]) + 1, "XYZ".index(s[1]) + 1, "XYZ".index(s[2]) + 1) for s in SEQUENCES
}
_VALID = frozenset(_AXES.values())


def as_columns(name: str, value: ArrayLike) -> Array:
    """Return vectors in columns, finite float64 (..., 3, n), or raise `ValueError`."""
    array = as_array(name, value)
    if array.ndim < 2 or array.shape[-2] != 3:
        raise ValueError(f"{name}: expected vectors as columns, shape (..., 3, n), got {array.shape}")
    return array


def as_unit(name: str, value: ArrayLike) -> Array:
    """Return a direction (..., 3) of unit length within 1e-6, or raise `ValueError`."""
    e = as_array(name, value, (3,))
    lengths = linear_algebra.length(e)
    worst = abs(lengths.item() - 1.0) if lengths.size == 1 else np.max(np.abs(lengths - 1.0), initial=0.0)
    if not worst <= UNIT_TOLERANCE:
        raise ValueError(f"{name}: expected unit length within {UNIT_TOLERANCE:g}, got a length off by {worst:.3g}")
    return e


def as_rates(name: str, value: ArrayLike) -> Array:
    """Return rates (..., 3), zeros for a plain 0, or raise `ValueError`."""
    is_none = value is not False and isinstance(value, Real) and value == 0
    return np.zeros(3) if is_none else as_array(name, value, (3,))


def as_guess(value: ArrayLike) -> Array:
    """Return a quaternion guess (..., 4), or raise `ValueError`; the default is returned without a check."""
    return _NO_ROTATION if value is NO_ROTATION else as_array("Q_guess", value, (4,))


def as_axis(axis: int) -> int:
    """Return a coordinate axis 1, 2 or 3, or raise `ValueError`."""
    if type(axis) is int and 1 <= axis <= 3:
        return axis
    is_number = np.ndim(axis) == 0 and not isinstance(axis, bool | np.bool_)
    if not is_number or axis not in (1, 2, 3):
        raise ValueError(f"axis: expected 1, 2 or 3, got {axis!r}")
    return int(axis)


def as_sequence(sequence: str | tuple[int, ...] | list[int]) -> Sequence3:
    """Return an axis sequence as three of 1, 2, 3, or raise `ValueError`.

    >>> as_sequence("ZYX")
    (3, 2, 1)
    """
    if isinstance(sequence, str) and sequence in _AXES:
        return _AXES[sequence]
    if type(sequence) is tuple and [type(axis) for axis in sequence] == [int, int, int] and sequence in _VALID:
        return sequence[0], sequence[1], sequence[2]
    axes = _axes_of(sequence)
    is_valid = len(axes) == 3 and all(axis in (1, 2, 3) for axis in axes)
    if not is_valid or axes[0] == axes[1] or axes[1] == axes[2]:
        message = f"sequence: expected three axes, neighbours different, such as 'XYZ' or (3, 1, 3), got {sequence!r}"
        raise ValueError(message)
    return int(axes[0]), int(axes[1]), int(axes[2])


def _axes_of(sequence: str | tuple[int, ...] | list[int]) -> tuple[int, ...]:
    """Return the axis numbers of a sequence, 0 for each entry that is not an axis."""
    if not isinstance(sequence, str):
        try:
            return tuple(0 if np.ndim(axis) or isinstance(axis, bool | np.bool_) else axis for axis in sequence)
        except TypeError:  # a number, None
            return ()
    if sequence.lower() == sequence and sequence.upper() in SEQUENCES:
        raise ValueError(
            f"sequence: {sequence!r} is extrinsic (lower case); axes of the moving frame are upper case,"
            f" and the extrinsic {sequence!r} is the intrinsic {sequence[::-1].upper()!r} with angles reversed"
        )
    return tuple("XYZ".find(letter) + 1 for letter in sequence)


def broadcast_leading(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the common leading shape, or raise `ValueError` naming the arguments that do not broadcast."""
    return common_shape(shapes, shapes.values())


def median(numbers: Array) -> float:
    """Return the median of finite numbers, NaN for none, without importing masked arrays as numpy's median does.

    Examples
    --------
    >>> median(np.array([5.0, 1.0, 2.0])), median(np.array([[4.0, 1.0], [2.0, 9.0]]))
    (2.0, 3.0)
    """
    if not np.size(numbers):
        return math.nan
    ordered = np.sort(numbers, axis=None)
    half = (len(ordered) - 1) / 2
    return 0.5 * float(ordered[math.floor(half)] + ordered[math.ceil(half)])


def read_only(array: Array) -> Array:
    """Return a read-only view of an array; the owner of the array can still change its numbers."""
    view = array.view()
    view.flags.writeable = False
    return view


def set_read_only(thing: object, **arrays: Array) -> None:
    """Set fields of a frozen dataclass to read-only views."""
    for name, array in arrays.items():
        object.__setattr__(thing, name, read_only(array))

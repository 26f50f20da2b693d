"""Bounds of numbers in a scene.

A file that violates a bound is still read, so that the user can correct it. Violations are problems of the items in the
file. Input fields reject values that violate a bound.
"""

# Values of any field pass through here; their types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from framescope.core.scene.schema.quantities import Quantity


@dataclass(frozen=True)
class Bound:
    """Bound of a number: the words for it, which follow "expected" in messages, and the check."""

    words: str
    holds: Callable[[float], bool]


POSITIVE = Bound("more than zero", lambda number: number > 0.0)
NOT_NEGATIVE = Bound("zero or more", lambda number: number >= 0.0)


def broken_bound(metadata: list[Any], value: object, before: object = None) -> Bound | None:
    """Return the first bound of a field that a value violates; None if the value is valid.

    Parameters
    ----------
    metadata
        Metadata of the model's field.
    value, before
        New and old value of the field. Unchanged numbers of a list are not checked, so that invalid numbers can be
        fixed one by one.

    Examples
    --------
    >>> broken_bound([POSITIVE], Quantity(-3.0, "cm")).words
    'more than zero'
    >>> broken_bound([POSITIVE], (1.0, -2.0), (3.0, -2.0)) is None
    True
    """
    known = _numbers(before)
    for bound in metadata:
        if not isinstance(bound, Bound):
            continue
        for i, number in enumerate(_numbers(value)):
            if not bound.holds(number) and known[i : i + 1] != [number]:
                return bound
    return None


def _numbers(value: Any) -> list[float]:
    """Return the numbers of a value: of a matrix the diagonal, of text nothing."""
    if isinstance(value, Quantity):
        return [value.value]
    if isinstance(value, tuple):
        rows = [row[i] if isinstance(row, tuple) else row for i, row in enumerate(value)]
        return [number for row in rows for number in _numbers(row)]
    return [float(value)] if isinstance(value, int | float) else []

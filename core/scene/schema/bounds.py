"""Bounds of numbers in a scene, beyond their type.

A file with others is read all the same, so that it stays editable; they are problems of its items, and no field takes
them.
"""

# Values of any field go through here: what they are made of is checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from framescope.core.scene.schema.quantities import Quantity


@dataclass(frozen=True)
class Bound:
    """Bound of numbers, in words as they follow "expected", and as a check."""

    words: str
    holds: Callable[[float], bool]


POSITIVE = Bound("more than zero", lambda number: number > 0.0)
NOT_NEGATIVE = Bound("zero or more", lambda number: number >= 0.0)


def broken_bound(metadata: list[Any], value: object, before: object = None) -> Bound | None:
    """Return which bound of a field a value does not keep; None where all is well.

    Parameters
    ----------
    metadata
        That of the field of the model.
    value, before
        What is checked, and what was there: a number that is as wrong as before is let through, so that others beside
        it can be mended one by one.

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
    """Return the numbers of a value: of a matrix those of its diagonal; none of text."""
    if isinstance(value, Quantity):
        return [value.value]
    if isinstance(value, tuple):
        rows = [row[i] if isinstance(row, tuple) else row for i, row in enumerate(value)]
        return [number for row in rows for number in _numbers(row)]
    return [float(value)] if isinstance(value, int | float) else []

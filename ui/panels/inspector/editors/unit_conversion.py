"""Conversion of authored quantities to another unit. Numbers are scaled, expressions get a factor."""

from __future__ import annotations

from typing import Any

from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.core.time_functions.expression_rewriting import scale_expression

_DIGITS = 12


def in_unit(quantity: Quantity, unit: str, dimension: str) -> Quantity:
    """Return a quantity in another unit. If its own unit is unknown, only the unit changes.

    >>> str(in_unit(Quantity(0.25, "m"), "mm", "length"))
    '250 mm'
    """
    factors = UNITS[dimension]
    if quantity.unit not in factors:
        return Quantity(quantity.value, unit)
    return Quantity(_times(quantity.value, factors[quantity.unit] / factors[unit]), unit)


def convert_value(value: Any, old: str | None, new: str, dimension: str) -> Any:
    """Convert numbers and expressions, in tuples of any depth, to another unit.

    >>> convert_value((1.0, "sin(t)"), "m", "mm", "length")
    (1000.0, '(sin(t))*1000')
    >>> convert_value("(sin(t))*180/pi", "deg", "rad", "angle")
    'sin(t)'
    """
    factors = UNITS.get(dimension, {})
    if old not in factors or new not in factors or value is None:
        return value
    if isinstance(value, tuple):
        return tuple(convert_value(part, old, new, dimension) for part in value)
    if isinstance(value, str):
        return scale_expression(value, factors[old] / factors[new])
    return _times(float(value), factors[old] / factors[new])


def _times(value: float, factor: float) -> float:
    return float(f"{value * factor:.{_DIGITS}g}") + 0.0

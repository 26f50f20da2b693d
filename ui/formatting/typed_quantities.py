"""Parsing of typed numbers and expressions with a unit after them, such as ``3 cm``. Pure: imports no Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from framescope.core.scene.schema.quantities import UNITS, meant_unit
from framescope.core.time_functions.jets import FUNCTIONS
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.typed_signals import may_be_radians

_WITH_UNIT = re.compile(r"(.*?(?:[\d.)]|\w(?=\s)))\s*((?!e[-+]?\d)[A-Za-z°º'µμ][\w°/^ ²·⋅*⁻¹−-]*)\Z", re.IGNORECASE)
_CONSTANTS = {"t", "pi", "tau", "e"}


def split_quantity(text: str, dimension: str, parameters: Mapping[str, float] | None = None) -> tuple[str, str]:
    """Split a text into a number or expression and its unit, which is ``""`` if missing.

    Parameters
    ----------
    text : str
        The typed text.
    dimension : str
        A key of `UNITS`; empty for a number without a unit.
    parameters : mapping, optional
        Names that an expression may contain. They are no units.

    Raises
    ------
    ValueError
        If the unit is unknown or of another dimension, with the units that fit.

    Examples
    --------
    >>> split_quantity("3 cm", "length"), split_quantity("1e-3", "length"), split_quantity("2*t  metres", "length")
    (('3', 'cm'), ('1e-3', ''), ('2*t', 'm'))
    >>> split_quantity("3 kg", "length")
    Traceback (most recent call last):
    ...
    ValueError: kg is a unit of mass, not of length. Use m, cm, mm, km, um, in, ft.
    """
    text = text.strip()
    match = _WITH_UNIT.match(text) if dimension else None
    if match is None:
        return text, ""
    number, written = match[1].strip(), match[2].strip()
    names = {*_CONSTANTS, *FUNCTIONS, *(parameters or {})}
    if written.split()[0] in names - UNITS[dimension].keys():
        return text, ""
    unit = meant_unit(written, UNITS[dimension])
    if unit is not None:
        return number, unit
    other = next((name for name, units in UNITS.items() if meant_unit(written, units)), "")
    fault = f"{written} is a unit of {other}, not of {dimension}." if other else f"{written} is no unit of {dimension}."
    fitting = dict.fromkeys(map(unit_text, UNITS[dimension]))
    raise ValueError(f"{fault} Use {', '.join(fitting)}.")


def unit_of_text(shown: str) -> tuple[str, str]:
    """Return a unit of the window as a unit of a scene, and its dimension; empty for any other text.

    >>> unit_of_text("°/s"), unit_of_text("ms"), unit_of_text("rows")
    (('deg/s', 'angular velocity'), ('ms', 'time'), ('', ''))
    """
    pairs = ((unit, dimension) for dimension, units in UNITS.items() for unit in units if unit_text(unit) == shown)
    return next(pairs, ("", ""))


def number_in_unit(text: str, unit: str, dimension: str) -> float:
    """Parse a number, with its own unit or none, and return it in `unit`.

    Without a unit, an angle or a rate with pi is in radians, as in `parse_angle_deg`.

    >>> number_in_unit("3 cm", "m", "length"), number_in_unit("1/4", "m", "length")
    (0.03, 0.25)
    """
    if dimension == "angle" and unit in ("deg", "rad"):
        degrees = number_text.parse_angle_deg(text, unit)
        return degrees if unit == "deg" else float(f"{math.radians(degrees):.12g}")
    plain, typed = split_quantity(text, dimension)
    if dimension == "angular velocity" and not typed and may_be_radians(plain):
        typed = "rad/s"
    number = number_text.parse_number(plain)
    factors = UNITS.get(dimension, {})
    if not typed:
        return number
    if unit not in factors:
        raise ValueError("The unit of this field is not known. Choose it first.")
    return float(f"{number * (factors[typed] / factors[unit]):.12g}")

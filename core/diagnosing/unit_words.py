"""Units that a person has written in another way than a scene has them."""

from __future__ import annotations

from framescope.core.scene.quantities import UNITS

_PARTS = {
    "degree": "deg", "degrees": "deg", "°": "deg", "º": "deg", "radian": "rad", "radians": "rad", "rads": "rad",
    "turns": "turn", "rev": "turn", "revolution": "turn", "revolutions": "turn",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "millimeter": "mm", "millimeters": "mm",
    "millimetre": "mm", "millimetres": "mm", "centimeter": "cm", "centimeters": "cm", "centimetre": "cm",
    "centimetres": "cm", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisecond": "ms", "milliseconds": "ms",
    "usec": "us", "µs": "us", "μs": "us", "microseconds": "us", "nsec": "ns", "nanoseconds": "ns", "minutes": "min",
    "hertz": "Hz", "newton": "N", "newtons": "N", "kilogram": "kg", "kilograms": "kg", "gram": "g", "grams": "g",
    "joule": "J", "joules": "J", "s^2": "s²", "s**2": "s²", "sec^2": "s²", "sec2": "s²", "sec²": "s²", "m^2": "m²",
}  # fmt: skip

KNOWN = frozenset(unit for units in UNITS.values() for unit in units)


def meant_unit(written: str) -> str | None:
    """Return the one unit that is meant, or None where it is not clear.

    >>> meant_unit("degrees"), meant_unit("Deg"), meant_unit("degrees/sec"), meant_unit("m/s^2"), meant_unit("furlong")
    ('deg', 'deg', 'deg/s', 'm/s²', None)
    """
    words = "/".join(_PARTS.get(part.strip().casefold(), part.strip()) for part in written.split("/"))
    if words in KNOWN:
        return words
    folded = {unit for unit in KNOWN if unit.casefold() == words.casefold()}
    return folded.pop() if len(folded) == 1 else None

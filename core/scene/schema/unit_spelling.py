"""Units that a person has written in another way than a scene has them."""

from __future__ import annotations

from collections.abc import Collection

from framescope.core.errors import did_you_mean

_PARTS = {
    "degree": "deg", "degrees": "deg", "°": "deg", "º": "deg", "radian": "rad", "radians": "rad", "rads": "rad",
    "milliradian": "mrad", "milliradians": "mrad",
    "turns": "turn", "rev": "turn", "revolution": "turn", "revolutions": "turn",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "millimeter": "mm", "millimeters": "mm",
    "millimetre": "mm", "millimetres": "mm", "centimeter": "cm", "centimeters": "cm", "centimetre": "cm",
    "centimetres": "cm", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km",
    "µm": "um", "μm": "um", "micron": "um", "microns": "um", "micrometer": "um", "micrometers": "um",
    "micrometre": "um", "micrometres": "um", "inch": "in", "inches": "in",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisecond": "ms", "milliseconds": "ms",
    "usec": "us", "µs": "us", "μs": "us", "microseconds": "us", "nsec": "ns", "nanoseconds": "ns", "minutes": "min",
    "hertz": "Hz", "newton": "N", "newtons": "N", "kilogram": "kg", "kilograms": "kg", "gram": "g", "grams": "g",
    "joule": "J", "joules": "J", "s^2": "s²", "s**2": "s²", "sec^2": "s²", "sec2": "s²", "sec²": "s²", "m^2": "m²",
}  # fmt: skip

_PREFIXES = ("n", "u", "µ", "μ", "m", "c", "d", "h", "k", "M", "G", "T")


def meant_unit(written: str, known: Collection[str]) -> str | None:
    """Return the one of the known units that is meant, or None where it is not clear.

    >>> lengths, rates = ("m", "mm", "km"), ("rad/s", "deg/s")
    >>> meant_unit("metres", lengths), meant_unit("MM", lengths), meant_unit("degrees/sec", rates)
    ('m', 'mm', 'deg/s')
    >>> meant_unit("furlong", lengths), meant_unit("Mm", lengths), meant_unit("deg", lengths)
    (None, None, None)
    """
    words = _in_usual_words(written)
    if words in known:
        return words
    if _is_of_another_size(words, known):
        return None
    folded = {unit for unit in known if unit.casefold() == words.casefold()}
    return folded.pop() if len(folded) == 1 else None


def hint_for_unit(written: str, known: Collection[str]) -> str:
    """Return which unit is meant, else the ones there are; never a unit of another size.

    >>> hint_for_unit("degs", ("rad", "deg")), hint_for_unit("mHz", ("Hz", "kHz"))
    ('Did you mean "deg"?', 'Use one of: Hz, kHz.')
    """
    meant = meant_unit(written, known)
    if meant is not None:
        return f'Did you mean "{meant}"?'
    if _is_of_another_size(_in_usual_words(written), known):
        return f"Use one of: {', '.join(known)}."
    return did_you_mean(written, known)


def _in_usual_words(written: str) -> str:
    return "/".join(_PARTS.get(part.strip().casefold(), part.strip()) for part in written.split("/"))


def _is_of_another_size(words: str, known: Collection[str]) -> bool:
    """Return whether it is a known unit but for a prefix: what is a thousand times as large is no slip of the hand."""
    parts, folded = words.split("/"), {unit.casefold() for unit in known}
    for i, part in enumerate(parts):
        if part.startswith(_PREFIXES) and "/".join((*parts[:i], part[1:], *parts[i + 1 :])).casefold() in folded:
            return words.casefold() not in folded or part[1:] in known
    return False

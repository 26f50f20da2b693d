"""Parsing of typed times. Pure: imports no Qt."""

import re

from framescope.ui.formatting import number_text

_UNITS = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6}
_UNIT = re.compile(r"(?<![a-zµμ])(h|min|ms|us|µs|μs|s)\s*\Z")
_HINT = "Try 1.5, 250 ms or 1:30."


def parse_seconds(text: str) -> float:
    """Parse a typed time and return seconds.

    Parameters
    ----------
    text : str
        A number or a little arithmetic, in seconds unless a unit follows (h, min, s, ms, us), or minutes and seconds
        with a colon.

    Raises
    ------
    ValueError
        With a sentence for the user, and a hint on what to try instead.

    Examples
    --------
    >>> parse_seconds("1,5"), parse_seconds("250 ms"), parse_seconds("1:30"), parse_seconds("1/4 min")
    (1.5, 0.25, 90.0, 15.0)
    """
    plain = text.strip()
    if plain.count(":") == 1:
        minutes, seconds = (_number(part) for part in plain.split(":"))
        return 60.0 * minutes + (-seconds if minutes < 0 or plain.startswith(("-", number_text.MINUS)) else seconds)
    unit = _UNIT.search(plain)
    factor = _UNITS[unit[1]] if unit else 1.0
    value = _number(plain[: unit.start()] if unit else plain)
    # Rounded to remove digits of the conversion: 1.1 ms are 0.0011 s.
    return value if factor == 1.0 else round(value * factor, 12)


def _number(text: str) -> float:
    try:
        return number_text.parse_number(text)
    except ValueError:
        raise ValueError(f"This is no time. {_HINT}") from None

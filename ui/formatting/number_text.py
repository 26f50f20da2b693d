"""Numbers as text and text as numbers. Pure: imports no Qt.

Read-outs have fixed decimals, a true minus sign and never a negative zero. Typed text may contain a unit and a little
arithmetic (`30deg`, `pi/6`, `0,5236 rad`). Typed text is never evaluated as code.
"""

import math
import re

from framescope.ui.formatting.arithmetic import evaluate

MINUS = "\N{MINUS SIGN}"
MULTIPLY = "\N{MULTIPLICATION SIGN}"
# Displayed for a missing number.
MISSING = "\N{EN DASH}"

# Value above which the digits before the point would exceed any column.
_LARGE = 1e9

# Playing speeds, slowest first.
SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)

# Degrees per unit.
_UNIT_DEG = {
    "deg": 1.0,
    "degree": 1.0,
    "degrees": 1.0,
    "°": 1.0,
    "rad": 180.0 / math.pi,
    "radian": 180.0 / math.pi,
    "radians": 180.0 / math.pi,
    "turn": 360.0,
    "turns": 360.0,
    "rev": 360.0,
}
_UNIT = re.compile(r"(°|(?<![a-z])(?:degrees|degree|deg|radians|radian|rad|turns|turn|rev))\s*$", re.IGNORECASE)

_ANGLE_HINT = "Try pi/6, 30deg or 0.5236 rad."
_NUMBER_HINT = "Try 0.5, 1e-3 or sqrt(2)/2."


def fixed(value: float, decimals: int = 4) -> str:
    """Format a number with fixed decimals.

    Parameters
    ----------
    value : float
        Any number; NaN gives a dash, an infinite number an infinity sign.
    decimals : int
        Digits after the point: 4 by default, 2 for degrees, 3 if four numbers share a row, 1 in the scene.

    Examples
    --------
    >>> fixed(0.5), fixed(-0.00001), fixed(-44.98, 2)
    ('0.5000', '0.0000', '−44.98')
    """
    if _LARGE <= abs(value) < math.inf:
        return scientific(value, decimals)
    return _finish(value, f"{value:.{decimals}f}")


def degrees(value_deg: float, decimals: int = 2) -> str:
    """
    Format an angle or a rate that is already in degrees, without its unit.

    Examples
    --------
    >>> degrees(-133.14)
    '−133.14'
    """
    return fixed(value_deg, decimals)


def scientific(value: float, decimals: int = 1) -> str:
    """Format a small or large number with an exponent, as used for residues.

    Examples
    --------
    >>> scientific(2.22e-16), scientific(0.0)
    ('2.2e−16', '0.0')
    """
    if value == 0:
        return fixed(0.0, decimals)
    mantissa, _, exponent = f"{value:.{decimals}e}".partition("e")
    return _finish(value, f"{mantissa}e{int(exponent)}") if exponent else _finish(value, mantissa)


def full(value: float) -> str:
    """
    Format a number at full precision in plain ASCII, for copying.

    Examples
    --------
    >>> full(0.1), full(-0.0), full(3.0)
    ('0.1', '0.0', '3.0')
    """
    return repr(float(value) + 0.0)


def seconds(t: float) -> str:
    """
    Format a time for the timeline.

    Examples
    --------
    >>> seconds(26.4)
    '26.40'
    """
    return fixed(t, 2)


def speed(factor: float) -> str:
    """
    Format a playing speed.

    Examples
    --------
    >>> speed(0.5), speed(0.01), speed(10.0), speed(1.5)
    ('½×', '1/100×', '10×', '1.5×')
    """
    if factor == 0.5:
        return "½" + MULTIPLY
    inverse = 1 / factor
    if factor < 1 and math.isclose(inverse, round(inverse)):
        return f"1/{round(inverse)}{MULTIPLY}"
    return f"{factor:g}{MULTIPLY}"


def turn_mark(turn: int) -> str:
    """
    Format the mark of an angle beyond half a turn; empty within it.

    Examples
    --------
    >>> turn_mark(1), turn_mark(-2), turn_mark(0)
    ('+1', '−2', '')
    """
    return f"{turn:+d}".replace("-", MINUS) if turn else ""


def parse_number(text: str) -> float:
    """Parse a typed number: digits with point or comma, or a little arithmetic.

    Raises
    ------
    ValueError
        With a sentence for the user, and a hint on what to try instead.

    Examples
    --------
    >>> parse_number("-1,5"), parse_number("sqrt(4)/4")
    (-1.5, 0.5)
    """
    return evaluate(_plain(text), _NUMBER_HINT)


def parse_angle_deg(text: str, default_unit: str = "deg") -> float:
    """Parse a typed angle and return degrees.

    Parameters
    ----------
    text : str
        A number or a little arithmetic, with or without a unit: `30deg`, `30°`, `0.5236 rad`, `1/4 turn`, `pi/6`.
        Without a unit, a text with pi or tau is in radians, any other text in the default unit.
    default_unit : str
        `deg` or `rad`: the unit of the field.

    Raises
    ------
    ValueError
        With a sentence for the user, and a hint on what to try instead.

    Examples
    --------
    >>> parse_angle_deg("30"), parse_angle_deg("pi/6"), parse_angle_deg("0,5 turn")
    (30.0, 30.0, 180.0)
    """
    plain = _plain(text)
    unit = _UNIT.search(plain)
    if unit:
        scale = _UNIT_DEG[unit.group(1).lower()]
        plain = plain[: unit.start()]
    else:
        scale = _UNIT_DEG["rad" if re.search("pi|tau", plain.lower()) else default_unit]
    if any(word in plain.lower() for word in ("deg", "rad", "turn", "°")):
        raise ValueError(f"One unit, at the end. {_ANGLE_HINT}")
    # Rounded to remove digits of the conversion: pi/6 is 30 degrees, not 29.999999999999996.
    value = evaluate(plain, _ANGLE_HINT) * scale
    if math.isinf(value):
        raise ValueError(f"The number is too large. {_ANGLE_HINT}")
    return value if scale == 1.0 else round(value, 12)


def wrap_deg(value_deg: float) -> tuple[float, int]:
    """Split an angle into the part within [-180, 180] and full turns; half a turn counts to the turn nearer zero.

    Examples
    --------
    >>> wrap_deg(200.0), wrap_deg(180.0), wrap_deg(-180.0), wrap_deg(-540.0)
    ((-160.0, 1), (180.0, 0), (-180.0, 0), (-180.0, -1))
    """
    turn = math.ceil((abs(value_deg) - 180.0) / 360.0) * (-1 if value_deg < 0 else 1)
    return value_deg - 360.0 * turn, turn


def _finish(value: float, text: str) -> str:
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    if text.startswith("-") and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return text.replace("-", MINUS)


def _plain(text: str) -> str:
    """Replace typographic signs and a decimal comma by plain ones; brackets keep 1½ from being read as 10.5."""
    signs = str.maketrans({MINUS: "-", MULTIPLY: "*", "·": "*", "÷": "/", "π": "pi", "½": "(0.5)", "º": "°"})
    plain = text.translate(signs).strip()
    # One comma between digits is a decimal comma; there are no thousands separators, nor functions of two arguments.
    return re.sub(r"(?<=\d),(?=\d)", ".", plain)

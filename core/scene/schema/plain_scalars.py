"""Values of scalars without quotes in scene files: numbers and words of YAML 1.2, all else text."""

from __future__ import annotations

import math
import re
from typing import Any

_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}


def plain_scalar(text: str) -> Any:
    """Return the value of a scalar without quotes.

    >>> plain_scalar("1e-3"), plain_scalar("no"), plain_scalar("true"), plain_scalar("5 deg")
    (0.001, 'no', True, '5 deg')
    """
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text) and len(text) < 20:
        return int(text)
    return float(text) if _FLOAT.match(text) else text


def number_text(value: float) -> str:
    """Format a number as text that reads back to the same bits; whole numbers have no decimal point.

    >>> number_text(2.0), number_text(0.1), number_text(-0.0), number_text(1e-300)
    ('2', '0.1', '-0.0', '1e-300')
    """
    is_short = value.is_integer() and abs(value) < 1e15 and not (value == 0.0 and math.copysign(1.0, value) < 0.0)
    return repr(int(value)) if is_short else repr(value)

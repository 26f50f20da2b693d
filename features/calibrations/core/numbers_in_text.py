"""Numbers of a text: written with all their digits, and replaced in place with all else kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from framescope.features.calibrations.core.calibration import CalibrationError

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
"""A number in a text, with no letter, digit or point directly before or after it."""

_COMMENT = re.compile(r"(?<!\S)#[^\n]*|<!--.*?(?:-->|\Z)", re.DOTALL)

SAME = 1e-12
"""Relative difference up to which a number in a text stays as it is written."""


def number_text(value: float) -> str:
    """Return a number with all its digits, the shortest text that reads back to the same bits.

    >>> number_text(0.1), number_text(-0.0), number_text(3.0)
    ('0.1', '0.0', '3.0')
    """
    return repr(float(value) + 0.0)


def new_number(old: str, value: float, what: str) -> str:
    """Return the text of a number that replaces an old one; the old text if they are equal.

    >>> new_number("1.00", 1.0, "T"), new_number("2", 2.5, "T")
    ('1.00', '2.5')
    """
    try:
        number = float(old)
    except ValueError:
        raise CalibrationError(f"{what}: expected a number in the file, got {old[:40]!r}.") from None
    return old if abs(number - value) <= SAME * max(1.0, abs(number)) else number_text(value)


def replace_numbers(text: str, start: int, values: Sequence[float], what: str) -> str:
    """Return a text whose first numbers from a place on have other values; equal numbers stay as they are written.

    Numbers in comments, from ``#`` to the end of the line or in ``<!-- -->``, stay too.

    Parameters
    ----------
    text
        Text of the file.
    start
        Place of the first number or before it, after the name of the entry.
    values
        New values of the next numbers.
    what
        Name of the entry, for the error.

    Raises
    ------
    CalibrationError
        When fewer numbers follow.

    Examples
    --------
    >>> replace_numbers("T: [1.00, 2, 3]  # m", 2, [1.0, 2.5, 3.0], "T")
    'T: [1.00, 2.5, 3]  # m'
    """
    parts, end = [text[:start]], start
    comments = _COMMENT.finditer(text, start)
    comment = next(comments, None)
    for value in values:
        match = NUMBER.search(text, end)
        while match is not None and comment is not None and comment.start() < match.start():
            match = NUMBER.search(text, max(match.start(), comment.end()))
            comment = next(comments, None)
        if match is None:
            raise CalibrationError(f"{what}: expected {len(values)} numbers in the file.")
        parts += [text[end : match.start()], new_number(match[0], value, what)]
        end = match.end()
    return "".join([*parts, text[end:]])

"""Cells of text tables: their separator, and numbers in common notations."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from framescope.core.recordings.tables.iso_timestamps import is_stamp

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_FORTRAN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))[dD]([+-]?\d+)", re.ASCII)
_COMMA = re.compile(r"[+-]?\d*,\d+([eEdD][+-]?\d+)?", re.ASCII)
_GROUPED = (
    re.compile(r"([+-]?\d{1,3}(?:,\d{3})+)(\.\d*)|([+-]?\d{1,3}(?:,\d{3}){2,})", re.ASCII),
    re.compile(r"([+-]?\d{1,3}(?:\.\d{3})+)(,\d*)|([+-]?\d{1,3}(?:\.\d{3}){2,})", re.ASCII),
    re.compile(r"([+-]?\d{1,3}(?:[ '\u2019]\d{3})+)([.,]\d*)?()", re.ASCII),
)
"""Patterns of numbers whose commas, points, blanks or apostrophes can only separate thousands."""
_MARKS = re.compile(r"[0-9](?:[,.][0-9]{3}[,.]|[ '\u2019][0-9]{3})")
_MAYBE_GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}\{mark}\d{{3}}", re.ASCII) for mark in ",."}
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)

MISSING = frozenset(
    {
        "", "na", "n/a", "n.a.", "#n/a", "#na", "<na>", "null", "nil", "none", "-", "--", "---", "?", "*", ".",
        "missing", "void", "invalid", "undefined", "undef", "#value!", "#num!", "#div/0!", "#ref!", "#null!",
        "nan", "+nan", "-nan", "nan(ind)", "-nan(ind)", "nan(snan)", "-nan(snan)", "qnan", "snan", "not a number",
        "1.#qnan", "-1.#qnan", "1.#ind", "-1.#ind", "1.#nan", "-1.#nan", "1.#snan", "no data", "nodata", "lost", "nat",
    }
)  # fmt: skip
"""Texts of cells without a number, in lower case."""

LEAST_NUMBERS, MOST_WORDS = 5, 3
"""Smallest ratio of numbers to words for missing numbers in a column, and largest number of such words."""

HASHED = re.compile(r"[+-]?1\.#(?:qnan|snan|ind|nan|inf)\w*|#(?:n/a|na\b|value!|num!|div/0!|ref!|null!)", re.IGNORECASE)
"""Pattern of texts for missing numbers whose # does not begin a comment."""


def separator_of(line: str) -> str | None:
    r"""Return the separator of the cells of a line, None for any white space.

    >>> separator_of("1,5;2,5"), separator_of("1, 2"), separator_of("1 2"), separator_of("1,5\t2,5")
    (';', ',', None, '\t')
    """
    if "\t" in line and ";" not in line:
        tabbed = [cell.strip() for cell in line.split("\t")]
        if all(has_decimal_comma(cell) or is_number(cell) or is_blank(cell) or is_stamp(cell) for cell in tabbed):
            return _tab_or_blank(line)
    if "," in line and ";" not in line:
        blank = line.split()
        if len(blank) > 1 and all(has_decimal_comma(cell) or _WHOLE.fullmatch(cell) for cell in blank):
            return None
    mark_in_line = next((mark for mark in ";,\t|" if mark in line), None)
    return _tab_or_blank(line) if mark_in_line == "\t" else mark_in_line


def _tab_or_blank(line: str) -> str | None:
    parts = map(str.strip, line.split("\t"))
    has_blanks = any(" " in cell and not is_stamp(cell) and not is_blank(cell) for cell in parts)
    return None if has_blanks else "\t"


def cells_of(line: str, separator: str | None) -> list[str]:
    """Split a line into cells without surrounding blanks."""
    if separator is None:
        return line.split()
    if separator == "|" and line.startswith("|") and line.rstrip().endswith("|"):
        line = line.rstrip()[1:-1]  # border of the table
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]


def numbers_in(cell: str) -> list[str]:
    """Return the numbers of a vector in brackets, as Unity writes it; an empty list for any other cell.

    >>> numbers_in("(1.0, -2, 3)"), numbers_in("[1 2]"), numbers_in("(a, 1)"), numbers_in("1.5")
    (['1.0', '-2', '3'], ['1', '2'], [], [])
    """
    if cell[:1] + cell[-1:] not in ("()", "[]", "{}"):
        return []
    parts = re.split(r"[,;\s]+", cell[1:-1].strip())
    return parts if len(parts) > 1 and all(map(is_number, parts)) else []


def is_number(cell: str) -> bool:
    """Return whether a cell is a number in C or Fortran notation, finite or not.

    >>> is_number("1.5D+02"), is_number("nan"), is_number("1,5")
    (True, True, False)
    """
    return bool(_NUMBER.fullmatch(cell) or _NOT_FINITE.fullmatch(cell) or _FORTRAN.fullmatch(cell))


def is_plain_number(cell: str) -> bool:
    """Return whether a cell has the form of a finite number in C notation."""
    return _NUMBER.fullmatch(cell) is not None


def is_not_finite(cell: str) -> bool:
    """Return whether a cell is a word for NaN or infinity."""
    return _NOT_FINITE.fullmatch(cell) is not None


def is_blank(cell: str) -> bool:
    """Return whether a cell marks a missing number."""
    return cell.lower() in MISSING


def without_words(cells: Sequence[str]) -> tuple[list[str], tuple[str, ...]] | None:
    """Replace a few words among numbers by ``nan``, and return the cells and the words; None for too many words.

    >>> without_words(["1", "2", "3", "4", "5", "off"])
    (['1', '2', '3', '4', '5', 'nan'], ('off',))
    >>> without_words(["1", "a", "b"]) is None
    True
    """
    words = [cell for cell in cells if not is_number(cell)]
    different = tuple(dict.fromkeys(words))
    if len(cells) < LEAST_NUMBERS * len(words) or len(different) > MOST_WORDS:
        return None
    if any(any(map(str.isdigit, word)) for word in different):
        return None
    return [cell if is_number(cell) else "nan" for cell in cells], different


def has_decimal_comma(cell: str) -> bool:
    """Return whether a cell is a number with a decimal comma."""
    return _COMMA.fullmatch(cell) is not None


def is_maybe_grouped(cell: str, mark: str) -> bool:
    """Return whether the only comma or point of a number may separate thousands.

    >>> is_maybe_grouped("1,234", ","), is_maybe_grouped("0,234", ","), is_maybe_grouped("1.5", ".")
    (True, False, False)
    """
    return _MAYBE_GROUPED[mark].fullmatch(cell) is not None


def remove_grouping(cell: str) -> str:
    """Remove the marks between thousands from a number, and use a decimal point.

    >>> [remove_grouping(cell) for cell in ("1,234.5", "-1.234,5", "1 234,5", "1,234,567", "1,234")]
    ['1234.5', '-1234.5', '1234.5', '1234567', '1,234']
    """
    for pattern in _GROUPED:
        if match := pattern.fullmatch(cell):
            whole = re.sub(r"[,. '\u2019]", "", match[1] or match[3])
            return whole + (match[2] or "").replace(",", ".")
    return cell


def plain_cells(cells: Sequence[str], *, has_comma: bool) -> list[str]:
    """Convert numbers in cells to C notation, and missing numbers to ``nan``.

    >>> plain_cells(["1,5", "2.5D-3", "#N/A", "x"], has_comma=True)
    ['1.5', '2.5e-3', 'nan', 'x']
    """
    plain = ["nan" if cell.lower() in MISSING else cell for cell in cells]
    if any(
        len(cell) > 4 and not cell.isdigit() and sum(map(cell.count, ",. '\u2019")) > (" " not in cell)
        for cell in plain
    ):
        plain = list(map(remove_grouping, plain))
    if not has_comma and any("," in cell for cell in plain):
        plain = [cell.replace(",", "") if is_maybe_grouped(cell, ",") else cell for cell in plain]
    if has_comma:
        plain = [cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell for cell in plain]
    if any("d" in cell or "D" in cell for cell in plain):
        plain = [_FORTRAN.sub(r"\1e\2", cell) if _FORTRAN.fullmatch(cell) else cell for cell in plain]
    return plain

"""Rows of numbers in a text, such as pasted samples: one a line in any brackets, or matrices over several lines."""

from __future__ import annotations

import re

import numpy as np

from framescope.core.errors import FramescopeError, counted
from framescope.core.kernels.validation import Array
from framescope.core.readings.bare_numbers import number_blocks, numerals
from framescope.core.readings.numerals import read_any_numeral, with_points

NEAR = 0.02
"""Largest deviation of three rows from a rotation matrix, as the largest element of ``M Mᵀ - 1``."""

LONG = 20_000
"""Number of characters from which a plain table is read by NumPy, a hundred times as fast."""

_OTHER = re.compile(r"[^\d\s.,eE+\-]")

MATRICES = {(3, 3): 9, (3, 4): 12, (4, 4): 16}
"""Numbers of a matrix of a rotation or a pose, by its count of rows and columns."""


class RowsError(FramescopeError, ValueError):
    """Error of a text whose rows have different counts of numbers, with the line number."""


def read_rows(text: str) -> Array | None:
    r"""Return the rows of numbers (n, k) of a text; None if it has no numbers.

    Numbers that are not finite keep their place. Lines of three or four numbers that are rotations or poses, three or
    four lines each, are rows of 9, 12 or 16 numbers.

    Raises
    ------
    RowsError
        When rows have different counts of numbers.

    Examples
    --------
    >>> read_rows("1 2 3\n4 nan 6")
    array([[ 1.,  2.,  3.],
           [ 4., nan,  6.]])
    >>> read_rows("[[0, -1, 0], [1, 0, 0], [0, 0, 1]]").shape
    (1, 9)
    """
    text = with_points(text.replace("\N{MINUS SIGN}", "-"))
    if len(text) > LONG and not _OTHER.search(text):
        return _of_plain_lines(text)
    blocks = number_blocks(text, read_any_numeral)
    if not blocks:
        return None
    _refuse_ragged(text)
    groups = [_with_matrices(np.array(block.rows, dtype=float)) for block in blocks]
    for i, rows in enumerate(groups, 1):
        n, before = rows.shape[1], groups[0].shape[1]
        if n != before:
            raise RowsError(f"group {i} of numbers has {counted(n, 'number')}, those before have {before}.")
    return np.concatenate(groups)


def _of_plain_lines(text: str) -> Array:
    """Return the rows of a text of nothing but numbers, spaces and commas."""
    lines = [(i, words) for i, line in enumerate(text.split("\n"), 1) if (words := line.replace(",", " ").split())]
    width = len(lines[0][1])
    for i, words in lines:
        if len(words) != width:
            raise RowsError(f"line {i} has {counted(len(words), 'number')}, those before have {width}.")
    try:
        rows = np.array([words for _, words in lines], dtype=float)
    except ValueError as error:
        raise RowsError(f"{error}.") from None
    return _with_matrices(rows)


def _with_matrices(rows: Array) -> Array:
    """Return rows (n, k), those of matrices of rotations or poses joined."""
    n, width = np.shape(rows)
    for height in (3, 4):
        if (height, width) not in MATRICES or n % height:
            continue
        M = rows.reshape(-1, height, width)
        rotations = M[:, :3, :3]
        with np.errstate(invalid="ignore"):
            is_near = bool(np.abs(rotations @ np.swapaxes(rotations, 1, 2) - np.eye(3)).max() < NEAR)
        if is_near or (n == height and width == 3 and not np.isfinite(M).all()):
            return M.reshape(len(M), -1)
    return rows


def _refuse_ragged(text: str) -> None:
    """Raise an error if brackets or lines of numbers have different counts, which would be read as one row."""
    inner = re.findall(r"\[([^\[\]]*)\]", text)
    widths = {len(numbers) for part in inner if (numbers := numerals(part, read_any_numeral))}
    if len(widths) > 1:
        raise RowsError("rows in brackets have different counts of numbers.")
    first = 0
    for i, line in enumerate(text.splitlines(), 1):
        n = len(numerals(line, read_any_numeral) or ())
        if n and first and n != first:
            raise RowsError(f"line {i} has {counted(n, 'number')}, those before have {first}.")
        first = first or n

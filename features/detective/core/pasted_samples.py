"""Samples from pasted text: a table, one sample per line in any brackets, or matrices over several lines."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import mixed_from_text
from framescope.features.detective.core.samples import POSES, WIDTHS, Samples, samples_of

MAX_LENGTH = 20_000_000
"""Largest number of characters of a text."""

ROUGHLY = 0.02
"""Largest deviation of three rows from a rotation matrix, as the largest element of ``M Mᵀ - 1``."""

_NUMBER = re.compile(
    r"(?<![\w.])[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?i:(?:np\.|numpy\.|math\.)?(?:nan|inf(?:inity)?)))"
    r"(?![\w.]*\w)"
)
"""Pattern of a number; NaN and infinity match, too, so that they keep their place in the sample."""

_COMMENT = re.compile(r"(?://|#|%).*")
_GLUED_UNIT = re.compile(r"(?<=[\d.])\s*(?:°|deg\b|rad\b)")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_EXPECTED = "One sample a line: 3 angles, 4 numbers of a quaternion, or 9 of a matrix; a time may stand before."


def read_pasted_samples(text: str, label: str = "pasted") -> Samples:
    r"""Return the orientations in a text.

    Parameters
    ----------
    text
        Table with or without header, lines such as ``[0, 0, 0.6, 0.8]``, matrices in brackets over any number of
        lines, or lines of code: the numbers of each line are one sample.
    label
        Name of the samples.

    Raises
    ------
    TableError
        When the text has no orientations, or lines with different counts of numbers, with the line number.

    Examples
    --------
    >>> read_pasted_samples("10 20 30 deg\n11 21 31 deg").numbers
    array([[10., 20., 30.],
           [11., 21., 31.]])
    >>> read_pasted_samples("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]").numbers.shape
    (1, 9)
    """
    if len(text) > MAX_LENGTH:
        raise TableError("the text is longer than 20 million characters.", "Save it as a file and choose that.")
    text = text.replace("\N{MINUS SIGN}", "-")
    if not text.strip():
        raise TableError("nothing is pasted yet.", _EXPECTED)
    rows = _of_brackets(text)
    if rows is None:
        return _of_lines(text, label)
    return Samples(rows, None, label, _message(len(rows), rows.shape[1]))


# --- Lines


def _of_lines(text: str, label: str) -> Samples:
    lines = [(i, line) for i, line in enumerate(map(_plain, text.splitlines()), 1) if line.strip()]
    header = [line for _, line in lines[:1] if not _NUMBER.search(line)]
    if header and len(lines) > 1 and len(re.split(r"[,;\t ]+", header[0].strip())) > 2:
        return samples_of(mixed_from_text(label, text), label)
    rows: list[list[float]] = []
    for i, line in lines:
        numbers = _numbers(line)
        if not numbers:
            continue  # words before the numbers
        if rows and len(numbers) != len(rows[0]):
            raise TableError(
                f"line {i} has {counted(len(numbers), 'number')}, those before have {len(rows[0])}.", _EXPECTED
            )
        rows.append(numbers)
    if not rows:
        raise TableError("there are no numbers in the text.", _EXPECTED)
    block = np.array(rows)
    if _is_matrix_lines(block, text):
        block = block.reshape(-1, 9)
    elif block.shape[1] not in (*WIDTHS, *POSES, *(n + 1 for n in (*WIDTHS, *POSES)), 8):
        raise TableError(
            f"each line has {counted(block.shape[1], 'number')}, which is no form of an orientation.", _EXPECTED
        )
    table = mixed_from_text(label, "\n".join(" ".join(map(repr, row)) for row in block.tolist()))
    samples = samples_of(table, label)
    return replace(samples, description=_message(*samples.numbers.shape, has_time=samples.times is not None))


def _numbers(text: str) -> list[float]:
    """Return the numbers of a text, including NaN and infinity."""
    return [float(re.sub(r"[a-z]+\.", "", number.lower())) for number in _NUMBER.findall(text)]


def _plain(line: str) -> str:
    line = _GLUED_UNIT.sub(" ", _COMMENT.sub("", line))
    # A comma between digits is a decimal mark if something else separates the numbers.
    return _DECIMAL_COMMA.sub(".", line) if ";" in line or re.search(r"\d,\d+\s+[+-]?\d", line) else line


def _is_matrix_lines(block: Array, text: str) -> bool:
    """Return whether lines of three numbers are rotation matrices of three lines each."""
    if block.shape[1] != 3 or len(block) % 3:
        return False
    if len(block) > 3 and not re.search(r"\d[\])};]*\s*\n\s*\n|\[\[", text.strip()) and not _are_rotations(block):
        return False
    return _are_rotations(block)


def _are_rotations(block: Array) -> bool:
    M = block.reshape(-1, 3, 3)
    with np.errstate(invalid="ignore"):
        return bool(np.abs(M @ np.swapaxes(M, 1, 2) - np.eye(3)).max() < ROUGHLY)


# --- Brackets


def _of_brackets(text: str) -> Array | None:
    """Return the rows of nested brackets, or of matrices with semicolons; None for other text."""
    text = "\n".join(_COMMENT.sub("", line) for line in text.splitlines())
    groups = _groups(text.replace("{", "[").replace("}", "]").replace("(", " ").replace(")", " "))
    if not any("[" in group or ";" in group for group in groups):
        return None
    rows: list[list[float]] = []
    for group in groups:
        numbers = _numbers(group)
        inner = re.findall(r"\[([^\[\]]*)\]", group) or group.split(";")
        widths = {len(_NUMBER.findall(part)) for part in inner if part.strip()}
        n_rows = sum(1 for part in inner if part.strip())
        if len(widths) != 1:
            raise TableError("rows in brackets have different counts of numbers.", _EXPECTED)
        width = widths.pop()
        block = np.array(numbers).reshape(n_rows, width) if len(numbers) == n_rows * width else None
        if block is None:
            raise TableError("brackets do not match.", _EXPECTED)
        if width == 3 and n_rows % 3 == 0 and _are_rotations(block):
            rows += block.reshape(-1, 9).tolist()
        elif width in POSES or len(numbers) in POSES:
            rows += block.reshape(-1, 12 if len(numbers) % 16 else 16)[:, list(POSES[12])].tolist()
        else:
            rows += block.tolist()
    if not rows or len({len(row) for row in rows}) != 1 or len(rows[0]) not in WIDTHS:
        raise TableError("what stands in brackets are not all rows of 3, 4 or 9 numbers.", _EXPECTED)
    return np.array(rows)


def _groups(text: str) -> list[str]:
    """Return the contents of the outermost brackets."""
    contents: list[str] = []
    depth, start = 0, 0
    for i, mark in enumerate(text):
        if mark == "[":
            if depth == 0:
                start = i + 1
            depth += 1
        elif mark == "]" and depth:
            depth -= 1
            if depth == 0:
                contents.append(text[start:i])
    return contents


def _message(n: int, width: int, *, has_time: bool = False) -> str:
    return f"{counted(n, 'sample')} of {counted(width, 'number')}" + (", with times" if has_time else "")

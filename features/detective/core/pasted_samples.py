"""Samples from pasted text, by the reader of all texts: a table, rows of numbers, messages, code or poses."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.readings import Reading, read_text
from framescope.core.readings.read_text import MAX_LENGTH as LONGEST_READ
from framescope.core.readings.rows import RowsError, read_rows
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import mixed_from_text
from framescope.features.detective.core.interpretations import Interpretation, interpretation_of
from framescope.features.detective.core.samples import POSES, WIDTHS, Samples, samples_of

MAX_LENGTH = 20_000_000
"""Largest number of characters of a text."""

_EXPECTED = "One sample a line: 3 angles, 4 numbers of a quaternion, or 9 of a matrix; a time may stand before."
_COUNTS = (*WIDTHS, *POSES, *(n + 1 for n in (*WIDTHS, *POSES)), 7, 8)
"""Counts of numbers that a row may have: an orientation or a pose, with or without a time."""


def read_pasted_samples(text: str, label: str = "pasted") -> Samples:
    r"""Return the orientations in a text, with the positions and times beside them.

    Parameters
    ----------
    text
        Table with or without header, rows such as ``[0, 0, 0.6, 0.8]``, matrices in brackets over any number of lines,
        or any text of `framescope.core.readings.read_text`, such as messages of ROS or lines of code.
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
    >>> read_pasted_samples("q1.setRPY(0, 0, 0.1)\nq2.setRPY(0, 0, 0.2)").expected[0].text
    'angles xyz about fixed axes, rad'
    """
    if len(text) > MAX_LENGTH:
        raise TableError("the text is longer than 20 million characters.", "Save it as a file and choose that.")
    if not text.strip():
        raise TableError("nothing is pasted yet.", _EXPECTED)
    if _has_header(text):
        return samples_of(mixed_from_text(label, text), label)
    reading = read_text(text).settled if len(text) <= LONGEST_READ else None
    if reading is not None and (samples := _of_reading(reading, label)) is not None:
        return samples
    return _of_rows(text, label)


def _has_header(text: str) -> bool:
    """Return whether a line of names is above lines of numbers."""
    lines = [line for line in text.splitlines() if line.strip()]
    is_named = bool(lines) and not re.search(r"\d", lines[0]) and not re.search(r"[\[({]", lines[0])
    return is_named and len(lines) > 1 and len(re.split(r"[,;\t ]+", lines[0].strip())) > 2


def _of_reading(reading: Reading, label: str) -> Samples | None:
    """Return the samples of a text that settles what its numbers are; None if it has no orientations."""
    R = [placement.R for placement in reading.placements]
    if any(each is None for each in R):
        return None
    active = np.array([each.T.T for each in R if each is not None])
    numbers, found = np.array(reading.rows, dtype=float), None
    if len(numbers) == len(active):
        found = interpretation_of(numbers, active, reading.form)
    if found is None:
        found = Interpretation("quaternion", "xyzw")
        numbers = found.numbers(active)
    at = [placement.p_PF for placement in reading.placements]
    positions = None if any(each is None for each in at) else np.array(at, dtype=float)
    words = f"{counted(len(active), 'sample')}: {reading.source[:1].lower()}{reading.source[1:]}"
    return Samples(numbers, None, label, words, (found,), positions=positions)


def _of_rows(text: str, label: str) -> Samples:
    try:
        rows = read_rows(text)
    except RowsError as error:
        raise TableError(str(error), _EXPECTED) from None
    if rows is None:
        raise TableError("there are no numbers in the text.", _EXPECTED)
    if rows.shape[1] not in _COUNTS:
        raise TableError(
            f"each line has {counted(rows.shape[1], 'number')}, which is no form of an orientation.", _EXPECTED
        )
    table = mixed_from_text(label, "\n".join(" ".join(map(repr, row)) for row in rows.tolist()))
    samples = samples_of(table, label)
    return replace(samples, description=_message(samples.numbers, has_time=samples.times is not None))


def _message(numbers: Array, *, has_time: bool = False) -> str:
    return f"{counted(len(numbers), 'sample')} of {counted(numbers.shape[1], 'number')}" + (
        ", with times" if has_time else ""
    )

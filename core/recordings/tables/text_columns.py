"""Columns of a text table while it is read: numbers, dates or texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.rounding import rest_of_texts
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables import iso_timestamps
from framescope.core.recordings.tables.cells import MISSING, is_maybe_grouped, plain_cells, without_words
from framescope.core.recordings.tables.iso_timestamps import Dated
from framescope.core.recordings.tables.limits import quoted
from framescope.core.recordings.tables.text_layout import ReadNote

MAX_NAMES = 10_000
"""Largest number of different texts in a column of names."""

_NO_NUMBERS = re.compile(r"[^0-9+\-.eEnNaAiIfFtTyY]")


@dataclass(frozen=True, eq=False)
class Names:
    """Column of texts: the different texts in order of appearance, and the index (n,) of each row's text."""

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    def text(self, row: int) -> str:
        """Return the text of a row."""
        return self.values[int(self.codes[row])]


@dataclass(frozen=True, eq=False)
class DatedColumn:
    """Column of dates, with its original texts if few of them differ."""

    dated: Dated
    names: Names | None = None


@dataclass(frozen=True, eq=False)
class Rounded:
    """Column of numbers, and their rounding errors."""

    values: Array
    rest: Array


Column = Array | Names | DatedColumn | Rounded | None
"""Content of a column; None for a text column with too many different texts."""


class TextColumn:
    """Builder of a column: numbers if all cells are numbers, else dates, else texts if few of them differ."""

    def __init__(self, *, has_comma: bool) -> None:
        self._has_comma = has_comma
        self._numbers: list[Array] | None = []
        self._rests: list[Array | None] = []
        self._dates: dict[iso_timestamps.Kind, list[Dated]] = {kind: [] for kind in iso_timestamps.KINDS}
        self._codes: list[NDArray[np.int32]] | None = []
        self._known: dict[str, int] = {}
        self._marks: dict[str, Counter[bool]] = {",": Counter(), ".": Counter()}
        self._marked: list[NDArray[np.bool_]] = []
        self._words: Counter[str] = Counter()

    @property
    def has_decimal_comma(self) -> bool:
        """Whether a comma in the column must be a decimal comma."""
        return self._numbers is not None and self._has_comma and bool(self._marks[","][False])

    def doubtful_mark(self, *, is_comma_file: bool) -> str:
        """Return the mark that may separate thousands or be a decimal mark; empty if the numbers are unambiguous.

        With `is_comma_file`, other columns have decimal commas, so that points in this column could separate thousands.
        """
        commas, points = self._marks[","], self._marks["."]
        if self._numbers is None or commas[False] or points[False]:
            return ""
        if commas[True] and not points:
            return ","
        return "." if points[True] and not commas and is_comma_file else ""

    def other(self, *, is_comma_file: bool) -> tuple[str, Array] | None:
        """Return name and numbers of the second reading; None for unambiguous numbers."""
        mark = self.doubtful_mark(is_comma_file=is_comma_file)
        if not mark or self._numbers is None:
            return None
        values, marked = np.concatenate(self._numbers), np.concatenate(self._marked)
        if mark == "," and not self._has_comma:
            return "decimal", np.where(marked, values / 1000.0, values)
        return "thousands", np.where(marked, np.round(values * 1000.0), values)

    def add(self, cells: Sequence[str]) -> None:
        """Add cells."""
        if self._numbers is not None:
            self._look_at_marks(cells)
            parsed = self._parse(cells)
            if parsed is None:
                self._numbers = None
            else:
                self._numbers.append(parsed[0])
                self._rests.append(parsed[1])
        for kind in tuple(self._dates):
            dated = iso_timestamps.read_dated(cells, kind, MISSING)
            if dated is None:
                del self._dates[kind]
            else:
                self._dates[kind].append(dated)
        if self._codes is not None:
            known = self._known
            self._codes.append(np.array([known.setdefault(cell, len(known)) for cell in cells], dtype=np.int32))
            if len(known) > MAX_NAMES:
                self._codes, self._known = None, {}

    def _look_at_marks(self, cells: Sequence[str]) -> None:
        for mark, seen in self._marks.items():
            other = "." if mark == "," else ","
            if not seen[False]:
                seen.update(is_maybe_grouped(cell, mark) for cell in cells if mark in cell and other not in cell)
        marked = ("," in cell or "." in cell for cell in cells)
        self._marked.append(np.fromiter(marked, dtype=bool, count=len(cells)))

    def add_numbers(self, values: Array, rest: Array | None) -> None:
        """Add cells that are numbers; if text follows in later cells, `build` returns None."""
        if self._numbers is not None:
            self._numbers.append(values)
            self._rests.append(rest)
        self._codes, self._dates = None, {}

    def _parse(self, cells: Sequence[str]) -> tuple[Array, Array | None] | None:
        """Parse cells as numbers; a few words among them count as missing numbers."""
        plain = plain_cells(cells, has_comma=self._has_comma)
        parsed = _parse(plain)
        if parsed is None and (replaced := without_words(plain)) is not None:
            parsed = _parse(replaced[0])
            if parsed is not None:
                self._words.update(cell for cell in plain if cell in replaced[1])
        return parsed

    @property
    def missing(self) -> ReadNote | None:
        """Note about words that count as missing numbers, None without such words."""
        if self._numbers is None or not self._words:
            return None
        listed = ", ".join(quoted(word) for word in self._words)
        n = self._words.total()
        text = f"1 cell that says {listed} is" if n == 1 else f"{n} cells that say {listed} are"
        return ReadNote("missing", f"{text} taken for no number")

    def build(self) -> Column:
        """Return the complete column; None for a column that is neither numbers nor dates nor names."""
        if self._numbers is not None:
            values = np.concatenate(self._numbers)
            if all(rest is None for rest in self._rests):
                return values
            pairs = zip(self._rests, self._numbers, strict=True)
            return Rounded(values, np.concatenate([np.zeros(len(of)) if rest is None else rest for rest, of in pairs]))
        names = None if self._codes is None else Names(tuple(self._known), np.concatenate(self._codes))
        dated = next(filter(None, map(iso_timestamps.join_parts, self._dates.values())), None)
        return names if dated is None else DatedColumn(dated, names)


def _parse(plain: Sequence[str]) -> tuple[Array, Array | None] | None:
    """Parse cells as numbers, NaN for missing numbers, and return rounding errors; None when a cell is text."""
    if _NO_NUMBERS.search("".join(plain)):  # float() accepts underscores and digits of other scripts
        return None
    try:
        values = np.array(plain, dtype=np.float64)
    except ValueError:
        return None
    return values, rest_of_texts(plain, values)

"""Columns of a text table as they are read: numbers, dates or texts."""

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
"""Different texts of a column; beyond, it is read as no names."""

_NO_NUMBERS = re.compile(r"[^0-9+\-.eEnNaAiIfFtTyY]")


@dataclass(frozen=True, eq=False)
class Names:
    """A column of texts: the different ones in the order they come, and for each row (n,) which of them it holds."""

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    def text(self, row: int) -> str:
        """Return what a row holds."""
        return self.values[int(self.codes[row])]


@dataclass(frozen=True, eq=False)
class DatedColumn:
    """A column of dates, and of the texts that they stand there as, where these are few."""

    dated: Dated
    names: Names | None = None


@dataclass(frozen=True, eq=False)
class Rounded:
    """A column of numbers, and what rounding took off them."""

    values: Array
    rest: Array


Column = Array | Names | DatedColumn | Rounded | None
"""What a column holds; None is text of which there is too much."""


class TextColumn:
    """A column as it is read: numbers as long as all cells are, or dates, else texts as long as they are few."""

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
        """Whether a comma of it can be nothing but a decimal one."""
        return self._numbers is not None and self._has_comma and bool(self._marks[","][False])

    def doubtful_mark(self, *, is_comma_file: bool) -> str:
        """Return the mark of its numbers that may part thousands, or be a decimal one; empty where that is clear.

        `is_comma_file` is whether other columns have decimal commas, so that a point could not be one.
        """
        commas, points = self._marks[","], self._marks["."]
        if self._numbers is None or commas[False] or points[False]:
            return ""
        if commas[True] and not points:
            return ","
        return "." if points[True] and not commas and is_comma_file else ""

    def other(self, *, is_comma_file: bool) -> tuple[str, Array] | None:
        """Return what its numbers would be called, and be, with the doubtful mark read otherwise; None without one."""
        mark = self.doubtful_mark(is_comma_file=is_comma_file)
        if not mark or self._numbers is None:
            return None
        values, marked = np.concatenate(self._numbers), np.concatenate(self._marked)
        if mark == "," and not self._has_comma:
            return "decimal", np.where(marked, values / 1000.0, values)
        return "thousands", np.where(marked, np.round(values * 1000.0), values)

    def add(self, cells: Sequence[str]) -> None:
        """Take the next cells."""
        if self._numbers is not None:
            self._look_at_marks(cells)
            parsed = self._parsed(cells)
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
        """Take the next cells, which are numbers; text that comes later is too much then."""
        if self._numbers is not None:
            self._numbers.append(values)
            self._rests.append(rest)
        self._codes, self._dates = None, {}

    def _parsed(self, cells: Sequence[str]) -> tuple[Array, Array | None] | None:
        """Return cells as numbers; a few words among them say that there is none."""
        plain = plain_cells(cells, has_comma=self._has_comma)
        parsed = _parsed(plain)
        if parsed is None and (found := without_words(plain)) is not None:
            parsed = _parsed(found[0])
            if parsed is not None:
                self._words.update(cell for cell in plain if cell in found[1])
        return parsed

    @property
    def missing(self) -> ReadNote | None:
        """What is said of words that were taken for no number."""
        if self._numbers is None or not self._words:
            return None
        listed = ", ".join(quoted(word) for word in self._words)
        n = self._words.total()
        text = f"1 cell that says {listed} is" if n == 1 else f"{n} cells that say {listed} are"
        return ReadNote("missing", f"{text} taken for no number")

    def made(self) -> Column:
        """Return the whole column; None of one that is neither numbers nor dates nor names."""
        if self._numbers is not None:
            values = np.concatenate(self._numbers)
            if all(rest is None for rest in self._rests):
                return values
            pairs = zip(self._rests, self._numbers, strict=True)
            return Rounded(values, np.concatenate([np.zeros(len(of)) if rest is None else rest for rest, of in pairs]))
        names = None if self._codes is None else Names(tuple(self._known), np.concatenate(self._codes))
        dated = next(filter(None, map(iso_timestamps.joined, self._dates.values())), None)
        return names if dated is None else DatedColumn(dated, names)


def _parsed(plain: Sequence[str]) -> tuple[Array, Array | None] | None:
    """Return cells as numbers, NaN for those without one, and what rounding took off; None when any is text."""
    if _NO_NUMBERS.search("".join(plain)):  # float() would take underscores and digits of other scripts
        return None
    try:
        values = np.array(plain, dtype=np.float64)
    except ValueError:
        return None
    return values, rest_of_texts(plain, values)

"""Layout of a text table: first and last row of numbers, column names, and the lines around the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from framescope.core.errors import counted
from framescope.core.recordings.tables.cells import (
    cells_of,
    has_decimal_comma,
    is_blank,
    is_number,
    separator_of,
)
from framescope.core.recordings.tables.iso_timestamps import is_stamp

LOOKED_AT = 400
"""Largest number of lines in which the first row is searched."""

LEAST_ROWS = 3
"""Number of successive rows that mark the start of a table."""

_UNIT_WORDS = frozenset({
    "s", "sec", "ms", "us", "µs", "ns", "min", "cm", "mm", "km", "m", "um", "µm", "in", "inch", "ft", "feet", "deg",
    "°", "degree", "degrees", "rad", "mrad", "turn", "g", "hz", "m/s", "m/s²", "m/s2", "m/s^2", "mm/s", "ft/s", "km/h",
    "rad/s", "deg/s", "°/s", "dps", "gauss", "ut", "µt", "°c", "pa", "hpa", "mbar", "seconds", "meters", "metres",
    "millimeters", "millimetres", "radians", "inches", "minutes",
})  # fmt: skip
"""Units by which a row of units is recognised."""

_NO_UNIT = frozenset({"-", "--", "1", "none", "unitless", "quat", "n/a", "[]", "[-]", "[1]", "()", "(-)"})
"""Cells of columns without a unit in a row of units."""

_LEAST_SHARE = 0.6
"""Smallest fraction of known units in a row of units."""

NoteKind = Literal[
    "encoding",
    "preamble",
    "units",
    "last line",
    "doubled names",
    "decimal comma",
    "header",
    "missing",
    "thinned",
    "remarks",
]


@dataclass(frozen=True)
class ReadNote:
    """Decision of a reader about a file that is not a plain table: its kind, and a sentence.

    `is_doubtful` means that the file could be read in another way.
    """

    kind: NoteKind
    text: str
    is_doubtful: bool = False


@dataclass(frozen=True)
class Layout:
    """Position of the rows of a table in its lines, and the column names; None for columns without names.

    `n_before` lines precede the rows, `n_after` follow them.
    """

    n_before: int
    n_after: int
    separator: str | None
    names: list[str] | None
    n_columns: int
    preamble: tuple[str, ...] = ()
    notes: tuple[ReadNote, ...] = ()


def layout_of(lines: Sequence[str]) -> Layout | None:
    """Return the layout of a table, given its lines without empty lines and comments; None for a plain table.

    A plain table has at most one header line, and all rows have the same form.

    >>> lines = ["Log 7", "t,x", "s,mm", "0,1", "1,2", "2,3", "3"]
    >>> layout = layout_of(lines)
    >>> layout.names, layout.n_before, layout.n_after
    (['t [s]', 'x [mm]'], 3, 1)
    """
    if len(lines) < LEAST_ROWS + 1:
        return None
    middle = lines[len(lines) // 2]
    separator = separator_of(middle)
    n = len(cells_of(middle, separator))
    begin = _begin(lines, separator, n)
    if begin is None:
        return None
    notes: list[ReadNote] = []
    n_after = 0
    last = cells_of(lines[-1], separator)
    if len(lines) - begin > LEAST_ROWS and len(last) != n and len(cells_of(lines[-2], separator)) == n:
        n_after = 1
        notes.append(ReadNote("last line", f"the last line has {len(last):,} of {counted(n, 'cell')} and is left out"))
    names, n_head, head_notes = _header(lines, begin, separator, n)
    preamble = tuple(lines[: begin - n_head])
    if preamble:
        many = f"{len(preamble)} lines" if len(preamble) > 1 else "1 line"
        notes.append(ReadNote("preamble", f"{many} before the table {'are' if len(preamble) > 1 else 'is'} skipped"))
    return Layout(begin, n_after, separator, names, n, preamble, (*notes, *head_notes))


def unique_names(names: Sequence[str]) -> tuple[list[str], tuple[ReadNote, ...]]:
    """Append a count to repeated names, and return a note about them.

    >>> unique_names(["x", "y", "x"])[0]
    ['x', 'y', 'x (2)']
    """
    unique: list[str] = []
    doubled: list[str] = []
    for name in names:
        new, n = name, 1
        while new in unique:
            n += 1
            new = f"{name} ({n})"
        if new != name and name not in doubled:
            doubled.append(name)
        unique.append(new)
    if not doubled:
        return unique, ()
    listed = ", ".join(f'"{name[:40]}"' for name in doubled[:5])
    return unique, (ReadNote("doubled names", f"more than one column is called {listed}", is_doubtful=True),)


def _begin(lines: Sequence[str], separator: str | None, n: int) -> int | None:
    """Return the first line from which several successive lines are rows of the table."""
    for i in range(min(len(lines) - LEAST_ROWS + 1, LOOKED_AT)):
        if all(_is_row(line, separator, n) for line in lines[i : i + LEAST_ROWS]):
            rows = (j for j in range(i) if _is_row(lines[j], separator, n) and not _is_count(lines, j, separator, n))
            return next(rows, i)  # other lines between the rows raise an error later
    return None


def _is_row(line: str, separator: str | None, n: int) -> bool:
    cells = cells_of(line, separator)
    return len(cells) == n and any(map(_is_value, cells)) and not are_units(cells)


def _is_value(cell: str) -> bool:
    return is_number(cell) or has_decimal_comma(cell) or is_stamp(cell)


def _header(
    lines: Sequence[str], begin: int, separator: str | None, n: int
) -> tuple[list[str] | None, int, tuple[ReadNote, ...]]:
    """Return the column names above the rows, the number of header lines, and notes."""
    notes: list[ReadNote] = []
    at = begin - 1
    units: list[str] = []
    while at > 0 and not any(map(str.isalnum, lines[at])):  # a line of dashes, or empty cells
        at -= 1
    above = cells_of(lines[at], separator) if at > 0 else []
    if len(above) == n and are_units(above) and _words(lines, at - 1, separator, n) is not None:
        units, at = above, at - 1
        notes.append(ReadNote("units", "a row of units stands below the names"))
    names = _words(lines, at, separator, n)
    if names is None:
        names = _shorter(lines, begin, at, separator, n)
        if names is None:
            return None, 0, ()
    at -= 1
    while len(set(names)) < len(names):
        if _is_count(lines, at, separator, n) and _words(lines, at - 1, separator, n) is not None:
            at -= 1  # the names of the bodies are in the line above
            continue
        upper = _words(lines, at, separator, n)
        if upper is None:
            break
        names = [f"{a}.{name}" if a else name for a, name in zip(_fill_headings(upper), names, strict=True)]
        at -= 1
        notes.append(ReadNote("header", "names of columns take more than one line"))
    if units:
        stripped = ["" if unit in _NO_UNIT else unit.strip().strip("[]()").strip() for unit in units]
        names = [f"{name} [{unit}]" if unit else name for name, unit in zip(names, stripped, strict=True)]
    return [name or str(i) for i, name in enumerate(names, 1)], begin - 1 - at, tuple(notes)


def _is_count(lines: Sequence[str], at: int, separator: str | None, n: int) -> bool:
    """Return whether a line above the names contains the numbers of bodies, such as ``,ID,1,1,2,2``."""
    cells = cells_of(lines[at], separator) if at >= 0 else []
    if len(cells) != n or _words(lines, at + 1, separator, n) is None:
        return False
    label = next((cell for cell in cells if cell), "").lower()
    return label in ("id", "parent") or (not cells[0] and all(cell.isdecimal() for cell in cells if cell))


def _words(lines: Sequence[str], at: int, separator: str | None, n: int) -> list[str] | None:
    """Return the cells of a line with one word for each column; None for any other line."""
    if at < 0:
        return None
    cells = cells_of(lines[at], separator)
    if len(cells) != n or any(map(_is_value, cells)) or not any(any(map(str.isalpha, cell)) for cell in cells):
        return None
    return cells


def _shorter(lines: Sequence[str], begin: int, at: int, separator: str | None, n: int) -> list[str] | None:
    """Complete a header that lacks one name, because rows end with a separator or start with a row number."""
    names = _words(lines, at, separator, n - 1) if n > 2 else None
    if names is None or begin - 1 != at:
        return None
    rows = [cells_of(line, separator) for line in lines[begin : begin + LEAST_ROWS]]
    if all(is_blank(row[-1]) for row in rows):
        return [*names, ""]
    numbers = [row[0] for row in rows]
    return ["row", *names] if numbers in (["0", "1", "2"], ["1", "2", "3"]) else None


def _fill_headings(upper: Sequence[str]) -> list[str]:
    """Repeat each cell of a sparse heading in the empty cells after it."""
    headings: list[str] = []
    is_sparse = sum(1 for cell in upper if cell) * 2 < len(upper)
    for cell in upper:
        headings.append(cell or (headings[-1] if headings and is_sparse else ""))
    return headings


def are_units(cells: Sequence[str]) -> bool:
    """Return whether cells form a row of units below the column names.

    >>> are_units(["s", "[mm]", "[mm]", ""]), are_units(["t", "x", "y"]), are_units(["s", "x"])
    (True, False, False)
    """
    plain = [cell.strip().strip("[]()").strip().lower() for cell in cells]
    written = [cell for cell in plain if cell and cell not in _NO_UNIT]
    known = [cell for cell in written if cell in _UNIT_WORDS]
    return bool(known) and len(known) >= _LEAST_SHARE * len(written)

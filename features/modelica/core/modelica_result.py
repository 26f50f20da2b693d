"""Result file of a Modelica tool: MAT version 4 with the matrix `Aclass`, as written by Dymola and OpenModelica.

Version 1.1 holds every variable in a column of a table, with constants in a table of their own. Several names may share
a column, some with opposite sign. Version 1.0, for variables exported as plotted, has a single table. Matrices are
stored as they are (``binNormal``) or transposed (``binTrans``).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted, did_you_mean
from framescope.core.kernels.validation import Array, read_only
from framescope.core.recordings.tables.limits import TableError, quoted
from framescope.core.scene.schema.quantities import LARGEST

MAX_VARIABLES = 1_000_000
"""Limit of names in a result."""

_MARK = b"Aclass\0"
_NAME_AT = 20
"""Position of the name of the first matrix, behind five integers, bytes."""

_HINT = "Let the tool write the result again, as a MAT file of version 4."

_UNIT = re.compile(r"\[([^\[\]|:]{1,30})(?:[|:][^\[]*)?\]\s*\Z")
"""End of a description: a unit, optionally followed by a display unit and attributes."""

Whole = NDArray[np.int64]


def is_result(head: bytes) -> bool:
    """Return whether a file begins like a result of a Modelica tool."""
    return head[_NAME_AT : _NAME_AT + len(_MARK)] == _MARK


def plain_name(name: str) -> str:
    """Return a name in the spelling of OpenModelica; Dymola has a blank between indices.

    >>> plain_name("body.frame_a.R.T[1, 2]")
    'body.frame_a.R.T[1,2]'
    """
    return re.sub(r",\s+", ",", name.strip()) if ", " in name else name.strip()


def unit_in(description: str) -> str:
    """Return the unit at the end of a description, in the spelling of scenes; empty without one.

    >>> unit_in("Absolute angular velocity [rad/s]"), unit_in("Torque [N.m]"), unit_in("Angle [rad|deg:#(start=1)]")
    ('rad/s', 'N m', 'rad')
    >>> unit_in("Is true [:#(type=Boolean)]"), unit_in("Ratio [1]"), unit_in("Number of turns")
    ('', '', '')
    """
    match = _UNIT.search(description)
    unit = "" if match is None else re.sub(r"(?<=[A-Za-z0-9])[.](?=[A-Za-z])", " ", match[1].strip())
    return unit if unit != "1" and unit.isprintable() else ""


@dataclass(frozen=True, eq=False)
class Place:
    """Location of a variable's values: table, from 1, column in it, from 0, and sign."""

    table: int
    column: int
    sign: float = 1.0


@dataclass(frozen=True, eq=False)
class ResultFile:
    """Variables of a simulation, by name.

    Attributes
    ----------
    name
        Name of the file for messages.
    tables
        Tables (rows, columns) by number, from 1, as stored. The first column of each is the time.
    places
        Location of each variable by name.
    descriptions
        Descriptions of variables, with their units in brackets at the end, if the file has them.
    main
        Number of the table whose times are the times of the result.
    is_single
        Whether its numbers have single precision.
    """

    name: str
    tables: Mapping[int, Array]
    places: Mapping[str, Place]
    descriptions: Mapping[str, str]
    main: int
    is_single: bool
    columns: dict[tuple[int, int], Array] = field(default_factory=dict[tuple[int, int], Array])
    """Cache of used columns, at the times of the result."""

    @property
    def times(self) -> Array:
        """Times (n,) of the result, s; the time of an event appears twice."""
        return self.tables[self.main][:, 0]

    @property
    def time_name(self) -> str:
        """Name of the time among the variables."""
        of_time = (name for name, place in self.places.items() if place.column == 0 and place.table == self.main)
        return next(of_time, "time")

    def is_constant(self, name: str) -> bool:
        """Return whether a variable has a single value."""
        place = self._place(name)
        column = self.tables[place.table][:, place.column]
        return bool((column == column[0]).all())

    def values(self, name: str) -> Array:
        """Return the values (n,) of a variable at the times of the result; raise `TableError` if it is unknown."""
        place = self._place(name)
        key = place.table, place.column
        column = self.columns.get(key)
        if column is None:
            column = self.columns[key] = read_only(_in_range(self._column(place)))
        return column if place.sign > 0.0 else -column

    def vector(self, name: str, n: int = 3) -> Array:
        """Return the values (k, n) of a vector, such as ``body.r_0``; raise as `values`."""
        return np.stack([self.values(f"{name}[{i}]") for i in range(1, n + 1)], axis=1)

    def matrix(self, name: str) -> Array:
        """Return the values (k, 3, 3) of a matrix, such as ``frame_a.R.T``; raise as `values`."""
        rows = [[self.values(f"{name}[{i},{j}]") for j in (1, 2, 3)] for i in (1, 2, 3)]
        return np.moveaxis(np.array(rows), 2, 0)

    def has_vector(self, name: str, n: int = 3) -> bool:
        """Return whether a vector has all its components."""
        return all(f"{name}[{i}]" in self.places for i in range(1, n + 1))

    def _place(self, name: str) -> Place:
        place = self.places.get(name) or self.places.get(plain_name(name))
        if place is None:
            raise TableError(f"{self.name} has no variable {quoted(name)}.", did_you_mean(name, self.places))
        return place

    def _column(self, place: Place) -> Array:
        """Return a column at the times of the result, interpolated linearly if it is from another table."""
        table = self.tables[place.table]
        column = table[:, place.column]
        if place.table == self.main:
            return column
        if (column == column[0]).all():
            return np.full(len(self.times), column[0])
        order = np.argsort(table[:, 0], kind="stable")
        return np.interp(self.times, table[order, 0], column[order])


def _in_range(column: Array) -> Array:
    """Return a column in double precision, with NaN for numbers too large for a scene."""
    with np.errstate(all="ignore"):  # values in a damaged file may be invalid
        numbers = np.array(column, dtype=np.float64)
        numbers[~(np.abs(numbers) <= LARGEST)] = np.nan
    return numbers


class ResultColumns(Mapping[str, Array]):
    """Variables of a result as columns of a table, computed on first use."""

    def __init__(self, result: ResultFile) -> None:
        self._result = result

    def __getitem__(self, name: str) -> Array:
        if name not in self._result.places:
            raise KeyError(name)
        return self._result.values(name)

    def __contains__(self, name: object) -> bool:
        return name in self._result.places

    def __iter__(self) -> Iterator[str]:
        return iter(self._result.places)

    def __len__(self) -> int:
        return len(self._result.places)


# --- Reading


def read_result(name: str, data: bytes) -> ResultFile:
    """Return the result in a file; raise `TableError` if it is damaged or not a result."""
    matrices = _matrices(name, data)
    kind = [_text(row) for row in _characters(name, matrices, "Aclass")]
    version, layout = (kind[1], kind[3]) if len(kind) > 3 else ("", "")
    is_transposed = layout == "binTrans"
    if version not in ("1.0", "1.1") or layout not in ("binTrans", "binNormal"):
        raise TableError(f"{name} is a result of version {quoted(version)}, {quoted(layout)}, which is unknown.", _HINT)
    if version == "1.0":
        return _plotted_result(name, matrices, is_transposed=is_transposed)
    names = [plain_name(text) for text in _names(name, matrices, "name", is_transposed=is_transposed)]
    info = _numbers(name, matrices, "dataInfo")
    info = info.T if is_transposed else info
    if info.ndim != 2 or info.shape[0] != len(names) or info.shape[1] < 2 or not names:
        raise TableError(f"{name} is damaged: it has {counted(len(names), 'name')}, and places for {len(info)}.", _HINT)
    if not (np.abs(info) < 2.0**53).all():  # table and column numbers are far smaller, and finite
        raise TableError(f"{name} is damaged: places of its variables are no whole numbers.", _HINT)
    tables = dict(_tables(name, matrices, is_transposed=is_transposed))
    main = max(tables, key=lambda number: len(tables[number]))
    places = dict(_places(name, names, info.astype(np.int64), tables, main))
    texts = _names(name, matrices, "description", is_transposed=is_transposed) if "description" in matrices else []
    descriptions = {key: text for key, text in zip(names, texts, strict=False) if text}
    is_single = matrices[f"data_{main}"].dtype == np.float32
    return ResultFile(name, tables, places, descriptions, main, is_single)


def _matrices(name: str, data: bytes) -> dict[str, NDArray[Any]]:
    from scipy.io import loadmat  # pyright: ignore[reportUnknownVariableType]

    if not is_result(data[:64]):
        raise TableError(f"{name} is no result of a Modelica tool.", _HINT)
    try:
        variables = cast(dict[str, Any], loadmat(io.BytesIO(data), chars_as_strings=False))
    except Exception as error:  # noqa: BLE001 - scipy and numpy raise a dozen kinds for damaged files
        raise TableError(f"{name} is a damaged result: {error!s:.200}.", _HINT) from None
    return {key: value for key, value in variables.items() if isinstance(value, np.ndarray)}


def _characters(name: str, matrices: Mapping[str, NDArray[Any]], key: str) -> NDArray[np.str_]:
    characters = matrices.get(key)
    if characters is None or characters.dtype.kind != "U" or characters.ndim != 2:
        raise TableError(f"{name} is damaged: it has no texts {key}.", _HINT)
    return characters


def _names(name: str, matrices: Mapping[str, NDArray[Any]], key: str, *, is_transposed: bool) -> list[str]:
    characters = _characters(name, matrices, key)
    characters = characters.T if is_transposed else characters
    if len(characters) > MAX_VARIABLES:
        raise TableError(f"{name} has {len(characters):,} variables, at most {MAX_VARIABLES:,} are read.")
    if not characters.size:
        return []
    whole = np.ascontiguousarray(characters).view(f"{characters.dtype.str[0]}U{characters.shape[1]}").ravel()
    return [text.replace("\0", " ").strip() for text in whole.tolist()]


def _text(row: NDArray[np.str_]) -> str:
    return "".join(row.tolist()).replace("\0", " ").strip()


def _numbers(name: str, matrices: Mapping[str, NDArray[Any]], key: str) -> Array:
    numbers = matrices.get(key)
    if numbers is None or numbers.dtype.kind not in "fiu" or numbers.ndim != 2 or not numbers.size:
        raise TableError(f"{name} is damaged: it has no numbers {key}.", _HINT)
    return numbers


def _tables(name: str, matrices: Mapping[str, NDArray[Any]], *, is_transposed: bool) -> Iterator[tuple[int, Array]]:
    keys = [key for key in matrices if re.fullmatch(r"data_[1-9]\d{0,3}", key)]
    if not keys:
        raise TableError(f"{name} is damaged: it holds no values.", _HINT)
    for key in keys:
        if matrices[key].size:
            table = _numbers(name, matrices, key)
            yield int(key[5:]), table.T if is_transposed else table


def _places(
    name: str, names: list[str], info: Whole, tables: Mapping[int, Array], main: int
) -> Iterator[tuple[str, Place]]:
    for key, (number, column) in zip(names, info[:, :2].tolist(), strict=True):
        place = Place(number or main, abs(column) - 1, -1.0 if column < 0 else 1.0)
        if number == 0:  # the time
            place = Place(main, 0)
        table = tables.get(place.table)
        if table is None or not 0 <= place.column < table.shape[1]:
            raise TableError(f"{name} is damaged: {quoted(key)} stands in column {column} of table {number}.", _HINT)
        yield key, place


def _plotted_result(name: str, matrices: Mapping[str, NDArray[Any]], *, is_transposed: bool) -> ResultFile:
    names = [plain_name(text) for text in _names(name, matrices, "names", is_transposed=is_transposed)]
    table = _numbers(name, matrices, "data")
    table = table.T if is_transposed else table
    if len(names) != table.shape[1]:
        raise TableError(
            f"{name} is damaged: it has {counted(len(names), 'name')} and {counted(table.shape[1], 'column')}.", _HINT
        )
    places = {key: Place(1, i) for i, key in enumerate(names)}
    return ResultFile(name, {1: table}, places, {}, 1, matrices["data"].dtype == np.float32)

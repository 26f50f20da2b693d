"""Result file of a Modelica tool: MAT version 4 with the matrix `Aclass`, as Dymola and OpenModelica write it.

Version 1.1 holds every variable in a column of a table, constants in a table of their own, and names that share a
column, some with the other sign; version 1.0, of variables exported as plotted, a single table. Matrices are stored
upright (``binNormal``) or turned over (``binTrans``).
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
"""Names in a result."""

_MARK = b"Aclass\0"
_NAME_AT = 20
"""Where the name of the first matrix stands: after five whole numbers."""

_HINT = "Let the tool write the result again, as a MAT file of version 4."

_UNIT = re.compile(r"\[([^\[\]|:]{1,30})(?:[|:][^\[]*)?\]\s*\Z")
"""What is behind a description: a unit, then the one to show and attributes, if any."""

Whole = NDArray[np.int64]


def is_result(head: bytes) -> bool:
    """Return whether a file begins as a result of a Modelica tool."""
    return head[_NAME_AT : _NAME_AT + len(_MARK)] == _MARK


def plain_name(name: str) -> str:
    """Return a name as OpenModelica writes it; Dymola has a blank between indices.

    >>> plain_name("body.frame_a.R.T[1, 2]")
    'body.frame_a.R.T[1,2]'
    """
    return re.sub(r",\s+", ",", name.strip()) if ", " in name else name.strip()


def unit_in(description: str) -> str:
    """Return the unit at the end of a description, as scenes write it; empty where it says none.

    >>> unit_in("Absolute angular velocity [rad/s]"), unit_in("Torque [N.m]"), unit_in("Angle [rad|deg:#(start=1)]")
    ('rad/s', 'N m', 'rad')
    >>> unit_in("Is true [:#(type=Boolean)]"), unit_in("Ratio [1]"), unit_in("Number of turns")
    ('', '', '')
    """
    found = _UNIT.search(description)
    unit = "" if found is None else re.sub(r"(?<=[A-Za-z0-9])[.](?=[A-Za-z])", " ", found[1].strip())
    return unit if unit != "1" and unit.isprintable() else ""


@dataclass(frozen=True, eq=False)
class Place:
    """Where the values of a variable stand: which table, from 1, which column of it, from 0, and with which sign."""

    table: int
    column: int
    sign: float = 1.0


@dataclass(frozen=True, eq=False)
class ResultFile:
    """Variables of a simulation, by name.

    Attributes
    ----------
    name
        What messages call it: the name of its file.
    tables
        Tables (rows, columns) by their numbers from 1, as they stand there; the time is the first column of each.
    places
        Where each variable stands, by its name.
    descriptions
        What is said of variables, their units in brackets at the end, where the file says so.
    main
        The number of the table whose times are those of the result.
    is_single
        Whether its numbers are of single precision.
    """

    name: str
    tables: Mapping[int, Array]
    places: Mapping[str, Place]
    descriptions: Mapping[str, str]
    main: int
    is_single: bool
    kept: dict[tuple[int, int], Array] = field(default_factory=dict[tuple[int, int], Array])
    """Columns that were asked for, on the times of the result."""

    @property
    def times(self) -> Array:
        """Times (n,) of the result, s; those of an event stand there twice."""
        return self.tables[self.main][:, 0]

    @property
    def time_name(self) -> str:
        """The name of the time among the variables."""
        of_time = (name for name, place in self.places.items() if place.column == 0 and place.table == self.main)
        return next(of_time, "time")

    def is_constant(self, name: str) -> bool:
        """Return whether a variable has one value."""
        place = self._place(name)
        column = self.tables[place.table][:, place.column]
        return bool((column == column[0]).all())

    def values(self, name: str) -> Array:
        """Return the values (n,) of a variable at the times of the result; raise a `TableError` where there is none."""
        place = self._place(name)
        key = place.table, place.column
        found = self.kept.get(key)
        if found is None:
            found = self.kept[key] = read_only(_in_range(self._column(place)))
        return found if place.sign > 0.0 else -found

    def vector(self, name: str, n: int = 3) -> Array:
        """Return the values (k, n) of a vector, such as ``body.r_0``; raise as `values`."""
        return np.stack([self.values(f"{name}[{i}]") for i in range(1, n + 1)], axis=1)

    def matrix(self, name: str) -> Array:
        """Return the values (k, 3, 3) of a matrix, such as ``frame_a.R.T``; raise as `values`."""
        rows = [[self.values(f"{name}[{i},{j}]") for j in (1, 2, 3)] for i in (1, 2, 3)]
        return np.moveaxis(np.array(rows), 2, 0)

    def has_vector(self, name: str, n: int = 3) -> bool:
        """Return whether there is a vector."""
        return all(f"{name}[{i}]" in self.places for i in range(1, n + 1))

    def _place(self, name: str) -> Place:
        place = self.places.get(name) or self.places.get(plain_name(name))
        if place is None:
            raise TableError(f"{self.name} has no variable {quoted(name)}.", did_you_mean(name, self.places))
        return place

    def _column(self, place: Place) -> Array:
        """Return a column on the times of the result: one of another table is a straight line between its times."""
        table = self.tables[place.table]
        column = table[:, place.column]
        if place.table == self.main:
            return column
        if (column == column[0]).all():
            return np.full(len(self.times), column[0])
        order = np.argsort(table[:, 0], kind="stable")
        return np.interp(self.times, table[order, 0], column[order])


def _in_range(column: Array) -> Array:
    """Return a column in double precision; what is larger than numbers of scenes is none."""
    with np.errstate(all="ignore"):  # what a damaged file has need not be a number
        numbers = np.array(column, dtype=np.float64)
        numbers[~(np.abs(numbers) <= LARGEST)] = np.nan
    return numbers


class ResultColumns(Mapping[str, Array]):
    """Variables of a result as columns of a table: none is made before somebody asks for it."""

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
    """Return the result in a file; raise a `TableError` where it is none, or damaged."""
    matrices = _matrices(name, data)
    kind = [_text(row) for row in _characters(name, matrices, "Aclass")]
    version, layout = (kind[1], kind[3]) if len(kind) > 3 else ("", "")
    is_turned = layout == "binTrans"
    if version not in ("1.0", "1.1") or layout not in ("binTrans", "binNormal"):
        raise TableError(f"{name} is a result of version {quoted(version)}, {quoted(layout)}, which is unknown.", _HINT)
    if version == "1.0":
        return _as_plotted(name, matrices, is_turned=is_turned)
    names = [plain_name(each) for each in _names(name, matrices, "name", is_turned=is_turned)]
    info = _numbers(name, matrices, "dataInfo")
    info = info.T if is_turned else info
    if info.ndim != 2 or info.shape[0] != len(names) or info.shape[1] < 2 or not names:
        raise TableError(f"{name} is damaged: it has {counted(len(names), 'name')}, and places for {len(info)}.", _HINT)
    if not (np.abs(info) < 2.0**53).all():  # no table or column has a number like these, or it is none
        raise TableError(f"{name} is damaged: places of its variables are no whole numbers.", _HINT)
    tables = dict(_tables(name, matrices, is_turned=is_turned))
    main = max(tables, key=lambda number: len(tables[number]))
    places = dict(_places(name, names, info.astype(np.int64), tables, main))
    texts = _names(name, matrices, "description", is_turned=is_turned) if "description" in matrices else []
    descriptions = {key: text for key, text in zip(names, texts, strict=False) if text}
    is_single = matrices[f"data_{main}"].dtype == np.float32
    return ResultFile(name, tables, places, descriptions, main, is_single)


def _matrices(name: str, data: bytes) -> dict[str, NDArray[Any]]:
    from scipy.io import loadmat  # pyright: ignore[reportUnknownVariableType]

    if not is_result(data[:64]):
        raise TableError(f"{name} is no result of a Modelica tool.", _HINT)
    try:
        found = cast(dict[str, Any], loadmat(io.BytesIO(data), chars_as_strings=False))
    except Exception as error:  # noqa: BLE001 - scipy and numpy raise a dozen kinds for damaged files
        raise TableError(f"{name} is a damaged result: {error!s:.200}.", _HINT) from None
    return {key: value for key, value in found.items() if isinstance(value, np.ndarray)}


def _characters(name: str, matrices: Mapping[str, NDArray[Any]], key: str) -> NDArray[np.str_]:
    found = matrices.get(key)
    if found is None or found.dtype.kind != "U" or found.ndim != 2:
        raise TableError(f"{name} is damaged: it has no texts {key}.", _HINT)
    return found


def _names(name: str, matrices: Mapping[str, NDArray[Any]], key: str, *, is_turned: bool) -> list[str]:
    found = _characters(name, matrices, key)
    found = found.T if is_turned else found
    if len(found) > MAX_VARIABLES:
        raise TableError(f"{name} has {len(found):,} variables, at most {MAX_VARIABLES:,} are read.")
    if not found.size:
        return []
    whole = np.ascontiguousarray(found).view(f"{found.dtype.str[0]}U{found.shape[1]}").ravel()
    return [text.replace("\0", " ").strip() for text in whole.tolist()]


def _text(row: NDArray[np.str_]) -> str:
    return "".join(row.tolist()).replace("\0", " ").strip()


def _numbers(name: str, matrices: Mapping[str, NDArray[Any]], key: str) -> Array:
    found = matrices.get(key)
    if found is None or found.dtype.kind not in "fiu" or found.ndim != 2 or not found.size:
        raise TableError(f"{name} is damaged: it has no numbers {key}.", _HINT)
    return found


def _tables(name: str, matrices: Mapping[str, NDArray[Any]], *, is_turned: bool) -> Iterator[tuple[int, Array]]:
    keys = [key for key in matrices if re.fullmatch(r"data_[1-9]\d{0,3}", key)]
    if not keys:
        raise TableError(f"{name} is damaged: it holds no values.", _HINT)
    for key in keys:
        if matrices[key].size:
            table = _numbers(name, matrices, key)
            yield int(key[5:]), table.T if is_turned else table


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


def _as_plotted(name: str, matrices: Mapping[str, NDArray[Any]], *, is_turned: bool) -> ResultFile:
    names = [plain_name(each) for each in _names(name, matrices, "names", is_turned=is_turned)]
    table = _numbers(name, matrices, "data")
    table = table.T if is_turned else table
    if len(names) != table.shape[1]:
        raise TableError(
            f"{name} is damaged: it has {counted(len(names), 'name')} and {counted(table.shape[1], 'column')}.", _HINT
        )
    places = {key: Place(1, i) for i, key in enumerate(names)}
    return ResultFile(name, {1: table}, places, {}, 1, matrices["data"].dtype == np.float32)

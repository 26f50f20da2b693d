"""Reader of PLY: a header describes the rows, which follow as text, or in binary with either byte order."""

from __future__ import annotations

import itertools
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files import surface
from framescope.core.mesh_files.surface import (
    BLOCK,
    Colors,
    Indices,
    Surface,
    UnreadableMesh,
    check_points,
    check_triangles,
    face_of,
    number_table,
    numbered_lines,
    quote_bytes,
)

_FORMATS = {b"ascii": "", b"binary_little_endian": "<", b"binary_big_endian": ">"}
_TYPES = {
    name.encode(): letter
    for letter, names in {
        "b": "char int8",
        "B": "uchar uint8",
        "h": "short int16",
        "H": "ushort uint16",
        "i": "int int32",
        "I": "uint uint32",
        "f": "float float32",
        "d": "double float64",
    }.items()
    for name in names.split()
}
_CORNERS = (b"vertex_indices", b"vertex_index")
_MAX_HEADER_LINES = 1000


@dataclass(frozen=True)
class _Property:
    """Property of an element: a number in each row, or a list if `length` has a type; types as in `struct`."""

    name: bytes
    type: str
    length: str = ""


@dataclass(frozen=True)
class _Element:
    name: bytes
    count: int
    properties: tuple[_Property, ...]

    def find(self, *names: bytes) -> int | None:
        """Return the index of the property with one of the names."""
        return next((i for i, at in enumerate(self.properties) if at.name in names), None)

    @property
    def title(self) -> str:
        return quote_bytes(self.name)


def read_ply(file: BinaryIO) -> Surface:
    """Return the surface of a PLY file."""
    order, elements, n_lines = _header(file)
    rows: _TextRows | _BinaryRows = _BinaryRows(file.read(), order) if order else _TextRows(file, n_lines)
    points, normals = np.empty((0, 3)), None
    corners, sizes = np.empty(0, np.int64), np.empty(0, np.int64)
    wanted = {element.name for element in elements} & {b"vertex", b"face"}
    for element in elements:
        if element.name == b"vertex":
            points, normals = _vertices(rows, element)
        elif element.name == b"face":
            corners, sizes = _faces(rows, element)
        else:
            rows.skip(element)
        wanted.discard(element.name)
        if not wanted:
            break
    wrong = np.flatnonzero((corners < 0) | (corners >= len(points)))
    if len(wrong):
        expected = f"expected 0 to {len(points) - 1}" if len(points) else "there is none"
        face = face_of(int(wrong[0]), sizes)
        raise UnreadableMesh(f"names vertex {corners[wrong[0]]}, {expected}.", f"face {face} (from 0)")
    if len(points) and not len(sizes):
        raise UnreadableMesh("holds no surface.", hint="Its points are drawn by the form points.")
    is_face = sizes >= 3
    if not is_face.all():  # empty lists, points and lines
        corners, sizes = corners[np.repeat(is_face, sizes)], sizes[is_face]
    return Surface(points, normals, corners, sizes)


def read_ply_points(file: BinaryIO) -> tuple[Array, Colors | None]:
    """Return the vertices (n, 3) of a PLY file, and their colours (n, 3), 0 to 255, if it has them."""
    order, elements, n_lines = _header(file)
    rows: _TextRows | _BinaryRows = _BinaryRows(file.read(), order) if order else _TextRows(file, n_lines)
    for element in elements:
        if element.name != b"vertex":
            rows.skip(element)
            continue
        check_points(element.count)
        places = _places(element, b"x", b"y", b"z")
        if places is None:
            raise UnreadableMesh("has vertices without x, y and z.", hint="Expected a number for each.")
        colors = _places(element, b"red", b"green", b"blue")
        if colors is None:
            colors = _places(element, b"diffuse_red", b"diffuse_green", b"diffuse_blue")
        table = rows.numbers(element, [*places, *(colors or ())])
        if colors is None:
            return table[:, :3], None
        factor = _COLOR_FACTORS.get(element.properties[colors[0]].type, 1.0)
        bytes_of = np.nan_to_num(np.clip(table[:, 3:] * factor, 0.0, 255.0)).round().astype(np.uint8)
        return table[:, :3], bytes_of
    raise UnreadableMesh("holds no vertices.")


_COLOR_FACTORS = {"f": 255.0, "d": 255.0, "H": 1.0 / 257.0}
"""Factors that give colours from 0 to 255, by the type of their numbers."""


def has_faces(file: BinaryIO) -> bool:
    r"""Return whether the header of a PLY file announces faces; without any it is a cloud of points.

    >>> import io
    >>> has_faces(io.BytesIO(b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n"))
    False
    """
    _, elements, _ = _header(file)
    return any(element.name in (b"face", b"tristrips") and element.count for element in elements)


# --- The header


def _header(file: BinaryIO) -> tuple[str, list[_Element], int]:
    """Return the byte order (empty for text), the elements, and the number of header lines."""
    if file.readline(100).strip() != b"ply":
        raise UnreadableMesh("cannot be read as PLY: it does not begin with 'ply'.")
    order: str | None = None
    elements: list[_Element] = []
    for number, line in itertools.islice(numbered_lines(file, 2), _MAX_HEADER_LINES):
        words = line.split()
        match words:
            case [b"format", name, *_] if name in _FORMATS:
                order = _FORMATS[name]
            case [b"element", name, count]:
                elements.append(_element(name, count, elements, number))
            case [b"property", *words_after] if elements:
                last = elements[-1]
                elements[-1] = replace(last, properties=(*last.properties, _property(words_after, number)))
            case [b"end_header"]:
                if order is None:
                    raise UnreadableMesh("the header names no format.", hint="Expected ascii or binary.")
                return order, elements, number
            case [] | [b"comment" | b"obj_info", *_]:
                pass
            case _:
                raise UnreadableMesh(f"{quote_bytes(line.strip())} is no line of a PLY header.", f"line {number}")
    raise UnreadableMesh("cannot be read as PLY: its header has no end.")


def _element(name: bytes, count: bytes, before: Sequence[_Element], line: int) -> _Element:
    if any(element.name == name for element in before):
        raise UnreadableMesh(f"a second element {quote_bytes(name)}.", f"line {line}")
    if not count.isdigit() or len(count) > 12:
        text = f"expected how many {quote_bytes(name)} there are, got {quote_bytes(count)}."
        raise UnreadableMesh(text, f"line {line}")
    return _Element(name, int(count), ())


def _property(words: Sequence[bytes], line: int) -> _Property:
    match words:
        case [b"list", length, kind, name] if length in _TYPES and kind in _TYPES and _TYPES[length] not in "fd":
            return _Property(name, _TYPES[kind], _TYPES[length])
        case [kind, name] if kind in _TYPES:
            return _Property(name, _TYPES[kind])
        case _:
            raise UnreadableMesh(f"expected a type and a name, got {quote_bytes(b' '.join(words))}.", f"line {line}")


# --- Vertices and faces


def _vertices(rows: _TextRows | _BinaryRows, element: _Element) -> tuple[Array, Array | None]:
    check_points(element.count)
    places = [element.find(name) for name in (b"x", b"y", b"z")]
    directions = [element.find(name) for name in (b"nx", b"ny", b"nz")]
    has_normals = None not in directions
    columns = [i for i in (*places, *(directions if has_normals else ())) if i is not None]
    if None in places or any(element.properties[i].length for i in columns):
        raise UnreadableMesh("has vertices without x, y and z.", hint="Expected a number for each.")
    table = rows.numbers(element, columns)
    return table[:, :3], table[:, 3:] if has_normals else None


def _places(element: _Element, *names: bytes) -> list[int] | None:
    """Return the indices of properties with a single number; None if one is missing."""
    places = [place for name in names if (place := element.find(name)) is not None]
    is_whole = len(places) == len(names) and not any(element.properties[place].length for place in places)
    return places if is_whole else None


def _faces(rows: _TextRows | _BinaryRows, element: _Element) -> tuple[Indices, Indices]:
    at = element.find(*_CORNERS)
    if at is None or not element.properties[at].length or element.properties[at].type in "fd":
        raise UnreadableMesh("has faces without a list of whole numbers 'vertex_indices'.")
    return rows.lists(element, at)


class _Lists:
    """Lists of the rows of one element, appended one by one."""

    def __init__(self) -> None:
        self.values = array("q")
        self.sizes = array("q")
        self.n_triangles = 0

    def add(self, values: Sequence[int]) -> None:
        """Add the list of the next face."""
        self.n_triangles += max(len(values) - 2, 0)
        if self.n_triangles > surface.MAX_TRIANGLES:
            check_triangles(self.n_triangles)
        self.values.extend(values)
        self.sizes.append(len(values))

    def add_even(self, table: Indices) -> None:
        """Add the lists (n, k) of faces with the same number of corners."""
        n, k = table.shape
        self.n_triangles += n * max(k - 2, 0)
        check_triangles(self.n_triangles)
        self.values.frombytes(np.ascontiguousarray(table).tobytes())
        self.sizes.frombytes(np.full(n, k, dtype=np.int64).tobytes())

    def arrays(self) -> tuple[Indices, Indices]:
        """Return all values, and the number of values of each face."""
        return np.array(self.values, dtype=np.int64), np.array(self.sizes, dtype=np.int64)


# --- Text


class _TextRows:
    """Rows of text: one per line, empty lines are skipped."""

    def __init__(self, file: BinaryIO, n_lines: int) -> None:
        self._lines = (row for row in numbered_lines(file, n_lines + 1) if not row[1].isspace())

    def skip(self, element: _Element) -> None:
        """Skip the rows of an element."""
        for start in range(0, element.count, BLOCK):
            self._block(element, start)

    def numbers(self, element: _Element, columns: Sequence[int]) -> Array:
        """Return the numbers of some properties (n, m)."""
        is_plain = not any(at.length for at in element.properties)
        values = array("d")
        for start in range(0, element.count, BLOCK):
            rows = self._block(element, start)
            table = number_table([line for _, line in rows], np.float64) if is_plain else None
            if table is not None and table.shape[1] > max(columns):
                values.frombytes(np.ascontiguousarray(table[:, columns]).tobytes())
                continue
            for i, (number, line) in enumerate(rows, start):
                words = line.split()
                try:
                    places = columns if is_plain else self._places(element, words, columns)
                    values.extend([float(words[k]) for k in places])
                except (ValueError, IndexError):
                    raise self._wrong(element, i, words, number) from None
        return np.array(values).reshape(-1, len(columns))

    def lists(self, element: _Element, column: int) -> tuple[Indices, Indices]:
        """Return the values of a list in each row, and their number in each row."""
        lists = _Lists()
        for start in range(0, element.count, BLOCK):
            rows = self._block(element, start)
            table = number_table([line for _, line in rows], np.int64) if len(element.properties) == 1 else None
            if table is not None and (table[:, 0] == table.shape[1] - 1).all():
                lists.add_even(table[:, 1:])
                continue
            for i, (number, line) in enumerate(rows, start):
                words = line.split()
                try:
                    lists.add(self._list(element, words, column))
                except (ValueError, IndexError):
                    raise self._wrong(element, i, words, number) from None
        return lists.arrays()

    def _list(self, element: _Element, words: Sequence[bytes], column: int) -> list[int]:
        at = self._places(element, words, [column])[0] if column else 0
        n = int(words[at])
        values = [int(word) for word in words[at + 1 : at + 1 + max(n, 0)]]
        if n < 0 or len(values) < n or max(map(abs, values), default=0) > 2**62:
            raise ValueError  # reported like every other invalid row
        return values

    def _block(self, element: _Element, start: int) -> list[tuple[int, bytes]]:
        """Return the next rows of an element, up to `BLOCK` at a time."""
        rows = list(itertools.islice(self._lines, min(BLOCK, element.count - start)))
        if len(rows) < min(BLOCK, element.count - start):
            raise UnreadableMesh(
                f"ends after {start + len(rows):,} of {counted(element.count, 'row')} of {element.title}."
            )
        return rows

    @staticmethod
    def _places(element: _Element, words: Sequence[bytes], columns: Sequence[int]) -> list[int]:
        """Return the index of the word of each column in a row; lists before a column take several words."""
        places: list[int] = []
        at = 0
        for i, part in enumerate(element.properties):
            places.append(at)
            if i == max(columns):
                break
            at += 1 + max(int(words[at]), 0) if part.length else 1
        return [places[i] for i in columns]

    @staticmethod
    def _wrong(element: _Element, i: int, words: Sequence[bytes], line: int) -> UnreadableMesh:
        names = ", ".join(
            part.name.decode("utf-8", "replace") + (" (how many, then as many)" if part.length else "")
            for part in element.properties[:8]
        )
        text = quote_bytes(b" ".join(words[:12]))
        return UnreadableMesh(f"row {i} of {element.title} is {text}, expected numbers for {names}.", f"line {line}")


# --- Binary


class _BinaryRows:
    """Rows in binary; every length is compared with the remaining bytes before memory is allocated."""

    def __init__(self, data: bytes, order: str) -> None:
        self._data = data
        self._order = order
        self._at = 0

    def skip(self, element: _Element) -> None:
        """Skip the rows of an element."""
        if any(part.length for part in element.properties):
            self._walk(element, None)
        else:
            self._table(element)

    def numbers(self, element: _Element, columns: Sequence[int]) -> Array:
        """Return the numbers of some properties (n, m)."""
        if any(part.length for part in element.properties):
            raise UnreadableMesh("has vertices with lists, which are not read in binary.")
        table = self._table(element)
        result = np.empty((element.count, len(columns)))
        with np.errstate(invalid="ignore"):
            for k, column in enumerate(columns):
                result[:, k] = table[f"p{column}"]
        return result

    def lists(self, element: _Element, column: int) -> tuple[Indices, Indices]:
        """Return the values of a list in each row, and their number in each row."""
        even = self._even_lists(element, column)
        if even is not None:
            return even
        lists = _Lists()
        self._walk(element, (column, lists))
        return lists.arrays()

    def _table(self, element: _Element) -> NDArray[Any]:
        """Return the rows of an element without list properties."""
        kinds = [(f"p{i}", self._order + part.type) for i, part in enumerate(element.properties)]
        return self._read_rows(element, np.dtype(kinds))

    def _read_rows(self, element: _Element, kind: np.dtype[Any]) -> NDArray[Any]:
        n_bytes, remaining = element.count * kind.itemsize, len(self._data) - self._at
        if n_bytes > remaining:
            fits = remaining // kind.itemsize
            raise UnreadableMesh(
                f"should hold {counted(element.count, 'row')} of {element.title}, and has room for {fits}."
            )
        table = np.empty(0, kind)
        if n_bytes:
            table = np.frombuffer(self._data, dtype=kind, count=element.count, offset=self._at)
        self._at += n_bytes
        return table

    def _even_lists(self, element: _Element, column: int) -> tuple[Indices, Indices] | None:
        """Return the lists if the element has a single list property, of equal length in all rows, else None."""
        if sum(bool(part.length) for part in element.properties) != 1 or not element.count:
            return None
        start = sum(struct.calcsize("=" + part.type) for part in element.properties[:column])
        length = struct.Struct(self._order + element.properties[column].length)
        if self._at + start + length.size > len(self._data):
            return None
        (n,) = length.unpack_from(self._data, self._at + start)
        kinds: list[Any] = [(f"p{i}", self._order + part.type) for i, part in enumerate(element.properties)]
        kinds[column : column + 1] = [("n", length.format), ("list", kinds[column][1], (n,))] if 0 < n < 1000 else []
        kind = np.dtype(kinds)
        if "n" not in (kind.names or ()) or element.count * kind.itemsize > len(self._data) - self._at:
            return None
        table = np.frombuffer(self._data, dtype=kind, count=element.count, offset=self._at)
        if (table["n"] != n).any():
            return None
        check_triangles(element.count * (n - 2))
        self._at += element.count * kind.itemsize
        return table["list"].astype(np.int64).ravel(), np.full(element.count, n, dtype=np.int64)

    def _walk(self, element: _Element, wanted: tuple[int, _Lists] | None) -> None:
        """Read rows with lists one by one, and keep the values of the wanted list property."""
        data, at = self._data, self._at
        parts = [
            (
                struct.Struct(self._order + part.length) if part.length else None,
                struct.calcsize("=" + part.type),
                part.type,
            )
            for part in element.properties
        ]
        for i in range(element.count):
            for k, (length, size, kind) in enumerate(parts):
                if length is None:
                    at += size
                    continue
                if at + length.size > len(data):
                    raise UnreadableMesh(f"ends after {i:,} of {counted(element.count, 'row')} of {element.title}.")
                (n,) = length.unpack_from(data, at)
                at += length.size
                if n < 0 or at + n * size > len(data):
                    room = (len(data) - at) // size
                    raise UnreadableMesh(f"row {i} of {element.title} has a list of {n}, and there is room for {room}.")
                if wanted is not None and wanted[0] == k:
                    check_triangles(n - 2)
                    wanted[1].add(struct.unpack_from(f"{self._order}{n}{kind}", data, at))
                at += n * size
            if at > len(data):
                raise UnreadableMesh(f"ends after {i:,} of {counted(element.count, 'row')} of {element.title}.")
        self._at = at

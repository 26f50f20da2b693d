"""Reader of OBJ: lines of vertices, normals and faces; all other lines are ignored."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Sequence
from typing import BinaryIO

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files import surface
from framescope.core.mesh_files.surface import (
    BLOCK,
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

_NO_NORMAL = 2**62
_RUNS = {b"v ": b"v", b"vn": b"vn", b"f ": b"f"}
_DIGITS = b"0123456789"
_MAX_RUN = 8_000_000
_FAR = 2**61
"""Index larger than in any file; it fits into 64 bits."""


def read_obj(file: BinaryIO) -> Surface:
    """Return the surface of an OBJ file; normals are used if every corner has one."""
    contents = Contents()
    for key, numbered in _runs(file):
        if not contents.take_run(key, numbered):
            for number, line in numbered:
                contents.take(number, line)
        contents.check()
    return contents.surface()


class Contents:
    """Contents of the lines read so far."""

    def __init__(self) -> None:
        self.places, self.directions = array("d"), array("d")
        self.corners, self.towards, self.sizes, self.lines = array("q"), array("q"), array("q"), array("q")

    def take(self, number: int, line: bytes) -> None:
        """Read a line, word by word."""
        words = line.partition(b"#")[0].split()
        key = words[0] if words else b""
        if key in {b"v", b"vn"}:
            try:
                x, y, z = map(float, words[1:4])
            except ValueError:
                text = quote_bytes(b" ".join(words[1:5]))
                problem = f"expected three numbers after '{key.decode()}', got {text}."
                raise UnreadableMesh(problem, f"line {number}") from None
            (self.places if key == b"v" else self.directions).extend((x, y, z))
        elif key in {b"f", b"fo"}:
            self.take_face(words[1:], number)

    def take_face(self, words: list[bytes], number: int) -> None:
        """Append the triangles of a face; `number` is the line's number."""
        if len(words) < 3:
            raise UnreadableMesh(
                f"a face of {counted(len(words), 'corner')}, expected three or more.", f"line {number}"
            )
        n_places, n_directions = len(self.places) // 3, len(self.directions) // 3
        for word in words:
            parts = word.split(b"/")
            self.corners.append(_index(parts[0], n_places, word, number))
            is_given = len(parts) > 2 and parts[2]
            self.towards.append(_index(parts[2], n_directions, word, number) if is_given else _NO_NORMAL)
        self.sizes.append(len(words))
        self.lines.append(number)

    def take_run(self, key: bytes, numbered: Sequence[tuple[int, bytes]]) -> bool:
        """Read lines with the same keyword together: vertices, normals, or faces with corners of the same form."""
        if key not in _RUNS:
            return False
        if key == b"f " and b"/" in numbered[0][1]:
            return self._take_slashed(numbered)
        kind = np.int64 if key == b"f " else np.float64
        table = number_table([line[len(_RUNS[key]) :] for _, line in numbered], kind)
        if table is None or table.shape[1] < 3 or (key == b"f " and (table < 1).any()):
            return False
        if key != b"f ":
            (self.places if key == b"v " else self.directions).frombytes(np.ascontiguousarray(table[:, :3]).tobytes())
            return True
        n, k = table.shape
        self.corners.frombytes(np.minimum(table - 1, _FAR).tobytes())
        self.towards.frombytes(np.full(n * k, _NO_NORMAL).tobytes())
        self.sizes.frombytes(np.full(n, k).tobytes())
        self.lines.extend(number for number, _ in numbered)
        return True

    def _take_slashed(self, numbered: Sequence[tuple[int, bytes]]) -> bool:
        """Read faces together if all corners have the same form `1/2`, `1//3` or `1/2/3`, with positive indices."""
        faces = [line[2:].strip() for _, line in numbered]
        text, form = b"\n".join(faces), faces[0].translate(None, _DIGITS)
        corner, n_corners = form.split(), len(faces[0].split())
        n_slashes = len(corner[0])
        is_alike = text.translate(None, _DIGITS) == b"\n".join([form] * len(faces))
        if not is_alike or n_corners < 3 or n_slashes > 2 or corner != [b"/" * n_slashes] * n_corners:
            return False
        n = len(faces) * n_corners
        has_no_place_of_texture = b"//" in faces[0]
        if has_no_place_of_texture and text.count(b"//") != n:
            return False
        n_numbers = n_slashes + 1 - has_no_place_of_texture
        try:
            numbers = np.array(text.replace(b"/", b" ").decode("ascii").split(), dtype=np.int64)
        except (ValueError, OverflowError):
            return False
        if len(numbers) != n * n_numbers or (numbers < 1).any():  # a missing number, or an index counted from the end
            return False
        rows = np.minimum(numbers.reshape(n, n_numbers) - 1, _FAR)
        self.corners.frombytes(np.ascontiguousarray(rows[:, 0]).tobytes())
        towards = np.ascontiguousarray(rows[:, -1]) if n_slashes == 2 else np.full(n, _NO_NORMAL)
        self.towards.frombytes(towards.tobytes())
        self.sizes.frombytes(np.full(len(faces), n_corners).tobytes())
        self.lines.extend(number for number, _ in numbered)
        return True

    def check(self) -> None:
        """Raise `UnreadableMesh` if a limit is exceeded."""
        check_triangles(len(self.corners) - 2 * len(self.sizes))
        check_points(max(len(self.places), len(self.directions)) // 3)

    def surface(self) -> Surface:
        """Return the surface of all lines."""
        columns = (self.corners, self.towards, self.sizes, self.lines)
        points, normals = (np.array(values).reshape(-1, 3) for values in (self.places, self.directions))
        return _surface(points, normals, *(np.array(column, dtype=np.int64) for column in columns))


def _runs(file: BinaryIO) -> Generator[tuple[bytes, list[tuple[int, bytes]]]]:
    """Yield runs of consecutive numbered lines with the same first two bytes."""
    key, lines, n_bytes = b"", list[tuple[int, bytes]](), 0
    for number, line in _join_lines(file):
        if line[:2] != key or len(lines) == BLOCK or n_bytes > _MAX_RUN:
            if lines:
                yield key, lines
            key, lines, n_bytes = line[:2], [], 0
        lines.append((number, line))
        n_bytes += len(line)
    if lines:
        yield key, lines


def _join_lines(file: BinaryIO) -> Generator[tuple[int, bytes]]:
    """Yield lines with their numbers; a line that ends in a backslash is joined with the next line."""
    begun, at = b"", 0
    for number, line in numbered_lines(file):
        bare = line.rstrip()
        if bare.endswith(b"\\"):
            begun, at = begun + bare[:-1] + b" ", at or number
            if len(begun) > surface.MAX_LINE_LENGTH:
                raise UnreadableMesh(f"longer than {surface.MAX_LINE_LENGTH} bytes.", f"line {at}")
        elif begun:
            yield at, begun + line
            begun, at = b"", 0
        else:
            yield number, line
    if begun:
        yield at, begun


def _index(text: bytes, n_before: int, word: bytes, line: int) -> int:
    """Return an index from 0. A negative index counts back from its line, a positive index may refer to later lines."""
    try:
        i = int(text)
    except ValueError:
        raise UnreadableMesh(f"expected the number of a vertex, got {quote_bytes(word)}.", f"line {line}") from None
    if i > 0:
        return min(i - 1, _FAR)
    if i == 0 or n_before + i < 0:
        there = f"{n_before} there are above" if n_before else "none above"
        problem = f"a face names number {quote_bytes(text)} of {there}; the first is 1, the last -1."
        raise UnreadableMesh(problem, f"line {line}")
    return n_before + i


def _surface(
    points: Array, normals: Array, corners: Indices, towards: Indices, sizes: Indices, lines: Indices
) -> Surface:
    """Return a surface whose vertices are pairs of a position and a normal."""
    _check(corners, len(points), "vertex", sizes, lines)
    is_given = towards != _NO_NORMAL
    _check(np.where(is_given, towards, -1), len(normals), "normal", sizes, lines)
    if not len(normals) or not len(corners) or not is_given.all():
        return Surface(points, None, corners, sizes)
    pairs, which = np.unique(corners * len(normals) + towards, return_inverse=True)
    at, toward = np.divmod(pairs, len(normals))
    return Surface(points[at], normals[toward], which.astype(np.int64), sizes)


def _check(indices: Indices, n: int, what: str, sizes: Indices, lines: Indices) -> None:
    wrong = np.flatnonzero(indices >= n)
    if len(wrong):
        i = int(indices[wrong[0]])
        text = f"{what} {i + 1}" if i < _FAR else f"a {what} far beyond"
        raise UnreadableMesh(f"a face names {text} of {n} in the file.", f"line {lines[face_of(int(wrong[0]), sizes)]}")

"""Reader of point clouds: vertices of PLY, and the points of COLMAP as text and in binary, with their colours.

Of a large cloud, evenly chosen points are kept, as many as are drawn.
"""

from __future__ import annotations

import io
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.ply import read_ply_points
from framescope.core.mesh_files.surface import MAX_POINTS, MAX_SIZE, Colors, MeshFileError, UnreadableMesh, quote_bytes
from framescope.core.system.caches import FileCache

MAX_BYTES = 500_000_000
"""Maximum size of a file of points, bytes."""

MAX_DRAWN = 500_000
"""Largest number of points that are kept of a cloud."""

MAX_LINE_LENGTH = 10_000_000
"""Maximum length of a line of a text file, bytes: the images in which a point was seen follow it."""

KEPT, KEPT_POINTS = 2, 2_000_000
"""Number of clouds that are always cached, and total of points up to which more are cached."""

_COLUMNS = 7
"""Number of the columns of COLMAP that are read: number, x, y, z, red, green, blue."""

_ROW = struct.Struct("<Q3d3BdQ")
"""Point of COLMAP in binary: number, position, colour, error, number of images; 8 bytes for each image follow."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points of a file.

    Attributes
    ----------
    points : (n, 3)
        Positions in the unit of the file, finite, at most `MAX_DRAWN`.
    colors : (n, 3) or None
        Red, green and blue, 0 to 255; None if the file has none.
    n_in_file
        Number of points in the file that have a position.
    n_lost
        Number of points whose position is not finite. They are left out.
    """

    points: Array
    colors: Colors | None
    n_in_file: int
    n_lost: int = 0

    @property
    def note(self) -> str:
        """What is not drawn of the file, as a sentence; empty if all points are drawn.

        >>> Cloud(np.zeros((2, 3)), None, 5).note
        'it has 5 points, of which 2 are drawn, evenly chosen.'
        """
        parts: list[str] = []
        if self.n_in_file > len(self.points):
            parts.append(f"it has {self.n_in_file:,} points, of which {len(self.points):,} are drawn, evenly chosen.")
        if self.n_lost:
            have = "has" if self.n_lost == 1 else "have"
            parts.append(f"{self.n_lost:,} of its points {have} no finite position and cannot be drawn.")
        return " ".join(parts)


def read_cloud(path: Path) -> Cloud:
    """Return the points in a file.

    Raises
    ------
    MeshFileError
        When the file cannot be read, is too large, is damaged, or holds no points; the message names the place.
    """
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > MAX_BYTES:
                raise MeshFileError(
                    f"the file {path.name} is larger than {MAX_BYTES // 1_000_000} MB.", "Keep fewer points."
                )
            return _read(path.name, file)
    except OSError as error:
        raise MeshFileError(f"the file {path.name} cannot be read: {error.strerror or error}.") from None


def cloud_of(name: str, data: bytes) -> Cloud:
    """Return the points of a file by its content; the suffix of the name decides how it is read.

    Raises
    ------
    MeshFileError
        As in `read_cloud`.

    Examples
    --------
    >>> cloud_of("points3D.txt", b"7 1.5 0 -2 255 128 0 0.4 1 12 2 3").colors
    array([[255, 128,   0]], dtype=uint8)
    """
    return _read(name, io.BytesIO(data))


kept_cloud = FileCache(read_cloud, KEPT, lambda cloud: float(len(cloud.points)), KEPT_POINTS)
"""Cached `read_cloud`, so that checks and display read a file once."""


def _read(name: str, file: BinaryIO) -> Cloud:
    readers = {".ply": read_ply_points, ".bin": _read_binary}
    read = readers.get(Path(name).suffix.lower(), _read_text)
    try:
        return _drawn(*read(file))
    except UnreadableMesh as problem:
        where = f"the file {name}"
        message = f"{where}, {problem.place}: {problem.what}" if problem.place else f"{where} {problem.what}"
        raise MeshFileError(message, problem.hint) from None


def _drawn(points: Array, colors: Colors | None) -> Cloud:
    """Return the points of a file that are drawn."""
    with np.errstate(invalid="ignore"):
        is_whole = (np.abs(points) <= MAX_SIZE).all(axis=1)
    n, n_whole = len(points), int(is_whole.sum())
    if not n_whole:
        raise UnreadableMesh("holds no points." if not n else "holds no point with a finite position.")
    rows = np.flatnonzero(is_whole)
    if n_whole > MAX_DRAWN:
        rows = rows[np.linspace(0, n_whole - 1, MAX_DRAWN).round().astype(np.intp)]
    if len(rows) < n:
        points, colors = points[rows], None if colors is None else colors[rows]
    return Cloud(points, colors, n_whole, n - n_whole)


# --- COLMAP


def _read_text(file: BinaryIO) -> tuple[Array, Colors | None]:
    """Return the points of COLMAP's text: a line for each, with number, position, colour, error and images."""
    lines: list[bytes] = []
    numbers: list[int] = []
    number = 0
    while line := file.readline(MAX_LINE_LENGTH):
        number += 1
        if len(line) == MAX_LINE_LENGTH:
            raise UnreadableMesh(f"longer than {MAX_LINE_LENGTH:,} bytes.", f"line {number}")
        if line.isspace() or line.lstrip().startswith(b"#"):
            continue
        if len(lines) == MAX_POINTS:
            raise UnreadableMesh(f"has more than {MAX_POINTS:,} points.", hint="Keep fewer points.")
        lines.append(line)
        numbers.append(number)
    if not lines:
        return np.empty((0, 3)), None
    try:
        table = np.loadtxt(lines, usecols=range(_COLUMNS), comments=None, ndmin=2)
        is_color = (table[:, 4:] >= 0) & (table[:, 4:] <= 255)
        if not is_color.all():
            raise _fault(lines, numbers, int(np.argmin(is_color.all(axis=1))))
    except (ValueError, OverflowError):
        wrong = next((k for k, line in enumerate(lines) if not _is_row(line)), 0)
        raise _fault(lines, numbers, wrong) from None
    return table[:, 1:4], table[:, 4:].astype(np.uint8)


def _is_row(line: bytes) -> bool:
    try:
        return len([float(word) for word in line.split(None, _COLUMNS)[:_COLUMNS]]) == _COLUMNS
    except ValueError:
        return False


def _fault(lines: list[bytes], numbers: list[int], k: int) -> UnreadableMesh:
    text = quote_bytes(lines[k].strip())
    return UnreadableMesh(
        f"is {text}, expected number, x, y, z, red, green, blue as in points3D.txt of COLMAP.",
        f"line {numbers[k]}",
        "Points in another form are read from PLY.",
    )


def _read_binary(file: BinaryIO) -> tuple[Array, Colors | None]:
    """Return the points of COLMAP's binary file: their number, then a row of `_ROW` and the images for each."""
    data = file.read()
    if len(data) < 8:
        raise UnreadableMesh("is too short for points3D.bin of COLMAP.")
    (n,) = struct.unpack_from("<Q", data)
    if n * _ROW.size > len(data) - 8:
        raise UnreadableMesh(
            f"should hold {n:,} points, and has room for {(len(data) - 8) // _ROW.size:,}.",
            hint="Expected points3D.bin of COLMAP.",
        )
    starts = np.empty(n, dtype=np.int64)
    at, length_of = 8, struct.Struct("<Q").unpack_from
    try:
        for k in range(n):
            starts[k] = at
            at += _ROW.size + 8 * min(length_of(data, at + _ROW.size - 8)[0], len(data))
    except struct.error:
        at = len(data) + 1
    if at > len(data):
        raise UnreadableMesh(f"ends in one of its {n:,} points.", hint="Expected points3D.bin of COLMAP.")
    row = np.dtype([("number", "<u8"), ("p", "<f8", 3), ("color", "u1", 3)])
    head = np.frombuffer(data, dtype=np.uint8)[starts[:, np.newaxis] + np.arange(row.itemsize)]
    rows = np.ascontiguousarray(head).view(row)[:, 0]
    return np.ascontiguousarray(rows["p"], dtype=float), np.ascontiguousarray(rows["color"])

"""Surface of a mesh file, its limits, and its errors."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import HintedError
from framescope.core.kernels.validation import Array

MAX_BYTES = 200_000_000
"""Maximum size of a mesh file, bytes."""

MAX_TRIANGLES = 5_000_000
MAX_POINTS = 10_000_000
"""Maximum number of vertices, and of normals, of a mesh file."""

MAX_CUT = 1_000_000_000
"""Maximum sum of squared corner counts over faces with more than four corners, to limit triangulation time."""

MAX_LINE_LENGTH = 1_000_000
"""Maximum length of a line of a text file, bytes."""

MAX_SIZE = 1e30
"""Largest coordinate that can be displayed in single precision."""

Indices = NDArray[np.int64]
Colors = NDArray[np.uint8]


class MeshFileError(HintedError):
    """Error of a mesh file that cannot be drawn; `message` has the reason, and `hint` the fix."""


class UnreadableMesh(Exception):  # noqa: N818 - it is reported as a `MeshFileError`
    """Problem found by a reader, without the name of the file; `place` is a line or an accessor, for example."""

    def __init__(self, what: str, place: str = "", hint: str = "Export it again, or in another format.") -> None:
        self.what = what
        self.place = place
        self.hint = hint
        super().__init__(what)


@dataclass(frozen=True, eq=False)
class Surface:
    """Faces of three or more corners: face `k` takes the next ``sizes[k]`` of `corners`, row indices of `points`."""

    points: Array  # (n, 3)
    normals: Array | None  # (n, 3), of the vertices, if the file has them
    corners: Indices
    sizes: Indices
    colors: Colors | None = None  # (faces, 3), RGB of the faces, if the file has them


def check_surface(surface: Surface) -> Surface:
    """Check a surface against the limits, and return it without unused vertices and degenerate triangles.

    Raises
    ------
    UnreadableMesh
        When an index is outside the points, a used vertex is not finite, the surface is empty, or a limit is exceeded.
    """
    points, corners, sizes, colors = surface.points, surface.corners, surface.sizes, surface.colors
    check_triangles(int((sizes - 2).sum()))
    check_cut(sizes)
    at = np.flatnonzero((corners < 0) | (corners >= len(points)))
    if len(at):
        raise UnreadableMesh(f"a face names vertex {corners[at[0]]} (from 0) of {len(points)}.")
    if len(sizes) and (sizes == 3).all():
        triangles = corners.reshape(-1, 3)
        is_whole = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
        corners, sizes = triangles[is_whole].ravel(), sizes[is_whole]
        colors = None if colors is None else colors[is_whole]
    if not len(sizes):
        raise UnreadableMesh("holds no surface.", hint="Expected triangles or other faces.")
    # Unused vertices would enlarge the bounding box.
    is_used = np.zeros(len(points), dtype=bool)
    is_used[corners] = True
    place = np.cumsum(is_used) - 1
    used_points = points[is_used]
    with np.errstate(invalid="ignore"):
        is_wrong = ~(np.abs(used_points) <= MAX_SIZE).all(axis=1)
    if is_wrong.any():
        i = int(np.flatnonzero(is_used)[int(np.argmax(is_wrong))])
        text = ", ".join(f"{x:.6g}" for x in points[i])
        raise UnreadableMesh(f"vertex {i} (from 0) is at ({text}), which is not finite or over {MAX_SIZE:g}.")
    normals = None if surface.normals is None else np.nan_to_num(surface.normals[is_used], posinf=0.0, neginf=0.0)
    return Surface(used_points, normals, place[corners], sizes, colors)


def face_of(corner: int, sizes: Indices) -> int:
    """Return the index of the face of a corner."""
    ends: Indices = np.cumsum(sizes)
    return int((ends <= corner).sum())


def check_bytes(n: int) -> None:
    """Raise `UnreadableMesh` if a file exceeds the size limit."""
    if n > MAX_BYTES:
        raise UnreadableMesh(f"is larger than {MAX_BYTES // 1_000_000} MB.", hint="Reduce the mesh.")


def check_triangles(n: int) -> None:
    """Raise `UnreadableMesh` for more triangles than the limit."""
    if n > MAX_TRIANGLES:
        raise UnreadableMesh(f"has {n} triangles, more than {MAX_TRIANGLES}.", hint="Reduce the mesh.")


def check_points(n: int) -> None:
    """Raise `UnreadableMesh` for more vertices, or normals, than the limit."""
    if n > MAX_POINTS:
        raise UnreadableMesh(f"has {n} vertices, more than {MAX_POINTS}.", hint="Reduce the mesh.")


def check_cut(sizes: Indices) -> None:
    """Raise `UnreadableMesh` for faces with so many corners that triangulation would take minutes."""
    large = sizes[sizes > 4].astype(float)
    if float((large * large).sum()) > MAX_CUT:
        problem = f"has faces of up to {sizes.max()} corners, too many to cut up."
        raise UnreadableMesh(problem, hint="Triangulate the mesh.")


def numbered_lines(file: BinaryIO, first: int = 1) -> Generator[tuple[int, bytes]]:
    """Yield the lines of a text file, numbered from `first`; raise `UnreadableMesh` for one that is too long."""
    number = first
    while line := file.readline(MAX_LINE_LENGTH):
        if len(line) == MAX_LINE_LENGTH:
            raise UnreadableMesh(f"longer than {MAX_LINE_LENGTH} bytes.", f"line {number}")
        yield number, line
        number += 1


def quote_bytes(word: bytes) -> str:
    """Return a piece of a file for messages: short, in quotes, with codes for unprintable characters."""
    text = word[:40].decode("utf-8", "backslashreplace")
    return "'" + "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text) + ("…'" if len(word) > 40 else "'")


BLOCK = 16_384
"""Number of lines read together."""

FEWEST_LINES = 16
"""Smallest number of lines that are read together."""

_MAX_BYTES = 16_000_000
_OF_INTEGERS = b"0123456789+- \t\r\n"


def number_table(lines: Sequence[bytes], kind: type[np.float64 | np.int64]) -> NDArray[Any] | None:
    """Return the numbers (n, k) of lines; None for few lines, very long lines, or lines with other words than numbers.

    The caller then reads the lines word by word, and reports the first fault.

    >>> number_table([b"1 2"] * 20, np.int64).sum(axis=0), number_table([b"1 2"] * 19 + [b"1 x"], np.int64)
    (array([20, 40]), None)
    """
    if len(lines) < FEWEST_LINES or sum(map(len, lines)) > _MAX_BYTES:
        return None
    if kind is np.int64 and b"".join(lines).translate(None, _OF_INTEGERS):
        return None  # numpy would accept 1.0 as a whole number
    try:
        table = np.loadtxt(lines, dtype=kind, comments=None, ndmin=2)
    except (ValueError, OverflowError):
        return None
    return table if len(table) == len(lines) else None

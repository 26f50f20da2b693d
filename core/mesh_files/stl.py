"""Reader of STL: triangles without shared vertices, in binary or as text.

Normals of the facets are ignored, because many programs write zeros.
"""

from __future__ import annotations

from array import array
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted
from framescope.core.mesh_files import surface
from framescope.core.mesh_files.surface import Surface, UnreadableMesh, check_triangles, numbered_lines, quote_bytes

_HEADER = 84
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_UNKNOWN = (0, 2**32 - 1)
"""Facet counts written by programs that do not fill in the true count."""


def read_stl(file: BinaryIO) -> Surface:
    """Return the surface of an STL file."""
    n_bytes = file.seek(0, 2)
    file.seek(0)
    start = file.read(1000)
    head = start[:_HEADER]
    file.seek(0)
    n = int.from_bytes(head[80:84], "little")
    # A binary file may begin with the word solid, too, so the file size decides.
    if len(head) == _HEADER and n_bytes == _HEADER + _FACET.itemsize * n:
        return _binary(file, n)
    if start.lstrip()[:5].lower() == b"solid" and b"\0" not in start:
        return _text(file)
    if len(head) < _HEADER:
        raise UnreadableMesh("cannot be read as STL.")
    fits, rest = divmod(n_bytes - _HEADER, _FACET.itemsize)
    if n in _UNKNOWN and fits and not rest:
        n = fits
    if n > fits:
        raise UnreadableMesh(
            f"cannot be read as STL: it should hold {counted(n, 'triangle')}, and has room for {fits}."
        )
    return _binary(file, n)


def _binary(file: BinaryIO, n: int) -> Surface:
    check_triangles(n)
    file.seek(_HEADER)
    facets = np.frombuffer(file.read(n * _FACET.itemsize), dtype=_FACET)
    return _merge_corners(np.ascontiguousarray(facets["corners"]).reshape(-1, 3))


def _text(file: BinaryIO) -> Surface:
    places = array("d")
    n_corners, n_facets = 0, 0
    for number, line in numbered_lines(file):
        words = line.split()
        key = words[0].lower() if words else b""
        if key == b"vertex":
            try:
                x, y, z = map(float, words[1:4])
            except ValueError:
                text = quote_bytes(b" ".join(words[1:5]))
                raise UnreadableMesh(f"expected three numbers after 'vertex', got {text}.", f"line {number}") from None
            places.extend((x, y, z))
            n_corners += 1
        elif key == b"endloop":
            n_facets += 1
            if n_corners != 3 * n_facets:
                has = n_corners - 3 * n_facets + 3
                raise UnreadableMesh(
                    f"a facet ends that has {counted(has, 'vertex', 'vertices')}, expected 3.", f"line {number}"
                )
            check_triangles(n_facets)
        elif len(places) > 9 * surface.MAX_TRIANGLES:
            check_triangles(len(places) // 9)
    if n_corners != 3 * n_facets:
        raise UnreadableMesh("ends within a facet.")
    with np.errstate(over="ignore"):
        return _merge_corners(np.array(places).reshape(-1, 3).astype(np.float32))


def _merge_corners(corners: NDArray[np.float32]) -> Surface:
    """Return the surface with equal corners merged into one vertex."""
    corners = corners + np.float32(0.0)  # -0.0 equals 0.0
    if not len(corners):
        return Surface(np.empty((0, 3)), None, np.empty(0, np.int64), np.empty(0, np.int64))
    order = np.lexsort(corners.view(np.uint32).T)
    ordered = corners.view(np.uint32)[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    which = np.empty(len(order), dtype=np.int64)
    which[order] = np.cumsum(is_first) - 1
    points = corners[order[is_first]].astype(float)
    return Surface(points, None, which, np.full(len(corners) // 3, 3, dtype=np.int64))

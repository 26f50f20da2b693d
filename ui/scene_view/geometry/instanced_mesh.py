"""Instanced mesh: many items of one shape, each spanned by its own points: arrows, springs, dampers, rods.

Every vertex is linear in six vectors of its item: three stations (points such as foot, neck and tip) and three axes a,
b, d (right-handed, d along the item, scaled by its size). A tick writes six vectors for each item, and one matrix
product computes all vertices in VTK's own memory, without allocation. For that, the buffers are contiguous for each
vector, and products use einsum: numpy's own operators allocate buffers when they broadcast.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, pv_cells, rgba, set_colors, set_normals

Array = NDArray[np.float64]

STATIONS = 3

# Axes are rotated from this direction along the shortest path, which is smooth except at the opposite direction. That
# direction should be rare: this unit vector is as far from the coordinate axes as possible.
_D0 = np.array([0.48, 0.60, 0.64])
_A0 = np.array([0.60, 0.0, -0.45]) / 0.75
_BASE = np.stack([_A0, np.cross(_D0, _A0), _D0])
NEARLY_OPPOSITE = 1e-9


@dataclass(frozen=True, eq=False)
class MeshTemplate:
    """A shape: weights (m, 6) of three stations and axes a, b, d; normals (m, 3) in a, b, d; triangles."""

    weights: Array
    normals: Array
    triangles: NDArray[np.int64]


def place(mesh: Mesh, station: int) -> MeshTemplate:
    """Return a rigid mesh at a station, scaled by the item's size, with its x, y, z along a, b, d."""
    weights = np.zeros((len(mesh.points), STATIONS + 3))
    weights[:, station] = 1.0
    weights[:, STATIONS:] = mesh.points
    return MeshTemplate(weights, mesh.normals, mesh.triangles)


def stretch(mesh: Mesh, start: int, end: int) -> MeshTemplate:
    """Return a mesh stretched from one station, at z = 0, to another, at z = 1; x and y are along a and b."""
    weights = np.zeros((len(mesh.points), STATIONS + 3))
    weights[:, start] = 1.0 - mesh.points[:, 2]
    weights[:, end] = mesh.points[:, 2]
    weights[:, STATIONS : STATIONS + 2] = mesh.points[:, :2]
    return MeshTemplate(weights, mesh.normals, mesh.triangles)


def pieces(template: MeshTemplate, length: float) -> list[tuple[int, int | None, Mesh]]:
    """Split a shape into its rigid and stretched pieces, the inverse of `place` and `stretch`.

    Each piece is a station and a mesh in the axes there, or, with a second station, a mesh with z = 1 at that station.
    A wire wound between two stations has its true thickness along d if they are `length` apart, in sizes of the item.
    """
    stations = template.weights[:, :STATIONS]
    bits = (stations != 0.0) @ (1 << np.arange(STATIONS))
    of_triangle = np.bitwise_or.reduce(bits[template.triangles], axis=1)
    rows_of_pieces: list[tuple[int, int | None, Mesh]] = []
    for kind in np.unique(of_triangle).tolist():
        rows, triangles = np.unique(template.triangles[of_triangle == kind], return_inverse=True)
        ends = [k for k in range(STATIONS) if kind >> k & 1]
        points = template.weights[rows, STATIONS:].copy()
        if len(ends) > 1:
            points[:, 2] = stations[rows, ends[1]] + points[:, 2] / length
        mesh = Mesh(points, template.normals[rows], triangles.reshape(-1, 3))
        rows_of_pieces.append((ends[0], ends[1] if len(ends) > 1 else None, mesh))
    return rows_of_pieces


def join(templates: Iterable[MeshTemplate]) -> MeshTemplate:
    """Join templates into one."""
    parts = list(templates)
    offsets = np.cumsum([0, *(len(part.weights) for part in parts[:-1])])
    return MeshTemplate(
        np.concatenate([part.weights for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.triangles + k for part, k in zip(parts, offsets, strict=True)]),
    )


def colors_of(colors: Iterable[str]) -> NDArray[np.uint8]:
    """Return a colour for each item (count, 4), bytes."""
    return np.array([rgba(color) for color in colors], dtype=np.uint8).reshape(-1, 4)


@dataclass(frozen=True, eq=False)
class ItemPlaces:
    """Places of a mesh's items without their vertices: `stations`, `axes`, `sizes`, `is_shown` as in `LinearMesh`."""

    stations: Array
    axes: Array
    sizes: Array
    is_shown: NDArray[np.bool_]

    @classmethod
    def of(cls, count: int) -> ItemPlaces:
        """Return buffers for `count` items."""
        return cls(
            np.zeros((STATIONS, count, 3)), np.zeros((3, count, 3)), np.zeros(count), np.zeros(count, dtype=bool)
        )


class LinearMesh:
    """One PolyData with a copy of a template for each item.

    Attributes
    ----------
    stations : (3, count, 3)
        Three points of each item, in world; to be written before `update`.
    axes : (3, count, 3)
        Unit vectors a, b and d of each item.
    sizes : (count,)
        Length of the axes, m.
    is_shown : (count,)
        Items that are not shown collapse to a point.
    template, colors
        The arguments of the constructor.
    """

    def __init__(self, template: MeshTemplate, colors: NDArray[np.uint8]) -> None:
        """Take one colour for each item, ``(count, 4)`` bytes."""
        self.template, self.colors = template, colors
        count, m = len(colors), len(template.weights)
        self.stations, self.axes = np.zeros((STATIONS, count, 3)), np.zeros((3, count, 3))
        self._scaled = np.zeros((3, count, 3))
        self.sizes, self.is_shown = np.zeros(count), np.zeros(count, dtype=bool)
        offsets = m * np.arange(count)[:, None, None]
        cells = pv_cells((template.triangles + offsets).reshape(-1, 3))
        self.polydata = pv.PolyData(np.zeros((count * m, 3), dtype=np.float32), faces=cells)
        set_colors(self.polydata, np.repeat(colors, m, axis=0))
        set_normals(self.polydata, np.zeros((count * m, 3)))
        self._weights = template.weights.astype(np.float32)
        self._normal_weights = template.normals.astype(np.float32)
        self._points = actors.points_of(self.polydata).reshape(count, m, 3)
        self._normals = vtk_to_numpy(self.polydata.GetPointData().GetNormals()).reshape(count, m, 3)
        self._vectors = np.zeros((count, STATIONS + 3, 3), dtype=np.float32)
        self._axes = np.zeros((count, 3, 3), dtype=np.float32)
        self._is_hidden = np.zeros(count, dtype=bool)

    def update(self) -> None:
        """Compute all vertices from stations and axes."""
        np.einsum("kij,i->kij", self.axes, self.sizes, out=self._scaled)
        np.copyto(self._axes, self.axes.swapaxes(0, 1), casting="same_kind")
        np.copyto(self._vectors[:, :STATIONS], self.stations.swapaxes(0, 1), casting="same_kind")
        np.copyto(self._vectors[:, STATIONS:], self._scaled.swapaxes(0, 1), casting="same_kind")
        np.logical_not(self.is_shown, out=self._is_hidden)
        for vectors in (self._vectors, self._axes):
            np.copyto(vectors, 0.0, where=self._is_hidden[:, None, None])
        np.matmul(self._weights, self._vectors, out=self._points)
        np.matmul(self._normal_weights, self._axes, out=self._normals)
        self.polydata.GetPointData().GetNormals().Modified()
        actors.touch(self.polydata)


class AxesAlong:
    """Right-handed axes along vectors, in buffers; they depend continuously on the vectors.

    Attributes
    ----------
    axes : (3, count, 3)
        Unit vectors a, b and d, with d along the vector if that has a direction.
    lengths : (count,)
        Lengths of the vectors.
    is_given : (count,)
        Whether a vector has a direction: it is neither zero nor NaN.

    Examples
    --------
    >>> along = AxesAlong(1)
    >>> along.turn(np.array([[0.0, 0.0, 2.0]]))
    >>> along.axes[2], along.lengths
    (array([[0., 0., 1.]]), array([2.]))
    """

    def __init__(self, count: int) -> None:
        self.axes, self.lengths = np.zeros((3, count, 3)), np.zeros(count)
        self.is_given = np.zeros(count, dtype=bool)
        self._is_finite = np.zeros(count, dtype=bool)
        self._base = np.repeat(_BASE[:, None], count, axis=1)
        self._parts, self._sum, self._inverse = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count)

    def turn(self, vectors: Array) -> None:
        """Compute the axes along vectors (count, 3)."""
        axes, lengths, inverse, parts = self.axes, self.lengths, self._inverse, self._parts
        with np.errstate(all="ignore"):
            np.einsum("ij,ij->i", vectors, vectors, out=lengths)
            np.sqrt(lengths, out=lengths)
            np.greater(lengths, 0.0, out=self.is_given)
            np.isfinite(lengths, out=self._is_finite)
            np.logical_and(self.is_given, self._is_finite, out=self.is_given)
            np.reciprocal(lengths, out=inverse)
            np.einsum("ij,i->ij", vectors, inverse, out=axes[2])
            # The rotation from d0 to d maps a0 to a0 - (d·a0) / (1 + d·d0) (d0 + d), and b0 likewise.
            np.matmul(axes[2], _BASE.T, out=parts)
            divisors = parts[:, 2]
            np.add(divisors, 1.0, out=divisors)
            is_opposite = bool(np.nanmin(divisors, initial=1.0) < NEARLY_OPPOSITE)
            np.maximum(divisors, NEARLY_OPPOSITE, out=divisors)
            np.add(axes[2], self._base[2], out=self._sum)
            for k in (0, 1):
                np.divide(parts[:, k], divisors, out=parts[:, k])
                np.einsum("i,ij->ij", parts[:, k], self._sum, out=axes[k])
                np.subtract(self._base[k], axes[k], out=axes[k])
        if is_opposite:
            half_turn = (divisors <= NEARLY_OPPOSITE)[:, None]
            np.copyto(axes[0], self._base[0], where=half_turn)
            np.copyto(axes[1], -self._base[1], where=half_turn)

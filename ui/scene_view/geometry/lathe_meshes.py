"""Small meshes in numpy, mostly surfaces of revolution, with normals that keep edges hard."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk

from framescope.ui.theme.tokens import channels

Points = NDArray[np.float64]
Color = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with a normal at each vertex; vertices are duplicated along hard edges."""

    points: Points  # (m, 3)
    normals: Points  # (m, 3)
    triangles: NDArray[np.int64]  # (k, 3)
    colors: NDArray[np.uint8] | None = None  # (k, 3), RGB of the triangles, if the file has colours

    def transform(self, R: Points | None = None, p: Sequence[float] | Points = (0, 0, 0), scale: float = 1.0) -> Mesh:
        """Return the mesh scaled, then rotated by `R`, then shifted by `p`."""
        R = np.eye(3) if R is None else R
        return replace(self, points=scale * self.points @ R.T + p, normals=self.normals @ R.T)

    def rescale(self, scale: Sequence[float]) -> Mesh:
        """Return the mesh scaled along x, y and z, or mirrored; faces still look outward."""
        x, y, z = scale
        if x == y == z > 0.0:
            return self.transform(scale=x)
        normals = self.normals / np.array(scale)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        triangles = self.triangles if x * y * z > 0.0 else self.triangles[:, ::-1]
        normals = normals / np.where(length > 0.0, length, 1.0)
        return Mesh(self.points * np.array(scale), normals, triangles, self.colors)


def merge(meshes: Iterable[Mesh]) -> Mesh:
    """Merge meshes into one."""
    parts = list(meshes)
    offsets = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    return Mesh(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.triangles + k for part, k in zip(parts, offsets, strict=True)]),
    )


def lathe(profile: Sequence[tuple[float, float]], sides: int, *, smooth: bool = False, sweep: float = math.tau) -> Mesh:
    """Revolve a profile of (radius, height) pairs about z, by `sweep` from the x axis.

    The outside is to the right of the profile's direction. With `smooth`, shading rounds its corners; otherwise each
    segment of the profile is flat and its ends are hard edges.
    """
    shared_mesh = _cached_lathe(tuple(profile), sides, smooth, sweep)
    return Mesh(shared_mesh.points.copy(), shared_mesh.normals.copy(), shared_mesh.triangles.copy())


@lru_cache(maxsize=128)
def _cached_lathe(profile: tuple[tuple[float, float], ...], sides: int, smooth: bool, sweep: float) -> Mesh:
    """Return a cached mesh that callers must not change: each edit of a scene asks for the same meshes again."""
    r, z = np.asarray(profile, dtype=float).T
    stretches = [np.arange(len(r))] if smooth else [np.array([k, k + 1]) for k in range(len(r) - 1)]
    steps = sides + 1
    phi = np.linspace(0.0, sweep, steps)
    radial = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
    parts = []
    for rows in stretches:
        tangent = np.stack([np.gradient(r[rows]), np.gradient(z[rows])], axis=-1)
        n_r, n_z = tangent[:, 1], -tangent[:, 0]
        length = np.hypot(n_r, n_z)
        n_r, n_z = n_r / length, n_z / length
        points = np.empty((len(rows), steps, 3))
        normals = np.empty_like(points)
        points[..., :2] = r[rows, None, None] * radial
        points[..., 2] = z[rows, None]
        normals[..., :2] = n_r[:, None, None] * radial
        normals[..., 2] = n_z[:, None]
        parts.append(Mesh(points.reshape(-1, 3), normals.reshape(-1, 3), _grid_triangles(len(rows), steps)))
    return merge(parts)


def _grid_triangles(rows: int, columns: int) -> NDArray[np.int64]:
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = corner, corner + 1, corner + columns, corner + columns + 1
    return np.concatenate([np.stack([a, b, d], -1), np.stack([a, d, c], -1)])


def cylinder(radius: float, bottom: float, top: float, sides: int = 24) -> Mesh:
    """Return a closed cylinder along z."""
    return lathe([(0, bottom), (radius, bottom), (radius, top), (0, top)], sides)


def cone(radius: float, bottom: float, top: float, sides: int = 24) -> Mesh:
    """Return a closed cone along z, apex at `top`."""
    return lathe([(0, bottom), (radius, bottom), (0, top)], sides)


def sphere(radius: float, center: float = 0.0, sides: int = 24) -> Mesh:
    """Return a sphere on the z axis."""
    theta = np.linspace(-math.pi / 2, math.pi / 2, max(sides // 2, 3) + 1)
    profile = [(radius * math.cos(a), center + radius * math.sin(a)) for a in theta]
    return lathe(profile, sides, smooth=True)


def ellipsoid(radii: Sequence[float], sides: int = 48) -> Mesh:
    """Return an ellipsoid about the origin."""
    ball = sphere(1.0, sides=sides)
    normals = ball.points / np.asarray(radii)
    return Mesh(ball.points * radii, normals / np.linalg.norm(normals, axis=1, keepdims=True), ball.triangles)


def capsule(radius: float, length: float, sides: int = 48) -> Mesh:
    """Return a cylinder along z with round ends, about the origin; `length` is the distance of their centres."""
    theta = np.linspace(-math.pi / 2, math.pi / 2, max(sides // 2, 4) // 2 * 2 + 1)
    half = np.where(theta < 0.0, -length / 2, length / 2)
    middle = len(theta) // 2
    theta, half = np.insert(theta, middle, 0.0), np.insert(half, middle, -length / 2)
    profile = [(radius * math.cos(a), h + radius * math.sin(a)) for a, h in zip(theta, half, strict=True)]
    return lathe(profile, sides, smooth=True)


def torus(ring_radius: float, tube_radius: float, sides: int = 64) -> Mesh:
    """Return a ring around z, about the origin; `ring_radius` is that of its circular axis."""
    theta = np.linspace(0.0, math.tau, max(sides // 2, 4) + 1)
    profile = [(ring_radius + tube_radius * math.cos(a), tube_radius * math.sin(a)) for a in theta]
    normals = lathe([(math.cos(a), math.sin(a)) for a in theta], sides, smooth=True).points  # without a seam
    return replace(lathe(profile, sides, smooth=True), normals=normals)


def box(size: Sequence[float], center: Sequence[float] = (0, 0, 0)) -> Mesh:
    """Return a box with hard edges."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    points, normals = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            face = np.zeros((4, 3))
            face[:, (axis + 1) % 3], face[:, (axis + 2) % 3] = square.T if sign > 0 else square[::-1].T
            face[:, axis] = sign / 2
            points.append(face)
            normals.append(np.tile(np.eye(3)[axis] * sign, (4, 1)))
    first = 4 * np.arange(6)[:, None]
    triangles = np.concatenate([first + np.array(corners) for corners in ((0, 1, 2), (0, 2, 3))])
    return Mesh(np.concatenate(points) * size + center, np.concatenate(normals), triangles)


def rgba(color: str, alpha: float = 1.0) -> Color:
    """Return a ``#rrggbb`` colour as four bytes."""
    r, g, b = (round(255 * channel) for channel in channels(color))
    return r, g, b, round(255 * alpha)


def to_polydata(mesh: Mesh, colors: NDArray[np.uint8] | None = None) -> pv.PolyData:
    """Return a pyvista mesh in single precision, with normals and, if given, RGBA colours per vertex."""
    polydata = pv.PolyData(np.ascontiguousarray(mesh.points, dtype=np.float32), faces=pv_cells(mesh.triangles))
    set_normals(polydata, mesh.normals)
    if colors is not None:
        set_colors(polydata, colors)
    return polydata


def pv_cells(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return cells of equal size in pyvista's format: each preceded by its number of points."""
    count = np.full((len(rows), 1), rows.shape[1])
    return np.hstack([count, rows]).ravel()


def set_normals(polydata: pv.PolyData, normals: Points) -> None:
    """Set the normals of the vertices, so that VTK does not compute them."""
    array = numpy_to_vtk(np.ascontiguousarray(normals, dtype=np.float32), deep=True)
    array.SetName("Normals")
    polydata.GetPointData().SetNormals(array)


def set_colors(polydata: pv.PolyData, colors: NDArray[np.uint8]) -> None:
    """Set the RGBA bytes of the vertices, which the mapper uses directly."""
    array = numpy_to_vtk(np.ascontiguousarray(colors, dtype=np.uint8), deep=True)
    array.SetName("colors")
    polydata.GetPointData().SetScalars(array)


def welded_normals(mesh: Mesh) -> Points:
    """Return normals averaged over vertices at the same position, for hulls that must not tear."""
    places, inverse = np.unique(np.round(mesh.points, 6), axis=0, return_inverse=True)
    total = np.zeros_like(places)
    np.add.at(total, inverse.ravel(), mesh.normals)
    total = total[inverse.ravel()]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.where(length > 1e-9, total / np.maximum(length, 1e-9), mesh.normals)

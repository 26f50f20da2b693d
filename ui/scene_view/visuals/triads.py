"""Triads of all frames, as one mesh that is updated in place.

Every vertex is linear in its frame's pose, so the whole update is one matrix product. The rows of `_coefficients` hold
R (scaled to the axis length) and p of each frame; the columns of the basis hold the template. A single BLAS call then
writes all points, interleaved as VTK needs them, without temporary arrays: forty times as fast as rotating the template
frame by frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.ui.scene_view.base.animated_nodes import NodeSource, StandingNode
from framescope.ui.scene_view.base.label_layout import FEW
from framescope.ui.scene_view.base.node_shapes import NodeShape, shape_in_color
from framescope.ui.scene_view.base.pick_ray import MARK, MARK_RADIUS, PickHit, PickRay
from framescope.ui.scene_view.base.scene_options import HIDDEN_AXES
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors, lathe_meshes
from framescope.ui.theme.tokens import Theme


@dataclass(frozen=True)
class Limits:
    """Numbers of frames up to which axes are smooth, plain or sketched arrows or lines; beyond, frames are points."""

    fine: int
    plain: int
    arrows: int
    lines: int


SOFTWARE = Limits(60, 250, 1_500, 18_000)
"""Limits for two cores at 40 pictures a second: 1 500 sketched arrows take as long as 18 000 frames as lines."""
GPU = Limits(1_000, 5_000, 20_000, 200_000)
"""Limits for the smallest graphics cards, and for the processor's work per tick."""

POINT_SIZE = 2.0

UNSEEN = 4.0
"""Additional distance from the pointer of origins whose frames draw nothing, logical pixels."""

THIN_SHAFT, THIN_TIP = 0.45, 0.62
"""Sizes of the shafts and tips of thin axes, as fractions of the usual ones."""

AXIS_HALF_WIDTH = 3.0
"""Half the width of the area that an axis occupies, logical pixels."""

AXIS_TURNS = (
    np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    np.eye(3),
)
"""Rotations of a shape built along z to x, y and z, by cyclic permutation."""


@dataclass(frozen=True, eq=False)
class TriadTemplate:
    """A triad of unit length in its own frame: vertices, cells, and the axis of each vertex."""

    points: NDArray[np.float64]  # (m, 3)
    normals: NDArray[np.float64] | None  # (m, 3); None for lines, and for flat-shaded faces
    cells: NDArray[np.int64]  # (k, 3), (k, 2) or (k, 1)
    axis_of: NDArray[np.int64]  # (m,), 3 for the ball at the origin


def arrow_parts(*, is_fine: bool, is_thin: bool = False) -> list[lathe_meshes.Mesh]:
    """Return arrows of different shape, a cone at x, a cube at y, a sphere at z, and the ball at the origin."""
    sides = 16 if is_fine else 4
    thinner, size = (THIN_SHAFT, THIN_TIP) if is_thin else (1.0, 1.0)
    radius = thinner * (0.026 if is_fine else 0.03)
    edge = 0.14 * size
    tips = (
        (1.0 - 0.20 * size, lathe_meshes.cone(0.082 * size, 1.0 - 0.24 * size, 1.0, 16 if is_fine else 5)),
        (1.0 - 0.13 * size, lathe_meshes.box((edge, edge, edge), (0, 0, 1.0 - edge / 2))),
        (1.0 - 0.15 * size, lathe_meshes.sphere(0.084 * size, 1.0 - 0.084 * size, 16 if is_fine else 5)),
    )
    parts: list[lathe_meshes.Mesh] = []
    for turn, (end, tip) in zip(AXIS_TURNS, tips, strict=True):
        # The ends of a shaft are inside its tip and inside the ball, so it needs no caps.
        shaft = lathe_meshes.lathe([(radius, 0.0), (radius, end)], sides)
        parts.append(lathe_meshes.merge([shaft, tip]).transform(turn))
    parts.append(lathe_meshes.sphere(0.05 * size, 0.0, 12 if is_fine else 4))
    return parts


def triad_colors(theme: Theme) -> tuple[str, ...]:
    """Return the colours of the three axes and of the ball."""
    return *theme.axes, "#B9BFC7" if theme.is_dark else "#7C858F"


@cache
def arrow_template(*, is_fine: bool, is_thin: bool = False) -> TriadTemplate:
    """Return the arrows and the ball as one template."""
    parts = arrow_parts(is_fine=is_fine, is_thin=is_thin)
    mesh = lathe_meshes.merge(parts)
    axis_of = np.repeat(np.arange(len(parts)), [len(part.points) for part in parts])
    return TriadTemplate(mesh.points, mesh.normals, mesh.triangles, axis_of)


def part_of(template: TriadTemplate, axis: int, color: tuple[int, ...], length: float) -> NodeShape:
    """Return the part of a triad that belongs to one axis, or with 3 to the ball; the axes have a length in m."""
    is_part = (template.axis_of == axis)[template.cells].all(axis=1)
    rows, cells = np.unique(template.cells[is_part], return_inverse=True)
    normals = None if template.normals is None else template.normals[rows]
    r, g, b, a = (channel / 255 for channel in color)
    return NodeShape(length * template.points[rows], cells.reshape(-1, template.cells.shape[1]), (r, g, b, a), normals)


def triad_shapes(template: TriadTemplate, theme: Theme, opacity: float, length: float) -> tuple[NodeShape, ...]:
    """Return a pale triad, one shape per colour."""
    colors = [lathe_meshes.rgba(color, opacity) for color in (*theme.axes, theme.quiet)]
    parts = (part_of(template, k, color, length) for k, color in enumerate(colors))
    return tuple(part for part in parts if len(part.points))


@cache
def sketch_template(*, is_thin: bool = False) -> TriadTemplate:
    """Return arrows of the fewest vertices, 37 for a triad, enough for a size of a dozen pixels.

    Without normals the graphics card shades each face flat, so that faces can share vertices.
    """
    thinner, size = (THIN_SHAFT, THIN_TIP) if is_thin else (1.0, 1.0)
    shaft, square = _ring(3, 0.034 * thinner), _ring(4, 0.1 * size)
    prism = [(k, (k + 1) % 3, 3 + k) for k in range(3)] + [((k + 1) % 3, 3 + (k + 1) % 3, 3 + k) for k in range(3)]
    sides = [(k, (k + 1) % 4, 4) for k in range(4)]
    pyramid = np.vstack([_at(square, 1.0 - 0.28 * size), (0, 0, 1)]), [*sides, (0, 2, 1), (0, 3, 2)]
    around = [(k, (k + 1) % 4, 4 + k) for k in range(4)] + [((k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4)]
    cube = (
        np.vstack([_at(square, 1.0 - 0.14 * size), _at(square, 1.0)]),
        [*around, (0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)],
    )
    octahedron = (
        np.vstack([_at(square, 1.0 - 0.1 * size), (0, 0, 1), (0, 0, 1.0 - 0.2 * size)]),
        [*sides, *(((k + 1) % 4, k, 5) for k in range(4))],
    )
    points, cells, axis_of = [], [], []
    for axis, (tip, faces) in enumerate((pyramid, cube, octahedron)):
        first = sum(map(len, points))
        points += [np.vstack([_at(shaft, 0.0), _at(shaft, 1.0 - 0.15 * size), tip]) @ AXIS_TURNS[axis].T]
        cells += [np.array(prism) + first, np.array(faces) + first + 6]
        axis_of += [axis] * len(points[-1])
    return TriadTemplate(np.concatenate(points), None, np.concatenate(cells), np.array(axis_of))


def _ring(count: int, radius: float) -> NDArray[np.float64]:
    phi = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    return radius * np.stack([np.cos(phi), np.sin(phi)], axis=-1)


def _at(ring: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    return np.column_stack([ring, np.full(len(ring), height)])


@cache
def line_template() -> TriadTemplate:
    """Return three lines from the origin."""
    points = np.zeros((6, 3))
    points[1::2] = np.eye(3)
    return TriadTemplate(points, None, np.arange(6).reshape(3, 2), np.repeat(np.arange(3), 2))


@cache
def point_template() -> TriadTemplate:
    """Return the origin alone, in the colour of the ball."""
    return TriadTemplate(np.zeros((1, 3)), None, np.zeros((1, 1), dtype=np.int64), np.array([3]))


def template_for(count: int, limits: Limits = SOFTWARE, *, is_thin: bool = False) -> TriadTemplate:
    """Return the level of detail for a number of frames."""
    if count > limits.lines:
        return point_template()
    if count > limits.arrows:
        return line_template()
    if count > limits.plain:
        return sketch_template(is_thin=is_thin)
    return arrow_template(is_fine=count <= limits.fine, is_thin=is_thin)


class MergedTriads:
    """One PolyData with a triad per row, and the matrix product that moves it."""

    def __init__(self, template: TriadTemplate, count: int, colors: NDArray[np.uint8]) -> None:
        """Take the colours of the three axes and the ball, ``(4, 4)`` bytes."""
        vertices = len(template.points)
        offsets = vertices * np.arange(count)[:, None, None]
        cells = lathe_meshes.pv_cells((template.cells + offsets).reshape(-1, template.cells.shape[1]))
        zeros = np.zeros((count * vertices, 3), dtype=np.float32)
        if template.cells.shape[1] == 1:
            self.polydata = pv.PolyData(zeros, verts=cells)
        elif template.cells.shape[1] == 2:
            self.polydata = pv.PolyData(zeros, lines=cells)
        else:
            self.polydata = pv.PolyData(zeros, faces=cells)
        lathe_meshes.set_colors(self.polydata, np.tile(colors[template.axis_of], (count, 1)))
        self._coefficients = np.zeros((count, 12), dtype=np.float32)
        self._is_lost = np.empty(count, dtype=bool)
        self._axes_W, self._scales = np.empty((2, count, 3, 3))
        self._points = actors.points_of(self.polydata).reshape(count, -1)
        self._point_basis = _basis(template.points, has_origin=True)
        self._corners = self._corners_of(template, count)
        self._is_mirrored, self._is_turned = np.zeros((2, count), dtype=bool)
        self._products = np.empty((3, count))
        self._normals: NDArray[np.float32] | None = None
        if template.normals is not None:
            lathe_meshes.set_normals(self.polydata, np.zeros(zeros.shape))
            normals = cast(NDArray[np.float32], vtk_to_numpy(self.polydata.GetPointData().GetNormals()))
            self._normals = normals.reshape(count, -1)
            self._normal_basis = _basis(template.normals, has_origin=False)

    def hide_axes(self, is_hidden: NDArray[np.bool_], template: TriadTemplate) -> None:
        """Collapse the triangles of axes ``(count, 3)``; those of lines and points stay."""
        if self._corners is None or not is_hidden.any():
            return
        axis_of = template.axis_of[template.cells[:, 0]]
        for row, axis in np.argwhere(is_hidden).tolist():
            self._corners[row, axis_of == axis] = self._corners[row, 0, 0]
        self.polydata.GetPolys().GetConnectivityArray().Modified()
        self.polydata.GetPolys().Modified()

    def update(
        self,
        R_WF: NDArray[np.float64],
        p_WF: NDArray[np.float64],
        lengths: NDArray[np.float64],
        is_posed: NDArray[np.bool_],
    ) -> None:
        """Move all triads: rotations ``(count, 3, 3)``, origins, axis lengths; triads without a pose are hidden."""
        rows = self._coefficients.reshape(-1, 3, 4)
        np.logical_not(is_posed, out=self._is_lost)
        is_lost = self._is_lost[:, None, None]
        if self._normals is not None:
            rows[:, :, :3] = R_WF
            rows[:, :, 3] = 0.0
            np.copyto(rows, 0.0, where=is_lost)
            _multiply(self._coefficients, self._normal_basis, self._normals)
            self.polydata.GetPointData().GetNormals().Modified()
        # In steps, since numpy allocates buffers for a product that it must broadcast or round.
        np.copyto(self._scales, lengths[:, None, None])
        rows[:, :, :3] = np.multiply(R_WF, self._scales, out=self._axes_W)
        rows[:, :, 3] = p_WF
        np.copyto(rows, 0.0, where=is_lost)
        _multiply(self._coefficients, self._point_basis, self._points)
        actors.touch(self.polydata)
        self._turn_round(R_WF)

    def _corners_of(self, template: TriadTemplate, count: int) -> NDArray[np.int64] | None:
        """Return the corners of all triangles, ``(count, k, 3)``, in VTK's memory; None for lines and points."""
        if template.cells.shape[1] != 3:
            return None
        array = self.polydata.GetPolys().GetConnectivityArray()
        return cast(NDArray[np.int64], vtk_to_numpy(array).reshape(count, -1, 3))

    def _turn_round(self, R_WF: NDArray[np.float64]) -> None:
        """Reverse the triangles of left-handed frames, so that their outer sides stay outside and lit."""
        if self._corners is None:
            return
        np.less(_determinants(R_WF, self._products), 0.0, out=self._is_turned)
        np.not_equal(self._is_turned, self._is_mirrored, out=self._is_turned)
        if self._is_turned.any():
            self._is_mirrored ^= self._is_turned
            self._corners[self._is_turned] = self._corners[self._is_turned][:, :, ::-1]
            polys = self.polydata.GetPolys()
            polys.GetConnectivityArray().Modified()
            polys.Modified()


def _determinants(R: NDArray[np.float64], products: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the determinants of matrices ``(n, 3, 3)`` in the first of three rows of buffers ``(3, n)``.

    Component by component: LAPACK takes ten times as long, and allocates memory.
    """
    total, minor, product = products
    total.fill(0.0)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        np.multiply(R[:, 1, j], R[:, 2, k], out=minor)
        np.multiply(R[:, 1, k], R[:, 2, j], out=product)
        np.subtract(minor, product, out=minor)
        np.multiply(R[:, 0, i], minor, out=minor)
        np.add(total, minor, out=total)
    return total


SINGLE_THREADED = 200_000
"""Number of scalar products up to which BLAS uses a single thread."""


def _multiply(rows: NDArray[np.float32], basis: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Compute a product in blocks: waking a thread that software GL leaves no core for takes milliseconds."""
    step = max(1, SINGLE_THREADED // basis.size)
    for first in range(0, len(rows), step):
        np.matmul(rows[first : first + step], basis, out=out[first : first + step])


def _basis(vectors: NDArray[np.float64], *, has_origin: bool) -> NDArray[np.float32]:
    """Return the ``(12, 3 m)`` matrix B of `[R | p] B`: entry ((i, j), (k, i)) is component j of vector k."""
    basis = np.zeros((3, 4, len(vectors), 3), dtype=np.float32)
    for i in range(3):
        basis[i, :3, :, i] = vectors.T
        basis[i, 3, :, i] = has_origin
    return basis.reshape(12, -1)


def hidden_axes(context: ViewContext) -> NDArray[np.bool_]:
    """Return which axes ``(n, 3)`` of the frames are not drawn."""
    is_hidden = np.zeros((len(context.names), 3), dtype=bool)
    for name, axis in context.options[HIDDEN_AXES]:
        if name in context.plan.index:
            is_hidden[context.plan.index[name], axis] = True
    return is_hidden


class Triads(Visual):
    """The triads of all frames that show one."""

    works_unseen = True

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._projected: tuple[object, ...] = ()
        # Buffers by component, so that a moving pointer allocates only a few bits.
        self._at: NDArray[np.float64] = np.empty((3, 0))
        self._limit: NDArray[np.float64] = np.empty(0)
        self._off: NDArray[np.float64] = np.empty((2, 0))
        self._is_near: NDArray[np.bool_] = np.empty(0, dtype=bool)
        view_data = context.view_data
        lengths = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        self._rows = np.flatnonzero(lengths)
        if not len(self._rows):
            return
        count = len(self._rows)
        self._lengths = lengths[self._rows]
        self._R_WF, self._p_WF = np.empty((count, 3, 3)), np.empty((count, 3))
        self._is_posed = np.empty(count, dtype=bool)
        colors = np.array([lathe_meshes.rgba(color) for color in triad_colors(context.theme)], dtype=np.uint8)
        limits = GPU if context.has_gpu else SOFTWARE
        template = template_for(count, limits, is_thin=view_data.has_thin_triads)
        self.triads = MergedTriads(template, count, colors)
        self.triads.hide_axes(hidden_axes(context)[self._rows], template)
        if template.cells.shape[1] == 3:
            self.scene_actors.append(actors.surface(self.triads.polydata))
        else:
            actor = actors.lines(self.triads.polydata, context.px(1))
            actor.GetProperty().SetPointSize(context.px(POINT_SIZE))
            self.scene_actors.append(actor)

    def show(self, tick: Tick) -> None:
        """Move the triads; frames without a pose are hidden."""
        if not len(self._rows):
            return
        snapshot = tick.snapshot
        # Into own buffers ("clip" avoids another one in numpy), so that a tick allocates nothing large.
        np.take(snapshot.R_WF, self._rows, axis=0, out=self._R_WF, mode="clip")
        np.take(snapshot.p_WF, self._rows, axis=0, out=self._p_WF, mode="clip")
        np.take(snapshot.is_posed, self._rows, out=self._is_posed, mode="clip")
        self.triads.update(self._R_WF, self._p_WF, self._lengths, self._is_posed)

    def occupy(self, projection: Projection) -> None:
        """Keep names and values off the axes of a few frames; among many, that would push names far away."""
        if not 0 < len(self._rows) <= FEW:
            return
        feet = np.tile(projection.project(self._p_WF), (3, 1))
        arms_W = self._lengths[:, None] * np.moveaxis(self._R_WF, -1, 0)  # all x axes, all y axes, all z axes
        tips = projection.project(self._p_WF + arms_W).reshape(-1, 3)
        is_ahead = np.tile(self._is_posed, 3) & (feet[:, 2] > 0) & (tips[:, 2] > 0)
        self.context.occupied.add_lines(feet[:, :2], tips[:, :2], self.context.px(AXIS_HALF_WIDTH), is_ahead)

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the frames whose origins or axes are under a pixel, including frames that draw nothing."""
        self._project(ray.tick, ray.projection)
        snapshot, view_data, names = ray.tick.snapshot, ray.tick.plan.view_data, ray.tick.plan.names
        scale = ray.projection.scale
        # First a square around the pointer.
        np.subtract(self._at[:2], ray.pointer[:, None], out=self._off)
        np.abs(self._off, out=self._off)
        with np.errstate(invalid="ignore"):
            np.less_equal(self._off.max(axis=0), self._limit, out=self._is_near)
        for row in np.flatnonzero(self._is_near).tolist():
            is_drawn = view_data.has_triad[row] or view_data.has_label[row]
            miss = float(np.hypot(*self._off[:, row])) + (0.0 if is_drawn else UNSEEN * scale)
            if miss <= MARK_RADIUS * scale:
                yield PickHit(("frames", names[row]), MARK, miss, float(self._at[2, row]), row)
            elif view_data.has_triad[row]:
                tips = snapshot.p_WF[row] + view_data.triad_length[row] * snapshot.R_WF[row].T
                yield from ray.on_lines(("frames", names[row]), snapshot.p_WF[row], tips, row)

    def _project(self, tick: Tick, projection: Projection) -> None:
        """Project all origins once per tick and camera, so that a pointer move costs one distance per frame."""
        projected = (tick, projection.camera, projection.width, projection.height, projection.scale)
        if self._projected == projected:
            return
        self._projected = projected
        snapshot, view_data = tick.snapshot, tick.plan.view_data
        self._at = np.ascontiguousarray(projection.project(snapshot.p_WF).T)
        self._at[:2, (self._at[2] <= 0.0) | view_data.is_hidden] = np.inf
        np.nan_to_num(self._at, copy=False, nan=np.inf)  # nothing is near an origin without a pose
        lengths = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        # In perspective, axes towards the eye reach further than their length, which the factor allows for.
        self._limit = 1.5 * lengths / projection.sizes_of_pixels(snapshot.p_WF) + MARK_RADIUS * projection.scale
        if self._off.shape[1] != len(lengths):
            self._off, self._is_near = np.empty((2, len(lengths))), np.empty(len(lengths), dtype=bool)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the axes of the frames that show them, always as arrows."""
        view_data, colors = self.context.view_data, triad_colors(self.context.theme)
        parts = zip(arrow_parts(is_fine=True, is_thin=view_data.has_thin_triads), colors, strict=True)
        shapes = tuple(shape_in_color(part, color) for part, color in parts)
        for row in self._rows.tolist():
            size = float(view_data.triad_length[row])
            yield StandingNode(f"axes of {self.context.names[row]}", row, shapes, size=size)

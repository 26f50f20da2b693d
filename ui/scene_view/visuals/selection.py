"""Outlines of the selected frames, and a fainter one of the hovered item.

An outline is the back faces of a slightly larger copy, so that only its rim is visible. The copy would shine through a
translucent body, so such a body has its contour drawn as lines instead.

The outline surrounds the inner ring of a frame with gimbal rings, else the frame's bodies, else its triad. The copy is
larger by a constant width in the picture, so it depends on the camera.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core.evaluation.compile.view_data import ViewBody, ViewRings
from framescope.core.scene.schema.model import NO_ITEM, ItemKey
from framescope.ui.formatting.item_names import frame_of
from framescope.ui.scene_view.base.scene_options import ALSO_SELECTED, HOVERED, SELECTED, SceneOption, n_outlines
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.antialiased_strokes import Strokes
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, merge, pv_cells, rgba, welded_normals
from framescope.ui.scene_view.geometry.mesh_files import coarse
from framescope.ui.scene_view.visuals.bodies import FRUSTUM_EDGES, LINE_WIDTH, VIEWS, frustum_corners, mesh_or_none
from framescope.ui.scene_view.visuals.gimbal_rings import ring_band
from framescope.ui.scene_view.visuals.triads import arrow_parts

Array = NDArray[np.float64]

WIDTH, HOVER_WIDTH = 1.6, 1.1
"""Widths of the outlines, logical pixels."""

MARK_RADIUS, MARK_WIDTH, MARK_POINTS = 11.0, 1.5, 49
"""Radius, line width and points of the circle around a hovered item without a body, logical pixels."""


class Outline:
    """Outline of one frame or body: a hull of all solid shapes, wide lines for the others."""

    def __init__(self, context: ViewContext, color: str, width: float) -> None:
        self._context, self._width = context, width
        self._tick: Tick | None = None
        self._row: int | None = None
        self._mesh: Mesh | None = None
        self._widths, self._offsets = np.empty(0), np.empty((0, 3))
        self._has_wires = False
        self._contour: Contour | None = None
        self._hulls: dict[tuple[int, str | None], Mesh | None] = {}
        """Hulls of the frames and bodies that were outlined before: people go back and forth between them."""
        self._matrix = vtkMatrix4x4()
        self._hull_data, self._wire_data = pv.PolyData(), pv.PolyData()
        self.hull = actors.flat(self._hull_data, color)
        self.hull.GetProperty().FrontfaceCullingOn()
        self.wires = actors.lines(self._wire_data, context.px(LINE_WIDTH + 2 * width), color)
        self._contour_data = pv.PolyData()
        self.contour_lines = actors.lines(self._contour_data, context.px(2 * width), color)
        for actor in self.actors:
            actor.SetUserMatrix(self._matrix)
            actor.VisibilityOff()

    @property
    def actors(self) -> tuple[vtkActor, ...]:
        """Hull, lines of fields of view, and contours of translucent bodies."""
        return self.hull, self.wires, self.contour_lines

    @property
    def has_lines(self) -> bool:
        """Whether there is anything to draw a line around."""
        return self._mesh is not None or self._contour is not None or self._has_wires

    def surround(self, row: int | None, body: str | None = None) -> None:
        """Build the outline of a frame, of one body on it, or of nothing."""
        self._row, self._mesh, self._has_wires, self._contour = row, None, False, None
        if row is not None:
            self._build(row, body)
        self._follow()

    def show(self, tick: Tick) -> None:
        """Follow the frame."""
        self._tick = tick
        self._follow()

    def place(self, projection: Projection) -> None:
        """Keep the width constant in the picture, at the depth of each point."""
        if self._tick is None or self._row is None:
            return
        snapshot, row = self._tick.snapshot, self._row
        if self._contour is not None and self.contour_lines.GetVisibility():
            self._contour.show(projection.camera, snapshot.R_WF[row], snapshot.p_WF[row])
        if self._mesh is None or not self.hull.GetVisibility():
            return
        points = self._mesh.points
        projection.sizes_in_frame(points, snapshot.R_WF[row], snapshot.p_WF[row], self._widths)
        self._widths *= self._context.px(self._width)
        np.einsum("i,ij->ij", self._widths, self._mesh.normals, out=self._offsets)
        np.add(points, self._offsets, out=self._offsets)
        actors.points_of(self._hull_data)[:] = self._offsets
        actors.touch(self._hull_data)

    def _build(self, row: int, only: str | None) -> None:
        if (row, only) not in self._hulls:
            self._hulls[row, only] = self._make_hull(row, only)
        mesh = self._hulls[row, only]
        if mesh is not None:
            self._mesh = mesh
            self._widths, self._offsets = np.empty(len(mesh.points)), np.empty_like(mesh.points)
            self._hull_data.ShallowCopy(pv.PolyData(mesh.points.astype(np.float32), faces=pv_cells(mesh.triangles)))
        bodies = [] if self._rings_of(row, only) else self._bodies_of(row, only)
        self._set_contour(
            [mesh for body in bodies if body.kind not in VIEWS and body.opacity < 1.0 for mesh in _in_frame(body)]
        )
        # A hull would shine through the faces of a frustum, so its lines are widened instead.
        self._set_wires([body for body in bodies if body.kind in VIEWS])

    def _rings_of(self, row: int, only: str | None) -> list[ViewRings]:
        return [rings for rings in self._context.view_data.rings if rings.i_frame == row and only is None]

    def _bodies_of(self, row: int, only: str | None) -> list[ViewBody]:
        return [body for body in self._context.view_data.bodies if body.i_frame == row and only in (None, body.name)]

    def _make_hull(self, row: int, only: str | None) -> Mesh | None:
        """Return what the hull is a larger copy of; None for nothing solid."""
        view_data, bodies = self._context.view_data, self._bodies_of(row, only)
        meshes: list[Mesh] = []
        if rings := self._rings_of(row, only):
            meshes = [ring_band(item, 2) for item in rings]
        elif bodies:
            solid = (body for body in bodies if body.kind not in VIEWS and body.opacity == 1.0)
            meshes = [mesh for body in solid for mesh in _in_frame(body)]
        elif view_data.has_triad[row]:
            meshes = [part.transform(scale=view_data.triad_length[row]) for part in arrow_parts(is_fine=True)]
        if not meshes:
            return None
        mesh = merge(meshes)
        return Mesh(mesh.points, welded_normals(mesh), mesh.triangles)

    def _set_contour(self, meshes: list[Mesh]) -> None:
        if meshes:
            self._contour = Contour(merge(meshes))
            self._contour_data.ShallowCopy(self._contour.polydata)

    def _set_wires(self, frustums: list[ViewBody]) -> None:
        if not frustums:
            return
        corners = [frustum_corners(body) @ body.R_FB.T + body.p_FB for body in frustums]
        edges = np.concatenate([FRUSTUM_EDGES + 5 * k for k in range(len(frustums))])
        self._wire_data.ShallowCopy(pv.PolyData(np.concatenate(corners).astype(np.float32), lines=pv_cells(edges)))
        self._has_wires = True

    def _follow(self) -> None:
        tick, row = self._tick, self._row
        is_seen = tick is not None and row is not None and bool(tick.snapshot.is_posed[row])
        self.hull.SetVisibility(is_seen and self._mesh is not None)
        self.wires.SetVisibility(is_seen and self._has_wires)
        self.contour_lines.SetVisibility(is_seen and self._contour is not None)
        if tick is not None and is_seen:
            R_WF = tick.snapshot.R_WF[row]
            actors.set_pose(self._matrix, R_WF, tick.snapshot.p_WF[row])
            # A left-handed matrix mirrors the copy, so its back faces become its front faces.
            is_mirrored = bool(np.linalg.det(R_WF) < 0.0)
            self.hull.GetProperty().SetFrontfaceCulling(not is_mirrored)
            self.hull.GetProperty().SetBackfaceCulling(is_mirrored)


class Selection(Visual):
    """Outline of at most one frame."""

    color_role = "text"
    width = WIDTH

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self.outline = Outline(context, getattr(context.theme, self.color_role), self.width)
        self.scene_actors += self.outline.actors

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Build the outline of another frame."""
        if option is SELECTED:
            self.outline.surround(row_of(self.context.options[SELECTED], self.context))

    def show(self, tick: Tick) -> None:
        """Follow the frame."""
        self.outline.show(tick)

    def place_in_scene(self, projection: Projection) -> None:
        """Keep the width constant in the picture."""
        self.outline.place(projection)


class AlsoSelected(Visual):
    """Thinner outlines of the frames that are selected beside the one that panels show."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        count = n_outlines(context.options[ALSO_SELECTED])
        self.outlines = [Outline(context, context.theme.text, HOVER_WIDTH) for _ in range(count)]
        self.scene_actors += [actor for outline in self.outlines for actor in outline.actors]

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Build the outlines of other frames."""
        if option is ALSO_SELECTED:
            for outline, name in zip_longest(self.outlines, self.context.options[ALSO_SELECTED]):
                outline.surround(row_of(name, self.context))

    def show(self, tick: Tick) -> None:
        """Follow the frames."""
        for outline in self.outlines:
            outline.show(tick)

    def place_in_scene(self, projection: Projection) -> None:
        """Keep the widths constant in the picture."""
        for outline in self.outlines:
            outline.place(projection)


def row_of(frame: str | None, context: ViewContext) -> int | None:
    """Return the row of a frame; None without a frame of that name."""
    return context.names.index(frame) if frame in context.names else None


class Hovered(Selection):
    """Faint outline of the item that a click would select; a circle around items without a body."""

    color_role = "quiet"
    width = HOVER_WIDTH

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._tick: Tick | None = None
        self._circle = Strokes([MARK_POINTS])
        self.overlay_actors.append(self._circle.actor)
        self._circle.actor.VisibilityOff()

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Highlight another item."""
        if option is not HOVERED:
            return
        kind, name = self.context.options[HOVERED] or NO_ITEM
        bodies = {body.name: body.i_frame for body in self.context.view_data.bodies}
        if kind == "bodies" and name in bodies:
            self.outline.surround(bodies[name], name)
        else:
            self.outline.surround(row_of(name, self.context) if kind == "frames" else None)

    def show(self, tick: Tick) -> None:
        """Follow the item."""
        super().show(tick)
        self._tick = tick

    def place(self, projection: Projection) -> None:
        """Keep the circle constant in the picture."""
        key = self.context.options[HOVERED]
        at = None if self._tick is None or key is None else place_of(key, self._tick)
        is_marked = at is not None and not self.outline.has_lines
        if at is not None and is_marked:
            x, y, depth = projection.project(at)
            is_marked = bool(depth > 0.0)
            phi = np.linspace(0.0, 2 * np.pi, MARK_POINTS)
            circle = (x, y) + self.context.px(MARK_RADIUS) * np.stack([np.cos(phi), np.sin(phi)], axis=-1)
            if is_marked:
                self._circle.set(0, circle, self.context.px(MARK_WIDTH), rgba(self.context.theme.text, 0.8))
                self._circle.touch()
        self._circle.actor.SetVisibility(is_marked)


def place_of(key: ItemKey, tick: Tick) -> Array | None:
    """Return the position (3,) of an item in world: its frame's origin, its own point, or the midpoint of its ends."""
    snapshot, instruments = tick.snapshot, tick.plan.instruments
    kind, name = key
    if kind == "points" and name in instruments.points:
        point = instruments.points[name]
        row = snapshot.index[point.frame]
        return snapshot.p_WF[row] + snapshot.R_WF[row] @ point.offset
    if kind == "elements" and name in tick.plan.scene.elements:
        element = tick.plan.scene.elements[name]
        ends = [place_of(("points", end), tick) for end in (element.point, element.to) if end is not None]
        known_ends = [end for end in ends if end is not None]
        return np.mean(known_ends, axis=0) if known_ends else None
    if kind == "measured" and name in snapshot.measurements:
        p_WM = snapshot.measurements[name].p_WM
        return p_WM if p_WM is not None and np.isfinite(p_WM).all() else None
    frame = frame_of(tick.plan.scene, key)
    if frame not in snapshot.index or not snapshot.is_posed[snapshot.index[frame]]:
        return None
    return snapshot.p_WF[snapshot.index[frame]]


def _in_frame(body: ViewBody) -> list[Mesh]:
    mesh = mesh_or_none(body)
    return [] if mesh is None else [coarse(mesh).transform(body.R_FB, body.p_FB)]


FLAT = 1e-9
"""Sine of an angle of a triangle below which its area counts as zero and it bounds nothing."""


SAME_PLACE = 6
"""Decimals, relative to the extent, up to which corners of faces are identified."""


class Contour:
    """The contour of a mesh as lines, in the mesh's coordinates; `show` updates it for a camera."""

    def __init__(self, mesh: Mesh) -> None:
        extent = float(np.abs(mesh.points).max(initial=0.0)) or 1.0
        points, inverse = np.unique(np.round(mesh.points / extent, SAME_PLACE), axis=0, return_inverse=True)
        points *= extent
        faces = inverse.ravel()[mesh.triangles]
        a, b, c = (points[faces[:, k]] for k in range(3))
        n = np.cross(b - a, c - a)
        has_area = np.linalg.norm(n, axis=1) > FLAT * np.linalg.norm(b - a, axis=1) * np.linalg.norm(c - a, axis=1)
        faces, n = faces[has_area], n[has_area]
        self._normals = np.ascontiguousarray(n)
        self._levels = np.einsum("ij,ij->i", n, points[faces[:, 0]])
        ends, self._sides = _edges(faces)
        self._starts = np.ascontiguousarray(points[ends], dtype=np.float32)
        count = len(ends)
        self._heights = np.empty(len(faces))
        self._faces_us = np.zeros(len(faces) + 1, dtype=bool)  # the last entry is the outside of an open edge
        self._on_sides = np.empty((2, count), dtype=bool)
        self.polydata = pv.PolyData(
            np.zeros((2 * count, 3), dtype=np.float32), lines=pv_cells(np.arange(2 * count).reshape(-1, 2))
        )
        self._ends = actors.points_of(self.polydata).reshape(count, 2, 3)

    def show(self, camera: CameraState, R_WB: Array, p_WB: Array) -> None:
        """Draw the contour as seen by a camera, for a pose of the mesh in world."""
        if camera.is_parallel:
            np.dot(self._normals, -(R_WB.T @ camera.direction), out=self._heights)
        else:
            np.dot(self._normals, R_WB.T @ (np.asarray(camera.position) - p_WB), out=self._heights)
            np.subtract(self._heights, self._levels, out=self._heights)
        np.greater(self._heights, 0.0, out=self._faces_us[:-1])
        np.take(self._faces_us, self._sides, out=self._on_sides, mode="clip")
        is_hidden = np.equal(*self._on_sides, out=self._on_sides[0])
        np.copyto(self._ends, self._starts)
        np.copyto(self._ends, 0.0, where=is_hidden[:, None, None])
        actors.touch(self.polydata)


def _edges(faces: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the edges (n, 2) of triangles as vertex indices, and the two triangles at each edge (2, n).

    The second triangle of an open edge is the number of triangles. If more than two triangles share an edge, the first
    two count.
    """
    corners = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    owners = np.tile(np.arange(len(faces)), 3)
    order = np.lexsort((owners, corners[:, 1], corners[:, 0]))
    corners, owners = corners[order], owners[order]
    is_first = np.ones(len(corners), dtype=bool)
    is_first[1:] = (corners[1:] != corners[:-1]).any(axis=1)
    first = np.flatnonzero(is_first)
    second = np.minimum(first + 1, len(corners) - 1)
    has_second = ~is_first[second] & (second > first)
    return corners[first], np.stack([owners[first], np.where(has_second, owners[second], len(faces))])

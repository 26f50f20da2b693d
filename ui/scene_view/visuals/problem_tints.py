"""Problems in the scene: the item tinted, a plate with the problem's text, and the gap of an open loop.

A gap shows the body at its measured pose, as a ghost, with a dashed line from the measurement's reference frame. At
most a handful of plates are shown, the selected item's and the worst first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.label_layout import keep_apart
from framescope.ui.scene_view.base.leader_lines import Leaders, limits_of
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.problem_marks import MARKS, ProblemMark
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.hard_edges import edge_lines
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, to_polydata
from framescope.ui.scene_view.geometry.sprites import SpriteBatch
from framescope.ui.scene_view.visuals.bodies import PlacedBody, body_reach, mesh_or_none
from framescope.ui.scene_view.visuals.problem_plates import RING_RADIUS, ProblemPlates, gap_text, ring_picture

Array = NDArray[np.float64]

MAX_PLATES = 5

NEAR_S = 0.3
"""Time before and after the times of a problem during which it is marked, s."""

TINT, GHOST, GHOST_EDGE = 0.6, 0.38, 0.9
"""Opacities of the tint over a body, of a body at its measured pose, and of its edges."""

DASHES = 24
ABOVE, FARTHEST = 20.0, 120.0
"""Distance from the top of a marked item to its plate, and maximum height of that top, logical pixels."""

INNER = 0.7
"""Fraction of a body's reach that plates and names avoid: its corners reach further than its faces."""


class ProblemTints(Visual):
    """Marks whose frames are in the scene."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        index = context.plan.index
        posed = {
            name for name, measurement in context.plan.instruments.measurements.items() if measurement.pose is not None
        }
        self.marks = tuple(
            mark
            for mark in context.options[MARKS]
            if mark.frame in index and (not mark.measurement or mark.measurement in posed)
        )
        self.plate_boxes = np.full((len(self.marks), 4), np.nan)
        if not self.marks:
            return
        count = len(self.marks)
        self._rows = np.array([index[mark.frame] for mark in self.marks])
        bodies = [self._bodies_of(mark) for mark in self.marks]
        self._reach = np.array(
            [max((_extent(body) for body in bodies_of_mark), default=0.0) for bodies_of_mark in bodies]
        )
        self.copies = [
            [self._ghost(body, mark) if mark.measurement else self._tint(body, mark) for body in bodies_of_mark]
            for mark, bodies_of_mark in zip(self.marks, bodies, strict=True)
        ]
        self.has_ring = np.array(
            [
                not bodies_of_mark and not mark.measurement
                for mark, bodies_of_mark in zip(self.marks, bodies, strict=True)
            ]
        )
        self._anchors_W = np.full((count, 3), np.nan)
        self._is_now = np.zeros(count, dtype=bool)
        self._times = [np.array(mark.times) for mark in self.marks]
        self.paths = [self._path(mark) for mark in self.marks if mark.measurement]
        self.plates = ProblemPlates(context, self.marks)
        rings = {severity: context.sheet.add(ring_picture(context, severity)) for severity in ("red", "amber")}
        self._rings = SpriteBatch(context.sheet, [rings[mark.severity] for mark in self.marks])
        self.leaders = [Leaders(context, count, getattr(context.theme, severity)) for severity in ("red", "amber")]
        for copies in self.copies:
            for copy in copies:
                self.scene_actors += copy.actors
        self.scene_actors += [actor for _, _, actor in self.paths]
        self.overlay_actors.append(self._rings.actor)
        for leaders in self.leaders:
            self.overlay_actors += leaders.actors
        self.overlay_actors += self.plates.actors

    # --- per tick

    def show(self, tick: Tick) -> None:
        """Follow the items; a measurement whose loop is closed at this time shows no gap."""
        snapshot = tick.snapshot
        t = float(snapshot.t)
        paths = iter(self.paths)
        for k, mark in enumerate(self.marks):
            row = self._rows[k]
            R_WF, p_WF = snapshot.R_WF[row], snapshot.p_WF[row]
            times = self._times[k]
            is_now = not times.size or np.abs(times - t).min() <= NEAR_S
            self._is_now[k] = is_now and bool(snapshot.is_posed[row])
            self._anchors_W[k] = p_WF
            if mark.measurement:
                self._show_gap(k, snapshot, next(paths))
            else:
                for copy in self.copies[k]:
                    copy.show(R_WF, p_WF, is_seen=bool(self._is_now[k]))

    def _show_gap(self, k: int, snapshot: Snapshot, path: tuple[pv.PolyData, Array, vtkActor]) -> None:
        mark = self.marks[k]
        R_WM, p_WM = _measured_pose(snapshot, mark.measurement)
        is_there = bool(self._is_now[k] and np.isfinite(R_WM).all() and np.isfinite(p_WM).all())
        self._is_now[k] = is_there
        for copy in self.copies[k]:
            copy.show(R_WM, p_WM, is_seen=is_there)
        polydata, points, actor = path
        seen_from = self.context.plan.instruments.measurements[mark.measurement].relative_to
        start = snapshot.p_WF[self.context.plan.index[seen_from]]
        is_drawn = is_there and bool(np.isfinite(start).all())
        actor.SetVisibility(is_drawn)
        if is_there:
            row = self._rows[k]
            distance = float(np.linalg.norm(snapshot.p_WF[row] - p_WM))
            angles = self.context.angles
            angle = angles.text(_angle_between(R_WM, snapshot.R_WF[row]), angles.decimals)
            self.plates.write(k, gap_text(distance, angle))
            self._anchors_W[k] = p_WM
        if is_drawn:
            shares = np.linspace(0.0, 1.0, 2 * DASHES)[:, None]
            points[:] = start + shares * (p_WM - start)
            actors.touch(polydata)

    # --- in the picture

    def occupy(self, projection: Projection) -> None:
        """Keep plates, names and values off the marked items."""
        scale = projection.scale
        pixels = projection.project(np.where(np.isfinite(self._anchors_W), self._anchors_W, 0.0))
        is_inside = (pixels[:, :2] >= 0) & (pixels[:, :2] <= (projection.width, projection.height))
        self._is_seen = self._is_now & (pixels[:, 2] > 0) & is_inside.all(axis=1)
        pixels[~self._is_seen] = 0.0
        self._anchors = pixels[:, :2].copy()
        self._radii = np.full(len(self.marks), RING_RADIUS * scale)
        for k in np.flatnonzero(self._is_seen & (self._reach > 0.0)).tolist():
            reach = self._reach[k] / projection.metres_per_pixel(self._anchors_W[k])
            self._radii[k] = min(max(reach, self._radii[k]), FARTHEST * scale)
        sizes = np.repeat(2.0 * INNER * self._radii[:, None], 2, axis=1)
        self.context.occupied.add_boxes(self._anchors, sizes, self._is_seen)

    def place(self, projection: Projection) -> None:
        """Place plates and circles, and keep names and values off the plates."""
        context, scale = self.context, projection.scale
        anchors, radii, is_seen = self._anchors, self._radii, self._is_seen
        self._rings.move(anchors - self._rings.sizes / 2, is_seen & self.has_ring)
        has_plate = self._choose_plates(is_seen)
        centers = anchors.copy()
        centers[:, 1] += radii + ABOVE * scale
        sizes = self.plates.sizes
        limits = limits_of(context, projection, sizes)
        keep_apart(centers, sizes + 4 * scale, has_plate, context.occupied, limits, scale)
        self.plates.place(centers, has_plate)
        self.plate_boxes = np.where(has_plate[:, None], np.hstack([centers - sizes / 2, centers + sizes / 2]), np.nan)
        for leaders, severity in zip(self.leaders, ("red", "amber"), strict=True):
            is_of = np.array([mark.severity == severity for mark in self.marks])
            leaders.place(anchors, centers, sizes, has_plate & is_of)
        context.occupied.add_boxes(centers, sizes, has_plate)

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the items whose plates are under a pixel; plates have priority over everything behind them."""
        yield from ray.on_plates([mark.key for mark in self.marks], self.plate_boxes)

    def _choose_plates(self, is_seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the marks whose plates are shown: first the selected frame's, then the worst."""
        selected = self.context.options[SELECTED]
        order = sorted(np.flatnonzero(is_seen).tolist(), key=lambda k: (self.marks[k].frame != selected, k))
        chosen = np.zeros(len(self.marks), dtype=bool)
        chosen[order[:MAX_PLATES]] = True
        return chosen

    # --- shapes

    def _bodies_of(self, mark: ProblemMark) -> list[ViewBody]:
        """Return the marked bodies: the item itself, or the bodies on its frame."""
        kind, name = mark.key
        bodies = self.context.view_data.bodies
        if kind == "bodies":
            return [body for body in bodies if body.name == name]
        if kind in ("frames", "measured"):
            row = self.context.plan.index[mark.frame]
            return [body for body in bodies if body.i_frame == row]
        return []

    def _tint(self, body: ViewBody, mark: ProblemMark) -> PlacedBody:
        """Return a tint of a body, drawn over it."""
        mesh = mesh_or_none(body)
        tints: list[vtkActor] = []
        if mesh is not None:
            tints = [actors.surface(to_polydata(mesh), getattr(self.context.theme, mark.severity), opacity=TINT)]
            mapper = tints[0].GetMapper()  # in front of the faces of the body
            mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, -4.0)
        return PlacedBody(body, tints)

    def _ghost(self, body: ViewBody, mark: ProblemMark) -> PlacedBody:
        """Return a ghost of a body at its measured pose."""
        mesh, color = mesh_or_none(body), getattr(self.context.theme, mark.severity)
        ghosts: list[vtkActor] = []
        if mesh is not None:
            ghosts = [actors.surface(to_polydata(mesh), color, opacity=GHOST)]
            edges = edge_lines(mesh)
            if edges.n_points:
                ghosts.append(actors.lines(edges, self.context.px(1), color, opacity=GHOST_EDGE))
        return PlacedBody(body, ghosts)

    def _path(self, mark: ProblemMark) -> tuple[pv.PolyData, Array, vtkActor]:
        """Return the dashed line of a measurement, its points and its actor."""
        ends = np.arange(2 * DASHES).reshape(-1, 2)
        polydata = pv.PolyData(np.zeros((2 * DASHES, 3), dtype=np.float32), lines=pv_cells(ends))
        color = getattr(self.context.theme, mark.severity)
        actor = actors.lines(polydata, self.context.px(1.25), color, opacity=0.85)
        actor.VisibilityOff()
        return polydata, actors.points_of(polydata), actor  # pyright: ignore[reportReturnType] - single precision


def _extent(body: ViewBody) -> float:
    """Return the reach of a body from the origin of its frame, m."""
    return body_reach(body) + float(np.linalg.norm(body.p_FB))


def _measured_pose(snapshot: Snapshot, name: str) -> tuple[Array, Array]:
    """Return the measured pose, in world; NaN if there is none at this time."""
    measurement = snapshot.measurements.get(name)
    if measurement is None or measurement.R_WM is None or measurement.p_WM is None:
        return np.full((3, 3), np.nan), np.full(3, np.nan)
    return measurement.R_WM, measurement.p_WM


def _angle_between(R_WA: Array, R_WB: Array) -> float:
    """Return the angle between two orientations, rad."""
    R = R_WA.T @ R_WB
    v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return float(np.arctan2(np.linalg.norm(v), np.trace(R) - 1.0))

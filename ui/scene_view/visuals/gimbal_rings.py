"""Gimbal rings: the physical mechanism whose three joints are the angles of an axis sequence.

The outer ring rotates about e1, fixed in the parent. It carries the axis e2' of the middle ring, which carries the axis
e3'' of the inner ring, which rotates with the frame. So the plane of the outer ring is spanned by e1 and e2', and the
plane of the middle ring by e2' and e3''. The mechanism is locked where these planes coincide (ZXZ at zero) or e3'' is
parallel to e1 (XYZ at 90°). The three axes are drawn beyond the rings, each in the colour of its ring and of different
length, so that the third remains visible when it reaches the first. The pose comes from the authored angles, never from
angles extracted from a matrix, which are not unique at the lock.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from framescope.core.analysis.staged_rotation import PRIMES
from framescope.core.evaluation.compile.view_data import ViewRings
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import as_sequence
from framescope.core.kinematics import singularity_measure
from framescope.ui.scene_view.base.animated_nodes import NodeSource, RingNodes
from framescope.ui.scene_view.base.label_layout import leave_out
from framescope.ui.scene_view.base.node_shapes import shape_of_vertex_colors
from framescope.ui.scene_view.base.pick_ray import LINE, LINE_RADIUS, PickHit, PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors, lathe_meshes
from framescope.ui.scene_view.geometry.drag_geometry import distances_to_segments
from framescope.ui.scene_view.geometry.gimbal_geometry import (
    AXIS_RADII,
    AXIS_REACHES,
    BEVEL,
    RADII,
    THICKNESS,
    WIDTH,
    ring_frames,
    ring_rotations,
)
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle
from framescope.ui.scene_view.visuals.axis_letters import letter_places
from framescope.ui.theme.tokens import AXIS_LETTERS, LOCK, NEAR, Theme, channels, mix

Array = NDArray[np.float64]

FORK_RADIUS, FORK_WIDTH, FORK_THICKNESS = 1.12, 0.12, 0.052
PIN_RADIUS = 0.021
SIDES, AXIS_SIDES = 72, 8

KNOB = 2.2
"""Radius of the ball at the end of an axis, in radii of the axis."""

LETTER = (13.0, 600)
"""Font size and weight of the axis letters."""

EDGE_WIDTH = 1.25

PICKED_STEPS = 48
"""Number of segments of a ring for picking."""


class Rings(Visual):
    """Rings of all frames that show them, with fork and pins."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self.gimbals = [Gimbal(rings, context) for rings in context.view_data.rings]
        for gimbal in self.gimbals:
            self.scene_actors += gimbal.actors
            self.overlay_actors.append(gimbal.letters.actor)

    def show(self, tick: Tick) -> None:
        """Rotate the rings, and colour their edges by the distance from the lock."""
        for gimbal in self.gimbals:
            gimbal.show(tick)

    def occupy(self, projection: Projection) -> None:
        """Place the letters at the ends of the axes, and keep names and values off them."""
        for gimbal in self.gimbals:
            gimbal.occupy(projection)

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the frames that have rings, with sequence and radius."""
        return plan.view_data.rings

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the parts of each gimbal."""
        for gimbal in self.gimbals:
            yield RingNodes(gimbal.name, gimbal.rings.i_frame, tuple(map(shape_of_vertex_colors, gimbal.meshes)))

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the frames whose rings are under a pixel."""
        for rings in ray.tick.plan.view_data.rings:
            yield from _pick_rings(rings, ray)


class Gimbal:
    """One mechanism: fork and three rings, each under its own matrix."""

    def __init__(self, rings: ViewRings, context: ViewContext) -> None:
        self.rings = rings
        self.name = context.names[rings.i_frame]
        theme = context.theme
        self._warning_colors = channels(theme.amber), channels(theme.red)
        self._matrices = [vtkMatrix4x4() for _ in range(4)]
        self.meshes = [_fork(rings, theme), *(_ring(rings, k, theme) for k in range(3))]
        """Fork, outer, middle and inner ring, each in its own coordinates, with vertex colours."""
        self._surfaces = [actors.surface(mesh) for mesh in self.meshes]
        self._edges = [actors.lines(_edges(rings, k), context.px(EDGE_WIDTH), theme.amber) for k in range(3)]
        for matrix, actor in zip(self._matrices, self._surfaces, strict=True):
            actor.SetUserMatrix(matrix)
        for matrix, actor in zip(self._matrices[1:], self._edges, strict=True):
            actor.SetUserMatrix(matrix)
        self.actors = [*self._surfaces, *self._edges]
        axes = [axis - 1 for axis in as_sequence(rings.sequence)]
        self.letters = SpriteBatch(context.sheet, [_letter(k, axis, context) for k, axis in enumerate(axes)])
        self._occupied = context.occupied
        self._ends: tuple[Array, Array] | None = None

    def show(self, tick: Tick) -> None:
        """Rotate the parts to the angles of a tick; without a pose nothing is drawn."""
        snapshot, row = tick.snapshot, self.rings.i_frame
        angles, _ = tick.plan.turn_angles(self.name, self.rings.sequence, snapshot)
        self._ends = None
        if not (snapshot.is_posed[row] and np.isfinite(angles).all()):
            for actor in self.actors:
                actor.VisibilityOff()
            return
        measure = float(singularity_measure(self.rings.sequence, angles)[0])
        for actor in self._surfaces:
            actor.VisibilityOn()
        for actor in self._edges:
            actor.SetVisibility(measure >= NEAR)
            actor.GetProperty().SetColor(*self._warning_colors[measure >= LOCK])
        turns = _turns_W(self.rings, tick, angles)
        for matrix, R_WR in zip(self._matrices, turns, strict=True):
            actors.set_pose(matrix, R_WR, snapshot.p_WF[row])
        self._ends = _axes_of(self.rings, turns), snapshot.p_WF[row]

    def occupy(self, projection: Projection) -> None:
        """Place the letters at the ends of the axes; the first axis has priority if there is no room for all."""
        centers, is_visible = np.zeros((3, 2)), np.zeros(3, dtype=bool)
        if self._ends is not None:
            axes_W, p_W = self._ends
            lengths = self.rings.radius * np.array(AXIS_REACHES)
            places, is_before = letter_places(
                projection, np.repeat(axes_W[:, :, None], 3, axis=2), np.tile(p_W, (3, 1)), lengths
            )
            centers, is_visible = places[:, 0], is_before[:, 0].copy()
            leave_out(centers, self.letters.sizes, is_visible, self._occupied)
            self._occupied.keep_letters(centers, self.letters.sizes, is_visible)
        self.letters.move(centers - self.letters.sizes / 2, is_visible)


def axles_W(rings: ViewRings, tick: Tick) -> Array | None:
    """Return the ends (3, 2, 3) in world of the outer, middle and inner axle of a gimbal; None without a pose."""
    snapshot, row = tick.snapshot, rings.i_frame
    angles, _ = tick.plan.turn_angles(tick.plan.names[row], rings.sequence, snapshot)
    if not (snapshot.is_posed[row] and np.isfinite(angles).all()):
        return None
    reach = rings.radius * np.array(AXIS_REACHES)[:, None] * _axes_of(rings, _turns_W(rings, tick, angles))
    return snapshot.p_WF[row] + np.stack([-reach, reach], axis=1)


def _turns_W(rings: ViewRings, tick: Tick, angles: Array) -> list[Array]:
    """Return the orientations (3, 3) in world of fork and rings."""
    R_WP = tick.snapshot.R_WF[tick.plan.tree.parents[rings.i_frame]]
    return [R_WP @ R_PR for R_PR in ring_rotations(rings.sequence, angles)]


def _axes_of(rings: ViewRings, turns: list[Array]) -> Array:
    """Return the directions (3, 3) in world of the axles, one a row."""
    axes = (axis - 1 for axis in as_sequence(rings.sequence))
    return np.stack([R_WR[:, axis] for R_WR, axis in zip(turns[1:], axes, strict=True)])


def _pick_rings(rings: ViewRings, ray: PickRay) -> Iterator[PickHit]:
    tick, projection, row = ray.tick, ray.projection, rings.i_frame
    name = tick.plan.names[row]
    angles, _ = tick.plan.turn_angles(name, rings.sequence, tick.snapshot)
    if not (tick.snapshot.is_posed[row] and np.isfinite(angles).all()):
        return
    phi = np.linspace(0.0, 2.0 * np.pi, PICKED_STEPS + 1)
    flat = np.stack([np.cos(phi), np.sin(phi), np.zeros_like(phi)], axis=-1)
    R_WP = tick.snapshot.R_WF[tick.plan.tree.parents[row]]
    parts = zip(RADII, ring_rotations(rings.sequence, angles)[1:], ring_frames(rings.sequence), strict=True)
    for radius, R_PR, frame in parts:
        circle_W = tick.snapshot.p_WF[row] + rings.radius * radius * (flat @ (R_WP @ R_PR @ frame).T)
        at = projection.project(circle_W)
        if not (at[:, 2] > 0.0).all():
            continue
        misses = distances_to_segments(ray.pointer, at[:-1, :2], at[1:, :2])
        k = int(np.argmin(misses))
        half = 0.5 * WIDTH * rings.radius / projection.metres_per_pixel(circle_W[k])
        if misses[k] <= max(0.7 * half, LINE_RADIUS * projection.scale):
            yield PickHit(("frames", name), LINE, float(misses[k]), float(at[k, 2]), row)


def ring_band(rings: ViewRings, k: int) -> lathe_meshes.Mesh:
    """Return the band of ring `k` in its own coordinates, m."""
    return lathe_meshes.lathe(_section(RADII[k], WIDTH), SIDES).transform(
        ring_frames(rings.sequence)[k], scale=rings.radius
    )


def _section(radius: float, width: float, thickness: float = THICKNESS) -> list[tuple[float, float]]:
    """Return the closed cross-section of a band, (radius, height), with bevels."""
    out, inn, h, b = radius + thickness / 2, radius - thickness / 2, width / 2, BEVEL
    corners = [(out, b - h), (out, h - b), (out - b, h), (inn + b, h)]
    corners += [(inn, h - b), (inn, b - h), (inn + b, -h), (out - b, -h)]
    return [*corners, corners[0]]


def _ring(rings: ViewRings, k: int, theme: Theme) -> pv.PolyData:
    """Return a band in the colour of its axis, with lighter bevels and the pins that carry the next ring."""
    axes = as_sequence(rings.sequence)
    color = theme.axes[axes[k] - 1]
    band = ring_band(rings, k)
    steps = SIDES + 1
    stretches = [color, mix(color, "#FFFFFF", 0.22)] * 4
    colors = np.repeat(np.array([lathe_meshes.rgba(c) for c in stretches], dtype=np.uint8), 2 * steps, axis=0)
    axis = _axis(rings, k)
    parts, painted = [band, axis], [colors, _plain(axis, color)]
    if k < 2:
        pins = _pins(np.eye(3)[axes[k + 1] - 1], RADII[k + 1] - 0.036, RADII[k] + 0.034, rings.radius)
        parts, painted = [*parts, pins], [*painted, _plain(pins, _metal(theme))]
    return lathe_meshes.to_polydata(lathe_meshes.merge(parts), np.vstack(painted))


def _axis(rings: ViewRings, k: int) -> lathe_meshes.Mesh:
    """Return the axis of ring `k` in its own coordinates, outward on both sides, with balls at the ends."""
    e, reach, radius = np.eye(3)[as_sequence(rings.sequence)[k] - 1], AXIS_REACHES[k], AXIS_RADII[k]
    start = FORK_RADIUS if k == 0 else RADII[k - 1]
    knob = lathe_meshes.sphere(KNOB * radius, reach, AXIS_SIDES).transform(_along(e), scale=rings.radius)
    return lathe_meshes.merge([_pins(e, start, reach, rings.radius, radius, AXIS_SIDES), knob])


def _letter(k: int, axis: int, context: ViewContext) -> int:
    return context.sheet.text(AXIS_LETTERS[axis] + PRIMES[k], TextStyle(context.theme.axis_texts[axis], *LETTER))


def _edges(rings: ViewRings, k: int) -> pv.PolyData:
    """Return the four rims of a band, just outside its bevels."""
    phi = np.linspace(0.0, math.tau, SIDES, endpoint=False)
    circle = np.stack([np.cos(phi), np.sin(phi), np.zeros(SIDES)], axis=-1)
    rims = [
        circle * (RADII[k] + side * THICKNESS / 2) + (0, 0, height * WIDTH / 2)
        for side in (-1, 1)
        for height in (-1, 1)
    ]
    points = rings.radius * np.concatenate(rims) @ ring_frames(rings.sequence)[k].T
    at = np.arange(SIDES)
    loop = np.stack([at, (at + 1) % SIDES], axis=-1)
    cells = np.concatenate([loop + SIDES * rim for rim in range(4)])
    return pv.PolyData(points.astype(np.float32), lines=lathe_meshes.pv_cells(cells))


def _fork(rings: ViewRings, theme: Theme) -> pv.PolyData:
    """Return the half arc that holds the outer ring from below, open at the top, with its pins."""
    e1 = np.eye(3)[as_sequence(rings.sequence)[0] - 1]
    # "Below" is the parent's -z; a gimbal with its first axis along z is held from the side, like a globe.
    down = np.array([0.0, 0.0, -1.0]) if e1[2] == 0.0 else np.array([-1.0, 0.0, 0.0])
    turn = np.stack([e1, down, np.cross(e1, down)], axis=-1)
    arc = lathe_meshes.lathe(_section(FORK_RADIUS, FORK_WIDTH, FORK_THICKNESS), SIDES // 2, sweep=math.pi)
    rise = 0.05
    uprights = [
        lathe_meshes.box((FORK_THICKNESS, rise, FORK_WIDTH), (side * FORK_RADIUS, -rise / 2, 0)) for side in (-1, 1)
    ]
    body = lathe_meshes.merge([arc, *uprights]).transform(turn, scale=rings.radius)
    pins = _pins(e1, RADII[0] - 0.036, FORK_RADIUS + 0.045, rings.radius)
    metal = _metal(theme)
    dark = mix(metal, theme.scene_bottom if theme.is_dark else theme.quiet, 0.36)
    return lathe_meshes.to_polydata(
        lathe_meshes.merge([body, pins]), np.vstack([_plain(body, dark), _plain(pins, metal)])
    )


def _pins(
    axis: Array, start: float, end: float, scale: float, radius: float = PIN_RADIUS, sides: int = 16
) -> lathe_meshes.Mesh:
    """Return two pins along an axis, on both sides of the centre."""
    pin = lathe_meshes.cylinder(radius, start, end, sides)
    return lathe_meshes.merge(pin.transform(_along(sign * axis), scale=scale) for sign in (1.0, -1.0))


def _along(axis: Array) -> Array:
    """Return a rotation (3, 3) that maps z to an axis."""
    side = np.roll(np.abs(axis), 1)
    return np.stack([side, np.cross(axis, side), axis], axis=-1)


def _metal(theme: Theme) -> str:
    return "#8A939E" if theme.is_dark else "#9AA4AF"


def _plain(mesh: lathe_meshes.Mesh, color: str) -> NDArray[np.uint8]:
    return np.tile(np.array(lathe_meshes.rgba(color), dtype=np.uint8), (len(mesh.points), 1))

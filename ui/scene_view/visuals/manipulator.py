"""Manipulator: three rings and three arrows about the selected frame, to turn and move it; one of them for a joint.

The handles have a constant size in the picture, cover everything, and are flat lines in the overlay: they are tools,
not things in the scene. The tips have the usual shapes of the axes, cone, cube and sphere, drawn as triangle, square
and disc.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.base.scene_options import SceneOption, nothing
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.antialiased_strokes import Patches, Strokes
from framescope.ui.scene_view.geometry.drag_geometry import (
    JOINT,
    RING_POINTS,
    Handle,
    HandleAxes,
    HandleShapes,
    handle_shapes,
    nearest_handle,
    radius_m,
)
from framescope.ui.scene_view.geometry.frame_drag import AxesOf, handle_axes
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle
from framescope.ui.theme.tokens import mix

Array = NDArray[np.float64]

WIDTH, LIT_WIDTH, HALO = 2.0, 3.5, 3.0
FAR_ALPHA, NEAR_ALPHA, HALO_ALPHA, PIE_ALPHA = 0.30, 1.0, 0.45, 0.22
TIP = 6.5
LETTER_GAP = 13.0
CORNERS = 24
AXES = JOINT + 1


@dataclass(frozen=True, eq=False)
class Held:
    """Drag of a handle: the handle and its amount, and for a turn its centre, axis and start direction."""

    handle: Handle
    center_W: Array
    e_W: Array
    start_W: Array | None
    amount: float


@dataclass(frozen=True, eq=False)
class HandlesState:
    """State of the handles: their frame, the axes used, the highlighted handle, and the drag in progress."""

    name: str | None = None
    axes_of: AxesOf = "own"
    lit: Handle | None = None
    held: Held | None = None


HANDLES = SceneOption(HandlesState(), nothing, is_shared=False)
"""The displayed handles."""


class Manipulator(Visual):
    """The handles of one frame, or none."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._tick: Tick | None = None
        self._pie = Patches(1, RING_POINTS)
        # Lines over a halo in the background's colour: rings, arrows, and the two sides of the swept angle.
        self._lines = Strokes([RING_POINTS] * (2 * AXES) + [2] * (2 * AXES + 4))
        self._tips = Patches(2 * AXES, CORNERS)
        letters = [
            context.sheet.text(letter, TextStyle(color, 13, 600))
            for letter, color in zip("xyz", context.theme.axis_texts, strict=True)
        ]
        self._letters = SpriteBatch(context.sheet, letters)
        self.overlay_actors += [self._pie.actor, self._lines.actor, self._tips.actor, self._letters.actor]
        for actor in self.overlay_actors:
            actor.VisibilityOff()

    def show(self, tick: Tick) -> None:
        """Store the tick."""
        self._tick = tick

    def shapes(self, projection: Projection) -> HandleShapes | None:
        """Return the handles as drawn; None if no frame shows any."""
        pose = self._pose()
        return None if pose is None else handle_shapes(projection, *pose)

    def handle_at(self, x: float, y: float, projection: Projection) -> Handle | None:
        """Return the handle under a device pixel, counted from the lower left."""
        shapes = self.shapes(projection)
        return None if shapes is None else nearest_handle(shapes, x, y, projection.scale)

    def place(self, projection: Projection) -> None:
        """Draw the handles at their frame."""
        pose = self._pose()
        is_seen = pose is not None and float(projection.project(pose[0])[2]) > 0.0
        for actor in self.overlay_actors:
            actor.SetVisibility(is_seen)
        if pose is None or not is_seen:
            return
        shapes = handle_shapes(projection, *pose)
        for axis in range(AXES):
            self._place_ring(axis, shapes)
            self._place_arrow(axis, shapes)
        self._place_angle(projection)
        self._place_letters(shapes)
        for part in (self._pie, self._lines, self._tips):
            part.touch()

    def _pose(self) -> tuple[Array, HandleAxes] | None:
        """Return centre and axes in world."""
        tick, state = self._tick, self.context.options[HANDLES]
        if tick is None or state.name is None or state.name not in tick.plan.index:
            return None
        row = tick.plan.index[state.name]
        if row == 0 or not tick.snapshot.is_posed[row]:
            return None
        axes = handle_axes(tick.plan, tick.snapshot, state.name, state.axes_of)
        return tick.snapshot.p_WF[row], _freeze_axis(axes, state.held)

    def _look(self, handle: Handle) -> tuple[str, float, float]:
        """Return colour, width and alpha of a handle."""
        state, theme = self.context.options[HANDLES], self.context.theme
        color = self._color(handle.axis)
        if state.held is not None:
            return (color, LIT_WIDTH, 1.0) if state.held.handle == handle else (color, WIDTH, 0.0)
        if state.lit == handle:
            return mix(color, theme.text, 0.35), LIT_WIDTH, 1.0
        return color, WIDTH, 1.0 if state.lit is None else 0.55

    def _color(self, axis: int) -> str:
        """Return the colour of an axis; a joint's axis has none of the three axis colours."""
        theme = self.context.theme
        return theme.text if axis == JOINT else theme.axes[axis]

    def _place_ring(self, axis: int, shapes: HandleShapes) -> None:
        color, width, alpha = self._look(Handle("turn", axis))
        if alpha == 0.0 or not shapes.has_ring[axis]:
            self._lines.hide(axis)
            self._lines.hide(AXES + axis)
            return
        px, is_near = self.context.px, shapes.is_near[axis]
        alphas = np.where(is_near, NEAR_ALPHA, FAR_ALPHA) * alpha
        self._lines.set(AXES + axis, shapes.rings[axis], px(width), _color_rows(color, alphas))
        ground = self.context.theme.scene_bottom
        self._lines.set(axis, shapes.rings[axis], px(width + HALO), _color_rows(ground, HALO_ALPHA * alphas))

    def _place_arrow(self, axis: int, shapes: HandleShapes) -> None:
        color, width, alpha = self._look(Handle("shift", axis))
        if alpha == 0.0 or not shapes.has_arrow[axis]:
            for k in (2 * AXES + axis, 3 * AXES + axis):
                self._lines.hide(k)
            self._tips.hide(axis)
            self._tips.hide(AXES + axis)
            return
        px, ground = self.context.px, self.context.theme.scene_bottom
        begin, end = shapes.arrows[axis]
        self._lines.set(2 * AXES + axis, shapes.arrows[axis], px(width + HALO), rgba(ground, HALO_ALPHA * alpha))
        self._lines.set(3 * AXES + axis, shapes.arrows[axis], px(width), rgba(color, alpha))
        size = px(TIP) * (1.15 if width == LIT_WIDTH else 1.0)
        for k, grown, paint in (
            (axis, px(HALO) / 2, rgba(ground, HALO_ALPHA * alpha)),
            (AXES + axis, 0.0, rgba(color, alpha)),
        ):
            self._tips.set(k, end + tip_corners(axis, end - begin, size + grown), paint)

    def _place_angle(self, projection: Projection) -> None:
        """Fill the swept angle, from the start of the turn."""
        grip = self.context.options[HANDLES].held
        if grip is None or grip.start_W is None:
            self._pie.hide(0)
            for k in range(4):
                self._lines.hide(4 * AXES + k)
            return
        px, theme = self.context.px, self.context.theme
        color = self._color(grip.handle.axis)
        angles = np.remainder(abs(grip.amount), 2 * np.pi) * np.sign(grip.amount) * np.linspace(0.0, 1.0, RING_POINTS)
        side = np.cross(grip.e_W, grip.start_W)
        around = np.cos(angles)[:, None] * grip.start_W + np.sin(angles)[:, None] * side
        radius = radius_m(projection, grip.center_W)
        corners = projection.project(grip.center_W + radius * around)[:, :2]
        center = projection.project(grip.center_W)[:2]
        self._pie.set(0, corners, rgba(color, PIE_ALPHA), center)
        for k, corner in enumerate((corners[0], corners[-1])):
            line = np.array([center, corner])
            self._lines.set(4 * AXES + k, line, px(1.0 + HALO), rgba(theme.scene_bottom, HALO_ALPHA))
            self._lines.set(4 * AXES + 2 + k, line, px(1.5), rgba(theme.text, 0.45 if k == 0 else 0.95))

    def _place_letters(self, shapes: HandleShapes) -> None:
        """Place each letter beyond the tip of its arrow; a joint's axis has no letter."""
        arrows = shapes.arrows[:JOINT]
        along = arrows[:, 1] - arrows[:, 0]
        along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
        centers = arrows[:, 1] + along * self.context.px(LETTER_GAP)
        is_lit = np.array([self._look(Handle("shift", axis))[2] > 0.0 for axis in range(JOINT)])
        is_visible = shapes.has_arrow[:JOINT] & is_lit
        self._letters.move(centers - self._letters.sizes / 2, is_visible)


def tip_corners(axis: int, along: Array, size: float) -> Array:
    """Return the tip of an arrow about its end, (CORNERS, 2): a square for y, a disc for z, a triangle for others."""
    phi = np.linspace(0.0, 2 * np.pi, CORNERS, endpoint=False)
    length = max(float(np.hypot(*along)), 1e-9)
    forward = np.asarray(along) / length
    side = np.array([-forward[1], forward[0]])
    if axis == 2:
        radius = np.ones(CORNERS)
    else:
        n = 4 if axis == 1 else 3
        # Distance of a regular polygon's edge from its centre, with a corner (3) or an edge (4) in front.
        half = np.pi / n
        turned = phi if n == 3 else phi + half
        radius = np.cos(half) / np.cos(np.remainder(turned, 2 * half) - half) * (1.45 if n == 3 else 1.25)
    return size * radius[:, None] * (np.cos(phi)[:, None] * forward + np.sin(phi)[:, None] * side)


def _freeze_axis(axes: HandleAxes, grip: Held | None) -> HandleAxes:
    """Freeze the axis of a drag as it was at the start: the frame turns about it, not the axis with the frame."""
    if grip is None:
        return axes
    e_W = axes.e_W.copy()
    e_W[:, grip.handle.axis] = grip.e_W
    return axes._replace(e_W=e_W)


def _color_rows(color: str, alphas: Array) -> NDArray[np.uint8]:
    """Return one colour with an alpha for each point."""
    colors = np.empty((len(alphas), 4), dtype=np.uint8)
    colors[:] = rgba(color)
    colors[:, 3] = np.round(255 * alphas)
    return colors

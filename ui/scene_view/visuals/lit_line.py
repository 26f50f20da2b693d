"""Axis, arrow or axle that a speaker points at: drawn bright over the picture, which is dimmed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import as_sequence
from framescope.ui.scene_view.base.scene_options import SceneOption, nothing
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.antialiased_strokes import Patches, Strokes
from framescope.ui.scene_view.geometry.drag_geometry import distances_to_segments
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.visuals.force_arrows import ForceVectors, force_vectors_of
from framescope.ui.scene_view.visuals.gimbal_rings import axles_W
from framescope.ui.scene_view.visuals.sensor_arrows import SYMBOLS
from framescope.ui.theme.tokens import AXIS_LETTERS

Array = NDArray[np.float64]

REACH = 16.0
"""Distance from the pointer up to which a line is lit, logical pixels: speakers do not aim."""

VEIL, GLOW = 0.62, 0.35
"""Opacities of the veil over the picture and of the glow around the line."""

WIDTH, GLOW_WIDTH, TIP = 6.0, 16.0, 15.0
"""Widths of the line and of its glow, and length of its tip, logical pixels."""

LIT = SceneOption[str]("", nothing, is_shared=False)
"""Axis, arrow or axle that is lit, such as ``"z of arrow"`` or ``"ω of gyro"``; empty for none."""

AXLES = ("outer axle", "middle axle", "inner axle")
"""Names of the axles of a gimbal."""


@dataclass(frozen=True)
class Line:
    """Axis of a frame, arrow, or axle of a gimbal: name, foot and tip in world, and colour; axles have no tip."""

    name: str
    begin_W: Array
    end_W: Array
    color: str
    has_tip: bool = True


def lines_of(tick: Tick, context: ViewContext, forces: ForceVectors | None = None) -> Iterator[Line]:
    """Yield the axes of all frames that show some, the arrows of sensors and `forces`, and the axles of gimbals."""
    snapshot, plan = tick.snapshot, tick.plan
    for row in np.flatnonzero(plan.view_data.has_triad).tolist():
        yield from _axes_of(tick, context, row)
    for name, arrows in snapshot.arrows.items():
        for key, arrow in arrows.items():
            tip = arrow.p_W + plan.instruments.sensors[name].arrows[key] * arrow.vector_W
            yield Line(f"{SYMBOLS[key]} of {name}", arrow.p_W, tip, context.theme.sensor)
    if forces is not None:
        forces.follow(tick)
        feet, vectors = (forces.force_feet, forces.torque_feet), (forces.force_vectors, forces.torque_vectors)
        owners = (("F", forces.points, context.theme.force), ("M", forces.bodies, context.theme.omega))
        for (symbol, names, color), all_feet, all_vectors in zip(owners, feet, vectors, strict=True):
            for name, foot, vector in zip(names, all_feet, all_vectors, strict=False):
                if np.isfinite(vector).all() and vector.any():
                    yield Line(f"{symbol} of {name}", foot.copy(), foot + vector, color)
    yield from _axles_of(tick, context)


def _axles_of(tick: Tick, context: ViewContext) -> Iterator[Line]:
    for rings in tick.plan.view_data.rings:
        ends = axles_W(rings, tick)
        if ends is None:
            continue
        for k, axis in enumerate(as_sequence(rings.sequence)):
            name, color = f"{AXLES[k]} of {tick.plan.names[rings.i_frame]}", context.theme.axes[axis - 1]
            yield Line(name, ends[k, 0], ends[k, 1], color, has_tip=False)


def _axes_of(tick: Tick, context: ViewContext, row: int) -> Iterator[Line]:
    snapshot, plan = tick.snapshot, tick.plan
    for k, letter in enumerate(AXIS_LETTERS):
        tip = snapshot.p_WF[row] + plan.view_data.triad_length[row] * snapshot.R_WF[row][:, k]
        yield Line(f"{letter} of {plan.names[row]}", snapshot.p_WF[row], tip, context.theme.axes[k])


class LitLine(Visual):
    """The lit line, over a veil that dims the rest of the picture. An axis is drawn even where its frame shows none."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._forces = force_vectors_of(context)
        self._tick: Tick | None = None
        self._veil, self._lines, self._tip = Patches(1, 4), Strokes([2, 2]), Patches(1, 3)
        self.overlay_actors += [self._veil.actor, self._lines.actor, self._tip.actor]

    def show(self, tick: Tick) -> None:
        """Store the tick."""
        self._tick = tick

    def place(self, projection: Projection) -> None:
        """Draw the veil and the line."""
        ends = self._ends(projection)
        if ends is not None:
            self._draw(projection, *ends)
        for actor in self.overlay_actors:
            actor.SetVisibility(ends is not None)

    def nearest(self, projection: Projection, x: float, y: float) -> str:
        """Return the name of the axis or arrow at a device pixel, counted from the lower left; empty for none."""
        if self._tick is None:
            return ""
        lines = list(lines_of(self._tick, self.context, self._forces))
        if not lines:
            return ""
        begins = projection.project(np.array([line.begin_W for line in lines]))
        tips = projection.project(np.array([line.end_W for line in lines]))
        misses = distances_to_segments(np.array([x, y]), begins[:, :2], tips[:, :2])
        # Lines with a common foot are told apart by their tips.
        misses += 1e-3 * np.hypot(*(tips[:, :2] - np.array([x, y])).T)
        misses = np.where((begins[:, 2] > 0.0) & (tips[:, 2] > 0.0), misses, np.inf)
        k = int(np.nanargmin(np.where(np.isfinite(misses), misses, np.inf)))
        return lines[k].name if misses[k] <= self.context.px(REACH) else ""

    def _ends(self, projection: Projection) -> tuple[Array, Line] | None:
        """Return foot and tip (2, 2) of the lit line in pixels, and the line; None for none in the picture."""
        name = self.context.options[LIT]
        if self._tick is None or not name:
            return None
        line = next((line for line in self._all_lines(name) if line.name == name), None)
        if line is None:
            return None
        at = projection.project(np.array([line.begin_W, line.end_W]))
        is_seen = bool((at[:, 2] > 0.0).all()) and bool(np.isfinite(at).all())
        return (at[:, :2], line) if is_seen else None

    def _all_lines(self, name: str) -> Iterator[Line]:
        """Yield all lines, and the axes of the frame of a name such as ``"z of arrow"``, drawn or not."""
        tick = self._tick
        if tick is None:
            return
        yield from lines_of(tick, self.context, self._forces)
        row = tick.plan.index.get(name.partition(" of ")[2])
        if row is not None and tick.snapshot.is_posed[row]:
            yield from _axes_of(tick, self.context, row)

    def _draw(self, projection: Projection, ends: Array, line: Line) -> None:
        color = line.color
        px, theme = self.context.px, self.context.theme
        width, height = float(projection.width), float(projection.height)
        corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
        self._veil.set(0, corners, rgba(theme.scene_bottom, VEIL))
        along = ends[1] - ends[0]
        length = max(float(np.hypot(*along)), 1e-9)
        along, across = along / length, np.array([-along[1], along[0]]) / length
        tip = min(px(TIP), length) if line.has_tip else 0.0
        foot = ends[1] - tip * along
        self._lines.set(0, ends, px(GLOW_WIDTH), rgba(color, GLOW))
        self._lines.set(1, np.array([ends[0], foot]), px(WIDTH), rgba(color))
        self._tip.set(0, np.array([ends[1], foot + 0.55 * tip * across, foot - 0.55 * tip * across]), rgba(color))
        for shapes in (self._veil, self._lines, self._tip):
            shapes.touch()

"""Measuring line between two frames, from origin to origin, with distance and rotation in words."""

from __future__ import annotations

import numpy as np

from framescope.core.conventions import axis_angle_from_quaternion
from framescope.core.evaluation import relative_motion
from framescope.core.frames import Orientation, to_Q
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.number_text import fixed
from framescope.ui.scene_view.base.scene_options import SceneOption, nothing
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.antialiased_strokes import Patches, Strokes
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.theme.tokens import mix
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

WIDTH, HALO, END = 1.5, 3.0, 3.5
CORNERS = 16

Row = tuple[str, str]
"""A caption and its value."""


MEASURED = SceneOption[tuple[str, str] | None](None, nothing, is_shared=False)
"""Start and end frame of the measurement."""


class MeasuringLine(Visual):
    """Line between the origins of two frames, drawn over everything."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._tick: Tick | None = None
        self._lines, self._ends = Strokes([2, 2]), Patches(2, CORNERS)
        self.overlay_actors += [self._lines.actor, self._ends.actor]

    def show(self, tick: Tick) -> None:
        """Store the tick."""
        self._tick = tick

    def place(self, projection: Projection) -> None:
        """Draw the line between the frames."""
        tick, frames = self._tick, self.context.options[MEASURED]
        is_seen = False
        if tick is not None and frames is not None and all(name in tick.plan.index for name in frames):
            rows = [tick.plan.index[name] for name in frames]
            at = projection.project(tick.snapshot.p_WF[rows])
            is_seen = bool((at[:, 2] > 0.0).all())
            if is_seen:
                self._draw(at[:, :2])
        for actor in self.overlay_actors:
            actor.SetVisibility(is_seen)

    def _draw(self, ends: np.ndarray) -> None:
        px, theme = self.context.px, self.context.theme
        phi = np.linspace(0.0, 2 * np.pi, CORNERS, endpoint=False)
        disc = px(END) * np.stack([np.cos(phi), np.sin(phi)], axis=-1)
        self._lines.set(0, ends, px(WIDTH + HALO), rgba(theme.scene_bottom, 0.6))
        self._lines.set(1, ends, px(WIDTH), rgba(mix(theme.accent, theme.text, 0.35)))
        for k, end in enumerate(ends):
            self._ends.set(k, end + disc, rgba(mix(theme.accent, theme.text, 0.35)))
        self._lines.touch()
        self._ends.touch()


def measure_rows(snapshot: Snapshot, of: str, relative_to: str, angles: AngleUnit = DEG) -> list[Row]:
    """Return the pose of one frame relative to another, as rows of caption and numbers."""
    relation = relative_motion.relation(snapshot, of, relative_to, relative_to)
    if not np.isfinite(relation.p).all() or not np.isfinite(relation.R.T).all():
        return [("", "no pose at this time")]
    return [
        ("distance of the origins", f"{fixed(float(np.linalg.norm(relation.p)))} m"),
        (f"position from {relative_to}, in axes of {relative_to}", f"{vector_text(relation.p)} m"),
        *turn_rows(relation.R, relative_to, angles),
    ]


def turn_rows(R: Orientation, from_frame: str, angles: AngleUnit = DEG) -> list[Row]:
    """Return angle and axis of the rotation from a frame to an orientation, as rows of caption and numbers."""
    axis, angle = axis_angle_from_quaternion(to_Q(R))
    rows = [(f"turned from {from_frame} by", angles.text(float(angle), angles.decimals))]
    if float(angle) > 1e-9:  # without a rotation there is no axis
        rows.append(("about, the same in both frames", vector_text(axis)))
    return rows


def vector_text(v: np.ndarray) -> str:
    """Format a vector: its three components with four decimals.

    >>> vector_text(np.array([0.5, -1.0, 0.0]))
    '0.5000  −1.0000  0.0000'
    """
    return "  ".join(fixed(float(x)) for x in v)

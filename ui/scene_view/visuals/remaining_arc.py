"""Dotted arc of the remaining part of a staged turn, from the current angle to its end, with the final angle."""

from __future__ import annotations

import math

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.ui.scene_view.base.label_layout import leave_out
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.default_sizes import FACTORS
from framescope.ui.scene_view.geometry.lathe_meshes import pv_cells, rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle, letter_ground, number_style, rounded_plate
from framescope.ui.scene_view.visuals.angle_arcs import NONE, SLOTS, angle_text, planes_of
from framescope.ui.scene_view.visuals.corner_overlay import MINUS
from framescope.ui.scene_view.visuals.single_arc import split_turns
from framescope.ui.theme.tokens import METRICS, channels

Array = NDArray[np.float64]

DOT_ANGLE = math.radians(2.0)
"""Angle of a dot, and of the gap after it, rad."""

MOST_DOTS = 90
WIDTH = 2.0
GAP = 7.0
"""Gap between the end of the arc and its text, logical pixels."""


class Remaining:
    """Dotted arc of the turn in progress; `radius` is the radius of the first arc, m."""

    def __init__(self, radius: float, context: ViewContext) -> None:
        self._context, self._radius = context, radius
        ends = np.arange(2 * MOST_DOTS).reshape(-1, 2)
        self._dots = pv.PolyData(np.zeros((2 * MOST_DOTS, 3), dtype=np.float32), lines=pv_cells(ends))
        self._points = actors.points_of(self._dots)
        self._line = actors.lines(self._dots, context.px(WIDTH), context.theme.quiet)
        theme, sheet = context.theme, context.sheet
        self._styles = [
            (TextStyle(color, METRICS.secondary, 500), number_style(color, METRICS.secondary, 500))
            for color in theme.axis_texts
        ]

        def on_one_line(*runs: tuple[str, TextStyle], words: TextStyle, digits: TextStyle) -> int:
            # Empty runs of the other style give all sprites the same baseline.
            return sheet.text([*runs, ("", words), ("", digits)])

        self._glyphs = [
            {
                "to ": on_one_line(("to ", words), words=words, digits=digits),
                **{c: on_one_line((c, digits), words=words, digits=digits) for c in f"0123456789.°rad+{MINUS}… "},
            }
            for words, digits in self._styles
        ]
        blank = self._glyphs[0][" "]
        self._advance = self._styles[0][1].font(context.scale).getlength("0")
        ground = letter_ground(theme.scene_top)
        width, height = sheet.size(self._glyphs[0]["to "])
        self._pad = round(ground.pad_x * context.scale)
        plate = rgba(ground.color, ground.alpha)
        radius = ground.radius * context.scale
        widths = (math.ceil(width + count * self._advance) + 2 * self._pad for count in range(SLOTS + 1))
        self._plates = [sheet.add(rounded_plate((width, height), radius, plate)) for width in widths]
        self._batch = SpriteBatch(sheet, [self._plates[SLOTS], self._glyphs[0]["to "], *[blank] * SLOTS])
        self.text = ""
        self.scene_actors, self.overlay_actors = [self._line], [self._batch.actor]

    def hide(self) -> None:
        """Hide the arc and its text."""
        self.text = ""
        self._line.VisibilityOff()

    def show(self, step: StagedRotation, R_WP: Array, p_W: Array) -> None:
        """Draw the remaining part of the turn in progress; nothing if it has ended."""
        turn = step.turn
        if turn < 0 or step.state(turn) != "present":
            self.hide()
            return
        start, end = step.so_far(turn), step.whole(turn)
        axis, k = step.axes[turn], step.order[turn]
        R_WA = R_WP @ planes_of(step)[k]
        # At most one full turn of dots; more would overlap.
        way = math.copysign(min(abs(end - start), math.tau), end - start)
        count = min(MOST_DOTS, int(abs(way) / (2 * DOT_ANGLE)))
        shares = np.zeros((MOST_DOTS, 2))
        dots = np.arange(count)[:, None] * 2.0 + (1.0, 2.0)
        shares[:count] = math.copysign(DOT_ANGLE, way) * dots
        phi = start + shares.ravel()
        circle = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
        radius = FACTORS[k] * self._radius
        self._points[:] = p_W + radius * circle @ R_WA[:, :2].T
        actors.touch(self._dots)
        self._line.VisibilityOn()
        self._line.GetProperty().SetColor(*channels(self._context.theme.axes[axis]))
        remainder, _ = split_turns(end)
        self._end = p_W + radius * (math.cos(remainder) * R_WA[:, 0] + math.sin(remainder) * R_WA[:, 1])
        self._center = p_W
        self.text = f"to {angle_text(end, self._context.angles)}" if abs(end - start) > NONE else ""
        for k, sprite in enumerate([self._glyphs[axis]["to "], *(self._glyphs[axis][c] for c in self.text[3:])]):
            self._batch.exchange(k + 1, sprite)
        self._batch.exchange(0, self._plates[max(len(self.text) - 3, 0)])

    def place(self, projection: Projection) -> None:
        """Place the angle outside the end of the arc, and keep names and values off it."""
        at, is_visible = np.zeros((SLOTS + 2, 2)), np.zeros(SLOTS + 2, dtype=bool)
        if self.text:
            self._place(projection, at, is_visible)
        self._batch.move(at, is_visible)

    def _place(self, projection: Projection, at: Array, is_visible: NDArray[np.bool_]) -> None:
        scale, count = self._context.scale, len(self.text) - 3
        origin, end = projection.project(self._center), projection.project(self._end)
        if min(origin[2], end[2]) <= 0.0:
            return
        out = end[:2] - origin[:2]
        out = out / max(math.hypot(*out), 1.0)
        size, words = self._batch.sizes[:2]
        corner = end[:2] + out * GAP * scale + (out - 1.0) * size / 2
        at[0] = np.round(corner)
        at[1:] = at[0] + (self._pad, 0.0)
        at[2:, 0] += words[0] + np.arange(SLOTS) * self._advance
        is_there = np.array([True])
        leave_out((at[0] + size / 2)[None], size[None], is_there, self._context.occupied)
        is_visible[: count + 2] = is_there[0]

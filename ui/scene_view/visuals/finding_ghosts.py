"""Ghosts of the detective's findings: a pale triad with its number for each selected finding.

Each ghost is at the origin of the frame of its measurement, so a correct finding coincides with the frame's own triad.
Findings with equal orientation there coincide, and their numbers are placed side by side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.base.ghost_pose import CANDIDATES
from framescope.ui.scene_view.base.label_layout import keep_apart
from framescope.ui.scene_view.base.leader_lines import limits_of
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import rgba
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextGround, TextStyle
from framescope.ui.scene_view.visuals.axis_letters import GAP
from framescope.ui.scene_view.visuals.intermediate_frames import ghost_template
from framescope.ui.scene_view.visuals.triads import MergedTriads

Array = NDArray[np.float64]

SHARE = 1.25
"""Length of a ghost relative to the frame's triad, so that its tips protrude."""

OPACITY = 0.6
SAME = np.cos(np.radians(1.0))
"""Cosine of the angle below which ghosts count as coinciding."""

PLATE_GAP = 3.0
"""Gap between numbers placed side by side, logical pixels."""


class Candidates(Visual):
    """Ghosts of all displayed findings, and their numbers."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        index = context.plan.index
        candidates = context.options[CANDIDATES]
        self._shown = [
            candidate for candidate in candidates if candidate.frame in index and candidate.relative_to in index
        ]
        count = len(self._shown)
        if not count:
            return
        theme, view_data = context.theme, context.view_data
        self._rows = np.array([index[c.frame] for c in self._shown])
        self._relative = np.array([index[c.relative_to] for c in self._shown])
        self._lengths = SHARE * view_data.triad_length[self._rows]
        colors = np.array([rgba(color) for color in (*theme.axes, theme.quiet)], dtype=np.uint8)
        self.ghosts = MergedTriads(ghost_template(), count, colors)
        style, plate = TextStyle(theme.text, 12, 600), TextGround(theme.scene_top)
        self._labels = SpriteBatch(context.sheet, [context.sheet.text(c.label, style, plate) for c in self._shown])
        self._R_W, self._p_W = np.zeros((count, 3, 3)), np.zeros((count, 3))
        self._is_posed = np.zeros(count, dtype=bool)
        self.scene_actors.append(actors.surface(self.ghosts.polydata, opacity=OPACITY))
        self.overlay_actors.append(self._labels.actor)

    def show(self, tick: Tick) -> None:
        """Rotate the ghosts to the current sample."""
        snapshot = tick.snapshot
        t = float(snapshot.t)
        R_RC = np.stack([candidate.at(t) for candidate in self._shown])
        self._R_W[:] = snapshot.R_WF[self._relative] @ R_RC
        self._p_W[:] = snapshot.p_WF[self._rows]
        self._is_posed[:] = (
            snapshot.is_posed[self._rows] & snapshot.is_posed[self._relative] & np.isfinite(self._R_W).all(axis=(1, 2))
        )
        self.ghosts.update(self._R_W, self._p_W, self._lengths, self._is_posed)

    def place(self, projection: Projection) -> None:
        """Place each number beyond the tip of its z axis, and numbers of coinciding ghosts in one row."""
        count, scale = len(self._shown), self.context.scale
        with np.errstate(invalid="ignore"):
            tips = projection.project(self._p_W + self._lengths[:, None] * self._R_W[:, :, 2])
            origins = projection.project(self._p_W)
        is_visible = self._is_posed & (tips[:, 2] > 0.0) & (origins[:, 2] > 0.0)
        tips[~is_visible] = origins[~is_visible] = 0.0
        sizes = self._labels.sizes
        centers = np.zeros((count, 2))
        group_of = self.group_ghosts()
        for group in dict.fromkeys(group_of):
            members = [k for k in range(count) if group_of[k] == group and is_visible[k]]
            if not members:
                continue
            tip = tips[members[0], :2]
            away = tip - origins[members[0], :2]
            length = float(np.hypot(*away))
            middle = tip + (away / length if length > 1e-6 else np.array([0.0, 1.0])) * GAP * 1.2 * scale
            gap = self.context.px(PLATE_GAP)
            width = sum(float(sizes[k, 0]) + gap for k in members) - gap
            left = middle[0] - width / 2
            for k in members:
                centers[k] = left + sizes[k, 0] / 2, middle[1]
                left += float(sizes[k, 0]) + gap
        limits = limits_of(self.context, projection, sizes)
        keep_apart(centers, sizes + 2 * scale, is_visible, self.context.occupied, limits, scale)
        self._labels.move(centers - sizes / 2, is_visible)

    def group_ghosts(self) -> list[int]:
        """Return for each ghost the index of the first one that it coincides with."""
        groups: list[int] = []
        for k, R in enumerate(self._R_W):
            near = (
                i
                for i in range(k)
                if self._rows[i] == self._rows[k] and np.trace(self._R_W[i].T @ R) > 1.0 + 2.0 * SAME
            )
            first = next(near, k)
            groups.append(groups[first] if first < k else k)
        return groups

"""Ghosts of the detective's findings: a pale triad with its number for each selected finding.

Each ghost is at the origin of the frame of its measurement, so a correct finding coincides with the frame's own triad.
Findings with equal orientation there coincide, and their numbers are placed side by side. An arc with its angle shows
the turn between two that are compared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.conventions import rotation_vector_from_T
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
from framescope.ui.scene_view.visuals.single_arc import Arc
from framescope.ui.scene_view.visuals.triads import MergedTriads

Array = NDArray[np.float64]

SHARE = 1.25
"""Length of a ghost relative to the frame's triad, so that its tips protrude."""

OPACITY = 0.6
SAME = np.cos(np.radians(1.0))
"""Cosine of the angle below which ghosts count as coinciding."""

ARC, LEAST_ARC = 0.62, np.radians(2.0)
"""Radius of the arc between two ghosts relative to their length, and smallest angle that has one, rad."""

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
        names = [candidate.label for candidate in self._shown]
        pair = ((k, names.index(c.turn_to)) for k, c in enumerate(self._shown) if c.turn_to in names)
        self._pair = next(pair, None)
        texts = list(names)
        if self._pair is not None:
            self.arc = Arc(ARC * float(self._lengths[self._pair[0]]), theme.text, context)
            first, second = (self._shown[k] for k in self._pair)
            texts.append(f"{np.degrees(_turn(first.at(0.0), second.at(0.0))[0]):.1f}°")
            self.scene_actors += self.arc.actors
        self._labels = SpriteBatch(context.sheet, [context.sheet.text(text, style, plate) for text in texts])
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
        if self._pair is not None:
            self._bend_arc(*self._pair)

    def _bend_arc(self, first: int, second: int) -> None:
        """Draw the arc of the turn from one ghost to another, in the plane of the turn."""
        angle, axis = _turn(self._R_W[first], self._R_W[second])
        if not self._is_posed[[first, second]].all() or angle < LEAST_ARC:
            self.arc.hide()
            return
        # From the axis of the ghost that the turn moves most.
        start = self._R_W[first][:, np.argmin(np.abs(axis @ self._R_W[first]))]
        start = start - axis * (axis @ start)
        start /= np.linalg.norm(start)
        plane = np.column_stack([start, np.asarray(np.cross(axis, start), dtype=np.float64), axis])
        self.arc.bend(angle, plane, self._p_W[first])

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
        if self._pair is not None:
            at = projection.project(self.arc.middle()) if self.arc.is_seen else np.zeros(3)
            centers = np.vstack([centers, at[:2]])
            is_visible = np.append(is_visible, self.arc.is_seen and at[2] > 0.0)
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


def _turn(R1: Array, R2: Array) -> tuple[float, Array]:
    """Return the angle, rad, and the axis (3,) in world of the turn from one active orientation to another."""
    vector = rotation_vector_from_T((R2 @ R1.T).T)
    angle = float(np.linalg.norm(vector))
    return angle, vector / angle if angle > 0.0 else np.array([0.0, 0.0, 1.0])

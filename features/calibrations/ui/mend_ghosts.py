"""Ghosts of a mend: a pale triad at the pose of a wrong entry as it is written, and one at the pose that was meant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.features.calibrations.core.rig.ghost_pose import GhostPose
from framescope.ui.scene_view.base.label_layout import keep_apart
from framescope.ui.scene_view.base.leader_lines import limits_of
from framescope.ui.scene_view.base.scene_options import SceneOption
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

LENGTH = 1.25
"""Length of a ghost relative to the triad of its frame, so that its tips protrude."""

OPACITY = 0.6

MEND_GHOSTS = SceneOption[tuple[GhostPose, ...]]((), is_shared=False)
"""Poses before and after a mend."""


class MendGhosts(Visual):
    """Ghosts before and after a mend, with these words beside them."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        index = context.plan.index
        self._shown = [
            ghost for ghost in context.options[MEND_GHOSTS] if ghost.parent in index and ghost.child in index
        ]
        self.labels = [f"{ghost.child} {ghost.label}" for ghost in self._shown]
        count = len(self._shown)
        if not count:
            return
        theme = context.theme
        self._parents = np.array([index[ghost.parent] for ghost in self._shown])
        children = np.array([index[ghost.child] for ghost in self._shown])
        self._lengths = LENGTH * context.view_data.triad_length[children]
        self._R_P = np.stack([ghost.R for ghost in self._shown])
        self._p_P = np.stack([ghost.p for ghost in self._shown])
        colors = np.array([rgba(color) for color in (*theme.axes, theme.quiet)], dtype=np.uint8)
        self.ghosts = MergedTriads(ghost_template(), count, colors)
        style, plate = TextStyle(theme.text, 12, 600), TextGround(theme.scene_top)
        self._labels = SpriteBatch(context.sheet, [context.sheet.text(text, style, plate) for text in self.labels])
        self._R_W, self._p_W = np.zeros((count, 3, 3)), np.zeros((count, 3))
        self._is_posed = np.zeros(count, dtype=bool)
        self.scene_actors.append(actors.surface(self.ghosts.polydata, opacity=OPACITY))
        self.overlay_actors.append(self._labels.actor)

    def show(self, tick: Tick) -> None:
        """Move the ghosts with their parents."""
        snapshot = tick.snapshot
        R_WP = snapshot.R_WF[self._parents]
        self._R_W[:] = R_WP @ self._R_P
        self._p_W[:] = snapshot.p_WF[self._parents] + np.einsum("nij,nj->ni", R_WP, self._p_P)
        self._is_posed[:] = snapshot.is_posed[self._parents]
        self.ghosts.update(self._R_W, self._p_W, self._lengths, self._is_posed)

    def place(self, projection: Projection) -> None:
        """Place each word beyond the tip of the z axis; names of frames, which are placed later, keep off it."""
        scale, sizes = self.context.scale, self._labels.sizes
        with np.errstate(invalid="ignore"):
            tips = projection.project(self._p_W + self._lengths[:, None] * self._R_W[:, :, 2])
        is_visible = self._is_posed & (tips[:, 2] > 0.0)
        centers = np.where(is_visible[:, None], tips[:, :2], 0.0) + np.array([0.0, GAP * 1.2 * scale])
        limits = limits_of(self.context, projection, sizes)
        keep_apart(centers, sizes + 2 * scale, is_visible, self.context.occupied, limits, scale)
        self.context.occupied.add_boxes(centers, sizes, is_visible)
        self._labels.move(centers - sizes / 2, is_visible)

    def reach_W(self) -> tuple[Array, ...]:
        """Return the origins of the ghosts."""
        return (self._p_W[self._is_posed],) if self._shown else ()

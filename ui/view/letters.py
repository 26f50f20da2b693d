"""The letters x, y and z beyond the tips of triads: of all when there are few, else of world and selection."""

from __future__ import annotations

import numpy as np

from framescope.core.scene.model import WORLD
from framescope.ui.view.camera import Projection
from framescope.ui.view.context import Tick, ViewContext, Visual
from framescope.ui.view.sprites import SpriteBatch, TextStyle

FEW = 12
GAP = 11.0
"""From a tip to the middle of its letter, logical pixels."""


class AxisLetters(Visual):
    """Letters of up to `FEW` triads; beyond, two places are kept for the world and the selection."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        staging = context.staging
        self._context = context
        self._lengths = np.where(staging.has_triad, staging.triad_length, 0.0)
        rows = np.flatnonzero(self._lengths)
        self._is_few = len(rows) <= FEW
        world = context.names.index(WORLD)
        self._rows = rows if self._is_few else np.array([world, world])
        style = [TextStyle(color, 13, 600) for color in context.theme.axis_texts]
        letters = [context.sheet.text(letter, look) for letter, look in zip("xyz", style, strict=True)]
        self._batch = SpriteBatch(context.sheet, letters * len(self._rows))
        self.overlay_actors.append(self._batch.actor)

    def select(self, name: str | None) -> None:
        """Give the second place to the selected frame."""
        if not self._is_few:
            names = self._context.names
            self._rows[1] = names.index(name) if name in names else self._rows[0]

    def show(self, tick: Tick) -> None:
        """Remember the poses."""
        self._snapshot = tick.snapshot

    def place(self, projection: Projection) -> None:
        """Put each letter beyond its tip, along the axis as it appears."""
        snapshot, rows, scale = self._snapshot, self._rows, self._context.scale
        lengths = self._lengths[rows]
        p_WF = snapshot.p_WF[rows]
        tips_W = p_WF[:, None] + np.swapaxes(snapshot.R_WF[rows], -1, -2) * lengths[:, None, None]
        origins, tips = projection.project(p_WF)[:, None], projection.project(tips_W)
        with np.errstate(invalid="ignore"):
            is_visible = (tips[..., 2] > 0) & (origins[..., 2] > 0) & snapshot.is_posed[rows, None]
            is_visible &= lengths[:, None] > 0
            along = tips[..., :2] - origins[..., :2]
            length = np.hypot(along[..., 0], along[..., 1])
            # An axis seen end-on has no direction of its own: its letter goes up and to the right.
            blend = np.clip(1.0 - length / (GAP * scale), 0.0, 1.0)[..., None]
            along = along / np.maximum(length, 1.0)[..., None] * (1 - blend) + np.array((0.7, 0.7)) * blend
        centers = (tips[..., :2] + along * GAP * scale).reshape(-1, 2)
        self._batch.move(centers - self._batch.sizes / 2, is_visible.ravel())

"""Letters x, y and z beyond the tips of triads: of all triads if there are few, else of world and selection."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewData
from framescope.core.scene.schema.model import WORLD
from framescope.ui.scene_view.base.label_layout import thin_out
from framescope.ui.scene_view.base.scene_options import SELECTED, SceneOption
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.sprites import SpriteBatch, TextStyle
from framescope.ui.scene_view.visuals.triads import hidden_axes

Array = NDArray[np.float64]

FEW = 12
GAP = 11.0
"""Distance from a tip to the centre of its letter, logical pixels."""

TIP = 0.08
"""Lateral reach of a tip relative to its axis; within it, the tip hides things behind it."""

CORE = 0.6
"""Part of a letter's area, in each direction, that no other letter may cover."""

STYLE = (13.0, 600)
"""Font size and weight."""


class AxisLetters(Visual):
    """Letters of up to `FEW` triads; beyond that, of the world and the selection only."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        view_data = context.view_data
        self._lengths = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        self._is_few = letters_all(view_data)
        self._is_hidden = hidden_axes(context)
        world = context.names.index(WORLD)
        self.rows = np.flatnonzero(self._lengths) if self._is_few else np.array([world, world])
        style = [TextStyle(color, *STYLE) for color in context.theme.axis_texts]
        letters = [context.sheet.text(letter, look) for letter, look in zip("xyz", style, strict=True)]
        self.batch = SpriteBatch(context.sheet, letters * len(self.rows))
        self.overlay_actors.append(self.batch.actor)

    def apply_option(self, option: SceneOption[Any]) -> None:
        """Assign the second slot to the selected frame."""
        if option is SELECTED and not self._is_few:
            name, names = self.context.options[SELECTED], self.context.names
            self.rows[1] = names.index(name) if name in names else self.rows[0]

    def show(self, tick: Tick) -> None:
        """Store the tick."""
        self._tick = tick

    def occupy(self, projection: Projection) -> None:
        """Place each letter beyond its tip, and keep names and values off the letters."""
        snapshot, rows = self._tick.snapshot, self.rows
        lengths = self._lengths[rows]
        centers, is_visible = letter_places(projection, snapshot.R_WF[rows], snapshot.p_WF[rows], lengths)
        is_visible &= snapshot.is_posed[rows, None] & (lengths[:, None] > 0) & ~self._is_hidden[rows]
        if self._tick.staged_rotation is not None:
            is_visible &= ~self._has_steps(self._tick.staged_rotation.frame)[:, None]
        self._centers, self._is_visible = centers.reshape(-1, 2), is_visible.ravel()
        thin_out(self._centers, CORE * self.batch.sizes, self._is_visible, self._by_priority())
        self.context.occupied.add_boxes(self._centers, self.batch.sizes, self._is_visible)
        self.context.occupied.keep_letters(self._centers, self.batch.sizes, self._is_visible)

    def place(self, projection: Projection) -> None:  # noqa: ARG002
        """Draw the letters, without those on a name that found no other place."""
        sizes = self.batch.sizes
        is_visible = self._is_visible & ~self.context.occupied.is_on_name(self._centers, sizes)
        self.batch.move(self._centers - sizes / 2, is_visible)

    def _by_priority(self) -> list[int]:
        """Return the letters in the order in which they are kept where they overlap: those of the selection first."""
        selected = self._tick.plan.index.get(self.context.options[SELECTED] or "", -1)
        is_other = [row != selected for row in self.rows.tolist() for _ in range(3)]
        return sorted(range(len(is_other)), key=is_other.__getitem__)

    def _has_steps(self, name: str) -> NDArray[np.bool_]:
        """Return which triads collide with primed letters: the frame shown turn by turn, and triads at its origin."""
        snapshot = self._tick.snapshot
        row = self._tick.plan.index[name]
        reach = np.abs(snapshot.p_WF[self.rows] - snapshot.p_WF[row]).max(axis=-1)
        return (self.rows == row) | (reach <= 1e-6 * self.context.view_data.triad_length[row])


def letters_all(view_data: ViewData) -> bool:
    """Return whether the triads are few enough for all of them to have letters."""
    return int(np.count_nonzero(view_data.has_triad & (view_data.triad_length > 0.0))) <= FEW


def letter_places(projection: Projection, R_WF: Array, p_WF: Array, lengths: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return the centres of triads' letters ``(n, 3, 2)``, pixels, and whether they are in front of the camera.

    A letter is beyond its tip, along the axis as drawn, and further away as the tip turns towards the camera.
    """
    tips_W = p_WF[:, None] + np.swapaxes(R_WF, -1, -2) * lengths[:, None, None]
    origins, tips = projection.project(p_WF)[:, None], projection.project(tips_W)
    with np.errstate(invalid="ignore"):
        is_visible = (tips[..., 2] > 0) & (origins[..., 2] > 0)
        along = tips[..., :2] - origins[..., :2]
        length = np.hypot(along[..., 0], along[..., 1])
        whole = lengths[:, None] * projection.focal_length_px / np.maximum(origins[..., 2], 1e-6)
        gap = GAP * projection.scale + TIP * np.maximum(whole - length, 0.0)
        # An axis seen end-on has no direction in the picture: its letter is placed up and to the right.
        blend = np.clip(1.0 - length / gap, 0.0, 1.0)[..., None]
        along = along / np.maximum(length, 1.0)[..., None] * (1 - blend) + np.array((0.7, 0.7)) * blend
    return tips[..., :2] + along * gap[..., None], is_visible

"""Notes: texts and formulas at positions in the picture, or beside the point that they describe.

A note beside a frame is pushed off occupied areas, as names are. It has a leader line to its point if that is far away.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewNote
from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.base.label_layout import keep_apart
from framescope.ui.scene_view.base.leader_lines import Leaders, limits_of
from framescope.ui.scene_view.base.pick_ray import PickHit, PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.note_pictures import note_picture
from framescope.ui.scene_view.geometry.sprites import SpriteBatch

Array = NDArray[np.float64]

BESIDE = (34.0, 30.0)
"""Offset from a point to the nearest corner of its note, to the right and up, logical pixels."""


class Notes(Visual):
    """Notes of a scene on their plates, with leader lines to their points."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self.notes: tuple[ViewNote, ...] = context.view_data.notes
        self._places = np.empty((0, 4))
        """Left, bottom, right and top of each note in the last picture, pixels; NaN if invisible."""
        if not self.notes:
            return
        sheet, theme, scale = context.sheet, context.theme, context.scale
        sprites = [sheet.add(note_picture(note.text, note.size, theme, scale)) for note in self.notes]
        self.batch = SpriteBatch(sheet, sprites)
        self.leaders = Leaders(context, len(sprites), theme.text)
        self.overlay_actors += [*self.leaders.actors, self.batch.actor]
        self._p_W = np.full((len(sprites), 3), np.nan)
        self._is_shown = np.zeros(len(sprites), dtype=bool)

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the notes."""
        return plan.view_data.notes

    def show(self, tick: Tick) -> None:
        """Update the positions of the described points, and whether each note is due."""
        snapshot = tick.snapshot
        for k, note in enumerate(self.notes):
            self._is_shown[k] = note.is_shown(float(snapshot.t))
            if note.i_frame is not None:
                self._p_W[k] = snapshot.p_WF[note.i_frame] + snapshot.R_WF[note.i_frame] @ np.array(note.r)
                self._is_shown[k] &= bool(snapshot.is_posed[note.i_frame])

    def occupy(self, projection: Projection) -> None:
        """Place the notes with a fixed position, and keep names and values off them."""
        if not self.notes:
            return
        size = np.array((projection.width, projection.height))
        self._centers, self._is_visible = np.zeros((len(self.notes), 2)), self._is_shown.copy()
        lowest, highest = limits_of(self.context, projection, self.batch.sizes)
        self._anchors = np.zeros((len(self.notes), 2))
        for k, note in enumerate(self.notes):
            if note.i_frame is not None:
                x, y, depth = projection.project(self._p_W[k])
                is_before = self._is_visible[k] and depth > 0.0
                self._anchors[k] = (x, y) if is_before else 0.0
                is_inside = bool(((self._anchors[k] >= 0.0) & (self._anchors[k] <= size)).all())
                self._is_visible[k] &= is_before and (is_inside or note.at is not None)
            if note.at is not None:
                at = size * (note.at[0], 1.0 - note.at[1])
                self._centers[k] = np.maximum(np.minimum(at, highest[k]), lowest[k])
            elif self._is_visible[k]:
                self._centers[k] = self._anchors[k] + self.context.px(1.0) * np.array(BESIDE) + self.batch.sizes[k] / 2
        has_position = np.array([note.at is not None for note in self.notes])
        self.context.occupied.add_boxes(self._centers, self.batch.sizes, self._is_visible & has_position)

    def place(self, projection: Projection) -> None:
        """Place the other notes beside their points, off occupied areas."""
        if not self.notes:
            return
        sizes, occupied = self.batch.sizes, self.context.occupied
        beside = np.flatnonzero([note.at is None for note in self.notes])
        centers, is_visible = self._centers[beside], self._is_visible[beside]
        limits = limits_of(self.context, projection, sizes[beside])
        keep_apart(centers, sizes[beside] + 4 * projection.scale, is_visible, occupied, limits, projection.scale)
        occupied.add_boxes(centers, sizes[beside], is_visible)
        self._centers[beside] = centers
        self.batch.move(self._centers - sizes / 2, self._is_visible)
        points_at = np.array([note.i_frame is not None for note in self.notes])
        self.leaders.place(self._anchors, self._centers, sizes, self._is_visible & points_at)
        self._places = np.hstack([self._centers - sizes / 2, self._centers + sizes / 2])
        self._places[~self._is_visible] = np.nan

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Yield the notes under a pixel; they cover everything else."""
        yield from ray.on_plates([("notes", note.name) for note in self.notes], self._places)

    def box_of(self, name: str) -> tuple[float, float, float, float] | None:
        """Return left, bottom, right and top of a note in the picture, device pixels; None if it is not visible."""
        k = next((k for k, note in enumerate(self.notes) if note.name == name), -1)
        if k < 0 or k >= len(self._places) or not np.isfinite(self._places[k]).all():
            return None
        left, bottom, right, top = self._places[k].tolist()
        return left, bottom, right, top

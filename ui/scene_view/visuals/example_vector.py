"""Example vector fixed to the staged frame: one arrow with two sets of coordinates."""

from __future__ import annotations

import numpy as np

from framescope.core.analysis.staged_rotation import EXAMPLE
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.arrow_bundle import ArrowBundle
from framescope.ui.scene_view.geometry.sprites import letter_ground
from framescope.ui.scene_view.visuals.arrow_labels import TipLetters, ends_of
from framescope.ui.scene_view.visuals.staged_rotation import lengths_of

RADIUS = 0.012
"""Radius of the shaft, relative to the triad's axis length."""


class ExampleVector(Visual):
    """An arrow v from the origin of the frame, as long as an axis of its triad."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        if context.staged_rotation is None:
            return
        self._row = context.plan.index[context.staged_frame]
        length, _, _ = lengths_of(context.plan, context.staged_frame)
        self._v_F = length * np.array(EXAMPLE)
        self.bundle = ArrowBundle([context.theme.text], RADIUS * length)
        self._letters = TipLetters(context, ["v"], context.theme.text, letter_ground(context.theme.scene_top))
        self.scene_actors += self.bundle.actors
        self.overlay_actors += self._letters.actors

    def show(self, tick: Tick) -> None:
        """Rotate the vector with its frame."""
        snapshot = tick.snapshot
        self.bundle.feet[0] = snapshot.p_WF[self._row]
        self.bundle.vectors[0] = snapshot.R_WF[self._row] @ self._v_F
        self.bundle.update()

    def occupy(self, projection: Projection) -> None:
        """Place the letter at the tip, and keep names and values off the arrow."""
        ends = ends_of(projection, [self.bundle])
        ends.take(self.context)
        self._letters.place(ends)

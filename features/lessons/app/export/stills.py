"""Pictures of the steps of a lesson, for paper; what was shown just before is not shown again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.evaluation.evaluate import Plan
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.paper import COLUMN, MM
from framescope.features.lessons.core.schema import Point, Turn
from framescope.ui.scene_view.base.visual import Decorations
from framescope.ui.theme.tokens import LIGHT

DPI = 200
ASPECT = 2.0
"""Width of a picture over its height."""

GUTTER = 4.0 * MM
"""Between two pictures side by side, units."""

TEXT, SMALL_TEXT = 1.7, 1.15
"""Pixels of a logical one, in a picture as wide as the column and in one of two: names have seven and five points."""

LOOK = Decorations(view_cube=False, tools=False, title=False, clock=False)
"""The scene alone on its grid; what time it is stands below."""

NOTICED, FEW = 24, 5e-4
"""A pixel looks another where a colour differs by more; two pictures look the same where fewer pixels do, parts."""


@dataclass(frozen=True, eq=False)
class Still:
    """A picture of a step, its width on paper, units, and its moment, s."""

    pixels: Pixels
    width: float
    t: float

    @property
    def height(self) -> float:
        """Its height on paper, units."""
        return self.width / ASPECT


class Stills:
    """Draws the steps of a lesson one after another, and knows what was drawn last."""

    def __init__(self) -> None:
        self._last: Pixels | None = None

    def of(self, step: DrawnStep) -> list[Still]:
        """Return the pictures of a step, which stand side by side: two where time runs, none where nothing is new.

        What comes after a question is not shown; where a hand is to draw, there is a picture in any case.
        """
        staging, plan = step.staging, step.unanswered()
        must, runs = isinstance(staging.question, Turn | Point), staging.question is None and step.end > staging.time
        begin, found = self._drawn(plan, staging.time, COLUMN), list[Still]()
        if must or self._last is None or not np.array_equal(begin, self._last):
            found.append(Still(begin, COLUMN, staging.time))
        self._last = begin
        if runs:
            self._last = end = self._drawn(plan, step.end, COLUMN)
            if not _are_alike(begin, end):
                found.append(Still(end, COLUMN, step.end))
        if len(found) < 2:
            return found
        half = (COLUMN - GUTTER) / 2.0
        return [Still(self._drawn(plan, still.t, half), half, still.t) for still in found]

    @staticmethod
    def _drawn(plan: Plan, t: float, width: float) -> Pixels:
        pixels = width / MM / 25.4 * DPI
        size = round(pixels), round(pixels / ASPECT)
        scale = TEXT if width == COLUMN else SMALL_TEXT
        return drawn_picture(plan, t, size, LIGHT, decorations=LOOK, scale=scale)


def _are_alike(one: Pixels, other: Pixels) -> bool:
    """Return whether two pictures of one size look the same, as at the ends of a whole turn."""
    off = np.abs(one.astype(np.int16) - other).max(axis=-1) > NOTICED
    return float(off.mean()) < FEW

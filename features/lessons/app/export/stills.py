"""Pictures of the steps of a lesson for the handout. A picture equal to the previous one is left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.scene_picture import drawn_picture
from framescope.core.evaluation.evaluate import Plan
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.paper import COLUMN, MM
from framescope.features.lessons.core.schema import PointQuestion, Turn
from framescope.ui.scene_view.base.visual import Decorations
from framescope.ui.theme.tokens import LIGHT

DPI = 200
"""Resolution of pictures, pixels per inch."""

ASPECT = 2.0
"""Width of a picture over its height."""

GUTTER = 4.0 * MM
"""Gap between two pictures side by side, units."""

TEXT, SMALL_TEXT = 1.7, 1.15
"""Device pixels per logical pixel in a picture of the full column and of half of it: names have 7 and 5 points."""

LOOK = Decorations(view_cube=False, tools=False, title=False, clock=False)
"""Decorations of pictures: only the scene on its grid. The time is below the picture."""

NOTICED, FEW = 24, 5e-4
"""Colour difference, of 255, above which a pixel differs, and fraction of such pixels at which pictures differ."""


@dataclass(frozen=True, eq=False)
class Still:
    """Picture of a step, its width on paper, units, and its time, s."""

    pixels: Pixels
    width: float
    t: float

    @property
    def height(self) -> float:
        """Height on paper, units."""
        return self.width / ASPECT


class Stills:
    """Renderer of the pictures of successive steps, which remembers the previous picture."""

    def __init__(self) -> None:
        self._last: Pixels | None = None

    def of(self, step: DrawnStep) -> list[Still]:
        """Return the pictures of a step: two side by side if time runs, none if the view is the same as before.

        The motion after a question is not shown. A question for an orientation or a direction always has a picture.
        """
        staging, plan = step.staging, step.unanswered_plan()
        must, runs = (
            isinstance(staging.question, Turn | PointQuestion),
            staging.question is None and step.end > staging.time,
        )
        begin, pictures = self._draw(plan, staging.time, COLUMN), list[Still]()
        if must or self._last is None or not np.array_equal(begin, self._last):
            pictures.append(Still(begin, COLUMN, staging.time))
        self._last = begin
        if runs:
            self._last = end = self._draw(plan, step.end, COLUMN)
            if not _are_alike(begin, end):
                pictures.append(Still(end, COLUMN, step.end))
        if len(pictures) < 2:
            return pictures
        half = (COLUMN - GUTTER) / 2.0
        return [Still(self._draw(plan, still.t, half), half, still.t) for still in pictures]

    @staticmethod
    def _draw(plan: Plan, t: float, width: float) -> Pixels:
        pixels = width / MM / 25.4 * DPI
        size = round(pixels), round(pixels / ASPECT)
        scale = TEXT if width == COLUMN else SMALL_TEXT
        return drawn_picture(plan, t, size, LIGHT, decorations=LOOK, scale=scale)


def _are_alike(first: Pixels, second: Pixels) -> bool:
    """Return whether two pictures of one size look the same, as at the ends of a whole turn."""
    differs = np.abs(first.astype(np.int16) - second).max(axis=-1) > NOTICED
    return float(differs.mean()) < FEW

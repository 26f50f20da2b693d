"""Look of a scene: everything besides the scene for which its visuals are made anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.scene_options import SceneOptions
from framescope.ui.scene_view.base.visual import Decorations, ViewContext
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.theme.tokens import Theme
from framescope.ui.widgets.angle_unit import DEG, AngleUnit


class LookParts(TypedDict, total=False):
    """Parts of a look that can change on their own."""

    theme: Theme
    scale: float
    has_gpu: bool
    angles: AngleUnit
    is_lecture: bool
    is_tight: bool
    magnification: float


@dataclass(frozen=True)
class Look:
    """Colours, sizes, units, and what lies over a scene; see `ViewContext` for most of it.

    Attributes
    ----------
    is_lecture
        Title and clock are to be read from the last row.
    is_tight
        The picture is too small for title and clock.
    magnification
        How much larger than usual all is that has its size in pixels, for a presentation.
    """

    theme: Theme
    scale: float
    decorations: Decorations
    has_gpu: bool = False
    angles: AngleUnit = DEG
    is_lecture: bool = False
    is_tight: bool = False
    magnification: float = 1.0

    @property
    def pixels(self) -> float:
        """Device pixels for what is a logical pixel usually."""
        return self.scale * self.magnification

    def context(
        self, plan: Plan, sheet: SpriteSheet, occupied: OccupiedAreas, options: SceneOptions, span: tuple[float, float]
    ) -> ViewContext:
        """Return what the visuals of a plan are made from, in a part `span` of the window's width."""
        given, has_corners, is_right = self.decorations, not self.is_tight, span[1] == 1.0
        context = ViewContext(
            plan,
            self.theme,
            self.pixels,
            sheet,
            magnification=self.magnification,
            has_gpu=self.has_gpu,
            occupied=occupied,
            angles=self.angles,
            options=options,
        )
        decorations = replace(
            given,
            lecture=has_corners and (self.is_lecture or context.staged_rotation is not None),
            title=given.title and has_corners,
            clock=given.clock and has_corners and is_right,
            tools=given.tools and has_corners and is_right,
        )
        return replace(context, decorations=decorations)

"""Look of a scene: all settings, besides the scene, that require its visuals to be rebuilt."""

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
    """Parts of a look that can change independently."""

    theme: Theme
    scale: float
    has_gpu: bool
    angles: AngleUnit
    is_tight: bool
    magnification: float
    is_live: bool


@dataclass(frozen=True)
class Look:
    """Colours, sizes, units and decorations of a scene view; see `ViewContext` for most of it.

    Attributes
    ----------
    is_tight
        The picture is too small for title and clock.
    magnification
        Factor on all sizes given in pixels, for presentations.
    is_live
        Names keep their sides from one picture to the next, as in a window; see `frame_names`.
    """

    theme: Theme
    scale: float
    decorations: Decorations
    has_gpu: bool = False
    angles: AngleUnit = DEG
    is_tight: bool = False
    magnification: float = 1.0
    is_live: bool = False

    @property
    def pixels(self) -> float:
        """Device pixels per logical pixel, magnification included."""
        return self.scale * self.magnification

    def context(
        self, plan: Plan, sheet: SpriteSheet, occupied: OccupiedAreas, options: SceneOptions, *, has_clock: bool
    ) -> ViewContext:
        """Return the context for the visuals of a plan; `has_clock` if the picture includes the clock and the tools."""
        has_corners = not self.is_tight
        decorations = replace(
            self.decorations,
            title=self.decorations.title and has_corners,
            clock=self.decorations.clock and has_corners and has_clock,
            tools=self.decorations.tools and has_corners and has_clock,
        )
        return ViewContext(
            plan,
            self.theme,
            self.pixels,
            sheet,
            decorations,
            magnification=self.magnification,
            is_live=self.is_live,
            has_gpu=self.has_gpu,
            occupied=occupied,
            angles=self.angles,
            options=options,
        )

"""Active and passive view of one rotation: the frame turns in its parent, or the parent turns back about the frame.

The two differ only in the camera. Side by side, a second renderer in the same window shows the scene of the first at
the same moment and in the same colours.
"""

from __future__ import annotations

from typing import Literal

from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.ui.scene_view.base.layers import Viewport
from framescope.ui.scene_view.base.pick_ray import PickHit
from framescope.ui.scene_view.base.visual import Decorations
from framescope.ui.scene_view.scene_renderer import Rect, SceneRenderer
from framescope.ui.theme import current_theme

ActivePassive = Literal["active", "passive", "both"]

LEFT, RIGHT = Viewport(right=0.5), Viewport(left=0.5)

RIGHT_HALF = Decorations(view_cube=False, ground=False, title=False)


class ActivePassiveView:
    """Active or passive view of a window; a second renderer exists only while both are shown."""

    def __init__(self, renderer: SceneRenderer, window: vtkRenderWindow) -> None:
        self.active_passive: ActivePassive = "active"
        self.second: SceneRenderer | None = None
        self._first, self._window = renderer, window

    def set_active_passive(self, active_passive: ActivePassive) -> None:
        """Show one reading, or both side by side: active on the left, passive on the right."""
        self.active_passive = active_passive
        self._first.set_passive(active_passive == "passive")
        if active_passive != "both":
            self.close()
        elif self.second is None:
            self.second = SceneRenderer(current_theme.current(), decorations=RIGHT_HALF)
            self.second.set_passive(True)
            self.second.layers.attach_beside(self._window)
            self._first.set_viewport(LEFT)
            self.second.set_viewport(RIGHT)

    def prepare(self) -> None:
        """Update both renderers before a render."""
        self.prepare_scene()
        self.prepare_overlay()

    def prepare_scene(self) -> None:
        """Update the scenes of both renderers, before they are drawn."""
        self._first.prepare_scene()
        if self.second is not None:
            self.second.match(self._first)
            self.second.prepare_scene()

    def prepare_overlay(self) -> None:
        """Update the overlays of both renderers, before they are drawn."""
        self._first.prepare_overlay()
        if self.second is not None:
            self.second.prepare_overlay()

    def reserve_areas(self, first: tuple[Rect, ...], second: tuple[Rect, ...]) -> None:
        """Set the areas covered by widgets in each half, logical pixels from the upper left corner of that half."""
        self._first.reserve_areas(first)
        if self.second is not None:
            self.second.reserve_areas(second)

    def close(self) -> None:
        """Close the second half."""
        if self.second is not None:
            self.second.detach()
            self.second = None
            self._first.set_viewport(Viewport())

    def hits(self, x: float, y: float) -> list[PickHit]:
        """Return the items under a device pixel of the window, counted from the lower left, the best first."""
        half = self._window.GetSize()[0] / 2
        if self.second is not None and x >= half:
            return self.second.hits(x - half, y)
        return self._first.hits(x, y)

    def within(self, x: float, y: float) -> tuple[float, float]:
        """Convert a device pixel of the window to a pixel of the half that contains it."""
        half = self._window.GetSize()[0] / 2
        return (x - half, y) if self.second is not None and x >= half else (x, y)

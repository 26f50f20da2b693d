"""Measuring tool: the pose of one frame relative to another, on a card."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from framescope.ui.scene_view.interaction.tooltip_card import PointerCard
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.measure_line import MEASURED, measure_rows


class MeasuringTool(QObject):
    """Measures one frame relative to another. While it is on, a click on another frame measures that frame."""

    def __init__(self, view: QWidget, above: QWidget, renderer: SceneRenderer) -> None:
        super().__init__(view)
        self.card = PointerCard(view)
        self.is_on = False
        self.frames: tuple[str, str] | None = None
        self._view, self._above, self._renderer = view, above, renderer

    def set_on(self, is_on: bool) -> None:
        """Turn the tool on, to wait for a frame, or off."""
        self.is_on = is_on
        if not is_on:
            self._set_frames(None)

    def measure(self, relative_to: str, of: str) -> None:
        """Measure one frame relative to another."""
        self.is_on = True
        self._set_frames((relative_to, of) if relative_to != of else None)

    def follow(self) -> None:
        """Update the numbers and the position of the card."""
        tick, frames = self._renderer.tick, self.frames
        if tick is None or frames is None:
            return
        if any(name not in tick.plan.index for name in frames):
            self.card.hide()
            return
        relative_to, of = frames
        rows = measure_rows(tick.known, of, relative_to, self._renderer.angle_unit)
        self.card.show_message(of, f"relative to {relative_to}", rows)
        self.card.show_below(self._above)

    def _set_frames(self, frames: tuple[str, str] | None) -> None:
        self.frames = frames
        self._renderer.set_option(MEASURED, frames)
        if frames is None:
            self.card.hide()
        self.follow()
        self._view.update()

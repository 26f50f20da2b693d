"""Shift of a velocity as an inset of films."""

from __future__ import annotations

from framescope.app.exporters.rendering.panel_pictures import FilmPanel
from framescope.core.evaluation.evaluate import Plan
from framescope.features.shift.ui.shift_panel import ShiftPanel


def shift(plan: Plan, frame: str) -> FilmPanel:
    """Return the terms of the velocity of a point of a frame's body."""
    panel = ShiftPanel()
    panel.set_plan(plan)
    panel.set_item(("frames", frame))
    for button in panel.header_widgets():
        button.setParent(panel)
    controls = (panel.frames, panel.quantity, panel.form, panel.keep)
    return FilmPanel(panel, panel.show_snapshot, controls, panel.set_angle_unit)

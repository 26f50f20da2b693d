"""Dock of the quaternion panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framescope.features.laboratory.app.laboratory_controller import PreviewController
from framescope.features.quaternions.ui.quaternion_panel import QuaternionPanel

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


def fill_quaternion(wiring: Wiring) -> None:
    """Fill the dock of the quaternion panel."""
    panel = QuaternionPanel(wiring.window.ground("quaternion"))
    wiring.window.fill_dock("quaternion", panel)
    wiring.instruments.follow_unit(panel.set_angle_unit)
    wiring.instruments.follow_quaternion_order(panel.set_quaternion_order)
    wiring.instruments.add_preview(panel.stop_preview)
    PreviewController(wiring.session, panel, panel)

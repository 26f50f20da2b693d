"""Dock of the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framescope.features.evidence.app.evidence_controller import EvidenceController
from framescope.features.evidence.ui.evidence_panel import EvidencePanel

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


def fill_evidence(wiring: Wiring) -> None:
    """Fill the dock of the evidence."""
    panel = EvidencePanel(wiring.window.ground("evidence"))
    wiring.window.fill_dock("evidence", panel)
    controller = wiring.window.findChild(EvidenceController)
    if controller is not None:
        controller.fill(panel)

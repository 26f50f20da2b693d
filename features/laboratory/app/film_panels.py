"""Laboratories as insets of films."""

from __future__ import annotations

from framescope.app.exporters.rendering.panel_pictures import FilmPanel
from framescope.core.evaluation.evaluate import Plan
from framescope.features.laboratory.core.convergence_order import study_order
from framescope.features.laboratory.core.drift import run_drift
from framescope.features.laboratory.core.rate_presets import LaboratoryError, make_rate
from framescope.features.laboratory.ui import DriftPanel, GimbalPanel
from framescope.features.laboratory.ui.drift_choices import OF_FRAME
from framescope.features.laboratory.ui.gimbal_panel import OWN
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts

DRIFT_HEIGHT = 450
"""Height of the three plots of the drift laboratory, logical pixels."""


def gimbal(plan: Plan, frame: str) -> FilmPanel:
    """Return the gimbal laboratory on the motion of a frame in its parent: rings, angles and their rates."""
    panel = GimbalPanel()
    panel.set_plan(plan)
    panel.set_frame(frame)
    panel.kind.set_choice(OWN)
    panel.kind.chosen.emit(OWN)
    controls = (panel.sequence, panel.kind, panel.preview_button, panel.branch)
    return FilmPanel(panel, panel.show_snapshot, controls, panel.set_angle_unit)


def drift(plan: Plan, frame: str) -> FilmPanel:
    """Return the plots of the drift laboratory for the angular velocity of a frame, integrated as it does at first."""
    panel = DriftPanel()
    panel.set_plan(plan)
    panel.choices.rate.setCurrentText(OF_FRAME)
    panel.set_frame(frame)
    request = panel.request
    try:
        rate = make_rate(request.choice, plan)
        run = run_drift(rate, request.settings)
        if run is not None:
            panel.show_run(request, run, study_order(rate, request.settings))
    except LaboratoryError as error:
        panel.show_refusal(request, error.message, error.hint)
    widget = layouts.panel()
    parts = panel.refusal, (panel.error, 1), (panel.residue, 1), (panel.orders, 1)
    layouts.column(*parts, on=widget, margins=METRICS.gap, spacing=METRICS.gap)
    for button in panel.header_widgets():
        button.setParent(panel)
    panel.setParent(widget)  # it lives, unseen, as long as its plots
    panel.hide()
    return FilmPanel(widget, panel.show_snapshot, set_angle_unit=panel.set_angle_unit, height=DRIFT_HEIGHT)

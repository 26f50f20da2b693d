"""Views of a quaternion as insets of films."""

from __future__ import annotations

from functools import partial

from framescope.app.exporters.rendering.panel_pictures import FilmPanel
from framescope.core.evaluation.evaluate import Plan
from framescope.features.quaternions.ui.quaternion_panel import BALL, COVER, SANDWICH, QuaternionPanel


def _view(choice: str, plan: Plan, frame: str) -> FilmPanel:
    panel = QuaternionPanel()
    panel.set_plan(plan)
    panel.set_frame(frame)
    panel.show_alone(choice)
    return FilmPanel(panel, panel.show_snapshot, set_angle_unit=panel.set_angle_unit)


circle = partial(_view, COVER)
"""Return the circle of q and −q, with the half angle and the belt."""

ball = partial(_view, BALL)
"""Return the ball of attitudes, with the path of the frame."""

sandwich = partial(_view, SANDWICH)
"""Return the product q v q* as two half turns."""

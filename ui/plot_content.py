"""What a plot of the scene shows: its curves, and everything a number needs said beside them."""

from __future__ import annotations

import numpy as np

from framescope.core.arrays import Array
from framescope.core.curves import RESIDUE_NAMES, plot_curves
from framescope.core.evaluate import Plan
from framescope.core.scene.poses import Integrated
from framescope.core.staging import StagedPlot
from framescope.ui.panels.wording import integration_text
from framescope.ui.plots.curves import Curves, CurveStyle, xyz_styles

COARSE, FINE = 240, 1500
"""Samples of a curve while a gesture goes on, and at rest."""

UNIT_TEXT = {"deg/s": "°/s", "deg/s²": "°/s²", "deg/s2": "°/s²", "rad/s2": "rad/s²", "m/s2": "m/s²", "mm/s2": "mm/s²"}
SYMBOLS = {"position": "r", "velocity": "v", "acceleration": "a", "angular velocity": "ω", "angular acceleration": "α"}

RESIDUE_STYLES = tuple(
    CurveStyle(name, f"axis_{axis}", is_dashed=i >= 3)
    for i, (name, axis) in enumerate(zip(RESIDUE_NAMES, "xyzxyz", strict=True))
)


def plot_contents(plan: Plan, n_samples: int) -> list[Curves]:
    """Return the curves of every plot of a scene over its whole time range."""
    times = np.linspace(plan.start, plan.end, n_samples)
    return [_content(plan, plot, times) for plot in plan.staging.plots]


def _content(plan: Plan, plot: StagedPlot, times: Array) -> Curves:
    # An expression may be undefined somewhere: a gap in the curve says so.
    values = plot_curves(plan, plot, times).T
    values = np.where(np.isfinite(values), values, np.nan)
    if plot.signal == "residues":
        subtitle = f"{plot.of} in {plot.relative_to}"
        orientation = plan.scene.frames[plot.of].orientation
        if isinstance(orientation, Integrated):
            subtitle += f" · {integration_text(orientation)}"
        return Curves(times, values, RESIDUE_STYLES, "Six residues", subtitle, decimals=1)
    subtitle = f"{plot.of} relative to {plot.relative_to}, resolved in {plot.resolved_in}"
    unit = UNIT_TEXT.get(plot.unit, plot.unit)
    decimals = 2 if plot.unit == "deg/s" else None
    title = plot.signal.capitalize()
    return Curves(times, values, xyz_styles(SYMBOLS[plot.signal]), title, subtitle, unit, decimals)

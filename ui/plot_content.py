"""What a plot of the scene shows: its curves, and everything a number needs said beside them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.arrays import Array
from framescope.core.compiling.plotted import StagedPlot
from framescope.core.curves import RESIDUE_NAMES, labels, plot_curves
from framescope.core.evaluate import Plan
from framescope.core.scene.measured import MeasuredVector
from framescope.core.scene.poses import Integrated
from framescope.ui.panels.wording import angle_letters, element_text, integration_text, unit_text
from framescope.ui.plots.curves import Curves, CurveStyle, xyz_styles
from framescope.ui.sensed import sensor_parts

COARSE, FINE = 240, 1500
"""Samples of a curve while a gesture goes on, and at rest."""

SYMBOLS = {
    "position": "r",
    "velocity": "v",
    "acceleration": "a",
    "angular velocity": "ω",
    "angular acceleration": "α",
    "port force": "F",
    "port velocity": "v",
    "port displacement": "x",
    "element force": "F",
    "constraint error": "Δ",
}

RESIDUE_STYLES = tuple(
    CurveStyle(name, f"axis_{axis}", is_dashed=i >= 3)
    for i, (name, axis) in enumerate(zip(RESIDUE_NAMES, "xyzxyz", strict=True))
)
QUATERNION_STYLES = (*xyz_styles(), CurveStyle("w", "text"))
ENERGIES = ("kinetic", "potential", "work", "dissipated", "residual")
ENERGY_COLORS = ("frame_a", "good", "force", "omega", "text")
"""None of them has an axis, and none has the colour of one."""

PORT_TEXTS = {
    "port force": "on {body}, along the axes of world",
    "port velocity": "relative to world, along its axes",
    "port displacement": "from rest, along the axes of world",
}


def plot_contents(plan: Plan, n_samples: int) -> list[Curves]:
    """Return the curves of every plot of a scene over its whole time range.

    A sensor that measures several quantities has a plot for each, as they have no unit in common.
    """
    times = np.linspace(plan.start, plan.end, n_samples)
    return [curves for plot in plan.staging.plots for curves in _contents(plan, plot, times)]


def _contents(plan: Plan, plot: StagedPlot, times: Array) -> Iterator[Curves]:
    # An expression may be undefined somewhere: a gap in the curve says so.
    values = plot_curves(plan, plot, times).T
    values = np.where(np.isfinite(values), values, np.nan)
    if plot.signal == "sensor":
        yield from _sensor(plan, plot, times, values)
        return
    unit = unit_text(plot.unit)
    title = plot.signal.capitalize()
    decimals = 2 if plot.unit == "deg/s" else None
    match plot.signal:
        case "residues":
            yield Curves(times, values, RESIDUE_STYLES, "Six residues", _residues_text(plan, plot), decimals=1)
        case "angles":
            subtitle = f"{plot.of} relative to {plot.relative_to}, {plot.sequence} about moving axes"
            yield Curves(times, values, _angle_styles(plot.sequence), title, subtitle, unit)
        case "quaternion":
            subtitle = f"{plot.relative_to} into {plot.of}, scalar last"
            yield Curves(times, values, QUATERNION_STYLES, title, subtitle, decimals=4)
        case "energy":
            styles = tuple(map(CurveStyle, ENERGIES, ENERGY_COLORS))
            subtitle = "all simulated bodies; work is that of sources since the start"
            yield Curves(times, values, styles, title, subtitle, unit)
        case "measured":
            yield _measured(plan, plot, times, values)
        case "port force" | "port velocity" | "port displacement":
            said = PORT_TEXTS[plot.signal].format(body=plan.scene.points[plot.of].body)
            yield Curves(times, values, _directed(plan, plot), title, f"{plot.of} {said}", unit)
        case "element force":
            subtitle = f"{plot.of} {element_text(plan.scene.elements[plot.of])}, along the axes of world"
            yield Curves(times, values, _directed(plan, plot), title, subtitle, unit)
        case "constraint error":
            subtitle = f"{plot.of}, how far it is missed, along the axes of world"
            yield Curves(times, values, _directed(plan, plot), title, subtitle, unit)
        case _:
            subtitle = f"{plot.of} relative to {plot.relative_to}, resolved in {plot.resolved_in}"
            yield Curves(times, values, xyz_styles(SYMBOLS[plot.signal]), title, subtitle, unit, decimals)


def _residues_text(plan: Plan, plot: StagedPlot) -> str:
    orientation = plan.scene.frames[plot.of].orientation
    how = f" · {integration_text(orientation)}" if isinstance(orientation, Integrated) else ""
    return f"{plot.of} in {plot.relative_to}{how}"


def _directed(plan: Plan, plot: StagedPlot) -> tuple[CurveStyle, ...]:
    """Return the styles of values along the axes that a point passes on."""
    return tuple(CurveStyle(SYMBOLS[plot.signal] + axis, f"axis_{axis}") for axis in labels(plan, plot))


def _angle_styles(sequence: str) -> tuple[CurveStyle, ...]:
    """Return the styles of three angles, each in the colour of its axis; the second about an axis is dashed."""
    letters = sequence.lower()
    return tuple(
        CurveStyle(name, f"axis_{axis}", is_dashed=axis in letters[:i])
        for i, (name, axis) in enumerate(zip(angle_letters(sequence), letters, strict=True))
    )


def _measured(plan: Plan, plot: StagedPlot, times: Array, values: Array) -> Curves:
    """Return a claim, dashed, beside what the tree says."""
    claim = plan.scene.measured[plot.of]
    if isinstance(claim, MeasuredVector):
        title, symbol, unit = f"Claimed {claim.form}", SYMBOLS[claim.form], unit_text(claim.unit or "")
        where = f"resolved in {claim.resolved_in}"
    else:
        title, symbol, unit, where = "Claimed position", "r", "m", f"resolved in {claim.relative_to}"
    subtitle = f"{plot.of}: {claim.of} relative to {claim.relative_to}, {where}"
    claimed = tuple(CurveStyle(f"{symbol}{axis} claimed", f"axis_{axis}", is_dashed=True) for axis in "xyz")
    return Curves(times, values, (*claimed, *xyz_styles(symbol)), title, subtitle, unit)


def _sensor(plan: Plan, plot: StagedPlot, times: Array, values: Array) -> Iterator[Curves]:
    staged = plan.instruments.sensors.get(plot.of)
    if staged is None:  # the problems list says why
        yield Curves(times, np.full((1, len(times)), np.nan), (CurveStyle("no value", "quiet"),), "Sensor", plot.of)
        return
    for part in sensor_parts(staged):
        styles = _angle_styles(part.sequence) if part.sequence else xyz_styles(part.symbol)
        decimals = 2 if part.unit.startswith("°/s") else None
        subtitle = f"{plot.of}: {part.text}"
        yield Curves(times, part.in_unit(values[part.place]), styles, part.title, subtitle, part.unit, decimals)

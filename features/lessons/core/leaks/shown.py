"""Numbers that a step shows: in the picture, on cards, in plots and in panels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import SENSED, components_of
from framescope.features.lessons.core.leaks.subject import Subject
from framescope.features.lessons.core.staging import ANSWER

UNDRAWN = math.radians(0.05)
"""Angle below which an arc has no label, rad."""


PANEL_SIGNALS: dict[str, tuple[str, ...]] = {
    "readouts": ("angles", "principal angles", "branch 2 angles", "angular velocity"),
    "inspector": ("position", "angles", "principal angles", "branch 2 angles", "quaternion", "rotation angle"),
    "relation": ("position", "angles", "principal angles", "branch 2 angles", "quaternion", "rotation angle"),
    "quaternion": ("quaternion", "rotation angle"),
}
"""Signals of the selected frame in its parent that a panel shows as numbers, all but the position in its own axes."""

READOUTS_IN_WORLD = ("position", "velocity", "angular velocity")
"""Signals of the selected frame relative to the world that the read-outs show, too."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Numbers that the picture or a plot shows: SI values at the subject's times, and their dimension."""

    where: str
    fix: str
    dimension: str
    values: Array


def shown_numbers(subject: Subject, times: Array) -> Iterator[Shown]:
    """Yield the numbers in the picture and in plots, over times (n,)."""
    plan = subject.plan
    snapshot = evaluate(plan, times)
    for arcs in plan.view_data.arcs:
        name = plan.names[arcs.i_frame]
        angles = plan.turn_angles(name, arcs.sequence, snapshot)[0]
        for k in range(3):
            drawn = np.where(np.abs(angles[:, k]) < UNDRAWN, np.nan, angles[:, k])
            yield Shown(f'the arcs of "{name}"', "Add arcs to hide: in this step.", "angle", drawn)
    for name, arrows in snapshot.arrows.items():
        for key, arrow in arrows.items():
            kind = SENSED.get(key)
            dimension = "" if kind is None else signal_named(kind).dimension or ""
            size = np.linalg.norm(arrow.vector_W, axis=-1)
            fix = f"Add {name} to hide: in this step."
            yield Shown(f'the label of the arrow of "{name}"', fix, dimension or "acceleration", size)
    for where, fix, signal in shown_signals(plan):
        for dimension, values in curves_of(signal, plan, times):
            yield Shown(where, fix, dimension, values)
    yield from _staged_numbers(subject, times)
    for where, fix, signal in panel_signals(subject):
        for dimension, values in curves_of(signal, plan, times):
            yield Shown(where, fix, dimension, values)
    yield from _force_labels(plan, times)


def panel_signals(subject: Subject) -> Iterator[tuple[str, str, CompiledPlot]]:
    """Yield the signals in the panel of a step: its place, the way to leave it out, and the signal."""
    staging, moment = subject.staging, subject.staging.step.moment
    frame = subject.plan.scene.frames.get(staging.select)
    if moment.stage == "scene" or frame is None or staging.select == ANSWER:
        return
    sequence = subject.plan.sequence(staging.select) or "ZYX"
    fix = "Leave panel: out of this step."
    name, parent = staging.select, frame.parent
    shown = [(kind, parent, parent if kind == "position" else name) for kind in PANEL_SIGNALS.get(moment.panel, ())]
    shown += [(kind, WORLD, WORLD) for kind in READOUTS_IN_WORLD if moment.panel == "readouts"]
    for kind, reference, axes in shown:
        units = UNITS.get(signal_named(kind).dimension or "", {})
        unit = next((unit for unit, size in units.items() if size == 1.0), "")
        signal = CompiledPlot(kind, name, reference, axes, unit, 1.0, sequence)
        yield f'the panel "{moment.panel}"', fix, signal


def _staged_numbers(subject: Subject, times: Array) -> Iterator[Shown]:
    """Yield the angles at the arcs of a rotation that the step shows turn by turn."""
    staged, plan = subject.staging.staged, subject.plan
    sequence = None if staged is None else plan.sequence(staged.frame)
    if staged is None or sequence is None:
        return
    angles = plan.turn_angles(staged.frame, sequence, evaluate(plan, times))[0]
    where, fix = f'the rotation of "{staged.frame}", turn by turn,', "Leave staged: out of this step."
    for k in range(3):
        drawn = np.where(np.abs(angles[:, k]) < UNDRAWN, np.nan, angles[:, k])
        yield Shown(where, fix, "angle", drawn)


def _force_labels(plan: Plan, times: Array) -> Iterator[Shown]:
    """Yield the numbers at the arrows of forces."""
    simulation = plan.instruments.simulation
    if plan.view_data.forces is None or simulation is None:
        return
    for name, force in simulation.port_forces(times).items():
        size = np.linalg.norm(force.reshape(len(times), -1), axis=-1)
        yield Shown(f'the label of the force at "{name}"', "Add forces to hide: in this step.", "force", size)


def shown_signals(plan: Plan) -> Iterator[tuple[str, str, CompiledPlot]]:
    """Yield the signals on cards and in plots: their place, the way to leave them out, and the signal."""
    for i, answer in enumerate(plan.view_data.answers):
        where = f"card {i + 1}, {answer.signal.signal} of {answer.signal.of}"
        yield where, "Add cards to hide: in this step.", answer.signal
    for plot in plan.view_data.plots:
        title = plot.title or plot.signal.capitalize()
        for signal in plot.signals:
            yield f'the plot "{title}"', f"Leave {title} out of plots: in this step.", signal


def curves_of(signal: CompiledPlot, plan: Plan, times: Array) -> Iterator[tuple[str, Array]]:
    """Yield the dimension and the SI values of each curve of a signal, with the magnitude that a legend may show."""
    columns = signal.components or components_of(signal, plan.scene).every
    values = plot_curves(plan, replace(signal, components=columns), times) * signal.factor
    dimension = signal_named(signal.signal).dimension or ""
    for name, curve in zip(columns, values.T, strict=True):
        letter = name.removeprefix("norm ").partition("_")[0]
        sensed = SENSED.get(letter) if signal.signal == "sensor" else None
        yield (dimension if sensed is None else signal_named(sensed).dimension or ""), curve

"""Bounds on the rounding errors of signals: smaller values are indistinguishable from zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import frames_at, frames_of
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import SENSED
from framescope.core.sensors.absolute import STANDARD_GRAVITY_W
from framescope.core.snapshot import Snapshot
from framescope.core.system.features import load_entry

ROUNDING = 1e-13
"""Rounding error relative to the quantities from which a signal is computed: some hundred steps of a double."""

SAMPLES = 61
"""Number of times at which the size of these quantities is sampled, if no snapshot is given."""


SizeOf = Callable[[str], float]
"""Function that takes the name of an array of a snapshot and returns the largest length of its vectors."""


def unit_size(_of: SizeOf) -> float:
    """Return the size of the terms of angles and of quaternions, which have no length scale."""
    return 1.0


def position_size(of: SizeOf) -> float:
    """Return the size of the terms of a position, m."""
    return of("p_WF")


def velocity_size(of: SizeOf) -> float:
    """Return the size of the terms of a velocity, m/s."""
    return max(of("v_WF"), of("w_WF_F") * of("p_WF"))


def acceleration_size(of: SizeOf) -> float:
    """Return the size of the terms of an acceleration, m/s²."""
    return max(of("a_WF"), of("b_WF_F") * of("p_WF"), of("w_WF_F") ** 2 * of("p_WF"), of("w_WF_F") * of("v_WF"))


def specific_force_size(of: SizeOf) -> float:
    """Return the size of the terms of a specific force, m/s²: of the acceleration and of gravity."""
    return max(acceleration_size(of), -STANDARD_GRAVITY_W[2])


def angular_velocity_size(of: SizeOf) -> float:
    """Return the size of the terms of an angular velocity, rad/s."""
    return of("w_WF_F")


def angular_acceleration_size(of: SizeOf) -> float:
    """Return the size of the terms of an angular acceleration, rad/s²."""
    return max(of("b_WF_F"), of("w_WF_F") ** 2)


def rounding_of(plan: Plan, signal: CompiledPlot, snapshot: Snapshot | None = None) -> float:
    """Return the magnitude below which a signal is rounding error, in its unit; 0 if there is no bound.

    A `snapshot` of its frames over the time range of the scene avoids evaluating them again.
    """
    names = frames_of(plan, signal)
    kind = signal_named(signal.signal)
    if not kind.rounding or not names:
        return 0.0
    return ROUNDING * load_entry(kind.rounding)(_sizes(plan, names, snapshot)) / signal.factor


def rounding_of_sensor(plan: Plan, name: str) -> Mapping[str, float]:
    """Return the magnitude below which each quantity of a sensor is rounding error, by letter, in SI units."""
    sizes = _sizes(plan, plan.instruments.sensors[name].frames, None)
    entries = {letter: signal_named(quantity).rounding for letter, quantity in SENSED.items()}
    return {letter: ROUNDING * load_entry(entry)(sizes) for letter, entry in entries.items()}


def _sizes(plan: Plan, names: set[str], snapshot: Snapshot | None) -> SizeOf:
    """Return the sizes of the motion of frames and all their ancestors: a difference is as exact as its terms."""
    if snapshot is None:
        snapshot = frames_at(plan, names, np.linspace(plan.start, plan.end, SAMPLES))
    rows = [snapshot.index[name] for name in _carriers(plan, names) if name in snapshot.index]
    return lambda array: _largest(getattr(snapshot, array)[:, rows])


def _carriers(plan: Plan, names: set[str]) -> set[str]:
    """Return frames and all their ancestors."""
    carriers: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        if name in plan.scene.frames and name not in carriers:
            carriers.add(name)
            waiting.add(plan.scene.frames[name].parent)
    return carriers


def _largest(vectors: Array) -> float:
    lengths = np.linalg.norm(vectors, axis=-1)
    return float(lengths[np.isfinite(lengths)].max(initial=0.0))

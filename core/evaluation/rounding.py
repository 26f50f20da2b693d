"""Bounds on the rounding errors of signals: smaller values are indistinguishable from zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import frames_at, frames_of
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.signals import SENSED
from framescope.core.snapshot import Snapshot

ROUNDING = 1e-13
"""Rounding error relative to the quantities from which a signal is computed: some hundred steps of a double."""

SAMPLES = 61
"""Number of times at which the size of these quantities is sampled, if no snapshot is given."""


SizeOf = Callable[[str], float]
"""Returns the largest length of the vectors in an array of a snapshot, by its name."""

_FLOORS: Mapping[str, Callable[[SizeOf], float]] = {
    "position": lambda of: of("p_WF"),
    "velocity": lambda of: max(of("v_WF"), of("w_WF_F") * of("p_WF")),
    "acceleration": lambda of: max(
        of("a_WF"), of("b_WF_F") * of("p_WF"), of("w_WF_F") ** 2 * of("p_WF"), of("w_WF_F") * of("v_WF")
    ),
    "angular velocity": lambda of: of("w_WF_F"),
    "angular acceleration": lambda of: max(of("b_WF_F"), of("w_WF_F") ** 2),
    "angle rates": lambda of: of("w_WF_F"),
    "angles": lambda _of: 1.0,
    "quaternion": lambda _of: 1.0,
    "singularity": lambda _of: 1.0,
}
"""Size of the terms of a signal; residues, errors and sums of a simulation are missing, being small by design."""


def rounding_of(plan: Plan, signal: CompiledPlot, snapshot: Snapshot | None = None) -> float:
    """Return the magnitude below which a signal is rounding error, in its unit; 0 if there is no bound.

    A `snapshot` of its frames over the time range of the scene avoids evaluating them again.
    """
    names = frames_of(plan, signal)
    if signal.signal not in _FLOORS or not names:
        return 0.0
    return ROUNDING * _FLOORS[signal.signal](_sizes(plan, names, snapshot)) / signal.factor


def rounding_of_sensor(plan: Plan, name: str) -> Mapping[str, float]:
    """Return the magnitude below which each quantity of a sensor is rounding error, by letter, in SI units."""
    sizes = _sizes(plan, plan.instruments.sensors[name].frames, None)
    return {letter: ROUNDING * _FLOORS[quantity](sizes) for letter, quantity in SENSED.items()}


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

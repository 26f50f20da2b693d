"""Bounds on the rounding of signals: what lies below is zero for all that the arithmetic can tell."""

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
"""Part of the quantities that a signal is computed from: some hundred steps of a double."""

SAMPLES = 61
"""Times at which it is looked how large they are, where no more are evaluated anyway."""


SizeOf = Callable[[str], float]
"""Takes the name of an array of a snapshot and gives the largest length of its vectors."""

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
"""What the terms of a signal are as large as; residues, errors and sums of a simulation are small on purpose."""


def rounding_of(plan: Plan, signal: CompiledPlot, snapshot: Snapshot | None = None) -> float:
    """Return up to which distance from zero a signal is zero but for rounding, in its unit; 0 where all of it counts.

    A `snapshot` of its frames over the time of the scene spares evaluating them.
    """
    names = frames_of(plan, signal)
    if signal.signal not in _FLOORS or not names:
        return 0.0
    return ROUNDING * _FLOORS[signal.signal](_sizes(plan, names, snapshot)) / signal.factor


def rounding_of_sensed(plan: Plan, name: str) -> Mapping[str, float]:
    """Return for each quantity of a sensor, by its letter, up to which distance from zero it is rounding; SI units."""
    sizes = _sizes(plan, plan.instruments.sensors[name].frames, None)
    return {letter: ROUNDING * _FLOORS[quantity](sizes) for letter, quantity in SENSED.items()}


def _sizes(plan: Plan, names: set[str], snapshot: Snapshot | None) -> SizeOf:
    """Return how large the motion of frames is, and of what carries them: a difference is as exact as its terms."""
    if snapshot is None:
        snapshot = frames_at(plan, names, np.linspace(plan.start, plan.end, SAMPLES))
    rows = [snapshot.index[name] for name in _carriers(plan, names) if name in snapshot.index]
    return lambda array: _largest(getattr(snapshot, array)[:, rows])


def _carriers(plan: Plan, names: set[str]) -> set[str]:
    """Return frames with all that they hang on."""
    found: set[str] = set()
    left = set(names)
    while left:
        name = left.pop()
        if name in plan.scene.frames and name not in found:
            found.add(name)
            left.add(plan.scene.frames[name].parent)
    return found


def _largest(vectors: Array) -> float:
    lengths = np.linalg.norm(vectors, axis=-1)
    return float(lengths[np.isfinite(lengths)].max(initial=0.0))

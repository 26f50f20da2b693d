"""Signals of a scene over time as the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import describe, labels, plot_curves
from framescope.core.kernels.validation import Array

BLOCK = 8192
"""Times that are evaluated together."""


def tabulate(plan: Plan, signals: Iterable[CompiledPlot], times: Array) -> Mapping[str, Array]:
    """Return a column (n,) for the time and for each component of each signal, by a name that says what it is.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> from framescope.core.evaluation.signal_parser import parse_signal
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"lift": {"parent": "world",
    ...     "position": {"value": [0, 0, "2*t"], "unit": "m"}}}})
    >>> signal = parse_signal("position of lift relative to world resolved in world in mm", scene)
    >>> table = tabulate(compile_plan(scene), [signal], np.array([0.0, 0.5]))
    >>> table["position of lift relative to world resolved in world in mm: z"]
    array([   0., 1000.])
    """
    columns: dict[str, Array] = {"t [s]": times}
    for signal in (each for plot in signals for each in plot.signals):
        whole = describe(replace(signal, components=(), wrapped=()))
        values = _curves(plan, signal, times)
        for i, label in enumerate(labels(plan, signal)):
            columns[f"{whole}: {label}"] = np.ascontiguousarray(values[:, i])
    return columns


def _curves(plan: Plan, signal: CompiledPlot, times: Array) -> Array:
    """Return the curves (n, k) of a signal, made block by block: what is in flight does not grow with the times."""
    starts = range(0, max(len(times), 1), BLOCK)
    return np.concatenate([plot_curves(plan, signal, times[start : start + BLOCK]) for start in starts])

"""Numbers and curves in the picture, on cards, in plots and in panels that tell the answer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.signal_curves import plot_curves
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.lessons.core import judging
from framescope.features.lessons.core.leaks.shown import curves_of, panel_signals, shown_numbers, shown_signals
from framescope.features.lessons.core.leaks.subject import N_TIMES, Leak, Subject
from framescope.features.lessons.core.schema import Sketch

ALIKE = 0.985
"""Correlation above which a curve has the shape of the right one."""

RESTING = 0.2
"""Time over which a curve stays at zero to show that nothing moves, as a fraction of the scene's time."""


def numbers_that_tell(subject: Subject) -> Iterator[Leak]:
    """Yield the numbers and the curves that tell a right number or a right curve."""
    right = subject.value
    if right is not None:
        size = UNITS[right.dimension][right.unit] if right.unit else 1.0
        for shown in shown_numbers(subject, subject.times):
            if shown.dimension == right.dimension and _shows_value(
                shown.values, right.value * size, right.rounding * size
            ):
                what = (
                    "shows the number of the answer" if "arcs" not in shown.where else "show the number of the answer"
                )
                yield Leak(shown.where, what, shown.fix)
        if abs(right.value) <= right.rounding:
            yield from _rests_that_tell(subject, right.dimension)
        elif right.dimension == "angle":
            yield from _complements_that_tell(subject, right.value * size, right.rounding * size)
            yield from _orientations_that_tell(subject, right.value * size, right.rounding * size)
    if isinstance(subject.question, Sketch):
        times, curve = subject.span
        for shown in shown_numbers(subject, times):
            if _is_alike(shown.values, curve):
                yield Leak(shown.where, "follows the curve of the answer", shown.fix)


def _rests_that_tell(subject: Subject, dimension: str) -> Iterator[Leak]:
    """Yield plots of a rate that is zero from the time of the step on, if the answer is that nothing changes."""
    rate = {"angle": "angular velocity", "length": "velocity"}.get(dimension)
    plan, t = subject.plan, subject.staging.time
    times = np.linspace(t, min(plan.end, t + RESTING * (plan.end - plan.start)), N_TIMES)
    for plot in plan.view_data.plots:
        for signal in plot.signals:
            if signal.signal == rate:
                rest, whole = (np.abs(plot_curves(plan, signal, span)) for span in (times, subject.times))
                if np.nanmax(rest, initial=0.0) <= 1e-6 * np.nanmax(whole, initial=0.0):
                    title = plot.title or plot.signal.capitalize()
                    fix = f"Leave {title} out of plots: in this step."
                    yield Leak(f'the plot "{title}"', "shows that nothing moves", fix)


def _complements_that_tell(subject: Subject, right: float, tolerance: float) -> Iterator[Leak]:
    """Yield angles between axes that are 90° or 180° less the answer."""
    for where, fix, signal in shown_signals(subject.plan):
        if signal.signal != "angle between axes":
            continue
        for _, values in curves_of(signal, subject.plan, subject.times):
            for whole in (0.5 * math.pi, math.pi):
                if _shows_value(whole - values, right, tolerance):
                    yield Leak(where, "shows the answer as the angle to another axis", fix)


def _orientations_that_tell(subject: Subject, right: float, tolerance: float) -> Iterator[Leak]:
    """Yield quaternions of a rotation by the answer, and unit vectors with its sine or cosine."""
    is_square = abs(math.remainder(right, 0.5 * math.pi)) <= tolerance  # sine and cosine are 0 or 1, as of many vectors
    for where, fix, signal in (*shown_signals(subject.plan), *panel_signals(subject)):
        for angles in _angles_in(signal, subject, is_square=is_square):
            if _shows_value(angles, right, tolerance):
                yield Leak(where, "shows the orientation that has the angle of the answer", fix)


def _angles_in(signal: CompiledPlot, subject: Subject, *, is_square: bool) -> Iterator[Array]:
    """Yield the angles (n,) that the components of a quaternion or a unit vector give, rad."""
    if signal.signal == "quaternion":
        w = plot_curves(subject.plan, replace(signal, components=("w",)), subject.times)[:, 0]
        yield 2.0 * np.arccos(np.clip(np.abs(w), 0.0, 1.0))
    elif signal.signal.startswith("direction of ") and not is_square:
        for _, curve in curves_of(signal, subject.plan, subject.times):
            values = np.clip(curve, -1.0, 1.0)
            yield from (np.arccos(values), np.arcsin(values), np.arccos(-values))


def _shows_value(values: Array, right: float, tolerance: float) -> bool:
    """Return whether values over the times of a subject show a number, with either sign, at a time of interest."""
    known = values[np.isfinite(values)]
    if not known.size:
        return False
    scene = values[:-2]
    known_scene = scene[np.isfinite(scene)]
    ends = [*values[-2:], scene[0], scene[-1]]
    if known_scene.size and abs(right) > tolerance:  # many a number is next to zero for a moment
        ends += [known_scene.max(), known_scene.min()]
    return any(
        min(abs(value - right), abs(value + right)) <= tolerance * (1.0 + 1e-9) for value in ends if np.isfinite(value)
    )


def _is_alike(curve: Array, right: Array) -> bool:
    """Return whether a curve (n,) has the shape of another, up to scale and offset."""
    known = np.isfinite(curve) & np.isfinite(right)
    if np.count_nonzero(known) < 0.5 * len(right):
        return False
    a, b = curve[known] - curve[known].mean(), right[known] - right[known].mean()
    sizes = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if min(sizes) <= judging.FLAT * math.sqrt(len(a)):
        return False
    return abs(float(a @ b)) / (sizes[0] * sizes[1]) > ALIKE

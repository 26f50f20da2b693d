"""Content of the plots of a scene: curves with title, frames, unit, rule and note."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.instruments import CompiledSensor
from framescope.core.evaluation.compile.plots import CompiledPlot, compile_plot
from framescope.core.evaluation.compile.recordings.sensors import RecordedValues
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import rows_of
from framescope.core.evaluation.rounding import rounding_of, rounding_of_sensor
from framescope.core.evaluation.signal_curves import frames_at, frames_of, plot_curves
from framescope.core.evaluation.smoothing_notes import signal_note
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.plots import CurveKey
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.motions import Simulated
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of
from framescope.core.scene.schema.view import Plot
from framescope.core.snapshot import Snapshot
from framescope.core.system.features import load_entry
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.sensor_values import SensorPart, sensor_parts
from framescope.ui.plots.curves import OTHER_COLORS, Curves, CurveStyle
from framescope.ui.plots.signal_styles import styles_by_sequence, styles_of, vector_styles
from framescope.ui.plots.signal_words import rule_of, text_of
from framescope.ui.widgets.angle_unit import DEG, AngleUnit

COARSE, FINE = 240, 1500
"""Samples of a curve during a gesture, and at rest."""

NEAR_LOCK = 100.0
"""Largest condition number, about a degree from gimbal lock, at which the automatic view includes angle rates."""

SIMULATING = "Simulating…"
NOT_SIMULATED = "Not simulated. Run the simulation again"
NO_SENSOR = "Sensor"
"""Title of the plot of a sensor that is missing or has a problem; the problems list gives the reason."""


@dataclass(frozen=True)
class Part:
    """Curves of one signal with a common unit."""

    title: str
    subtitle: str
    unit: str
    keys: tuple[CurveKey, ...]
    styles: tuple[CurveStyle, ...]
    ys: Array
    decimals: int | None = None
    y_most: float | None = None
    y_zero: float = 0.0


class PlotContents:
    """Curves of the plots of a scene. An edit recomputes only the curves that it changes."""

    def __init__(self) -> None:
        self._last: list[tuple[Hashable, list[Curves]]] = []
        """Cache key and curves of each plot; the key is None if the curves depend on more than motions of frames."""

    def of(
        self,
        plan: Plan,
        n_samples: int,
        window: tuple[float, float] | None = None,
        *,
        is_simulating: bool = True,
        angles: AngleUnit = DEG,
        start: float | None = None,
        i_plots: Collection[int] | None = None,
    ) -> list[Curves]:
        """Return the curves of every plot of a scene over its whole time range, or from `start` on.

        A sensor with several quantities has a plot for each, as their units differ.

        Parameters
        ----------
        plan, n_samples
            The scene, and the number of samples of a curve.
        window
            Time span of a zoomed view. It gets `n_samples` further samples.
        is_simulating
            Whether a pending simulation is running or queued.
        angles
            Unit of all values in degrees or radians. Turns and rpm keep their unit.
        i_plots
            Indices of the visible plots. The others keep their last curves, if they have any.
        """
        plots = plan.scene.view.plots
        waiting = SIMULATING if is_simulating else NOT_SIMULATED
        compiled = [_compile_or_problem(plan, plot_in(plot, angles)) for plot in plots]
        first = plan.start if start is None else start
        settings = first, n_samples, window, waiting, angles
        bases = [_basis(plan, plot, signals, settings) for plot, signals in zip(plots, compiled, strict=True)]
        last = self._last if len(self._last) == len(plots) else [(None, None)] * len(plots)
        reusable = {
            i: (before, contents)
            for i, (basis, (before, contents)) in enumerate(zip(bases, last, strict=True))
            if contents is not None
            and ((basis is not None and basis == before) or (i_plots is not None and i not in i_plots))
        }
        new = [signals for i, signals in enumerate(compiled) if i not in reusable]
        sampled = _sample(plan, new, _sample_times(plan, first, n_samples, window), angles)
        self._last = [
            reusable[i]
            if i in reusable
            else (basis, [replace(curves, i_plot=i) for curves in _contents(sampled, plot, signals, waiting)])
            for i, (plot, signals, basis) in enumerate(zip(plots, compiled, bases, strict=True))
        ]
        return [curves for _, contents in self._last for curves in contents]


def plot_contents(
    plan: Plan,
    n_samples: int,
    window: tuple[float, float] | None = None,
    *,
    is_simulating: bool = True,
    angles: AngleUnit = DEG,
    start: float | None = None,
) -> list[Curves]:
    """Return the curves of every plot of a scene, as `PlotContents.of`."""
    return PlotContents().of(plan, n_samples, window, is_simulating=is_simulating, angles=angles, start=start)


def _sample_times(plan: Plan, start: float, n_samples: int, window: tuple[float, float] | None) -> Array:
    times = np.linspace(start, plan.end, n_samples)
    if window is None:
        return times
    first, last = max(window[0], plan.start), min(window[1], plan.end)
    return np.unique(np.concatenate([times, np.linspace(first, last, n_samples)])) if first < last else times


def _sample(plan: Plan, plots: Iterable[CompiledPlot | ItemError], times: Array, angles: AngleUnit) -> SampledSignal:
    """Evaluate the frames of several plots together, which is most of their cost while a slider moves."""
    signals = [signal for plot in plots if isinstance(plot, CompiledPlot) for signal in plot.signals]
    needed = {name for signal in signals for name in frames_of(plan, signal)}
    return SampledSignal(plan, times, frames_at(plan, needed, times) if needed else None, angles)


def _basis(plan: Plan, plot: Plot, compiled: CompiledPlot | ItemError, settings: Hashable) -> Hashable:
    """Return the cache key of the curves of a plot; None if they depend on more than motions of frames."""
    if isinstance(compiled, ItemError) or plan.live or plan.pending or plan.tree.switches:
        return None
    names: set[str] = set()
    for signal in compiled.signals:
        if signal_named(signal.signal).item != "frames":
            return None
        names |= frames_of(plan, signal)
    names_of, motions = plan.tree.names, plan.tree.motions
    parents: list[int] = plan.tree.parents.tolist()
    rows = sorted(rows_of(plan.tree, names))
    tree = tuple((names_of[i], names_of[parents[i]] if parents[i] >= 0 else "", motions.get(i)) for i in rows)
    return plot, compiled, settings, plan.start, plan.end, tree


def chart_titles(plan: Plan, angles: AngleUnit = DEG) -> list[str]:
    """Return the titles of `plot_contents` without computing curves."""
    return [title for plot in plan.scene.view.plots for title in _titles_of_plot(plan, plot, angles)]


def _titles_of_plot(plan: Plan, plot: Plot, angles: AngleUnit) -> list[str]:
    compiled = _compile_or_problem(plan, plot_in(plot, angles))
    if isinstance(compiled, ItemError):
        return [_problem_title(plot)]
    titles = [title for signal in compiled.signals for title in _titles_of_signal(plan, signal)]
    if len(compiled.signals) == 1:
        return [compiled.title or title for title in titles]
    return [compiled.title or _common_title(titles)] if titles else []


def _titles_of_signal(plan: Plan, signal: CompiledPlot) -> list[str]:
    if signal.signal != "sensor":
        return [text_of(plan, signal).title]
    sensor = plan.instruments.sensors.get(signal.of)
    if sensor is None:
        return [NO_SENSOR]
    return [part.title for part, _, rows in _parts_with_styles(plan, sensor, signal) if rows]


def _problem_title(plot: Plot) -> str:
    return plot.called


def _common_title(titles: Iterable[str]) -> str:
    first, *others = dict.fromkeys(titles)
    return ", ".join([first, *(title.lower() for title in others)])


@dataclass(frozen=True, eq=False)
class SampledSignal:
    """Plan, times, frames at these times and angle unit, from which all curves of a scene are computed."""

    plan: Plan
    times: Array
    snapshot: Snapshot | None
    angles: AngleUnit


def _compile_or_problem(plan: Plan, plot: Plot) -> CompiledPlot | ItemError:
    """Return the compiled plot, or the error that prevents it."""
    try:
        return compile_plot(plot, plan.scene, plan.index)
    except ItemError as problem:
        return problem


def plot_in(plot: Plot, angles: AngleUnit) -> Plot:
    """Return a plot with degrees and radians replaced by the angle unit of the window."""
    if not plot.unit:
        return plot
    unit, factor = angles.shown(unit_text(plot.unit))
    if factor == 1.0:
        return plot
    spelled = {"unit": unit.replace("°", "deg")}
    also = tuple(signal.model_copy(update=spelled) if signal.unit == plot.unit else signal for signal in plot.also)
    return plot.model_copy(update={**spelled, "also": also})


def _contents(sampled: SampledSignal, plot: Plot, compiled: CompiledPlot | ItemError, waiting: str) -> Iterator[Curves]:
    plan, times = sampled.plan, sampled.times
    if isinstance(compiled, ItemError):
        note = f"{compiled.message[:1].upper()}{compiled.message[1:]} {compiled.hint}".strip()
        yield Curves(times, np.empty((0, len(times))), (), _problem_title(plot), plot.of or "", note=note)
        return
    parts = [part for i, signal in enumerate(compiled.signals) for part in _parts(sampled, signal, i)]
    note = waiting if any(_is_awaited(plan, signal) for signal in compiled.signals) else ""
    notes = (signal_note(plan, signal) for signal in compiled.signals)
    rules = map(rule_of, compiled.signals)
    rule = "; ".join(dict.fromkeys(text for text in (*rules, *notes) if text))
    for curves in _charts(parts, compiled, times):
        chart = replace(curves, rule=rule)
        yield replace(chart, ys=np.full_like(chart.ys, np.nan), note=note) if note else chart


def _charts(parts: list[Part], compiled: CompiledPlot, times: Array) -> Iterator[Curves]:
    """Yield one chart for all signals of a plot, or a chart for each quantity of a sensor."""
    if len(compiled.signals) == 1:
        for part in parts:
            yield _chart(times, [part], compiled.title or part.title, part.subtitle)
    elif parts:
        yield _chart(
            times,
            [_name_by_item(part, signal, compiled) for part, signal in zip(parts, compiled.signals, strict=True)],
            compiled.title or _common_title(part.title for part in parts),
            _common_text(compiled, parts),
        )


def _chart(times: Array, parts: list[Part], title: str, subtitle: str) -> Curves:
    styles = tuple(style for part in parts for style in part.styles)
    keys = tuple(key for part in parts for key in part.keys)
    ys = np.concatenate([part.ys for part in parts])
    first = parts[0]
    quantity = ", ".join(dict.fromkeys(part.title for part in parts))
    return Curves(
        times,
        ys,
        styles,
        title,
        subtitle,
        first.unit,
        first.decimals,
        keys=keys,
        quantity=quantity,
        y_most=_common_view_limit(parts),
        y_zero=tuple(part.y_zero for part in parts for _ in part.styles),
    )


def _common_view_limit(parts: list[Part]) -> float | None:
    """Return the largest magnitude that the automatic view of a chart includes; None without a limit."""
    if all(part.y_most is None for part in parts):
        return None
    return max(_largest(part.ys) if part.y_most is None else part.y_most for part in parts)


def _largest(ys: Array) -> float:
    return float(np.abs(ys[np.isfinite(ys)]).max(initial=0.0))


def _name_by_item(part: Part, signal: CompiledPlot, compiled: CompiledPlot) -> Part:
    """Add to the names of curves that share a legend what differs: item, sequence, reference or resolving frame."""

    def differs(key: str) -> bool:
        return len({getattr(other, key) for other in compiled.signals if getattr(other, key)}) > 1

    words = {
        "sequence": signal.sequence,
        "relative_to": f"relative to {signal.relative_to}",
        "resolved_in": f"in {signal.resolved_in}",
    }
    differing = [words[key] for key in words if differs(key) and getattr(signal, key)]
    text = " ".join([signal.of] * (differs("of") or not differing) + differing)
    return replace(part, styles=tuple(replace(style, name=f"{style.name} {text}".strip()) for style in part.styles))


def _common_text(compiled: CompiledPlot, parts: list[Part]) -> str:
    first = compiled.signals[0]
    quantities = {(s.signal, s.relative_to, s.resolved_in, s.sequence) for s in compiled.signals}
    if len(quantities) == 1 and first.relative_to:
        names = ", ".join(dict.fromkeys(signal.of for signal in compiled.signals))
        return parts[0].subtitle.replace(first.of, names, 1)
    return " · ".join(dict.fromkeys(part.subtitle for part in parts))


def _is_awaited(plan: Plan, signal: CompiledPlot) -> bool:
    """Return whether the values of a signal need a pending simulation."""
    if not plan.pending:
        return False
    match signal_named(signal.signal).item:
        case "points" | "elements" | "":
            return True
        case "sensors":
            compiled = plan.instruments.sensors.get(signal.of)
            frames = set[str]() if compiled is None else set(compiled.frames)
        case "measured":
            measurement = plan.scene.measured[signal.of]
            frames = {measurement.of, measurement.relative_to}
        case _:
            frames = {signal.of, signal.relative_to, signal.resolved_in, signal.through}
    return any(_is_simulated(plan, name) for name in frames)


def _is_simulated(plan: Plan, name: str) -> bool:
    seen: set[str] = set()
    while name in plan.scene.frames and name not in seen:
        seen.add(name)
        frame = plan.scene.frames[name]
        if isinstance(frame.motion, Simulated):
            return True
        name = frame.parent
    return False


# --- Curves of each kind of signal


def _parts(sampled: SampledSignal, signal: CompiledPlot, i_signal: int) -> Iterator[Part]:
    """Yield the curves of a signal as one part, or for a sensor as one part for each quantity."""
    plan, angles = sampled.plan, sampled.angles
    # Undefined values of an expression become gaps in the curve.
    values = plot_curves(plan, signal, sampled.times, sampled.snapshot).T
    values = np.where(np.isfinite(values), values, np.nan)
    if signal.signal == "sensor":
        yield from _sensor_quantities(plan, signal, i_signal, values, angles)
        return
    names = signal.components or components_of(signal, plan.scene).usual
    looks = styles_of(plan, signal)
    half_turn = np.pi / signal.factor
    for i, name in enumerate(names):
        if name in signal.wrapped:
            # A jump by a full turn is drawn as a gap, not as a line.
            values[i, 1:][np.abs(np.diff(values[i])) > half_turn] = np.nan
    text = text_of(plan, signal)
    keys = tuple(CurveKey(i_signal, name) for name in names)
    unit, factor = angles.shown(unit_text(_unit_of(plan, signal)))
    most = _view_limit(sampled, signal, factor * values)
    zero = factor * rounding_of(plan, signal, sampled.snapshot)
    styles = tuple(looks[name] for name in names)
    yield Part(text.title, text.subtitle, unit, keys, styles, factor * values, text.decimals, most, zero)


def _view_limit(sampled: SampledSignal, signal: CompiledPlot, values: Array) -> float | None:
    """Return the largest magnitude of a signal that the automatic view includes; None without a limit."""
    limit = signal_named(signal.signal).view_limit
    return load_entry(limit)(sampled, signal, values) if limit else None


def condition_in_view(_sampled: SampledSignal, _signal: CompiledPlot, _values: Array) -> float:
    """Return the largest condition number that the automatic view includes."""
    return NEAR_LOCK


def largest_rate_in_view(sampled: SampledSignal, signal: CompiledPlot, values: Array) -> float | None:
    """Return the largest angle rate away from gimbal lock; None if it is zero."""
    condition_signal = replace(signal, signal="condition number", components=(), wrapped=(), unit="", factor=1.0)
    condition = plot_curves(sampled.plan, condition_signal, sampled.times, sampled.snapshot)[:, 0]
    return _largest(values[:, condition < NEAR_LOCK]) or None


def _unit_of(plan: Plan, signal: CompiledPlot) -> str:
    if signal.signal != "measured":
        return signal.unit
    measurement = plan.scene.measured[signal.of]
    return (measurement.unit or "") if isinstance(measurement, MeasuredVector) else "m"


def _sensor_quantities(
    plan: Plan, signal: CompiledPlot, i_signal: int, values: Array, angles: AngleUnit
) -> Iterator[Part]:
    compiled = plan.instruments.sensors.get(signal.of)
    if compiled is None:  # the problems list gives the reason
        ys = np.full((1, values.shape[1]), np.nan)
        yield Part(NO_SENSOR, signal.of, "", (CurveKey(i_signal, ""),), (CurveStyle("no value", "quiet"),), ys)
        return
    names = signal.components or components_of(signal, plan.scene).usual
    rounding = rounding_of_sensor(plan, signal.of)
    for part, looks, rows in _parts_with_styles(plan, compiled, signal):
        if not rows:
            continue
        ys = part.in_unit(values[rows])
        for y, name in zip(ys, (names[i] for i in rows), strict=True):
            if name in signal.wrapped:
                y[1:][np.abs(np.diff(y)) > 180.0] = np.nan
        unit, factor = angles.shown(part.unit)
        yield Part(
            part.title,
            f"{signal.of}: {part.text}",
            unit,
            tuple(CurveKey(i_signal, names[i]) for i in rows),
            tuple(looks[names[i]] for i in rows),
            factor * ys,
            2 if unit.startswith("°/s") else None,
            y_zero=factor * float(part.in_unit(np.array(rounding.get(part.letter, 0.0)))),
        )


def _parts_with_styles(
    plan: Plan, sensor: CompiledSensor, signal: CompiledPlot
) -> Iterator[tuple[SensorPart, dict[str, CurveStyle], list[int]]]:
    """Yield each quantity of a sensor with the styles of its components and the rows of its plotted components."""
    usual = components_of(signal, plan.scene).usual
    for part in sensor_parts(sensor):
        own = usual[part.place]
        if part.sequence:
            looks = dict(zip(own, styles_by_sequence(part.sequence), strict=True))
        elif isinstance(sensor.sensor, RecordedValues):
            looks = _recorded_styles(sensor.sensor, own, part.symbol)
        else:
            looks = dict(zip((*own, f"norm {own[0][:-2]}"), vector_styles(part.symbol).values(), strict=True))
        yield part, looks, [i for i, name in enumerate(signal.components or usual) if name in looks]


def _recorded_styles(sensor: RecordedValues, own: tuple[str, ...], symbol: str) -> dict[str, CurveStyle]:
    """Return the styles of recorded values: the usual ones for a vector, otherwise one for each column by its name."""
    if sensor.quantity:
        return dict(zip((*own, "norm"), vector_styles(symbol).values(), strict=True))
    looks = {
        name: CurveStyle(column, OTHER_COLORS[i % len(OTHER_COLORS)])
        for i, (name, column) in enumerate(zip(own, sensor.labels, strict=True))
    }
    return looks | ({"norm": CurveStyle("norm", "text")} if len(own) == len("xyz") else {})

"""Curves of signals over time, each fully specified: item, reference frame, resolving frame and unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from framescope.core import kinematics
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.compile.instruments import CompiledMeasurement, read_measurement, read_sensor
from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.delayed_frames import NOW, Delay, seen_through
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_traces import FrameTraces
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, read_only
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.signals import TAKES, components_of
from framescope.core.scene.schema.view import PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.core.system.caches import cache_per_owner


def residues(snapshot: Snapshot, of: str) -> Array:
    """Return the six residues (..., 6) of the orientation of a frame in its parent."""
    return linear_algebra.orientation_residues(snapshot.T_PF[..., snapshot.index[of], :, :])


Relative = Callable[[Snapshot, str, str, str], Array]
"""Takes a snapshot and three frames: of, relative to, resolved in."""

ANGULAR, LINEAR = slice(0, 3), slice(3, 6)


def _half(motion: Relative, half: slice) -> Relative:
    def signal(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Array:
        return motion(snapshot, of, relative_to, resolved_in)[..., half]

    return signal


RELATIVE: dict[str, Relative] = {
    "position": relative_motion.relative_position,
    "velocity": _half(relative_motion.relative_velocity, LINEAR),
    "acceleration": _half(relative_motion.relative_acceleration, LINEAR),
    "angular velocity": _half(relative_motion.relative_velocity, ANGULAR),
    "angular acceleration": _half(relative_motion.relative_acceleration, ANGULAR),
}
"""Signals of one frame relative to another, resolved in a third, with three components each."""


def frames_of(plan: Plan, plot: CompiledPlot) -> set[str]:
    """Return the frames from which a signal is computed; none for an instrument or a simulation."""
    if plot.signal in ("sensor", "measured") or TAKES[plot.signal].of in ("points", "elements", ""):
        return set()
    return {plot.of, plot.relative_to, plot.resolved_in, plot.through} & set(plan.index)


def frames_at(plan: Plan, names: set[str], times: Array) -> Snapshot:
    """Return a snapshot of some frames and their ancestors at times (n,)."""
    return evaluate_tree(subtree(plan.tree, names & set(plan.index)), times)


def seen_before(plan: Plan, snapshot: Snapshot, of: str, delay: Delay) -> Snapshot:
    """Return a snapshot with one more row: the earlier pose of a frame, seen through a fixed frame."""
    then = frames_at(plan, {of, delay.through}, snapshot.t - delay.seconds)
    return seen_through(snapshot, then, of, delay.through)


def plot_curves(plan: Plan, plot: CompiledPlot, times: Array, snapshot: Snapshot | None = None) -> Array:
    """Return the curves (n, k) of a signal at times (n,), in its unit; only the frames it needs are evaluated.

    A `snapshot` of the frames in `frames_of` at the same times avoids evaluating them. Values are NaN where there is
    none, for example after the end of a simulation, or everywhere if the item has a problem. Further signals of the
    same plot need their own calls.
    """
    names = _usual_components(plan, plot)
    values = _curves(plan, plot, times, snapshot)
    if values is None:
        return np.full((len(times), len(plot.components or names)), np.nan)
    if plot.wrapped:
        for i in (names.index(name) for name in plot.wrapped):
            values[:, i] -= 2.0 * np.pi * np.round(values[:, i] / (2.0 * np.pi))
    if plot.components:
        values = np.stack([_component(values, names, name) for name in plot.components], axis=-1)
    return values / plot.factor


def _usual_components(plan: Plan, plot: CompiledPlot) -> tuple[str, ...]:
    """Return the names of the components in the order in which they are computed."""
    if plot.signal == "sensor" and plot.of not in plan.instruments.sensors:
        return ()
    return components_of(plot, plan.scene).usual


def _component(values: Array, names: tuple[str, ...], name: str) -> Array:
    """Return one component (n,) of the usual ones (n, k), or the magnitude of three of them."""
    if name in names:
        return values[:, names.index(name)]
    quantity = name.removeprefix("norm").strip()
    parts = [
        i
        for i, candidate in enumerate(names)
        if not quantity or candidate.startswith(f"{quantity}_") or candidate.endswith(quantity)
    ]
    return np.sqrt((values[:, parts] ** 2).sum(axis=-1))


def labels(plan: Plan, plot: CompiledPlot) -> tuple[str, ...]:
    """Return a short label for each curve of a signal."""
    names = _usual_components(plan, plot)
    known = dict(zip(names, _usual_labels(plan, plot), strict=True))
    short_labels = (known.get(name, name) for name in plot.components or names)
    pairs = zip(plot.components or names, short_labels, strict=True)
    return tuple(f"{label}, wrapped" if name in plot.wrapped else label for name, label in pairs)


def _usual_labels(plan: Plan, plot: CompiledPlot) -> tuple[str, ...]:
    match plot.signal:
        case "angles":
            return tuple(f"angle {i} about {axis.lower()}" for i, axis in enumerate(plot.sequence, 1))
        case "angle rates":
            return tuple(f"rate {i} about {axis.lower()}" for i, axis in enumerate(plot.sequence, 1))
        case "sensor":
            compiled = plan.instruments.sensors.get(plot.of)
            return () if compiled is None else compiled.sensor.labels
        case _:
            return components_of(plot, plan.scene).usual


def describe(plot: CompiledPlot | PlottedSignal) -> str:
    """Return a signal as text, in the form that `framescope.core.evaluation.signal_parser` reads.

    >>> describe(CompiledPlot("velocity", "tip", "world", "arm", "mm/s", 1e-3))
    'velocity of tip relative to world resolved in arm in mm/s'
    >>> describe(CompiledPlot("position", "cart", "cart", "cart", "m", 1.0, through="odom", delay=0.5))
    'position of cart relative to cart now resolved in cart now through odom 0.5 s before in m'
    """
    text: str = plot.signal
    now = NOW if plot.through else ""
    if plot.of:
        text += f" of {plot.of}"
    if plot.relative_to and plot.signal != "residues":
        text += f" relative to {plot.relative_to}{now}"
    if plot.resolved_in:
        text += f" resolved in {plot.resolved_in}{now}"
    if plot.through and plot.delay is not None:
        text += f" through {plot.through} {_when(plot.delay)}"
    if plot.sequence:
        text += f" by {plot.sequence}"
    text += f" in {plot.unit}" if plot.unit else ""
    if plot.components:
        text += ": " + ", ".join(plot.components)
    if plot.wrapped:
        text += f" (wrapped: {', '.join(plot.wrapped)})"
    return text


def _when(delay: float | Quantity) -> str:
    """Return the time of a delay in words: before, or after if it is negative."""
    value, unit = (delay.value, delay.unit or "") if isinstance(delay, Quantity) else (delay, "s")
    return f"{abs(value):.12g} {unit} {'after' if value < 0.0 else 'before'}"


def _curves(plan: Plan, plot: CompiledPlot, times: Array, snapshot: Snapshot | None) -> Array | None:
    """Return the curves in SI units, or None if their item is unusable."""
    instruments = plan.instruments
    match plot.signal:
        case "sensor":
            compiled = instruments.sensors.get(plot.of)
            return None if compiled is None else _sensor_curves(plan, plot.of, times)
        case "measured":
            measurement = instruments.measurements.get(plot.of)
            return None if measurement is None else _measurement_curves(plan, measurement, times)
        case _ if TAKES[plot.signal].of in ("points", "elements", ""):
            return _simulated_curves(plan, plot, times)
        case _:
            snapshot, traces = snapshot or frames_at(plan, frames_of(plan, plot), times), plan.traces
    if plot.through:
        delay = Delay(plot.through, plot.delay)
        snapshot, traces = seen_before(plan, snapshot, plot.of, delay), plan.traces.with_delay(delay)
    match plot.signal:
        case "residues":
            return residues(snapshot, plot.of)
        case "angles":
            return _angles(traces, plot, snapshot)
        case "angle rates":
            return _angle_rates(traces, plot, snapshot.smoothed)
        case "singularity" | "condition number":
            return _nearness(traces, plot, snapshot)
        case "quaternion":
            return _hide_unknown(traces, snapshot, plot, traces.quaternions(snapshot, plot.of, plot.relative_to))
        case _:
            return RELATIVE[plot.signal](snapshot, traces.row_of(plot.of), plot.relative_to, plot.resolved_in)


def _angles(traces: FrameTraces, plot: CompiledPlot, snapshot: Snapshot) -> Array:
    """Return the continuous angles (n, 3) of a relation."""
    return _hide_unknown(traces, snapshot, plot, traces.angles(snapshot, plot.of, plot.relative_to, plot.sequence))


def _angle_rates(traces: FrameTraces, plot: CompiledPlot, snapshot: Snapshot) -> Array:
    """Return the rates (n, 3) of the continuous angles; NaN at gimbal lock, where the angles are arbitrary."""
    angles = _angles(traces, plot, snapshot)
    row = traces.row_of(plot.of)
    w = RELATIVE["angular velocity"](snapshot, row, plot.relative_to, row)
    rates = np.full((len(angles), 3), np.nan)
    is_known = np.isfinite(angles).all(axis=-1) & np.isfinite(w).all(axis=-1)
    if is_known.any():
        rates[is_known] = kinematics.euler_rates(plot.sequence, angles[is_known], w[is_known])
        _, condition = kinematics.singularity_measure(plot.sequence, angles[is_known])
        rates[np.flatnonzero(is_known)[condition >= kinematics.UNSURE]] = np.nan
    return rates


def _nearness(traces: FrameTraces, plot: CompiledPlot, snapshot: Snapshot) -> Array:
    """Return the distance from gimbal lock (n, 1): the measure, or the condition number, infinite at the lock."""
    angles = _angles(traces, plot, snapshot)
    values = np.full((len(angles), 1), np.nan)
    is_known = np.isfinite(angles).all(axis=-1)
    if is_known.any():
        measures = kinematics.singularity_measure(plot.sequence, angles[is_known])
        values[is_known, 0] = measures[plot.signal == "condition number"]
    return values


def _hide_unknown(traces: FrameTraces, snapshot: Snapshot, plot: CompiledPlot, values: Array) -> Array:
    """Return the values (n, k) of a relation, NaN where one frame has no known pose relative to the other."""
    is_known = relative_motion.are_known(snapshot, traces.row_of(plot.of), plot.relative_to)
    return np.where(is_known[:, np.newaxis], values, np.nan)


def _sensor_curves(plan: Plan, name: str, times: Array) -> Array:
    """Return the values of a sensor over time."""
    compiled = plan.instruments.sensors[name]
    return read_sensor(compiled, frames_at(plan, compiled.frames, times), plan.traces)


def _measurement_curves(plan: Plan, measurement: CompiledMeasurement, times: Array) -> Array:
    """Return measured values beside the values computed from the tree: vectors in their unit, positions of poses."""
    snapshot = frames_at(plan, {measurement.of, measurement.relative_to, measurement.resolved_in}, times)
    measurement_values, of, relative_to = (
        read_measurement(measurement, snapshot),
        measurement.of,
        measurement.relative_to,
    )
    if measurement_values.vector is not None:
        computed = RELATIVE[measurement.kind](snapshot, of, relative_to, measurement.resolved_in)
        return np.concatenate([measurement_values.vector, computed], axis=-1) / measurement.factor
    p_WM = measurement_values.p_WM if measurement_values.p_WM is not None else np.full((len(times), 3), np.nan)
    i = snapshot.index[relative_to]
    p = linear_algebra.apply_transposed(snapshot.R_WF[:, i], p_WM - snapshot.p_WF[:, i])
    return np.concatenate([p, relative_motion.relative_position(snapshot, of, relative_to, relative_to)], -1)


def _simulated_curves(plan: Plan, plot: CompiledPlot, times: Array) -> Array | None:
    simulation = plan.instruments.simulation
    if simulation is None:
        return None
    if plot.signal == "energy":
        energy = simulation.energy(times)
        return np.stack([energy.kinetic, energy.potential, energy.work, energy.dissipated, energy.residual], axis=-1)
    if plot.signal in ("linear momentum", "angular momentum"):
        momentum = simulation.momentum(times)
        return momentum.linear if plot.signal == "linear momentum" else momentum.angular
    read: dict[str, Callable[[Array], Mapping[str, Array]]] = {
        "port force": simulation.port_forces,
        "port velocity": simulation.port_velocities,
        "port displacement": simulation.displacements,
        "element force": simulation.element_forces,
    }
    if plot.signal == "constraint error":
        values = simulation.constraint_errors(times).get(plot.of, (None, None))[0]
    else:
        values = read[plot.signal](times).get(plot.of)
    return None if values is None else values.reshape(len(times), -1)


SPEED_SAMPLES = 241
"""Number of times at which the largest speed of a frame is searched."""


def largest_speeds(plan: Plan, of: str, relative_to: str) -> tuple[float, float]:
    """Return the largest velocity, m/s, and angular velocity, rad/s, of a frame relative to another, over all time.

    The result is 0 if the frame has no pose, for example before a simulation has run.
    """
    if not {of, relative_to} <= set(plan.index):
        return 0.0, 0.0
    snapshot = frames_at(plan, {of, relative_to}, np.linspace(plan.start, plan.end, SPEED_SAMPLES))
    V = relative_motion.relative_velocity(snapshot, of, relative_to, relative_to)
    v, w = (np.linalg.norm(V[:, half], axis=-1) for half in (LINEAR, ANGULAR))
    return float(v[np.isfinite(v)].max(initial=0.0)), float(w[np.isfinite(w)].max(initial=0.0))


TRAIL_POINTS = 160
"""Points of a trail with a duration."""

PATH_POINTS = 1500
"""Points of a trail that is the whole path."""


def trails(plan: Plan, t: float) -> dict[str, Array]:
    """Return the past path (TRAIL_POINTS, 3) of each frame with a trail, oldest first, in world, at time `t`.

    The path covers the trail's duration, or the time since the start of the scene. Without a duration it is the whole
    path (PATH_POINTS, 3), past and future.
    """
    paths: dict[str, Array] = {}
    for trail in plan.view_data.trails:
        if trail.duration is None:
            paths[trail.frame] = _whole_path(plan, trail.frame)
            continue
        times = np.linspace(min(t, max(plan.start, t - trail.duration)), t, TRAIL_POINTS)
        paths[trail.frame] = _path(plan, trail.frame, times)
    return paths


@cache_per_owner(100)
def _whole_path(plan: Plan, frame: str) -> Array:
    return read_only(_path(plan, frame, np.linspace(plan.start, plan.end, PATH_POINTS)))


def _path(plan: Plan, frame: str, times: Array) -> Array:
    tree = plan.trail_trees[frame]
    snapshot = drawn_frames(tree, evaluate_tree(tree, times))
    return snapshot.p_WF[:, snapshot.index[frame]]


BLOCK = 8192
"""Number of times evaluated together."""


def tabulate(plan: Plan, signals: Iterable[CompiledPlot], times: Array) -> Mapping[str, Array]:
    """Return a column (n,) for the time and for each component of each signal, by a descriptive name.

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
    for signal in (signal for plot in signals for signal in plot.signals):
        whole = describe(replace(signal, components=(), wrapped=()))
        values = _in_blocks(plan, signal, times)
        for i, label in enumerate(labels(plan, signal)):
            columns[f"{whole}: {label}"] = np.ascontiguousarray(values[:, i])
    return columns


def _in_blocks(plan: Plan, signal: CompiledPlot, times: Array) -> Array:
    """Return the curves (n, k) of a signal, evaluated in blocks so that memory does not grow with the times."""
    starts = range(0, max(len(times), 1), BLOCK)
    return np.concatenate([plot_curves(plan, signal, times[start : start + BLOCK]) for start in starts])

"""Curves of signals over time, each fully specified: item, reference frame, resolving frame and unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from framescope.core import kinematics
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.compile.gravity import gravity_of_specific_force
from framescope.core.evaluation.compile.instruments import CompiledMeasurement, read_measurement, read_sensor
from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.delayed_frames import NOW, Delay, seen_through
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_traces import FrameTraces
from framescope.core.evaluation.frame_tree import FrameTree, blocks_of_times, evaluate_tree, poses_at, subtree
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, read_only
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.signal_kinds import formula_of, signal_named
from framescope.core.scene.schema.signals import SENSED, components_of
from framescope.core.scene.schema.view import PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.core.system.caches import cache_per_owner
from framescope.core.system.features import load_entry

if TYPE_CHECKING:  # importing it loads scipy
    from framescope.core.simulation.result import Simulation


def residues(snapshot: Snapshot, of: str) -> Array:
    """Return the six residues (..., 6) of the orientation of a frame in its parent."""
    return linear_algebra.orientation_residues(snapshot.T_PF[..., snapshot.index[of], :, :])


Relative = Callable[[Snapshot, str, str, str], Array]
"""Function of a snapshot and three frames: of, relative to, resolved in."""

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
    """Return the frames from which a signal is computed; none for a simulation or an item with a problem."""
    if signal_named(plot.signal).item == "frames":
        names = {plot.of, plot.relative_to, plot.resolved_in, plot.through}
    elif plot.signal == "sensor" and plot.of in plan.instruments.sensors:
        names = plan.instruments.sensors[plot.of].frames
    elif plot.signal == "measured" and plot.of in plan.instruments.measurements:
        measurement = plan.instruments.measurements[plot.of]
        names = {measurement.of, measurement.relative_to, measurement.resolved_in}
    elif plot.signal == "port pixel" and plot.of in plan.instruments.points:
        names = {plan.instruments.points[plot.of].frame, plot.relative_to}
    else:
        names = set[str]()
    return {name for name in names if name in plan.index}


def frames_at(plan: Plan, names: set[str], times: Array) -> Snapshot:
    """Return a snapshot of some frames and their ancestors at times (n,)."""
    return evaluate_tree(subtree(plan.tree, names & set(plan.index)), times)


def seen_before(plan: Plan, snapshot: Snapshot, of: str, delay: Delay) -> Snapshot:
    """Return a snapshot with one more row: the earlier pose of a frame, seen through a fixed frame."""
    then = frames_at(plan, {of, delay.through}, snapshot.t - delay.seconds)
    return seen_through(snapshot, then, of, delay.through)


def plot_curves(plan: Plan, plot: CompiledPlot, times: Array, snapshot: Snapshot | None = None) -> Array:
    """Return the curves (n, k) of a signal at times (n,), in its unit, evaluating only the frames it needs.

    A `snapshot` of the frames in `frames_of` at the same times avoids evaluating them. Values are NaN where the signal
    has none, for example after the end of a simulation, or everywhere if the item has a problem. Further signals of the
    same plot need their own calls.
    """
    usual, names = _components(plan, plot)
    columns = plot.components or usual
    values = load_entry(signal_named(plot.signal).compute)(SignalSamples(plan, plot, times, snapshot))
    if values is None:
        return np.full((len(times), len(columns)), np.nan)
    if plot.wrapped:
        for i in (names.index(name) for name in plot.wrapped):
            values[:, i] -= 2.0 * np.pi * np.round(values[:, i] / (2.0 * np.pi))
    if columns != names:
        values = np.stack([_component(values, names, name) for name in columns], axis=-1)
    return values / plot.factor


def _components(plan: Plan, plot: CompiledPlot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the components shown by default, and the computed components in order."""
    if plot.signal == "sensor" and plot.of not in plan.instruments.sensors:
        return (), ()
    components = components_of(plot, plan.scene)
    return components.usual, components.columns


def _component(values: Array, names: tuple[str, ...], name: str) -> Array:
    """Return one component (n,) of values (n, k), or the magnitude of three components."""
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
    names = _components(plan, plot)[0]
    known = dict(zip(names, _usual_labels(plan, plot, names), strict=True))
    short_labels = (known.get(name, name) for name in plot.components or names)
    pairs = zip(plot.components or names, short_labels, strict=True)
    return tuple(f"{label}, wrapped" if name in plot.wrapped else label for name, label in pairs)


def _usual_labels(plan: Plan, plot: CompiledPlot, names: tuple[str, ...]) -> tuple[str, ...]:
    if plot.signal == "sensor":
        compiled = plan.instruments.sensors.get(plot.of)
        return () if compiled is None else compiled.sensor.labels
    if len(names) == len(plot.sequence):
        return tuple(f"{name} about {axis.lower()}" for name, axis in zip(names, plot.sequence, strict=True))
    return names


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
    if plot.relative_to and not signal_named(plot.signal).is_in_parent:
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


@dataclass(frozen=True, eq=False)
class SignalSamples:
    """Times (n,) at which a signal is computed, and the frames at these times, evaluated on first use.

    `given` is a snapshot of the frames in `frames_of` at the same times; None evaluates them. `evaluated` has the
    earlier pose of the frame, too, if the signal has a delay.
    """

    plan: Plan
    signal: CompiledPlot
    times: Array
    given: Snapshot | None = None
    evaluated: Snapshot | None = None

    @cached_property
    def snapshot(self) -> Snapshot:
        """Frames at the times, with the earlier pose of the frame if the signal has a delay."""
        if self.evaluated is not None:
            return self.evaluated
        plan, signal = self.plan, self.signal
        snapshot = self.given or frames_at(plan, frames_of(plan, signal), self.times)
        return seen_before(plan, snapshot, signal.of, self._delay) if signal.through else snapshot

    @property
    def traces(self) -> FrameTraces:
        """Traces of the frames in the snapshot."""
        return self.plan.traces.with_delay(self._delay) if self.signal.through else self.plan.traces

    @property
    def row(self) -> str:
        """Name of the row of the frame in the snapshot."""
        return self.traces.row_of(self.signal.of)

    @property
    def _delay(self) -> Delay:
        return Delay(self.signal.through, self.signal.delay)

    @property
    def smoothed(self) -> SignalSamples:
        """Samples of the smoothed motion, from which rates come."""
        return replace(self, evaluated=self.snapshot.smoothed)

    def hide_unknown(self, values: Array) -> Array:
        """Return the values (n, k) of a relation, NaN where one frame has no known pose relative to the other."""
        is_known = relative_motion.are_known(self.snapshot, self.row, self.signal.relative_to)
        return np.where(is_known[:, np.newaxis], values, np.nan)


# --- Functions that compute the signals of `framescope.core.scene.schema.signal_kinds`, in SI units


def relative_vector(samples: SignalSamples) -> Array:
    """Return a vector (n, 3) of the motion of one frame relative to another."""
    signal = samples.signal
    return RELATIVE[signal.signal](samples.snapshot, samples.row, signal.relative_to, signal.resolved_in)


def specific_force(samples: SignalSamples) -> Array:
    """Return the specific force (n, 3) of a frame."""
    g_W = gravity_of_specific_force(samples.plan.scene).g_W
    return relative_motion.specific_force(samples.snapshot, samples.row, samples.signal.resolved_in, g_W)


def residues_in_parent(samples: SignalSamples) -> Array:
    """Return the residues (n, 6) of the orientation of a frame in its parent."""
    return residues(samples.snapshot, samples.signal.of)


def quaternion(samples: SignalSamples) -> Array:
    """Return the continuous quaternions (n, 4) of a relation, scalar last."""
    signal = samples.signal
    return samples.hide_unknown(samples.traces.quaternions(samples.snapshot, signal.of, signal.relative_to))


def of_relation(samples: SignalSamples) -> Array:
    """Return the values (n, k) of the formula of a signal, which takes parts of a relation by their names."""
    kind = signal_named(samples.signal.signal)
    samples = samples.smoothed if kind.has_rate else samples
    formula = formula_of(kind, samples.signal.sequence)
    parts = [_part_of_relation(samples, name) for name in formula.arguments]
    values = formula(*parts)
    return samples.hide_unknown(values.reshape(len(values), math.prod(values.shape[1:])))


def _part_of_relation(samples: SignalSamples, name: str) -> Array:
    """Return the matrix ``T`` (n, 3, 3) of a relation, or a vector (n, 3) by the letter that sensors have for it."""
    signal, snapshot = samples.signal, samples.snapshot
    if name == "T":
        return samples.traces.rotations(snapshot, signal.of, signal.relative_to)
    resolved_in = signal.resolved_in or signal.relative_to
    return RELATIVE[SENSED[name]](snapshot, samples.row, signal.relative_to, resolved_in)


def angles(samples: SignalSamples) -> Array:
    """Return the continuous angles (n, 3) of a relation."""
    signal = samples.signal
    sequence = signal.sequence
    return samples.hide_unknown(samples.traces.angles(samples.snapshot, signal.of, signal.relative_to, sequence))


def angle_rates(samples: SignalSamples) -> Array:
    """Return the rates (n, 3) of the continuous angles; NaN at gimbal lock, where the angles are arbitrary."""
    samples = samples.smoothed
    signal, row = samples.signal, samples.row
    values = angles(samples)
    w = RELATIVE["angular velocity"](samples.snapshot, row, signal.relative_to, row)
    rates = np.full((len(values), 3), np.nan)
    is_known = np.isfinite(values).all(axis=-1) & np.isfinite(w).all(axis=-1)
    if is_known.any():
        rates[is_known] = kinematics.euler_rates(signal.sequence, values[is_known], w[is_known])
        _, condition = kinematics.singularity_measure(signal.sequence, values[is_known])
        rates[np.flatnonzero(is_known)[condition >= kinematics.UNSURE]] = np.nan
    return rates


def gimbal_lock_measure(samples: SignalSamples) -> Array:
    """Return the nearness (n, 1) of gimbal lock; 1 at gimbal lock."""
    return _nearness(samples)[0]


def condition_number(samples: SignalSamples) -> Array:
    """Return the condition number (n, 1) of the map from angular velocity to angle rates; infinite at gimbal lock."""
    return _nearness(samples)[1]


def _nearness(samples: SignalSamples) -> tuple[Array, Array]:
    values = angles(samples)
    measures = np.full((2, len(values), 1), np.nan)
    is_known = np.isfinite(values).all(axis=-1)
    if is_known.any():
        measures[:, is_known, 0] = kinematics.singularity_measure(samples.signal.sequence, values[is_known])
    return measures[0], measures[1]


def sensor_values(samples: SignalSamples) -> Array | None:
    """Return the values of a sensor."""
    plan = samples.plan
    compiled = plan.instruments.sensors.get(samples.signal.of)
    if compiled is None:
        return None
    return read_sensor(compiled, samples.snapshot, plan.traces)


def measured_and_computed(samples: SignalSamples) -> Array | None:
    """Return measured values beside the values computed from the tree."""
    measurement = samples.plan.instruments.measurements.get(samples.signal.of)
    return None if measurement is None else _measurement_curves(measurement, samples.snapshot)


def _measurement_curves(measurement: CompiledMeasurement, snapshot: Snapshot) -> Array:
    """Return measured values beside the values computed from the tree: vectors in their unit, positions of poses."""
    measurement_values = read_measurement(measurement, snapshot)
    of, relative_to = measurement.of, measurement.relative_to
    if measurement_values.vector is not None:
        computed = RELATIVE[measurement.kind](snapshot, of, relative_to, measurement.resolved_in)
        return np.concatenate([measurement_values.vector, computed], axis=-1) / measurement.factor
    p_WM = measurement_values.p_WM if measurement_values.p_WM is not None else np.full((len(snapshot.t), 3), np.nan)
    i = snapshot.index[relative_to]
    p = linear_algebra.apply_transposed(snapshot.R_WF[:, i], p_WM - snapshot.p_WF[:, i])
    return np.concatenate([p, relative_motion.relative_position(snapshot, of, relative_to, relative_to)], -1)


def energy(samples: SignalSamples) -> Array | None:
    """Return the energies (n, 5) of all simulated bodies, by the names in `ENERGIES`."""
    simulation = samples.plan.instruments.simulation
    if simulation is None:
        return None
    sums = simulation.energy(samples.times)
    return np.stack([sums.kinetic, sums.potential, sums.work, sums.dissipated, sums.residual], axis=-1)


def linear_momentum(samples: SignalSamples) -> Array | None:
    """Return the linear momentum (n, 3) of all simulated bodies."""
    simulation = samples.plan.instruments.simulation
    return None if simulation is None else simulation.momentum(samples.times).linear


def angular_momentum(samples: SignalSamples) -> Array | None:
    """Return the angular momentum (n, 3) of all simulated bodies about the origin of the world."""
    simulation = samples.plan.instruments.simulation
    return None if simulation is None else simulation.momentum(samples.times).angular


def port_force(samples: SignalSamples) -> Array | None:
    """Return the force (n, k) on the body of a point."""
    return _read_simulation(samples, lambda simulation: simulation.port_forces(samples.times))


def port_velocity(samples: SignalSamples) -> Array | None:
    """Return the velocity (n, k) of a point."""
    return _read_simulation(samples, lambda simulation: simulation.port_velocities(samples.times))


def port_displacement(samples: SignalSamples) -> Array | None:
    """Return the displacement (n, k) of a point from rest."""
    return _read_simulation(samples, lambda simulation: simulation.displacements(samples.times))


def element_force(samples: SignalSamples) -> Array | None:
    """Return the force (n, k) of an element."""
    return _read_simulation(samples, lambda simulation: simulation.element_forces(samples.times))


def constraint_error(samples: SignalSamples) -> Array | None:
    """Return the position error (n, k) of a constraint."""

    def displacements(simulation: Simulation) -> Mapping[str, Array]:
        return {name: error for name, (error, _) in simulation.constraint_errors(samples.times).items()}

    return _read_simulation(samples, displacements)


def _read_simulation(samples: SignalSamples, read: Callable[[Simulation], Mapping[str, Array]]) -> Array | None:
    """Return the values (n, k) of the item of a signal; None without a simulation of the item."""
    simulation = samples.plan.instruments.simulation
    values = None if simulation is None else read(simulation).get(samples.signal.of)
    return None if values is None else values.reshape(len(samples.times), -1)


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
        tree = plan.trail_trees[trail.frame]
        if trail.duration is None:
            paths[trail.frame] = _path(tree, trail.frame, plan.start, plan.end, PATH_POINTS)
            continue
        start = min(t, max(plan.start, t - trail.duration))
        paths[trail.frame] = _path(tree, trail.frame, start, t, TRAIL_POINTS)
    return paths


@cache_per_owner(2)
def _path(tree: FrameTree, frame: str, start: float, end: float, n: int) -> Array:
    """Return the path (n, 3) of a frame in world; kept with the tree, which a drag of other frames leaves alone."""
    times = np.linspace(start, end, n)
    if tree.switches or len(tree.unconnected):
        p_WF = drawn_frames(tree, evaluate_tree(tree, times)).p_WF
    else:
        _, p_WF = poses_at(tree, times)
    return read_only(p_WF[:, tree.index[frame]])


Report = Callable[[int, int], None]
"""Function that receives the finished and the total number of steps."""


def _ignore_steps(_done: int, _total: int) -> None:
    """Report the steps to nobody."""


def sample_curves(
    plan: Plan, signals: Sequence[CompiledPlot], times: Array, report: Report = _ignore_steps
) -> Iterator[Array]:
    """Yield the curves (n, k) of each signal, as `plot_curves`, evaluating each frame once for all signals.

    Frames are evaluated in blocks of times, so that memory grows only with the result. `report` is called after each
    signal of each block, and may raise an exception to cancel.
    """
    shared = [frames_of(plan, signal) if not signal.through else set[str]() for signal in signals]
    tree = subtree(plan.tree, set[str]().union(*shared))
    time_blocks = blocks_of_times(tree, times)
    parts: list[list[Array]] = [[] for _ in signals]

    def add_block(i_block: int, block: Array) -> None:
        snapshot = evaluate_tree(tree, block) if any(shared) else None
        for i, (signal, names) in enumerate(zip(signals, shared, strict=True)):
            parts[i].append(plot_curves(plan, signal, block, snapshot if names else None))
            report(i_block * len(signals) + i + 1, len(time_blocks) * len(signals))

    for i_block, block in enumerate(time_blocks):
        add_block(i_block, block)
    for blocks in parts:
        yield np.concatenate(blocks)
        blocks.clear()


def tabulate(
    plan: Plan, signals: Iterable[CompiledPlot], times: Array, report: Report = _ignore_steps
) -> Mapping[str, Array]:
    """Return a column (n,) for the time and for each component of each signal, by a descriptive name.

    `report` is as in `sample_curves`.

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
    singles = [signal for plot in signals for signal in plot.signals]
    for signal, values in zip(singles, sample_curves(plan, singles, times, report), strict=True):
        whole = describe(replace(signal, components=(), wrapped=()))
        for i, label in enumerate(labels(plan, signal)):
            columns[f"{whole}: {label}"] = np.ascontiguousarray(values[:, i])
    return columns

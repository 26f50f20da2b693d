"""Sensors, connection points and measurements of a scene: compiled with the plan, evaluated on request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from framescope.core.errors import ItemError, NoSuchNameError, Problem, add_problem
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.compile.gravity import gravity_of_specific_force
from framescope.core.evaluation.compile.orientations import compile_orientation, compile_position, no_sequence
from framescope.core.evaluation.compile.recorded import compile_recorded, file_problems
from framescope.core.evaluation.compile.recordings.sensors import RecordedValues, compile_recorded_sensor
from framescope.core.evaluation.compile.recordings.vectors import Series, read_series
from framescope.core.evaluation.compile.simulation_systems import Assembly
from framescope.core.evaluation.frame_traces import FrameTraces
from framescope.core.evaluation.local_motion import LocalMotion, MotionContext
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_sequence
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema import measured as authored
from framescope.core.scene.schema import sensors as switches
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.sensors import AbsoluteSensor, RelativeSensor
from framescope.core.snapshot import Lazily, Measurement, PortState, Snapshot, VectorArrow
from framescope.core.system.file_access import resolve_named

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation

ARROW_UNITS = {
    "v": "arrow of a velocity",
    "a": "arrow of an acceleration",
    "w": "arrow of an angular velocity",
    "z": "arrow of an angular acceleration",
    "s": "arrow of an acceleration",
}


@dataclass(frozen=True, eq=False)
class CompiledSensor:
    """A sensor whose frames exist; `arrows` has the length of the arrow per SI unit of each drawn vector, m."""

    name: str
    sensor: AbsoluteSensor | RelativeSensor | RecordedValues
    arrows: Mapping[str, float]

    @property
    def frames(self) -> set[str]:
        """Frames that the sensor needs, including the world."""
        own = {self.sensor.frame_a, self.sensor.resolved_in, "world"}
        return own | ({self.sensor.frame_b} if isinstance(self.sensor, RelativeSensor) else set[str]())

    @property
    def at(self) -> str:
        """Frame at which the arrows of the sensor are drawn."""
        return self.sensor.frame_b if isinstance(self.sensor, RelativeSensor) else self.sensor.frame_a

    @property
    def seen_from(self) -> str:
        """Frame relative to which the sensor measures; for a recorded sensor its own frame."""
        return "world" if isinstance(self.sensor, AbsoluteSensor) else self.sensor.frame_a


@dataclass(frozen=True, eq=False)
class CompiledMeasurement:
    """A measurement of frame `of` relative to another: a `pose`, or a `series` of the vector `kind`.

    If the position or the orientation is not measured, `pose` returns the origin or no rotation instead. `motion` is
    the recording of a recorded measurement.
    """

    name: str
    kind: str
    of: str
    relative_to: str
    resolved_in: str
    pose: Callable[[Array], tuple[Array, Array]] | None = None
    series: Series | None = None
    unit: str = ""
    factor: float = 1.0
    has_position: bool = True
    has_orientation: bool = True
    motion: LocalMotion | None = None


@dataclass(frozen=True, eq=False)
class CompiledPoint:
    """A connection point: its frame, kind and offset (3,) in the frame, m."""

    name: str
    frame: str
    kind: str
    offset: Array


@dataclass(frozen=True, eq=False)
class Instruments:
    """All instruments of a scene, by name."""

    sensors: Mapping[str, CompiledSensor]
    points: Mapping[str, CompiledPoint]
    measurements: Mapping[str, CompiledMeasurement]
    simulation: Simulation | None


def compile_instruments(
    scene: Scene,
    index: Mapping[str, int],
    assembly: Assembly,
    simulation: Simulation | None,
    context: MotionContext,
    problems: list[Problem],
) -> Instruments:
    """Return the instruments of a scene; unusable instruments are skipped and added to `problems`."""
    sensors: dict[str, CompiledSensor] = {}
    measurements: dict[str, CompiledMeasurement] = {}
    for name, sensor in scene.sensors.items():
        try:
            compiled = _sensor(name, sensor, index, context, gravity_of_specific_force(scene).g_W)
            sensors[name] = replace(compiled, arrows={}) if name in scene.view.hidden.sensors else compiled
        except ItemError as problem:
            add_problem(problems, ("sensors", name), problem)
    for name, measurement in scene.measured.items():
        try:
            measurements[name], measurement_problems = compile_measurement(name, measurement, index, context)
        except ItemError as problem:
            add_problem(problems, ("measured", name), problem)
        else:
            problems += (replace(p, key_path=("measured", name, *p.key_path)) for p in measurement_problems)
    system_points = assembly.jobs[0].system.points if assembly.jobs else ()
    points = {point.name: CompiledPoint(point.name, point.body, point.kind, point.offset) for point in system_points}
    return Instruments(sensors, points, measurements, simulation)


def read_out(instruments: Instruments, snapshot: Snapshot, traces: FrameTraces) -> Snapshot:
    """Return a snapshot of frames with the values of the instruments."""
    sensors, measurements = instruments.sensors, instruments.measurements
    return replace(
        snapshot,
        sensors=Lazily({name: partial(read_sensor, item, snapshot, traces) for name, item in sensors.items()}),
        arrows=Lazily({name: partial(_arrows, item, snapshot) for name, item in sensors.items() if item.arrows}),
        ports=_ports(instruments, snapshot),
        measurements=Lazily({name: partial(read_measurement, item, snapshot) for name, item in measurements.items()}),
    )


# --- Sensors


def _require_frames(names: Mapping[str, str | None], index: Mapping[str, int]) -> None:
    for key, name in names.items():
        if name is not None and name not in index:
            raise NoSuchNameError((key,), "frame", name, index)


def _sensor(
    name: str, item: switches.Sensor, index: Mapping[str, int], context: MotionContext, g_W: Array
) -> CompiledSensor:
    if isinstance(item, switches.RecordedSensor):
        _require_frames({"frame_a": item.frame_a}, index)
        recorded, lengths = compile_recorded_sensor(item, context)
        return CompiledSensor(name, recorded, lengths if item.animation else {})
    others = {"frame_resolve": item.frame_resolve} if isinstance(item, switches.AbsoluteSensor) else {
        "frame_b": item.frame_b, "resolve_in": item.resolve_in
    }  # fmt: skip
    _require_frames({"frame_a": item.frame_a, **others}, index)
    try:
        as_sequence(item.sequence)
    except ValueError:
        raise no_sequence(item.sequence, ("sequence",)) from None
    settings = {key: getattr(item, key) for key in type(item).model_fields if key not in {"form", "arrows"}}
    if isinstance(item, switches.AbsoluteSensor):
        settings["gravity_W"] = tuple(g_W.tolist())
    settings["guess_angle1"] = item.guess_angle1.si("angle", ("guess_angle1",))
    kind = AbsoluteSensor if isinstance(item, switches.AbsoluteSensor) else RelativeSensor
    try:
        sensor = kind(**settings)
    except ValueError as error:
        raise ItemError((), f"{error}.") from None
    arrows: dict[str, float] = {}
    for key, dimension in ARROW_UNITS.items():
        length = getattr(item.arrows, key, None)
        if length is not None:
            arrows[key] = length.si(dimension, ("arrows", key))
            if not arrows[key] > 0.0:
                raise ItemError(("arrows", key), f"expected more than zero, got {length}.")
    return CompiledSensor(name, sensor, arrows if item.animation else {})


def read_sensor(compiled: CompiledSensor, snapshot: Snapshot, traces: FrameTraces) -> Array:
    """Return the values of a sensor; angles are continuous from the start, where the sensor's guess selects the set."""
    sensor = compiled.sensor
    values = sensor.output(snapshot)
    if isinstance(sensor, RecordedValues):
        return values
    place = sensor.slices.get("angles")
    if place is not None:
        angles = traces.angles(snapshot, compiled.at, compiled.seen_from, sensor.sequence, float(sensor.guess_angle1))
        values[..., place] = np.where(np.isfinite(values[..., place]), angles, np.nan)
    return values


def _arrows(compiled: CompiledSensor, snapshot: Snapshot) -> Mapping[str, VectorArrow]:
    """Return the vectors that a sensor draws, at its frame."""
    p_W = snapshot.p_WF[..., snapshot.index[compiled.at], :]
    if isinstance(compiled.sensor, RecordedValues):
        R_WF, values = snapshot.R_WF[..., snapshot.index[compiled.at], :, :], compiled.sensor.output(snapshot)
        vector = linear_algebra.apply_matrix(R_WF, compiled.sensor.factor * values)
        return {key: VectorArrow(p_W, vector) for key in compiled.arrows}
    frames = snapshot, compiled.at, compiled.seen_from, "world"
    halves = {"w": slice(0, 3), "z": slice(0, 3), "v": slice(3, 6), "a": slice(3, 6)}
    arrows: dict[str, VectorArrow] = {}
    for key in compiled.arrows:
        if isinstance(compiled.sensor, AbsoluteSensor) and key == "s":
            g_W = np.array(compiled.sensor.gravity_W)
            arrows[key] = VectorArrow(p_W, relative_motion.specific_force(snapshot, compiled.at, "world", g_W))
            continue
        motion = relative_motion.relative_velocity if key in "vw" else relative_motion.relative_acceleration
        arrows[key] = VectorArrow(p_W, motion(*frames)[..., halves[key]])
    return arrows


# --- Connection points


def _ports(instruments: Instruments, snapshot: Snapshot) -> Mapping[str, PortState]:
    """Return the state of the connection points; empty without a simulation."""
    simulation = instruments.simulation
    if simulation is None:
        return {}
    t = snapshot.t.reshape(-1)

    def at_all(read: Callable[[Array], Mapping[str, Array]]) -> dict[str, Array]:
        return {name: values.reshape((*snapshot.t.shape, *values.shape[1:])) for name, values in read(t).items()}

    reads = {"F": simulation.port_forces, "v": simulation.port_velocities, "x": simulation.displacements}
    together = Lazily({name: partial(at_all, read) for name, read in reads.items()})

    def port(point: CompiledPoint) -> PortState:
        i = snapshot.index[point.frame]
        F = together["F"][point.name]
        p_W = snapshot.p_WF[..., i, :] + linear_algebra.apply_matrix(snapshot.R_WF[..., i, :, :], point.offset)
        force_W = F if point.kind == "XYZ" else F[..., np.newaxis] * np.eye(3)["XYZ".index(point.kind)]
        return PortState(F, together["v"][point.name], together["x"][point.name], p_W, force_W)

    return Lazily({name: partial(port, point) for name, point in instruments.points.items()})


# --- Measurements


def compile_measurement(
    name: str, measurement: authored.Measured, index: Mapping[str, int], context: MotionContext
) -> tuple[CompiledMeasurement, tuple[Problem, ...]]:
    """Return a measurement and its problems; raise `ItemError` if it is unusable."""
    _require_frames({"of": measurement.of, "relative_to": measurement.relative_to}, index)
    if isinstance(measurement, authored.MeasuredVector):
        _require_frames({"resolved_in": measurement.resolved_in}, index)
        factor = unit_factor(measurement.unit, measurement.form, ("unit",))
        time = unit_factor(measurement.time_unit, "recorded time", ("time_unit",))
        path = resolve_named(measurement.file, context.access, ("file",), TABLE_FILES)
        with file_problems(("file",), measurement.file):
            series = read_series(path, measurement.time, time, measurement.values, measurement.mends)
        start = measurement.start.si("time", ("start",))
        shifted = replace(series, t=series.t + start, values=factor * series.values)
        frames = (measurement.of, measurement.relative_to, measurement.resolved_in)
        unit = measurement.unit or ""
        return CompiledMeasurement(name, measurement.form, *frames, series=shifted, unit=unit, factor=factor), ()
    frames = (measurement.of, measurement.relative_to, measurement.relative_to)
    if measurement.motion is not None:
        for key in ("position", "orientation"):
            if getattr(measurement, key) is not None:
                raise ItemError((key,), "a recorded pose comes from the recording.", f"Remove {key}.")
        motion = compile_recorded(measurement.motion, context)
        columns = measurement.motion.columns
        has_position = columns is None or columns.position is not None
        has_orientation = columns is None or columns.orientation is not None
        about = name, measurement.form, *frames
        compiled = CompiledMeasurement(
            *about, motion.pose, has_position=has_position, has_orientation=has_orientation, motion=motion
        )
        return compiled, motion.problems
    position = compile_position(measurement.position, ("position",), context)
    if measurement.orientation is None:
        problems, turn = (), None
    else:
        orientation = compile_orientation(measurement.orientation, ("orientation",), context)
        problems, turn = orientation.problems, orientation.sample

    def pose(t: Array) -> tuple[Array, Array]:
        p = position(t)[0]
        return (np.broadcast_to(np.eye(3), (len(t), 3, 3)) if turn is None else turn(t).T), p

    has_position, has_orientation = measurement.position is not None, measurement.orientation is not None
    about = name, measurement.form, *frames
    return CompiledMeasurement(*about, pose, has_position=has_position, has_orientation=has_orientation), problems


def read_measurement(compiled: CompiledMeasurement, snapshot: Snapshot) -> Measurement:
    """Return the measured values at the times of a snapshot; unmeasured parts of a pose come from the frame."""
    t = snapshot.t.reshape(-1)
    if compiled.series is not None:
        return Measurement(vector=compiled.series(t).reshape(*snapshot.t.shape, 3))
    if compiled.pose is None:
        return Measurement()
    with np.errstate(all="ignore"):
        T, p = compiled.pose(t)
    i, k = snapshot.index[compiled.relative_to], snapshot.index[compiled.of]
    R_WP, p_WP = snapshot.R_WF[..., i, :, :], snapshot.p_WF[..., i, :]
    T, p = T.reshape(*snapshot.t.shape, 3, 3), p.reshape(*snapshot.t.shape, 3)
    R_WM = linear_algebra.multiply_matrices(R_WP, linear_algebra.transpose(T))
    p_WM = p_WP + linear_algebra.apply_matrix(R_WP, p)
    if not compiled.has_orientation:
        R_WM = np.where(np.isfinite(R_WM), snapshot.R_WF[..., k, :, :], np.nan)
    if not compiled.has_position:
        p_WM = np.where(np.isfinite(p_WM), snapshot.p_WF[..., k, :], np.nan)
    return Measurement(R_WM=R_WM, p_WM=p_WM)

"""Twins: one body with a chain of mounts and a few sensors, with the same faults over formats, noise and motions.

What the families of `corpus` have once, these have in many combinations: each way to misread a recording, behind none,
one or two fixed frames, in each format of trajectories, seen by one sensor or by several. Some of them cannot be
decided by what is measured. There every explanation that fits has to be offered, and none preferred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tests.setups import faults as f
from tests.setups.corpus import Case, case
from tests.setups.faults import Fault
from tests.setups.items import Fixed, Item, Log, Setup, Vector
from tests.setups.motions import (
    Array,
    Placed,
    Pose,
    driven,
    relative,
    shaken,
    still,
    turn,
    vector,
    wandering,
    waves,
)

Make = Callable[[], Setup]


@dataclass(frozen=True)
class Noise:
    """Standard deviations about and along each axis: m, degrees, rad/s, m/s and m/s²."""

    metres: float
    degrees: float
    rate: float
    speed: float
    push: float


QUIET = Noise(5e-4, 0.03, 0.003, 0.005, 0.02)
LOUD = Noise(4e-3, 0.3, 0.02, 0.03, 0.1)

FORMS = {"table": "xyzw", "tum": "xyzw", "euroc": "wxyz", "kitti": "frame to parent"}
"""What is written of an orientation in each format."""

MOUNTS = (
    (turn("ZYX", 70.0, -25.0, 35.0), (0.31, -0.12, 0.24)),
    (turn("ZYX", -40.0, 15.0, 100.0), (-0.08, 0.22, 0.11)),
)
"""The pose of each mount in the one before, the body first."""

SENSORS = ("gyro", "velocity", "accelerometer", "slam")


def flight(seed: int) -> Placed:
    """A body that goes and turns about all axes."""
    random = np.random.default_rng((71, seed))
    way, angles = waves(random, (1.4, 1.1, 0.6), 0.35), waves(random, (0.9, 0.45, 0.5), 0.45)
    return wandering("world", lambda t: way(t) + np.array([0.7, -0.4, 1.5]), angles)


def drive(seed: int, span: float = 30.0, turning: float = 0.2, speed: float = 4.0) -> Placed:
    """A body on level ground that goes where it points, and turns slowly."""
    way = driven(np.random.default_rng((72, seed)), span, speed, turning)

    def p(t: Array) -> Array:
        return np.column_stack([way.position(t), np.zeros(len(t))])

    def angles(t: Array) -> Array:
        return np.column_stack([way.yaw(t), np.zeros((len(t), 2))])

    return wandering("world", p, angles)


def nod(seed: int) -> Placed:
    """A body that hardly moves, and turns a little about one axis."""
    random = np.random.default_rng((73, seed))
    way, pitch = waves(random, (0.02, 0.01, 0.015), 0.3), waves(random, (0.12,), 0.4)
    return wandering("world", way, lambda t: np.column_stack([np.zeros(len(t)), pitch(t), np.zeros(len(t))]))


def rig(
    body: Placed,
    seed: int = 0,
    mounts: int = 1,
    file_format: str = "table",
    form: str = "",
    noise: Noise = QUIET,
    sensors: tuple[str, ...] = ("gyro",),
    span: float = 16.0,
    said: str = "",
) -> Setup:
    """Return a healthy set-up: `sensors` on the last mount, whose frame is that of the body where there is none."""
    random = np.random.default_rng((74, seed))
    truth, frames, sensor = {"body": body}, dict[str, Fixed | Log](), "body"
    for i, (R, p) in enumerate(MOUNTS[:mounts]):
        name = f"mount_{i + 1}"
        truth[name] = still(sensor, R, p)
        frames[name] = Fixed(sensor, R, np.array(p), "frame to parent")
        sensor = name

    def times(hz: float) -> Array:
        return np.arange(int(span * hz) + 1) / hz

    def poses(of: str, t: Array) -> Pose:
        return shaken(random, relative(truth, of, "world", t), noise.metres, noise.degrees)

    t = times(50.0)
    written = Log("world", t, *poses("body", t), form or FORMS[file_format], said=said, format=file_format)
    measured: dict[str, Item] = {}
    kinds = {
        "gyro": ("angular velocity", sensor, "rad/s", noise.rate, 100.0),
        "velocity": ("velocity", "world", "m/s", noise.speed, 20.0),
        "accelerometer": ("acceleration", sensor, "m/s²", noise.push, 100.0),
    }
    for name in sensors:
        if name == "slam":
            t = times(15.0)
            measured[name] = Log("world", t, *poses(sensor, t), "wxyz", of=sensor)
            continue
        kind, resolved_in, unit, deviation, hz = kinds[name]
        t = times(hz)
        values = vector(truth, kind, sensor, "world", resolved_in, t)
        values = values + deviation * random.normal(size=values.shape)
        measured[name] = Vector(kind, sensor, "world", resolved_in, t, values, unit)
    return Setup({"body": written, **frames}, measured, truth, span)


# --- Faults of what a format fixes


def misread(file_format: str) -> Fault:
    """A quaternion in the other order than a format, or the scene, says."""
    if file_format == "table":
        return f.order("body", "wxyz")
    other = {"tum": "wxyz", "euroc": "xyzw"}[file_format]
    return f.said("body", f"written {other}", "xyzw|wxyz|order|scalar", form=other)


def in_unit(file_format: str, unit: str) -> Fault:
    """Positions in another unit than a format, or the scene, says."""
    words = f"{unit}|times"
    if file_format == "table":
        return f.said("body", f"{unit} said to be m", words, unit=unit, said_unit="m")
    return f.said("body", f"written in {unit}", words, unit=unit)


def permuted(item: str) -> Fault:
    """The frame's axes renamed in turn."""
    P = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return f.posed(item, "axes in turn", "axes|turned", lambda R, p: (R @ P, p))


def lever_forgotten(item: str) -> Fault:
    """A position that nobody has written."""
    words = "position|lever|away"
    return f.posed(item, "lever forgotten", words, lambda R, p: (R, 0.0 * p))


def lever_unknown(item: str, arm: tuple[float, float, float], make: Make) -> Fault:
    """A sensor off the origin of the frame that it is said to be of."""

    def changed(one: Vector) -> Vector:
        setup = make()
        truth = {**setup.truth, "arm": still(one.of, np.eye(3), arm)}
        by = [vector(truth, one.kind, of, one.relative_to, one.resolved_in, one.t) for of in ("arm", one.of)]
        return replace(one, values=one.values + by[0] - by[1])

    return Fault(item, "lever unknown", changed, "position|lever|away|from the origin")


# --- The combinations


def single(seed: int = 0) -> Iterator[Case]:
    """Set-ups with one fault."""
    yield from _of_readings(seed)
    yield from _of_units(seed + 1000)
    yield from _of_headings(seed + 2000)
    yield from _of_levers(seed + 3000)
    yield from _of_mounts(seed + 4000)
    yield from _of_sensors(seed + 5000)


def _maker(label: str, body: Callable[[int], Placed], seed: int, **fields: object) -> tuple[Make, str]:
    return partial(rig, body(seed), seed, **fields), label  # type: ignore[arg-type]


def _of_readings(seed: int) -> Iterator[Case]:
    """Order, direction and axes of a recording, in each format, behind none, one or two mounts."""
    every = ("gyro", "velocity", "slam")
    k = 0
    for file_format in FORMS:
        readings = [f.orientation_inverted("body"), f.inverted("body"), f.frd("body"), permuted("body")]
        readings += [misread(file_format)] if file_format != "kitti" else []
        for i, fault in enumerate(readings):
            for mounts in (0, 1, 2):
                k += 1
                noise = LOUD if (k + mounts) % 2 else QUIET
                sensors = every if (i + mounts) % 3 == 0 else ("gyro",)
                make, label = _maker(
                    f"{file_format} behind {mounts}, {len(sensors)} sensors, {'loud' if noise is LOUD else 'quiet'}",
                    flight, seed + k, mounts=mounts, file_format=file_format, noise=noise, sensors=sensors,
                )  # fmt: skip
                yield case(make, label, fault)
    for mounts in (0, 2):
        make, label = _maker(f"NED behind {mounts}", flight, seed + 90 + mounts, mounts=mounts, sensors=every)
        yield case(make, label, f.ned("body"))
    for form, other in (("ZYX deg", "ZYX rad"), ("ZYX rad", "ZYX deg"), ("ZYX deg", "XYZ deg"), ("ZYX deg", "zyx deg")):
        k += 1
        make, label = _maker(f"angles behind {k % 3}", flight, seed + k, mounts=k % 3, form=form)
        yield case(make, label, f.said("body", f"{form} said to be {other}", "deg|rad|sequence|fixed", said=other))


def _of_units(seed: int) -> Iterator[Case]:
    for k, (file_format, unit, sensor) in enumerate((
        ("tum", "mm", "velocity"), ("tum", "cm", "slam"), ("kitti", "mm", "slam"), ("euroc", "in", "velocity"),
        ("table", "in", "velocity"), ("table", "cm", "accelerometer"), ("tum", "mm", "accelerometer"),
    )):  # fmt: skip
        for noise in (QUIET, LOUD)[: 2 if k < 3 else 1]:
            make, label = _maker(
                f"{file_format} with {sensor}, {'loud' if noise is LOUD else 'quiet'}", flight, seed + k, mounts=k % 3,
                file_format=file_format, noise=noise, sensors=(sensor, "gyro"),
            )  # fmt: skip
            yield case(make, label, in_unit(file_format, unit))
    for k, (file_format, by) in enumerate((("tum", 1.06), ("table", 0.9))):
        make, label = _maker(file_format, flight, seed + 20 + k, file_format=file_format, sensors=("velocity", "slam"))
        yield case(make, label, f.scaled("body", by))


def _of_headings(seed: int) -> Iterator[Case]:
    """Headings that count the other way, on level ground."""
    k = 0
    for written, said in (("clockwise", "counterclockwise"), ("compass", "counterclockwise")):
        for mounts in (0, 1):
            for sensors in (("gyro",), ("gyro", "velocity"), ("gyro", "slam")):
                k += 1
                make, label = _maker(
                    f"drive behind {mounts} with {' and '.join(sensors)}", drive, seed + k, mounts=mounts, span=30.0,
                    noise=(QUIET, LOUD)[k % 2], sensors=sensors, form=f"heading deg {written}",
                )  # fmt: skip
                words = f"{written}|heading"
                yield case(
                    make, label, f.said("body", f"{written} said to count {said}", words, said=f"heading deg {said}")
                )
    for mounts in (0, 1):
        make, label = _maker(f"drive behind {mounts} with slam", drive, seed + 20 + mounts, mounts=mounts, span=30.0,
                             sensors=("gyro", "slam"), form="heading deg compass")  # fmt: skip
        fault = f.said(
            "body", "compass said to count clockwise", "compass|heading|turned", said="heading deg clockwise"
        )
        yield case(make, label, fault)
    make, label = _maker("drive with gyro alone", drive, seed + 30, span=30.0, form="heading deg counterclockwise")
    yield case(make, label, f.said("body", "said to be rad", "deg", said="heading rad counterclockwise"))


def _of_levers(seed: int) -> Iterator[Case]:
    for k, (sensor, mounts, noise) in enumerate((
        ("velocity", 1, QUIET), ("velocity", 1, LOUD), ("velocity", 2, QUIET), ("accelerometer", 1, QUIET),
        ("accelerometer", 1, LOUD), ("accelerometer", 2, QUIET),
    )):  # fmt: skip
        sensors = (sensor, "gyro") if k % 2 else (sensor,)
        make, label = _maker(
            f"{sensor} behind {mounts}, {'loud' if noise is LOUD else 'quiet'}", flight, seed + k, mounts=mounts,
            noise=noise, sensors=sensors, file_format=("table", "tum")[k % 2],
        )  # fmt: skip
        yield case(make, label, lever_forgotten("mount_1"))
        yield case(make, label, f.lever_sign("mount_1", 0))
    for k, sensor in enumerate(("velocity", "accelerometer")):
        make, label = _maker(f"{sensor} behind 0", flight, seed + 20 + k, mounts=0, sensors=(sensor, "gyro"))
        yield case(make, label, lever_unknown(sensor, (0.35, -0.2, 0.15), make))
    make, label = _maker("drive, velocity", drive, seed + 30, span=30.0, sensors=("velocity", "gyro"))
    yield case(make, label, lever_forgotten("mount_1"))


def _of_mounts(seed: int) -> Iterator[Case]:
    """A fixed frame that is wrong, seen by one sensor or by several."""
    k = 0
    for sensors in (("gyro",), ("gyro", "slam"), ("gyro", "accelerometer")):
        for mounts, item in ((1, "mount_1"), (2, "mount_1"), (2, "mount_2")):
            for fault in (
                f.said(item, "matrix transposed", "transpos|frame to parent|turned", said="parent to frame"),
                f.turned(item, 12.0, (0.3, -1.0, 0.5)),
            ):
                k += 1
                make, label = _maker(
                    f"{mounts} mounts with {' and '.join(sensors)}", flight, seed + k, mounts=mounts, sensors=sensors,
                    file_format=list(FORMS)[k % 4], noise=(QUIET, LOUD)[k % 2],
                )  # fmt: skip
                yield case(make, label, fault)


def _of_sensors(seed: int) -> Iterator[Case]:
    """What is wrong with a sensor itself."""
    every = ("gyro", "velocity", "slam")
    for k, fault in enumerate((
        f.delayed("gyro", 0.03),
        f.delayed("velocity", 0.08),
        f.delayed("slam", -0.06),
        f.delayed("body", 0.06),
        f.vector_scaled("gyro", 1.06),
        f.permuted("gyro", (1, 0, 2), (1, 1, -1)),
        f.permuted("velocity", (2, 0, 1)),
        f.said("gyro", "deg/s said to be rad/s", "deg/s", unit="deg/s", said_unit="rad/s"),
        f.biased("gyro", 0.05, -0.02, 0.03),
        f.said("velocity", "said to be resolved in body", "resolved in world", resolved_in="body"),
        f.inverted("slam"),
        f.scaled("slam", 1.05),
    )):  # fmt: skip
        make, label = _maker(
            f"{list(FORMS)[k % 4]} behind {k % 3}", flight, seed + k, mounts=k % 3, file_format=list(FORMS)[k % 4],
            noise=(QUIET, LOUD)[k % 2], sensors=every,
        )  # fmt: skip
        yield case(make, label, fault)


def double(seed: int = 0) -> Iterator[Case]:
    """Set-ups with two faults at once, each of which some sensor shows."""
    every = ("gyro", "velocity", "slam")
    for k, (file_format, mounts, sensors, faults) in enumerate((
        ("table", 1, ("gyro",), (misread("table"), f.biased("gyro", 0.06, -0.03, 0.04))),
        ("tum", 1, ("gyro",), (misread("tum"), f.delayed("gyro", 0.05))),
        ("tum", 2, every, (in_unit("tum", "mm"), f.vector_scaled("gyro", 1.07))),
        ("kitti", 1, every, (f.orientation_inverted("body"), f.permuted("gyro", (0, 1, 2), (1, -1, -1)))),
        ("euroc", 0, every, (misread("euroc"), f.delayed("velocity", 0.1))),
        ("table", 1, ("gyro", "velocity"), (
            lever_forgotten("mount_1"),
            f.said("gyro", "deg/s said to be rad/s", "deg/s", unit="deg/s", said_unit="rad/s"),
        )),
        ("table", 1, ("gyro", "slam"), (
            f.said("mount_1", "matrix transposed", "transpos|frame to parent|turned", said="parent to frame"),
            f.delayed("slam", 0.12),
        )),
    )):  # fmt: skip
        make, label = _maker(
            f"{file_format} behind {mounts}", flight, seed + 7000 + k, mounts=mounts, file_format=file_format,
            sensors=sensors,
        )  # fmt: skip
        yield case(make, label, *faults)


def healthy(seed: int = 0) -> Iterator[Case]:
    """Set-ups without a fault: each format, noise and motion; a drive as loggers have it, and what hardly moves."""
    every = SENSORS
    k = 0
    for file_format in FORMS:
        for noise in (QUIET, LOUD):
            k += 1
            make, label = _maker(
                f"{file_format}, {'loud' if noise is LOUD else 'quiet'}", flight, seed + 8000 + k, mounts=k % 3,
                file_format=file_format, noise=noise, sensors=every,
            )  # fmt: skip
            yield case(make, label)
    for body, name, span in (
        (drive, "drive", 60.0),
        (partial(drive, turning=0.03), "straight drive", 60.0),
        (partial(drive, turning=0.5, speed=8.0), "fast drive", 30.0),
        (nod, "nod", 16.0),
    ):
        for noise in (QUIET, LOUD):
            for mounts in (0, 2):
                k += 1
                make, label = _maker(
                    f"{name} behind {mounts}, {'loud' if noise is LOUD else 'quiet'}", body, seed + 8000 + k,
                    mounts=mounts, noise=noise, sensors=every, span=span,
                )  # fmt: skip
                yield case(make, label)
    for mounts in (0, 1):
        make, label = _maker(f"heading behind {mounts}", drive, seed + 8100 + mounts, mounts=mounts, noise=LOUD,
                             span=40.0, sensors=every, form="heading deg compass")  # fmt: skip
        yield case(make, label)


def undecided(seed: int = 0) -> Iterator[Case]:
    """Set-ups with one fault that little motion cannot tell from others: no mend is to be preferred."""
    for k, fault in enumerate((
        f.orientation_inverted("body"),
        f.inverted("body"),
        f.permuted("gyro", (0, 1, 2), (-1, -1, -1)),
        f.permuted("gyro", (0, 1, 2), (1, -1, -1)),
    )):  # fmt: skip
        for body, name in ((nod, "nod"), (drive, "drive")):
            make, label = _maker(name, body, seed + 9000 + k, mounts=k % 2, noise=QUIET)
            yield case(make, label, fault)


def groups(seed: int = 0) -> tuple[tuple[str, tuple[Case, ...]], ...]:
    """Return all parts by name."""
    return (
        ("one fault", tuple(single(seed))),
        ("undecided", tuple(undecided(seed))),
        ("two faults", tuple(double(seed))),
        ("healthy", tuple(healthy(seed))),
    )

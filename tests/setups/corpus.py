"""Corpus of set-ups: planted faults with one cause or two, and healthy controls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from scipy.spatial.transform import Rotation

from tests.setups import faults as f
from tests.setups.families import arm, drone, rover, two_systems, vehicle
from tests.setups.faults import Fault
from tests.setups.items import Fixed, Log, Setup, Vector
from tests.setups.motions import Array, relative, shaken, still, turn, vector


@dataclass(frozen=True, eq=False)
class Case:
    """A set-up with its faults, beside the healthy one of the same numbers; both are made when they are asked for."""

    label: str
    make: Callable[[], Setup]
    faults: tuple[Fault, ...] = ()

    @cached_property
    def healthy(self) -> Setup:
        """The set-up without the faults."""
        return self.make()

    @cached_property
    def setup(self) -> Setup:
        """The set-up with the faults."""
        setup = self.healthy
        for fault in self.faults:
            setup = setup.changed(fault.item, fault.change)
        return setup


def case(make: Callable[[], Setup], name: str, *faults: Fault) -> Case:
    """Return a set-up with faults; `make` gives the healthy one."""
    what = " and ".join(f"{fault.item} {fault.name}" for fault in faults)
    return Case(f"{name}: {what or 'healthy'}", make, faults)


def with_form(setup: Setup, item: str, form: str) -> Setup:
    """Return a set-up with an orientation written in another form."""
    return setup.changed(item, lambda one: replace(one, form=form))


def hung_on(item: str, parent: str) -> Fault:
    """The right numbers of a frame in its parent, given another parent."""
    return f.said(item, f"hung on {parent}", f"parent|{parent}", parent=parent)


def single(seed: int = 0) -> tuple[Case, ...]:
    """All set-ups with one fault; another `seed` moves and shakes them otherwise."""
    makers = _of_rovers, _of_drones, _of_arms, _of_vehicles, _of_two_systems
    return tuple(case for make in makers for case in make(seed))


def _of_rovers(seed: int) -> Iterator[Case]:
    for k, fault in enumerate((
        f.inverted("lidar"),
        f.orientation_inverted("lidar"),
        f.body_axes("camera"),
        f.said("camera", "millimetres said to be metres", "mm|millimet", unit="mm", said_unit="m"),
        f.order("base", "wxyz"),
        f.inverted("base"),
        f.orientation_inverted("base"),
        hung_on("lidar", "camera"),
        f.delayed("lidar_slam", 0.1),
        f.delayed("base", 0.05),
        f.delayed("gyro", 0.02),
        f.vector_scaled("wheels", 1.05),
        f.said("wheels", "said to be resolved in world", "in the axes of base", resolved_in="world"),
        f.lever_sign("lidar", 0),
        f.said("lidar", "degrees for radians", "rad|deg", form="ZYX rad", said="ZYX deg"),
        f.said("gyro", "said to be resolved in base", "in the axes of imu", resolved_in="base"),
        f.position_inverted("lidar_slam"),
        f.inverted("lidar_in_camera"),
        f.order("lidar_in_camera", "wxyz"),
    )):  # fmt: skip
        yield case(partial(rover, seed + k), "rover", fault)


def _of_drones(seed: int) -> Iterator[Case]:
    for k, fault in enumerate((
        f.order("body", "xyzw"),
        f.ned("body"),
        f.frd("body"),
        f.said("imu", "matrix transposed", "transpos|parent to frame", said="parent to frame"),
        f.optical("camera"),
        f.inverted("tag_1_seen"),
        f.vector_turned("gyro", 3.0, (0.3, 1.0, -0.4)),
        f.permuted("gyro", (1, 0, 2)),
        f.permuted("gyro", (0, 1, 2), (1, -1, 1)),
        f.said("gyro", "deg/s said to be rad/s", "deg/s", unit="deg/s", said_unit="rad/s"),
        f.biased("gyro", 0.03, -0.01, 0.02),
        f.vector_scaled("gyro", 1.05),
        f.said("accelerometer", "g said to be m/s²", r"\bg\b|scal|times", unit="g", said_unit="m/s²"),
        f.delayed("accelerometer", -0.05),
        f.delayed("gyro", 0.01),
        f.left_handed("body"),
        f.order("tag_2_seen", "wxyz"),
        f.turned("imu", 4.0, (1.0, 0.2, 0.5)),
    )):  # fmt: skip
        yield case(partial(drone, seed + 100 + k), "drone", fault)
    healthy = partial(drone, seed + 130)
    yield case(healthy, "drone", f.with_gravity(healthy, "accelerometer"))
    relative_to = f.said("gyro", "said to be relative to camera", "relative to world", relative_to="camera")
    yield case(partial(drone, seed + 131), "drone", relative_to)


def _of_arms(seed: int) -> Iterator[Case]:
    for k, fault in enumerate((
        f.inverted("camera"),
        f.said("camera", "matrix transposed", "transpos|frame to parent", said="frame to parent"),
        f.position_inverted("camera"),
        f.said("camera", "millimetres said to be metres", "mm|millimet", unit="mm", said_unit="m"),
        f.order("board", "wxyz"),
        f.said("flange", "other sequence", "XYZ|sequence", said="XYZ deg"),
        f.said("flange", "degrees said to be radians", "deg", said="ZYX rad"),
        f.said("flange", "millimetres said to be metres", "mm|millimet", said_unit="m"),
        hung_on("tool", "camera"),
        f.said("tool", "other sequence", "sequence|XYZ", form="ZYX deg", said="XYZ deg"),
        f.delayed("tool_tracked", 0.2),
        f.scaled("tool_tracked", 1.03),
        f.lever_sign("tool", 2),
        f.inverted("robot"),
        f.orientation_inverted("tool_tracked"),
        f.delayed("flange", -0.03),
    )):  # fmt: skip
        yield case(partial(arm, seed + 200 + k), "arm", fault)
    yield case(
        lambda: with_form(arm(seed + 220), "flange", "zyx deg"),
        "arm",
        f.said("flange", "fixed axes said to be moving", "sequence|zyx|fixed", said="ZYX deg"),
    )


def _of_vehicles(seed: int) -> Iterator[Case]:
    for k, fault in enumerate((
        f.lever_sign("antenna", 0),
        f.ned("vehicle"),
        f.frd("vehicle"),
        f.delayed("gnss", 0.12),
        f.said("vehicle", "radians said to be degrees", "rad", said="ZYX deg"),
        f.said("antenna", "millimetres said to be metres", "mm|millimet", unit="mm", said_unit="m"),
        f.said("gnss_velocity", "km/h said to be m/s", "km/h|scal|times", unit="km/h", said_unit="m/s"),
        f.permuted("gnss_velocity", (1, 0, 2), (1, 1, -1)),
        f.permuted("gyro", (0, 1, 2), (1, -1, -1)),
        f.said("vehicle", "other sequence", "sequence|XYZ", said="XYZ rad"),
        f.delayed("gnss_velocity", 0.2),
        f.said("gnss_velocity", "said to be resolved in vehicle", "resolved in local", resolved_in="vehicle"),
        f.ned("gnss"),
        hung_on("radar", "antenna"),
        f.said("radar", "other sequence", "sequence|XYZ", said="XYZ deg"),
    )):  # fmt: skip
        yield case(partial(vehicle, seed + 300 + k), "vehicle", fault)


def _of_two_systems(seed: int) -> Iterator[Case]:
    for k, fault in enumerate((
        f.delayed("odometry", 0.03),
        f.delayed("odometry", -0.005),
        f.scaled("odometry", 0.9),
        f.order("odometry", "wxyz"),
        f.inverted("odometry"),
        f.orientation_inverted("odometry"),
        f.inverted("camera"),
        f.ned("odometry"),
        f.left_handed("odometry"),
        f.optical("camera"),
        f.said("odometry", "millimetres said to be metres", "mm|millimet", unit="mm", said_unit="m"),
        f.vector_turned("gyro", 2.0, (0.0, 1.0, 0.3)),
        f.vector_scaled("gyro", 0.97),
        f.biased("gyro", 0.0, 0.012, 0.0),
        f.delayed("body", 0.15),
    )):  # fmt: skip
        yield case(partial(two_systems, seed + 400 + k), "two systems", fault)


def double(seed: int = 0) -> tuple[Case, ...]:
    """Set-ups with two faults at once."""
    return (
        case(partial(rover, seed + 500), "rover", f.inverted("lidar"), f.vector_scaled("wheels", 1.06)),
        case(partial(rover, seed + 501), "rover", f.lever_sign("lidar", 0), f.body_axes("camera")),
        case(partial(rover, seed + 502), "rover", f.delayed("lidar_slam", 0.12),
             f.permuted("gyro", (0, 1, 2), (1, -1, 1))),
        case(partial(drone, seed + 503), "drone", f.biased("gyro", 0.04, 0.0, -0.02), f.inverted("tag_1_seen")),
        case(partial(drone, seed + 504), "drone", f.optical("camera"), f.delayed("gyro", 0.04)),
        case(partial(arm, seed + 505), "arm", f.inverted("camera"), f.lever_sign("tool", 2)),
        case(partial(arm, seed + 506), "arm", f.said("flange", "other sequence", "sequence|XYZ", said="XYZ deg"),
             f.delayed("tool_tracked", 0.15)),
        case(partial(vehicle, seed + 507), "vehicle", f.lever_sign("antenna", 0),
             f.permuted("gyro", (0, 1, 2), (1, -1, -1))),
        case(partial(vehicle, seed + 508), "vehicle", f.delayed("gnss", 0.15),
             f.said("radar", "other sequence", "sequence|XYZ", said="XYZ deg")),
        case(partial(two_systems, seed + 509), "two systems", f.scaled("odometry", 0.93),
             f.vector_turned("gyro", 6.0, (1.0, 0.0, 0.4))),
    )  # fmt: skip


# --- Controls


def healthy(seed: int = 0) -> tuple[Case, ...]:
    """Set-ups in which nothing is wrong but what is allowed."""
    makers: tuple[tuple[str, Callable[[], Setup]], ...] = (
        ("rover", lambda: rover(seed + 600)),
        ("drone", lambda: drone(seed + 601)),
        ("arm", lambda: arm(seed + 602)),
        ("vehicle", lambda: vehicle(seed + 603)),
        ("two systems", lambda: two_systems(seed + 604)),
        ("slow rover", lambda: rover(seed + 605, speed=0.3)),
        ("fast drone", lambda: drone(seed + 606, speed=2.5, size=0.6)),
        ("slow drone", lambda: drone(seed + 607, speed=0.25)),
        ("fast vehicle", lambda: vehicle(seed + 608, speed=1.8)),
        ("slow arm", lambda: arm(seed + 609, speed=0.3)),
        ("fast two systems", lambda: two_systems(seed + 610, speed=3.0, size=0.5)),
        ("rover with wild rows", lambda: with_wild_rows(rover(seed + 611), "lidar_slam")),
        ("drone with wild poses", lambda: with_wild_rows(drone(seed + 612), "body")),
        ("vehicle with wild velocities", lambda: with_wild_rows(vehicle(seed + 613), "gnss_velocity")),
        ("two systems with gaps", lambda: with_gaps(two_systems(seed + 614), "odometry")),
        ("drone with gaps", lambda: with_gaps(drone(seed + 615), "body")),
        ("drone of shaky poses", lambda: shaky(drone(seed + 616), "body", 4e-3, 0.4)),
        ("body at rest", lambda: two_systems(seed + 617, size=0.0)),
        ("body that hardly moves", lambda: two_systems(seed + 618, size=0.02)),
        ("level rover", lambda: rover(seed + 619, tilt=0.0)),
        ("symmetrical rig", lambda: symmetrical(seed + 620)),
        ("drone with exact poses", lambda: shaky(drone(seed + 621), "body", 0.0, 0.0)),
        ("short drone", lambda: drone(seed + 622, span=4.0)),
        ("long vehicle", lambda: vehicle(seed + 623, span=90.0)),
    )
    return tuple(case(make, name) for name, make in makers)


def with_wild_rows(setup: Setup, item: str) -> Setup:
    """Return a set-up of which one percent of an item's rows is anything."""
    random = np.random.default_rng(11)

    def wild(one: Log | Vector) -> Log | Vector:
        at = random.random(len(one.t)) < 0.01
        if isinstance(one, Vector):
            values = one.values.copy()
            values[at] += random.normal(size=(int(at.sum()), 3)) * 5.0
            return replace(one, values=values)
        R, p = (x.copy() for x in one.pose)
        R[at] = Rotation.random(int(at.sum()), random_state=3).as_matrix()
        p[at] += random.normal(size=(int(at.sum()), 3)) * 2.0
        return one.with_pose((R, p))

    allowed = {(item, kind) for kind in ("outlier", "jump", "position-jump")}
    return replace(setup.changed(item, wild), allowed=setup.allowed | allowed)


def with_gaps(setup: Setup, item: str) -> Setup:
    """Return a set-up of which an item lacks some spans."""

    def gappy(one: Log) -> Log:
        kept = ~(((one.t > 3.0) & (one.t < 3.8)) | ((one.t > 9.0) & (one.t < 11.5)))
        return replace(one, t=one.t[kept], R=one.R[kept], p=one.p[kept])

    return replace(setup.changed(item, gappy), allowed=setup.allowed | {(item, "time-gap")})


def shaky(setup: Setup, item: str, metres: float, degrees: float) -> Setup:
    """Return a set-up with other noise of an item."""
    random = np.random.default_rng(12)

    def noisy(one: Log) -> Log:
        parent = one.parent
        return one.with_pose(shaken(random, relative(setup.truth, item, parent, one.t), metres, degrees))

    return setup.changed(item, noisy)


def symmetrical(seed: int) -> Setup:
    """A rig of sensors that look forward, left, right and up: what is fixed is its own inverse, or that of another."""
    setup = two_systems(seed)
    truth = dict(setup.truth)
    truth["left"] = still("body", turn("ZYX", 90.0, 0.0, 0.0), (0.0, 0.1, 0.0))
    truth["right"] = still("body", turn("ZYX", -90.0, 0.0, 0.0), (0.0, -0.1, 0.0))
    truth["rear"] = still("body", turn("ZYX", 180.0, 0.0, 0.0), (-0.1, 0.0, 0.0))
    frames, measured = dict(setup.frames), dict(setup.measured)
    random = np.random.default_rng(13)
    t = np.arange(int(20 * setup.span) + 1) / 20.0
    for name in ("left", "right", "rear"):
        R, p = relative(truth, name, "body", np.zeros(1))
        frames[name] = Fixed("body", R[0], p[0], "wxyz")
        poses: tuple[Array, Array] = shaken(random, relative(truth, name, "world", t), 1e-3, 0.1)
        measured[f"{name}_slam"] = Log("world", t, *poses, of=name)
    values = vector(truth, "angular velocity", "rear", "world", "rear", t) + 0.01 * random.normal(size=(len(t), 3))
    measured["rear_gyro"] = Vector("angular velocity", "rear", "world", "rear", t, values, "rad/s")
    return replace(setup, frames=frames, measured=measured, truth=truth)

"""Healthy set-ups of robotics, with noise of 1 mm, 0.1 degrees and 0.01 rad/s: what a scene says is the truth."""

from __future__ import annotations

import numpy as np

from tests.setups.items import Fixed, Item, Log, Setup, Vector
from tests.setups.motions import (
    Array,
    Placed,
    Truth,
    driven,
    relative,
    shaken,
    still,
    turn,
    vector,
    wandering,
    waves,
)

METRES, DEGREES, RATE = 1e-3, 0.1, 0.01
"""Noise about and along each axis: m, degrees, rad/s or m/s."""

OPTICAL = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
"""Axes of a camera, z ahead and x to the right, in those of a body, x ahead and z up."""

NED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
"""North, east and down in east, north and up, and back."""

FRD = np.diag([1.0, -1.0, -1.0])
"""Forward, right and down in forward, left and up, and back."""


class _Recorder:
    """What records the frames of a truth with noise."""

    def __init__(self, seed: int, truth: Truth, span: float) -> None:
        self.random = np.random.default_rng((25, seed))
        self.truth, self.span = truth, span

    def times(self, hz: float) -> Array:
        return np.arange(int(self.span * hz) + 1) / hz

    def fixed(self, of: str, parent: str, form: str = "xyzw", *, is_measured: bool = False, unit: str = "m") -> Fixed:
        R, p = relative(self.truth, of, parent, np.zeros(1))
        if is_measured:
            R, p = shaken(self.random, (R, p), METRES, DEGREES)
        return Fixed(parent, R[0], p[0], form, unit=unit, of=of if is_measured else "")

    def log(self, of: str, parent: str, hz: float, form: str = "xyzw", *, is_measured: bool = True, unit: str = "m",
            metres: float = METRES, has_orientation: bool = True) -> Log:  # fmt: skip
        t = self.times(hz)
        R, p = shaken(self.random, relative(self.truth, of, parent, t), metres, DEGREES)
        return Log(parent, t, R, p, form, unit=unit, of=of if is_measured else "", has_orientation=has_orientation)

    def vector(self, kind: str, of: str, resolved_in: str, hz: float, unit: str, noise: float = RATE) -> Vector:
        t = self.times(hz)
        values = vector(self.truth, kind, of, "world", resolved_in, t)
        values = values + noise * self.random.normal(size=values.shape)
        return Vector(kind, of, "world", resolved_in, t, values, unit)


def rover(seed: int = 0, span: float = 20.0, speed: float = 1.0, tilt: float = 0.06) -> Setup:
    """A mobile robot on rough ground: motion capture, lidar, camera, gyroscope and wheels."""
    random = np.random.default_rng(seed)
    way = driven(random, span, 0.9 * speed, 0.6 * speed)
    ground, lean = waves(random, (0.02,), 0.5 * speed), waves(random, (tilt, tilt), 0.4 * speed)

    def p(t: Array) -> Array:
        return np.column_stack([way.position(t), 0.2 + ground(t)])

    def angles(t: Array) -> Array:
        return np.column_stack([way.yaw(t), lean(t)])

    truth: dict[str, Placed] = {
        "base": wandering("world", p, angles),
        "imu": still("base", turn("ZYX", 90.0, 0.0, 0.0), (0.05, 0.02, 0.1)),
        "lidar": still("base", turn("ZYX", 30.0, 10.0, -5.0), (0.25, -0.06, 0.42)),
        "camera": still("base", turn("ZYX", -20.0, 15.0, 4.0), (0.32, 0.05, 0.3)),
        "optical": still("camera", OPTICAL, (0.0, 0.0, 0.0)),
    }
    it = _Recorder(seed, truth, span)
    frames = {
        "base": it.log("base", "world", 100.0, is_measured=False),
        "imu": it.fixed("imu", "base"),
        "lidar": it.fixed("lidar", "base", "ZYX deg"),
        "camera": it.fixed("camera", "base"),
        "optical": it.fixed("optical", "camera", "frame to parent"),
    }
    measured: dict[str, Item] = {
        "lidar_slam": it.log("lidar", "world", 10.0),
        "camera_slam": it.log("optical", "world", 15.0, "wxyz"),
        "lidar_in_camera": it.fixed("lidar", "camera", is_measured=True),
        "gyro": it.vector("angular velocity", "imu", "imu", 200.0, "rad/s"),
        "wheels": it.vector("velocity", "base", "base", 50.0, "m/s"),
    }
    return Setup(frames, measured, truth, span)


def drone(seed: int = 0, span: float = 20.0, speed: float = 1.0, size: float = 1.0) -> Setup:
    """A drone: recorded poses, gyroscope and accelerometer, and a camera that sees two tags."""
    random = np.random.default_rng(seed)
    way = waves(random, (1.2 * size, 0.9 * size, 0.4 * size), 0.35 * speed)
    angles = waves(random, (0.9 * size, 0.3 * size, 0.3 * size), 0.5 * speed)
    truth: dict[str, Placed] = {
        "body": wandering("world", lambda t: way(t) + np.array([0.5, -0.3, 1.8]), angles),
        "imu": still("body", turn("ZYX", 90.0, 0.0, 0.0), (0.02, -0.01, 0.03)),
        "camera": still("body", turn("ZYX", 3.0, 30.0, -2.0) @ OPTICAL, (0.1, 0.015, -0.03)),
        "tag_1": still("world", turn("ZYX", 40.0, 10.0, 0.0), (2.0, 0.6, 0.1)),
        "tag_2": still("world", turn("ZYX", -75.0, 0.0, 80.0), (1.4, -1.5, 0.9)),
    }
    it = _Recorder(seed, truth, span)
    frames = {
        "body": it.log("body", "world", 100.0, "wxyz", is_measured=False),
        "imu": it.fixed("imu", "body", "frame to parent"),
        "camera": it.fixed("camera", "body"),
        "tag_1": it.fixed("tag_1", "world", "ZYX deg"),
        "tag_2": it.fixed("tag_2", "world", "wxyz"),
    }
    measured: dict[str, Item] = {
        "tag_1_seen": it.log("tag_1", "camera", 20.0),
        "tag_2_seen": it.log("tag_2", "camera", 20.0),
        "gyro": it.vector("angular velocity", "imu", "imu", 200.0, "rad/s"),
        "accelerometer": it.vector("acceleration", "imu", "imu", 200.0, "m/s²", noise=0.05),
    }
    return Setup(frames, measured, truth, span)


def arm(seed: int = 0, span: float = 20.0, speed: float = 1.0) -> Setup:
    """A robot arm: flange from its controller, hand and eye, a board, and a tracker that follows the tool."""
    random = np.random.default_rng(seed)
    way, angles = waves(random, (0.25, 0.2, 0.15), 0.25 * speed), waves(random, (0.7, 0.4, 0.5), 0.25 * speed)
    down = turn("ZYX", 25.0, 0.0, 180.0)
    truth: dict[str, Placed] = {
        "robot": still("world", turn("ZYX", 135.0, 0.0, 0.0), (1.2, 0.4, 0.8)),
        "flange": wandering("robot", lambda t: way(t) + np.array([0.6, 0.1, 0.5]), angles, down),
        "tool": still("flange", turn("ZYX", 45.0, -30.0, 10.0), (0.02, 0.05, 0.18)),
        "camera": still("flange", turn("ZYX", 92.0, 4.0, -12.0), (0.06, -0.03, 0.08)),
        "board": still("robot", turn("ZYX", 15.0, 0.0, 4.0), (0.65, 0.15, 0.02)),
    }
    it = _Recorder(seed, truth, span)
    frames = {
        "robot": it.fixed("robot", "world", "ZYX deg"),
        "flange": it.log("flange", "robot", 125.0, "ZYX deg", is_measured=False, unit="mm"),
        "tool": it.fixed("tool", "flange", "ZYX deg", unit="mm"),
        "camera": it.fixed("camera", "flange", "parent to frame"),
        "board": it.fixed("board", "robot"),
    }
    measured: dict[str, Item] = {
        "board_seen": it.log("board", "camera", 10.0),
        "tool_tracked": it.log("tool", "world", 50.0, "frame to parent"),
    }
    return Setup(frames, measured, truth, span)


def vehicle(seed: int = 0, span: float = 30.0, speed: float = 1.0) -> Setup:
    """A vehicle, forward, right and down in north, east and down: antenna, inertial unit and a second navigation."""
    random = np.random.default_rng(seed)
    way = driven(random, span, 8.0 * speed, 0.35 * speed)
    ground, lean = waves(random, (0.3,), 0.1 * speed), waves(random, (0.05, 0.06), 0.3 * speed)

    def p(t: Array) -> Array:
        return np.column_stack([way.position(t), ground(t)])

    def angles(t: Array) -> Array:
        return np.column_stack([way.yaw(t), lean(t)])

    truth: dict[str, Placed] = {
        "local": still("world", NED, (4.0, -7.0, 1.0)),
        "vehicle": wandering("local", p, angles),
        "antenna": still("vehicle", np.eye(3), (-0.8, 0.3, -1.4)),
        "imu": still("vehicle", turn("ZYX", 0.0, 0.0, 180.0), (0.4, -0.2, -0.3)),
        "radar": still("vehicle", turn("ZYX", 35.0, 4.0, 0.0), (2.1, 0.6, -0.4)),
    }
    it = _Recorder(seed, truth, span)
    frames = {
        "local": it.fixed("local", "world", "frame to parent"),
        "vehicle": it.log("vehicle", "local", 50.0, "ZYX rad", is_measured=False),
        "antenna": it.fixed("antenna", "vehicle"),
        "imu": it.fixed("imu", "vehicle", "ZYX deg"),
        "radar": it.fixed("radar", "vehicle", "ZYX deg"),
    }
    measured: dict[str, Item] = {
        "gnss": it.log("antenna", "world", 10.0, metres=5e-3, has_orientation=False),
        "navigation": it.log("vehicle", "local", 20.0, "ZYX deg", metres=5e-3),
        "radar_map": it.log("radar", "world", 10.0, metres=5e-3),
        "gnss_velocity": it.vector("velocity", "antenna", "local", 10.0, "m/s", noise=0.02),
        "gyro": it.vector("angular velocity", "imu", "imu", 100.0, "rad/s"),
    }
    return Setup(frames, measured, truth, span)


def two_systems(seed: int = 0, span: float = 20.0, speed: float = 1.0, size: float = 1.0) -> Setup:
    """One body that motion capture and the odometry of its camera record, with a gyroscope; its start is tracked."""
    random = np.random.default_rng(seed)
    way = waves(random, (0.9 * size, 0.7 * size, 0.3 * size), 0.4 * speed)
    angles = waves(random, (0.8 * size, 0.35 * size, 0.4 * size), 0.5 * speed)
    truth: dict[str, Placed] = {
        "body": wandering("world", lambda t: way(t) + np.array([0.2, 0.1, 1.3]), angles),
        "imu": still("body", turn("ZYX", 0.0, 0.0, 90.0), (-0.02, 0.03, 0.01)),
        "camera": still("body", turn("ZYX", 5.0, -12.0, 3.0) @ OPTICAL, (0.12, -0.04, 0.06)),
        "start": still("world", turn("ZYX", 40.0, 0.0, 0.0), (0.7, -0.4, 1.1)),
    }
    it = _Recorder(seed, truth, span)
    frames = {
        "body": it.log("body", "world", 100.0, "wxyz", is_measured=False),
        "imu": it.fixed("imu", "body"),
        "camera": it.fixed("camera", "body", "frame to parent"),
        "start": it.fixed("start", "world", "ZYX deg"),
    }
    measured: dict[str, Item] = {
        "start_tracked": it.log("start", "world", 5.0),
        "odometry": it.log("camera", "start", 30.0),
        "gyro": it.vector("angular velocity", "imu", "imu", 200.0, "rad/s"),
    }
    return Setup(frames, measured, truth, span)

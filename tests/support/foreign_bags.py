"""Bags of a robot like nav2's TurtleBot, healthy and with a fault of a sensor, written by `rosbags`.

SciPy makes the motion. Odometry, IMU and transforms have the noise of the real thing, the recorder stalls, and a long
recording of an IMU at 400 Hz is for benchmarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.bags import NS, START_NS, Other, Sent, in_order, store, write_ros1, write_ros2
from tests.support.foreign_motions import Motion, motion

Array = np.ndarray

LATE_S = 0.04
"""Time by which stamps of a late IMU are later than true, s."""

_IMU = "orientation of /imu", "angular velocity of /imu", "specific force of /imu"

FAULTS: dict[str, tuple[tuple[frozenset[str], tuple[str, ...]], ...]] = {
    "w first": ((frozenset({"quaternion order"}), _IMU[:1]),),
    "degrees": ((frozenset({"unit"}), _IMU[1:2]),),
    "turned": ((frozenset({"mounting"}), _IMU),),
    "late": ((frozenset({"delay"}), _IMU),),
    "millimetres": (
        (frozenset({"unit"}), ("position of /odom",)),
        (frozenset({"unit"}), ("velocity of /odom",)),
    ),
    "yaw sign": ((frozenset({"inverse", "sign", "mirrored axes"}), ("orientation of /odom",)),),
}
"""Planted faults, with the kinds that say the same and the readings that may be named, for each fault in an account.

The IMU has w in the slot of x, or rates in degrees per second, is turned on its mount, or has stamps that are late by
`LATE_S`; odometry is in millimetres, or its yaw has the opposite sign, which in the plane is the inverse and a mirror
image.
"""

TURNED = Rotation.from_euler("ZYX", [90.0, 0.0, 180.0], degrees=True)
"""Orientation of an IMU that is mounted otherwise than /tf_static states, relative to `base_link`."""

IMU_PLACE = np.array([-0.032, 0.0, 0.068])
"""Position of imu_link in base_link, m."""

CONTAINERS: dict[str, Callable[[Path, list[Sent | Other]], Path]] = {
    "MCAP": lambda path, sent: write_ros2(path, sent, storage="MCAP"),
    "db3": write_ros2,
    "ROS 1": lambda path, sent: write_ros1(path.with_suffix(".bag"), sent),
}
"""Writers by container."""


def write_bag(path: Path, container: str, fault: str = "", *, seconds: float = 60.0, seed: int = 1) -> Path:
    """Write a drive into a file or folder, and return its path."""
    return CONTAINERS[container](path, turtlebot(fault, seconds=seconds, seed=seed))


def turtlebot(
    fault: str = "", *, seconds: float = 60.0, seed: int = 1, imu_hz: float = 100.0
) -> list[Sent | Other]:  # fmt: skip
    """Return the messages of a drive in the order of the recorder: /odom, /imu, /tf, /tf_static, /cmd_vel."""
    rng = np.random.default_rng([520, seed])
    moves = motion(rng, "wheeled", "lively", seconds)
    sent: list[Sent | Other] = [*_static(), *_imu(rng, moves, fault, imu_hz), *_odometry(rng, moves, fault)]
    return in_order(_stalled(rng, sent, seconds))


def _static() -> Iterator[Sent]:
    """Yield the transforms that do not change, as robot_state_publisher sends them."""
    unturned = (0.0, 0.0, 0.0, 1.0)
    for parent, child, place in (
        ("base_footprint", "base_link", (0.0, 0.0, 0.01)),
        ("base_link", "imu_link", tuple(IMU_PLACE)),
        ("base_link", "base_scan", (-0.064, 0.0, 0.122)),
    ):
        yield Sent(START_NS, parent, child, place, unturned, is_static=True, log_ns=START_NS + 3_000_000)


def _stamps(rng: np.random.Generator, hz: float, seconds: float) -> Array:
    """Return the times of messages with jitter, some of them lost, s."""
    t = np.arange(0.05, seconds, 1.0 / hz)
    t = t + np.minimum(np.abs(rng.normal(0.0, 2e-4, len(t))), 0.3 / hz)
    return t[rng.random(len(t)) > 0.002]


def _ns(t: float) -> int:
    return START_NS + round(t * NS)


def _numbers(**named: Array) -> dict[str, float]:
    """Return components by name: xyz and w of the only argument."""
    ((_, values),) = named.items()
    return dict(zip("xyzw", map(float, values), strict=False))


def _vector(values: Array) -> tuple[str, dict[str, float]]:
    return ("geometry_msgs/msg/Vector3", _numbers(v=values))


def _quaternion(values: Array) -> tuple[str, dict[str, float]]:
    return ("geometry_msgs/msg/Quaternion", _numbers(q=values))


def _imu_values(rng: np.random.Generator, moves: Motion, t: Array, fault: str) -> tuple[Array, Array, Array]:
    """Return quaternions, rates and specific forces as the driver states them."""
    n, turned = len(t), TURNED if fault == "turned" else Rotation.identity()
    R = moves.turn(t) * turned
    R = R * Rotation.from_rotvec(rng.normal(0.0, 1e-3, (n, 3)))
    w = turned.inv().apply(moves.rate(t)) + rng.normal(0.0, 2e-3, (n, 3)) + rng.normal(0.0, 5e-4, 3)
    f = turned.inv().apply(moves.specific_force(t, IMU_PLACE)) + rng.normal(0.0, 0.017, (n, 3)) + rng.normal(0, 0.02, 3)
    q = R.as_quat()
    if fault == "w first":
        q = np.roll(q, 1, axis=1)
    if fault == "degrees":
        w = np.degrees(w)
    return q, w, f


def _imu(rng: np.random.Generator, moves: Motion, fault: str, hz: float) -> Iterator[Other]:
    t = _stamps(rng, hz, moves.duration)
    q, w, f = _imu_values(rng, moves, t, fault)
    late = LATE_S if fault == "late" else 0.0
    unknown = np.zeros(9)
    for k, moment in enumerate(t):
        yield Other(
            _ns(moment + late), "/imu", "sensor_msgs/msg/Imu",
            {
                "header": ("header", "imu_link"), "orientation": _quaternion(q[k]),
                "orientation_covariance": unknown, "angular_velocity": _vector(w[k]),
                "angular_velocity_covariance": unknown, "linear_acceleration": _vector(f[k]),
                "linear_acceleration_covariance": unknown,
            },
            publisher="/turtlebot3_imu", log_ns=_ns(moment + late + 0.001 + float(rng.exponential(5e-4))),
        )  # fmt: skip


def _odometry(
    rng: np.random.Generator, moves: Motion, fault: str, *, has_wheels: bool = True
) -> Iterator[Sent | Other]:
    """Yield /odom, its transform on /tf, the wheels, and the commands that made the robot drive."""
    t = _stamps(rng, 28.0, moves.duration)
    start, first = moves.place(np.zeros(1))[0], moves.turn(np.zeros(1)).as_euler("ZYX")[0, 0]
    level = Rotation.from_euler("Z", -first)
    yaw = np.unwrap((level * moves.turn(t)).as_euler("ZYX")[:, 0])
    yaw = yaw + np.cumsum(rng.normal(0.0, 2e-4, len(t)))
    p = level.apply(moves.place(t) - start) * [1.0, 1.0, 0.0]
    v = moves.turn(t).inv().apply(moves.velocity(t))[:, 0]
    w = moves.rate(t)[:, 2]
    path = np.cumsum(np.diff(t, prepend=0.0) * v)
    axle = Rotation.from_euler("X", -90.0, degrees=True)
    wheels = {
        side: (y, (axle * Rotation.from_euler("Z", ((path - y * yaw) / 0.033)[:, None])).as_quat())
        for side, y in (("left", 0.144), ("right", -0.144))
        if has_wheels
    }
    q = Rotation.from_euler("Z", yaw[:, None]).as_quat()
    stated = q * [1.0, 1.0, -1.0, 1.0] if fault == "yaw sign" else q
    metre = 1000.0 if fault == "millimetres" else 1.0
    spread = np.zeros(36)
    spread[[0, 7, 14, 21, 28, 35]] = 1e-5, 1e-5, 1e12, 1e12, 1e12, 1e-3
    for k, moment in enumerate(t):
        stamp, log = _ns(moment), _ns(moment + 0.002 + float(rng.exponential(1e-3)))
        point = ("geometry_msgs/msg/Point", _numbers(p=metre * p[k]))
        pose = ("geometry_msgs/msg/Pose", {"position": point, "orientation": _quaternion(stated[k])})
        speed = np.array([metre * (v[k] + 0.003 * rng.normal()), 0.0, 0.0])
        turning = np.array([0.0, 0.0, w[k] + 0.005 * rng.normal()])
        twist = ("geometry_msgs/msg/Twist", {"linear": _vector(speed), "angular": _vector(turning)})
        yield Other(
            stamp, "/odom", "nav_msgs/msg/Odometry",
            {
                "header": ("header", "odom"), "child_frame_id": "base_footprint",
                "pose": ("geometry_msgs/msg/PoseWithCovariance", {"pose": pose, "covariance": spread}),
                "twist": ("geometry_msgs/msg/TwistWithCovariance", {"twist": twist, "covariance": spread}),
            },
            publisher="/turtlebot3_diff_drive", log_ns=log,
        )  # fmt: skip
        yield Sent(stamp, "odom", "base_footprint", p[k], q[k], log_ns=log + 50_000, publisher="/turtlebot3_diff_drive")
        for side, (y, rolled) in wheels.items():
            yield Sent(
                stamp, "base_link", f"wheel_{side}_link", (0.0, y, 0.023), rolled[k],
                log_ns=log + 90_000, publisher="/robot_state_publisher",
            )  # fmt: skip
        if has_wheels and not k % 3:
            order = ("geometry_msgs/msg/Vector3", _numbers(v=np.array([v[k], 0.0, 0.0])))
            bend = ("geometry_msgs/msg/Vector3", _numbers(v=np.array([0.0, 0.0, w[k]])))
            yield Other(stamp, "/cmd_vel", "geometry_msgs/msg/Twist", {"linear": order, "angular": bend}, log_ns=log)


def _stalled(rng: np.random.Generator, sent: list[Sent | Other], seconds: float) -> list[Sent | Other]:
    """Return messages with two stalls of the recorder: later reception, and a part of them lost."""
    from dataclasses import replace

    for start in rng.uniform(5.0, seconds - 5.0, 2):
        first, last = _ns(start), _ns(start + float(rng.uniform(0.3, 1.0)))
        kept: list[Sent | Other] = []
        for each in sent:
            if not first < each.received_ns < last:
                kept.append(each)
            elif rng.random() > 0.25:
                kept.append(replace(each, log_ns=last + (each.received_ns - first) // 1000))
        sent = kept
    return sent


# --- A long recording

_IMU_CDR = np.dtype(
    [
        *(("encapsulation", "V4"), ("sec", "<i4"), ("nanosec", "<u4"), ("frame", "V16")),
        *(("q", "<f8", 4), ("q_covariance", "<f8", 9), ("w", "<f8", 3), ("w_covariance", "<f8", 9)),
        *(("f", "<f8", 3), ("f_covariance", "<f8", 9)),
    ]
)
"""Bytes of an Imu of the frame ``imu_link`` as ROS 2 sends it."""


def imu_messages(t: Array, q: Array, w: Array, f: Array) -> Array:
    """Return Imu messages (n,) as ROS 2 serialises them, whose bytes are those of the array."""
    messages = np.zeros(len(t), _IMU_CDR)
    messages["encapsulation"] = np.void(b"\x00\x01\x00\x00")
    messages["frame"] = np.void((9).to_bytes(4, "little") + b"imu_link\x00".ljust(12, b"\x00"))
    stamps = START_NS + np.round(t * NS).astype(np.int64)
    messages["sec"], messages["nanosec"] = np.divmod(stamps, NS)
    messages["q"], messages["w"], messages["f"] = q, w, f
    return messages


def write_long_bag(path: Path, *, minutes: float = 30.0, imu_hz: float = 400.0, megabytes: float = 1000.0) -> Path:
    """Write an MCAP of about the given size with an IMU turned on its mount, odometry, transforms and point clouds."""
    from rosbags.rosbag2 import StoragePlugin, Writer

    rng = np.random.default_rng(52)
    seconds = 60.0 * minutes
    moves = motion(rng, "wheeled", "lively", seconds)
    types = store(2)
    t = np.arange(0.05, seconds, 1.0 / imu_hz)
    messages = imu_messages(t, *_imu_values(rng, moves, t, "turned"))
    others = [*_static(), *_odometry(rng, moves, "", has_wheels=False)]
    n_clouds = int(10.0 * seconds)
    cloud_bytes = max(0, int((1e6 * megabytes - messages.nbytes - 500 * len(others)) / n_clouds))
    cloud = _cloud(types, cloud_bytes)
    with Writer(path, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        imu = writer.add_connection("/imu", "sensor_msgs/msg/Imu", typestore=types)
        points = writer.add_connection("/points", "sensor_msgs/msg/PointCloud2", typestore=types)
        rest = {}
        queue = iter(_serialised(types, others))
        waiting = next(queue, None)
        raw = messages.view(np.uint8).reshape(len(messages), -1)
        for k, moment in enumerate(t):
            log = _ns(moment) + 1_000_000
            while waiting is not None and waiting[0] <= log:
                at, topic, kind, data = waiting
                if topic not in rest:
                    rest[topic] = writer.add_connection(topic, kind, typestore=types)
                writer.write(rest[topic], at, data)
                waiting = next(queue, None)
            writer.write(imu, log, raw[k].tobytes())
            if not k % max(1, round(imu_hz / 10.0)):
                writer.write(points, log, cloud)
    return path


def _serialised(types: object, sent: list[Sent | Other]) -> Iterator[tuple[int, str, str, bytes]]:
    from tests.support.bags import message_of

    for each in in_order(sent):
        message, kind = message_of(types, each, 2)
        yield each.received_ns, each.on, kind, bytes(types.serialize_cdr(message, kind))  # type: ignore[attr-defined]


def _cloud(types: object, n_bytes: int) -> bytes:
    """Return a serialised point cloud of random bytes."""
    kinds = types.types  # type: ignore[attr-defined]
    header = kinds["std_msgs/msg/Header"](kinds["builtin_interfaces/msg/Time"](*divmod(START_NS, NS)), "base_scan")
    n = n_bytes // 12
    fields = [kinds["sensor_msgs/msg/PointField"](name, 4 * k, 7, 1) for k, name in enumerate("xyz")]
    data = np.random.default_rng(0).integers(0, 255, 12 * n, dtype=np.uint8)
    cloud = kinds["sensor_msgs/msg/PointCloud2"](header, 1, n, fields, False, 12, 12 * n, data, True)
    return bytes(types.serialize_cdr(cloud, "sensor_msgs/msg/PointCloud2"))  # type: ignore[attr-defined]

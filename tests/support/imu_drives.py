"""Drives of a rover with an IMU, in bags, with what a wrong driver or a wrong mount makes of the readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tests.support.bags import NS, START_NS, Other, Sent

Array = np.ndarray
G = 9.80665


def product(a: Array, b: Array) -> Array:
    """Return Hamilton's product of quaternions, scalar last."""
    xyz = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + np.cross(a[..., :3], b[..., :3])
    w = a[..., 3] * b[..., 3] - (a[..., :3] * b[..., :3]).sum(axis=-1)
    return np.concatenate([xyz, w[..., np.newaxis]], axis=-1)


def turned(axis: int, angle: Array) -> Array:
    q = np.zeros((*np.shape(angle), 4))
    q[..., axis], q[..., 3] = np.sin(np.asarray(angle) / 2), np.cos(np.asarray(angle) / 2)
    return q


def matrices(q: Array) -> Array:
    """Return the rotations (n, 3, 3) of quaternions, from the frame into its parent."""
    x, y, z, w = q.T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.moveaxis(np.array(rows), -1, 0)


@dataclass(frozen=True)
class Truth:
    """Motion of the base at times (n,), s: position and quaternion in odom, and in the base w, v, specific force."""

    t: Array
    p: Array
    q: Array
    w: Array
    v: Array
    f: Array


def rough_ground(t: Array) -> tuple[Array, Array]:
    """Return position and quaternion of a rover on rough ground, which drives along its x axis."""
    yaw = 0.9 * np.sin(0.5 * t) + 0.15 * t
    pitch, roll = 0.16 * np.sin(1.1 * t + 0.3), 0.13 * np.sin(1.7 * t)
    speed = 0.8 + 0.35 * np.sin(0.9 * t)
    q = product(product(turned(2, yaw), turned(1, pitch)), turned(0, roll))
    ahead = matrices(q)[:, :, 0] * speed[:, np.newaxis]
    dt = np.diff(t, prepend=t[0])[:, np.newaxis]
    return np.cumsum(0.5 * (ahead + np.vstack([ahead[:1], ahead[:-1]])) * dt, axis=0), q


def at_rest(t: Array) -> tuple[Array, Array]:
    return np.zeros((len(t), 3)), np.tile([0.0, 0.0, 0.0, 1.0], (len(t), 1))


def truth_of(path: Callable[[Array], tuple[Array, Array]], seconds: float, hz: float = 1000.0) -> Truth:
    """Return the motion of a path, with rates by differences at a high rate."""
    t = np.arange(0.0, seconds + 1e-9, 1.0 / hz)
    p, q = path(t)
    step = product(q[:-1] * [-1.0, -1.0, -1.0, 1.0], q[1:])
    step *= np.where(step[:, 3:] < 0, -1.0, 1.0)
    w = 2.0 * step[:, :3] * hz
    w = np.vstack([w, w[-1:]])
    R = matrices(q)
    v_O = np.gradient(p, t, axis=0)
    a_O = np.gradient(v_O, t, axis=0)
    v = np.einsum("nji,nj->ni", R, v_O)
    f = np.einsum("nji,nj->ni", R, a_O + np.array([0.0, 0.0, G]))
    return Truth(t, p, q, w, v, f)


MINUS_Y_Z_MINUS_X = (0.5, -0.5, -0.5, 0.5)
"""Quaternion of an IMU in the base whose x, y, z axes are -y, z, -x of the base."""


@dataclass(frozen=True)
class Imu:
    """An IMU: its true and its stated quaternion in the base, and what its driver makes of the readings."""

    topic: str = "/imu/data"
    frame: str = "imu_link"
    q: Sequence[float] = (0.0, 0.0, 0.0, 1.0)
    stated: Sequence[float] = (0.0, 0.0, 0.0, 1.0)
    p: Sequence[float] = (0.05, 0.0, 0.12)
    hz: float = 100.0
    gyro_factor: float = 1.0
    is_scalar_first: bool = False
    delay: float = 0.0
    has_orientation: bool = True
    sigmas: tuple[float, float, float] = field(default=(0.003, 0.004, 0.05))
    """Noise of orientation, rad, of rates, rad/s, and of the specific force, m/s²."""


def nearest(truth: Truth, t: Array) -> Array:
    return np.clip(np.rint(t / (truth.t[1] - truth.t[0])).astype(int), 0, len(truth.t) - 1)


def drive_with(
    random: np.random.Generator,
    imus: Sequence[Imu] = (Imu(),),
    *,
    seconds: float = 20.0,
    path: Callable[[Array], tuple[Array, Array]] = rough_ground,
    odometry_hz: float = 30.0,
) -> list[Sent | Other]:
    """Return transforms, odometry and readings of IMUs of a drive."""
    truth = truth_of(path, seconds)
    sent: list[Sent | Other] = [
        Sent(START_NS, "base_link", imu.frame, imu.p, imu.stated, is_static=True, publisher="/robot_state_publisher")
        for imu in imus
    ]
    sent.append(Sent(START_NS, "base_link", "lidar_link", (0.2, 0.0, 0.3), (0, 0, 0, 1), is_static=True))
    for t in np.arange(0.0, seconds, 1.0 / odometry_hz):
        i = nearest(truth, t)
        stamp = START_NS + round(t * NS)
        p = truth.p[i] + random.normal(0, SIGMAS[0][0], 3)
        q = truth.q[i] + np.append(random.normal(0, SIGMAS[0][1] / 2, 3), 0.0)
        q /= np.linalg.norm(q)
        sent.append(Sent(stamp, "odom", "base_link", p, q, log_ns=stamp + 2_000_000, publisher="/odometry"))
        sent.append(odometry(stamp, p, q, truth.v[i], truth.w[i], random))
    for imu in imus:
        sent += readings_of(random, truth, imu)
    return sent


SIGMAS = ((0.002, 0.0016), (0.01, 0.005))
"""Noise of the odometry: of position, m, and orientation, rad; of velocity, m/s, and rates, rad/s."""


def odometry(stamp: int, p: Array, q: Array, v: Array, w: Array, random: np.random.Generator) -> Other:
    v = v + random.normal(0, SIGMAS[1][0], 3)
    w = w + random.normal(0, SIGMAS[1][1], 3)
    pose = ("geometry_msgs/msg/Pose", {"position": point(p), "orientation": quaternion(q)})
    twist = ("geometry_msgs/msg/Twist", {"linear": vector(v), "angular": vector(w)})
    of_pose, of_twist = (np.diag(np.square([*(linear,) * 3, *(turn,) * 3])).ravel() for linear, turn in SIGMAS)
    fields = {
        "header": ("header", "odom"),
        "child_frame_id": "base_link",
        "pose": ("geometry_msgs/msg/PoseWithCovariance", {"pose": pose, "covariance": of_pose}),
        "twist": ("geometry_msgs/msg/TwistWithCovariance", {"twist": twist, "covariance": of_twist}),
    }
    return Other(stamp, "/odom", "nav_msgs/msg/Odometry", fields, "/odometry", stamp + 2_000_000)


def readings_of(random: np.random.Generator, truth: Truth, imu: Imu) -> list[Other]:
    """Return the messages of an IMU."""
    t = np.arange(0.0, float(truth.t[-1]), 1.0 / imu.hz)
    i = nearest(truth, t)
    q_BI = np.asarray(imu.q, float)
    R_IB = matrices(q_BI[np.newaxis])[0].T
    lever = np.asarray(imu.p, float)
    b = np.gradient(truth.w, truth.t, axis=0)
    f = truth.f + np.cross(b, lever) + np.cross(truth.w, np.cross(truth.w, lever))
    w_I = truth.w[i] @ R_IB.T + random.normal(0, imu.sigmas[1], (len(t), 3))
    f_I = f[i] @ R_IB.T + random.normal(0, imu.sigmas[2], (len(t), 3))
    q_I = product(truth.q[i], np.broadcast_to(q_BI, (len(t), 4)))
    q_I = q_I + random.normal(0, imu.sigmas[0] / 2, (len(t), 4))
    q_I /= np.linalg.norm(q_I, axis=1, keepdims=True)
    if imu.is_scalar_first:
        q_I = q_I[:, [3, 0, 1, 2]]
    messages: list[Other] = []
    for k in range(len(t)):
        stamp = START_NS + round((t[k] + imu.delay) * NS)
        fields = {
            "header": ("header", imu.frame),
            "orientation": quaternion(q_I[k] if imu.has_orientation else (0.0, 0.0, 0.0, 0.0)),
            "orientation_covariance": covariance(imu.sigmas[0] if imu.has_orientation else None),
            "angular_velocity": vector(imu.gyro_factor * w_I[k]),
            "angular_velocity_covariance": covariance(imu.sigmas[1]),
            "linear_acceleration": vector(f_I[k]),
            "linear_acceleration_covariance": covariance(imu.sigmas[2]),
        }
        messages.append(Other(stamp, imu.topic, "sensor_msgs/msg/Imu", fields, "/imu_driver", stamp + 1_000_000))
    return messages


def covariance(sigma: float | None) -> Array:
    if sigma is None:
        return np.array([-1.0, *(0.0,) * 8])
    return (sigma**2 * np.eye(3)).ravel()


def vector(v: Sequence[float]) -> tuple[str, dict[str, float]]:
    return "geometry_msgs/msg/Vector3", dict(zip("xyz", map(float, v), strict=True))


def point(v: Sequence[float]) -> tuple[str, dict[str, float]]:
    return "geometry_msgs/msg/Point", dict(zip("xyz", map(float, v), strict=True))


def quaternion(v: Sequence[float]) -> tuple[str, dict[str, float]]:
    return "geometry_msgs/msg/Quaternion", dict(zip("xyzw", map(float, v), strict=True))


def turned_imu(imu: Imu = Imu()) -> Imu:
    """Return an IMU that is mounted −y z −x, while its transform says that it is not turned."""
    return replace(imu, q=MINUS_Y_Z_MINUS_X)

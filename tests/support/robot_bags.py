"""Bags of robots that describe themselves: joint states, transforms of links, and planted faults of both.

SciPy makes the transforms, so that the forward kinematics of the program is compared with that of another library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.bags import NS, START_NS, Other, Sent

Array = np.ndarray

ARM = """<robot name="arm">
  <link name="base_link"/><link name="turret"/><link name="upper_arm"/><link name="forearm"/><link name="carriage"/>
  <link name="finger_left"/><link name="finger_right"/><link name="imu_link"/>
  <joint name="pan" type="revolute"><parent link="base_link"/><child link="turret"/>
    <origin xyz="0 0 0.4" rpy="0 0 0.3"/><axis xyz="0 0 1"/>
    <limit lower="-3.0" upper="3.0" effort="1" velocity="2"/></joint>
  <joint name="lift" type="revolute"><parent link="turret"/><child link="upper_arm"/>
    <origin xyz="0.1 0 0.2" rpy="0.2 0.1 0"/><axis xyz="0 1 0"/>
    <limit lower="-2.0" upper="2.0" effort="1" velocity="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper_arm"/><child link="forearm"/>
    <origin xyz="0.5 0 0" rpy="0 0.4 -0.1"/><axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" effort="1" velocity="2"/></joint>
  <joint name="rail" type="prismatic"><parent link="forearm"/><child link="carriage"/>
    <origin xyz="0.4 0 0"/><axis xyz="1 0 0"/><limit lower="0" upper="0.3" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="carriage"/><child link="finger_left"/>
    <origin xyz="0.05 0.02 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="grip_mirror" type="revolute"><parent link="carriage"/><child link="finger_right"/>
    <origin xyz="0.05 -0.02 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="grip" multiplier="-1" offset="0.05"/></joint>
  <joint name="imu_joint" type="fixed"><parent link="forearm"/><child link="imu_link"/>
    <origin xyz="0.1 0 0.03" rpy="0 0 1.5707963267948966"/></joint>
</robot>"""
"""An arm on a desk, with a rail, a gripper of two fingers, and an IMU on its forearm."""

PARTS: dict[str, tuple[str, str, Sequence[float], Sequence[float], Sequence[float]]] = {
    "pan": ("base_link", "turret", (0, 0, 0.4), (0, 0, 0.3), (0, 0, 1)),
    "lift": ("turret", "upper_arm", (0.1, 0, 0.2), (0.2, 0.1, 0), (0, 1, 0)),
    "elbow": ("upper_arm", "forearm", (0.5, 0, 0), (0, 0.4, -0.1), (0, 1, 0)),
    "rail": ("forearm", "carriage", (0.4, 0, 0), (0, 0, 0), (1, 0, 0)),
    "grip": ("carriage", "finger_left", (0.05, 0.02, 0), (0, 0, 0), (0, 0, 1)),
    "grip_mirror": ("carriage", "finger_right", (0.05, -0.02, 0), (0, 0, 0), (0, 0, 1)),
    "imu_joint": ("forearm", "imu_link", (0.1, 0, 0.03), (0, 0, np.pi / 2), ()),
}
"""Parent, child, origin and axis of each joint of the arm, as in its description."""

ROVER = """<robot name="rover">
  <link name="base_link"/><link name="imu_link"/>
  <link name="wheel_left"><visual><geometry><cylinder radius="0.1" length="0.04"/></geometry></visual></link>
  <link name="wheel_right"><visual><geometry><cylinder radius="0.1" length="0.04"/></geometry></visual></link>
  <link name="fork"/>
  <link name="caster"><visual><geometry><sphere radius="0.03"/></geometry></visual></link>
  <joint name="left_wheel" type="continuous"><parent link="base_link"/><child link="wheel_left"/>
    <origin xyz="0 0.2 0.1" rpy="-1.5707963267948966 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="right_wheel" type="continuous"><parent link="base_link"/><child link="wheel_right"/>
    <origin xyz="0 -0.2 0.1" rpy="1.5707963267948966 0 0"/><axis xyz="0 0 -1"/></joint>
  <joint name="fork_joint" type="continuous"><parent link="base_link"/><child link="fork"/><axis xyz="0 0 1"/></joint>
  <joint name="caster_joint" type="continuous"><parent link="fork"/><child link="caster"/>
    <origin xyz="0 0.01 0"/><axis xyz="0 1 0"/></joint>
  <joint name="imu_joint" type="fixed"><parent link="base_link"/><child link="imu_link"/>
    <origin xyz="0.05 0 0.12"/></joint>
</robot>"""
"""A rover with two wheels of 0.1 m, 0.4 m apart, and a caster."""


def description(text: str = ARM, topic: str = "/robot_description") -> Other:
    """Return the message with a robot description."""
    return Other(START_NS, topic, "std_msgs/msg/String", {"data": text})


def joint_state(
    stamp_ns: int,
    positions: Mapping[str, float],
    velocities: Mapping[str, float] | None = None,
    *,
    topic: str = "/joint_states",
    publisher: str = "/joint_driver",
    log_ns: int | None = None,
) -> Other:
    """Return a message of joint states."""
    fields = {
        "header": ("header", ""),
        "name": list(positions) or list(velocities or {}),
        "position": np.array(list(positions.values()), float),
        "velocity": np.array(list((velocities or {}).values()), float),
        "effort": np.array([]),
    }
    return Other(stamp_ns, topic, "sensor_msgs/msg/JointState", fields, publisher=publisher, log_ns=log_ns)


def arm_values(t: Array) -> dict[str, Array]:
    """Return the true values of the joints of the arm at times, rad and m."""
    return {
        "pan": 0.2 + 0.7 * np.sin(0.8 * t),
        "lift": -0.4 + 0.5 * np.sin(1.1 * t + 0.4),
        "elbow": 0.9 + 0.6 * np.cos(0.6 * t),
        "rail": 0.12 + 0.1 * np.sin(0.5 * t),
        "grip": 0.3 + 0.2 * np.sin(0.7 * t),
    }


def pose_in_parent(joint: str, value: float) -> tuple[Array, Array]:
    """Return position and quaternion of the child of a joint of the arm in its parent."""
    _, _, xyz, rpy, axis = PARTS[joint]
    R = Rotation.from_euler("xyz", rpy)
    if not len(axis):
        return np.array(xyz, float), R.as_quat()
    if joint == "rail":
        return np.array(xyz, float) + value * R.apply(axis), R.as_quat()
    return np.array(xyz, float), (R * Rotation.from_rotvec(value * np.array(axis, float))).as_quat()


@dataclass(frozen=True)
class Clock:
    """Rate and length of a recording, Hz and s, and its stamps, ns."""

    hz: float = 25.0
    seconds: float = 12.0

    @property
    def t(self) -> Array:
        return np.arange(0.0, self.seconds, 1.0 / self.hz)

    @property
    def ns(self) -> list[int]:
        return (START_NS + np.round(self.t * NS).astype(np.int64)).tolist()


Change = Callable[[Array, dict[str, Array]], dict[str, Array]]


def put(**changes: Callable[[Array], Array]) -> Change:
    """Return the change of the published values of some joints."""
    return lambda t, values: {name: changes.get(name, lambda x: x)(x) for name, x in values.items()}


def arm_bag(
    change: Change | None = None,
    *,
    clock: Clock = Clock(),
    text: str = ARM,
    has_transforms: bool = True,
    prefix: str = "",
    values_at: Callable[[Array], dict[str, Array]] = arm_values,
    topic: str = "/joint_states",
) -> list[Sent | Other]:
    """Return the messages of an arm that moves: description, transforms of its links, and joint states.

    `change` makes the published values from times and true values.
    """
    t, true = clock.t, values_at(clock.t)
    published = true if change is None else change(t, dict(true))
    messages: list[Sent | Other] = [description(text)]
    for i, stamp in enumerate(clock.ns):
        state = {name: float(x[i]) for name, x in published.items()}
        messages.append(joint_state(stamp, state, topic=topic, log_ns=stamp + 1_000_000))
        values = {name: float(x[i]) for name, x in true.items()} | {"grip_mirror": 0.05 - float(true["grip"][i])}
        for joint, value in values.items() if has_transforms else ():
            parent, child = PARTS[joint][:2]
            messages.append(
                Sent(
                    stamp,
                    f"{prefix}{parent}",
                    f"{prefix}{child}",
                    *pose_in_parent(joint, value),
                    log_ns=stamp + 3_000_000,
                )
            )
    if has_transforms:
        fixed = pose_in_parent("imu_joint", 0.0)
        messages.append(Sent(START_NS, f"{prefix}forearm", f"{prefix}imu_link", *fixed, is_static=True))
    return messages


def forearm_motion(t: Array) -> tuple[Rotation, Array]:
    """Return orientations and positions of the IMU of the arm in its base at times."""
    values = arm_values(t)
    R, p = Rotation.identity(len(t)), np.zeros((len(t), 3))
    for joint in ("pan", "lift", "elbow", "imu_joint"):
        _, _, xyz, rpy, axis = PARTS[joint]
        p = p + R.apply(np.array(xyz, float))
        R = R * Rotation.from_euler("xyz", rpy)
        if len(axis):
            R = R * Rotation.from_rotvec(values[joint][:, np.newaxis] * np.array(axis, float))
    return R, p


def forearm_imu(clock: Clock = Clock(), *, factor: float = 1.0, seed: int = 1) -> list[Other]:
    """Return the messages of the IMU of the arm at 100 Hz; `factor` multiplies its rates."""
    random = np.random.default_rng(seed)
    dt = 1e-3
    t = np.arange(0.0, clock.seconds, dt)
    R, p = forearm_motion(t)
    w = (R[:-1].inv() * R[1:]).as_rotvec() / dt
    a = np.gradient(np.gradient(p, dt, axis=0), dt, axis=0)
    f = R.inv().apply(a + np.array([0.0, 0.0, 9.80665]))
    q = R.as_quat()
    messages: list[Other] = []
    for i in range(0, len(t) - 1, 10):
        stamp = START_NS + round(t[i] * NS)
        fields = {
            "header": ("header", "imu_link"),
            "orientation": ("geometry_msgs/msg/Quaternion", dict(zip("xyzw", q[i].tolist(), strict=True))),
            "angular_velocity": _vector(factor * w[i] + 0.003 * random.standard_normal(3)),
            "linear_acceleration": _vector(f[i] + 0.05 * random.standard_normal(3)),
            **{
                f"{name}_covariance": np.zeros(9) for name in ("orientation", "angular_velocity", "linear_acceleration")
            },
        }
        messages.append(Other(stamp, "/imu", "sensor_msgs/msg/Imu", fields, log_ns=stamp + 2_000_000))
    return messages


def _vector(v: Array) -> tuple[str, dict[str, float]]:
    return "geometry_msgs/msg/Vector3", dict(zip("xyz", map(float, v), strict=True))


def wheel_states(
    v: Array,
    w: Array,
    dt: float,
    *,
    hz: float = 30.0,
    factors: tuple[float, float] = (1.0, 1.0),
    is_swapped: bool = False,
    has_velocities: bool = True,
    radius: float = 0.1,
    track: float = 0.4,
    text: str = ROVER,
    seed: int = 1,
) -> list[Other]:
    """Return description and joint states of the rover that drives at speeds, m/s and rad/s, each `dt` s.

    `factors` multiply the speeds of the left and the right wheel.
    """
    random = np.random.default_rng(seed)
    left, right = (
        factor * (v + side * w * track / 2) / radius for factor, side in zip(factors, (-1.0, 1.0), strict=True)
    )
    if is_swapped:
        left, right = right, left
    turned = [np.cumsum(rate) * dt for rate in (left, right)]
    messages: list[Other] = [description(text)]
    for i in range(0, len(v), round(1.0 / (hz * dt))):
        stamp = START_NS + round(i * dt * NS)
        rates = {"left_wheel": left[i] + 0.02 * random.standard_normal(), "right_wheel": right[i]}
        positions = {"left_wheel": turned[0][i], "right_wheel": turned[1][i]}
        messages.append(joint_state(stamp, positions, rates if has_velocities else None, log_ns=stamp + 3_000_000))
    return messages

"""Random drives of a body with sensors, in truth, and faults of the readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation, Slerp

from framescope.features.evidence.core.readings import Mount, Readings, SensorLog

Array = np.ndarray
G = 9.80665
KINDS = ("wheeled", "flying", "hand-held", "arm")


@dataclass(frozen=True)
class Noise:
    """Noise of a set of sensors."""

    gyro: float
    gyro_bias: float
    gyro_walk: float
    force: float
    force_bias: float
    tilt: float
    tilt_white: float
    field: float
    position: float
    velocity: float


PHONE = Noise(0.006, 0.01, 3e-4, 0.06, 0.1, np.radians(0.8), np.radians(0.2), 8e-7, 0.01, 0.02)
GOOD = Noise(0.001, 0.001, 3e-5, 0.01, 0.01, np.radians(0.1), np.radians(0.03), 2e-7, 0.002, 0.005)


@dataclass(frozen=True)
class Truth:
    """Motion of the body at 200 Hz: orientation, angular velocity, position, velocity, specific force at the origin."""

    t: Array
    R: Rotation
    w: Array
    p: Array
    v: Array
    f: Array

    def at(self, t: Array) -> Truth:
        t = np.clip(t, self.t[0], self.t[-1])

        def part(x: Array) -> Array:
            return np.stack([np.interp(t, self.t, column) for column in x.T], axis=1)

        return Truth(t, Slerp(self.t, self.R)(t), part(self.w), part(self.p), part(self.v), part(self.f))


def smooth(rng, n: int, dt: float, seconds: float, size: float, k: int = 3) -> Array:
    """Return smooth random series (n, k) of a correlation time and a standard deviation."""
    x = gaussian_filter1d(rng.standard_normal((n, k)), seconds / dt, axis=0, mode="reflect")
    return x / np.maximum(x.std(axis=0), 1e-12) * size


def truth(rng, kind: str, duration: float, *, quiet: bool = False) -> Truth:
    dt = 0.005
    t = np.arange(int(duration / dt) + 1) * dt
    n = len(t)
    # Phases of motion and of rest.
    activity = np.clip(smooth(rng, n, dt, 4.0, 1.0, 1)[:, 0] + 0.8, 0.0, 1.0)
    if quiet:
        activity = np.zeros(n)
    shake = 1e-5 if quiet else 1.0
    if kind == "wheeled":
        yaw_rate = smooth(rng, n, dt, 0.7, 0.5, 1)[:, 0] * activity
        speed = (0.6 + smooth(rng, n, dt, 1.0, 0.4, 1)[:, 0]) * activity
        yaw = rng.uniform(-3, 3) + np.cumsum(yaw_rate) * dt
        tilt = smooth(rng, n, dt, 0.15, np.radians(0.25), 2) * activity[:, None]
        tilt += smooth(rng, n, dt, 3.0, np.radians(1.0), 2) * (0.0 if quiet else 1.0)
        R = Rotation.from_euler("ZYX", np.column_stack([yaw, tilt]))
        v = R.apply(np.column_stack([speed, 0 * speed, 0 * speed]))
    elif kind == "flying":
        acceleration = smooth(rng, n, dt, 0.5, 1.2) * activity[:, None]
        v = np.cumsum(acceleration, axis=0) * dt
        v -= gaussian_filter1d(v, 3.0 / dt, axis=0, mode="reflect")
        v *= shake
        a = np.gradient(v, dt, axis=0)
        yaw = rng.uniform(-3, 3) + smooth(rng, n, dt, 1.5, 0.8, 1)[:, 0] * (0 if quiet else 1)
        # Thrust along the body's z axis, with some drag.
        thrust = 0.85 * a + [0, 0, G]
        z = thrust / np.linalg.norm(thrust, axis=1, keepdims=True)
        x = np.column_stack([np.cos(yaw), np.sin(yaw), 0 * yaw])
        y = np.cross(z, x)
        y /= np.linalg.norm(y, axis=1, keepdims=True)
        R = Rotation.from_matrix(np.stack([np.cross(y, z), y, z], axis=2))
    else:
        size = 0.9 if kind == "hand-held" else 0.7
        angles = smooth(rng, n, dt, 0.6, size) * (0.0 if quiet else 1.0) * (0.25 + 0.75 * activity[:, None])
        angles = gaussian_filter1d(angles, 0.1 / dt, axis=0, mode="nearest")
        start = Rotation.random(random_state=int(rng.integers(1 << 31))) if kind == "arm" else Rotation.identity()
        R = start * Rotation.from_rotvec(angles)
        if kind == "arm":
            v = np.gradient(0.6 * R.apply([1.0, 0.2, 0.3]), dt, axis=0)
        else:
            v = smooth(rng, n, dt, 0.5, 0.35) * activity[:, None]
    if kind != "flying":
        v = gaussian_filter1d(v, 0.03 / dt, axis=0, mode="nearest")
        a = np.gradient(v, dt, axis=0)
    p = np.cumsum(v, axis=0) * dt
    step = (R[:-1].inv() * R[1:]).as_rotvec() / dt
    w = np.concatenate([step[:1], 0.5 * (step[1:] + step[:-1]), step[-1:]])
    return Truth(t, R, w, p, v, R.inv().apply(a + np.array([0.0, 0.0, G])))


def stamps(rng, duration: float, rate: float, *, jitter: float = 0.02, stalls: int = 0) -> Array:
    t = np.arange(0.02, duration - 0.02, 1.0 / rate)
    t = t + rng.uniform(-jitter, jitter, len(t)) / rate
    t = t[rng.random(len(t)) > 0.005]
    for _ in range(stalls):
        start = rng.uniform(0.1, 0.9) * duration
        t = t[(t < start) | (t > start + rng.uniform(1.0, 3.0))]
    return t


def walk(rng, t: Array, size: float, k: int = 3) -> Array:
    steps = rng.standard_normal((len(t), k)) * size * np.sqrt(np.gradient(t))[:, None]
    return np.cumsum(steps, axis=0)


def imu(
    rng,
    body: Truth,
    noise: Noise,
    *,
    rate: float,
    R_BS: Rotation,
    p_BS: Array,
    name: str,
    frame: str,
    reference: str = "",
    with_field: bool = False,
    stalls: int = 0,
) -> list[Readings]:
    t = stamps(rng, body.t[-1], rate, stalls=stalls)
    at = body.at(t)
    n = len(t)
    gyro = R_BS.inv().apply(at.w) + noise.gyro * rng.standard_normal((n, 3))
    gyro += noise.gyro_bias * rng.standard_normal(3) + walk(rng, t, noise.gyro_walk)
    dw = np.gradient(body.w, body.t, axis=0)
    lever = np.cross(dw, p_BS) + np.cross(body.w, np.cross(body.w, p_BS))
    f = body.f + lever
    force = R_BS.inv().apply(np.stack([np.interp(t, body.t, column) for column in f.T], axis=1))
    force += noise.force * rng.standard_normal((n, 3)) + noise.force_bias * rng.standard_normal(3)
    error = smooth(rng, n, 1.0 / rate, 8.0, noise.tilt) + noise.tilt_white * rng.standard_normal((n, 3))
    Q = (Rotation.from_rotvec(error) * at.R * R_BS).as_quat()
    Q *= np.where(rng.random(n) < 0.01, -1.0, 1.0)[:, None]
    out = [
        Readings(f"orientation of {name}", name, "orientation", t, Q, frame, reference),
        Readings(f"angular velocity of {name}", name, "angular velocity", t, gyro, frame, reference),
        Readings(f"specific force of {name}", name, "specific force", t, force, frame, reference),
    ]
    if with_field:
        field = (at.R * R_BS).inv().apply([0.0, 2e-5, -4e-5]) + noise.field * rng.standard_normal((n, 3))
        out.append(Readings(f"magnetic field of {name}", name, "magnetic field", t, field, frame, reference))
    return out


def odometry(rng, body: Truth, noise: Noise, *, rate: float, name: str, stalls: int = 0) -> list[Readings]:
    t = stamps(rng, body.t[-1], rate, stalls=stalls)
    at = body.at(t)
    n = len(t)
    start = Rotation.from_euler("z", -at.R[0].as_euler("ZYX")[0])
    error = smooth(rng, n, 1.0 / rate, 10.0, 0.3 * noise.tilt) + 0.3 * noise.tilt_white * rng.standard_normal((n, 3))
    R = Rotation.from_rotvec(error) * start * at.R
    p = start.apply(at.p - at.p[0]) + noise.position * rng.standard_normal((n, 3))
    v = at.R.inv().apply(at.v) + noise.velocity * rng.standard_normal((n, 3))
    v += 0.0
    return [
        Readings(f"orientation of {name}", name, "orientation", t, R.as_quat(), "base_link", "odom"),
        Readings(f"position of {name}", name, "position", t, p, "base_link", "odom"),
        Readings(f"velocity of {name}", name, "velocity", t, v, "base_link", "odom", "base_link"),
    ]


@dataclass(frozen=True)
class Drive:
    """Readings of a drive without faults, and the true pose of the IMU on the body."""

    log: SensorLog
    R_BS: Rotation
    p_BS: Array
    kind: str


def drive(
    seed: int,
    kind: str = "wheeled",
    duration: float = 60.0,
    *,
    noise: Noise = PHONE,
    quiet: bool = False,
    mounted: str = "known",
    with_odometry: bool = True,
    with_field: bool = False,
    rates: Sequence[float] = (100.0, 20.0),
    stalls: int = 0,
) -> Drive:
    rng = np.random.default_rng(seed)
    body = truth(rng, kind, duration, quiet=quiet)
    R_BS = Rotation.random(random_state=seed) if mounted != "same" else Rotation.identity()
    p_BS = rng.uniform(-0.2, 0.2, 3) if mounted != "same" else np.zeros(3)
    frame = "base_link" if mounted == "same" else "imu_link"
    readings = imu(
        rng,
        body,
        noise,
        rate=rates[0],
        R_BS=R_BS,
        p_BS=p_BS,
        name="/imu",
        frame=frame,
        with_field=with_field,
        stalls=stalls,
    )
    if with_odometry:
        readings += odometry(rng, body, noise, rate=rates[1], name="/odom", stalls=stalls)
    mounts = (Mount("base_link", "imu_link", R_BS.as_quat(), p_BS),) if mounted == "known" else ()
    return Drive(SensorLog(tuple(readings), mounts), R_BS, p_BS, kind)


Change = Callable[[Readings], Readings]


def with_values(f: Callable[[Array], Array]) -> Change:
    return lambda readings: replace(readings, values=f(readings.values))


def turned(R: Array) -> Change:
    """Return the change of the frame's axes: vectors are read as ``R @ v``, orientations as ``Q @ inv(R)``."""

    def change(readings: Readings) -> Readings:
        if readings.quantity == "orientation":
            Q = Rotation.from_quat(readings.values) * Rotation.from_matrix(R.T)
            return replace(readings, values=Q.as_quat())
        return replace(readings, values=readings.values @ R.T)

    return change


def changed(log: SensorLog, name: str, *changes: Change) -> SensorLog:
    readings = list(log.readings)
    for k, r in enumerate(readings):
        if r.name == name:
            for change in changes:
                readings[k] = change(readings[k])
    return replace(log, readings=tuple(readings))

"""Readings of a device that turns about all axes and moves, exact up to a little noise, for tests of the evidence."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.readings import Mount, Readings, SensorLog

G = np.array([0.0, 0.0, 9.80665])


def motion(t: np.ndarray) -> tuple[Rotation, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return orientation, angular velocity in the frame, position, velocity and acceleration of a device at times."""
    R = Rotation.from_euler("XYZ", angles_at(t))
    step = 1e-5
    later = Rotation.from_euler("XYZ", angles_at(t + step))
    earlier = Rotation.from_euler("XYZ", angles_at(t - step))
    rate = (earlier.inv() * later).as_rotvec() / (2.0 * step)
    w, size = np.array([0.9, 1.3, 0.6]), np.array([1.0, 0.8, 0.3])
    p = size * np.sin(t[:, None] * w)
    return R, rate, p, size * w * np.cos(t[:, None] * w), -size * w**2 * np.sin(t[:, None] * w)


def angles_at(t: np.ndarray) -> np.ndarray:
    """Return the angles (n, 3) of the device about its moving x, y and z at times, rad."""
    return np.stack([0.6 * np.sin(1.1 * t), 0.5 * np.sin(1.7 * t + 1.0), 0.8 * np.sin(0.7 * t) + 0.2 * t], axis=1)


def device(
    seconds: float = 20.0,
    *,
    turned: Rotation | None = None,
    rate_factor: float = 1.0,
    rate_offset: float = 0.0,
    force_offset: float = 0.0,
    late: float = 0.0,
    is_wxyz: bool = False,
) -> SensorLog:
    """Return the readings of an inertial unit at 100 Hz and of odometry at 50 Hz, with faults.

    `turned` is the orientation of the unit on the base, which the readings state as none. `late` is what its stamps are
    too large, s. The offsets are along x of the unit.
    """
    rng = np.random.default_rng(5)
    t = np.arange(0.0, seconds, 0.01)
    R, rate, _, _, a = motion(t)
    C = turned or Rotation.identity()
    force = R.inv().apply(a + G)
    Q = (R * C * Rotation.from_rotvec(1e-3 * rng.normal(size=(len(t), 3)))).as_quat()
    gyro = (
        rate_factor * C.inv().apply(rate) + [rate_offset, 0.0, 0.0] + 2e-3 * rate_factor * rng.normal(size=(len(t), 3))
    )
    felt = C.inv().apply(force) + [force_offset, 0.0, 0.0] + 0.02 * rng.normal(size=(len(t), 3))
    if is_wxyz:
        Q = Q[:, [3, 0, 1, 2]]
    t2 = np.arange(0.0, seconds, 0.02)
    R2, _, p2, v2, _ = motion(t2)
    Q2 = (R2 * Rotation.from_rotvec(1e-3 * rng.normal(size=(len(t2), 3)))).as_quat()
    p2 = p2 + 1e-3 * rng.normal(size=p2.shape)
    velocity = R2.inv().apply(v2) + 2e-3 * rng.normal(size=p2.shape)
    return SensorLog(
        (
            Readings("orientation of /imu", "/imu", "orientation", t + late, Q, "imu_link", "odom"),
            Readings("angular velocity of /imu", "/imu", "angular velocity", t + late, gyro, "imu_link"),
            Readings("specific force of /imu", "/imu", "specific force", t + late, felt, "imu_link"),
            Readings("orientation of /odom", "/odom", "orientation", t2, Q2, "base_link", "odom"),
            Readings("position of /odom", "/odom", "position", t2, p2, "base_link", "odom"),
            Readings("velocity of /odom", "/odom", "velocity", t2, velocity, "base_link", "odom", "base_link"),
        ),
        (Mount("base_link", "imu_link", np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3)),),
    )

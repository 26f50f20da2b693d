"""Two pose streams of one body with a planted mounting, clocks, scale, noise, outliers and convention."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.features.trajectories.core.pose_stream import PoseStream, quaternions_of, rotations, stream_of
from framescope.features.trajectories.core.stream_readings import MIRROR, PLAIN, StreamReading, inverse_poses


@dataclass(frozen=True)
class Plant:
    """What is planted; `kind` of the motion: ``"rich"``, ``"one axis"``, ``"plane"``, ``"no turning"``, ``"rest"``."""

    seed: int = 0
    n: int = 400
    hz: float = 50.0
    hz_b: float | None = None
    offset: float = 0.0
    drift: float = 0.0
    scale: float = 1.0
    angle: float = 2e-3
    distance: float = 2e-3
    outliers: float = 0.05
    kind: str = "rich"
    reading: StreamReading = field(default=PLAIN)


@dataclass(frozen=True)
class Planted:
    """The streams, and the true mounting and world offset."""

    a: PoseStream
    b: PoseStream
    R_X: np.ndarray
    p_X: np.ndarray
    R_Y: np.ndarray
    p_Y: np.ndarray


def _motion(plant, t):
    random = np.random.default_rng([plant.seed, 1])
    f, phase = random.uniform(0.1, 0.5, (6, 4)), random.uniform(0.0, 6.28, (6, 4))
    size = random.normal(size=(6, 4))
    waves = (size[:, :, None] * np.sin(2 * np.pi * f[:, :, None] * t + phase[:, :, None])).sum(axis=1).T
    p, turn = 0.7 * waves[:, :3], 0.35 * waves[:, 3:]
    if plant.kind in ("one axis", "plane"):
        turn[:, :2] = 0.0
    if plant.kind == "plane":
        p[:, 2] = 0.0
    if plant.kind in ("no turning", "rest"):
        turn[:] = 0.0
    if plant.kind == "rest":
        p[:] = 0.0
    return p, Rotation.from_rotvec(turn)


def planted(plant: Plant) -> Planted:
    """Return the streams: the time t of b is ``t + offset + drift t`` of a."""
    random = np.random.default_rng([plant.seed, 2])
    R_X, R_Y = (Rotation.from_quat(random.normal(size=4)) for _ in range(2))
    p_X, p_Y = 0.3 * random.normal(size=3), 3.0 * random.normal(size=3)
    t_a = np.arange(plant.n) / plant.hz
    hz_b = plant.hz_b or plant.hz
    t_b = np.arange(int(plant.n / plant.hz * hz_b)) / hz_b
    p_a, R_a = _motion(plant, t_a)
    p, R = _motion(plant, t_b + plant.offset + plant.drift * t_b)
    R_b = R_Y.inv() * R * R_X
    p_b = R_Y.inv().apply(p + R.apply(p_X) - p_Y) / plant.scale

    def spoilt(p, R, unit):
        p = p + plant.distance * unit * random.normal(size=p.shape)
        R = R * Rotation.from_rotvec(plant.angle * random.normal(size=p.shape))
        is_out = random.random(len(p)) < plant.outliers
        p[is_out] += 0.5 * unit * random.normal(size=(is_out.sum(), 3))
        turn = np.zeros_like(p)
        turn[is_out] = 0.5 * random.normal(size=(is_out.sum(), 3))
        return p, (R * Rotation.from_rotvec(turn)).as_quat()

    p_a, q_a = spoilt(p_a, R_a, 1.0)
    p_b, q_b = written_as(plant.reading, *spoilt(p_b, R_b, 1.0 / plant.scale))
    a, b = stream_of("a", t_a, p_a, q_a), stream_of("b", t_b, p_b, q_b)
    return Planted(a, b, R_X.as_matrix(), p_X, R_Y.as_matrix(), p_Y)


def written_as(reading: StreamReading, p, q):
    """Return the numbers of a file whose poses are as a reading has them: the inverse of the reading."""
    if reading.is_inverse:
        p, q = inverse_poses(p, q)
    if reading.is_mirrored:
        p, q = p @ MIRROR, quaternions_of(MIRROR @ rotations(q) @ MIRROR)
    if reading.is_turned_round:
        q = q * [-1.0, -1.0, -1.0, 1.0]
    if reading.axes:
        p = p @ np.array(reading.axes)
    if reading.is_scalar_first:
        q = q[:, [3, 0, 1, 2]]
    return p, q


def misses(answer, truth: Planted):
    """Return the errors (6,) of the body offset in its standard errors."""
    turned = Rotation.from_matrix(answer.body.R_AB.T @ truth.R_X).as_rotvec()
    off = np.concatenate([turned, truth.p_X - answer.body.p_AB])
    return np.abs(off) / answer.errors[:6]


def angle_off(answer, truth: Planted) -> float:
    return float(np.linalg.norm(Rotation.from_matrix(answer.body.R_AB.T @ truth.R_X).as_rotvec()))

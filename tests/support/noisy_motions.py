"""Recordings with noise of unequal size in position and orientation, and the rates that they truly have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from framescope.core import quaternions
from framescope.core.kernels.components import conjugate_of, quaternion_product_of
from framescope.core.kernels.validation import Array
from framescope.core.recordings.pose_spline import Bandwidths, Recording, smooth
from framescope.core.recordings.smoothing import Stated, fit

STEP = 1e-4
"""Step of the differences that the true rates are, s."""

ENDS = 2.0
"""Time at both ends that is not judged, s."""

DIGITS = 9
"""Digits after the point, as a table has them."""

GRID = (0.1, 0.2, 0.4, 0.6, 0.8, 1.1, 1.5, 2.1, 3.0, 4.2, 6.0, 12.0, 24.0)
"""Bandwidths that a default is laid against, Hz."""


def boat(t: Array) -> tuple[Array, Array]:
    """Return position and angles (z, y, x) of slow turns with a swell."""
    p = [4 * np.sin(0.29 * t) + 0.3 * np.cos(1.3 * t), 2.5 * np.cos(0.23 * t), 0.4 * np.sin(0.8 * t)]
    angles = [1.1 * np.sin(0.27 * t), 0.25 * np.sin(0.9 * t), 0.35 * np.sin(1.2 * t) + 0.08 * np.cos(2.2 * t)]
    return np.stack(p, axis=-1), np.stack(angles, axis=-1)


def wrist(t: Array) -> tuple[Array, Array]:
    """Return position and angles of quick movements of a hand."""
    p = [0.25 * np.sin(2.4 * t) + 0.04 * np.sin(8 * t), 0.2 * np.cos(1.9 * t), 0.08 * np.sin(3.3 * t)]
    angles = [np.sin(2.2 * t), 0.5 * np.sin(3.1 * t) + 0.2 * np.sin(7 * t), 0.4 * np.cos(2.9 * t)]
    return np.stack(p, axis=-1), np.stack(angles, axis=-1)


def truck(t: Array) -> tuple[Array, Array]:
    """Return position and angles of a drive along a road."""
    p = [8 * t + 0.6 * np.sin(0.25 * t), 15 * np.sin(0.06 * t), 0.03 * np.sin(1.8 * t)]
    angles = [0.4 * np.sin(0.06 * t), 0.012 * np.sin(1.4 * t), 0.01 * np.cos(1.2 * t)]
    return np.stack(p, axis=-1), np.stack(angles, axis=-1)


def gripper(t: Array) -> tuple[Array, Array]:
    """Return position and angles of a path that is begun anew every five seconds, without a way back."""
    s = np.clip((t % 5) / 2.2, 0, 1)
    s = s**3 * (10 - 15 * s + 6 * s * s)
    return np.stack([0.4 + 0.25 * s, 0.3 * s, 0.5 - 0.1 * s], -1), np.stack([1.2 * s, 0.6 * s, -0.5 * s], -1)


Motion = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True)
class NoisyMotion:
    """A motion recorded at a rate, Hz, over a time, s, with the noise of one direction, m, and about one axis, rad."""

    motion: Motion
    rate: float
    length: float
    position_noise: float
    angle_noise: float

    def __str__(self) -> str:
        noise = f"{1e3 * self.position_noise:g} mm, {1e3 * self.angle_noise:g} mrad"
        return f"{self.motion.__name__} at {self.rate:g} Hz, {noise}"


NOISY = (
    NoisyMotion(boat, 100.0, 40.0, 1.2e-3, 1.5e-3),
    NoisyMotion(boat, 100.0, 40.0, 2e-5, 3e-3),
    NoisyMotion(boat, 100.0, 40.0, 2e-3, 1e-5),
    NoisyMotion(boat, 25.0, 40.0, 6e-3, 5e-3),
    NoisyMotion(boat, 10.0, 40.0, 0.8, 1.5e-3),
    NoisyMotion(boat, 80.0, 40.0, 0.0, 2.5e-3),
    NoisyMotion(boat, 500.0, 15.0, 1e-3, 1.2e-3),
    NoisyMotion(wrist, 120.0, 40.0, 3e-4, 6e-3),
    NoisyMotion(wrist, 400.0, 15.0, 1.5e-4, 2e-3),
    NoisyMotion(truck, 50.0, 40.0, 0.03, 2e-3),
    NoisyMotion(truck, 10.0, 60.0, 1.5, 1e-3),
    NoisyMotion(gripper, 200.0, 40.0, 6e-5, 2.5e-3),
)
"""Equally and unequally noisy recordings, among them GPS with a good attitude, and exact positions."""


def quaternion_of(angles: Array) -> Array:
    """Return the quaternions (n, 4) of turns about z, y and x, in that order about moving axes."""
    turns = [(*np.zeros((3, len(angles))), np.cos(0.5 * angle)) for angle in angles.T]
    half = np.sin(0.5 * angles.T)
    z, y, x = ([*turn] for turn in turns)
    z[2], y[1], x[0] = half
    return np.stack(quaternion_product_of(quaternion_product_of(tuple(z), tuple(y)), tuple(x)), axis=-1)


def record(case: NoisyMotion, seed: int, spiked: float = 0.0, spike: float = 0.25) -> Recording:
    """Return a recording with noise, and spikes of position in a part of its samples."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, case.length, 1.0 / case.rate)
    p, angles = case.motion(t)
    p = p + rng.normal(0.0, case.position_noise, p.shape)
    vector = 0.5 * rng.normal(0.0, case.angle_noise, p.shape)
    Q = quaternion_product_of(tuple(quaternion_of(angles).T), (*vector.T, np.ones(len(t))))
    rows = rng.choice(len(t), round(spiked * len(t)), replace=False)
    away = rng.normal(size=(len(rows), 3))
    p[rows] += spike * away / np.linalg.norm(away, axis=1, keepdims=True)
    unit = np.stack(Q, axis=-1).round(DIGITS)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return Recording(t, p.round(DIGITS), quaternions.continuous_signs(unit))


def judged_times(case: NoisyMotion) -> Array:
    """Return the times at which rates are compared, away from the ends."""
    return np.linspace(ENDS, case.length - ENDS, 1201)


def true_rates(case: NoisyMotion, t: Array) -> tuple[Array, Array]:
    """Return velocity and angular velocity, resolved in the frame, at times (n,)."""
    (p0, before), (p1, after) = case.motion(t - STEP), case.motion(t + STEP)
    Q0, Q1 = quaternion_of(before), quaternion_of(after)
    change = np.stack(quaternion_product_of(conjugate_of(tuple(Q0.T)), tuple(Q1.T)), axis=-1)
    return (p1 - p0) / (2.0 * STEP), 2.0 * change[:, :3] * np.sign(change[:, 3:]) / (2.0 * STEP)


def rate_errors(case: NoisyMotion, recording: Recording, bandwidths: Bandwidths | None) -> tuple[float, float]:
    """Return the rms errors of velocity and angular velocity, smoothed at bandwidths or as is usual."""
    v, w = true_rates(case, judged_times(case))
    spline = fit(recording, Stated())[0] if bandwidths is None else smooth(recording, bandwidths)
    _, _, w_found, v_found, *_ = spline.sample(judged_times(case))
    v_error, w_error = (np.sqrt(((a - b) ** 2).sum(axis=1).mean()) for a, b in ((v_found, v), (w_found, w)))
    return float(v_error), float(w_error)


@lru_cache(maxsize=256)
def best_errors(case: NoisyMotion, seed: int) -> tuple[float, float]:
    """Return the least rms errors of velocity and angular velocity, of all stated bandwidths, without spikes."""
    clean = record(case, seed)
    errors = [rate_errors(case, clean, Bandwidths(hz, hz)) for hz in GRID if hz < 0.45 * case.rate]
    return min(v for v, _ in errors), min(w for _, w in errors)


def times_the_best(case: NoisyMotion, seed: int, spiked: float = 0.0) -> tuple[float, float]:
    """Return by which factor the usual rates are off more than those of the best bandwidth for each, without spikes."""
    v, w = rate_errors(case, record(case, seed, spiked), None)
    v_best, w_best = best_errors(case, seed)
    return v / v_best, w / w_best

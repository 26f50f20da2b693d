"""Random pairs of pose streams with planted offsets, clocks, scales and conventions, by NumPy and SciPy alone.

No formula of Framescope is used, so that an error of the alignment cannot hide in the expected answer. A pair obeys
``X_B(t) = Y X_A(t) Z`` at one instant: `Y` is the pose of A's reference in B's, `Z` that of B's frame in A's. The
readings of B are then written in a convention, scaled and stamped by another clock.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.foreign_motions import MARGIN_S, Random, random_spline

Array = np.ndarray

TURN_NOISE, PLACE_NOISE = 2e-3, 2e-3
"""Standard deviation of each axis of a pose, rad and m."""

OUTLIERS = 0.05
"""Part of the poses that are far off."""

RIGS = ("two sensors", "two worlds", "eye in hand", "eye to hand")
"""What the streams are of: two sensors on a body, one sensor in two worlds, hand and camera."""

CONVENTIONS = ("as stated", "inverse", "w first", "OpenGL", "NED")
"""How the second stream is written; OpenGL and NED turn its frame or its reference, and cannot be told from offsets."""

DEGENERATE = ("no rotation", "one axis", "planar", "still")
"""Motions that leave a part of the answer open."""

FLIP_YZ = np.diag([1.0, -1.0, -1.0, 1.0])
NED = np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])

OPEN_TURN, OPEN_PLACE = 0.05, 0.1
"""Standard errors from which a direction of an offset counts as open, rad and m."""


@dataclass(frozen=True, eq=False)
class Stream:
    """Times (n,), s, positions (n, 3), m, and quaternions (n, 4), scalar last."""

    t: Array
    p: Array
    q: Array


@dataclass(frozen=True, eq=False)
class Pair:
    """Two streams, and the truth about them.

    Attributes
    ----------
    Y, Z : (4, 4)
        Pose of A's reference in B's, and of B's frame in A's, before B is written in its convention.
    scale
        Factor of the positions of B.
    offset, drift
        Stamps of B are ``(1 + drift) t + offset``.
    exact_A, exact_B
        Poses (n, 4, 4) at true times, B before its convention and scale.
    open_turns, open_places : (k, 3)
        Unit vectors, in A's frame, about and along which `Z` cannot be known.
    """

    seed: int
    rig: str
    motion: str
    convention: str
    a: Stream
    b: Stream
    Y: Array
    Z: Array
    scale: float
    offset: float
    drift: float
    duration: float
    exact_A: Callable[[Array], Array]
    exact_B: Callable[[Array], Array]
    open_turns: Array
    open_places: Array

    @property
    def has_clock(self) -> bool:
        """Whether the clocks differ."""
        return self.offset != 0.0 or self.drift != 0.0


def poses(R: Rotation, p: Array) -> Array:
    """Return homogeneous matrices (n, 4, 4)."""
    X = np.zeros((len(p), 4, 4))
    X[:, :3, :3], X[:, :3, 3], X[:, 3, 3] = R.as_matrix(), p, 1.0
    return X


def inverse(X: Array) -> Array:
    """Return the inverse of homogeneous matrices of poses."""
    out = np.zeros_like(X)
    out[..., :3, :3] = np.swapaxes(X[..., :3, :3], -1, -2)
    out[..., :3, 3] = -np.einsum("...ij,...j->...i", out[..., :3, :3], X[..., :3, 3])
    out[..., 3, 3] = 1.0
    return out


def random_pose(rng: Random, reach: float) -> Array:
    """Return a homogeneous matrix with any turn, and a position within a cube."""
    return poses(Rotation.random(1, random_state=rng), rng.uniform(-reach, reach, (1, 3)))[0]


def pair(seed: int, *, motion: str = "", is_clean: bool = False) -> Pair:
    """Return a pair; one in five has a motion that leaves something open, unless it is given."""
    rng = np.random.default_rng([53, seed])
    rig = RIGS[int(rng.integers(len(RIGS)))]
    lively = DEGENERATE[int(rng.integers(4))] if rng.random() < 0.2 else "lively"
    moves = motion or lively
    T = float(np.round(10.0 * 12.0 ** rng.random(), 1))
    body = _body(rng, moves, T)
    of_A = random_pose(rng, 0.2)
    Z = np.eye(4) if rig == "two worlds" else random_pose(rng, 0.3)
    Y = random_pose(rng, 5.0 if rig == "two sensors" else 1.5)

    def exact_A(t: Array) -> Array:
        return body(t) @ of_A

    def exact_B(t: Array) -> Array:
        return Y @ exact_A(t) @ Z

    convention = CONVENTIONS[int(rng.choice(5, p=[0.5, 0.15, 0.15, 0.1, 0.1]))]
    convention = {"eye in hand": "inverse", "eye to hand": "as stated"}.get(rig, convention)
    is_scaled = rig == "two sensors" and rng.random() < 0.25
    scale = float(np.exp(rng.uniform(-1.5, 1.5))) if is_scaled else 1.0
    clocks = rng.random()
    offset = 0.0 if clocks < 0.3 else float(rng.uniform(0.0, 0.5) * rng.choice([-1.0, 1.0]))
    drift = float(rng.uniform(-1e-4, 1e-4)) if clocks > 0.65 else 0.0
    streams = []
    for which, exact in enumerate((exact_A, exact_B)):
        true, stamps = _stamps(rng, T, offset if which else 0.0, drift if which else 0.0)
        X = written(exact(true), convention, scale) if which else exact(true)
        if not is_clean:
            X = _with_outliers(rng, _noisy(rng, X, scale if which else 1.0))
        q = Rotation.from_matrix(X[:, :3, :3]).as_quat()
        if which and convention == "w first":
            q = np.roll(q, 1, axis=1)
        streams.append(Stream(stamps, X[:, :3, 3].copy(), q))
    turns, places = open_directions(exact_A, Z, T, is_scaled=is_scaled, n=min(len(s.t) for s in streams))
    return Pair(
        seed, rig, moves, convention, *streams, Y, Z, scale, offset, drift, T, exact_A, exact_B, turns, places
    )  # fmt: skip


def written(X: Array, convention: str, scale: float) -> Array:
    """Return the poses of B as its file has them; the order of the quaternion is left to the numbers."""
    X = X.copy()
    if convention == "inverse":
        X = inverse(X)
    elif convention == "OpenGL":
        X = X @ FLIP_YZ
    elif convention == "NED":
        X = NED @ X
    X[:, :3, 3] *= scale
    return X


def _body(rng: Random, moves: str, T: float) -> Callable[[Array], Array]:
    """Return the poses of a body: hand-held, with all or some of its freedom."""
    step = float(rng.uniform(0.6, 1.5))
    turns = random_spline(rng, T, step, float(rng.uniform(0.3, 0.7)) * np.ones(3))
    places = random_spline(rng, T, step, float(rng.uniform(0.1, 0.6)) * np.ones(3))
    heading = random_spline(rng, T, 2.0 * step, float(rng.uniform(0.2, 0.6))).antiderivative()
    first = Rotation.random(random_state=rng)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    still = places(np.zeros(1))

    def pose_at(t: Array) -> Array:
        free = first * Rotation.from_euler("ZYX", turns(t))
        if moves == "still":
            return poses(Rotation.from_quat(np.tile(first.as_quat(), (len(t), 1))), np.tile(still, (len(t), 1)))
        if moves == "no rotation":
            return poses(Rotation.from_quat(np.tile(first.as_quat(), (len(t), 1))), places(t))
        if moves == "one axis":
            return poses(first * Rotation.from_rotvec(np.multiply.outer(2.0 * heading(t), axis)), places(t))
        if moves == "planar":
            return poses(Rotation.from_euler("Z", heading(t)[:, None]), places(t) * [1.0, 1.0, 0.0])
        return poses(free, places(t))

    return pose_at


def _stamps(rng: Random, T: float, offset: float, drift: float) -> tuple[Array, Array]:
    """Return the true times of a stream and its stamps: a rate of its own, drop-outs and gaps."""
    hz = float(np.round(10.0 * 20.0 ** rng.random()))
    t = np.arange(0.0, T, 1.0 / hz) + float(rng.uniform(0.0, 1.0 / hz))
    kept = rng.random(len(t)) > float(rng.choice([0.0, 0.0, 0.05]))
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        start = float(rng.uniform(1.0, max(T - 3.0, 2.0)))
        kept &= (t < start) | (t > start + float(rng.uniform(0.3, min(3.0, 0.1 * T + 0.3))))
    t = t[kept]
    return t, (1.0 + drift) * t + offset


def _noisy(rng: Random, X: Array, scale: float = 1.0, times: float = 1.0) -> Array:
    """Return poses with noise, that of the positions times the scale of their stream."""
    out = X.copy()
    out[:, :3, :3] = X[:, :3, :3] @ Rotation.from_rotvec(rng.normal(0.0, times * TURN_NOISE, (len(X), 3))).as_matrix()
    out[:, :3, 3] += scale * rng.normal(0.0, times * PLACE_NOISE, (len(X), 3))
    return out


def _with_outliers(rng: Random, X: Array) -> Array:
    """Return poses of which some are far off, single or in runs."""
    is_off = rng.random(len(X)) < OUTLIERS / 2.0
    for start in rng.integers(0, len(X), max(1, int(len(X) * OUTLIERS / 2.0 / 5.0))):
        is_off[start : start + 5] = True
    n = int(is_off.sum())
    out = X.copy()
    spread = float(np.ptp(X[:, :3, 3], axis=0).max()) + 0.1
    out[is_off, :3, :3] = X[is_off, :3, :3] @ Rotation.from_rotvec(rng.normal(0.0, 0.5, (n, 3))).as_matrix()
    out[is_off, :3, 3] += rng.normal(0.0, 0.5 * spread, (n, 3))
    return out


# --- What the motion leaves open


def open_directions(
    exact_A: Callable[[Array], Array], Z: Array, T: float, *, is_scaled: bool, n: int
) -> tuple[Array, Array]:
    """Return the directions, in A's frame, about which the turn and along which the position of `Z` stay open."""
    covariance = offset_covariance(exact_A, Z, T, is_scaled=is_scaled, n=n)
    found = []
    for rows, limit in ((slice(0, 3), OPEN_TURN), (slice(3, 6), OPEN_PLACE)):
        values, vectors = np.linalg.eigh(covariance[rows, rows])
        found.append(vectors[:, np.sqrt(values) > limit].T)
    return found[0], found[1]


def offset_covariance(
    exact_A: Callable[[Array], Array], Z: Array, T: float, *, is_scaled: bool, n: int
) -> Array:  # fmt: skip
    """Return the covariance (6, 6) of a small turn and shift of `Z`, in A's frame, rad and m, from n poses.

    Unknown are also the world offset, a clock offset, and the scale of a camera.
    """
    t = np.linspace(0.0, T, 200)
    h = 1e-4

    def residual(x: Array) -> Array:
        moved = _small(x[6:12]) @ exact_A(t + x[12]) @ _small(x[:6]) @ Z
        moved[:, :3, 3] *= 1.0 + x[13]
        there = exact_A(t) @ Z
        turn = Rotation.from_matrix(np.swapaxes(there[:, :3, :3], 1, 2) @ moved[:, :3, :3]).as_rotvec()
        shift = moved[:, :3, 3] - there[:, :3, 3]
        return np.concatenate([turn.ravel() / TURN_NOISE, shift.ravel() / PLACE_NOISE]) / np.sqrt(2.0 * 200 / n)

    J = np.column_stack([(residual(h * e) - residual(-h * e)) / (2.0 * h) for e in np.eye(14)])
    priors = np.array([*np.full(12, 1e2), 1.0, 1e2 if is_scaled else 1e-9])
    return np.linalg.inv(J.T @ J + np.diag(priors**-2.0))[:6, :6]


def _small(x: Array) -> Array:
    return poses(Rotation.from_rotvec(x[None, :3]), x[None, 3:])[0]


# --- Sets for the calibration of hand and eye


@dataclass(frozen=True, eq=False)
class HandEyeSet:
    """Poses of a hand in its base, and of a target in the camera, and the true pose of the camera on the hand.

    Noise is that of `TURN_NOISE` and `PLACE_NOISE`, times `noise`, on both.
    """

    hand: Array
    target: Array
    truth: Array
    noise: float


def hand_eye_set(seed: int) -> HandEyeSet:
    """Return 5 to 50 noisy poses of an arm with a camera in its hand that looks at a target."""
    rng = np.random.default_rng([530, seed])
    n = int(rng.integers(5, 51))
    X = random_pose(rng, 0.2)
    base_target = random_pose(rng, 1.0)
    swing = float(rng.uniform(0.3, 0.8))
    hands = poses(
        Rotation.random(random_state=rng) * Rotation.from_rotvec(rng.normal(0.0, swing, (n, 3))),
        rng.normal(0.0, 0.3, (n, 3)),
    )
    noise = float(rng.choice([0.5, 1.0, 2.0]))
    targets = inverse(hands @ X) @ base_target
    return HandEyeSet(_noisy(rng, hands, times=noise), _noisy(rng, targets, times=noise), X, noise)


def has_hand_eye() -> bool:
    """Return whether the installed OpenCV calibrates hand and eye, as those before version 5 do."""
    return importlib.util.find_spec("cv2") is not None and hasattr(importlib.import_module("cv2"), "calibrateHandEye")


def by_opencv(poses_of: HandEyeSet) -> dict[str, Array]:
    """Return the pose of the camera on the hand by each of OpenCV's methods; those that raise are left out."""
    import cv2

    found = {}
    for name in ("TSAI", "PARK", "HORAUD", "ANDREFF", "DANIILIDIS"):
        try:
            R, p = cv2.calibrateHandEye(
                list(poses_of.hand[:, :3, :3]), list(poses_of.hand[:, :3, 3]),
                list(poses_of.target[:, :3, :3]), list(poses_of.target[:, :3, 3]),
                method=getattr(cv2, f"CALIB_HAND_EYE_{name}"),
            )  # fmt: skip
        except cv2.error:
            continue
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = R, p.ravel()
        if np.isfinite(X).all():
            found[name] = X
    return found


def errors(X: Array, truth: Array) -> tuple[float, float]:
    """Return the angle, rad, and the distance, m, between two poses."""
    turn = float(Rotation.from_matrix(X[:3, :3].T @ truth[:3, :3]).magnitude())
    return turn, float(np.linalg.norm(X[:3, 3] - truth[:3, 3]))


def cost(X: Array, poses_of: HandEyeSet) -> float:
    """Return the least sum of squared weighted residuals of the chain with the camera at X, over the target's pose."""
    from scipy.optimize import least_squares

    seen = poses_of.hand @ X @ poses_of.target
    first = seen[len(seen) // 2]

    def residual(y: Array) -> Array:
        target = inverse(poses_of.hand @ X) @ (first @ _small(y))
        turn = Rotation.from_matrix(np.swapaxes(poses_of.target[:, :3, :3], 1, 2) @ target[:, :3, :3]).as_rotvec()
        shift = target[:, :3, 3] - poses_of.target[:, :3, 3]
        return np.concatenate([turn.ravel() / TURN_NOISE, shift.ravel() / PLACE_NOISE])

    return float(2.0 * least_squares(residual, np.zeros(6)).cost)


assert MARGIN_S > 1.0  # clocks are off by less

"""Poses of a hand and of a target in the camera on it, with noise, as one takes them for a hand-eye calibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation


@dataclass(frozen=True)
class HandEyeSet:
    """Poses of the hand in the base and of the target in the camera, and the true pose of the camera in the hand."""

    R_hand: np.ndarray
    p_hand: np.ndarray
    R_target: np.ndarray
    p_target: np.ndarray
    R_true: np.ndarray
    p_true: np.ndarray


NOISES = {
    "camera": (0.0, 0.0, 3e-3, 2e-3),
    "both": (1e-3, 1e-3, 3e-3, 2e-3),
    "hand": (3e-3, 2e-3, 1e-4, 1e-4),
    "much": (1e-3, 1e-3, 1e-2, 5e-3),
}
"""Standard deviations: rotation and position of the hand, and of the target in the camera, rad and m."""


def hand_eye_set(seed: int, noise: str) -> HandEyeSet:
    random = np.random.default_rng([seed, list(NOISES).index(noise)])
    angle_hand, distance_hand, angle_camera, distance_camera = NOISES[noise]
    n = int(random.integers(8, 30))

    def turn(scale):
        return Rotation.from_rotvec(random.normal(size=3) * scale)

    def any_rotation():
        return Rotation.from_quat(random.normal(size=4))

    X_R, X_p = any_rotation(), 0.1 * random.normal(size=3)
    Z_R, Z_p = any_rotation(), np.array([0.6, 0.1, 0.0]) + 0.1 * random.normal(size=3)
    rows = []
    for _ in range(n):
        away = random.normal(size=3)
        away[2] = abs(away[2]) + 1.0
        away /= np.linalg.norm(away)
        at = away * random.uniform(0.35, 0.7)  # of the camera from the target, at which it looks
        x = np.cross([0.0, 1.0, 0.1], -away)
        x /= np.linalg.norm(x)
        R_cam = Rotation.from_matrix(np.stack([x, np.cross(-away, x), -away], axis=1))
        R_cam = R_cam * turn(0.2) * Rotation.from_rotvec([0.0, 0.0, random.uniform(-1.5, 1.5)])
        R_hand = Z_R * R_cam * X_R.inv()
        p_hand = Z_R.apply(at) + Z_p - R_hand.apply(X_p)
        R_target, p_target = R_cam.inv(), -R_cam.inv().apply(at)
        rows.append(
            (
                (R_hand * turn(angle_hand)).as_matrix(),
                p_hand + distance_hand * random.normal(size=3),
                (R_target * turn(angle_camera)).as_matrix(),
                p_target + distance_camera * random.normal(size=3),
            )
        )
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return HandEyeSet(*columns, X_R.as_matrix(), X_p)


def errors_of(made: HandEyeSet, R: np.ndarray, p: np.ndarray) -> tuple[float, float]:
    """Return the errors of a pose of the camera in the hand, rad and m."""
    angle = float((Rotation.from_matrix(R).inv() * Rotation.from_matrix(made.R_true)).magnitude())
    return angle, float(np.linalg.norm(p - made.p_true))

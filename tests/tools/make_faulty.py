"""Writes the recordings of the prepared faults in ``assets/scenes/faulty``: ``python -m tests.tools.make_faulty``."""

from __future__ import annotations

import numpy as np

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_velocity
from framescope.core.kernels.linear_algebra import NO_TURN, quaternion_from_matrix
from framescope.core.quaternions import continuous_signs
from framescope.core.scene.files.loading import load_scene

FOLDER = assets.path("scenes/faulty")


def gyro_text() -> str:
    """Return what a gyro fixed to `imu` shows, resolved in it, with 2 mrad/s of noise."""
    plan = compile_plan(load_scene(FOLDER / "gyro-frame.yaml").scene, FOLDER)
    t = np.arange(0.0, 10.0 + 1e-9, 0.02)
    w = relative_velocity(evaluate(plan, t), "imu", "world", "imu")[:, :3]
    w = w + np.random.default_rng(7).normal(0.0, 2e-3, w.shape)
    rows = (",".join(f"{x:.5f}" for x in row) for row in np.column_stack([t, w]))
    return "t,wx,wy,wz\n" + "\n".join(rows) + "\n"


def walk_text() -> str:
    """Return the path of a camera in TUM's format, two packets of it in the wrong order and some signs changed."""
    t = np.arange(0.0, 8.0, 0.02)
    p = np.stack([0.6 * np.cos(0.7 * t), 0.6 * np.sin(0.7 * t), 1.0 + 0.1 * np.sin(1.9 * t)], axis=-1)
    yaw, pitch = 0.7 * t, 0.25 * np.sin(1.3 * t)
    c, s, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    T = np.array([[c * cp, s * cp, -sp], [-s, c, 0 * t], [c * sp, s * sp, cp]]).transpose(2, 0, 1)
    Q = continuous_signs(quaternion_from_matrix(T, NO_TURN))
    Q[140:260] *= -1.0
    order = np.concatenate([np.arange(200), np.arange(220, 240), np.arange(200, 220), np.arange(240, len(t))])
    rows = np.column_stack([t, p, Q])[order]
    return "# timestamp tx ty tz qx qy qz qw\n" + "\n".join(" ".join(f"{x:.5f}" for x in row) for row in rows) + "\n"


RECORDINGS = {"gyro-frame.csv": gyro_text, "shuffled-packets.txt": walk_text}


if __name__ == "__main__":
    for name, text in RECORDINGS.items():
        (FOLDER / name).write_text(text(), encoding="utf-8")

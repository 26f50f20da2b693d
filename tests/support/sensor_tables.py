"""A scene of two tables: poses of a body on rough ground, and the readings of an inertial unit on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.support.imu_drives import matrices, rough_ground, truth_of

Array = np.ndarray

SCENE = """framescope: 1
time: {end: 10 s}
frames:
  body:
    parent: world
    motion:
      form: recorded
      file: walk.csv
      format: table
      columns:
        time: t
        time_unit: s
        position: [x, y, z]
        position_unit: m
        orientation: {form: quaternion, columns: [qx, qy, qz, qw], order: xyzw, maps: frame to parent}
  imu: {parent: body}
measured:
  gyro: {form: angular velocity, of: imu, relative_to: world, resolved_in: imu, unit: rad/s, file: imu.csv, time: t,
    time_unit: s, values: [wx, wy, wz]}
  accel: {form: specific force, of: imu, relative_to: world, resolved_in: imu, unit: m/s², file: imu.csv, time: t,
    time_unit: s, values: [fx, fy, fz]}
"""


def write_tables(
    folder: Path, *, gyro_factor: float = 1.0, q: Sequence[float] = (0.0, 0.0, 0.0, 1.0), seconds: float = 10.0
) -> Path:
    """Write the scene and its tables, and return its path; `q` is the true orientation of the unit on the body."""
    truth, random = truth_of(rough_ground, seconds), np.random.default_rng(1)
    k = np.arange(0, len(truth.t), 10)
    R = matrices(np.array([q], float))[0]
    places = truth.p[k] + random.normal(0, 0.002, (len(k), 3))
    w = gyro_factor * truth.w[k] @ R + random.normal(0, 0.003, (len(k), 3))
    f = truth.f[k] @ R + random.normal(0, 0.05, (len(k), 3))
    _write(folder / "walk.csv", "t,x,y,z,qx,qy,qz,qw", truth.t[k], places, truth.q[k])
    _write(folder / "imu.csv", "t,wx,wy,wz,fx,fy,fz", truth.t[k], w, f)
    (folder / "walk.yaml").write_text(SCENE, "utf-8")
    return folder / "walk.yaml"


def _write(path: Path, head: str, *columns: Array) -> None:
    rows = np.column_stack(columns).tolist()
    path.write_text("\n".join([head, *(",".join(f"{x:.9g}" for x in row) for row in rows)]) + "\n", "utf-8")

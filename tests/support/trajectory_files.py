"""Trajectory files that the manual and the help texts name."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from framescope.features.trajectories.core.pose_stream import stream_of
from framescope.features.trajectories.core.trajectory_writing import kitti_text, tum_text
from tests.support.hand_eye_sets import hand_eye_set
from tests.support.plain_trajectories import estimate_of, random_trajectory
from tests.support.pose_streams import Plant, planted


def write_files(folder: Path) -> None:
    """Write two sensors on one body, a hand and an eye, and a trajectory with its estimates."""
    made = planted(Plant(5, n=300, offset=0.12))
    for name, stream in (("imu", made.a), ("camera", made.b)):
        (folder / f"{name}.txt").write_text(tum_text(stream), encoding="utf-8")
    poses = hand_eye_set(3, "camera")
    for name, R, p in (("hand", poses.R_hand, poses.p_hand), ("target", poses.R_target, poses.p_target)):
        rows = np.concatenate([R, p[:, :, None]], axis=2).reshape(len(p), 12)
        np.savetxt(folder / f"{name}.txt", rows)
    random = np.random.default_rng(2)
    t, p, q = random_trajectory(random)
    truth = stream_of("truth", t, p, q)
    estimates = [stream_of("slam", t, *estimate_of(random, p, q, scale)) for scale in (1.0, 0.9)]
    named = {"truth": truth, "ref": truth, "slam": estimates[0], "est": estimates[0], "a": estimates[0]}
    for name, stream in {**named, "odometry": estimates[1], "b": estimates[1]}.items():
        (folder / f"{name}.txt").write_text(tum_text(stream), encoding="utf-8")
    for name in ("ref", "est"):
        (folder / f"{name}.kitti").write_text(kitti_text(named[name]), encoding="utf-8")

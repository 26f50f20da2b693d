"""Poses whose direction a file leaves open: both readings are drawn, and a problem says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.features.calibrations.app.calibration_reader import read

OPEN = """\
%YAML:1.0
---
FRONT_T_IMU: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [0.0, -1.0, 0.0, 0.1,
          0.0, 0.0, -1.0, 0.2,
          1.0, 0.0, 0.0, 0.3,
          0.0, 0.0, 0.0, 1.0]
"""
R, T = np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]]), np.array([0.1, 0.2, 0.3])


def test_that_both_directions_of_an_open_pose_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "rig.yaml").write_text(OPEN)
    contents = read(tmp_path / "rig.yaml")
    scene = contents.scene.scene
    assert list(scene.frames) == ["IMU", "FRONT", "FRONT, other direction"]
    snapshot = evaluate(compile_plan(scene), 0.0)
    one, other = (snapshot.index[name] for name in list(scene.frames)[1:])
    np.testing.assert_allclose(snapshot.p_WF[one], -R.T @ T, atol=1e-12)
    np.testing.assert_allclose(snapshot.R_WF[one], R.T, atol=1e-12)
    np.testing.assert_allclose(snapshot.p_WF[other], T, atol=1e-12)
    np.testing.assert_allclose(snapshot.R_WF[other], R, atol=1e-12)
    assert scene.frames["FRONT, other direction"].source is None
    (problem,) = [problem for problem in contents.problems if problem.kind == "open-direction"]
    assert "takes points of IMU to FRONT" in problem.message


def test_that_a_stated_direction_is_drawn_once(tmp_path: Path) -> None:
    (tmp_path / "orb.yaml").write_text(OPEN.replace("FRONT_T_IMU", "Tbc"))
    contents = read(tmp_path / "orb.yaml")
    assert list(contents.scene.scene.frames) == ["body", "camera"]
    assert not [problem for problem in contents.problems if problem.kind == "open-direction"]

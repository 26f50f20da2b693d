"""Camera chains of OpenVINS: those of Kalibr behind OpenCV's directive, mostly with T_imu_cam."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.kalibr import KALIBR
from framescope.features.calibrations.core.dialects.registry import dialect_of

CHAIN = """\
%YAML:1.0 # need to specify the file type at the top!

cam0:
  {key}: #rotation from camera to IMU R_CtoI, position of camera in IMU p_CinI
    - [0.0, 0.0, 1.0, 0.125]
    - [-1.0, 0.0, 0.0, 0.0625]
    - [0.0, -1.0, 0.0, 0.03125]
    - [0.0, 0.0, 0.0, 1.0]
  cam_overlaps: [1]
  camera_model: pinhole
  distortion_coeffs: [-0.25, 0.0625, 0.0001, 0.0002]
  distortion_model: radtan
  intrinsics: [430.5, 431.5, 321.0, 238.5]
  resolution: [640, 480]
  rostopic: /cam0/image_raw
"""


@pytest.mark.parametrize("first", ["%YAML:1.0", "%YAML 1.0\n---", "# a rig\n%YAML:1.0"])
@pytest.mark.parametrize(
    ("key", "words", "position"),
    [
        ("T_imu_cam", "takes points of cam0 to imu0", [0.125, 0.0625, 0.03125]),
        ("T_cam_imu", "takes points of imu0 to cam0", [0.0625, 0.03125, -0.125]),
    ],
)
def test_that_the_directive_of_opencv_is_read_over(first, key, words, position) -> None:
    text = CHAIN.format(key=key).replace("%YAML:1.0", first, 1)
    assert dialect_of(text.encode()) is KALIBR
    (edge,) = KALIBR.read(Source("kalibr_imucam_chain.yaml", text.encode())).edges
    assert edge.words == words
    assert edge.X_PC.p_AB.tolist() == position
    moved = replace(edge, X_file=Transform(edge.X_file.R_AB, edge.X_file.p_AB + np.array([0.0, 0.0, 0.5])))
    diff = [
        line[2:]
        for line in difflib.ndiff(text.split("\n"), KALIBR.patch(text, (moved,)).split("\n"))
        if line[0] in "+-"
    ]
    assert diff == ["    - [0.0, -1.0, 0.0, 0.03125]", "    - [0.0, -1.0, 0.0, 0.53125]"]

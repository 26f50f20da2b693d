"""Settings of VINS: extrinsicRotation and body_T_cam0 take points of the camera to the body."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, Lens
from framescope.features.calibrations.core.dialect import Source, nothing_beside
from framescope.features.calibrations.core.dialects.registry import dialect_of
from framescope.features.calibrations.core.dialects.vins import VINS

MONO = """\
%YAML:1.0

#common parameters
imu_topic: "/imu0"
image_topic: "/cam0/image_raw"

#camera calibration
model_type: PINHOLE
camera_name: camera
image_width: 640
image_height: 480
distortion_parameters:
   k1: -2.5e-01
   k2: 6.25e-02
   p1: -1.0e-04
   p2: -7.5e-05
projection_parameters:
   fx: 4.605e+02
   fy: 4.6125e+02
   cx: 3.53e+02
   cy: 2.29e+02

# Extrinsic parameter between IMU and Camera.
estimate_extrinsic: 0   # 0  Have an accurate extrinsic parameters. We will trust the following imu^R_cam, imu^T_cam
                        # 2  Don't know anything about extrinsic parameters.
#Rotation from camera frame to imu frame, imu^R_cam
extrinsicRotation: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [0.0, 0.0, 1.0,
          -1.0, 0.0, 0.0,
          0.0, -1.0, 0.0]
#Translation from camera frame to imu frame, imu^T_cam
extrinsicTranslation: !!opencv-matrix
   rows: 3
   cols: 1
   dt: d
   data: [-0.03125,-0.0625, 0.0078125]

acc_n: 0.1          # accelerometer measurement noise standard deviation. #0.2   0.04
td: -0.0125
"""
FUSION = """\
%YAML:1.0
imu: 1
num_of_cam: 2
cam0_calib: "cam0_pinhole.yaml"
cam1_calib: "cam1_mei.yaml"
estimate_extrinsic: 1
body_T_cam0: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [0.0, 0.0, 1.0, 0.125,
          -1.0, 0.0, 0.0, 0.0625,
          0.0, -1.0, 0.0, 0.0,
          0, 0, 0, 1]
body_T_cam1: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [0.0, 0.0, 1.0, 0.125,
          -1.0, 0.0, 0.0, -0.0625,
          0.0, -1.0, 0.0, 0.0,
          0, 0, 0, 1]
td: 0.0
"""
PINHOLE = """\
%YAML:1.0
---
model_type: PINHOLE
camera_name: camera
image_width: 752
image_height: 480
distortion_parameters:
   k1: -0.25
   k2: 0.125
   p1: 0.0
   p2: 0.0
projection_parameters:
   fx: 461.5
   fy: 460.5
   cx: 363.0
   cy: 248.0
"""
MEI = """\
%YAML:1.0
---
model_type: MEI
camera_name: camera
image_width: 752
image_height: 480
mirror_parameters:
   xi: 1.5
distortion_parameters:
   k1: -0.25
   k2: 0.125
   p1: 0.0
   p2: 0.0
projection_parameters:
   gamma1: 895.5
   gamma2: 897.5
   u0: 372.0
   v0: 238.0
"""
FISHEYE = """\
%YAML:1.0
---
model_type: KANNALA_BRANDT
camera_name: cam
image_width: 848
image_height: 800
projection_parameters:
   k2: -0.005
   k3: 0.04
   k4: -0.035
   k5: 0.0065
   mu: 284.5
   mv: 285.5
   u0: 420.5
   v0: 400.5
"""
FILES = {"cam0_pinhole.yaml": PINHOLE.encode(), "cam1_mei.yaml": MEI.encode()}


def read(text: str, name: str = "settings.yaml", beside=nothing_beside) -> Calibration:
    assert dialect_of(text.encode()) is VINS
    return VINS.read(Source(name, text.encode(), "config", beside))


def test_that_rotation_and_translation_take_points_of_the_camera_to_the_imu() -> None:
    (edge,) = read(MONO).edges
    assert (edge.parent, edge.child, edge.entry) == ("imu", "camera", "extrinsicRotation, extrinsicTranslation")
    assert edge.words == "takes points of camera to imu"
    np.testing.assert_array_equal(edge.X_PC @ [1.0, 0.0, 2.0], [1.96875, -1.0625, 0.0078125])
    assert read(MONO).problems == ()


def test_that_both_cameras_are_on_the_body_with_their_lenses() -> None:
    calibration = read(FUSION, beside=FILES.get)
    assert [(edge.parent, edge.child, edge.entry) for edge in calibration.edges] == [
        ("body", "cam0", "body_T_cam0"),
        ("body", "cam1", "body_T_cam1"),
    ]
    np.testing.assert_array_equal(calibration.edges[1].X_PC @ [0.0, 0.0, 1.0], [1.125, -0.0625, 0.0])
    first, second = calibration.lenses
    assert (first.frame, first.model, first.focal) == ("cam0", "radtan", (461.5, 460.5))
    assert (second.frame, second.model, second.coefficients) == ("cam1", "mei", (1.5, -0.25, 0.125, 0.0, 0.0))
    (note,) = calibration.problems
    assert note.severity == "note"
    assert "first guess" in note.message


def test_that_a_lens_that_does_not_lie_beside_is_named() -> None:
    calibration = read(FUSION)
    assert calibration.lenses == ()
    assert ["cam0_pinhole.yaml" in problem.message for problem in calibration.problems] == [True, False, False]
    broken = read(FUSION, beside={**FILES, "cam1_mei.yaml": b"%YAML:1.0\na: [\n"}.get)
    assert [lens.frame for lens in broken.lenses] == ["cam0"]
    assert [problem.severity for problem in broken.problems] == ["amber", "note"]


def test_that_an_unknown_extrinsic_is_said_to_be_unknown() -> None:
    calibration = read(MONO.replace("estimate_extrinsic: 0", "estimate_extrinsic: 2"))
    (problem,) = calibration.problems
    assert (problem.kind, problem.severity) == ("unknown-extrinsic", "amber")
    assert "unknown" in problem.message
    assert len(calibration.edges) == 1
    cut = MONO[: MONO.index("#Rotation")].replace("estimate_extrinsic: 0", "estimate_extrinsic: 2")
    calibration = read(cut)
    assert calibration.edges == ()
    assert [problem.kind for problem in calibration.problems] == ["unknown-extrinsic"]
    assert calibration.problems[0].hint == ""


@pytest.mark.parametrize(
    ("text", "name", "frame", "model", "focal"),
    [
        (PINHOLE, "cam0_pinhole.yaml", "cam0", "radtan", (461.5, 460.5)),
        (PINHOLE, "left.yaml", "left", "radtan", (461.5, 460.5)),
        (MEI, "front_mei.yaml", "front_mei", "mei", (895.5, 897.5)),
        (FISHEYE, "left.yaml", "cam", "equidistant", (284.5, 285.5)),
    ],
)
def test_that_files_of_cameras_are_lenses(text, name, frame, model, focal) -> None:
    calibration = read(text, name)
    (lens,) = calibration.lenses
    assert (lens.frame, lens.model, lens.focal) == (frame, model, focal)
    assert calibration.edges == ()
    (again,) = read(VINS.write(calibration), name).lenses
    assert (again.size, again.focal, again.center, again.coefficients) == (
        lens.size,
        lens.focal,
        lens.center,
        lens.coefficients,
    )
    assert again.model == model


@pytest.mark.parametrize("text", [MONO, FUSION])
def test_that_what_is_written_is_read_the_same(text) -> None:
    first = read(text, beside=FILES.get)
    second = read(VINS.write(first))
    assert [edge.words for edge in second.edges] == [edge.words for edge in first.edges]
    for a, b in zip(first.edges, second.edges, strict=True):
        np.testing.assert_array_equal(a.X_PC.to_matrix(), b.X_PC.to_matrix())
    assert [fact.__dict__ for fact in second.facts] == [fact.__dict__ for fact in first.facts]
    assert VINS.patch(text, first.edges) == text


def test_that_a_patch_changes_the_numbers_alone() -> None:
    (edge,) = read(MONO).edges
    patched = VINS.patch(MONO, (replace(edge, X_file=Transform(edge.X_file.R_AB, [-0.03125, 0.25, 0.0078125])),))
    diff = [line[2:] for line in difflib.ndiff(MONO.split("\n"), patched.split("\n")) if line[0] in "+-"]
    assert diff == ["   data: [-0.03125,-0.0625, 0.0078125]", "   data: [-0.03125,0.25, 0.0078125]"]


def test_that_chains_and_lenses_of_other_models_are_not_written() -> None:
    X = Transform(np.eye(3), [0.1, 0.0, 0.0])
    with pytest.raises(CalibrationError, match="one body"):
        VINS.write(Calibration("x", (Edge("imu", "a", X, "a"), Edge("a", "b", X, "b"))))
    lens = Lens("a", (4, 4), (4, 4), (2, 2), "rational", (0.0,) * 8)
    with pytest.raises(CalibrationError, match="rational"):
        VINS.write(Calibration("x", (Edge("imu", "a", X, "a"),), (lens,)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cols: 1", "cols: 2", "extrinsicTranslation: expected 3 x 2 numbers"),
        ("extrinsicTranslation:", "other:", "expected it beside"),
    ],
)
def test_that_a_fault_is_one_error_with_its_place(old, new, words) -> None:
    with pytest.raises(CalibrationError, match=words):
        read(MONO.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("   fx: 4.605e+02\n", "", "projection_parameters: expected fx"),
        ("PINHOLE", "SCARAMUZZA", "model_type"),
        ("   k2: 6.25e-02\n", "", "distortion_parameters: expected k2"),
    ],
)
def test_that_a_lens_with_a_fault_leaves_the_pose(old, new, words) -> None:
    calibration = read(MONO.replace(old, new))
    assert len(calibration.edges) == 1
    assert calibration.lenses == ()
    (problem,) = calibration.problems
    assert problem.severity == "red"
    assert words in problem.message

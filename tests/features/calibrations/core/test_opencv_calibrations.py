"""Calibrations of OpenCV's programs: R and T take points of the first camera to the second; free names stay open."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, Lens
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.opencv import OPENCV
from framescope.features.calibrations.core.dialects.registry import dialect_of

STEREO = """\
%YAML:1.0
---
R: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 8.0000000000000004e-01, 0., -6.0000000000000009e-01, 0., 1., 0.,
       6.0000000000000009e-01, 0., 8.0000000000000004e-01 ]
T: !!opencv-matrix
   rows: 3
   cols: 1
   dt: d
   data: [ -1.25e-01, 7.8125e-03, 0. ]
R1: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 1., 0., 0., 0., 1., 0., 0., 0., 1. ]
Q: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [ 1., 0., 0., -320., 0., 1., 0., -240., 0., 0., 0., 420., 0., 0., 8., 0. ]
"""
MONO = """\
<?xml version="1.0"?>
<opencv_storage>
<calibration_time>"Mon 03 Aug 2026 10:00:00"</calibration_time>
<nframes>12</nframes>
<image_width>640</image_width>
<image_height>480</image_height>
<flags>0</flags>
<camera_matrix type_id="opencv-matrix">
  <rows>3</rows>
  <cols>3</cols>
  <dt>d</dt>
  <data>
    4.2e+02 0. 3.185e+02 0. 4.21e+02 2.4225e+02 0. 0. 1.</data></camera_matrix>
<distortion_coefficients type_id="opencv-matrix">
  <rows>5</rows>
  <cols>1</cols>
  <dt>d</dt>
  <data>
    -2.5e-01 6.25e-02 1.e-03 2.e-03 0.125</data></distortion_coefficients>
<avg_reprojection_error>2.5e-01</avg_reprojection_error>
<extrinsic_parameters type_id="opencv-matrix">
  <rows>1</rows>
  <cols>6</cols>
  <dt>d</dt>
  <data>
    0. 0. 0. 1. 2. 3.</data></extrinsic_parameters>
</opencv_storage>
"""
NAMED = """\
%YAML:1.0
RIGHT_CAMERA_T_IMU: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [0.0, -1.0, 0.0, -0.125, 0.0, 0.0, -1.0, 0.0625, 1.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 1.0]
T_imu_lidar: !!opencv-matrix
   rows: 3
   cols: 4
   dt: d
   data: [1., 0., 0., 0.5, 0., 1., 0., 0., 0., 0., 1., 0.]
gps_to_imu: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [1., 0., 0., 0., 0., 1., 0., 2., 0., 0., 1., 0., 0., 0., 0., 1.]
extrinsic: !!opencv-matrix
   rows: 4
   cols: 4
   dt: d
   data: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]
"""


def read(text: str, name: str = "extrinsics.yml") -> Calibration:
    assert dialect_of(text.encode()) is OPENCV
    return OPENCV.read(Source(name, text.encode()))


def test_that_r_and_t_take_points_of_the_first_camera_to_the_second() -> None:
    (edge,) = read(STEREO).edges
    assert (edge.parent, edge.child, edge.entry, edge.doubt) == ("camera1", "camera2", "R, T", "")
    assert edge.words == "takes points of camera1 to camera2"
    # The origin of the first camera is at T in the second one, which is so at -RᵀT in the first.
    np.testing.assert_array_equal(edge.X_file @ [0.0, 0.0, 0.0], [-0.125, 0.0078125, 0.0])
    np.testing.assert_allclose(edge.X_PC.p_AB, [0.1, -0.0078125, -0.075], atol=1e-15)


def test_that_the_unit_of_a_board_in_millimetres_is_pointed_out() -> None:
    (problem,) = read(STEREO.replace("-1.25e-01", "-1.25e+02")).problems
    assert (problem.severity, problem.kind) == ("amber", "unit-of-board")
    assert "mm" in problem.message


def test_that_r_and_t_alone_are_open() -> None:
    (edge,) = read(STEREO[: STEREO.index("R1:")]).edges
    assert "second to the first" in edge.doubt
    assert edge.words == "takes points of camera1 to camera2"


def test_that_the_calibration_of_a_camera_is_a_lens() -> None:
    calibration = read(MONO, "out_camera_data.xml")
    (lens,) = calibration.lenses
    assert (lens.frame, lens.size, lens.focal, lens.center) == ("camera", (640, 480), (420.0, 421.0), (318.5, 242.25))
    assert (lens.model, lens.coefficients) == ("radtan", (-0.25, 0.0625, 0.001, 0.002, 0.125))
    assert calibration.edges == ()
    assert [problem.severity for problem in calibration.problems] == ["note"]
    assert [(fact.value, fact.unit) for fact in calibration.facts] == [(0.25, "px")]
    fisheye = MONO.replace("<flags>0", "<fisheye_model>1</fisheye_model><flags>0").replace(" 0.125<", "<")
    assert read(fisheye.replace("<rows>5<", "<rows>4<")).lenses[0].model == "equidistant"


def test_that_lenses_of_a_pair_are_told_apart_by_their_names() -> None:
    K = "!!opencv-matrix\n  rows: 3\n  cols: 3\n  dt: d\n  data: [{}, 0., 320., 0., 400., 240., 0., 0., 1.]\n"
    D = "!!opencv-matrix\n  rows: 1\n  cols: 8\n  dt: d\n  data: [.1, 0., 0., 0., 0., 0., 0., {}]\n"
    text = f"{STEREO}M1: {K.format('401.')}D1: {D.format('.1')}M2: {K.format('402.')}D2: {D.format('.2')}"
    lenses = read(text).lenses
    assert [(lens.frame, lens.model, lens.focal[0], lens.coefficients[-1]) for lens in lenses] == [
        ("camera1", "rational", 401.0, 0.1),
        ("camera2", "rational", 402.0, 0.2),
    ]
    sides = read(text.replace("M1", "K_left").replace("M2", "K_right").replace("D1", "D_left").replace("D2", "D_right"))
    assert [lens.frame for lens in sides.lenses] == ["left", "right"]
    assert sides.edges[0].words == "takes points of left to right"


def test_that_free_names_give_open_edges_and_names_without_a_direction_none() -> None:
    calibration = read(NAMED)
    front, lidar, gps = calibration.edges
    assert front.words == "takes points of IMU to RIGHT_CAMERA"
    assert (front.parent, front.child) == ("IMU", "RIGHT_CAMERA")
    assert lidar.words == "takes points of lidar to imu"
    assert (lidar.parent, lidar.child) == ("imu", "lidar")
    assert gps.words == "takes points of gps to imu"
    assert all("other way round" in edge.doubt for edge in calibration.edges)
    assert "points of RIGHT_CAMERA to IMU" in front.doubt
    (note,) = calibration.problems
    assert (note.where, note.kind) == ("extrinsic", "unnamed-pose")


def test_that_a_free_name_in_the_other_direction_stays_open() -> None:
    """The planted mistake: the numbers are the inverse of what the name says. The doubt names the other reading."""
    truth = Transform([[0, -1, 0], [0, 0, -1], [1, 0, 0]], [-0.125, 0.0625, 0.25])
    numbers = ", ".join(map(repr, truth.inverse().to_matrix().ravel().tolist()))
    text = f"CAM_T_IMU: !!opencv-matrix\n  rows: 4\n  cols: 4\n  dt: d\n  data: [{numbers}]\n"
    (edge,) = read(text).edges
    assert "meant the other way round, points of CAM to IMU" in edge.doubt
    np.testing.assert_allclose(edge.X_file.inverse().to_matrix(), truth.to_matrix(), atol=1e-15)


@pytest.mark.parametrize("text", [STEREO, MONO])
def test_that_what_is_written_is_read_the_same(text) -> None:
    first = read(text)
    second = read(OPENCV.write(first))
    assert [edge.words for edge in second.edges] == [edge.words for edge in first.edges]
    for a, b in zip(first.edges, second.edges, strict=True):
        np.testing.assert_array_equal(a.X_file.to_matrix(), b.X_file.to_matrix())
        assert b.doubt == ""
    assert [lens.__dict__ for lens in second.lenses] == [lens.__dict__ for lens in first.lenses]


def test_that_more_than_a_pair_is_not_written() -> None:
    X = Transform(np.eye(3), [0.1, 0.0, 0.0])
    with pytest.raises(CalibrationError, match="one camera in another"):
        OPENCV.write(Calibration("x", (Edge("a", "b", X, "b"), Edge("a", "c", X, "c"))))
    lens = Lens("d", (4, 4), (4, 4), (2, 2))
    with pytest.raises(CalibrationError, match="none of the two"):
        OPENCV.write(Calibration("x", (Edge("a", "b", X, "b"),), (lens,)))


def test_that_a_patch_changes_the_numbers_alone() -> None:
    (edge,) = read(STEREO).edges
    patched = OPENCV.patch(STEREO, (replace(edge, X_file=Transform(edge.X_file.R_AB, [-0.5, 0.0078125, 0.0])),))
    diff = [line[2:] for line in difflib.ndiff(STEREO.split("\n"), patched.split("\n")) if line[0] in "+-"]
    assert diff == ["   data: [ -1.25e-01, 7.8125e-03, 0. ]", "   data: [ -0.5, 7.8125e-03, 0. ]"]
    for text in (STEREO, NAMED):
        assert OPENCV.patch(text, read(text).edges) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("%YAML:1.0\nmap: !!opencv-matrix\n  rows: 1\n  cols: 1\n  dt: d\n  data: [1.]\n", "it has map"),
        (STEREO.replace("rows: 3\n   cols: 1", "rows: 2\n   cols: 1"), "T: expected 2 x 1 numbers, got 3"),
        (STEREO.replace("7.8125e-03", ".Nan"), "T: expected numbers"),
        (NAMED.replace("0.0, 0.0, 0.0, 1.0]", "0.0, 0.0, 0.0, 3.0]"), "RIGHT_CAMERA_T_IMU: the last row"),
    ],
)
def test_that_a_fault_is_one_error_with_its_place(text, words) -> None:
    with pytest.raises(CalibrationError, match=words):
        read(text)

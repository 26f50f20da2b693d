"""ROS camera_info: lenses, and the baseline of a stereo pair from the projection of its second camera."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.camera_info import CAMERA_INFO
from framescope.features.calibrations.core.dialects.registry import dialect_of

RIGHT = """\
image_width: 640
image_height: 480
camera_name: narrow_stereo/right
camera_matrix:
  rows: 3
  cols: 3
  data: [430.5, 0, 321.25, 0, 431.5, 238.5, 0, 0, 1]
distortion_model: plumb_bob
distortion_coefficients:
  rows: 1
  cols: 5
  data: [-0.25, 0.0625, 0.001, -0.002, 0]
rectification_matrix:
  rows: 3
  cols: 3
  data: [0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8]
projection_matrix:
  rows: 3
  cols: 4
  data: [400.0, 0, 330.5, -50.0, 0, 400.0, 241.5, 0, 0, 0, 1, 0]
"""
LEFT = (
    RIGHT.replace("/right", "/left")
    .replace("-50.0", "0")
    .replace("0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8", "1, 0, 0, 0, 1, 0, 0, 0, 1")
)
ECHO_1 = """\
header:
  seq: 12
  stamp:
    secs: 1592
    nsecs: 500000000
  frame_id: "camera_optical"
height: 480
width: 640
distortion_model: "plumb_bob"
D: [-0.25, 0.0625, 0.001, -0.002, 0.0]
K: [430.5, 0.0, 321.25, 0.0, 431.5, 238.5, 0.0, 0.0, 1.0]
R: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
P: [430.5, 0.0, 321.25, 0.0, 0.0, 431.5, 238.5, 0.0, 0.0, 0.0, 1.0, 0.0]
binning_x: 0
binning_y: 0
roi:
  x_offset: 0
  y_offset: 0
  height: 0
  width: 0
  do_rectify: False
---
"""


def listed(key: str, numbers: list[float]) -> str:
    return f"{key}:\n" + "".join(f"- {number!r}\n" for number in numbers)


def echo_2(frame: str, tx: float) -> str:
    """Return a message as ROS 2 prints it."""
    K = [400.0, 0.0, 320.0, 0.0, 400.0, 240.0, 0.0, 0.0, 1.0]
    P = [400.0, 0.0, 320.0, tx, 0.0, 400.0, 240.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    d = [0.1, 0.2, 0.0, 0.0, 0.05, 0.0, 0.0, 0.01]
    head = f"header:\n  stamp:\n    sec: 3\n    nanosec: 0\n  frame_id: {frame}\nheight: 480\nwidth: 640\n"
    R = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    arrays = listed("d", d) + listed("k", K) + listed("r", R) + listed("p", P)
    return f"{head}distortion_model: rational_polynomial\n{arrays}binning_x: 0\nroi:\n  do_rectify: false\n---\n"


def read(text: str, name: str = "camera.yaml") -> Calibration:
    assert dialect_of(text.encode()) is CAMERA_INFO
    return CAMERA_INFO.read(Source(name, text.encode()))


def test_that_a_file_is_a_lens_without_an_extrinsic() -> None:
    calibration = read(LEFT)
    assert calibration.edges == ()
    assert calibration.problems == ()
    (lens,) = calibration.lenses
    assert lens.frame == "narrow_stereo/left"
    assert (lens.size, lens.focal, lens.center) == ((640, 480), (430.5, 431.5), (321.25, 238.5))
    assert (lens.model, lens.coefficients) == ("radtan", (-0.25, 0.0625, 0.001, -0.002, 0.0))
    assert list(scene_of(calibration, "left.yaml").frames) == ["narrow_stereo/left"]


def test_that_the_baseline_is_an_edge_and_the_rectification_is_none() -> None:
    calibration = read(RIGHT)
    (edge,) = calibration.edges
    assert (edge.parent, edge.child, edge.entry) == ("narrow_stereo/left", "narrow_stereo/right", "projection_matrix")
    assert edge.words == "takes points of narrow_stereo/right to narrow_stereo/left"
    assert edge.X_PC.p_AB.tolist() == [0.125, 0.0, 0.0]
    np.testing.assert_array_equal(edge.X_PC.R_AB, np.eye(3))
    rectification, baseline = calibration.problems
    assert (rectification.severity, baseline.severity) == ("note", "note")
    assert "36.9°" in rectification.message
    assert "0.125 m to the right of the first" in baseline.message


@pytest.mark.parametrize(
    ("name", "other"), [("cam1", "left"), ("right", "left"), ("RIGHT", "LEFT"), ("r_optical", "left_optical")]
)
def test_that_the_other_camera_is_named(name, other) -> None:
    (edge,) = read(RIGHT.replace("narrow_stereo/right", name)).edges
    assert (edge.parent, edge.child) == (other, name)


def test_that_a_left_camera_with_a_baseline_to_the_right_is_a_contradiction() -> None:
    calibration = read(RIGHT.replace("/right", "/left"))
    (problem,) = [problem for problem in calibration.problems if problem.kind == "baseline"]
    assert problem.severity == "amber"
    assert "says otherwise" in problem.hint
    (edge,) = calibration.edges
    assert edge.parent == "first camera"
    assert "to its right" in edge.doubt


def test_that_a_vertical_pair_is_read() -> None:
    text = RIGHT.replace("-50.0, 0, 400.0, 241.5, 0,", "0, 0, 400.0, 241.5, -100,")
    calibration = read(text)
    assert calibration.edges[0].X_PC.p_AB.tolist() == [0.0, 0.25, 0.0]
    assert "pair, 0.25 m below the first, in rectified axes" in calibration.problems[1].message


def test_that_messages_of_ros_1_are_read() -> None:
    calibration = read(ECHO_1 + ECHO_1.replace("430.5", "999.0"), "echo.txt")
    (lens,) = calibration.lenses
    assert (lens.frame, lens.size, lens.focal) == ("camera_optical", (640, 480), (430.5, 431.5))
    assert calibration.edges == ()


def test_that_messages_of_ros_2_of_both_cameras_are_read() -> None:
    text = echo_2("left_optical", 0.0) + echo_2("right_optical", -24.0) + echo_2("left_optical", 0.0)
    calibration = read(text, "echo.txt")
    assert [lens.frame for lens in calibration.lenses] == ["left_optical", "right_optical"]
    assert [lens.model for lens in calibration.lenses] == ["rational", "rational"]
    (edge,) = calibration.edges
    assert (edge.parent, edge.child, edge.entry) == ("left_optical", "right_optical", "p")
    assert edge.X_PC.p_AB.tolist() == [0.06, 0.0, 0.0]


def test_that_a_fisheye_is_read() -> None:
    text = LEFT.replace("plumb_bob", "equidistant").replace("cols: 5", "cols: 4").replace(", -0.002, 0]", ", -0.002]")
    assert read(text).lenses[0].model == "equidistant"


@pytest.mark.parametrize("text", [LEFT, RIGHT, ECHO_1, echo_2("cam0", 0.0)])
def test_that_what_is_written_is_read_the_same(text) -> None:
    first = read(text)
    second = read(CAMERA_INFO.write(first))
    (a,), (b,) = first.lenses, second.lenses
    assert (a.frame, a.size, a.focal, a.center, a.model, a.coefficients) == (
        b.frame,
        b.size,
        b.focal,
        b.center,
        b.model,
        b.coefficients,
    )
    assert len(first.edges) == len(second.edges)
    for before, after in zip(first.edges, second.edges, strict=True):
        np.testing.assert_allclose(after.X_PC.p_AB, before.X_PC.p_AB, rtol=1e-15)
        assert after.words == before.words


def test_that_only_a_shift_in_the_plane_of_the_image_is_written() -> None:
    calibration = read(RIGHT)
    (edge,) = calibration.edges
    for X in (Transform(np.eye(3), [0.1, 0.0, 0.2]), Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.1, 0, 0])):
        with pytest.raises(CalibrationError, match="no rotation"):
            CAMERA_INFO.write(replace(calibration, edges=(replace(edge, X_file=X),)))
        with pytest.raises(CalibrationError, match="no rotation"):
            CAMERA_INFO.patch(RIGHT, (replace(edge, X_file=X),))
    with pytest.raises(CalibrationError, match="no pose but a baseline"):
        CAMERA_INFO.write(Calibration("x", (Edge("a", "b", Transform(np.eye(3), [1, 0, 0]), "b"),)))


def test_that_a_patch_changes_the_baseline_alone() -> None:
    (edge,) = read(RIGHT).edges
    moved = replace(edge, X_file=Transform(np.eye(3), [0.25, 0.0, 0.0]))
    patched = CAMERA_INFO.patch(RIGHT, (moved,))
    diff = [line[2:] for line in difflib.ndiff(RIGHT.split("\n"), patched.split("\n")) if line[0] in "+-"]
    before = "  data: [400.0, 0, 330.5, -50.0, 0, 400.0, 241.5, 0, 0, 0, 1, 0]"
    assert diff == [before, before.replace("-50.0", "-100.0")]
    for text in (RIGHT, echo_2("right", -24.0)):
        assert CAMERA_INFO.patch(text, read(text).edges) == text
    with pytest.raises(CalibrationError, match="several messages"):
        CAMERA_INFO.patch(2 * echo_2("right", -24.0), (replace(moved, entry="p"),))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("430.5, 0, 321.25, 0, 431.5, 238.5, 0, 0, 1", "0, 0, 0, 0, 0, 0, 0, 0, 0", "not calibrated"),
        ("430.5, 0, 321.25", "0, 0, 321.25", "focal"),
        ("data: [400.0, 0,", "data: [0, 0,", "projection_matrix: its focal lengths are 0"),
        ("cols: 4", "cols: 3", "projection_matrix: expected 3 x 3 numbers, got 12"),
        ("-0.25, 0.0625, 0.001, -0.002, 0]", "-0.25]", "distortion_coefficients"),
        ("image_width: 640", "image_width: wide", "image_width: expected a number"),
    ],
)
def test_that_a_fault_is_one_error_with_its_place(old, new, words) -> None:
    with pytest.raises(CalibrationError, match=words):
        read(RIGHT.replace(old, new))


def test_that_a_camera_of_opencv_is_not_taken_for_one_of_ros() -> None:
    text = "%YAML:1.0\nimage_width: 4\ncamera_matrix: !!opencv-matrix\n  rows: 1\n  cols: 1\n  dt: d\n  data: [1.]\n"
    assert dialect_of(text.encode()) is not CAMERA_INFO

"""Settings of ORB-SLAM: Tbc and T_b_c1 take points of the left camera to the body, T_c1_c2 those of the right to it."""

from __future__ import annotations

import difflib
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, Lens
from framescope.features.calibrations.core.calibration_scene import scene_of
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.orb_slam import ORB_SLAM
from framescope.features.calibrations.core.dialects.registry import dialect_of

INERTIAL = """\
%YAML:1.0

#--------------------------------------------------------------------------------------------
# Camera Parameters. Adjust them!
#--------------------------------------------------------------------------------------------
Camera.type: "PinHole"

Camera.fx: 430.5
Camera.fy: 431.25
Camera.cx: 321.0
Camera.cy: 238.5

Camera.k1: -0.25
Camera.k2: 0.0625
Camera.p1: 0.001
Camera.p2: 2.e-04

Camera.width: 640
Camera.height: 480
Camera.fps: 30.0
Camera.bf: 51.66
DepthMapFactor: 1000.0

# Transformation from body-frame (imu) to left camera
Tbc: !!opencv-matrix
   rows: 4
   cols: 4
   dt: f
   data: [0.0, 0.0, 1.0, 0.125
          -1.0, 0.0, 0.0, 0.0625,
          0.0,-1.0, 0.0, -0.03125,
          0.0, 0.0, 0.0, 1.0]

IMU.NoiseGyro: 1.7e-04 # 1.6968e-04
IMU.NoiseAcc: 2.0e-03
IMU.GyroWalk: 1.9e-05
IMU.AccWalk: 3.e-03
IMU.Frequency: 200
Viewer.PointSize:2
"""
STEREO = """\
%YAML:1.0
File.version: "1.0"
Camera.type: "KannalaBrandt8"
Camera1.fx: 190.5
Camera1.fy: 190.75
Camera1.cx: 255.0
Camera1.cy: 256.5
Camera1.k1: 0.0035
Camera1.k2: 0.0007
Camera1.k3: -0.0020
Camera1.k4: 0.0002
Camera2.fx: 191.5
Camera2.fy: 191.25
Camera2.cx: 252.0
Camera2.cy: 254.5
Camera2.k1: 0.0034
Camera2.k2: 0.0017
Camera2.k3: -0.0026
Camera2.k4: 0.0003
# Transformation matrix from right camera to left camera
Stereo.T_c1_c2: !!opencv-matrix
  rows: 4
  cols: 4
  dt: f
  data: [ 0.8,   0.0,   -0.6,   0.125,
          0.0,   1.0,   0.0,   0.0078125,
          0.6,   0.0,   0.8,   0.00390625,
          0.0,0.0,0.0,1.0]
Camera.width: 512
Camera.height: 512
IMU.T_b_c1: !!opencv-matrix
   rows: 4
   cols: 4
   dt: f
   data: [-1.0, 0.0, 0.0, 0.046875,
           0.0, 0.0, -1.0, -0.0703125,
           0.0, -1.0, 0.0, -0.04296875,
           0.0, 0.0, 0.0, 1.0]
"""


def read(text: str, name: str = "settings.yaml") -> Calibration:
    assert dialect_of(text.encode()) is ORB_SLAM
    return ORB_SLAM.read(Source(name, text.encode()))


def test_that_tbc_takes_points_of_the_camera_to_the_body_whatever_its_comment_says() -> None:
    calibration = read(INERTIAL)
    (edge,) = calibration.edges
    assert (edge.parent, edge.child, edge.entry, edge.doubt) == ("body", "camera", "Tbc", "")
    assert edge.words == "takes points of camera to body"
    # 2 m along the optical axis, by hand: x of the body.
    np.testing.assert_array_equal(edge.X_PC @ [0.0, 0.0, 2.0], [2.125, 0.0625, -0.03125])
    assert [problem.severity for problem in calibration.problems] == ["amber"]
    assert "comma" in calibration.problems[0].message
    assert list(scene_of(calibration, "settings.yaml").frames) == ["body", "camera"]


def test_that_the_right_camera_is_on_the_left_one() -> None:
    left, right = read(STEREO).edges
    assert (left.parent, left.child, left.entry) == ("body", "camera1", "IMU.T_b_c1")
    assert (right.parent, right.child, right.entry) == ("camera1", "camera2", "Stereo.T_c1_c2")
    assert right.words == "takes points of camera2 to camera1"
    # The right camera looks to the left: 1 m ahead of it is 0.6 m to the left and 0.8 m ahead, off its place.
    np.testing.assert_allclose(right.X_PC @ [0.0, 0.0, 1.0], [-0.475, 0.0078125, 0.80390625], atol=1e-15)


def test_that_tcb_of_forks_is_the_inverse_and_closes_a_loop_with_tbc() -> None:
    Tcb = "Tcb: !!opencv-matrix\n  rows: 4\n  cols: 4\n  dt: d\n  data: [0., -1., 0., 0.0625, 0., 0., -1., -0.03125,"
    text = INERTIAL.replace("0.125\n", "0.125,\n") + f"{Tcb} 1., 0., 0., -0.125, 0., 0., 0., 1.]\n"
    tbc, tcb = read(text).edges
    assert tcb.words == "takes points of body to camera"
    assert (tcb.parent, tcb.child) == ("body", "camera")
    np.testing.assert_array_equal(tcb.X_PC.to_matrix(), tbc.X_PC.to_matrix())
    assert list(scene_of(read(text), "x").measured) == ["camera from body"]


def test_that_old_stereo_settings_with_tlr_are_read() -> None:
    numbers = "1., 0., 0., 0.11, 0., 1., 0., 0., 0., 0., 1., 0."
    Tlr = f"Tlr: !!opencv-matrix\n  rows: 3\n  cols: 4\n  dt: f\n  data: [{numbers}]\n"
    _, edge = read(f"{INERTIAL}Camera2.fx: 400.\nCamera2.fy: 400.\nCamera2.cx: 320.\nCamera2.cy: 240.\n{Tlr}").edges
    assert edge.words == "takes points of camera2 to camera"
    assert edge.X_PC.p_AB.tolist() == [0.11, 0.0, 0.0]


def test_that_lenses_and_facts_are_read() -> None:
    (lens,) = read(INERTIAL).lenses
    assert (lens.frame, lens.size, lens.focal, lens.center) == ("camera", (640, 480), (430.5, 431.25), (321.0, 238.5))
    assert (lens.model, lens.coefficients) == ("radtan", (-0.25, 0.0625, 0.001, 2e-4))
    fish = read(STEREO).lenses
    assert [(lens.frame, lens.model, len(lens.coefficients)) for lens in fish] == [
        ("camera1", "equidistant", 4),
        ("camera2", "equidistant", 4),
    ]
    facts = {fact.entry: (fact.value, fact.unit) for fact in read(INERTIAL).facts}
    assert facts["Camera.bf"] == (51.66, "m px")
    assert facts["IMU.AccWalk"] == (3e-3, "m/s³/√Hz")
    rectified = read(
        'Camera.type: "Rectified"\nCamera1.fx: 382.5\nCamera1.fy: 382.5\nCamera1.cx: 320\nCamera1.cy: 236\n'
    )
    assert rectified.lenses[0].model == "none"
    assert rectified.lenses[0].size is None


def test_that_a_rectification_is_no_extrinsic() -> None:
    P = "rows: 3\n  cols: 4\n  dt: d\n  data: [430., 0, 320, -51.6, 0, 430., 240, 0, 0, 0, 1, 0]\n"
    R = "rows: 3\n  cols: 3\n  dt: d\n  data:[1., 0, 0, 0, 1, 0, 0, 0, 1]\n"
    calibration = read(f"{INERTIAL}RIGHT.R: !!opencv-matrix\n  {R}RIGHT.P: !!opencv-matrix\n  {P}")
    assert [edge.entry for edge in calibration.edges] == ["Tbc"]
    (fact,) = [fact for fact in calibration.facts if fact.entry == "RIGHT.P"]
    assert fact.value == pytest.approx(0.12, abs=1e-15)
    assert [problem.severity for problem in calibration.problems] == ["amber", "note"]


def test_that_xml_is_read() -> None:
    data = "1. 0. 0. .25 0. 1. 0. 0. 0. 0. 1. 0. 0. 0. 0. 1."
    matrix = f"<rows>4</rows><cols>4</cols><dt>d</dt><data>{data}</data>"
    text = f'<?xml version="1.0"?>\n<opencv_storage>\n<Tbc type_id="opencv-matrix">{matrix}</Tbc>\n</opencv_storage>\n'
    (edge,) = read(text, "settings.xml").edges
    assert edge.X_PC.p_AB.tolist() == [0.25, 0.0, 0.0]
    moved = replace(edge, X_file=Transform(edge.X_file.R_AB, [0.5, 0.0, 0.0]))
    assert ORB_SLAM.patch(text, (moved,)) == text.replace(".25", "0.5")


@pytest.mark.parametrize("text", [INERTIAL, STEREO])
def test_that_what_is_written_is_read_the_same(text) -> None:
    first = read(text)
    written = ORB_SLAM.write(first)
    second = read(written)
    poses = {edge.words.replace("camera1", "camera"): edge.X_PC.to_matrix() for edge in first.edges}
    again = {edge.words.replace("camera1", "camera"): edge.X_PC.to_matrix() for edge in second.edges}
    assert poses.keys() == again.keys()
    for words, M in poses.items():
        np.testing.assert_array_equal(again[words], M)
    assert [(a.size, a.focal, a.center, a.model, a.coefficients) for a in first.lenses] == [
        (b.size, b.focal, b.center, b.model, b.coefficients) for b in second.lenses
    ]
    assert [fact.__dict__ for fact in second.facts] == [fact.__dict__ for fact in first.facts]
    assert "takes points of" in written


def test_that_two_cameras_on_a_body_are_written_as_a_pair() -> None:
    a = Transform([[0, 0, 1], [-1, 0, 0], [0, -1, 0]], [0.1, 0.06, 0.0])
    b = Transform([[0, 0, 1], [-1, 0, 0], [0, -1, 0]], [0.1, -0.06, 0.0])
    text = ORB_SLAM.write(Calibration("x", (Edge("imu", "left", a, "a"), Edge("imu", "right", b, "b"))))
    left, right = read(text).edges
    np.testing.assert_allclose((left.X_PC @ right.X_PC).to_matrix(), b.to_matrix(), atol=1e-15)
    np.testing.assert_allclose(right.X_PC.p_AB, [0.12, 0, 0], atol=1e-15)
    assert "takes points of right to left" in text


def test_that_a_third_camera_and_mixed_lenses_are_refused() -> None:
    edges = tuple(Edge("imu", name, Transform(np.eye(3), [k, 0, 0]), name) for k, name in enumerate("abc"))
    with pytest.raises(CalibrationError, match="two cameras"):
        ORB_SLAM.write(Calibration("x", edges))
    lenses = (
        Lens("a", None, (4, 4), (1, 1), "radtan", (0, 0, 0, 0)),
        Lens("b", None, (4, 4), (1, 1), "equidistant", (0, 0, 0, 0)),
    )
    with pytest.raises(CalibrationError, match="all radtan or all equidistant"):
        ORB_SLAM.write(Calibration("x", edges[:2], lenses))


def test_that_a_patch_changes_the_numbers_alone() -> None:
    edge = read(STEREO).edges[1]
    p = edge.X_file.p_AB + np.array([0.001, 0.0, 0.0])
    patched = ORB_SLAM.patch(STEREO, (replace(edge, X_file=Transform(edge.X_file.R_AB, p)),))
    diff = [line[2:] for line in difflib.ndiff(STEREO.split("\n"), patched.split("\n")) if line[0] in "+-"]
    assert diff == ["  data: [ 0.8,   0.0,   -0.6,   0.125,", "  data: [ 0.8,   0.0,   -0.6,   0.126,"]
    for text in (STEREO, INERTIAL):
        assert ORB_SLAM.patch(text, read(text).edges) == text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cols: 4", "cols: 5", "Tbc: expected 4 x 5 numbers"),
        ("0.0, 0.0, 0.0, 1.0]", "0.0, 0.0, 0.0, .nan]", "Tbc: expected numbers, got 'nan'"),
    ],
)
def test_that_a_fault_is_one_error_with_its_place(old, new, words) -> None:
    with pytest.raises(CalibrationError, match=words):
        read(INERTIAL.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Camera.fy: 431.25\n", "", "expected Camera.fy"),
        ("Camera.k1: -0.25\n", "", "Camera.k1"),
        ("Camera.fx: 430.5", "Camera.fx: wide", "Camera.fx: expected a number, got 'wide'"),
        ("Camera.width: 640", "Camera.width: -640", "image"),
    ],
)
def test_that_a_lens_with_a_fault_leaves_the_pose(old, new, words) -> None:
    calibration = read(INERTIAL.replace(old, new))
    assert [edge.entry for edge in calibration.edges] == ["Tbc"]
    assert calibration.lenses == ()
    (problem,) = [problem for problem in calibration.problems if problem.severity == "red"]
    assert words in problem.message
    assert problem.where == "Camera"


def test_that_a_lens_of_which_an_excerpt_has_a_part_is_a_note() -> None:
    text = "".join(line for line in INERTIAL.splitlines(True) if not line.startswith(("Camera.fy", "Camera.c")))
    calibration = read(text)
    assert [edge.entry for edge in calibration.edges] == ["Tbc"]
    assert calibration.lenses == ()
    (problem,) = [problem for problem in calibration.problems if "lens" in problem.message]
    assert (problem.severity, problem.where) == ("note", "Camera")
    assert problem.message == "the lens is left out: the file has no Camera.fy, Camera.cx and Camera.cy."


def test_that_a_fact_with_a_fault_leaves_the_pose() -> None:
    calibration = read(INERTIAL.replace("Camera.fps: 30.0", "Camera.fps: fast"))
    assert len(calibration.edges) == len(calibration.lenses) == 1
    _, problem = calibration.problems
    assert (problem.where, problem.severity) == ("Camera.fps", "amber")
    assert "got 'fast'" in problem.message


LEFT = "%YAML:1.0\nCamera1.fx: 400.0\nCamera1.fy: 400.0\nCamera1.cx: 320.0\nCamera1.cy: 240.0\n"
OLD = LEFT.replace("Camera1.", "Camera.")


@pytest.mark.parametrize(
    ("text", "parent", "entry", "severities"),
    [
        (f'{LEFT}Camera.type: "Rectified"\nStereo.b: 0.125\n', "camera1", "Stereo.b", []),
        (f'{LEFT}Camera.type: "PinHole"\nStereo.b: 0.125\n', "camera1", "Stereo.b", ["amber"]),
        (f"{OLD}Camera.bf: 50.0\n", "camera", "Camera.bf", []),
    ],
)
def test_that_the_right_camera_stands_at_the_baseline(text, parent, entry, severities) -> None:
    calibration = ORB_SLAM.read(Source("a.yaml", text.encode()))
    (edge,) = calibration.edges
    assert (edge.parent, edge.child, edge.entry) == (parent, "camera2", entry)
    np.testing.assert_allclose(edge.X_PC.to_matrix()[:3, 3], [0.125, 0.0, 0.0])
    assert [lens.frame for lens in calibration.lenses] == [parent, "camera2"]
    assert [problem.severity for problem in calibration.problems] == severities
    moved = replace(edge, X_file=Transform(np.eye(3), np.array([0.25, 0.0, 0.0])))
    again = ORB_SLAM.read(Source("a.yaml", ORB_SLAM.patch(text, (moved,)).encode()))
    assert again.edges[0].X_PC.p_AB[0] == 0.25
    tilted = replace(edge, X_file=Transform(np.eye(3), np.array([0.25, 0.1, 0.0])))
    with pytest.raises(CalibrationError, match="along x alone"):
        ORB_SLAM.patch(text, (tilted,))


def test_that_a_depth_camera_and_a_zero_baseline_have_no_right_camera() -> None:
    for text in (f"{OLD}Camera.bf: 40.0\nDepthMapFactor: 5000.0\n", f"{OLD}Camera.bf: 0.0\n"):
        assert not ORB_SLAM.read(Source("a.yaml", text.encode())).edges

"""Hand-eye calibrations of easy_handeye and easy_handeye2: what carries the tracking system decides the parent."""

from __future__ import annotations

import numpy as np
import pytest
import yaml

from framescope.core.errors import FramescopeError
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.dialects.easy_handeye import EASY_HANDEYE, write
from tests.support import plain_rotations as plain
from tests.support.calibration_files import poses, read, tally_of_damaged

HAND = """\
parameters:
  eye_on_hand: true
  freehand_robot_movement: false
  move_group: manipulator
  move_group_namespace: /
  namespace: /lab_eye_on_hand/
  robot_base_frame: base_link
  robot_effector_frame: wrist_3_link
  tracking_base_frame: camera_color_optical_frame
  tracking_marker_frame: board
transformation:
  qw: 0.5
  qx: -0.5
  qy: 0.5
  qz: 0.5
  x: 0.035
  y: -0.071
  z: 0.0425
"""
NEWER = """\
parameters:
  name: bench
  calibration_type: eye_on_base
  robot_base_frame: base_link
  robot_effector_frame: flange
  tracking_base_frame: camera_link
  tracking_marker_frame: board
  freehand_robot_movement: true
transform:
  translation:
    x: 1.25
    y: -0.5
    z: 0.75
  rotation:
    x: 0.0
    y: 0.28
    z: 0.0
    w: 0.96
"""
FIRST = """\
eye_on_hand: false
robot_base_frame: base
tracking_base_frame: tracker
transformation: {x: 1, y: 2, z: 3, qx: 0, qy: 0, qz: 0, qw: 1}
"""
FILES = {"hand.yaml": HAND, "bench.calib": NEWER, "first.yaml": FIRST}


def test_that_an_eye_on_the_hand_is_a_frame_in_the_effector() -> None:
    ((pair, M),) = poses(read(EASY_HANDEYE, HAND)).items()
    assert pair == ("wrist_3_link", "camera_color_optical_frame")
    np.testing.assert_allclose(M, plain.pose(plain.of_quaternion(-0.5, 0.5, 0.5, 0.5), [0.035, -0.071, 0.0425]))


def test_that_an_eye_on_the_base_is_a_frame_in_the_base() -> None:
    ((pair, M),) = poses(read(EASY_HANDEYE, HAND.replace("eye_on_hand: true", "eye_on_hand: false"))).items()
    assert pair == ("base_link", "camera_color_optical_frame")
    np.testing.assert_allclose(M[:3, 3], [0.035, -0.071, 0.0425])


def test_that_files_of_easy_handeye2_and_of_the_first_versions_are_read() -> None:
    ((pair, M),) = poses(read(EASY_HANDEYE, NEWER)).items()
    assert pair == ("base_link", "camera_link")
    np.testing.assert_allclose(M, plain.pose(plain.of_quaternion(0, 0.28, 0, 0.96), [1.25, -0.5, 0.75]), atol=1e-15)
    in_hand = NEWER.replace("eye_on_base", "eye_in_hand")
    assert list(poses(read(EASY_HANDEYE, in_hand))) == [("flange", "camera_link")]
    assert list(poses(read(EASY_HANDEYE, FIRST))) == [("base", "tracker")]


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_that_a_written_file_is_read_back(text) -> None:
    calibration = read(EASY_HANDEYE, text)
    written = write(calibration)
    (edge,) = calibration.edges
    assert f"# takes points of {edge.child} to {edge.parent}" in written
    data = yaml.safe_load(written)
    on_hand = data["parameters"]["eye_on_hand"]
    assert on_hand == (text == HAND)
    assert data["parameters"]["robot_effector_frame" if on_hand else "robot_base_frame"] == edge.parent
    t = data["transformation"]
    M = plain.pose(plain.of_quaternion(*(t[f"q{key}"] for key in "xyzw")), [t[key] for key in "xyz"])
    np.testing.assert_allclose(M, edge.X_PC.to_matrix(), atol=1e-15)
    np.testing.assert_allclose(poses(read(EASY_HANDEYE, written))[edge.parent, edge.child], M, atol=1e-15)


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_that_a_patch_changes_the_numbers_alone(text) -> None:
    assert EASY_HANDEYE.patch is not None
    (edge,) = read(EASY_HANDEYE, text).edges
    assert EASY_HANDEYE.patch(text, (edge,)) == text
    x, y, z = edge.X_file.p_AB.tolist()
    moved = Edge(edge.parent, edge.child, Transform(edge.X_file.R_AB, [x, y, z + 0.125]), edge.entry)
    patched = EASY_HANDEYE.patch(text, (moved,))
    assert yaml.safe_load(patched) != yaml.safe_load(text)
    assert [old for old, new in zip(text.split("\n"), patched.split("\n"), strict=True) if old != new] == [
        line for line in text.split("\n") if line.lstrip().startswith(("z: 0.0425", "z: 0.75", "transformation: {"))
    ]
    np.testing.assert_array_equal(read(EASY_HANDEYE, patched).edges[0].X_file.p_AB, [x, y, z + 0.125])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("eye_on_hand: true", "eye_on_hand: maybe", "expected eye_on_hand"),
        ("  robot_effector_frame: wrist_3_link\n", "", "robot_effector_frame: expected"),
        ("  qw: 0.5\n", "", "expected transformation.qw"),
        ("  x: 0.035", "  x: [1, 2]", "transformation.x: expected 1 numbers"),
    ],
)
def test_that_a_fault_is_named_with_its_place(old, new, message) -> None:
    with pytest.raises(FramescopeError, match=message):
        read(EASY_HANDEYE, HAND.replace(old, new, 1))


def test_that_two_poses_are_no_hand_eye_calibration() -> None:
    edge = read(EASY_HANDEYE, HAND).edges[0]
    with pytest.raises(FramescopeError, match="holds one pose"):
        write(Calibration("kalibr", (edge, edge)))


def test_that_damaged_files_end_in_a_calibration_or_a_message() -> None:
    tally = tally_of_damaged(EASY_HANDEYE, FILES)
    assert min(tally["read"], tally["refused"]) > 20

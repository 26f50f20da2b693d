"""Transforms of ROS in YAML: read with the direction of the message, written and patched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import yaml

from framescope.core.errors import FramescopeError
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.dialect import Source
from framescope.features.calibrations.core.dialects.transforms import TRANSFORMS, write
from tests.support import plain_rotations as plain
from tests.support.calibration_files import poses, read, tally_of_damaged

ONE = """\
# the camera on the mast
header:
  stamp:
    sec: 12
    nanosec: 500000000
  frame_id: mast
child_frame_id: camera
transform:
  translation:
    x: 0.12
    y: -0.34
    z: 1.5
  rotation:
    x: 0.5
    y: -0.5
    z: 0.5
    w: -0.5
"""
ROS1 = """\
transforms: 
  - 
    header: 
      seq: 0
      stamp: 
        secs: 1592381302
        nsecs: 857000000
      frame_id: "/base_link"
    child_frame_id: "lidar"
    transform: 
      translation: 
        x: 0.1
        y: 0.2
        z: 0.3
      rotation: 
        x: 0.0
        y: 0.0
        z: 0.28
        w: 0.96
  - 
    header: {seq: 0, stamp: {secs: 0, nsecs: 0}, frame_id: lidar}
    child_frame_id: imu
    transform: {translation: {x: 1.0, y: 0.0, z: 0.0}, rotation: {w: 1.0, x: 0.0, y: 0.0, z: 0.0}}
---
"""  # noqa: W291 - rostopic writes blanks at the ends of lines
JSON = (
    '[{"header": {"frame_id": "a"}, "child_frame_id": "b", "transform": {"translation": {"x": 1, "y": 2, "z": 3},'
    ' "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}}}]'
)
FILES = {"one.yaml": ONE, "echo.yaml": ROS1, "list.json": JSON}


def slow_poses(text: str) -> dict[tuple[str, str], plain.Matrix]:
    """Return the poses of children in parents as PyYAML and plain formulas read them."""
    found: dict[tuple[str, str], plain.Matrix] = {}
    for document in yaml.safe_load_all(text):
        items = document.get("transforms", [document]) if isinstance(document, dict) else document or []
        for item in items:
            t, q = item["transform"]["translation"], item["transform"]["rotation"]
            M = plain.pose(plain.of_quaternion(*(q[key] for key in "xyzw")), [t[key] for key in "xyz"])
            found[item["header"]["frame_id"].lstrip("/"), item["child_frame_id"]] = M
    return found


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_that_a_transform_takes_points_of_the_child_to_the_parent(text) -> None:
    calibration = read(TRANSFORMS, text)
    expected = slow_poses(text)
    assert poses(calibration).keys() == expected.keys()
    for pair, M in poses(calibration).items():
        np.testing.assert_allclose(M, expected[pair], atol=1e-12)
    for edge in calibration.edges:
        assert edge.words == f"takes points of {edge.child} to {edge.parent}"
        assert not edge.doubt


def test_that_the_other_direction_is_another_pose() -> None:
    (M,) = poses(read(TRANSFORMS, ONE)).values()
    np.testing.assert_allclose(M[:3, 3], [0.12, -0.34, 1.5])
    assert np.abs(plain.inverse(M) - M).max() > 0.1


def test_that_documents_of_an_echo_are_poses_over_time_where_the_frame_moves() -> None:
    later = ONE.replace("sec: 12", "sec: 13").replace("x: 0.12", "x: 0.62")
    calibration = read(TRANSFORMS, f"{ONE}---\n{later}---\n")
    (moving,) = calibration.pose_lists
    assert (calibration.edges, moving.parent, moving.child) == ((), "mast", "camera")
    np.testing.assert_allclose(moving.X_PC.p_AB, [[0.12, -0.34, 1.5], [0.62, -0.34, 1.5]])
    np.testing.assert_allclose(moving.times, [12.5, 13.5])


def test_that_a_transform_that_is_sent_again_is_one_pose() -> None:
    calibration = read(TRANSFORMS, 3 * f"{ONE}---\n")
    assert [edge.entry for edge in calibration.edges] == ["document 1"]
    assert calibration.pose_lists == ()


def test_that_written_transforms_are_read_back_by_yaml_and_by_the_reader() -> None:
    calibration = read(TRANSFORMS, ROS1)
    text = write(calibration)
    assert "# The pose of lidar in base_link: takes points of lidar to base_link." in text
    for again in (slow_poses(text), poses(read(TRANSFORMS, text))):
        for pair, M in poses(calibration).items():
            np.testing.assert_allclose(again[pair], M, atol=1e-15)


def test_that_an_edge_held_the_other_way_round_is_written_as_a_pose_of_the_child() -> None:
    X = Transform.from_matrix(plain.pose(plain.of_rpy(0.1, 0.2, 0.3), [1.0, 2.0, 3.0]))
    edge = Edge("imu", "cam", X, "T_cam_imu", is_inverse=True)
    ((pair, M),) = slow_poses(write(Calibration("kalibr", (edge,)))).items()
    assert pair == ("imu", "cam")
    np.testing.assert_allclose(M, plain.inverse(X.to_matrix()), atol=1e-14)


def test_that_a_patch_changes_the_numbers_alone() -> None:
    assert TRANSFORMS.patch is not None
    before = read(TRANSFORMS, ROS1)
    assert TRANSFORMS.patch(ROS1, before.edges) == ROS1
    edge = before.edges[1]
    X = Transform(edge.X_file.R_AB, [1.0, 0.25, 0.0])
    text = TRANSFORMS.patch(ROS1, (Edge(edge.parent, edge.child, X, edge.entry),))
    assert text == ROS1.replace("{x: 1.0, y: 0.0, z: 0.0}", "{x: 1.0, y: 0.25, z: 0.0}", 1)
    turned = Transform(plain.of_rpy(0.0, 0.0, 0.5), edge.X_file.p_AB)
    again = read(TRANSFORMS, TRANSFORMS.patch(ROS1, (Edge(edge.parent, edge.child, turned, edge.entry),)))
    np.testing.assert_allclose(again.edges[1].X_file.R_AB, turned.R_AB, atol=1e-15)
    assert poses(again)["base_link", "lidar"].tolist() == poses(before)["base_link", "lidar"].tolist()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    x: 0.12\n", "", "translation: expected x"),
        ("w: -0.5", "w: north", "rotation.w: expected numbers"),
        ("x: 0.5\n    y: -0.5\n    z: 0.5\n    w: -0.5", "x: 0\n    y: 0\n    z: 0\n    w: 0", "quaternion is zero"),
        ("frame_id: mast", "frame_id: camera", "the same frame"),
        ("frame_id: mast", "frame_id: ''", "expected the name of a frame"),
    ],
)
def test_that_a_fault_is_named_with_its_place(old, new, message) -> None:
    with pytest.raises(FramescopeError, match=message):
        read(TRANSFORMS, ONE.replace(old, new, 1))


def test_that_a_quaternion_off_unit_length_is_a_problem() -> None:
    calibration = read(TRANSFORMS, ONE.replace("w: -0.5", "w: -0.6"))
    assert [problem.kind for problem in calibration.problems] == ["quaternion-length"]


def test_that_damaged_files_end_in_a_calibration_or_a_message() -> None:
    tally = tally_of_damaged(TRANSFORMS, FILES)
    assert min(tally["read"], tally["refused"]) > 20


def test_that_numbers_behind_escaped_pictures_are_replaced_in_place() -> None:
    """JSON writes a character above U+FFFF as two escapes, which are read as one."""
    text = (
        '{"note": "\\ud83d\\ude00 \\ud83d\\ude80", "transforms": [{"header": {"frame_id": "base"}, '
        '"child_frame_id": "lidar\\ud83d\\ude00", "transform": {"translation": {"x": 0.25, "y": 0.0, "z": 1.50}, '
        '"rotation": {"x": 0.0, "y": 0.0, "z": 0.6, "w": 0.8}}}]}'
    )
    (edge,) = TRANSFORMS.read(Source("a.yaml", text.encode())).edges
    moved = replace(edge, X_file=Transform(edge.X_file.R_AB, [0.25, 0.5, 1.5]))
    assert TRANSFORMS.patch(text, (moved,)) == text.replace('"y": 0.0, "z": 1.50', '"y": 0.5, "z": 1.50')

"""Poses that tools of ROS print are read with position and rotation, without a question."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.readings import read_text

ECHO = """\
At time 1592381302.857
- Translation: [0.100, 0.000, 0.300]
- Rotation: in Quaternion [0.000, 0.000, 0.707, 0.707]
- Rotation: in RPY (radian) [0.000, -0.000, 1.571]
- Rotation: in RPY (degree) [0.000, -0.000, 90.000]
- Matrix:
  0.000 -1.000  0.000  0.100
  1.000  0.000  0.000  0.000
  0.000  0.000  1.000  0.300
  0.000  0.000  0.000  1.000
"""
LATER = ECHO.replace("0.100, 0.000, 0.300", "0.1, -2e-1, 0.3").replace("Quaternion [", "Quaternion (xyzw) [")
STAMPED = """\
header:
  stamp: {sec: 12, nanosec: 500000000}
  frame_id: base_link
child_frame_id: camera
transform:
  translation:
    x: 0.1
    y: -0.2
    z: 0.3
  rotation:
    x: 0.0
    y: 0.0
    z: 0.7071067811865476
    w: 0.7071067811865476
---
"""
POSE = STAMPED.replace("transform:", "pose:").replace("translation", "position").replace("rotation", "orientation")
JSON = '{"translation": {"x": 0.1, "y": -0.2, "z": 0.3}, "rotation": {"x": 0, "y": 0, "z": 0.6, "w": 0.8}}'
CALL = "ros2 run tf2_ros static_transform_publisher"
OPTIONS = f"{CALL} --x 0.1 --y -0.2 --z 0.3 --yaw 1.5707963 --frame-id base_link --child-frame-id camera"
LAUNCH = '<node pkg="tf" type="static_transform_publisher" name="link" args="0 0 5 -1.571 0 -2 world odomS0 100" />'
SENSOR = """\
sensor_type: camera
T_BS:
  cols: 4
  rows: 4
  data: [0.0, -1.0, 0.0, 0.1,
         1.0, 0.0, 0.0, -0.2,
         0.0, 0.0, 1.0, 0.3,
         0.0, 0.0, 0.0, 1.0]
rate_hz: 20
resolution: [752, 480]
"""
QUARTER = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
"""Frame into parent after a quarter of a turn about z."""

TEXTS = {
    "tf2_echo": (ECHO, [0.1, 0.0, 0.3]),
    "several blocks": (20 * ECHO + LATER, [0.1, -0.2, 0.3]),
    "TransformStamped": (STAMPED, [0.1, -0.2, 0.3]),
    "several messages": (5 * STAMPED, [0.1, -0.2, 0.3]),
    "PoseStamped": (POSE, [0.1, -0.2, 0.3]),
    "options": (OPTIONS, [0.1, -0.2, 0.3]),
    "yaw pitch roll": (f"{CALL} 0.1 -0.2 0.3 1.5707963 0 0 base_link camera", [0.1, -0.2, 0.3]),
    "quaternion": (f"{CALL} 0.1 -0.2 0.3 0 0 0.70710678 0.70710678 base_link camera 100", [0.1, -0.2, 0.3]),
    "EuRoC": (SENSOR, [0.1, -0.2, 0.3]),
}


@pytest.mark.parametrize(("text", "position"), TEXTS.values(), ids=TEXTS)
def test_that_a_printed_pose_is_read_without_a_question(text, position) -> None:
    reading = read_text(text).settled
    np.testing.assert_allclose(reading.p_PF, position)
    np.testing.assert_allclose(reading.R.T.T, QUARTER, atol=1e-3)


def test_that_a_launch_file_and_json_are_read() -> None:
    reading = read_text(LAUNCH).settled
    assert reading.p_PF == (0.0, 0.0, 5.0)
    assert reading.form == "axes ZYX"
    assert (reading.placements[0].parent, reading.placements[0].child) == ("world", "odomS0")
    yaw, roll = -1.571, -2.0
    Rz = [[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]]
    Rx = [[1, 0, 0], [0, np.cos(roll), -np.sin(roll)], [0, np.sin(roll), np.cos(roll)]]
    np.testing.assert_allclose(reading.R.T.T, np.array(Rz) @ Rx, atol=1e-12)
    assert read_text(JSON).settled.p_PF == (0.1, -0.2, 0.3)


def test_that_transforms_of_several_frames_are_a_list_with_their_names() -> None:
    reading = read_text(STAMPED + STAMPED.replace("camera", "lidar")).settled
    assert [placement.child for placement in reading.placements] == ["camera", "lidar"]
    assert [placement.parent for placement in reading.placements] == ["base_link", "base_link"]


def test_that_blocks_of_tf_echo_that_disagree_are_offered() -> None:
    wrong = ECHO.replace("0.000, -0.000, 1.571", "0.000, -0.000, 1.000")
    result = read_text(wrong)
    assert result.question == "The blocks of tf_echo disagree. Which one holds?"
    assert [reading.choice for reading in result.readings] == ["its quaternion", "its angles, rad"]


def test_that_an_imu_without_orientation_says_so() -> None:
    text = "orientation: {x: 0.0, y: 0.0, z: 0.0, w: 0.0}\norientation_covariance: [-1.0, 0.0, 0.0]"
    assert "has no orientation" in read_text(text).reason


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SENSOR.replace("0.0, 1.0]", "1.0]"), "16 numbers"),
        (f"{CALL} 1 2 3", "expected x y z"),
    ],
)
def test_that_what_is_no_single_pose_is_refused_with_the_reason(text, message) -> None:
    result = read_text(text)
    assert result.readings == ()
    assert message in result.reason

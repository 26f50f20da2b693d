"""Publishers of static transforms in shell scripts and launch files: read as text, patched in their form."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.readings import read_text
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge
from framescope.features.calibrations.core.dialects.launch_files import LAUNCH_FILES, write
from tests.support import plain_rotations as plain
from tests.support.calibration_files import poses, read, tally_of_damaged

SHELL = """\
#!/bin/bash
# rosrun tf static_transform_publisher 9 9 9 0 0 0 commented out 100
rosrun tf static_transform_publisher 0.1 -0.2 1.30 1.57 0 -0.5 base_link laser 100 &
ros2 run tf2_ros static_transform_publisher --x 0.5 --yaw 0.25 \\
    --frame-id laser --child-frame-id "imu link"   # the IMU
ros2 run tf2_ros static_transform_publisher 1 2 3 0 0 0.6 0.8 base_link /cam; echo done
ros2 run tf2_ros static_transform_publisher $X 0 0 0 0 0 base_link open
"""
ROS1 = """\
<launch>
  <arg name="z" default="0.3"/>
  <!-- <node pkg="tf" type="static_transform_publisher" name="old" args="9 9 9 0 0 0 a b 100"/> -->
  <node pkg="tf" type="static_transform_publisher" name="l" args="0.1 -0.2 1.30 1.57 0 -0.5 base_link laser 100"/>
  <group if="$(arg imu)">
    <node pkg="tf2_ros" type="static_transform_publisher" name="i"
          args="0.5 0 0 0.25 0 0
                laser imu"/>
  </group>
  <node pkg="tf" type="static_transform_publisher" name="o" args="0 0 $(arg z) 0 0 0 base_link open 100"/>
</launch>
"""
ROS2 = """\
<?xml version="1.0"?>
<launch>
  <!-- höher -->
  <node pkg="tf2_ros" exec="static_transform_publisher" args="--x 0.1 --y -0.2 --z 1.30 --yaw 1.57 --roll -0.5
     --frame-id base_link --child-frame-id laser"/>
  <executable cmd="ros2 run tf2_ros static_transform_publisher 0.5 0 0 0.25 0 0 laser imu"/>
</launch>
"""
PYTHON = """\
from launch import LaunchDescription
from launch_ros.actions import Node
height = 1.3
def generate_launch_description():
    raise SystemExit("never run")
    return LaunchDescription([
        Node(package='tf2_ros', executable='static_transform_publisher', name='ä',
             arguments=['0.1', '-0.2', '1.30', '1.57', '0', '-0.5', 'base_link', 'laser']),
        Node(
            package="tf2_ros",
            executable="static_transform_publisher",
            arguments=["--x", "0.5", "--yaw", str(0.25), "--frame-id", "laser", "--child-frame-id", "imu"],
        ),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments='1 2 3 0 0 0.6 0.8 base_link cam'.split()),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments=['0', '0', str(height), '0', '0', '0', 'base_link', 'open']),
    ])
"""
YAML = """\
launch:
- arg: {name: z, default: "0.3"}
- node:
    pkg: "tf2_ros"
    exec: "static_transform_publisher"
    args: "0.1 -0.2 1.30 1.57 0 -0.5 base_link laser"  # on the mast
- group:
    - node:
        pkg: tf2_ros
        exec: static_transform_publisher
        args: --x 0.5 --yaw 0.25 --frame-id laser --child-frame-id imu
        if: $(var imu)
- node:
    pkg: tf2_ros
    exec: static_transform_publisher
    args: 0 0 $(var z) 0 0 0 base_link open
"""
FILES = {"a.sh": SHELL, "a.launch": ROS1, "a.launch.xml": ROS2, "a.launch.py": PYTHON, "a.launch.yaml": YAML}

LASER = plain.pose(plain.of_rpy(-0.5, 0.0, 1.57), [0.1, -0.2, 1.3])
IMU = plain.pose(plain.of_rpy(0.0, 0.0, 0.25), [0.5, 0.0, 0.0])


@pytest.mark.parametrize("name", FILES)
def test_that_publishers_are_read_as_the_pose_of_the_child(name) -> None:
    calibration = read(LAUNCH_FILES, FILES[name], name)
    found = {pair: M for pair, M in poses(calibration).items() if pair[1] != "cam"}
    assert list(found) == [("base_link", "laser"), ("laser", "imu link" if name == "a.sh" else "imu")]
    for M, expected in zip(found.values(), (LASER, IMU), strict=True):
        np.testing.assert_allclose(M, expected, atol=1e-14)
    assert all(edge.words == f"takes points of {edge.child} to {edge.parent}" for edge in calibration.edges)


@pytest.mark.parametrize("name", ["a.sh", "a.launch.py"])
def test_that_seven_numbers_are_a_quaternion_with_the_scalar_last(name) -> None:
    M = poses(read(LAUNCH_FILES, FILES[name]))["base_link", "cam"]
    np.testing.assert_allclose(M, plain.pose(plain.of_quaternion(0, 0, 0.6, 0.8), [1, 2, 3]), atol=1e-14)


@pytest.mark.parametrize(
    ("name", "line", "cause"),
    [
        ("a.sh", 7, "$X"), ("a.launch", 10, "$(arg z)"), ("a.launch.py", 17, "str(height)"),
        ("a.launch.yaml", 16, "$(var z)"),
    ],
)  # fmt: skip
def test_that_an_open_line_is_reported_with_its_number_and_left_out(name, line, cause) -> None:
    calibration = read(LAUNCH_FILES, FILES[name])
    assert "open" not in {edge.child for edge in calibration.edges}
    (problem,) = [problem for problem in calibration.problems if problem.kind == "open-line"]
    assert problem.line == line
    assert cause in problem.message


@pytest.mark.parametrize(("name", "cause"), [("a.launch", 'if="$(arg imu)"'), ("a.launch.yaml", 'if="$(var imu)"')])
def test_that_a_condition_is_a_note(name, cause) -> None:
    notes = [problem for problem in read(LAUNCH_FILES, FILES[name]).problems if problem.kind == "condition"]
    assert [cause in note.message for note in notes] == [True]


def test_that_yaw_comes_before_roll() -> None:
    line = "rosrun tf static_transform_publisher 0 0 0 0.1 0.2 0.3 a b 10"
    (M,) = poses(read(LAUNCH_FILES, line)).values()
    np.testing.assert_allclose(M[:3, :3], plain.of_rpy(0.3, 0.2, 0.1), atol=1e-14)
    assert np.abs(M[:3, :3] - plain.of_rpy(0.1, 0.2, 0.3)).max() > 0.1


def test_that_a_text_and_a_file_are_read_alike() -> None:
    line = "ros2 run tf2_ros static_transform_publisher --z=0.3 --pitch 0.2 --frame-id a --child-frame-id b"
    (edge,) = read(LAUNCH_FILES, line).edges
    reading = read_text(line).settled
    assert reading is not None
    assert reading.R is not None
    np.testing.assert_allclose(edge.X_file.R_AB, reading.R.T.T, atol=1e-15)
    assert reading.p_PF == (0.0, 0.0, 0.3)


@pytest.mark.parametrize("name", FILES)
def test_that_a_patch_changes_the_numbers_in_the_form_of_the_line(name) -> None:
    assert LAUNCH_FILES.patch is not None
    text = FILES[name]
    edges = read(LAUNCH_FILES, text).edges
    assert LAUNCH_FILES.patch(text, edges) == text
    laser, imu = edges[:2]
    moved = Edge("base_link", "laser", Transform(laser.X_file.R_AB, [0.1, 0.75, 1.3]), laser.entry)
    assert LAUNCH_FILES.patch(text, (moved,)) == re.sub(r"(?<![\d.])-0\.2(?!\d)", "0.75", text, count=1)
    turned = Edge("laser", imu.child, Transform(plain.of_rpy(0.0, 0.0, -1.25), imu.X_file.p_AB), imu.entry)
    patched = LAUNCH_FILES.patch(text, (turned,))
    changed = [(old, new) for old, new in zip(text.split("\n"), patched.split("\n"), strict=True) if old != new]
    assert len(changed) == 1
    assert re.sub(r"-1\.25\d*|0\.25", "", changed[0][0]) == re.sub(r"-1\.25\d*|0\.25", "", changed[0][1])
    again = poses(read(LAUNCH_FILES, patched))["laser", imu.child]
    np.testing.assert_allclose(again, plain.pose(plain.of_rpy(0, 0, -1.25), [0.5, 0, 0]), atol=1e-15)


def test_that_a_patch_of_a_missing_option_is_refused() -> None:
    assert LAUNCH_FILES.patch is not None
    edge = read(LAUNCH_FILES, YAML).edges[1]
    lifted = Edge(edge.parent, edge.child, Transform(edge.X_file.R_AB, [0.5, 0.0, 1.0]), edge.entry)
    with pytest.raises(FramescopeError, match="add --z 0 to the line first"):
        LAUNCH_FILES.patch(YAML, (lifted,))


def test_that_a_written_launch_file_is_read_back() -> None:
    calibration = read(LAUNCH_FILES, SHELL)
    text = write(calibration)
    assert "# Pose of laser in base_link: takes points of laser to base_link." in text
    again = poses(read(LAUNCH_FILES, text))
    for pair, M in poses(calibration).items():
        np.testing.assert_allclose(again[pair], M, atol=1e-15)


CALL = "ros2 run tf2_ros static_transform_publisher"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{CALL} 1 2 3", "expected x y z"),
        (f"{CALL} 0 0 0 0 0 0 base", "name of a frame is missing"),
        (f"{CALL} 0 0 pi/2 0 0 0 a b", "expected a number"),
        (f"{CALL} 0 0 0 0 0 0 a a", "the same frame"),
        (f"{CALL} 0 0 0 0 0 0 a b 100 200", "at most a period"),
        (f"{CALL} --x 1 --x 2 --frame-id a --child-frame-id b", "there twice"),
        (f"{CALL} --x 1 --yaw 1 --qw 1 --frame-id a --child-frame-id b", "there twice"),
        (f"{CALL} --x one --frame-id a --child-frame-id b", "--x: expected a number"),
        (f"{CALL} 1 2 3 --frame-id a --child-frame-id b", "unknown argument"),
        (f"{CALL} 0 0 0 0 0 0 0 a b", "quaternion is zero"),
        ("Node(executable='static_transform_publisher', arguments=ARGS)", "no list"),
        ("Node(executable='static_transform_publisher'", "no valid Python"),
    ],
)  # fmt: skip
def test_that_what_cannot_be_read_is_named(line, message) -> None:
    with pytest.raises(FramescopeError, match=re.escape(message)):
        LAUNCH_FILES.read(read_source(line))


def read_source(text: str):
    """Return a text as a file."""
    from framescope.features.calibrations.core.dialect import Source

    return Source("a.launch.py", text.encode())


def test_that_angles_in_degrees_are_suspected() -> None:
    calibration = read(LAUNCH_FILES, f"{CALL} 0 0 0 90 0 0 a b")
    assert [problem.kind for problem in calibration.problems] == ["large-angle"]
    assert math.isclose(calibration.edges[0].X_file.R_AB[0, 0], math.cos(90.0))


def test_that_deeply_nested_code_is_refused() -> None:
    text = "Node(executable='static_transform_publisher', arguments=[" + 5000 * "-" + "1])"
    with pytest.raises(FramescopeError):
        LAUNCH_FILES.read(read_source(text))


def test_that_damaged_files_end_in_a_calibration_or_a_message() -> None:
    tally = tally_of_damaged(LAUNCH_FILES, FILES, 500)
    assert min(tally["read"], tally["refused"]) > 20


@pytest.mark.parametrize(
    ("arguments", "kind", "severity", "message"),
    [
        ("0 0 0 0 0 5", "large-angle", "note", "roll 5 rad is more than half a turn"),
        ("0 0 0 -90 0 -90", "large-angle", "amber", "an optical frame (z forward, x right, y down)"),
        ("0 0 0 90 0 0", "large-angle", "amber", "roll 0°, pitch 0°, yaw 90°: multiples of 90°"),
        ("100 0 200 0 0 0", "millimetres", "amber", "b is 223.6 m from a, which looks like millimetres"),
        ("0 0 0 1 0 0 0", "half-turn", "note", "a half turn about x"),
    ],
)
def test_that_unusual_numbers_are_reported(arguments, kind, severity, message) -> None:
    (problem,) = read(LAUNCH_FILES, f"{CALL} {arguments} a b").problems
    assert (problem.kind, problem.severity) == (kind, severity)
    assert message in problem.message


@pytest.mark.parametrize(
    "arguments",
    ["0 0 0 3.14159 0 0", "0 0 0 4.712 0 -6.2832", "0 0 0 0 0 0 1", "9 0 0 0 0 0", "0 0 0 0.7071068 0 0 0.7071068"],
)
def test_that_usual_numbers_are_not_reported(arguments) -> None:
    assert read(LAUNCH_FILES, f"{CALL} {arguments} a b").problems == ()


def test_that_far_frames_of_a_site_are_not_reported() -> None:
    assert read(LAUNCH_FILES, f"{CALL} 5000 9000 0 0 0 0 map odom").problems == ()


def test_that_a_line_is_named_once() -> None:
    text = f"{CALL} 0 0 0 0 0 0 a b\n{CALL} 0,1 0 0 0 0 0 a c\n{CALL} 0 0 0 0 0 0 a a\n"
    comma, same = map(str, read(LAUNCH_FILES, text).problems)
    assert comma.startswith("line 2: 0,1 has a decimal comma. Write 0.1.")
    assert same.startswith("line 3: parent and child are the same frame, a.")

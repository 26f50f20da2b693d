"""Wheels of a described rover beside its odometry: signs, sides, units, radius and track, in real bags."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.bag_log import read_bag
from framescope.features.evidence.core.evidence_problems import bag_evidence
from framescope.features.evidence.core.wheel_findings import Wheel, examine_wheels, wheels_of
from tests.support.bags import NS, START_NS, Other, write_ros1, write_ros2
from tests.support.imu_drives import at_rest, odometry, rough_ground, truth_of, turned
from tests.support.robot_bags import ROVER, wheel_states

SECONDS = 20.0


def flat_ground(t):
    yaw, speed = 0.9 * np.sin(0.5 * t) + 0.15 * t, 0.8 + 0.35 * np.sin(0.9 * t)
    steps = np.stack([np.cos(yaw) * speed, np.sin(yaw) * speed, 0.0 * yaw], axis=1)
    return np.cumsum(steps * np.diff(t, prepend=t[0])[:, np.newaxis], axis=0), turned(2, yaw)


def straight_on(t):
    speed = 0.8 + 0.35 * np.sin(0.9 * t)
    p = np.stack([np.cumsum(speed * np.diff(t, prepend=t[0])), 0.0 * t, 0.0 * t], axis=1)
    return p, turned(2, 0.0 * t)


def rover(path=flat_ground, *, child: str = "base_link", **changes) -> list[Other]:
    """Return odometry and wheel states of a drive."""
    truth, random = truth_of(path, SECONDS), np.random.default_rng(5)
    messages = []
    for i in range(0, len(truth.t), 40):
        stamp = START_NS + round(truth.t[i] * NS)
        message = odometry(stamp, truth.p[i], truth.q[i], truth.v[i], truth.w[i], random)
        message.fields["child_frame_id"] = child
        messages.append(message)
    return [*messages, *wheel_states(truth.v[:, 0], truth.w[:, 2], truth.t[1], **changes)]


def found(path):
    with open_bag(path) as bag:
        contents = read_bag(bag)
    return contents, examine_wheels(contents.robots, contents.log)


@pytest.mark.parametrize("ground", [flat_ground, rough_ground, straight_on])
@pytest.mark.parametrize("has_velocities", [True, False])
@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
def test_that_healthy_wheels_agree_with_odometry(ground, has_velocities, write, tmp_path) -> None:
    path = write(tmp_path / "rover", rover(ground, has_velocities=has_velocities))
    _, evidence = found(path)
    assert evidence.findings == ()
    (agreement,) = evidence.agreements
    assert (agreement.first, agreement.second) == ("speed of wheels of /joint_states", "velocity of /odom")
    assert (agreement.verdict, agreement.before < 0.03) == ("agree", True)
    with open_bag(path) as bag:
        assert all(problem.severity == "note" for problem in bag_evidence(bag))


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"factors": (1.0, -1.0)}, "sign", "right_wheel of /joint_states turns backward while velocity of /odom"),
        ({"factors": (-1.0, -1.0)}, "sign", "left_wheel and right_wheel of /joint_states turn backward"),
        ({"is_swapped": True}, "joint order", "are on the other side"),
        ({"factors": (57.29578, 57.29578)}, "unit", "are in degrees per second: the rims are 57.3 times as fast"),
        ({"factors": (9.5493, 9.5493)}, "unit", "are in turns per minute"),
        ({"radius": 0.11}, "scale", "a radius of 0.11 m fits, and /robot_description states 0.1 m"),
        ({"track": 0.5}, "scale", "are 0.4 m apart in /robot_description; the curves of velocity of /odom fit a track"),
    ],
)
@pytest.mark.parametrize("ground", [flat_ground, rough_ground])
def test_that_a_fault_of_wheels_is_told_alone(changes, kind, words, ground, tmp_path) -> None:
    _, evidence = found(write_ros1(tmp_path / "rover.bag", rover(ground, **changes)))
    (finding,) = evidence.findings
    assert finding.faults[0].kind == kind
    assert words in finding.sentence
    (agreement,) = evidence.agreements
    assert agreement.verdict == "explained"
    assert agreement.after < 0.5 * agreement.before


def test_that_wheels_off_by_little_are_no_fault(tmp_path) -> None:
    _, evidence = found(write_ros1(tmp_path / "rover.bag", rover(radius=0.103, track=0.43)))
    assert evidence.findings == ()


def test_that_a_rover_at_rest_and_one_that_slips_are_not_judged(tmp_path) -> None:
    _, evidence = found(write_ros1(tmp_path / "rest.bag", rover(at_rest)))
    assert (evidence.findings, evidence.agreements) == ((), ())
    messages = rover()
    truth = truth_of(flat_ground, SECONDS)
    spin = 5.0 + 4.0 * np.sin(2.3 * truth.t)  # wheels that dig in
    slipping = [each for each in messages if each.on == "/odom"]
    slipping += wheel_states(spin, 0.0 * spin, truth.t[1])
    _, evidence = found(write_ros1(tmp_path / "slip.bag", slipping))
    assert evidence.findings == ()


def test_that_wheels_are_not_judged_by_odometry_with_faults_or_of_another_frame(tmp_path) -> None:
    path = write_ros1(tmp_path / "rover.bag", rover(factors=(-1.0, 1.0)))
    contents, _ = found(path)
    assert examine_wheels(contents.robots, contents.log, {"velocity of /odom"}).findings == ()
    _, evidence = found(write_ros1(tmp_path / "other.bag", rover(child="trailer", factors=(-1.0, 1.0))))
    assert evidence.agreements == ()


def test_that_wheels_are_those_that_roll_along_x() -> None:
    from framescope.features.evidence.core.robot_joints import RobotJoints
    from framescope.features.robots.core.urdf import read_urdf

    robot = RobotJoints("/robot_description", read_urdf(ROVER.encode()), {}, (), {})
    assert wheels_of(robot) == (Wheel("left_wheel", 0.1, 0.2, 1.0), Wheel("right_wheel", 0.1, -0.2, 1.0))
    without_shapes = ROVER.replace('<cylinder radius="0.1" length="0.04"/>', '<box size="1 1 1"/>')
    assert wheels_of(RobotJoints("", read_urdf(without_shapes.encode()), {}, (), {})) == ()
    assert wheels_of(RobotJoints("", read_urdf(b"<robot name='r'/>"), {}, (), {})) == ()

"""Topics of twists beside odometry, in real bags: unit, sign of yaw, and axes of the parent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.bag_log import sensor_log
from framescope.features.evidence.core.evidence_problems import bag_evidence
from tests.support.bags import NS, START_NS, Other, write_ros1, write_ros2
from tests.support.imu_drives import drive_with, matrices, nearest, rough_ground, truth_of, vector

SECONDS = 14.0


def twists(kind: str, change, topic: str = "/twist") -> list[Other]:
    """Return messages with the velocities of the base, changed by a driver that knows the orientation."""
    truth, random = truth_of(rough_ground, SECONDS), np.random.default_rng(2)
    messages = []
    for t in np.arange(0.0, SECONDS, 0.05):
        i = nearest(truth, t)
        R = matrices(truth.q[i][np.newaxis])[0]
        v, w = change(truth.v[i] + random.normal(0, 0.01, 3), truth.w[i] + random.normal(0, 0.005, 3), R)
        twist = ("geometry_msgs/msg/Twist", {"linear": vector(v), "angular": vector(w)})
        if kind == "TwistWithCovarianceStamped":
            covariance = np.diag([1e-4] * 3 + [2.5e-5] * 3).ravel()
            twist = ("geometry_msgs/msg/TwistWithCovariance", {"twist": twist, "covariance": covariance})
        fields = {"header": ("header", "base_link"), "twist": twist} if kind != "Twist" else twist[1]
        stamp = START_NS + round(float(t) * NS)
        messages.append(Other(stamp, topic, f"geometry_msgs/msg/{kind}", fields, log_ns=stamp + 2_000_000))
    return messages


def told(path) -> list[str]:
    with open_bag(path) as bag:
        return [problem.message for problem in bag_evidence(bag) if problem.severity != "note"]


def bag_with(path, kind, change, write=write_ros1):
    return write(path, [*drive_with(np.random.default_rng(3), (), seconds=SECONDS), *twists(kind, change)])


@pytest.mark.parametrize("kind", ["TwistStamped", "TwistWithCovarianceStamped", "Twist"])
@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
def test_that_healthy_twists_agree_with_odometry(kind, write, tmp_path) -> None:
    assert told(bag_with(tmp_path / "drive", kind, lambda v, w, R: (v, w), write)) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("TwistStamped", lambda v, w, R: (v, np.degrees(w)), "angular velocity of /twist is in degrees per second"),
        ("TwistWithCovarianceStamped", lambda v, w, R: (v, np.degrees(w)), "angular velocity of /twist is in degrees"),
        ("TwistStamped", lambda v, w, R: (v, w * [1, 1, -1]), "angular velocity of /twist is mirrored"),
        ("TwistWithCovarianceStamped", lambda v, w, R: (R @ v, w), "velocity of /twist is resolved in the reference"),
        ("TwistStamped", lambda v, w, R: (1e3 * v, w), "velocity of /twist is in mm/s"),
    ],
    ids=["degrees", "degrees with covariance", "sign of yaw", "axes of the parent", "millimetres"],
)  # fmt: skip
def test_that_a_fault_of_twists_is_told(kind, change, words, tmp_path) -> None:
    (message,) = told(bag_with(tmp_path / "drive.bag", kind, change))
    assert message.startswith(words)


def test_that_commands_are_no_evidence(tmp_path) -> None:
    messages = drive_with(np.random.default_rng(3), (), seconds=SECONDS)
    commands = twists("Twist", lambda v, w, R: (-3.0 * v, np.degrees(w)), "/cmd_vel")
    assert told(write_ros1(tmp_path / "drive.bag", [*messages, *commands])) == []


@pytest.mark.parametrize("kind", ["TwistStamped", "TwistWithCovarianceStamped"])
def test_that_a_twist_whose_header_names_the_world_is_resolved_in_it(kind, tmp_path) -> None:
    sent = twists(kind, lambda v, w, R: (R @ v, R @ w))
    sent = [replace(each, fields=each.fields | {"header": ("header", "odom")}) for each in sent]
    path = write_ros1(tmp_path / "drive.bag", [*drive_with(np.random.default_rng(3), (), seconds=SECONDS), *sent])
    assert told(path) == []
    with open_bag(path) as bag:
        (velocity,) = (each for each in sensor_log(bag).readings if each.source == "/twist")
    assert (velocity.quantity, velocity.frame, velocity.reference, velocity.resolved_in) == (
        "velocity",
        "",
        "odom",
        "odom",
    )

"""Faults of headers in bags of both containers of ROS 2, beside a healthy drive: frames, onsets, covariances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.support.bags import NS, START_NS, Other, Sent, write_ros2
from tests.support.imu_drives import drive_with

CONTAINERS = pytest.mark.parametrize("storage", ["MCAP", "SQLITE3"])


def healthy() -> list[Sent | Other]:
    return drive_with(np.random.default_rng(3), seconds=8.0)


def with_fields(messages, topic: str, **fields):
    for message in messages:
        if isinstance(message, Other) and message.topic == topic:
            message.fields.update(fields)
    return messages


def with_covariance(covariance):
    messages = healthy()
    for message in messages:
        if isinstance(message, Other) and message.topic == "/odom":
            message.fields["pose"][1]["covariance"] = np.ravel(covariance).astype(float)
    return messages


def shifted(topic: str, seconds: float):
    """Return a drive in which the stamps of a topic, or of a frame, change by some seconds from 4 s on."""
    return [
        replace(each, stamp_ns=each.stamp_ns + round(seconds * NS))
        if each.stamp_ns > START_NS + 4 * NS and topic in (each.on, getattr(each, "child", ""))
        else each
        for each in healthy()
    ]


def fixed_on_tf(n: int):
    return [
        Sent(START_NS + (i + 1) * NS // 2, "base_link", "camera", (0.1, 0.0, 0.2), (0, 0, 0, 1), publisher="/camera")
        for i in range(n)
    ]


PLANTED = {
    "healthy": (healthy, []),
    "fixed, sent once": (lambda: [*healthy(), *fixed_on_tf(1)], [("silence", "camera")]),
    "fixed, sent 3 times": (lambda: [*healthy(), *fixed_on_tf(3)], [("silence", "camera")]),
    "fixed, sent often": (lambda: [*healthy(), *fixed_on_tf(14)], []),
    "unknown frame": (
        lambda: with_fields(healthy(), "/imu/data", header=("header", "imu_linkk")),
        [("frame missing", "imu_linkk")],
    ),
    "empty frame": (lambda: with_fields(healthy(), "/imu/data", header=("header", "")), [("empty frame", "/imu/data")]),
    "empty child": (lambda: with_fields(healthy(), "/odom", child_frame_id=""), [("empty frame", "/odom")]),
    "late from 4 s on": (lambda: shifted("/imu/data", -0.6), [("late stamps", "imu_link")]),
    "early from 4 s on": (lambda: shifted("/imu/data", 0.6), [("early stamps", "imu_link")]),
    "clock of a frame": (lambda: shifted("base_link", 0.6), [("clock jump", "")]),
    "covariance zero": (lambda: with_covariance(np.zeros((6, 6))), [("covariance", "odom")]),
    "covariance minus one": (lambda: with_covariance(np.diag([-1.0, 0, 0, 0, 0, 0])), [("covariance", "odom")]),
    "covariance impossible": (lambda: with_covariance(np.ones((6, 6)) - 0.5 * np.eye(6)), [("covariance", "odom")]),
}


@CONTAINERS
@pytest.mark.parametrize("name", PLANTED)
def test_that_a_planted_fault_is_told_alone(name, storage, tmp_path) -> None:
    messages, expected = PLANTED[name]
    with open_bag(write_ros2(tmp_path / "drive", messages(), storage=storage)) as bag:
        faults = [fault for _, fault in examine_bag(bag).faults]
    assert [(fault.kind, fault.frame) for fault in faults] == expected
    if "from 4 s on" in name:
        assert abs(faults[0].first_ns - (START_NS + 4 * NS)) < NS // 10

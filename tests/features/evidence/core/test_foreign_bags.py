"""Bags of a robot like nav2's TurtleBot, whose recorder stalls: faults are found, and healthy ones are silent."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.account import Account
from framescope.features.evidence.core.bag_log import sensor_log
from framescope.features.evidence.core.examine import examine
from framescope.features.evidence.core.readings import SensorLog
from tests.support.foreign_bags import CONTAINERS, FAULTS, LATE_S, TURNED, write_bag

SECONDS = 40.0
"""Duration of the drives, s."""


def faults_of(account: Account) -> list[tuple[str, str, tuple[float, ...]]]:
    """Return the faults that an account states, by kind, readings and value."""
    alarms = [finding for finding in account.findings if finding.severity != "note"]
    return [(fault.kind, fault.readings, fault.value) for finding in alarms for fault in finding.faults]


def log_with(fault: str, container: str = "MCAP") -> SensorLog:
    """Return the readings of a bag with a fault, or of a healthy one."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_bag(Path(folder) / "drive", container, fault, seconds=SECONDS)
        with open_bag(path) as bag:
            return sensor_log(bag)


@functools.cache
def account_with(fault: str) -> Account:
    return examine(log_with(fault))


@pytest.mark.long
@pytest.mark.parametrize("container", [name for name in CONTAINERS if name != "MCAP"])
def test_that_every_container_gives_the_same_readings(container: str) -> None:
    expected, log = log_with("late"), log_with("late", container)
    assert {readings.name for readings in log.readings} == {readings.name for readings in expected.readings}
    for a, b in zip(*(sorted(each.readings, key=lambda r: r.name) for each in (log, expected)), strict=True):
        np.testing.assert_allclose(a.t, b.t, atol=1e-9)
        np.testing.assert_allclose(a.values, b.values, atol=1e-12)


@pytest.mark.long
def test_that_a_healthy_robot_raises_no_alarm() -> None:
    assert [finding.sentence for finding in account_with("").findings if finding.severity != "note"] == []


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_that_a_fault_of_a_robot_is_found_and_nothing_else(fault: str) -> None:
    stated = faults_of(account_with(fault))
    for kinds, names in FAULTS[fault]:
        assert any(kind in kinds and name in names for kind, name, _ in stated), stated
    for kind, name, _ in stated:
        assert any(kind in kinds and name in names for kinds, names in FAULTS[fault]), (kind, name)


@pytest.mark.long
@pytest.mark.parametrize(("fault", "expected", "error"), [("late", LATE_S, 0.003), ("degrees", np.degrees(1.0), 0.01)])
def test_that_the_size_of_a_fault_is_right(fault: str, expected: float, error: float) -> None:
    """The odometry has 28 Hz, so that a delay is known less well than at 100 Hz."""
    account = account_with(fault)
    sizes = [value[0] for _, name, value in faults_of(account) if "/imu" in name and len(value) == 1]
    assert sizes
    assert sizes == pytest.approx([expected] * len(sizes), abs=error)


@pytest.mark.long
def test_that_the_mount_of_a_turned_imu_is_found_within_its_standard_errors() -> None:
    account = account_with("turned")
    (mounting,) = (finding.mounting for finding in account.findings if finding.mounting is not None)
    assert (mounting.frame, mounting.parent) in {("imu_link", "base_link"), ("imu_link", "base_footprint")}
    error = (Rotation.from_quat(mounting.Q) * TURNED.inv()).as_rotvec()
    assert np.degrees(np.linalg.norm(error)) < 3.0
    assert error @ np.linalg.solve(mounting.covariance[:3, :3], error) < 14.16

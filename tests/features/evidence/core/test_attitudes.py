"""Orientations made from wrong angles, beside the gyroscope of the same unit, in real bags and by themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.attitudes import misread_attitudes
from framescope.features.evidence.core.bag_log import sensor_log
from framescope.features.evidence.core.evidence_problems import bag_evidence
from framescope.features.evidence.core.readings import Readings, SensorLog
from tests.support.bags import write_ros1
from tests.support.imu_drives import Imu, drive_with, quaternion, turned_imu

FAULTS = {
    "roll and pitch swapped": lambda y, p, r: (y, r, p),
    "pitch of opposite sign": lambda y, p, r: (y, -p, r),
    "roll of opposite sign": lambda y, p, r: (y, p, -r),
    "in the opposite order": lambda y, p, r: Rotation.from_euler("XYZ", [r, p, y]).as_euler("ZYX"),
}


def bag_with(path, change=lambda y, p, r: (y, p, r), imu=Imu()):  # noqa: B008 - frozen
    messages = drive_with(np.random.default_rng(3), (imu,), seconds=14.0)
    for message in messages:
        if message.on == "/imu/data":
            numbers = [message.fields["orientation"][1][axis] for axis in "xyzw"]
            angles = change(*Rotation.from_quat(numbers).as_euler("ZYX"))
            message.fields["orientation"] = quaternion(Rotation.from_euler("ZYX", angles).as_quat())
    return write_ros1(path, messages)


@pytest.mark.long
@pytest.mark.parametrize("words", FAULTS)
def test_that_wrong_angles_are_told_alone(words, tmp_path) -> None:
    with open_bag(bag_with(tmp_path / "a.bag", FAULTS[words])) as bag:
        told = [problem for problem in bag_evidence(bag) if problem.severity != "note"]
    (problem,) = told
    assert (problem.kind, problem.severity, problem.key_path) == ("evidence angles", "red", ("bag", "imu_link"))
    assert problem.message.startswith("orientation of /imu/data is made ")
    assert words in problem.message


@pytest.mark.parametrize(
    "imu",
    [Imu(), turned_imu(), Imu(is_scalar_first=True), Imu(gyro_factor=57.29578), Imu(delay=0.05)],
    ids=["healthy", "turned", "scalar first", "degrees", "late"],
)  # fmt: skip
def test_that_other_faults_are_none_of_angles(imu, tmp_path) -> None:
    with open_bag(bag_with(tmp_path / "a.bag", imu=imu)) as bag:
        assert misread_attitudes(sensor_log(bag)) == ()


def made(change=lambda y, p, r: (y, p, r), **changes) -> SensorLog:
    """Return a log of an orientation and a gyroscope without noise."""
    t = np.arange(0.0, 30.0, 0.02)
    angles = np.stack([0.9 * np.sin(0.5 * t), 0.2 * np.sin(1.1 * t), 0.15 * np.sin(1.7 * t)], axis=1)
    R = Rotation.from_euler("ZYX", angles)
    w = (R[:-1].inv() * R[1:]).as_rotvec() / 0.02
    Q = Rotation.from_euler("ZYX", np.stack(change(*angles.T), axis=1)).as_quat()
    orientation = Readings("q", "/imu", "orientation", t, Q, "imu")
    rates = Readings("w", "/imu", "angular velocity", t, np.vstack([w, w[-1:]]), "imu")
    return SensorLog((replace(orientation, **changes), rates))


def test_that_the_corrected_readings_are_the_true_ones() -> None:
    true = made().readings[0].values
    (misread,) = misread_attitudes(made(FAULTS["roll and pitch swapped"]))
    assert np.allclose(np.abs(np.sum(misread.corrected.values * true, axis=1)), 1.0)
    assert misread.after < 0.02 < misread.before
    assert "instead of 100 %" in replace(misread, before=0.998).finding().sentence


@pytest.mark.parametrize(
    "changes",
    [
        {"values": np.full((1500, 4), np.nan)},
        {"values": np.zeros((1500, 4))},
        {"values": np.tile([1e308, -1e308, 1e308, 1e200], (1500, 1))},
        {"t": np.zeros(1500)},
        {"frame": "other"},
        {"frame": ""},
        {"t": np.arange(3) / 10, "values": np.tile([0.0, 0, 0, 1], (3, 1))},
    ],
    ids=["missing", "zeros", "huge", "one stamp", "another frame", "no frame", "three"],
)
def test_that_strange_readings_are_left_to_the_search(changes) -> None:
    assert misread_attitudes(made(FAULTS["roll and pitch swapped"], **changes)) == ()


def test_that_a_motion_without_roll_tells_nothing() -> None:
    def flat(y, p, r):
        return y, 0.0 * p, 0.0 * r

    assert misread_attitudes(made(flat)) == ()

"""Accelerometers at rest: in g, without gravity, with another scale; and good ones, or those blamed already."""

import numpy as np
import pytest

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.account import Fault, Finding
from framescope.features.evidence.core.evidence_problems import bag_evidence
from framescope.features.evidence.core.force_lengths import length_findings
from framescope.features.evidence.core.readings import Readings, SensorLog
from tests.support.bags import write_ros1
from tests.support.imu_drives import Imu, at_rest, drive_with


def log_of(force, *, n=200):
    values = np.random.default_rng(2).normal((0.0, 0.0, force), 0.02 * abs(force), (n, 3))
    return SensorLog((Readings("specific force of /imu", "/imu", "specific force", np.arange(n) / 100, values),))


@pytest.mark.parametrize(
    ("force", "kind", "words"),
    [
        (1.0, "unit", "is in g: its usual length is 0.99"),
        (0.1, "gravity removed", "is without gravity"),
        (19.6, "scale", "is 1.99 times as large"),
    ],
)
def test_that_a_force_of_another_length_is_told(force, kind, words):
    (finding,) = length_findings(log_of(force), ())
    assert [fault.kind for fault in finding.faults] == [kind]
    assert words in finding.sentence
    assert finding.severity == "amber"


@pytest.mark.parametrize("force", [9.81, 9.4, 10.5, -9.81])
def test_that_a_good_accelerometer_is_not(force):
    assert list(length_findings(log_of(force), ())) == []


def test_that_a_fault_is_told_once():
    known = Finding("", "red", (), (Fault("unit", "specific force of /imu", "in g"),))
    assert list(length_findings(log_of(1.0), (known,))) == []


@pytest.mark.parametrize(
    ("values", "told"),
    [(np.zeros((0, 3)), 0), (np.full((9, 3), np.nan), 0), (np.full((9, 3), 1e200), 0), (np.full((9, 3), 1e9), 1)],
)
def test_that_hostile_forces_are_no_error(values, told):
    readings = Readings("f", "/imu", "specific force", np.arange(len(values)) / 10, values)
    assert len(list(length_findings(SensorLog((readings,)), ()))) == told


def test_that_a_bag_of_an_imu_at_rest_without_gravity_is_told(tmp_path):
    sent = drive_with(np.random.default_rng(5), (Imu(has_orientation=False),), seconds=4.0, path=at_rest)
    for message in sent:
        if getattr(message, "topic", "") == "/imu/data" and hasattr(message, "fields"):
            message.fields["linear_acceleration"][1]["z"] -= 9.80665
    with open_bag(write_ros1(tmp_path / "rest.bag", sent)) as bag:
        told = [problem for problem in bag_evidence(bag) if problem.severity != "note"]
    assert [problem.kind for problem in told] == ["evidence gravity removed"]

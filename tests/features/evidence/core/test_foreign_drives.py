"""Drives that SciPy alone has made: faults are found where the motion can tell, and healthy ones are silent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.foreign_drive_rivals import CAN_TELL, NOTHING, Case, computed, judged, open_directions
from tests.support.foreign_drive_trials import judge, trial
from tests.support.foreign_drives import FAULTS, Drive, drive, healthy_drive
from tests.support.foreign_motions import KINDS

FAULTY = (180, 103, 7, 81, 26, 178, 89, 68)
"""Seeds of short drives with one or two faults, two of each kind of motion; the benchmark has more and longer ones."""

HEALTHY = (28, 26, 7, 64)
"""Seeds of short healthy drives, one of each kind of motion, one of them quiet."""

MENDED = (18, 22, 28, 48, 58, 64, 84, 96, 99, 125, 223)
"""Seeds of other drives of which the search once said something wrong."""


@pytest.mark.long
@pytest.mark.parametrize("seed", [*FAULTY, *MENDED])
def test_that_planted_faults_are_found_where_the_motion_can_tell(seed: int) -> None:
    truth, _, judgement, _ = trial(drive(seed))
    wanted = {"found"} if any(fault.can_tell for fault in truth.faults) else {"found", "cannot tell"}
    assert judgement.outcome in wanted, judgement
    assert all((*judgement.mounts, *judgement.delays, *judgement.directions)), judgement.remarks


@pytest.mark.long
def test_that_a_faulty_magnetometer_does_not_call_the_mount_of_its_frame_open() -> None:
    _, account, judgement, _ = trial(drive(87))
    assert judgement.directions in ((), (True,))
    assert any("/imu/mag" in fault.readings for finding in account.findings for fault in finding.faults)


@pytest.mark.long
@pytest.mark.parametrize("seed", HEALTHY)
def test_that_a_healthy_drive_raises_no_alarm(seed: int) -> None:
    _, _, judgement, _ = trial(healthy_drive(seed))
    assert judgement.outcome == "silent", judgement.extra


def test_that_the_short_drives_have_all_kinds_of_motion_and_two_faults() -> None:
    faulty, healthy = [drive(seed) for seed in FAULTY], [healthy_drive(seed) for seed in HEALTHY]
    assert {planted.kind for planted in faulty} == {planted.kind for planted in healthy} == set(KINDS)
    assert {len(planted.faults) for planted in faulty} == {1, 2}
    assert {planted.grade for planted in (*faulty, *healthy)} == {"good", "phone"}
    assert max(planted.motion.duration for planted in (*faulty, *healthy)) < 30.0


# --- The planting itself


@pytest.mark.parametrize("seed", [3, 8, 10])
def test_that_exact_readings_without_faults_agree(seed: int) -> None:
    case = Case(replace(drive(seed), faults=()))
    assert case.least([NOTHING]) < 0.1


@pytest.mark.parametrize("seed", [8, 10])
def test_that_only_the_relations_that_are_touched_change(seed: int) -> None:
    """The Jacobian leaves out relations that something unknown does not touch."""
    case = Case(replace(drive(seed), faults=()))
    x = case.first_unknowns()
    residual = case.residual(x, NOTHING)
    J = case.jacobian(x, residual, NOTHING, ())
    for k, e in enumerate(1e-5 * np.eye(len(x))):
        np.testing.assert_allclose(J[:, k], (case.residual(x + e, NOTHING) - residual) / 1e-5, atol=1e-6)


def test_that_most_faulty_drives_can_tell() -> None:
    told = [
        all(fault.can_tell for fault in planted.faults)
        for planted in (judged(drive(seed)) for seed in range(40))
        if planted.faults
    ]
    assert sum(told) > 0.5 * len(told)


def test_that_the_table_of_rivals_is_that_of_the_drives() -> None:
    planted = drive(13)
    (kept,), (anew,) = judged(planted).faults, computed(planted).faults
    assert (kept.can_tell, kept.rival) == (anew.can_tell, anew.rival)
    assert kept.apart == pytest.approx(anew.apart, rel=0.05)
    assert kept.apart > CAN_TELL


def test_that_a_parked_robot_leaves_its_mount_open_about_the_vertical() -> None:
    parked = next(
        planted for planted in map(drive, range(200)) if (planted.kind, planted.liveliness) == ("wheeled", "parked")
    )
    (direction,) = open_directions(parked, "imu_link")
    assert abs(direction[2]) > np.cos(np.radians(10.0))


def test_that_every_kind_of_fault_is_planted() -> None:
    planted = {fault.kind for seed in range(54) for fault in drive(seed).faults}
    assert planted >= set(FAULTS) - {"wrong frame", "resolved in frame"}


def test_that_readings_increase_in_time_and_are_finite() -> None:
    for seed in range(6):
        for readings in drive(seed).log.readings:
            assert (np.diff(readings.t) > 0.0).all(), readings.name
            assert np.isfinite(readings.values).all(), readings.name


def test_that_an_empty_account_of_a_faulty_drive_is_a_miss_and_of_a_healthy_one_is_silent() -> None:
    from framescope.features.evidence.core.account import Account

    def outcome(planted: Drive) -> str:
        truth = judged(planted)
        return judge(Account(truth.log, (), ()), truth).outcome

    assert outcome(drive(13)) == "missed"
    assert outcome(healthy_drive(0)) == "silent"

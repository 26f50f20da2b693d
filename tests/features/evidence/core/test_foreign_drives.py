"""Drives that SciPy alone has made: faults are found where the motion can tell, and healthy ones are silent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.foreign_drive_cases import CAN_TELL, Case
from tests.support.foreign_drive_hypotheses import NOTHING, Hypothesis, hypotheses_of
from tests.support.foreign_drive_rivals import Verdict, computed, judged, open_directions
from tests.support.foreign_drive_trials import SURE, Judgement, Tally, found_by_ideal, judge, trial
from tests.support.foreign_drives import FAULTS, Drive, Planted, drive, healthy_drive
from tests.support.foreign_motions import KINDS

FAULTY = (180, 103, 7, 81, 26, 178, 89, 68)
"""Seeds of short drives with one or two faults, two of each kind of motion; the benchmark has more and longer ones."""

HEALTHY = (28, 26, 7, 64)
"""Seeds of short healthy drives, one of each kind of motion, one of them quiet."""

SILENCED = (21, 32, 89)
"""Seeds of longer healthy drives that once raised an alarm."""

MENDED = (18, 22, 24, 28, 42, 48, 58, 61, 64, 72, 79, 84, 96, 97, 99, 113, 125, 156, 187, 193, 198, 223)
"""Seeds of other drives of which the search once said something wrong."""

QUIET_BUT_TOLD = (37, 39, 183, 232)
"""Seeds of drives whose faults show in motions below the usual errors of sensors only, or beside another fault."""


@pytest.mark.long
@pytest.mark.parametrize("seed", QUIET_BUT_TOLD)
def test_that_faults_are_found_by_small_motions_that_the_readings_measure_well(seed: int) -> None:
    _, _, judgement, _ = trial(drive(seed))
    assert judgement.outcome == "found", judgement


@pytest.mark.long
@pytest.mark.parametrize("seed", [*FAULTY, *MENDED])
def test_that_planted_faults_are_found_where_the_motion_can_tell(seed: int) -> None:
    truth, _, judgement, _ = trial(drive(seed))
    found = [state for (_, state), fault in zip(judgement.per_fault, truth.faults, strict=True) if fault.apart > SURE]
    assert judgement.outcome != "wrong", judgement
    assert set(found) <= {"found"}, judgement
    assert all((*judgement.mounts, *judgement.delays, *judgement.directions)), judgement.remarks


@pytest.mark.long
def test_that_a_faulty_magnetometer_does_not_call_the_mount_of_its_frame_open() -> None:
    _, account, judgement, _ = trial(drive(87))
    assert judgement.directions in ((), (True,))
    assert any("/imu/mag" in fault.readings for finding in account.findings for fault in finding.faults)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "is_certain"), [(37, False), (18, True)])
def test_that_a_mount_is_as_certain_as_the_axes_of_the_readings_that_show_it(seed: int, is_certain: bool) -> None:
    _, account, _, _ = trial(drive(seed))
    (mount,) = (finding for finding in account.findings if finding.severity == "note" and finding.mounting is not None)
    assert mount.is_certain is is_certain


@pytest.mark.long
@pytest.mark.parametrize("seed", [*HEALTHY, *SILENCED])
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
    assert case.least([NOTHING]).chi_square < 0.1


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


@pytest.mark.long
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


@pytest.mark.long
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


# --- Rivals


def _planted_in(seed: int, *kinds: str) -> tuple[Drive, list[Planted]]:
    """Return a drive with its rivals computed anew, and its planted faults of some kinds."""
    truth = computed(drive(seed))
    return truth, [fault for fault in truth.faults if fault.kind in kinds]


@pytest.mark.long
def test_that_a_field_of_opposite_direction_makes_mirrored_axes_a_rival_of_other_axes() -> None:
    """A mirrored magnetometer is one in other axes with the opposite field, which nobody knows."""
    _, (fault,) = _planted_in(57, "body axes")
    assert not fault.can_tell
    assert fault.rival.startswith("mirrored axes")


def test_that_linear_unknowns_follow_a_supposed_fault_at_once() -> None:
    case = Case(replace(drive(57), faults=()))
    x = case.first_unknowns()
    name = "magnetic field of /imu/mag"
    rows, _ = case.at["field", name]
    *_, settled = case.settled(x, (Hypothesis("sign", (name,)),), ())
    np.testing.assert_allclose(settled[rows], -x[rows], atol=2.0)


def test_that_the_same_kind_with_another_value_is_a_rival_unless_it_does_the_same() -> None:
    planted = drive(39)
    verdict = Verdict(planted, planted.faults[0])
    x = verdict.alone.first_unknowns()
    same, other = planted.faults[0].value, (0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5))
    names = planted.faults[0].sensors
    assert verdict.is_planted(Hypothesis("body axes", names, same), x)
    assert verdict.is_planted(Hypothesis("body axes", names, tuple(-np.array(same))), x)
    assert not verdict.is_planted(Hypothesis("body axes", names, other), x)


def test_that_all_axes_of_the_wrong_hand_are_rivals() -> None:
    planted = drive(39)
    matrices = {
        hypothesis.known
        for hypothesis in hypotheses_of(planted, planted.faults[0].sensors)
        if hypothesis.kind == "mirrored axes"
    }
    assert len(matrices) == 23
    for matrix in matrices:
        assert np.linalg.det(np.reshape(matrix, (3, 3))) == pytest.approx(-1.0)


def test_that_a_body_whose_axes_only_a_free_mount_knows_cannot_tell_other_axes() -> None:
    """The mount of the inertial sensor, and with it its lever arm, may be turned as the orientation of the arm is."""
    _, (fault,) = _planted_in(184, "doubled axes")
    assert not fault.can_tell
    assert fault.rival == "no fault"
    assert fault.apart < 0.1


@pytest.mark.long
def test_that_a_fault_beside_one_that_cannot_be_told_is_compared_with_pairs() -> None:
    """What stands beside is another fault of the magnetometer, whose mirrored axes cannot be told."""
    truth, (fault,) = _planted_in(77, "body axes")
    assert not next(other for other in truth.faults if other.kind == "mirrored axes").can_tell
    assert " with " in fault.rival
    assert fault.can_tell


@pytest.mark.long
def test_that_another_kind_of_the_same_readings_is_nearer_than_what_was_once_found() -> None:
    """The mount of the inertial sensor follows, and the inverse of an arm about one axis is hardly told."""
    truth, (fault,) = _planted_in(37, "inverse")
    assert fault.rival.startswith("world axes of orientation of base")
    assert fault.apart < SURE
    assert not all(other.can_tell for other in truth.faults)


@pytest.mark.long
def test_that_a_single_fault_that_is_planted_is_no_rival_of_itself() -> None:
    truth = computed(drive(232))
    late, turned = truth.faults
    assert not late.can_tell
    assert ("sign", "angular velocity of /imu/data") in late.single
    assert turned.can_tell


def test_that_the_ideal_search_finds_half_at_the_threshold_and_95_percent_where_it_is_sure() -> None:
    planted = drive(39)
    at = {a: replace(planted, faults=(replace(planted.faults[0], apart=a),)) for a in (CAN_TELL, SURE, 1e6, np.inf)}
    assert found_by_ideal(at[CAN_TELL]) == pytest.approx(0.5)
    assert found_by_ideal(at[SURE]) == pytest.approx(0.95, abs=0.005)
    assert found_by_ideal(at[1e6]) == found_by_ideal(at[np.inf]) == 1.0
    both = replace(planted, faults=at[CAN_TELL].faults + at[SURE].faults)
    assert found_by_ideal(both) == pytest.approx(0.5 * found_by_ideal(at[SURE]))


def test_that_the_table_of_outcomes_has_the_ideal_search_beside_what_was_found() -> None:
    planted = drive(39)
    counts = Tally()
    for apart, outcome in ((CAN_TELL + 1e-9, "found"), (100.0, "missed"), (1.0, "cannot tell")):
        fault = replace(planted.faults[0], apart=apart, can_tell=apart > CAN_TELL)
        counts.add(replace(planted, faults=(fault,)), Judgement(outcome), 0.0)
    assert "found where the motion can tell: 1 of 2, by the ideal search 1.5" in counts.table()
    assert "found where the chi-square is over 26: 0 of 1, by the ideal search 1.0" in counts.table()

"""Problems that an account states: their places, times and fixes, of a scene and of a bag."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core import evidence_problems
from framescope.features.evidence.core.account import Account, Finding
from framescope.features.evidence.core.evidence_problems import (
    MOST_TIMES,
    BagEvidence,
    bag_evidence,
    examine_scene_bag,
    frame_of,
    is_comparable,
    mends_outside,
    problems_of,
    shift_times,
    without_readings,
)
from framescope.features.evidence.core.readings import SensorLog
from framescope.features.evidence.core.scene_readings import bags_of
from tests.support.bag_scenes import scene_plan
from tests.support.bags import Sent, drive, write_ros1
from tests.support.hand_made_accounts import GYROSCOPE, ORIENTATION, SENTENCE, TURNED, account, agreement
from tests.support.imu_drives import MINUS_Y_Z_MINUS_X, drive_with, turned_imu


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bags")
    return write_ros1(folder / "turned.bag", drive_with(np.random.default_rng(3), (turned_imu(),), seconds=2.0))


@pytest.fixture
def plan(path):
    return scene_plan(path)[1]


def evidence(plan, found: Account | None = None) -> BagEvidence:
    return BagEvidence(bags_of(plan)[0], account() if found is None else found)


def test_that_a_finding_stands_at_the_frame_of_its_sensor_with_its_time_and_fix(plan) -> None:
    problem, other, uncertain = problems_of(plan, (evidence(plan),))
    assert problem.key_path == ("frames", "imu_link")
    assert (problem.kind, problem.title, problem.severity) == ("evidence mounting", "mounted otherwise", "red")
    assert problem.message == '"imu_link"' + SENTENCE.removeprefix("imu_link")
    assert problem.times == (6.0,)
    assert problem.fix.change.apply(plan.scene).frames["imu_link"].orientation.form == "quaternion"
    assert (other.key_path, other.kind, other.fix) == (("frames", "base_link"), "evidence unit", None)
    assert (other.hint, uncertain.hint) == ("", "Another explanation fits nearly as well.")
    assert uncertain.fixes == ()


def test_that_notes_are_no_problems_of_a_scene(plan) -> None:
    found = account()
    notes = replace(found, findings=tuple(each for each in found.findings if each.severity == "note"))
    assert list(problems_of(plan, (evidence(plan, notes),))) == []


def test_that_a_sensor_whose_frame_the_scene_lacks_is_named_by_its_frame_or_topic(plan) -> None:
    found = account()
    log = replace(found.log, readings=tuple(replace(each, frame="imu_raw") for each in found.log.readings))
    finding = Finding("it contradicts itself.", "amber", (ORIENTATION, GYROSCOPE))
    (problem,) = problems_of(plan, (evidence(plan, Account(log, (finding,), ())),))
    assert (problem.key_path, problem.kind, problem.title) == (("bag", "imu_raw"), "evidence", "contradicting sensors")
    nameless = replace(log, readings=tuple(replace(each, frame="") for each in log.readings))
    (problem,) = problems_of(plan, (evidence(plan, Account(nameless, (finding,), ())),))
    assert problem.key_path == ("bag", "/imu/data")
    assert frame_of(Finding("", "amber", ("gone",)), Account(log, (), ())) == ""


def test_that_a_static_transform_keeps_the_position_that_the_scene_states(plan) -> None:
    bag = bags_of(plan)[0]
    command = mends_outside(bag, account().findings[0])[0].text
    assert "--x 0.05 --y 0.0 --z 0.12 " in command


def test_that_an_account_without_readings_is_small_and_keeps_the_largest_differences() -> None:
    found = account()
    long = agreement(ORIENTATION, GYROSCOPE, "explained", 9.0, (TURNED,), n=100_000)
    long.residual[77_777, 0] = 40.0
    readings = tuple(
        replace(each, t=np.arange(9e4), values=np.zeros((90_000, 4)), received=np.arange(9e4))
        for each in found.log.readings
    )
    small = without_readings(Account(replace(found.log, readings=readings), found.findings, (long,)))
    (thin,) = small.agreements
    assert len(thin.t) == MOST_TIMES == len(thin.residual)
    assert (np.diff(thin.t) > 0).all()
    assert thin.residual[:, 0].max() == 40.0
    assert [each.name for each in small.log.readings] == [each.name for each in readings]
    assert len(pickle.dumps(small)) < 200_000


def test_that_times_missing_from_a_comparison_stay_missing() -> None:
    long = agreement(ORIENTATION, GYROSCOPE, "agree", 9.0, n=10_000)
    long.residual[:] = np.nan
    (thin,) = without_readings(Account(SensorLog(()), (), (long,))).agreements
    assert len(thin.t) == MOST_TIMES
    assert np.isnan(thin.residual).all()


def test_that_a_shifted_log_names_the_same_moments() -> None:
    log = SensorLog(tuple(replace(each, t=np.array([1.0, 2.0])) for each in account().log.readings), (), 10**9)
    moved = shift_times(log, 0.25)
    assert moved.readings[0].t.tolist() == [1.25, 2.25]
    assert moved.start_ns == 750_000_000


def test_that_the_search_gets_the_mounts_and_the_times_of_the_scene(plan, monkeypatch) -> None:
    asked: list[SensorLog] = []
    monkeypatch.setattr(evidence_problems, "examine", lambda log: asked.append(log) or Account(log, (), ()))
    (bag,) = bags_of(plan)
    late = replace(bag, zero_ns=bag.zero_ns - 5 * 10**9)
    found = examine_scene_bag(late)
    (log,) = asked
    assert log.readings[0].t[0] == pytest.approx(5.0, abs=0.01)
    assert {mount.frame for mount in log.mounts} == {"imu_link"}
    assert all(len(each.t) == 0 for each in found.account.log.readings)


def test_that_the_check_of_a_bag_has_notes_and_lines_to_copy(path, monkeypatch) -> None:
    from framescope.features.bags.core.bag_file import open_bag

    monkeypatch.setattr(
        evidence_problems, "examine", lambda log: replace(account(), log=replace(account().log, mounts=log.mounts))
    )
    with open_bag(path) as bag:
        problems = list(bag_evidence(bag))
    assert [problem.severity for problem in problems] == ["red", "amber", "amber", "note", "note"]
    mounted, degrees, uncertain, *notes = problems
    assert mounted.key_path == ("bag", "imu_link")
    assert mounted.times == (6.0, 12.5)
    assert [fix.text.split()[0] for fix in mounted.fixes] == ["ros2", "time_offset:"]
    assert "--x 0.05 --y 0.0 --z 0.12 " in mounted.fix.text
    assert degrees.fixes[0].text.startswith("scale: 0.01745329")
    assert not any(problem.fixes for problem in (uncertain, *notes))


def test_that_a_stretch_that_is_no_time_marks_none(plan, path, monkeypatch) -> None:
    from framescope.features.bags.core.bag_file import open_bag

    finding = replace(account().findings[0], stretch=(np.nan, np.nan))
    lost = replace(account(), findings=(finding,))
    (problem,) = problems_of(plan, (evidence(plan, lost),))
    assert (problem.times, problem.time) == ((), None)
    monkeypatch.setattr(evidence_problems, "examine", lambda log: lost)
    with open_bag(path) as bag:
        (problem,) = bag_evidence(bag)
    assert problem.times == ()


def test_that_transforms_alone_are_not_compared(tmp_path, monkeypatch) -> None:
    from framescope.features.bags.core.bag_file import open_bag

    monkeypatch.setattr(evidence_problems, "examine", lambda log: account())
    path = write_ros1(tmp_path / "plain.bag", drive(seconds=2.0))
    with open_bag(path) as bag:
        assert list(bag_evidence(bag)) == []
    assert examine_scene_bag(bags_of(scene_plan(path)[1])[0]).account.findings == ()


def test_that_one_sensor_is_compared_with_itself() -> None:
    log = account().log
    imu = tuple(each for each in log.readings if each.source == "/imu/data")
    poses = tuple(each for each in log.readings if each.source == "/tf")
    assert is_comparable(replace(log, readings=imu))
    assert is_comparable(replace(log, readings=(imu[0], *poses)))
    assert not is_comparable(replace(log, readings=poses))
    assert not is_comparable(SensorLog(()))


@pytest.mark.long
def test_that_a_frame_gets_no_second_parent_by_the_line_that_mends_it(tmp_path) -> None:
    messages = drive_with(np.random.default_rng(3), (turned_imu(),), seconds=12.0)
    mast = next(each for each in messages if isinstance(each, Sent) and each.child == "imu_link")
    half = np.array([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)])
    sent = [
        *(each for each in messages if each is not mast),
        replace(mast, child="mast", position=(0.05, 0.0, 0.0), quaternion=half),
        replace(mast, parent="mast", position=(0.0, 0.0, 0.12), quaternion=-half * [1, 1, 1, -1]),
    ]
    with open_bag(write_ros1(tmp_path / "mast.bag", sent)) as bag:
        (problem,) = (each for each in bag_evidence(bag) if each.severity != "note")
    assert "is mounted −y z −x" in problem.message
    assert problem.fix is not None
    words = problem.fix.text.split()
    assert words[words.index("--frame-id") + 1] == "mast"
    q = np.array([float(words[words.index(f"--q{axis}") + 1]) for axis in "xyzw"])
    error = (Rotation.from_quat(half) * Rotation.from_quat(q)).inv() * Rotation.from_quat(MINUS_Y_Z_MINUS_X)
    assert np.degrees(error.magnitude()) < 1.5
    assert "--x 0.0 --y 0.0 --z 0.12" in problem.fix.text

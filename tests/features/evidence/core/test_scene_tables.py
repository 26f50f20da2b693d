"""Tables of a scene as evidence: their readings, mounts, and what they prove against each other."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.base import set_frame
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema import poses
from framescope.core.system.file_access import Access
from framescope.features.evidence.core import scene_tables
from framescope.features.evidence.core.evidence_problems import evidence_problems, examine_scene_bag, recordings_of
from framescope.features.evidence.core.recorded_sensors import has_sensor_recordings
from framescope.features.evidence.core.scene_tables import tables_of
from tests.support.imu_drives import MINUS_Y_Z_MINUS_X
from tests.support.sensor_tables import SCENE, write_tables


def plan_of(path):
    loaded = load_scene(path)
    return compile_plan(loaded.scene, access=Access(loaded.home))


def test_that_the_readings_have_frames_times_and_a_mount(tmp_path) -> None:
    plan = plan_of(write_tables(tmp_path))
    assert plan.problems == ()
    (tables,) = recordings_of(plan)
    assert {(each.name, each.frame, each.reference) for each in tables.readings} == {
        ("position of body in walk.csv", "body", "world"),
        ("orientation of body in walk.csv", "body", "world"),
        ("angular velocity of gyro", "imu", ""),
        ("specific force of accel", "imu", ""),
    }
    assert all(len(each.t) == len(each.values) == 1001 for each in tables.readings)
    (mount,) = tables.log().mounts
    assert (mount.parent, mount.frame, mount.source) == ("body", "imu", "the scene")
    assert pickle.loads(pickle.dumps(tables)) == tables


def test_that_healthy_tables_agree(tmp_path) -> None:
    plan = plan_of(write_tables(tmp_path))
    assert list(evidence_problems(plan)) == []
    evidence = examine_scene_bag(recordings_of(plan)[0])
    assert [agreement.verdict for agreement in evidence.account.agreements].count("agree") >= 2
    assert all(len(each.values) == 0 for each in evidence.account.log.readings)


def test_that_a_gyroscope_in_degrees_is_told_at_its_frame(tmp_path) -> None:
    (problem,) = evidence_problems(plan_of(write_tables(tmp_path, gyro_factor=57.29578)))
    assert (problem.key_path, problem.kind, problem.severity) == (("frames", "imu"), "evidence unit", "red")
    assert problem.message.startswith("angular velocity of gyro is in degrees per second")


@pytest.mark.long
def test_that_a_turned_unit_is_told_and_agrees_where_the_scene_states_its_mount(tmp_path) -> None:
    plan = plan_of(write_tables(tmp_path, q=MINUS_Y_Z_MINUS_X))
    assert any("−y z −x" in problem.message for problem in evidence_problems(plan))
    orientation = poses.QuaternionForm(value=MINUS_Y_Z_MINUS_X, order="xyzw")
    mended = compile_plan(set_frame(plan.scene, "imu", orientation=orientation), access=plan.context.access)
    assert recordings_of(mended) != recordings_of(plan)
    assert list(evidence_problems(mended)) == []


def test_that_an_edit_elsewhere_leaves_the_readings_as_they_are(tmp_path) -> None:
    plan = plan_of(write_tables(tmp_path))
    edited = compile_plan(plan.scene.model_copy(update={"title": "walk"}), access=plan.context.access)
    assert recordings_of(edited) == recordings_of(plan)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  gyro: {form: angular velocity,", "  gyro: {form: angular acceleration,"),
        ("resolved_in: imu, unit: rad/s", "resolved_in: world, unit: rad/s"),
        ("file: walk.csv", "file: gone.csv"),
    ],
    ids=["another quantity", "other axes", "no poses"],
)
def test_that_readings_that_cannot_be_compared_are_left_out(old, new, tmp_path) -> None:
    path = write_tables(tmp_path)
    path.write_text(SCENE.replace(old, new), "utf-8")
    (tables,) = recordings_of(plan_of(path))
    assert len(tables.readings) in (2, 3)
    assert not any("gyro" in each.name for each in tables.readings) or "gone" in new


def test_that_one_table_alone_is_no_evidence(tmp_path) -> None:
    path = write_tables(tmp_path)
    path.write_text(SCENE.partition("measured:")[0], "utf-8")
    plan = plan_of(path)
    assert not has_sensor_recordings(plan.scene)
    assert recordings_of(plan) == ()


def test_that_long_tables_are_thinned(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(scene_tables, "MOST_SAMPLES", 400)
    (tables,) = tables_of(plan_of(write_tables(tmp_path)))
    assert {len(each.t) for each in tables.readings} <= set(range(300, 401))


def test_that_missing_rows_do_no_harm(tmp_path) -> None:
    path = write_tables(tmp_path)
    lines = (tmp_path / "imu.csv").read_text("utf-8").splitlines()
    (tmp_path / "imu.csv").write_text("\n".join([lines[0], *lines[1:3]]) + "\n", "utf-8")
    for problem in evidence_problems(plan_of(path)):
        assert np.isfinite(problem.times).all()


@pytest.mark.parametrize("number", ["1e308", "-1e200", "nan", "inf"])
def test_that_numbers_that_nothing_can_measure_do_no_harm(number, tmp_path) -> None:
    path = write_tables(tmp_path)
    first, *lines = (tmp_path / "imu.csv").read_text("utf-8").splitlines()
    for k in range(5, len(lines), 7):
        lines[k] = ",".join([lines[k].split(",")[0], *[number] * (first.count(","))])
    (tmp_path / "imu.csv").write_text("\n".join([first, *lines]) + "\n", "utf-8")
    for problem in evidence_problems(plan_of(path)):
        assert np.isfinite(problem.times).all()

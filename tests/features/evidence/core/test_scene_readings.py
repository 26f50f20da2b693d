"""Bags that a scene refers to, and the mounts that it states for their sensors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits.base import set_frame
from framescope.core.scene.schema import poses
from framescope.core.scene.schema.model import Frame
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.bag_log import sensor_log
from framescope.features.evidence.core.readings import Mount, SensorLog
from framescope.features.evidence.core.recorded_sensors import has_sensor_recordings
from framescope.features.evidence.core.scene_readings import FixedPose, bags_of, restate_mounts
from tests.support.bag_scenes import scene_plan
from tests.support.bags import START_NS, write_ros1
from tests.support.hand_made_accounts import readings
from tests.support.imu_drives import drive_with, turned_imu

TURN = (0.0, 0.0, 0.6, 0.8)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bags")
    return write_ros1(folder / "turned.bag", drive_with(np.random.default_rng(3), (turned_imu(),), seconds=2.0))


@pytest.fixture
def plan(path):
    return scene_plan(path)[1]


def log_of(path) -> SensorLog:
    with open_bag(path) as bag:
        return sensor_log(bag)


def turned(plan, name: str, q=TURN):
    orientation = poses.QuaternionForm(value=q, order="xyzw")
    return compile_plan(set_frame(plan.scene, name, motion=None, orientation=orientation), access=plan.context.access)


def mount(parent: str, frame: str, q=(0.0, 0.0, 0.0, 1.0), p=(0.0, 0.0, 0.0)) -> Mount:
    return Mount(parent, frame, np.array(q), np.array(p), "bag")


def fixed(parent: str, frame: str, R=None, p=(0.0, 0.0, 0.0)) -> FixedPose:
    return FixedPose(parent, frame, tuple(np.ravel(np.eye(3) if R is None else R).tolist()), tuple(p))


def test_that_only_a_scene_with_a_bag_has_sensors(plan) -> None:
    assert has_sensor_recordings(plan.scene)
    assert not has_sensor_recordings(plan.scene.model_copy(update={"frames": type(plan.scene.frames)()}))


def test_that_the_bag_of_a_scene_is_found_with_its_clock_and_its_fixed_poses(plan, path) -> None:
    (bag,) = bags_of(plan)
    assert bag.file == path
    assert bag.zero_ns == START_NS
    assert bag.scene_name("/imu_link") == "imu_link"
    assert {(pose.parent, pose.frame): pose.p for pose in bag.poses} == {
        ("base_link", "imu_link"): (0.05, 0.0, 0.12),
        ("base_link", "lidar_link"): (0.2, 0.0, 0.3),
    }
    (again,) = bags_of(compile_plan(plan.scene, access=plan.context.access))
    assert again == bag
    assert hash(again) == hash(bag)


def test_that_a_mount_that_the_scene_changes_is_another_bag_and_another_mount(plan, path) -> None:
    (before,), (after,) = bags_of(plan), bags_of(turned(plan, "imu_link"))
    assert before != after
    log = log_of(path)
    (same,) = restate_mounts(log, before.poses, "the scene").mounts
    assert same is log.mounts[0]
    (changed,) = restate_mounts(log, after.poses, "the scene").mounts
    np.testing.assert_allclose(changed.Q, TURN, atol=1e-12)
    np.testing.assert_allclose(changed.p, 0.0, atol=1e-12)
    assert changed.source == "the scene"


def test_that_a_renamed_frame_keeps_its_name_of_the_bag(plan) -> None:
    frames = dict(plan.scene.frames)
    frames["my imu"] = frames.pop("imu_link")
    scene = plan.scene.model_copy(update={"frames": type(plan.scene.frames)(frames)})
    (bag,) = bags_of(compile_plan(scene, access=plan.context.access))
    assert bag.scene_name("imu_link") == "my imu"
    assert {pose.frame for pose in bag.poses} == {"imu_link", "lidar_link"}


def test_that_a_mount_over_several_frames_follows_each_of_them() -> None:
    log = SensorLog((), (mount("base", "imu"),))
    R = Rotation.from_quat(TURN).as_matrix()
    (changed,) = restate_mounts(log, (fixed("base", "plate", R), fixed("plate", "imu", R, (1.0, 0.0, 0.0))), "s").mounts
    np.testing.assert_allclose(Rotation.from_quat(changed.Q).as_matrix(), R @ R, atol=1e-12)
    np.testing.assert_allclose(changed.p, R[:, 0], atol=1e-12)
    (back,) = restate_mounts(SensorLog((), (mount("imu", "base"),)), (fixed("base", "imu", R),), "s").mounts
    np.testing.assert_allclose(Rotation.from_quat(back.Q).as_matrix(), R.T, atol=1e-12)


def test_that_a_mount_of_other_frames_stays() -> None:
    log = SensorLog((), (mount("base", "imu"),))
    assert restate_mounts(log, (fixed("odom", "base"),), "s").mounts == log.mounts
    assert restate_mounts(log, (), "s").mounts == log.mounts


def test_that_an_inserted_frame_of_readings_gets_a_mount_on_the_frame_of_others() -> None:
    log = SensorLog((readings("orientation of /imu", "imu"), readings("orientation of /odom", "base", "odom")))
    (added,) = restate_mounts(log, (fixed("base", "imu", p=(0.1, 0.0, 0.0)),), "s").mounts
    assert {added.parent, added.frame} == {"base", "imu"}
    sign = 1.0 if added.frame == "imu" else -1.0
    np.testing.assert_allclose(added.p, (sign * 0.1, 0.0, 0.0))


def test_that_a_frame_that_moves_states_no_mount(plan) -> None:
    scene = set_frame(plan.scene, "imu_link", motion=None, position=poses.Position(value=("t", 0, 0), unit="m"))
    (bag,) = bags_of(compile_plan(scene, access=plan.context.access))
    assert {pose.frame for pose in bag.poses} == {"lidar_link"}


def test_that_a_bag_that_is_gone_is_left_to_the_compiler(plan, tmp_path) -> None:
    motion = plan.scene.frames["imu_link"].motion.model_copy(update={"file": "gone.bag"})
    scene = set_frame(plan.scene, "imu_link", motion=motion)
    assert len(bags_of(compile_plan(scene, access=plan.context.access))) == 1


def test_that_the_place_of_the_first_frame_in_the_picture_is_no_mount(plan) -> None:
    scene = plan.scene.model_copy(update={"frames": plan.scene.frames | {"lamp": Frame(parent="world")}})
    (bag,) = bags_of(compile_plan(scene, access=plan.context.access))
    assert all(pose.frame not in ("lamp", "odom") for pose in bag.poses)

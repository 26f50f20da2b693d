"""A robot's scene whose joints a bag without transforms moves: what an IMU on a link proves of the joints."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.features.evidence.core.evidence_problems import examine_scene_bag
from framescope.features.evidence.core.scene_readings import bags_of
from framescope.features.robots.app.joint_recordings import find_joints
from tests.support.bags import START_NS, Other, write_ros1
from tests.support.command_line import CliRunner
from tests.support.robot_bags import ARM, arm_bag, forearm_imu, put


def played_arm(tmp_path, change=None) -> Plan:
    """Return the scene of an arm beside a bag of its joint states and its IMU, which has no description itself."""
    (tmp_path / "arm.urdf").write_text(ARM, "utf-8")
    sent = [*arm_bag(change, has_transforms=False), *forearm_imu()]
    sent = [message for message in sent if not isinstance(message, Other) or message.topic != "/robot_description"]
    bag = write_ros1(tmp_path / "arm.bag", sent)
    done = CliRunner().invoke(app, ["import", str(tmp_path / "arm.urdf"), "--out", str(tmp_path / "arm.yaml")])
    assert done.exit_code == 0
    plan = compile_plan(load_scene(tmp_path / "arm.yaml").scene, tmp_path)
    return compile_plan(find_joints(plan, bag, bag.name).edit(plan).apply(plan.scene), tmp_path)


@pytest.fixture
def plan(tmp_path) -> Plan:
    return played_arm(tmp_path, put(lift=np.negative))


def test_that_the_bag_of_recorded_joints_is_found_with_the_robot(plan, tmp_path) -> None:
    (part,) = bags_of(plan)
    assert part.file == tmp_path / "arm.bag"
    assert part.zero_ns is None
    assert part.joint_start == 0.0
    assert part.robots == (tmp_path / "arm.urdf",)
    pose = part.stated_pose("forearm", "imu_link")
    assert pose is not None
    assert np.allclose(pose.p_AB, [0.1, 0.0, 0.03])


def test_that_a_joint_of_opposite_sign_is_told_at_the_times_of_the_scene(plan) -> None:
    (part,) = bags_of(plan)
    account = examine_scene_bag(part).account
    assert [fault.kind for finding in account.findings for fault in finding.faults] == ["sign"]
    assert account.log.start_ns == START_NS
    (finding,) = (each for each in account.findings if each.faults)
    assert 0.0 <= finding.stretch[0] < finding.stretch[1] <= 12.0


def test_that_a_later_start_moves_the_times(plan, tmp_path) -> None:
    frames = dict(plan.scene.frames)
    for name, frame in frames.items():
        if (recording := getattr(frame.motion, "recording", None)) is not None:
            moved = recording.model_copy(update={"start": type(recording.start)(100.0, "s")})
            frames[name] = frame.model_copy(update={"motion": frame.motion.model_copy(update={"recording": moved})})
    scene = plan.scene.model_copy(update={"frames": type(plan.scene.frames)(frames)})
    (part,) = bags_of(compile_plan(scene, tmp_path))
    assert part.joint_start == 100.0
    (finding,) = (each for each in examine_scene_bag(part).account.findings if each.faults)
    assert 100.0 <= finding.stretch[0] < finding.stretch[1] <= 112.0


def test_that_healthy_joints_are_no_problem(tmp_path) -> None:
    (part,) = bags_of(played_arm(tmp_path))
    assert [finding.sentence for finding in examine_scene_bag(part).account.findings if finding.faults] == []


def test_that_a_bag_that_is_gone_is_left_to_the_compiler(plan, tmp_path) -> None:
    (tmp_path / "arm.bag").unlink()
    assert bags_of(compile_plan(plan.scene, tmp_path)) == ()

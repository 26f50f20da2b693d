"""Forward kinematics of a robot against SciPy, and the value of one joint from a pose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.robots.core.link_poses import compose, joint_poses, joint_values, link_poses
from framescope.features.robots.core.robot import Joint, Mimic, Placement
from framescope.features.robots.core.urdf import read_urdf
from tests.support.robot_bags import ARM, arm_values, forearm_motion, pose_in_parent

T = np.linspace(0.0, 9.0, 37)


def test_that_links_are_where_scipy_puts_them() -> None:
    robot = read_urdf(ARM.encode())
    poses = link_poses(robot, arm_values(T), len(T))
    R, p = forearm_motion(T)
    Q, at = poses["imu_link"]
    assert np.allclose(at, p, atol=1e-12)
    assert (Rotation.from_quat(Q).inv() * R).magnitude().max() < 1e-12
    finger = pose_in_parent("grip_mirror", 0.05 - arm_values(T)["grip"][7])
    expected = compose(tuple(part[7:8] for part in poses["carriage"]), (finger[1][np.newaxis], finger[0][np.newaxis]))
    assert np.allclose(poses["finger_right"][1][7], expected[1][0])
    assert abs(poses["finger_right"][0][7] @ expected[0][0]) == pytest.approx(1.0)


def test_that_links_below_a_joint_without_values_are_left_out() -> None:
    values = arm_values(T)
    del values["rail"]
    poses = link_poses(read_urdf(ARM.encode()), values, len(T))
    assert set(poses) == {"base_link", "turret", "upper_arm", "forearm", "imu_link"}
    assert "finger_right" not in link_poses(read_urdf(ARM.encode()), {"grip_mirror": np.zeros(1)}, 1)


def test_that_joints_that_mimic_each_other_in_a_ring_end() -> None:
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        f'<limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="{other}"/></joint>'
        for name, parent, child, other in (("ab", "a", "b", "bc"), ("bc", "b", "c", "ab"))
    )
    robot = read_urdf(f"<robot name='r'>{links}{joints}</robot>".encode())
    assert "a" in link_poses(robot, {}, 1)


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -0.6, 0.8)])
def test_that_the_value_of_a_joint_is_read_back_from_its_pose(kind, axis) -> None:
    joint = Joint("j", kind, "a", "b", Placement((0.1, -2.0, 3.0), (0.4, -1.1, 2.0)), axis)
    values = np.linspace(-3.0, 3.0, 13)
    found, turns, shifts = joint_values(joint, joint_poses(joint, values))
    assert np.allclose(found, values, atol=1e-12)
    assert np.abs(turns[:, :3]).max() < 1e-12
    assert np.abs(shifts).max() < 1e-12


def test_that_a_turn_about_another_axis_is_left_over() -> None:
    joint = Joint("j", "revolute", "a", "b", axis=(0.0, 0.0, 1.0))
    Q = (Rotation.from_rotvec([0.0, 0.0, 0.7]) * Rotation.from_rotvec([0.1, 0.0, 0.0])).as_quat()[np.newaxis]
    values, turns, _ = joint_values(joint, (Q, np.zeros((1, 3))))
    assert values[0] == pytest.approx(0.7, abs=0.01)
    assert 2.0 * np.arcsin(np.linalg.norm(turns[0, :3])) == pytest.approx(0.1, abs=1e-6)


def test_that_a_follower_with_values_of_its_own_has_those() -> None:
    robot = read_urdf(ARM.encode())
    follower = next(joint for joint in robot.joints if joint.name == "grip_mirror")
    assert isinstance(follower.mimic, Mimic)
    own = link_poses(robot, {**arm_values(T[:1]), "grip_mirror": np.zeros(1)}, 1)
    assert abs(own["finger_right"][0][0] @ own["carriage"][0][0]) == pytest.approx(1.0)

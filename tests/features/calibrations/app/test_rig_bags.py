"""Bags in the command ``rig``: fixed transforms beside calibrations and robot descriptions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.app.cli.main import app
from tests.support.bags import START_NS, Sent, drive, write_ros1, write_ros2
from tests.support.command_line import CliRunner
from tests.support.robot_bags import ARM, arm_bag, description

run = CliRunner().invoke

IMU_IN_BASE = Rotation.from_euler("xyz", [0.1, -0.2, 0.3]), np.array([0.05, 0.0, 0.12])
CAM_IN_IMU = Rotation.from_euler("xyz", [-1.6, 0.02, -1.5]), np.array([0.1, 0.02, 0.03])


def mount(parent, child, R, p, *, is_static=True) -> Sent:
    return Sent(START_NS, parent, child, p.tolist(), R.as_quat().tolist(), is_static=is_static)


def write_calibration(path, R=CAM_IN_IMU[0], p=CAM_IN_IMU[1]):
    """Write a calibration of Kalibr, which takes points of the IMU to the camera."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R.as_matrix().T, -R.as_matrix().T @ p
    rows = "\n".join(f"  - [{', '.join(map(repr, row))}]" for row in T.tolist())
    text = (
        f"cam0:\n  T_cam_imu:\n{rows}\n  camera_model: pinhole\n  distortion_model: radtan\n"
        "  distortion_coeffs: [0.0, 0.0, 0.0, 0.0]\n  intrinsics: [400.0, 400.0, 320.0, 240.0]\n"
        "  resolution: [640, 480]\n  rostopic: /cam0/image_raw\n"
    )
    path.write_text(text, "utf-8")
    return path


def rig_bag(path, write=write_ros1, camera=CAM_IN_IMU):
    """Write a bag with the IMU on the base, and the camera on the base as the IMU carries it."""
    R, p = IMU_IN_BASE
    return write(path, [*drive(seconds=2.0), mount("base_link", "imu0", R, p), mount("imu0", "cam0", *camera)])


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
def test_that_a_bag_and_a_calibration_that_agree_close(write, tmp_path) -> None:
    bag, chain = rig_bag(tmp_path / "drive.bag", write), write_calibration(tmp_path / "camchain.yaml")
    result = run(app, ["rig", str(bag), str(chain)])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 loop of imu0 and cam0 closes")
    assert "drive.bag: /tf_static: cam0 in imu0" in result.stdout


def test_that_a_transform_off_the_calibration_is_told(tmp_path) -> None:
    R, p = CAM_IN_IMU
    inverse = R.inv(), -R.inv().apply(p)
    bag, chain = rig_bag(tmp_path / "drive.bag", camera=inverse), write_calibration(tmp_path / "camchain.yaml")
    result = run(app, ["rig", str(bag), str(chain)])
    assert result.exit_code == 2
    assert "inverted" in result.stdout
    assert "drive.bag: /tf_static: cam0 in imu0" in result.stdout


def test_that_the_description_in_a_bag_is_laid_against_its_transforms(tmp_path) -> None:
    healthy = write_ros1(tmp_path / "a.bag", arm_bag())
    result = run(app, ["rig", str(healthy)])
    assert result.exit_code == 0, result.output
    assert "a.bag: /robot_description: joint imu_joint" in result.stdout
    wrong = ARM.replace(
        'xyz="0.1 0 0.03" rpy="0 0 1.5707963267948966"', 'xyz="0.1 0 0.03" rpy="0 0 -1.5707963267948966"'
    )
    messages = [each for each in arm_bag() if each.on != "/robot_description"]
    result = run(app, ["rig", str(write_ros1(tmp_path / "b.bag", [*messages, description(wrong)]))])
    assert result.exit_code == 2
    assert "imu_link" in result.stdout.splitlines()[0]


def test_that_moving_frames_and_places_are_no_mounts(tmp_path) -> None:
    station = mount("map", "station", *IMU_IN_BASE)
    bag = write_ros1(tmp_path / "drive.bag", [*drive(seconds=2.0), station])
    result = run(app, ["rig", str(bag)])
    assert result.exit_code == 0, result.output
    assert "station" not in result.stdout
    assert "wheel_left" not in result.stdout


def test_that_a_bag_without_a_rig_is_refused_with_its_reason(tmp_path) -> None:
    moving = [each for each in drive(seconds=2.0) if not each.is_static]
    result = run(app, ["rig", str(write_ros1(tmp_path / "drive.bag", moving))])
    assert result.exit_code == 2
    assert "neither fixed transforms, as on /tf_static, nor a robot description" in result.output
    (tmp_path / "cut.bag").write_bytes((tmp_path / "drive.bag").read_bytes()[:200])
    assert run(app, ["rig", str(tmp_path / "cut.bag")]).exit_code == 2

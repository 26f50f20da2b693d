"""Sensors of SDF: places in links by numbers of SciPy, cameras with their lens, the axes of images, and faults."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import pose
from framescope.features.robots.core.robot_placement import pose_matrix
from framescope.features.robots.core.robot_scene import scene_of
from framescope.features.robots.core.sdf.reader import read_sdf


def matrix(x, y, z, roll, pitch, yaw) -> np.ndarray:
    M = np.eye(4)
    M[:3, :3] = Rotation.from_euler("xyz", [roll, pitch, yaw]).as_matrix()
    M[:3, 3] = x, y, z
    return M


MAST, FRONT, LENS, IMU = (
    (0.2, 0, 1, 0, 0, 0.3),
    (0.1, 0, 0.05, 0, 0.2, 0),
    (0.01, 0, 0, 0, 0, 0.1),
    (0, 0, 0.1, 0, 0, 1.5),
)


def text(numbers) -> str:
    return " ".join(map(str, numbers))


def model(camera: str = "", more: str = "") -> bytes:
    return f"""<sdf version="1.9"><model name="rover"><link name="base_link"/>
<link name="mast"><pose>{text(MAST)}</pose>
  <sensor name="front" type="camera"><pose>{text(FRONT)}</pose>
    <camera><pose>{text(LENS)}</pose><horizontal_fov>1.2</horizontal_fov>
      <image><width>640</width><height>480</height></image>{camera}</camera></sensor>
  <sensor name="imu" type="imu"><pose relative_to="base_link">{text(IMU)}</pose></sensor>{more}
</link>
<joint name="mount" type="fixed"><parent>base_link</parent><child>mast</child></joint></model></sdf>""".encode()


def test_that_sensors_are_placed_in_their_links() -> None:
    front, imu = read_sdf(model()).sensors
    assert (front.name, front.kind, front.link) == ("front", "camera", "mast")
    assert_allclose(pose_matrix(front.placement), matrix(*FRONT) @ matrix(*LENS), atol=1e-15)
    assert (imu.name, imu.kind, imu.camera) == ("imu", "imu", None)
    assert_allclose(pose_matrix(imu.placement), np.linalg.inv(matrix(*MAST)) @ matrix(*IMU), atol=1e-15)


def test_that_a_camera_has_its_lens() -> None:
    (camera,) = [sensor.camera for sensor in read_sdf(model()).sensors if sensor.camera]
    focal = 320.0 / math.tan(0.6)
    assert camera.size == (640, 480)
    assert camera.focal == pytest.approx((focal, focal))
    assert camera.center == (319.5, 239.5)
    assert camera.distortion == ()
    lens = "<lens><intrinsics><fx>500</fx><fy>510</fy><cx>320</cx><cy>241</cy></intrinsics></lens>"
    bent = "<distortion><k1>-0.2</k1><k2>0.03</k2><k3>0.01</k3><p1>0.001</p1><p2>-0.002</p2></distortion>"
    (camera,) = [sensor.camera for sensor in read_sdf(model(lens + bent)).sensors if sensor.camera]
    assert (*camera.focal, *camera.center) == (500.0, 510.0, 320.0, 241.0)
    assert camera.distortion == (-0.2, 0.03, 0.001, -0.002, 0.01)


def test_that_the_image_has_axes_of_its_own() -> None:
    robot = read_sdf(model())
    scene, _ = scene_of(robot, {}, source="rover.sdf")
    assert list(scene.frames) == ["base_link", "mast", "front", "front_optical", "imu"]
    assert scene.bodies["view of front_optical"].shape.form == "camera"
    X = pose(evaluate(compile_plan(scene), 0.0), "front_optical", "front")
    assert_allclose(X.R_AB @ [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], atol=1e-15)  # looks along x
    assert_allclose(X.R_AB @ [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], atol=1e-15)  # right of the image
    assert_allclose(X.R_AB @ [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], atol=1e-15)  # down in the image
    (note,) = [fault for fault in robot.faults if fault.kind == "camera axes"]
    assert note.severity == "note"
    assert "looks along x of its frame" in note.message


def test_that_fixed_poses_say_their_direction() -> None:
    scene, _ = scene_of(read_sdf(model()), {}, source="rover.sdf")
    words = {name: frame.source.words(name, frame.parent) for name, frame in scene.frames.items() if frame.source}
    assert words == {
        "mast": "joint mount in rover.sdf takes points of mast to base_link",
        "front": "sensor front in rover.sdf takes points of front to mast",
        "imu": "sensor imu in rover.sdf takes points of imu to mast",
    }
    assert not any(frame.source for frame in scene_of(read_sdf(model()), {})[0].frames.values())


def test_that_names_are_free_and_several_cameras_come_apart() -> None:
    camera = "<camera name='{}'><image><width>64</width><height>48</height></image></camera>"
    more = f"<sensor name='mast' type='camera'>{camera.format('l')}</sensor>"
    more += f"<sensor name='pair' type='multicamera'>{camera.format('left')}{camera.format('right')}</sensor>"
    optical = "<optical_frame_id>front_lens</optical_frame_id>"
    scene, _ = scene_of(read_sdf(model(optical, more)), {})
    sensors = ["front", "front_lens", "imu", "mast mast", "mast mast_optical"]
    sensors += ["pair left", "pair left_optical", "pair right", "pair right_optical"]
    assert list(scene.frames) == ["base_link", "mast", *sensors]


@pytest.mark.parametrize(
    ("camera", "kind", "severity", "n_cameras"),
    [
        ("<image><width>0</width><height>480</height></image>", "", "", 1),  # the first image counts
        ("<lens><intrinsics><fx>0</fx><fy>1</fy></intrinsics></lens>", "no image", "red", 0),
        ("<lens><intrinsics><fx>nan</fx></intrinsics></lens>", "no number", "red", 1),
        ("<distortion><k1>x</k1></distortion>", "no number", "red", 1),
    ],
)
def test_that_faults_are_told_and_the_frame_stays(camera, kind, severity, n_cameras) -> None:
    robot = read_sdf(model(camera))
    assert len(robot.sensors) == 2
    assert sum(sensor.camera is not None for sensor in robot.sensors) == n_cameras
    faults = [(fault.kind, fault.severity) for fault in robot.faults if fault.kind != "camera axes"]
    assert faults == ([(kind, severity)] if kind else [])


def test_that_a_fisheye_is_a_frame_without_a_plane_image() -> None:
    robot = read_sdf(model().replace(b"1.2</horizontal_fov>", b"3.3</horizontal_fov>"))
    assert [sensor.camera for sensor in robot.sensors] == [None, None]
    assert any("no plane" in fault.message and fault.severity == "note" for fault in robot.faults)


def test_that_a_sensor_relative_to_nothing_known_is_told() -> None:
    robot = read_sdf(model().replace(b'relative_to="base_link"', b'relative_to="bse_link"'))
    assert len(robot.sensors) == 2
    assert any(fault.kind == "unknown frame" and "base_link" in fault.hint for fault in robot.faults)


def test_that_the_optical_frame_keeps_a_name_that_its_sensor_has_too() -> None:
    scene, _ = scene_of(read_sdf(model("<optical_frame_id>front</optical_frame_id>")), {})
    assert list(scene.frames) == ["base_link", "mast", "front_body", "front", "imu"]
    assert scene.frames["front"].parent == "front_body"
    assert "view of front" in scene.bodies

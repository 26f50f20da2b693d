"""Cameras of bags: messages of CameraInfo in every container come in on their frames, with P, R and the baseline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.features.bags.app.bag_reader import read
from tests.support.bags import NS, START_NS, Other, Sent, foxglove_camera, write_foxglove, write_ros1, write_ros2

OPTICAL = (-0.5, 0.5, -0.5, 0.5)
K = (420.0, 0.0, 318.5, 0.0, 421.0, 242.25, 0.0, 0.0, 1.0)
D = (-0.28, 0.07, 0.0002, 0.00002, 0.0)
EYE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
TURNED = (np.cos(0.01), -np.sin(0.01), 0.0, np.sin(0.01), np.cos(0.01), 0.0, 0.0, 0.0, 1.0)


def P(tx: float = 0.0) -> tuple[float, ...]:
    return 400.0, 0.0, 318.5, tx, 0.0, 400.0, 242.25, 0.0, 0.0, 0.0, 1.0, 0.0


WRITERS = {
    "ros1": (1, lambda path, sent: write_ros1(path.with_suffix(".bag"), sent)),
    "db3": (2, write_ros2),
    "mcap": (2, lambda path, sent: write_ros2(path, sent, storage="MCAP")),
}


def info(version: int, topic: str, frame: str, tx: float = 0.0, *, k=K, r=EYE, model="plumb_bob", d=D, n=0) -> Other:
    names = "DKRP" if version == 1 else "dkrp"
    matrices = dict(zip(names, map(np.array, (d, k, r, P(tx))), strict=True))
    roi = {"x_offset": 0, "y_offset": 0, "height": 0, "width": 0, "do_rectify": False}
    fields = {
        "header": ("header", frame),
        "height": 480,
        "width": 640,
        "distortion_model": model,
        **matrices,
        "binning_x": 0,
        "binning_y": 0,
        "roi": ("sensor_msgs/msg/RegionOfInterest", roi),
    }
    return Other(START_NS + n, topic, "sensor_msgs/msg/CameraInfo", fields)


def transforms(baseline: float = 0.12) -> list[Sent]:
    """Return a base that moves, and two cameras fixed on it that look ahead."""
    moving = [Sent(START_NS + k * NS // 10, "odom", "base_link", (0.1 * k, 0.0, 0.0), (0, 0, 0, 1)) for k in range(20)]
    fixed = [
        Sent(START_NS, "base_link", f"{side}_optical", (0.5, y, 1.0), OPTICAL, is_static=True)
        for side, y in (("left", 0.06), ("right", 0.06 - baseline))
    ]
    return [*fixed, *moving]


def pair(version: int, tx: float = -48.0, **more) -> list[Other]:
    return [
        info(version, "/stereo/left/camera_info", "left_optical", **more),
        info(version, "/stereo/right/camera_info", "right_optical", tx, **more),
    ]


@pytest.mark.parametrize("container", WRITERS)
def test_that_cameras_come_in_on_their_frames(tmp_path, container) -> None:
    version, write = WRITERS[container]
    path = write(tmp_path / "drive", [*transforms(), *pair(version, r=TURNED)])
    contents = read(path)
    assert contents.scene is not None
    scene = contents.scene.scene
    cameras = {body.frame: body.shape for body in scene.bodies.values()}
    assert set(cameras) == {"left_optical", "right_optical"}
    shape = cameras["right_optical"]
    assert (shape.form, shape.resolution) == ("camera", (640, 480))
    assert (*shape.focal_lengths, *shape.principal_point) == (420.0, 421.0, 318.5, 242.25)
    assert shape.distortion is not None
    assert [getattr(shape.distortion, key) for key in ("k1", "k2", "p1", "p2", "k3")] == list(D)
    texts = [problem.message for problem in contents.problems]
    assert sum("the rectification turns rays of the camera by 0.573°" in text for text in texts) == 2
    (said,) = [text for text in texts if "P says" in text]
    assert "right_optical is the second camera of a stereo pair, 0.12 m to the right of the first" in said
    assert {problem.severity for problem in contents.problems} == {"note"}
    plan = compile_plan(scene, path.parent)
    assert not [problem for problem in plan.problems if problem.severity != "note"]
    between = relative_position(evaluate(plan, 1.0), "right_optical", "left_optical", "left_optical")
    np.testing.assert_allclose(between, [0.12, 0.0, 0.0], atol=1e-12)


def messages_of(tmp_path: Path, sent, name: str = "drive") -> list[tuple[str, str]]:
    contents = read(write_ros2(tmp_path / name, sent, storage="MCAP"))
    return [(problem.severity, problem.message) for problem in contents.problems]


def test_that_a_baseline_that_is_not_that_of_the_transforms_is_said(tmp_path) -> None:
    (problem,) = [each for each in messages_of(tmp_path, [*transforms(0.4), *pair(2)]) if each[0] == "amber"]
    assert problem[1] == (
        "/stereo/right/camera_info: P has a baseline of 0.12 m, and the transforms have right_optical 0.4 m from"
        " left_optical."
    )


def test_that_a_sign_of_p_against_the_name_is_said(tmp_path) -> None:
    problems = messages_of(tmp_path, [*transforms(), *pair(2, 48.0)])
    assert [severity for severity, text in problems if "to the left of the first" in text] == ["amber"]


def test_that_a_second_camera_on_the_frame_of_the_first_gets_its_own(tmp_path) -> None:
    sent = [
        *transforms(),
        info(2, "/stereo/left/camera_info", "left_optical"),
        info(2, "/stereo/right/camera_info", "left_optical", -48.0),
    ]
    path = write_ros2(tmp_path / "drive", sent, storage="MCAP")
    contents = read(path)
    assert contents.scene is not None
    scene = contents.scene.scene
    assert {body.frame for body in scene.bodies.values()} == {"left_optical", "left_optical, right"}
    snapshot = evaluate(compile_plan(scene, path.parent), 1.0)
    p = relative_position(snapshot, "left_optical, right", "left_optical", "left_optical")
    np.testing.assert_allclose(p, [0.12, 0.0, 0.0], atol=1e-12)
    assert not [problem for problem in contents.problems if problem.severity != "note"]


def test_that_one_camera_on_several_topics_is_drawn_once(tmp_path) -> None:
    sent = [*transforms(), info(2, "/color/camera_info", "left_optical"), info(2, "/depth/camera_info", "left_optical")]
    contents = read(write_ros2(tmp_path / "drive", sent, storage="MCAP"))
    assert contents.scene is not None
    assert list(contents.scene.scene.bodies) == ["view of left_optical"]


def test_that_a_camera_whose_frame_is_never_sent_has_no_known_pose(tmp_path) -> None:
    sent = [*transforms(), info(2, "/thermal/camera_info", "/thermal")]
    path = write_ros2(tmp_path / "drive", sent, storage="MCAP")
    contents = read(path)
    assert contents.scene is not None
    scene = contents.scene.scene
    assert scene.frames["thermal"].motion.form == "unconnected"
    assert any("names the frame thermal, which no transform" in problem.message for problem in contents.problems)
    snapshot = evaluate(compile_plan(scene, path.parent), 1.0)
    assert np.isnan(relative_position(snapshot, "thermal", "base_link", "base_link")).all()


def test_that_a_bag_of_camera_messages_alone_opens(tmp_path) -> None:
    path = write_ros2(tmp_path / "drive", pair(2), storage="MCAP")
    contents = read(path)
    assert contents.scene is not None
    assert set(contents.scene.scene.frames) == {"left_optical", "right_optical"}
    assert compile_plan(contents.scene.scene, path.parent).problems == ()


def test_that_a_camera_is_on_the_frame_of_a_stamped_transform(tmp_path) -> None:
    vector = ("geometry_msgs/msg/Vector3", {"x": 0.5, "y": 0.0, "z": 1.0})
    rotation = ("geometry_msgs/msg/Quaternion", dict(zip("xyzw", OPTICAL, strict=True)))
    transform = ("geometry_msgs/msg/Transform", {"translation": vector, "rotation": rotation})
    fields = {"header": ("header", "base_link"), "child_frame_id": "camera_optical", "transform": transform}
    stamped = Other(START_NS, "/extrinsics", "geometry_msgs/msg/TransformStamped", fields)
    contents = read(write_ros2(tmp_path / "drive", [stamped, info(2, "/camera_info", "camera_optical")]))
    assert contents.scene is not None
    scene = contents.scene.scene
    assert scene.frames["camera_optical"].parent == "base_link"
    assert {body.frame for body in scene.bodies.values()} == {"camera_optical"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"k": (0.0,) * 9}, "all its numbers are 0, as of a camera that is not calibrated"),
        ({"k": (np.nan,) * 9}, "the camera is left out"),
        ({"d": D[:3]}, "the camera is left out"),
    ],
)
def test_that_a_camera_that_cannot_be_used_is_a_note(tmp_path, fields, words) -> None:
    problems = messages_of(tmp_path, [*transforms(), info(2, "/a/camera_info", "left_optical", **fields)])
    assert [severity for severity, text in problems if words in text] == ["note"]
    with pytest.raises(FramescopeError, match="neither transforms between frames nor poses"):
        read(write_ros2(tmp_path / "alone", [info(2, "/a/camera_info", "left_optical", **fields)], storage="MCAP"))


def test_that_cameras_are_found_in_namespaces(tmp_path) -> None:
    sent = []
    for robot in ("a", "b"):
        sent += [
            Sent(START_NS, "base", "camera", (0.5, 0, 1), OPTICAL, is_static=True, topic=f"/{robot}/tf_static"),
            Sent(START_NS, "odom", "base", (0, 0, 0), (0, 0, 0, 1), topic=f"/{robot}/tf"),
            Sent(START_NS + NS, "odom", "base", (1, 0, 0), (0, 0, 0, 1), topic=f"/{robot}/tf"),
            info(2, f"/{robot}/camera_info", "camera"),
        ]
    contents = read(write_ros2(tmp_path / "drive", sent, storage="MCAP"))
    assert contents.scene is not None
    assert {body.frame for body in contents.scene.scene.bodies.values()} == {"a/camera", "b/camera"}


@pytest.mark.parametrize("encoding", ["protobuf", "json"])
def test_that_cameras_of_foxglove_come_in_on_their_frames(tmp_path, encoding) -> None:
    matrices = {"left": P(), "right": P(-48.0)}
    cameras = {
        f"/{side}/calibration": foxglove_camera(encoding, f"{side}_optical", D=D, K=K, R=EYE, P=matrices[side])
        for side in matrices
    }
    cameras["/bare/calibration"] = foxglove_camera(encoding, "base_link", D=(), K=K, R=(), P=())
    path = write_foxglove(tmp_path / "drive.mcap", transforms(), encoding=encoding, cameras=cameras)
    contents = read(path)
    assert contents.scene is not None
    scene = contents.scene.scene
    cameras_at = {body.frame: body.shape for body in scene.bodies.values()}
    assert set(cameras_at) == {"left_optical", "right_optical", "base_link"}
    shape = cameras_at["right_optical"]
    assert shape.resolution == (640, 480)
    assert (*shape.focal_lengths, *shape.principal_point) == (420.0, 421.0, 318.5, 242.25)
    assert [getattr(shape.distortion, key) for key in ("k1", "k2", "p1", "p2", "k3")] == list(D)
    assert cameras_at["base_link"].distortion is None
    assert "right_optical is the second camera of a stereo pair, 0.12 m to the right" in str(contents.problems)


def test_that_a_damaged_camera_of_foxglove_is_left_out(tmp_path) -> None:
    data = foxglove_camera("protobuf", "left_optical", D=D, K=K, R=EYE, P=P())
    path = write_foxglove(tmp_path / "drive.mcap", transforms(), cameras={"/left/calibration": data[:-20]})
    contents = read(path)
    assert contents.scene is not None
    assert not contents.scene.scene.bodies
    (said,) = [problem.message for problem in contents.problems if problem.kind == "camera-unread"]
    assert said.startswith("/left/calibration: 1 message is damaged and left out")

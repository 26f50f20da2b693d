"""Cameras of calibration files as shapes of a scene, and the origin of each pose in words."""

from __future__ import annotations

import pytest
from numpy.testing import assert_allclose

from framescope.app.cli.check_report import contents
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.frame_cameras import camera_on
from framescope.core.evaluation.reparenting import rehang
from framescope.core.projection import CameraModel
from framescope.core.scene.edits.items import rename_item
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.bodies import CameraShape, Frustum
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Lens
from framescope.features.calibrations.core.calibration_scene import scene_of


def lens(**keys) -> Lens:
    usual = {"frame": "left", "size": (752, 480), "focal": (458.6, 457.3), "center": (367.2, 248.4)}
    return Lens(**(usual | keys))


def only_body(a_lens: Lens):
    scene = scene_of(Calibration("kalibr", lenses=(a_lens,)), "camchain.yaml")
    return scene, next(iter(scene.bodies.values()), None)


@pytest.mark.parametrize(
    ("model", "coefficients", "expected"),
    [
        ("none", (), ("none", ())),
        ("none", (0.0, 0.0), ("none", ())),
        ("radtan", (-0.28, 0.07, 0.0002, 0.00002), ("radtan", (-0.28, 0.07, 0.0002, 0.00002, 0.0))),
        ("radtan", (-0.28, 0.07, 0.0, 0.0, 0.1), ("radtan", (-0.28, 0.07, 0.0, 0.0, 0.1))),
        ("equidistant", (0.1, 0.2, 0.3, 0.4), ("equidistant", (0.1, 0.2, 0.3, 0.4))),
        ("rational", (1, 2, 3, 4, 5, 6, 7, 8, 0, 0), ("rational", (1, 2, 3, 4, 5, 6, 7, 8))),
    ],
)
def test_that_a_lens_becomes_a_camera_with_its_numbers(model, coefficients, expected) -> None:
    scene, body = only_body(lens(model=model, coefficients=coefficients, picture="left.png"))
    assert isinstance(body.shape, CameraShape)
    assert (body.frame, body.shape.resolution, body.shape.picture) == ("left", (752, 480), "left.png")
    camera = camera_on(compile_plan(scene), "left")
    assert camera is not None
    assert camera.model == CameraModel((458.6, 457.3), (367.2, 248.4), expected[0], expected[1])


@pytest.mark.parametrize(("model", "coefficients"), [("ds", (0.5, 0.1)), ("omni-radtan", ()), ("radtan", (1,) * 6)])
def test_that_a_lens_of_another_model_is_a_field_of_view(model, coefficients) -> None:
    _, body = only_body(lens(model=model, coefficients=coefficients))
    assert isinstance(body.shape, Frustum)
    assert_allclose(body.shape.width.value, 0.1 * 752 / 458.6)


@pytest.mark.parametrize(
    "keys",
    [
        {"size": None},
        {"center": (float("inf"), 0.0)},
        {"coefficients": (1e200,)},
    ],
)
def test_that_a_lens_without_an_image_has_no_body(keys) -> None:
    scene, body = only_body(lens(**keys))
    assert body is None
    assert list(scene.frames) == ["left"]


@pytest.mark.parametrize("keys", [{"size": (0, 480)}, {"focal": (0.0, 400.0)}, {"focal": (float("nan"), 400.0)}])
def test_that_a_lens_without_a_picture_plane_is_refused(keys) -> None:
    with pytest.raises(CalibrationError, match=r"^left: expected "):
        lens(**keys)


def test_that_a_picture_of_another_kind_is_not_named() -> None:
    _, body = only_body(lens(picture="left.exr"))
    assert body.shape.picture is None


SOURCED = """\
framescope: 1
frames:
  imu0: {parent: world}
  cam0: {parent: imu0, position: {value: [0.1, 0, 0], unit: m},
    source: {file: camchain.yaml, entry: cam0.T_cam_imu, maps: parent to frame}}
  lidar: {parent: imu0, source: {file: static.launch, entry: line 12, maps: frame to parent}}
"""


def test_that_the_origin_of_a_pose_is_in_words_with_the_present_names(tmp_path) -> None:
    path = tmp_path / "rig.yaml"
    path.write_text(SOURCED, "utf-8")
    lines = list(contents(compile_plan(load_scene(path).scene)))
    words = "T_cam_imu of cam0 in camchain.yaml takes points of imu0 to cam0"
    assert f"  cam0: in imu0, no rotation; {words}" in lines
    assert "  lidar: in imu0, no rotation; line 12 in static.launch takes points of lidar to imu0" in lines
    renamed = rename_item(load_scene(path).scene, "frames", "cam0", "left").apply(load_scene(path).scene)
    assert "takes points of imu0 to left" in "".join(contents(compile_plan(renamed)))


@pytest.mark.parametrize("keep", ["local", "world"])
def test_that_a_frame_with_another_parent_has_no_origin_in_a_file(tmp_path, keep) -> None:
    path = tmp_path / "rig.yaml"
    path.write_text(SOURCED, "utf-8")
    scene = load_scene(path).scene
    moved = rehang(scene, [("frames", "cam0")], ("frames", "lidar"), keep, evaluate(compile_plan(scene), 0.0))
    changed = moved.apply(scene)
    assert (changed.frames["cam0"].parent, changed.frames["cam0"].source) == ("lidar", None)
    assert parse_scene(scene_text(changed))[0].frames["cam0"].source is None
    assert scene.frames["cam0"].source is not None

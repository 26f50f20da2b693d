"""Cameras of calibration files as shapes of a scene, and the origin of each pose in words."""

from __future__ import annotations

import pytest
from numpy.testing import assert_allclose

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.frame_cameras import camera_on
from framescope.core.projection import CameraModel
from framescope.core.scene.schema.bodies import CameraShape, Frustum
from framescope.features.calibrations.core.calibration import Calibration, Lens
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
        {"size": (0, 480)},
        {"focal": (0.0, 400.0)},
        {"focal": (float("nan"), 400.0)},
        {"center": (float("inf"), 0.0)},
        {"coefficients": (1e200,)},
    ],
)
def test_that_a_lens_without_an_image_has_no_body(keys) -> None:
    scene, body = only_body(lens(**keys))
    assert body is None
    assert list(scene.frames) == ["left"]


def test_that_a_picture_of_another_kind_is_not_named() -> None:
    _, body = only_body(lens(picture="left.exr"))
    assert body.shape.picture is None

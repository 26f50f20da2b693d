"""The picture that a frame sees: where a marker, the horizon and world-up are in it, and what is left out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.projection import CameraModel, unproject
from framescope.core.scene.schema.model import Scene
from framescope.features.cameras.core.looking_through import (
    USUAL_ANGLE,
    USUAL_ASPECT,
    clear_view,
    description,
    eye_of,
    frames_at,
    horizon,
    up_in_image,
    views_on,
)
from tests.support.cases import for_each

OPTICAL = Rotation.from_euler("xyz", [-90, 0, -90], degrees=True).as_matrix()
"""Columns: image right, image down and the viewing direction of a camera that looks along x of a body with z up."""

FORWARD = {"form": "axes", "sequence": "ZYX", "angles": [-90, 0, -90], "unit": "deg"}


def plan_of(frames: dict[str, Any], **parts: Any) -> Plan:
    return compile_plan(Scene.model_validate({"framescope": 1, "frames": frames, **parts}))


def pose_of_eye(plan: Plan, name: str, t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    snapshot = evaluate(plan, t)
    row = plan.index[name]
    return eye_of(plan, name).pose(snapshot.R_WF[row], snapshot.p_WF[row])


def frustum(frame: str = "cam", **more: Any) -> dict[str, Any]:
    shape = {"form": "frustum", "depth": "2 m", "width": "4 m", "height": "3 m"}
    return {"bodies": {"view": {"frame": frame, "shape": shape, **more}}}


def test_that_a_field_of_view_gives_axes_and_angles() -> None:
    plan = plan_of({"cam": {"parent": "world", "orientation": FORWARD}}, **frustum())
    eye = eye_of(plan, "cam")
    assert eye.view_angle == pytest.approx(2.0 * math.atan(1.5 / 2.0))
    assert eye.aspect == pytest.approx(4.0 / 3.0)
    R_WE, p_WE = pose_of_eye(plan, "cam")
    assert_allclose(R_WE, OPTICAL, atol=1e-12)
    assert_allclose(p_WE, np.zeros(3))
    assert description(eye) == "cam looks along its +z, image up is −y, 90° × 74°"


def test_that_a_field_of_view_may_be_hidden_and_sit_askew_on_its_frame() -> None:
    turned = {"form": "axis", "axis": "x", "angle": 20, "unit": "deg"}
    body = frustum(orientation=turned, position={"value": [0.1, 0, 0.2], "unit": "m"})
    plan = plan_of({"cam": {"parent": "world"}}, **body, view={"hidden": {"bodies": ["view"]}})
    assert plan.view_data.bodies == ()
    R_WE, p_WE = pose_of_eye(plan, "cam")
    assert_allclose(R_WE, Rotation.from_euler("x", 20, degrees=True).as_matrix(), atol=1e-12)
    assert_allclose(p_WE, [0.1, 0.0, 0.2])


def test_that_an_optical_frame_looks_along_z_and_others_along_x() -> None:
    frames = {"cam_optical": {"parent": "world"}, "body": {"parent": "world"}, "body_frd": {"parent": "world"}}
    plan = plan_of(frames)
    assert_allclose(eye_of(plan, "cam_optical").R_FE, np.eye(3))
    assert_allclose(eye_of(plan, "body").R_FE, OPTICAL, atol=1e-12)
    right, down, look = eye_of(plan, "body_frd").R_FE.T
    assert_allclose([right, down, look], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert all(eye_of(plan, name).view_angle == USUAL_ANGLE for name in frames)


def test_that_a_mount_whose_z_points_down_in_the_world_has_its_image_upright() -> None:
    over = {"form": "axis", "axis": "x", "angle": 180, "unit": "deg"}
    R_WE, _ = pose_of_eye(plan_of({"plane": {"parent": "world", "orientation": over}}), "plane")
    assert_allclose(R_WE, OPTICAL, atol=1e-12)


@for_each(
    ("roll", "pitch", "ends"),
    [
        (0.0, 0.0, ((0.0, 0.5), (1.0, 0.5))),
        (90.0, 0.0, ((0.5, 0.0), (0.5, 1.0))),
        (0.0, 30.0, ((0.0, 1.0), (1.0, 1.0))),  # the lower edge, where the half angle is 30°
        (0.0, -15.0, tuple((x, 0.5 - 0.5 * math.tan(math.radians(15)) / math.tan(math.radians(30))) for x in (0, 1))),
    ],
)
def test_that_the_horizon_is_where_the_pinhole_model_has_it(roll: float, pitch: float, ends: Any) -> None:
    """Pitch looks up, and roll turns the camera about its view."""
    up = Rotation.from_euler("y", -pitch + (1e-9 if pitch == 30.0 else 0.0), degrees=True).as_matrix()
    R_WE = up @ OPTICAL @ Rotation.from_euler("z", roll, degrees=True).as_matrix()
    assert_allclose(np.sort(horizon(R_WE, USUAL_ANGLE, USUAL_ASPECT), axis=0), ends, atol=1e-6)


def test_that_each_end_of_a_tilted_horizon_is_a_horizontal_direction() -> None:
    R_WE = Rotation.random(rng=4).as_matrix()
    line = horizon(R_WE, 2.0, 1.5)
    assert line is not None
    for x, y in line:
        v_E = np.array([(2 * x - 1) * 1.5 * math.tan(1.0), (2 * y - 1) * math.tan(1.0), 1.0])
        assert (R_WE @ v_E)[2] == pytest.approx(0.0, abs=1e-12)
        assert max(abs(2 * x - 1), abs(2 * y - 1)) == pytest.approx(1.0)


def test_that_a_camera_that_looks_down_has_no_horizon_and_a_short_arrow() -> None:
    down = Rotation.from_euler("x", 180, degrees=True).as_matrix()
    assert horizon(down, USUAL_ANGLE, USUAL_ASPECT) is None
    assert_allclose(up_in_image(down), (0.0, 0.0), atol=1e-12)
    assert_allclose(up_in_image(OPTICAL), (0.0, -1.0), atol=1e-12)


def test_that_the_view_is_clear_of_the_camera_and_its_mount_alone() -> None:
    frames = {
        "car": {"parent": "world", "position": {"value": ["t", 0, 0], "unit": "m"}},
        "link": {"parent": "car", "position": {"value": [1, 0, 0], "unit": "m"}},
        "cam": {"parent": "link", "orientation": FORWARD},
        "other": {"parent": "world"},
    }
    box = {"form": "box", "size": [1, 1, 1], "unit": "m"}
    bodies = {name: {"frame": name, "shape": box} for name in frames}
    sensors = {name: {"form": "absolute", "frame_a": name} for name in ("cam", "other")}
    plan = plan_of(frames, bodies=bodies, sensors=sensors)
    at = {plan.names[row] for row in frames_at(plan, "cam")}
    assert at == {"cam", "link"}
    clear = clear_view(plan, eye_of(plan, "cam"))
    assert [body.name for body in clear.view_data.bodies] == ["car", "other"]
    assert list(clear.instruments.sensors) == ["other"]
    shown = {name for name in plan.names if clear.view_data.has_triad[plan.index[name]]}
    assert shown == {"world", "car", "other"}
    assert not clear.view_data.has_label.any()
    assert len(plan.view_data.bodies) == 4  # the scene itself is as before
    assert plan.view_data.has_label.any()


def test_that_a_floor_of_the_world_stays_where_the_eye_is_at_its_origin() -> None:
    box = {"form": "box", "size": [9, 9, 0.1], "unit": "m"}
    bodies = {"floor": {"frame": "world", "shape": box}, "housing": {"frame": "cam", "shape": box}}
    far = {"parent": "world", "position": {"value": [1, 0, 0], "unit": "m"}}
    plan = plan_of({"cam": {"parent": "world"}, "far": far}, bodies=bodies)
    for name in ("cam", "world"):
        view = clear_view(plan, eye_of(plan, name)).view_data
        assert [body.name for body in view.bodies] == ["floor"]
        assert view.has_triad.tolist() == [False, False, True]


@for_each(("width", "height", "aspect"), [(100.0, 0.1, 4.0), (0.1, 100.0, 0.25), (2.0, 1.0, 2.0)])
def test_that_a_slim_field_of_view_is_inside_a_picture_of_bearable_shape(
    width: float, height: float, aspect: float
) -> None:
    shape = {"form": "frustum", "depth": "1 m", "width": f"{width} m", "height": f"{height} m"}
    eye = eye_of(plan_of({"cam": {"parent": "world"}}, bodies={"view": {"frame": "cam", "shape": shape}}), "cam")
    assert eye.aspect == pytest.approx(aspect)
    tan_y = math.tan(0.5 * eye.view_angle)
    assert 2.0 * tan_y >= height * (1.0 - 1e-12)
    assert 2.0 * eye.aspect * tan_y >= width * (1.0 - 1e-12)


def calibrated(center: list[float], resolution: tuple[int, int] = (752, 480), **more: Any) -> dict[str, Any]:
    lens = {"focal_lengths": [458.6, 457.3], "principal_point": center, "depth": "0.1 m", **more}
    shape = {"form": "camera", "resolution": list(resolution), **lens}
    return {"bodies": {"lens": {"frame": "cam", "shape": shape}}}


@pytest.mark.parametrize("center", [[375.5, 239.5], [367.2, 248.4], [100.0, 400.0], [-50.0, 600.0]])
def test_that_the_picture_of_a_calibrated_camera_is_its_image(center) -> None:
    plan = plan_of({"cam": {"parent": "world", "orientation": FORWARD}}, **calibrated(center))
    eye = eye_of(plan, "cam")
    assert_allclose(pose_of_eye(plan, "cam")[0], OPTICAL, atol=1e-12)
    down, right = math.tan(0.5 * eye.view_angle), eye.aspect * math.tan(0.5 * eye.view_angle)
    model = CameraModel((458.6, 457.3), tuple(center))
    for pixel in ([0.0, 0.0], [700.0, 20.0], [367.2, 248.4], [100.5, 479.0]):
        x, y, z = unproject(model, pixel).tolist()
        at = (0.5 + 0.5 * (x / z / right + eye.center[0]), 0.5 + 0.5 * (y / z / down + eye.center[1]))
        assert at == pytest.approx(((pixel[0] + 0.5) / 752, (pixel[1] + 0.5) / 480), abs=1e-12)


def test_that_a_calibrated_camera_is_described_by_the_angles_of_its_image() -> None:
    plan = plan_of({"cam": {"parent": "world", "orientation": FORWARD}}, **calibrated([-0.5, 239.5]))
    across = math.degrees(math.atan(752 / 458.6))
    assert description(eye_of(plan, "cam")).endswith(f"image up is −y, {across:.0f}° × 55°")
    assert views_on(plan, "cam")


def test_that_a_camera_of_one_row_is_widened_about_its_middle() -> None:
    plan = plan_of({"cam": {"parent": "world"}}, **calibrated([1023.5, 0.0], (2048, 1)))
    eye = eye_of(plan, "cam")
    assert eye.aspect == pytest.approx(4.0)
    assert eye.center == pytest.approx((0.0, 0.0), abs=1e-12)


def test_that_the_horizon_is_where_an_off_centre_camera_sees_it() -> None:
    plan = plan_of({"cam": {"parent": "world", "orientation": FORWARD}}, **calibrated([367.2, 120.0]))
    eye = eye_of(plan, "cam")
    line = horizon(pose_of_eye(plan, "cam")[0], eye.view_angle, eye.aspect, eye.center)
    assert line is not None
    (x0, y0), (x1, y1) = line
    assert (x0, x1) == (0.0, 1.0)
    assert (y0, y1) == pytest.approx((120.5 / 480, 120.5 / 480))

"""Cameras whose axes are wrong are reported in words, with an edit that mends them; healthy mountings are silent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.conventions.standard_axes import OPTICAL, body_rotation
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.schema.model import Scene
from framescope.features.cameras.core.camera_checks import camera_problems

Data = dict[str, Any]

CAMERA = "camera_optical_frame"

FORWARD = ("ZYX", (-90, 0, -90))
"""Angles of REP 103 (about fixed axes x, y, z) that turn a body with x forward and z up into an optical frame."""


def turned(parent: str, sequence: str = "ZYX", angles: Any = (0, 0, 0)) -> Data:
    """Return a frame with angles in degrees."""
    return {"parent": parent, "orientation": {"form": "axes", "sequence": sequence, "angles": angles, "unit": "deg"}}


def with_matrix(parent: str, T: Any) -> Data:
    """Return a frame with the rotation of its parent into it."""
    rows = np.asarray(T, dtype=float).tolist()
    return {"parent": parent, "orientation": {"form": "matrix", "rows": rows, "maps": "parent to frame"}}


def plan_of(frames: Data, **more: Any) -> Plan:
    """Return the compiled scene of frames."""
    return compile_plan(Scene.model_validate({"framescope": 1, "frames": frames, **more}))


def field_of_view(frame: str) -> Data:
    """Return a body that draws a field of view."""
    return {"lens": {"frame": frame, "shape": {"form": "frustum", "depth": "1 m", "width": "1 m", "height": "1 m"}}}


BODY = turned("world", angles=("30*t", "10*sin(t)", "15*sin(2*t)"))
"""A body with x forward and z up that turns and sways."""

FRD_BODY = turned("world", angles=("30*t", "10*sin(t)", "180 + 15*sin(2*t)"))
"""A body with x forward and z down, by its motion."""

ON_SIDE = turned("body", "XYZ", (-90, 0, -90))
"""The angles of REP 103, taken about moving axes."""


def test_that_an_image_on_its_side_is_told_in_words_with_the_edit_that_makes_it_upright() -> None:
    plan = plan_of({"body": FRD_BODY, "camera_optical_frame": ON_SIDE})
    (problem,) = camera_problems(plan)
    assert (problem.kind, problem.title, problem.name) == ("camera-on-its-side", "image on its side", CAMERA)
    assert problem.severity == "amber"
    assert "along +y of body (right)" in problem.message
    assert "image up is −x (backward)" in problem.message
    assert [fix.text for fix in problem.fixes] == ["Make optical", "Turn upright"]
    assert_pose_after(problem, plan, CAMERA, body_rotation("FRD", OPTICAL))
    upright = problem.others[0].change.apply(plan.scene)
    T = compile_plan(upright).moment(CAMERA, 0.0).T_PF
    np.testing.assert_allclose(T[2], [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(T[1], [0.0, 0.0, 1.0], atol=1e-12)


def test_that_the_mend_gives_no_angles_in_gimbal_lock() -> None:
    plan = plan_of({"body": FRD_BODY, CAMERA: ON_SIDE})
    (problem,) = camera_problems(plan)
    assert problem.fix is not None
    form = problem.fix.change.apply(plan.scene).frames[CAMERA].orientation
    assert form is not None
    assert (form.sequence, form.angles) == ("ZYX", (90.0, 0.0, 90.0))


def assert_pose_after(problem: Problem, plan: Plan, name: str, T: Any) -> None:
    """Assert that the first edit gives a frame a rotation, and that nothing is wrong any more."""
    assert problem.fix is not None
    mended = compile_plan(problem.fix.change.apply(plan.scene))
    np.testing.assert_allclose(mended.moment(name, 0.0).T_PF, T, atol=1e-12)
    assert not list(camera_problems(mended))


FAULTS: dict[str, tuple[Data, str]] = {
    "angles of REP 103 about moving axes": ({"body": BODY, CAMERA: ON_SIDE}, "camera-on-its-side"),
    "optical by its name alone": (
        {"body": BODY, "camera_link": turned("body"), CAMERA: turned("camera_link")},
        "camera-looks-up",
    ),
    "optical by its name alone, on the body itself": ({"body": BODY, CAMERA: turned("body")}, "camera-looks-up"),
    "a quarter turn about the viewing direction": (
        {"body": BODY, CAMERA: with_matrix("body", np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]]))},
        "camera-on-its-side",
    ),
    "on a camera link of a robot's arm": (
        {
            "base": turned("world"),
            "arm": {
                "parent": "base",
                "motion": {"form": "joint", "type": "revolute", "axis": [0, 0, 1], "value": "0.3*t", "unit": "rad"},
            },
            "camera_link": turned("arm"),
            CAMERA: turned("camera_link"),
        },
        "camera-looks-up",
    ),
}


@pytest.mark.parametrize(("frames", "kind"), FAULTS.values(), ids=FAULTS)
def test_that_a_camera_with_wrong_axes_is_found_and_made_optical(frames: Data, kind: str) -> None:
    plan = plan_of(frames)
    (problem,) = camera_problems(plan)
    assert problem.kind == kind
    assert_pose_after(problem, plan, CAMERA, body_rotation("FLU", OPTICAL))


def test_that_a_field_of_view_is_checked_whatever_its_frame_is_called() -> None:
    plan = plan_of({"body": BODY, "eye": turned("body", "XYZ", (-90, 0, -90))}, bodies=field_of_view("eye"))
    assert [problem.name for problem in camera_problems(plan)] == ["eye"]


def test_that_a_deep_check_of_the_scene_tells_it_too() -> None:
    plan = plan_of({"body": BODY, CAMERA: ON_SIDE})
    assert "camera-on-its-side" in [problem.kind for problem in diagnose(plan)]


LOOKS_LEFT = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
"""Image right is forward, image down is down, and the camera looks to the left."""

HEALTHY: dict[str, Data] = {
    "forward on a body with z up": {"body": BODY, CAMERA: turned("body", *FORWARD)},
    "forward on a body with z down": {"body": FRD_BODY, CAMERA: with_matrix("body", body_rotation("FRD", OPTICAL))},
    "forward on a body that its name calls FRD, in a world that is NED": {
        "body_frd": turned("world"),
        CAMERA: with_matrix("body_frd", body_rotation("FRD", OPTICAL)),
    },
    "forward on a body with z down in a world with z down that nothing names": {
        "body": turned("world", angles=("20*t", 0, 0)),
        CAMERA: with_matrix("body", body_rotation("FRD", OPTICAL)),
    },
    "to the left": {"body": BODY, CAMERA: with_matrix("body", LOOKS_LEFT)},
    "down, image up forward": {
        "body": BODY,
        CAMERA: with_matrix("body", np.array([[0, -1, 0], [-1, 0, 0], [0, 0, -1]])),
    },
    "down, image up to the left": {
        "body": BODY,
        CAMERA: with_matrix("body", np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]])),
    },
    "down on a body with z down, without a turn": {"body_frd": turned("world"), CAMERA: turned("body_frd")},
    "tilted down by 30 degrees": {
        "body": BODY,
        "camera_link": turned("body", angles=(0, 30, 0)),
        CAMERA: turned("camera_link", *FORWARD),
    },
    "a roll of 20 degrees": {
        "body": BODY,
        "camera_link": turned("body", angles=(0, 0, 20)),
        CAMERA: turned("camera_link", *FORWARD),
    },
    "to the sky, by its name": {"body": BODY, "sky_optical": turned("body")},
    "on a tool whose z is where it works": {
        "tool0": {
            "parent": "world",
            "motion": {"form": "joint", "type": "revolute", "axis": [0, 1, 0], "value": "90", "unit": "deg"},
        },
        CAMERA: turned("tool0"),
    },
    "the second camera of a pair, in the first": {
        "body": BODY,
        "left_optical": turned("body", *FORWARD),
        "right_optical": turned("left_optical", angles=(1, 0.5, -0.3)),
    },
    "upright in the world on a mount with axes of its own": {
        "plate": turned("world", "XYZ", (90, 0, 0)),
        CAMERA: with_matrix("plate", np.array([[0, 0, 1], [0, -1, 0], [1, 0, 0]])),
    },
    "a camera that moves in the world": {CAMERA: turned("world", angles=("30*t", 0, 0))},
    "an optical table": {"world_table": turned("world"), "camera": turned("world_table", angles=(0, 90, 0))},
}


@pytest.mark.parametrize("frames", HEALTHY.values(), ids=HEALTHY)
def test_that_healthy_cameras_are_silent(frames: Data) -> None:
    assert not [problem.message for problem in camera_problems(plan_of(frames))]


def test_that_a_camera_without_a_pose_is_left_to_other_checks() -> None:
    plan = plan_of({"body": turned("bdoy"), CAMERA: turned("body")})
    assert evaluate(plan, 0.0).R_WF.shape == (3, 3, 3)
    assert not list(camera_problems(plan))


@pytest.mark.parametrize(
    "form", [{"form": "axis", "axis": "z", "angle": 0, "unit": "deg"}, None], ids=["one axis", "none"]
)
def test_that_a_form_that_cannot_express_it_becomes_three_angles(form: Data | None) -> None:
    plan = plan_of({"camera_link": turned("world"), CAMERA: {"parent": "camera_link", "orientation": form}})
    (problem,) = camera_problems(plan)
    assert_pose_after(problem, plan, CAMERA, body_rotation("FLU", OPTICAL))

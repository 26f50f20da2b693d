"""Frames as a camera sees them: which are in the image, where, and which way the others are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.frame_cameras import camera_on
from framescope.core.projection import project
from framescope.features.calibrations.core.seen_frames import has_camera, heading_of, seen_frames
from tests.support.scenes import scene_of

TEXT = """\
framescope: 1
time: {start: 0 s, end: 1 s}
frames:
  rig: {parent: world, position: {value: [0, 0, 1], unit: m}}
  cam0: {parent: rig, orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}}
  at lens: {parent: cam0}
  ahead: {parent: rig, position: {value: [4, 0, 0], unit: m}}
  left up: {parent: rig, position: {value: [4, 1, 0.5], unit: m}}
  far right: {parent: rig, position: {value: [1, -9, 0], unit: m}}
  behind below: {parent: rig, position: {value: [-4, 0, -1], unit: m}}
  secret: {parent: rig, position: {value: [3, 0, 0], unit: m}}
  lost: {parent: world, motion: {form: simulated, model: finite}}
bodies:
  lens: {frame: cam0, shape: {form: camera, resolution: [640, 480], focal_lengths: [400, 410],
    principal_point: [300, 260], depth: 30 cm, distortion: {form: equidistant, k1: 0.01}}}
view: {hidden: {frames: [secret]}}
"""


@pytest.fixture
def seen():
    plan = compile_plan(scene_of(TEXT))
    camera = camera_on(plan, "cam0")
    assert camera is not None
    return camera, seen_frames(plan, camera, evaluate(plan, 0.0), axis_px=30.0)


def test_that_the_nearest_are_first_and_the_camera_and_hidden_frames_are_left_out(seen) -> None:
    _, frames = seen
    assert frames.names[:3] == ("far right", "ahead", "left up")
    assert set(frames.names) == {"far right", "ahead", "left up", "behind below", "world", "lost"}


def test_that_each_frame_is_where_it_is(seen) -> None:
    camera, frames = seen
    sights = {name: frames.sight(name) for name in frames.names}
    assert sights["ahead"] == sights["left up"] == "in the image"
    assert sights["far right"] == "outside the image"
    assert sights["behind below"] == "not in front of the camera"
    assert sights["lost"] == "no pose"
    assert frames.sight("cam0") is None
    assert frames.sight("secret") is None
    assert_allclose(frames.pixel("ahead"), (300.0, 260.0), atol=1e-9)
    assert_allclose(frames.pixel("left up"), project(camera.model, [-1.0, -0.5, 4.0]), atol=1e-9)
    assert np.isnan(frames.pixel("secret")).all()


def test_that_axes_are_short_and_point_as_those_of_the_frame(seen) -> None:
    _, frames = seen
    i = frames.names.index("ahead")
    x, y, z = frames.axes[i] - frames.pixels[i]  # x away from the camera, y to the left, z up
    assert np.hypot(*x) < 1e-9
    assert y == pytest.approx((-30.0, 0.0), rel=0.03, abs=1e-9)
    assert z == pytest.approx((0.0, -30.0), rel=0.03, abs=1e-9)


def test_that_frames_outside_have_the_direction_in_which_the_camera_turns_to_them(seen) -> None:
    camera, frames = seen

    def heading(name: str) -> np.ndarray:
        i = frames.names.index(name)
        return heading_of(camera, frames.p_C[i], frames.pixels[i])

    assert heading("far right") == pytest.approx((1.0, 0.0), abs=0.1)
    assert heading("behind below") == pytest.approx((0.0, 1.0), abs=1e-9)
    assert heading_of(camera, np.array([0.0, 0.0, -3.0]), np.full(2, np.nan)) == pytest.approx((0.0, 1.0))


def test_that_a_scene_without_a_camera_has_none() -> None:
    assert has_camera(scene_of(TEXT))
    bare = TEXT[: TEXT.index("bodies:")] + "bodies: {box: {frame: rig, shape: {form: sphere, radius: 1 m}}}\n"
    assert not has_camera(scene_of(bare))

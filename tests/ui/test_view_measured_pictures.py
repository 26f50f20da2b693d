"""Pictures of what is measured and of mechanics: the colours that are seen, and what shows through bodies."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.ui.theme.tokens import DARK, LIGHT, channels
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import HEAD
from tests.ui.test_view_pictures import colored, open_stage  # noqa: F401 - a fixture

pytestmark = pytest.mark.window

VIEW = """\
view:
  triads: false
  labels: false
  links: false
  grid: 100 m
  camera: {position: [0.5, -2.5, 0.6], focal_point: [0, 0, 0.2], unit: m}
"""
DISC = HEAD + '  disc: {parent: world, orientation: {form: axis, axis: z, angle: "t", unit: rad}}\n'
TURNING = (
    DISC
    + """\
sensors:
  gyro: {form: absolute, frame_a: disc, get_r: false, get_w: true, arrows: {w: 0.5 m per rad/s}}
"""
    + VIEW
)
BOX = "bodies:\n  hull: {frame: disc, shape: {form: box, size: [1, 1, 1.2], unit: m}}\n"


def hued(picture: np.ndarray, color: str) -> int:
    """Return how many pixels are a lit surface of a colour: brighter or darker, but of its hue."""
    target = np.array(channels(color))
    length = np.linalg.norm(picture, axis=-1)
    aligned = picture @ target / np.linalg.norm(target) / np.maximum(length, 1.0)
    return int(((aligned > 0.985) & (length > 90) & (np.ptp(picture, axis=-1) > 60)).sum())


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_that_a_sensor_is_seen_in_its_colour_with_a_letter_and_a_scale(open_stage, theme) -> None:  # noqa: F811
    picture = open_stage(theme).set(TURNING, 1.0).picture()
    assert hued(picture, theme.sensor) > 300
    corner = picture[:60, -200:]
    assert colored(corner, theme.sensor) > 20
    without = open_stage(theme).set(TURNING.replace(", arrows: {w: 0.5 m per rad/s}", ""), 1.0).picture()
    assert hued(without, theme.sensor) == 0


def test_that_an_arrow_inside_a_body_shows_through_it_palely(open_stage) -> None:  # noqa: F811
    text = TURNING.replace("view:", BOX + "view:")
    stage = open_stage()
    inside = stage.set(text, 1.0).picture()
    bare = stage.set(text.replace(", arrows: {w: 0.5 m per rad/s}", ""), 1.0).picture()
    is_changed = np.abs(inside - bare).max(axis=-1) > 8
    is_changed[:60] = False  # the legend
    assert is_changed.sum() > 300
    yellow = 255 * np.array(channels(DARK.sensor))
    assert np.median(np.abs(inside[is_changed] - yellow).max(axis=-1)) > 40  # only its letter is as bright


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_that_forces_torques_and_points_are_seen_in_their_colours(open_stage, theme) -> None:  # noqa: F811
    text = MECHANICS.replace("torques: 0.1 m", "torques: 2 m").replace(
        "view:\n", VIEW.replace("focal_point: [0, 0, 0.2]", "focal_point: [0, 0, 0.5]")
    )
    stage = open_stage(theme)
    picture = stage.set(text, 0.4).picture()
    assert hued(picture[60:], theme.force) > 200
    assert hued(picture[60:], theme.omega) > 20
    none = stage.set(text.replace("  forces: 20 mm per N\n  torques: 2 m per N m\n", ""), 0.4).picture()
    assert hued(none[60:], theme.omega) == 0
    assert hued(none[60:], theme.force) < 0.4 * hued(picture[60:], theme.force)  # the source of a force is left


def test_that_a_measurement_is_paler_than_the_axes_it_is_about(open_stage) -> None:  # noqa: F811
    measurement = (
        "measured:\n  seen: {form: pose, of: disc, relative_to: world, position: {value: [0.4, 0, 0], unit: m}}\n"
    )
    text = DISC + measurement + VIEW.replace("triads: false", "triad_length: 0.3 m")
    stage = open_stage()
    both = stage.set(text, 0.0).picture()
    one = stage.set(text.replace(measurement, ""), 0.0).picture()
    is_changed = np.abs(both - one).max(axis=-1) > 8
    assert is_changed.sum() > 300
    for color in DARK.axes:
        assert colored(both, color, 12) < 1.1 * colored(one, color, 12) + 5

"""The viewpoint that a person leaves in a scene file, in the whole window by real events."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from framescope.app.session.scene_lookup import example_path
from framescope.app.storage.settings import Settings
from tests.support.hands import CTRL, Key, pull, strike
from tests.support.whole_window import strike_in, wait_for, wait_until_saved, windows

pytestmark = pytest.mark.usefixtures("dark")

SCENE = """\
framescope: 1
frames:
  arm: {parent: world, position: {value: [1, 0, 0], unit: m}}
view:
  camera: {position: [4, -5, 3], focal_point: [0, 0, 0.5], unit: m}
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "left.yaml"
    path.write_text(SCENE)
    return path


def orbit(wiring) -> None:
    """Turn the camera by a drag in the scene."""
    view = wiring.window.scene_view
    y = view.height() / 2
    pull(view, [QPointF(60.0 + 20.0 * i, y + 5.0 * i) for i in range(6)])


def camera(wiring):
    return wiring.window.scene_view.camera.state


def test_that_a_file_opens_with_the_viewpoint_that_was_left(qtbot, path) -> None:
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        own = camera(wiring)
        orbit(wiring)
        seen = camera(wiring)
        assert seen != own
        assert not wiring.session.document.is_dirty
        strike_in(wiring, Key.Key_S, CTRL)
        wait_until_saved(wiring)
        assert path.read_text() == SCENE
    with windows(qtbot) as open_it:
        again = open_it(path)
        assert camera(again) == seen
        assert not again.session.document.is_dirty
        again.window.scene_view.setFocus()
        strike(again.window.scene_view, Key.Key_R)
        assert camera(again) == own
    with windows(qtbot) as open_it:
        assert camera(open_it(path)) == own


def test_that_each_file_has_its_viewpoint_and_examples_open_as_they_are(open_window, path, tmp_path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(SCENE)
    wiring = open_window(path)
    own = camera(wiring)
    orbit(wiring)
    seen = camera(wiring)
    open_file(wiring, other)
    assert camera(wiring) == own
    open_file(wiring, path)
    assert camera(wiring) == seen
    open_file(wiring, example_path("aircraft"))
    authored = camera(wiring)
    orbit(wiring)
    open_file(wiring, path)
    open_file(wiring, example_path("aircraft"))
    assert camera(wiring) == authored


def open_file(wiring, path) -> None:
    wiring.open(path)
    wait_for(lambda: wiring.session.document.path == path and wiring.files.opening is None)


def test_that_a_camera_changed_in_the_file_and_a_damaged_memory_count_for_nothing(qtbot, path) -> None:
    with windows(qtbot) as open_it:
        orbit(open_it(path))
    fields = Settings().viewpoint_of(path)
    assert fields
    path.write_text(SCENE.replace("[4, -5, 3]", "[6, 0, 2]"))
    with windows(qtbot) as open_it:
        assert camera(open_it(path)).position == (6.0, 0.0, 2.0)
    path.write_text(SCENE)
    for damage in ({"position": [1, 2]}, {"view_angle": 7.0}, {"up": "zzz"}, {"focal_point": [float("nan")] * 3}):
        Settings().set_viewpoint_of(path, {**fields, **damage})
        with windows(qtbot) as open_it:
            assert camera(open_it(path)).position == (4.0, -5.0, 3.0), damage

"""A lecturer with the quaternion panel: two turns and a belt, the ball, a product, and all of it tried in the scene."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from scipy.spatial.transform import Rotation

from framescope.app.session.scene_lookup import example_path
from framescope.core.kernels.validation import Array
from framescope.features.quaternions.ui.quaternion_panel import BALL, COVER, PRODUCT, SANDWICH
from tests.support.hands import Key, focus, strike, type_in
from tests.support.whole_window import click, strike_in, wait_for

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(open_window):
    wiring = open_window(example_path("aircraft"))
    wiring.session.scrub(8.4)
    wiring.session.end_scrub()
    wiring.window.show_dock("quaternion")
    wait_for(lambda: "quaternion" in wiring.window.instruments)
    return wiring


@pytest.fixture
def panel(wiring):
    return wiring.window.instruments["quaternion"]


def orientation(wiring) -> Rotation:
    """The frame in its parent, as the scene has it now."""
    session = wiring.session
    T = session.plan.moment("aircraft", float(session.snapshot.t)).T_PF
    return Rotation.from_matrix(np.asarray(T).T)


def show(panel, view: str) -> None:
    click(panel.views.buttons[view])


def same(q: Array, other: Rotation) -> bool:
    return abs(float(q @ other.as_quat())) == pytest.approx(1.0, abs=1e-9)


def test_that_the_quaternion_is_that_of_the_selected_frame_and_goes_with_time(wiring, panel) -> None:
    assert "aircraft in north-east-down" in panel.title.text()
    assert same(panel.cover.q.values, orientation(wiring))
    np.testing.assert_array_equal(panel.cover.opposite.values, -panel.cover.q.values)
    wiring.session.scrub(2.0)
    assert same(panel.cover.q.values, orientation(wiring))
    wiring.session.select(("frames", "world"))
    assert panel.empty.isVisible()


def test_that_a_full_turn_brings_the_frame_back_with_the_other_sign_and_a_belt_is_loosened_after_two(
    wiring, panel
) -> None:
    start = orientation(wiring)
    click(panel.preview_button)
    type_in(panel.cover.field, "360")
    assert panel.cover.q.values[3] == pytest.approx(-1.0)
    assert "q is −1" in panel.cover.words.text()
    assert orientation(wiring).magnitude() == pytest.approx(0.0, abs=1e-7)  # as the parent stands
    assert not panel.cover.loose.isEnabled()
    type_in(panel.cover.field, "720")
    assert panel.cover.q.values[3] == pytest.approx(1.0)
    assert panel.cover.loose.isEnabled()
    twisted = panel.cover.belt.belt.across
    assert np.ptp(twisted, axis=0).max() > 1.9
    focus(panel.cover.loose)
    for _ in range(100):
        strike(panel.cover.loose, Key.Key_Right)
    assert panel.cover.loose.value == pytest.approx(1.0)
    np.testing.assert_allclose(panel.cover.belt.belt.across, np.broadcast_to([0.0, 1.0, 0.0], twisted.shape), atol=1e-9)
    click(panel.preview_button)
    assert (orientation(wiring).inv() * start).magnitude() == pytest.approx(0.0, abs=1e-9)
    assert not wiring.session.document.is_dirty


def test_that_the_long_way_leaves_the_ball_and_both_lead_to_the_frame(wiring, panel) -> None:
    show(panel, BALL)
    target = orientation(wiring)
    short = panel.ball.picture.traces[-1]
    assert np.isfinite(short.vectors).all()
    click(panel.ball.way.buttons["long way"])
    long = panel.ball.picture.traces[-1]
    assert not np.isfinite(long.vectors).all()  # it is parted where it goes through the surface
    assert same(panel.ball.chosen.at(1.0), target)
    assert len(panel.ball.picture.traces) == 2  # and the path of the frame
    click(panel.preview_button)
    focus(panel.ball.slider)
    strike(panel.ball.slider, Key.Key_Left)
    share = panel.ball.share
    assert 0.9 < share < 1.0
    assert orientation(wiring).magnitude() == pytest.approx(2 * math.pi - share * panel.ball.chosen.angle)
    show(panel, COVER)  # another view gives the frame back
    assert same(target.as_quat(), orientation(wiring))


def test_that_products_and_terms_are_those_of_the_vector_that_is_typed(wiring, panel) -> None:
    show(panel, SANDWICH)
    for field, text in zip(panel.sandwich.fields, ("0.2", "-1.5", "3"), strict=True):
        type_in(field, text)
    expected = orientation(wiring).apply([0.2, -1.5, 3.0])
    np.testing.assert_allclose(panel.sandwich.whole.values, [*expected, 0.0], atol=1e-12)
    np.testing.assert_allclose(panel.sandwich.sum.values, expected, atol=1e-12)
    assert not panel.preview_button.isEnabled()


def test_that_a_second_turn_stands_right_or_left_and_is_tried_in_the_scene(wiring, panel) -> None:
    show(panel, PRODUCT)
    before = orientation(wiring)
    click(panel.preview_button)
    type_in(panel.product.field, "35")
    click(panel.product.axis.buttons["y"])
    turn = Rotation.from_euler("y", 35, degrees=True)
    assert same((before * turn).as_quat(), orientation(wiring))
    click(panel.product.whose.buttons["of the parent"])
    assert same((turn * before).as_quat(), orientation(wiring))
    wiring.window.hide_dock("quaternion")
    assert same(before.as_quat(), orientation(wiring))


def test_that_it_speaks_radians_and_is_found_by_search(wiring, panel) -> None:
    wiring.window.scene_view.set_angle_unit("rad")
    assert panel.cover.field.value == pytest.approx(panel.cover.angle, abs=1e-6)
    wiring.window.hide_dock("quaternion")
    strike_in(wiring, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QGuiApplication.focusObject(), "belt sandwich")
    strike(wiring.window, Key.Key_Return)
    wait_for(lambda: not wiring.window.docks["quaternion"].isHidden())

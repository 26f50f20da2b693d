"""The context menu of the scene, by the right button and the keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from framescope.core.scene.edits.answers import forms_given
from framescope.ui.scene_view.visuals.problem_tints import ProblemTints
from tests.support.hands import Key, strike
from tests.support.whole_window import choose, click_item, wait_for

pytestmark = pytest.mark.window

SCENE = """\
framescope: 1
frames:
  left: {parent: world, position: {value: [-1, 0, 0], unit: m}}
  right & far: {parent: world, position: {value: [1, 0, 0.5], unit: m},
    orientation: {form: axis, axis: z, angle: "30*t", unit: deg}}
bodies:
  box: {frame: left, shape: {form: box, size: [0.4, 0.4, 0.4], unit: m}}
view: {camera: {position: [0, -6, 1], focal_point: [0, 0, 0], unit: m}}
"""


@pytest.fixture
def wiring(open_window, tmp_path):
    path = tmp_path / "menu.yaml"
    path.write_text(SCENE)
    return open_window(path)


def press_right(wiring, name: str) -> QMenu:
    """Click with the right button on the origin of a frame, and return the menu."""
    view = wiring.window.scene_view
    view.drawing.draw_now() if hasattr(view.drawing, "draw_now") else None
    x, y = view.renderer.position_of(name)
    ratio = view.devicePixelRatioF()
    at = QPointF(x / ratio, view.height() - y / ratio).toPoint()
    QTest.mouseMove(view, at)
    QTest.mouseClick(view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
    wait_for(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


def scene(wiring):
    return wiring.session.document.scene


def test_that_the_menu_is_about_what_is_under_the_pointer(wiring) -> None:
    menu = press_right(wiring, "left")
    assert wiring.session.selected_frame() == "left"
    assert {"Fit the selection", "Rename", "Delete", "Copy as code"} <= {
        text.partition("\t")[0] for text in texts(menu)
    }
    strike(menu, Key.Key_Escape)
    menu = press_right(wiring, "right & far")
    assert texts(menu)[0] == "right && far"
    assert "Make it the parent of left" in texts(menu)
    strike(menu, Key.Key_Escape)


def test_that_a_frame_is_asked_and_hung_from_the_menu(wiring) -> None:
    click_item(wiring, ("frames", "left"))
    menu = press_right(wiring, "right & far")
    choose(menu, "Show its angular velocity as", "number")
    assert forms_given(scene(wiring), wiring.window.question.question) == {"number"}
    click_item(wiring, ("frames", "left"))
    choose(press_right(wiring, "right & far"), "Ask how it moves relative to left")
    question = wiring.window.question.question
    assert (question.of, question.relative_to) == ("right & far", "left")
    click_item(wiring, ("frames", "left"))
    before = wiring.session.snapshot.p_WF[wiring.session.plan.index["left"]].copy()
    choose(press_right(wiring, "right & far"), "Make it the parent of left")
    assert scene(wiring).frames["left"].parent == "right & far"
    assert wiring.session.snapshot.p_WF[wiring.session.plan.index["left"]] == pytest.approx(before)
    click_item(wiring, ("frames", "right & far"))
    choose(press_right(wiring, "left"), "Make it the parent of right  far")
    assert scene(wiring).frames["right & far"].parent == "world"
    assert wiring.window.status.message


def test_that_the_background_has_a_menu_of_the_scene_and_a_drag_none(wiring) -> None:
    view = wiring.window.scene_view
    corner = QPointF(view.width() - 40, view.height() - 80).toPoint()
    QTest.mousePress(view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, corner)
    QTest.mouseMove(view, corner - QPointF(30, 30).toPoint())
    QTest.mouseRelease(
        view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, corner - QPointF(30, 30).toPoint()
    )
    assert QApplication.activePopupWidget() is None
    QTest.mouseClick(view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, corner)
    wait_for(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert {"Insert", "Fit the scene", "Export…"} <= {text.partition("\t")[0] for text in texts(menu)}
    strike(menu, Key.Key_Escape)


def test_that_the_menu_key_opens_the_menu_of_the_selected_item(wiring) -> None:
    click_item(wiring, ("bodies", "box"))
    view = wiring.window.scene_view
    view.setFocus()
    middle = view.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, view.mapToGlobal(middle))
    QApplication.sendEvent(view, event)
    wait_for(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert texts(menu)[0] == "box"
    strike(menu, Key.Key_Escape)


def test_that_the_plate_of_a_problem_leads_to_its_item(open_window, tmp_path) -> None:
    path = tmp_path / "wrong.yaml"
    lens = "  lens: {frame: eye, shape: {form: frustum, depth: 1 m, width: 1 m, height: 1 m}}"
    eye = "  eye: {parent: left, orientation: {form: axes, sequence: XYZ, angles: [-90, 0, -90], unit: deg}}"
    path.write_text(SCENE.replace("view:", f"{lens}\nview:").replace("bodies:", f"{eye}\nbodies:"))
    wiring = open_window(path)
    view = wiring.window.scene_view
    tints = lambda: view.renderer.visual(ProblemTints)  # noqa: E731
    wait_for(lambda: tints() is not None and np.isfinite(tints().plate_boxes).any())
    left, bottom, right, top = tints().plate_boxes[np.isfinite(tints().plate_boxes).all(axis=1)][0]
    ratio = view.devicePixelRatioF()
    at = QPointF(0.5 * (left + right) / ratio, view.height() - 0.5 * (bottom + top) / ratio).toPoint()
    QTest.mouseMove(view, at)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert wiring.session.selected_frame() == "eye"

"""What the camera sees, by mouse and keyboard in the whole window."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from framescope.core.scene.edits.items import remove_items
from framescope.features.calibrations.ui.image_panel import ImagePanel
from framescope.ui.formatting.item_names import sentence
from tests.support.hands import LEFT, PLAIN, Key, strike
from tests.support.rig_files import write_files
from tests.support.whole_window import click_item, drop_files, from_menu, wait_for, windows

SCENE = """\
framescope: 1
title: A rig
time: {start: 0 s, end: 10 s}
frames:
  rig: {parent: world, position: {value: [0, 0, 1], unit: m}}
  cam0:
    parent: rig
    orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}
    source: {file: camchain.yaml, entry: cam0.T_cam_imu, maps: parent to frame}
  cam1: {parent: cam0, position: {value: [0.2, 0, 0], unit: m}}
  ball: {parent: world, position: {value: [4, "0.2*t", 1], unit: m}}
  cone: {parent: world, position: {value: [4, 1, 1.5], unit: m}}
  tail: {parent: rig, position: {value: [-3, 0, 0.5], unit: m}}
bodies:
  lens 0: {frame: cam0, shape: {form: camera, resolution: [640, 480], focal_lengths: [400, 400],
    principal_point: [320, 240], depth: 30 cm, picture: seen.png}}
  lens 1: {frame: cam1, shape: {form: camera, resolution: [320, 240], focal_lengths: [200, 200],
    principal_point: [160, 120], depth: 30 cm}}
  marker: {frame: ball, shape: {form: sphere, radius: 20 cm}}
"""


@pytest.fixture
def desk(qtbot, tmp_path):
    path = tmp_path / "rig.yaml"
    path.write_text(SCENE, "utf-8")
    Image.new("RGB", (64, 48), (10, 200, 40)).save(tmp_path / "seen.png")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        wiring.window.resize(1440, 900)
        wiring.session.select(("frames", "ball"))
        yield wiring


def panel_of(wiring) -> ImagePanel:
    wiring.window.show_dock("image")
    wait_for(lambda: wiring.window.findChild(ImagePanel) is not None)
    panel = wiring.window.findChild(ImagePanel)
    wait_for(lambda: panel.isVisible() and panel.view.seen is not None)
    return panel


def click_at(view, pixel) -> None:
    QTest.mouseClick(view, LEFT, PLAIN, view.place_of(np.array(pixel)).toPoint())


def colour_at(view, point: QPoint):
    image = view.grab().toImage()
    ratio = image.width() / view.width()
    return image.pixelColor(round(point.x() * ratio), round(point.y() * ratio))


def test_that_it_shows_the_pixel_of_the_selected_frame_and_follows_time(desk) -> None:
    panel = panel_of(desk)
    assert panel.camera.frame == "cam0"
    assert panel.pixel.label == "ball"
    np.testing.assert_allclose(panel.pixel.values, (320.0, 240.0), atol=1e-9)
    desk.session.scrub(5.0)
    wait_for(lambda: abs(panel.pixel.values[0] - 220.0) < 1e-6)
    np.testing.assert_allclose(panel.pixel.values, (320.0 - 400.0 / 4.0, 240.0), atol=1e-9)
    assert panel.sight.text() == "in the image"
    assert panel.summary.text() == "2 of 5 frames in the image, 3 not in front of the camera"


def test_that_the_picture_is_behind_the_frames(desk) -> None:
    view = panel_of(desk).view
    corner = view.image_area.topLeft().toPoint() + QPoint(12, 12)
    colour = colour_at(view, corner)
    assert (colour.red(), colour.green(), colour.blue()) == pytest.approx((10, 200, 40), abs=6)


def test_that_a_click_selects_the_frame_in_the_image(desk) -> None:
    panel = panel_of(desk)
    click_at(panel.view, (220.0, 190.0))
    assert desk.session.selection == ("frames", "cone")
    assert panel.pixel.label == "cone"
    click_at(panel.view, (600.0, 400.0))  # nothing is there
    assert desk.session.selection == ("frames", "cone")


def test_that_arrow_keys_step_through_the_frames_in_the_image(desk) -> None:
    panel = panel_of(desk)
    panel.view.setFocus(Qt.FocusReason.TabFocusReason)
    strike(panel.view, Key.Key_Right)
    assert desk.session.selection == ("frames", "cone")
    strike(panel.view, Key.Key_Right)
    assert desk.session.selection == ("frames", "ball")
    strike(panel.view, Key.Key_Left)
    assert desk.session.selection == ("frames", "cone")


def test_that_frames_outside_the_image_are_told_apart(desk) -> None:
    panel = panel_of(desk)
    for frame, words in (("tail", "not in front of the camera"), ("cam0", "cam0 is the camera"), ("rig", "not shown")):
        desk.session.select(("frames", frame))
        QApplication.processEvents()
        assert panel.sight.text() == words
        assert np.isnan(panel.pixel.values).all()
    assert panel.plot_button.isEnabled() is False


def test_that_a_box_chooses_among_several_cameras(desk) -> None:
    panel = panel_of(desk)
    assert panel.choice.isVisible()
    panel.choice.setFocus()
    strike(panel.choice, Key.Key_Down)
    assert panel.camera.frame == "cam1"
    assert panel.lens.text() == "320 × 240 px, pinhole"
    np.testing.assert_allclose(panel.pixel.values, (160.0 - 200.0 * 0.2 / 4.0, 120.0), atol=1e-9)
    assert panel.view.accessibleName() == "image of cam1"


def test_that_tab_goes_from_the_box_to_the_image_and_the_pixel(desk) -> None:
    panel = panel_of(desk)
    panel.choice.setFocus(Qt.FocusReason.TabFocusReason)
    order = []
    for _ in range(2):
        strike(QApplication.focusWidget(), Key.Key_Tab)
        order.append(QApplication.focusWidget())
    assert order == [panel.view, panel.pixel]
    for widget in (panel.choice, panel.view, panel.pixel, panel.plot_button):
        assert widget.accessibleName()


def test_that_the_button_plots_the_pixel(desk) -> None:
    panel = panel_of(desk)
    QTest.mouseClick(panel.plot_button, LEFT, PLAIN, panel.plot_button.rect().center())
    (plot,) = desk.session.document.scene.view.plots
    assert (plot.signal, plot.of, plot.relative_to, plot.unit) == ("pixel", "ball", "cam0", "px")
    assert not desk.session.plan.problems


def test_that_the_dock_goes_with_the_last_camera(desk) -> None:
    panel = panel_of(desk)
    desk.session.commit(remove_items(desk.session.document.scene, [("bodies", "lens 0")]))
    wait_for(lambda: panel.camera is not None and panel.camera.frame == "cam1")
    assert not panel.choice.isVisible()
    assert panel.title.text() == "cam1"
    desk.session.commit(remove_items(desk.session.document.scene, [("bodies", "lens 1")]))
    wait_for(lambda: panel.camera is None)
    assert not desk.window.has_dock("image")
    desk.session.undo()
    assert desk.window.has_dock("image")


def test_that_it_opens_from_the_menu_and_goes_with_the_last_camera(qtbot, tmp_path) -> None:
    path = tmp_path / "plain.yaml"
    path.write_text("framescope: 1\nframes:\n  arm: {parent: world}\n", "utf-8")
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        window = wiring.window
        window.set_place("Check")
        assert not window.has_dock("image")
        assert drop_files(wiring, write_files(tmp_path)[0])
        wait_for(lambda: "cam0" in wiring.session.document.scene.frames)
        from_menu(wiring, "Window", "More panels", "Image")
        assert window.has_dock("image")
        wiring.session.undo()
        assert not window.has_dock("image")
        from_menu(wiring, "Window", "More panels", "Image")
        wait_for(lambda: window.findChild(ImagePanel) is not None and window.findChild(ImagePanel).isVisible())
        panel = window.findChild(ImagePanel)
        assert panel.currentWidget() is panel.empty
        texts = [label.text() for label in panel.empty.findChildren(QLabel)]
        assert "No camera" in texts
        click_item(wiring, ("frames", "arm"))
        assert window.has_dock("image"), "the user has opened it"


def test_that_hovering_over_a_row_tells_where_the_pose_is_from(desk) -> None:
    tree = desk.window.outline.tree
    for name, words in (("cam0", "T_cam_imu of cam0 in camchain.yaml takes points of rig to cam0"), ("ball", "")):
        QToolTip.hideText()
        wait_for(lambda: not QToolTip.isVisible())
        at = tree.visualRect(tree.index_of(("frames", name))).center()
        QTest.mouseMove(tree.viewport(), at)
        event = QHelpEvent(QEvent.Type.ToolTip, at, tree.viewport().mapToGlobal(at))
        QApplication.sendEvent(tree.viewport(), event)
        assert words in QToolTip.text()
        assert bool(QToolTip.text()) == bool(words)


def test_that_the_page_of_a_frame_says_where_its_pose_is_from(desk) -> None:
    page = desk.window.inspector.frame_page
    assert not page.source.isVisible()
    desk.session.select(("frames", "cam0"))
    assert page.source.text() == "T_cam_imu of cam0 in camchain.yaml takes points of rig to cam0"
    assert page.source.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    assert sentence(page.source.text())

"""Notes by hand: added from the menu, typed, carried over the picture, taken back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import example_path
from framescope.ui.panels.inspector.editors.paragraphs import ParagraphEditor
from framescope.ui.scene_view.visuals.notes import Notes
from tests.support.hands import CTRL, LEFT, PLAIN, Key, strike
from tests.support.whole_window import NO_BUTTON, strike_in, wait_for, windows

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def wiring(qtbot):
    with windows(qtbot) as open_it:
        wiring = open_it(example_path("aircraft"))
        wiring.window.resize(1280, 800)
        QApplication.processEvents()
        wiring.session.pause()
        wiring.session.scrub(8.0)
        yield wiring


def notes_of(wiring):
    return wiring.session.document.scene.notes


def editor_of(wiring) -> ParagraphEditor:
    return next(e for e in wiring.window.inspector.findChildren(ParagraphEditor) if e.isVisibleTo(wiring.window))


def insert_note(wiring) -> None:
    next(action for action in wiring.window.findChildren(QAction) if action.text() == "Note").trigger()
    QApplication.processEvents()


def center_of(wiring, name: str) -> QPoint:
    view = wiring.window.scene_view
    view.renderer.prepare()
    left, bottom, right, top = view.renderer.visual(Notes).box_of(name)
    ratio = view.devicePixelRatioF()
    return QPoint(round((left + right) / 2 / ratio), round(view.height() - (bottom + top) / 2 / ratio))


def drag(wiring, start: QPoint, end: QPoint, *, is_dropped: bool = True) -> None:
    view = wiring.window.scene_view
    QTest.mousePress(view, LEFT, PLAIN, start)
    for share in (0.3, 0.6, 1.0):
        at = start + (end - start) * share
        places = at.toPointF(), view.mapToGlobal(at).toPointF()
        QApplication.sendEvent(view, QMouseEvent(QMouseEvent.Type.MouseMove, *places, NO_BUTTON, LEFT, PLAIN))
        QApplication.processEvents()
    if is_dropped:
        QTest.mouseRelease(view, LEFT, PLAIN, end)


def test_that_a_note_is_added_at_the_selected_frame_typed_and_taken_back(wiring) -> None:
    wiring.session.select(("frames", "aircraft"))
    insert_note(wiring)
    assert notes_of(wiring)["note"].frame == "aircraft"
    assert wiring.session.selection == ("notes", "note")
    box = editor_of(wiring).box
    box.setFocus()
    strike_in(wiring, Key.Key_A, CTRL)
    QTest.keyClicks(box, r"Yaw is $\alpha$")
    wait_for(lambda: wiring.session.plan.scene.notes["note"].text == r"Yaw is $\alpha$")  # a preview, seen while typed
    assert notes_of(wiring)["note"].text == "A note"
    strike(box, Key.Key_Return, CTRL)
    assert notes_of(wiring)["note"].text == r"Yaw is $\alpha$"
    wiring.session.undo()
    assert notes_of(wiring)["note"].text == "A note"
    assert box.toPlainText() == "A note" or box.hasFocus()
    wiring.session.undo()
    assert "note" not in notes_of(wiring)


def test_that_escape_gives_back_what_was_there_and_an_empty_note_is_refused(wiring) -> None:
    insert_note(wiring)
    box = editor_of(wiring).box
    box.setFocus()
    QTest.keyClicks(box, "more ")
    strike(box, Key.Key_Escape)
    assert box.toPlainText() == "A note"
    assert wiring.session.plan.scene.notes["note"].text == "A note"
    strike_in(wiring, Key.Key_A, CTRL)
    strike(box, Key.Key_Delete)
    strike(box, Key.Key_Return, CTRL)
    assert editor_of(wiring).message
    assert notes_of(wiring)["note"].text == "A note"


def test_that_a_note_is_carried_over_the_picture_by_the_mouse(wiring) -> None:
    wiring.session.select(("frames", "north-east-down"))
    insert_note(wiring)
    before, camera = notes_of(wiring)["note"], wiring.window.scene_view.camera.state
    start = center_of(wiring, "note")
    end = QPoint(300, 260)
    drag(wiring, start, end)
    view = wiring.window.scene_view
    assert notes_of(wiring)["note"].at == pytest.approx((300 / view.width(), 260 / view.height()), abs=0.01)
    assert notes_of(wiring)["note"].frame == before.frame  # it still tells of it, with a line
    assert view.camera.state == camera
    assert (center_of(wiring, "note") - end).manhattanLength() <= 4
    wiring.session.undo()
    assert notes_of(wiring)["note"] == before


def test_that_escape_puts_a_carried_note_back_and_a_click_selects_it(wiring) -> None:
    insert_note(wiring)
    before = notes_of(wiring)["note"]
    wiring.session.select(("frames", "aircraft"))
    at = center_of(wiring, "note")
    drag(wiring, at, QPoint(200, 300), is_dropped=False)
    assert wiring.session.plan.scene.notes["note"].at != before.at
    strike(wiring.window.scene_view, Key.Key_Escape)
    QTest.mouseRelease(wiring.window.scene_view, LEFT, PLAIN, QPoint(200, 300))
    assert wiring.session.plan.scene.notes["note"] == before
    QTest.mouseClick(wiring.window.scene_view, LEFT, PLAIN, center_of(wiring, "note"))
    assert wiring.session.selection == ("notes", "note")


def test_that_carrying_a_note_while_time_runs_is_no_motion_of_the_selected_frame(wiring) -> None:
    insert_note(wiring)
    wiring.session.select(("frames", "aircraft"))
    wiring.session.scrub(2.0)
    wiring.session.toggle_play()
    drag(wiring, center_of(wiring, "note"), QPoint(300, 260), is_dropped=False)
    assert wiring.session.playback.is_playing
    assert wiring.plots.dragged_frame == ""
    QTest.mouseRelease(wiring.window.scene_view, LEFT, PLAIN, QPoint(300, 260))
    assert notes_of(wiring)["note"].at is not None

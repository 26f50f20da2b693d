"""Two numbers compared by real keys and mouse: pasted, answered, copied for an issue, added to the scene."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framescope.app.session.scene_lookup import find_scene
from framescope.features.compare import compare
from framescope.features.compare.ui.compare_panel import ComparePanel
from framescope.features.detective.ui.detective_panel import DetectivePanel
from tests.support.whole_window import click, wait_for

pytestmark = pytest.mark.usefixtures("dark")

BOTH = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def wiring(open_window):
    opened = open_window(find_scene("demo"))
    opened.window.resize(1280, 800)
    return opened


def compare_keys(wiring) -> ComparePanel:
    """Press the keys of the comparison, and return its panel."""
    window = wiring.window
    window.activateWindow()
    window.scene_view.setFocus()
    QTest.keyClick(window.scene_view, Qt.Key.Key_V, BOTH)
    wait_for(lambda: (panel := window.findChild(ComparePanel)) is not None and panel.isVisible())
    return window.findChild(ComparePanel)


def test_that_keys_bring_the_clipboard_and_an_answer(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().setText("30 30 60")
    panel = compare_keys(wiring)
    wait_for(lambda: panel.texts()[0] == "30 30 60")
    assert QApplication.focusWidget() is panel.sides[1].text
    drawn = []
    panel.candidates_shown.connect(drawn.append)
    QTest.keyClicks(QApplication.focusWidget(), "0.8415 0.0915 0.3415 0.4085")
    wait_for(lambda: panel.answer is not None)
    assert panel.answer.verdict in ("settled", "likely")
    assert panel.verdict.text().startswith(("Settled.", "Likely."))
    assert "scalar last: x y z w, or scalar first: w x y z" in panel.sides[1].reading.text()
    assert drawn[-1][0].label == "first and second"


def test_that_each_relation_that_remains_has_a_ghost_with_its_number(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    drawn = []
    panel.candidates_shown.connect(drawn.append)
    panel.set_text(0, "0.71 0 0 0.71")
    panel.set_text(1, "rpy 90 0 0 deg")
    wait_for(lambda: panel.answer is not None and len(panel.answer.rows) > 1)
    n = len(panel.answer.rows)
    assert panel.rows.count() == n
    assert [panel.rows.item(i).text()[:2] for i in range(n)] == [f"#{i + 1}" for i in range(n)]
    numbers = [candidate.label for candidate in drawn[-1] if candidate.label.startswith("#")]
    assert numbers == [f"#{i}" for i in range(2, n + 1)]
    panel.rows.setCurrentRow(1)
    numbers = [candidate.label for candidate in drawn[-1] if candidate.label.startswith("#")]
    assert numbers == ["#1", *(f"#{i}" for i in range(3, n + 1))]


def test_that_the_selected_frame_is_the_first_side(wiring) -> None:
    wiring.session.pause()
    wiring.session.select(("frames", "inner ring"))
    QGuiApplication.clipboard().setText("no numbers here")
    panel = compare_keys(wiring)
    wait_for(lambda: panel.texts()[0].startswith("<origin xyz="))
    assert panel.texts()[1] == ""
    click(panel.sides[1].frame)
    wait_for(lambda: panel.answer is not None)
    assert panel.answer.rows[0].is_plain
    assert panel.answer.rows[0].misfit_deg < 1e-6


def test_that_an_answer_is_copied_for_an_issue_and_added_to_the_scene(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    panel.set_text(0, "rpy 10 20 30 deg")
    panel.set_text(1, "<b>quaternion</b> wxyz 0.951549 0.038135 0.189308 0.239298")
    wait_for(lambda: panel.answer is not None and panel.answer.rows)
    click(panel.markdown)
    text = QGuiApplication.clipboard().text()
    assert "    rpy 10 20 30 deg" in text
    assert "**Settled.**" in text
    assert "Copied the comparison" in wiring.window.status.message
    names = set(wiring.session.plan.names)
    click(panel.add)
    assert set(wiring.session.plan.names) - names == {"first", "second"}
    assert wiring.session.selection == ("frames", "first")
    wiring.session.undo()
    assert set(wiring.session.plan.names) == names


def test_that_what_cannot_be_read_is_said_and_offers_nothing(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    panel.set_text(0, "The robot does not move.")
    panel.set_text(1, "rpy 10 20 30 deg")
    wait_for(lambda: panel.answer is not None)
    assert panel.verdict.text().startswith("Not read. The first: No orientation")
    assert not panel.add.isEnabled()
    assert not panel.code.isEnabled()
    panel.set_text(0, "")
    wait_for(lambda: panel.answer is None)
    assert panel.hint.isVisible()


def test_that_an_answer_to_earlier_texts_is_not_shown(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    panel.set_text(0, "30 30 60")
    panel.sides[1].text.setPlainText("0.8415 0.0915 0.3415 0.4085")  # still typing
    panel.show_comparison(compare("30 30 60", ""))
    assert panel.answer is None
    wait_for(lambda: panel.answer is not None)
    assert not panel.answer.reason


def test_that_more_pairs_go_to_the_detective_as_they_are(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    panel.set_text(0, "30 30 60")
    panel.set_text(1, "0.8415 0.0915 0.3415 0.4085")
    wait_for(lambda: panel.answer is not None)
    click(panel.more)
    wait_for(lambda: wiring.window.findChild(DetectivePanel) is not None)
    detective = wiring.window.findChild(DetectivePanel)
    wait_for(lambda: detective.a.text.toPlainText() == "30 30 60")
    assert detective.b.text.toPlainText() == "0.8415 0.0915 0.3415 0.4085"


def test_that_tab_goes_from_text_to_text(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    before = wiring.session.document.scene
    first, second = (side.text for side in panel.sides)
    wait_for(first.hasFocus)
    QTest.keyClicks(first, "rpy 10 20 30 deg")
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    QTest.keyClicks(second, "0.9515 0.0381 0.1893 0.2393")
    assert panel.texts() == ("rpy 10 20 30 deg", "0.9515 0.0381 0.1893 0.2393")
    assert wiring.session.document.scene is before
    wait_for(lambda: panel.answer is not None and panel.answer.rows)
    drawn = []
    panel.candidates_shown.connect(drawn.append)
    click(panel.add)
    assert drawn[-1] == ()  # the frames are in the place of the ghosts


def test_that_a_pose_that_is_pasted_or_dropped_goes_to_the_comparison(wiring, tmp_path) -> None:
    wiring.session.select(("", ""))
    window, before = wiring.window, wiring.session.document.scene
    QGuiApplication.clipboard().setText("- Translation: [1, 2, 3]\n- Rotation: in Quaternion [0, 0, 0.6, 0.8]")
    window.activateWindow()
    window.outline.tree.setFocus()
    QTest.keyClick(window.outline.tree, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: (panel := window.findChild(ComparePanel)) is not None and panel.isVisible())
    panel = window.findChild(ComparePanel)
    wait_for(lambda: panel.texts()[0].startswith("- Translation"))
    file = tmp_path / "driver.txt"
    file.write_text("p[1.0, 2.0, 3.0, 0.0, 0.0, 1.287002218]", encoding="utf-8")
    wiring.files.drop([str(file)])
    wait_for(lambda: panel.texts()[1].startswith("p[1.0"))
    wait_for(lambda: panel.answer is not None and panel.answer.rows)
    assert panel.answer.verdict in ("settled", "likely")
    assert wiring.session.document.scene is before


@pytest.mark.parametrize("text", ["The robot does not move.", "frames: {", "0 1 2 3\n1 2 3 4\n2 3 4 5\n"])
def test_that_other_texts_are_pasted_as_before(wiring, text) -> None:
    window = wiring.window
    QGuiApplication.clipboard().setText(text)
    window.activateWindow()
    window.outline.tree.setFocus()
    QTest.keyClick(window.outline.tree, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["compare"].isHidden()
    assert "clipboard" in window.status.message


def test_that_two_that_nothing_brings_together_are_drawn_apart_and_added(wiring) -> None:
    wiring.session.select(("", ""))
    QGuiApplication.clipboard().clear()
    panel = compare_keys(wiring)
    drawn = []
    panel.candidates_shown.connect(drawn.append)
    panel.set_text(0, "rpy 10 20 30 deg")
    panel.set_text(1, "rpy 41.3 22 87 deg")
    wait_for(lambda: panel.answer is not None and panel.answer.verdict == "neither")
    assert [(each.label, each.turn_to) for each in drawn[-1]] == [("first", "second"), ("second", "")]
    assert not panel.code.isEnabled()
    before = set(wiring.session.plan.names)
    click(panel.add)
    assert set(wiring.session.plan.names) - before == {"first", "second"}
    first = wiring.session.document.scene.frames["first"].orientation
    assert (first.sequence, first.angles) == ("ZYX", (30.0, 20.0, 10.0))

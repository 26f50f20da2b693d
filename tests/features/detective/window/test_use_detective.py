"""The detective's panel as a person uses it: paste two blocks, read the verdict, choose rows, copy the code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.core.scene.schema.motions import QuaternionColumns, Recorded
from framescope.features.detective.app.detective_controller import DetectiveController
from framescope.features.detective.core.inputs import Side
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.ui.detective_panel import COMPARING, STOPPED, WAITING, DetectivePanel
from tests.features.detective.core.test_detective_samples import motion, scene_with
from tests.support.detective_cases import as_text, random_matrices, shaken
from tests.support.hands import LEFT, PLAIN, Key, focus, strike

pytestmark = pytest.mark.usefixtures("dark")


@pytest.fixture
def used(desk, tmp_path):
    """Give the panel in a window, with a session on a scene whose recording is read wrongly."""
    quaternions = Interpretation("quaternion", "wxyz").numbers(motion(np.arange(0.0, 8.0, 0.02)))
    numbers = np.column_stack([np.zeros((len(quaternions), 3)), quaternions])
    scene_with(tmp_path, "log.txt", numbers, "format: tum")
    session = Session(Document.open(tmp_path / "scene.yaml"))
    desk.resize(640, 340)
    panel = desk.put(DetectivePanel())
    for button in panel.header_widgets():  # as the header of a dock does
        desk.layout().addWidget(button)
    detecting = DetectiveController(session, panel)
    panel.session, panel.drawn, panel.titles = session, [], []
    detecting.candidates_shown.connect(panel.drawn.append)
    panel.titled.connect(lambda *texts: panel.titles.append(texts))
    yield panel
    detecting.close()
    session.close()


def settle(panel: DetectivePanel, seen) -> None:
    """Wait as a person does, letting the thread work: until something is seen."""
    for _ in range(400):
        if seen():
            return
        loop = QEventLoop()
        QTimer.singleShot(25, loop.quit)
        loop.exec()
    raise AssertionError(f"never seen; the panel says: {panel.strip.text()}")


def paste(box, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    focus(box)
    strike(box, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    strike(box, Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def flat() -> tuple[np.ndarray, np.ndarray]:
    """Return angles without a third turn, and the quaternions."""
    random = np.random.default_rng(2)
    angles = np.column_stack([random.uniform(-60, 60, (20, 2)), np.zeros(20)])
    R = shaken(random, Interpretation("angles", "ZYX", "deg").matrices(angles))
    return angles, Interpretation("quaternion", "xyzw").numbers(R)


def click_row(panel: DetectivePanel, row: int, modifiers=PLAIN) -> None:
    area = panel.table.visualRect(panel.table.model().index(row, 1))
    QTest.mouseClick(panel.table.viewport(), LEFT, modifiers, area.center())


def test_that_an_empty_panel_says_what_to_do(used) -> None:
    assert used.strip.text() == WAITING
    assert not used.copy_button.isEnabled()
    assert not used.change.isEnabled()


def test_that_two_pasted_blocks_give_a_verdict_rows_and_code(used) -> None:
    a, b = flat()
    paste(used.a.text, as_text(a))
    paste(used.b.text, as_text(b))
    settle(used, lambda: used.comparison is not None)
    assert "Cannot tell 1 from 2" in used.strip.text()
    assert used.a.note.text() == "20 samples of 3 numbers"
    assert used.titles[-1] == ("Convention detective", "A against B · 20 samples")
    # The hand is at the numbers: nothing is taken away from under it.
    assert used.a.text.isVisible()
    QTest.mouseClick(used.see, LEFT)
    assert used.table.isVisible()
    assert used.verdict.kind == "unclear"
    assert "The third angle is 0 in all 20 samples. One sample with it at 10°" in used.verdict.text()
    model = used.table.findings
    sequences = [model.text(row, model.columns[1]) for row in range(2)]
    assert sequences == ["ZYX", "ZYZ"]
    assert model.is_unclear(0)
    assert model.is_unclear(1)
    assert not model.is_unclear(model.rowCount() - 1)

    click_row(used, 0)
    click_row(used, 1, Qt.KeyboardModifier.ControlModifier)
    assert [candidate.label for candidate in used.drawn[-1]] == ["#1", "#2", "B"]
    assert used.drawn[-1][0].frame == "world"

    action = next(action for action in used.menu.actions() if action.text() == "Python (numpy)")
    action.trigger()
    code = QGuiApplication.clipboard().text()
    scope: dict = {}
    exec(code, scope)
    found = np.array([scope["b_from_a"](row) for row in a])
    assert np.allclose(np.abs(np.sum(found * b, axis=1)), 1.0, atol=1e-4)


def test_that_more_samples_settle_what_could_not_be_told(used) -> None:
    a, b = flat()
    paste(used.b.text, as_text(b))
    paste(used.a.text, as_text(a))
    settle(used, lambda: used.comparison is not None)
    random = np.random.default_rng(5)
    more = random.uniform(-60, 60, (10, 3))
    more_b = Interpretation("quaternion", "xyzw").numbers(
        shaken(random, Interpretation("angles", "ZYX", "deg").matrices(more))
    )
    paste(used.a.text, as_text(np.vstack([a, more])))
    paste(used.b.text, as_text(np.vstack([b, more_b])))
    settle(used, lambda: used.comparison is not None and used.comparison.report.n_samples == 30)
    used.show_findings()
    assert used.verdict.kind == "found"
    assert used.verdict.text().startswith("Angles ZYX about moving axes, deg.")


def test_that_a_fault_stands_at_its_side(used) -> None:
    paste(used.a.text, "1 2 3\n4 5 6 7")
    paste(used.b.text, "1 2 3\n4 5 6")
    settle(used, used.a.message.isVisible)
    assert used.a.message.text().startswith("Line 2 has 4 numbers, those before have 3.")
    assert not used.b.message.isVisible()
    assert not used.strip.isVisible()  # the fault needs the room, and there is nothing else to say
    paste(used.a.text, "1 2 3\n4 5 6\n7 8 9")
    settle(used, lambda: "3 rows" in used.strip.text())
    assert used.strip.isVisible()
    assert not used.a.message.isVisible()


def test_that_both_sides_are_as_wide_whatever_stands_in_them(used) -> None:
    used.b.set_side(Side("recording", frame="log"))
    settle(used, lambda: used.a.width() == used.b.width())
    used.b.set_side(Side("frame", frame="world"))
    used.a.set_side(Side("recording", frame="log"))
    settle(used, lambda: used.a.width() == used.b.width())


def test_that_a_narrow_table_spares_what_is_said_elsewhere_and_cuts_no_number(used) -> None:
    a, b = flat()
    paste(used.a.text, as_text(a))
    paste(used.b.text, as_text(b))
    settle(used, lambda: used.comparison is not None)
    used.show_findings()
    table, model = used.table, used.table.findings

    def shown() -> set[str]:
        return {column.key for k, column in enumerate(model.columns) if not table.isColumnHidden(k)}

    table.setFixedWidth(900)
    settle(used, lambda: shown() == {column.key for column in model.columns})
    table.setFixedWidth(430)
    settle(used, lambda: shown() == {"rank", "form", "sense", "more", "rms", "against"})
    widths = [table.columnWidth(k) for k in range(len(model.columns)) if not table.isColumnHidden(k)]
    assert sum(widths) <= table.viewport().width()
    assert min(widths[-2:]) >= 50
    assert "moving axes" in model.data(model.index(0, 1), Qt.ItemDataRole.AccessibleTextRole)


def test_that_what_is_known_is_said_and_narrows_the_rows(used) -> None:
    a, b = flat()
    paste(used.a.text, as_text(a))
    paste(used.b.text, as_text(b))
    settle(used, lambda: used.comparison is not None)
    focus(used.a.read_as)
    while used.a.read_as.currentText() != "Rotation vector":
        strike(used.a.read_as, Key.Key_Down)
    settle(
        used,
        lambda: (
            used.comparison is not None
            and {f.hypothesis.interpretation_a.kind for f in used.comparison.report.findings} == {"rotation vector"}
        ),
    )


def test_that_a_dropped_table_and_a_frame_of_the_scene_are_compared_and_shown(used, tmp_path: Path) -> None:
    t = np.arange(1.0, 7.0, 0.05)
    path = tmp_path / "vendor.csv"
    angles = Interpretation("angles", "ZXY", "deg").numbers(motion(t))
    np.savetxt(path, np.column_stack([t, angles]), delimiter=",", header="t,first,second,third", comments="")
    used.a.take_file(path)
    focus(used.b.source)
    strike(used.b.source, Key.Key_Down)
    strike(used.b.source, Key.Key_Down)
    used.b.frame.line.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(used.b.frame.line, "truth")
    strike(used.b.frame.line, Key.Key_Return)
    settle(used, lambda: used.comparison is not None)
    assert used.titles[-1][1].startswith("vendor.csv against truth in world")
    assert used.comparison.report.findings[0].hypothesis.interpretation_a == Interpretation("angles", "ZXY", "deg")
    used.show_findings()
    click_row(used, 0)
    (candidate,) = used.drawn[-1]
    assert (candidate.label, candidate.frame, candidate.relative_to) == ("#1", "truth", "world")
    assert np.allclose(candidate.at(3.0), motion(np.array([3.0]))[0], atol=0.02)
    used.hide()
    assert used.drawn[-1] == ()


def test_that_a_recording_is_mended_by_one_edit(used) -> None:
    focus(used.a.source)
    for _ in range(3):
        strike(used.a.source, Key.Key_Down)
    assert used.a.recorded.currentText() == "camera"
    focus(used.b.source)
    strike(used.b.source, Key.Key_Down)
    strike(used.b.source, Key.Key_Down)
    used.b.frame.line.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(used.b.frame.line, "truth")
    strike(used.b.frame.line, Key.Key_Return)
    settle(used, lambda: used.comparison is not None and used.comparison.side_b.frame == "truth")
    used.show_findings()
    assert used.use.isVisible()
    assert used.use.isEnabled(), used.use.toolTip()
    QTest.mouseClick(used.use, LEFT)
    recorded = used.session.document.scene.frames["camera"].motion
    assert isinstance(recorded, Recorded)
    assert isinstance(recorded.columns.orientation, QuaternionColumns)
    assert recorded.columns.orientation.order == "wxyz"
    used.session.undo()
    assert used.session.document.scene.frames["camera"].motion.format == "tum"


def test_that_a_long_comparison_can_be_stopped(used) -> None:
    random = np.random.default_rng(3)
    R = random_matrices(random, 500)
    used.a.text.setPlainText(as_text(Interpretation("angles", "ZYX", "deg").numbers(R)))
    used.b.text.setPlainText(as_text(Interpretation("angles", "XYZ", "rad").numbers(R)))
    settle(used, lambda: used.is_busy)
    assert used.strip.text() == COMPARING
    used.busy.stop.click()
    assert not used.is_busy
    assert used.strip.text() == STOPPED
    for _ in range(40):
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
    assert used.comparison is None

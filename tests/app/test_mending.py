"""The problems list in the real window: faults are listed, gone to, and mended by their buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from framescope import assets
from framescope.app import startup
from framescope.core.scene.edits.items import remove_items, set_hidden
from tests.support.hands import show

FAULTY = Path(assets.path("scenes")) / "faulty"
NAMES = sorted(path.stem for path in FAULTY.glob("*.yaml") if not path.stem.endswith(".solution"))
LEFT = Qt.MouseButton.LeftButton


def look_deeper(wiring, qtbot) -> None:
    qtbot.waitUntil(lambda: not wiring.problems.is_looking)
    wiring.problems.look_deeper()
    qtbot.waitUntil(lambda: not wiring.problems.is_looking)


@pytest.fixture
def open_faulty(qtbot, dark):
    """Open a prepared fault in the window, as deeply looked into as after a moment."""
    opened = []

    def open_it(name: str):
        wiring = startup.make_window(FAULTY / f"{name}.yaml")
        opened.append(wiring)
        show(wiring.window, qtbot)
        wiring.window.set_place("Check")
        look_deeper(wiring, qtbot)
        return wiring

    yield open_it
    for wiring in opened:
        wiring.session.document.is_handed_back = True
        wiring.window.close()
        wiring.window.deleteLater()


def row_of(panel, i: int):
    index = panel.model.index(i, 0)
    return index, panel.list_view.visualRect(index)


def test_that_the_list_keeps_what_was_found_until_it_is_looked_again_and_not_all_has_passed_before(
    open_faulty, qtbot
) -> None:
    wiring = open_faulty("gyro-frame")
    panel, session = wiring.window.problems, wiring.session
    (fault,) = panel.problems
    assert fault.fix is not None
    session.commit(set_hidden(session.document.scene, [("bodies", "hull")], True))
    assert [each.message for each in panel.problems] == [fault.message]
    assert panel.problems[0].fix is None  # it may be mended by now
    look_deeper(wiring, qtbot)
    assert panel.problems[0].fix is not None
    session.commit(remove_items(session.document.scene, [fault.item]))
    assert panel.problems == ()
    assert not panel.problems
    so_far = panel.currentWidget()
    look_deeper(wiring, qtbot)
    assert not panel.problems
    assert panel.currentWidget() is not so_far


def test_that_a_click_goes_to_the_item_and_its_time_and_a_key_mends(open_faulty) -> None:
    wiring = open_faulty("misspelt-parent")
    panel, session = wiring.window.problems, wiring.session
    i = next(i for i, fault in enumerate(panel.problems) if fault.fix is not None)
    item = panel.problems[i].item
    _, area = row_of(panel, i)
    QTest.mouseClick(panel.list_view.viewport(), LEFT, pos=area.topLeft() + area.center() / 8)
    assert session.selection == item
    panel.list_view.setFocus()
    QTest.keyClick(panel.list_view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert session.document.history.undo_label is not None


def test_that_what_is_safe_is_mended_at_once(open_faulty, qtbot) -> None:
    wiring = open_faulty(NAMES[0])
    panel = wiring.window.problems
    for name in NAMES:
        wiring.session.document.is_handed_back = True  # without a question
        wiring.open(FAULTY / f"{name}.yaml")
        look_deeper(wiring, qtbot)
        assert wiring.session.document.history.undo_label is None
        safe = [fault for fault in panel.problems if fault.has_safe_fix]
        assert panel.mend_all.isVisible() == bool(safe)
        if safe:
            QTest.mouseClick(panel.mend_all, LEFT)
            look_deeper(wiring, qtbot)
            assert not any(fault.has_safe_fix for fault in panel.problems)
            assert wiring.session.document.history.undo_label is not None

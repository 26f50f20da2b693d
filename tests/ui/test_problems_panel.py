"""The problems list at the widths that a window gives it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest

from framescope.core.errors import Fix, Problem
from framescope.core.scene.edits.base import Edit
from framescope.ui.panels.problems.panel import NARROWEST, ProblemsPanel
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.headings import DockHeader
from tests.support.hands import Key

LONG = "the angular velocity that is measured misses the rate of the orientation by 0.221 rad/s rms."
MEND = Edit("Mended", lambda scene: scene)


def fault(name: str, severity: str, *, is_mended: bool = True) -> Problem:
    fix = Fix("Resolve in world", MEND) if is_mended else None
    return Problem(("measured", name), LONG, severity=severity, kind="wrong frame", title="wrong frame", fix=fix)


@pytest.fixture
def panel(desk):
    panel = ProblemsPanel()
    panel.set_problems(
        [fault("a", "note", is_mended=False), fault("b", "red"), fault("c", "amber"), fault("d", "red")],
    )
    desk.put(panel)
    return panel


def row_of(panel, i: int) -> QRect:
    return panel.list_view.visualRect(panel.model.index(i, 0))


def test_that_the_worst_come_first_and_are_counted_by_icon(panel) -> None:
    assert [each.severity for each in panel.problems] == ["red", "red", "amber", "note"]
    assert [each.item[1] for each in panel.problems] == ["b", "d", "c", "a"]
    assert panel.counts.accessibleName() == "2 problems, 1 warning, 1 note"
    assert panel.counts.sizeHint().width() > 60
    panel.set_problems([])
    assert panel.counts.isHidden()


def test_that_every_check_has_passed_only_when_it_is_looked_for_no_more(panel) -> None:
    panel.set_problems([], are_all=False)
    so_far = panel.currentWidget()
    panel.set_problems([])
    assert len({so_far, panel.currentWidget(), panel.list_view}) == 3


def test_that_a_thousand_faults_are_listed_and_the_last_is_reached(panel, qtbot) -> None:
    many = [fault(f"m{i}", "red") for i in range(1000)]
    panel.set_problems(many)
    assert panel.problems == tuple(many)
    qtbot.waitUntil(lambda: row_of(panel, 999).height() > 0)
    with qtbot.waitSignal(panel.picked) as picked:
        panel.list_view.setFocus()
        QTest.keyClick(panel.list_view, Key.Key_End)
        QTest.mouseClick(panel.list_view.viewport(), Qt.MouseButton.LeftButton, pos=row_of(panel, 999).center())
    assert picked.args == [("measured", "m999")]


def test_that_the_chosen_fault_stays_chosen_while_it_is_there(panel) -> None:
    panel.list_view.setCurrentIndex(panel.model.index(2))
    chosen = panel.problems[2]
    panel.set_problems(panel.problems[1:])
    assert panel.list_view.currentIndex().row() == 1
    panel.set_problems([fault for fault in panel.problems if fault != chosen])
    assert not panel.list_view.currentIndex().isValid()


@pytest.mark.parametrize("width", [220, 260, 300, 380, 420])
def test_that_a_sentence_is_never_squeezed_by_its_button(panel, desk, qtbot, width) -> None:
    panel.setFixedWidth(width)
    qtbot.waitUntil(lambda: abs(row_of(panel, 0).width() - panel.list_view.viewport().width()) < 2)
    delegate, row = panel.delegate, row_of(panel, 0)
    button = delegate.button_rect(row, panel.problems[0])
    assert row.contains(button)
    text_width = delegate.text_width(row.width(), panel.problems[0])
    assert text_width >= min(NARROWEST, delegate.content_width(row.width()))
    is_below = button.left() < row.left() + 60
    assert is_below == (width < 400)
    if is_below:
        assert row.height() > row_of(panel, 3).height() + 20  # the one without a button


def test_that_mend_all_is_an_icon_with_a_name_in_a_narrow_panel(panel, qtbot) -> None:
    for width, text in ((260, ""), (380, "Fix all safe problems"), (260, "")):
        panel.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: panel.width() == width)
        assert panel.mend_all.text() == text
        assert panel.mend_all.accessibleName() == "Fix all safe problems"


@pytest.mark.parametrize("width", [240, 300, 340, 360, 380, 420])
def test_that_what_is_wrong_is_read_whole_beside_the_button(panel, desk, qtbot, width) -> None:
    title = "time running back at 4.00 s"
    problem = Problem(("measured", "camera"), "After row 220 the time is 0.78 s earlier.", title=title)
    long = problem.with_fix("Sort by time", MEND)
    panel.set_problems([long])
    panel.setFixedWidth(width)
    qtbot.waitUntil(lambda: abs(row_of(panel, 0).width() - panel.list_view.viewport().width()) < 2)
    delegate, row = panel.delegate, row_of(panel, 0)
    metrics = QFontMetrics(fonts.text(METRICS.secondary))
    heading = delegate.heading_rect(row, long)
    name = QFontMetrics(fonts.text(METRICS.base, 600)).horizontalAdvance("camera") + METRICS.gap
    is_on_two_lines = heading.height() > 20
    assert metrics.horizontalAdvance(title) + (0 if is_on_two_lines else name) <= heading.width() + 1
    assert row.contains(delegate.button_rect(row, long))
    assert not heading.intersects(delegate.button_rect(row, long))


def test_that_the_button_of_all_mends_does_not_hold_its_header_open(panel, qtbot) -> None:
    header = DockHeader("Problems")
    qtbot.addWidget(header)
    header.add_widget(panel.mend_all)
    panel.mend_all.setText("Fix all safe problems")
    panel.mend_all.show()
    assert header.minimumSizeHint().width() < 200


def several(*, is_settled: bool) -> Problem:
    others = tuple(Fix(f"Read as {unit}", Edit(unit, lambda scene: scene), "Better: a.") for unit in ("mm", "cm"))
    one = fault("scale", "amber", is_mended=is_settled)
    return replace(one, others=others)


@pytest.mark.parametrize("is_settled", [True, False])
@pytest.mark.parametrize("width", [250, 700])
def test_that_other_mends_are_in_a_list_below_the_button(panel, qtbot, is_settled, width) -> None:
    panel.resize(width, 400)
    one = several(is_settled=is_settled)
    panel.set_problems([one])
    row = row_of(panel, 0)
    arrow = panel.delegate.arrow_rect(row, one)
    at = arrow.center() if is_settled else panel.delegate.button_rect(row, one).center()
    QTest.mouseClick(panel.list_view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(panel.choices.isVisible)
    assert [each.text() for each in panel.choices.actions()] == [each.text for each in one.fixes]
    last = panel.choices.actions()[-1]
    with qtbot.waitSignal(panel.mend_requested) as mended:
        QTest.mouseClick(panel.choices, Qt.MouseButton.LeftButton, pos=panel.choices.actionGeometry(last).center())
    assert mended.args == [one.others[-1].change]


def test_that_the_button_mends_at_once_where_one_mend_is_the_best_and_a_key_opens_the_list_else(panel, qtbot) -> None:
    panel.set_problems([several(is_settled=True)])
    button = panel.delegate.button_rect(row_of(panel, 0), panel.problems[0])
    with qtbot.waitSignal(panel.mend_requested) as mended:
        QTest.mouseClick(panel.list_view.viewport(), Qt.MouseButton.LeftButton, pos=button.center() - QPoint(20, 0))
    assert mended.args == [MEND]
    panel.set_problems([several(is_settled=False)])
    panel.list_view.setCurrentIndex(panel.model.index(0, 0))
    panel.list_view.setFocus()
    QTest.keyClick(panel.list_view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(panel.choices.isVisible)
    QTest.keyClick(panel.choices, Qt.Key.Key_Escape)


def test_that_rows_keep_their_places_when_only_the_width_changes(panel, desk) -> None:
    for width in (420, 240, 420):
        desk.resize(width, desk.height())
        QTest.qWait(60)
        for i in range(len(panel.problems)):
            row = row_of(panel, i)
            assert panel.list_view.indexAt(row.bottomLeft() + QPoint(30, -4)).row() == i


def test_that_an_action_of_the_window_is_the_button_and_the_fix_is_in_its_menu(panel) -> None:
    moved = replace(fault("a", "note"), action="write_robot", action_text="Write into the file")
    panel.set_problems([moved])
    heard: list = []
    panel.action_requested.connect(heard.append)
    panel.mend_requested.connect(heard.append)
    panel.list_view.setCurrentIndex(panel.model.index(0))
    button = panel.delegate.button_rect(row_of(panel, 0), moved)
    QTest.mouseClick(panel.list_view.viewport(), Qt.MouseButton.LeftButton, pos=button.center())
    assert heard == ["write_robot"]
    arrow = panel.delegate.arrow_rect(row_of(panel, 0), moved)
    QTest.mouseClick(panel.list_view.viewport(), Qt.MouseButton.LeftButton, pos=arrow.center())
    (action,) = panel.choices.actions()
    action.trigger()
    panel.choices.hide()
    assert heard == ["write_robot", MEND]

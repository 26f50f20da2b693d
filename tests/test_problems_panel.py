"""The problems list at the widths that a window gives it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect

from framescope.core.diagnosing import Diagnosis
from framescope.core.errors import Problem
from framescope.core.scene.edits import Edit
from framescope.ui.panels.problems import NARROWEST, ProblemsPanel

LONG = "the angular velocity that is measured misses the rate of the orientation by 0.221 rad/s rms."
MEND = Edit("Mended", lambda scene: scene)


def fault(name: str, severity: str, *, is_mended: bool = True) -> Diagnosis:
    problem = Problem(("measured", name), LONG, severity=severity)
    mend = (MEND, "Resolve in world") if is_mended else (None, "")
    return Diagnosis(problem, "wrong frame", "wrong frame", mend=mend[0], mend_text=mend[1])


@pytest.fixture
def panel(desk):
    panel = ProblemsPanel()
    panel.set_faults(
        [fault("a", "note", is_mended=False), fault("b", "red"), fault("c", "amber"), fault("d", "red")],
    )
    desk.put(panel)
    return panel


def row_of(panel, i: int) -> QRect:
    return panel._list.visualRect(panel._model.index(i, 0))


def test_that_the_worst_come_first_and_are_counted_by_icon(panel) -> None:
    assert [each.problem.severity for each in panel.faults] == ["red", "red", "amber", "note"]
    assert [each.problem.item[1] for each in panel.faults] == ["b", "d", "c", "a"]
    assert panel.counts.accessibleName() == "2 problems, 1 warning, 1 note"
    assert panel.counts.sizeHint().width() > 60
    panel.set_faults([])
    assert panel.counts.isHidden()


@pytest.mark.parametrize("width", [220, 260, 300, 380, 420])
def test_that_a_sentence_is_never_squeezed_by_its_button(panel, desk, qtbot, width) -> None:
    panel.setFixedWidth(width)
    qtbot.waitUntil(lambda: abs(row_of(panel, 0).width() - panel._list.viewport().width()) < 2)
    delegate, row = panel._delegate, row_of(panel, 0)
    button = delegate.button_rect(row, panel.faults[0])
    assert row.contains(button)
    text_width = delegate._text_width(row.width(), panel.faults[0])
    assert text_width >= min(NARROWEST, delegate._room(row.width()))
    is_below = button.left() < row.left() + 60
    assert is_below == (width < 340)
    if is_below:
        assert row.height() > row_of(panel, 3).height() + 20  # the one without a button


def test_that_mend_all_is_an_icon_with_a_name_in_a_narrow_panel(panel, qtbot) -> None:
    for width, text in ((260, ""), (380, "Mend all that is safe"), (260, "")):
        panel.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: panel.width() == width)
        assert panel.mend_all.text() == text
        assert panel.mend_all.accessibleName() == "Mend all that is safe"

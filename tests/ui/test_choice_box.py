"""Boxes of choices: lists as wide as their texts; a box is drawn as under the pointer only while it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor

from framescope.ui.widgets.choice_box import ChoiceBox

pytestmark = pytest.mark.usefixtures("dark")


def open_list(desk, qtbot, texts: list[str]) -> ChoiceBox:
    box = desk.put(ChoiceBox())
    box.addItems(texts)
    box.setFixedWidth(60)
    box.showPopup()
    qtbot.waitUntil(lambda: box.view().isVisible())
    return box


@pytest.mark.parametrize("count", [3, 40])
def test_that_a_list_is_as_wide_as_its_texts(desk, qtbot, count) -> None:
    box = open_list(desk, qtbot, ["angle between axes of two frames"] * count)
    view = box.view()
    assert view.viewport().width() >= view.sizeHintForColumn(0)
    box.hidePopup()


def test_that_a_box_whose_list_was_left_elsewhere_is_no_longer_under_the_pointer(desk, qtbot) -> None:
    box = open_list(desk, qtbot, ["position", "velocity"])
    QCursor.setPos(box.window().mapToGlobal(QPoint(box.window().width() - 3, box.window().height() - 3)))
    box.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)  # as Qt leaves it on some desktops
    box.hidePopup()
    assert not box.underMouse()

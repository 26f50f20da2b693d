"""Layouts: parts that change together are laid out once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from framescope.ui.widgets import layouts


class _Counter(QObject):
    """Counts the events of a kind of a widget."""

    def __init__(self, widget: QWidget, kind: QEvent.Type) -> None:
        super().__init__(widget)
        self.count = 0
        self._kind = kind
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == self._kind
        return False


def test_that_parts_shown_together_are_laid_out_once(qtbot: QtBot) -> None:
    panel, labels = QWidget(), [QLabel(f"row {i}") for i in range(6)]
    layouts.column(*labels, on=panel)
    for label in labels[1:]:
        label.hide()
    qtbot.addWidget(panel)
    panel.resize(200, 600)
    panel.show()
    qtbot.waitExposed(panel)
    QApplication.processEvents()
    resizes = _Counter(labels[0], QEvent.Type.Resize)
    with layouts.laid_out_once(panel):
        for label in labels[1:]:
            label.show()
        assert resizes.count == 0
    QApplication.processEvents()
    assert resizes.count == 1
    assert labels[5].y() > labels[4].y() > labels[0].y()


def test_that_a_page_that_grew_while_hidden_is_laid_out_when_it_is_shown(qtbot: QtBot) -> None:
    panel, page, part = QWidget(), QWidget(), QWidget()
    layouts.column(on=part, margins=0)
    layouts.column(part, layouts.STRETCH, on=page)
    layouts.column(page, on=panel)
    qtbot.addWidget(panel)
    panel.resize(200, 300)
    panel.show()
    qtbot.waitExposed(panel)
    page.hide()
    QApplication.processEvents()
    part.layout().addWidget(QLabel("late"))
    QApplication.processEvents()  # a hidden page drops the request of its layout
    assert part.height() == 0
    with layouts.laid_out_once(panel):
        page.show()
    QApplication.processEvents()
    assert part.height() >= part.sizeHint().height() > 0


def test_that_the_layouts_work_again_after_an_error(qtbot: QtBot) -> None:
    panel, label = QWidget(), QLabel("late")
    inner = QWidget()
    layouts.column(label, on=inner)
    layouts.column(inner, on=panel)
    qtbot.addWidget(panel)
    with pytest.raises(ZeroDivisionError), layouts.laid_out_once(panel):
        _ = 1 / 0
    for widget in (panel, inner):
        layout = widget.layout()
        assert layout is not None
        assert layout.isEnabled()


def test_that_all_that_waits_is_laid_out_before_a_picture(qtbot: QtBot) -> None:
    panel, inner, label = QWidget(), QWidget(), QLabel("one line")
    layouts.column(label, on=inner)
    layouts.column(inner, layouts.STRETCH, on=panel)
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitExposed(panel)
    QApplication.processEvents()
    before = inner.height()
    label.setText("one\ntwo\nthree\nfour")
    layouts.settle_all()
    assert inner.height() > before

"""*Light this*: the axis, arrow, row or number under the pointer is lit, while a key is held or until Escape."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QMainWindow, QWidget
from shiboken6 import isValid

from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.readout import ReadOut

HOLD_S = 0.35
"""Time from which a pressed key counts as held, s: its release ends the light. A shorter press leaves it on."""

FOLLOW_MS = 60
"""Interval at which the light follows the pointer while the key is held, ms."""

ROW_HEIGHT = 44
"""Largest height of a row of a panel for texts of the usual size, logical pixels."""


class Spotlight(QObject):
    """Lights what is under the pointer of a window with a scene."""

    def __init__(self, window: QMainWindow, scene_view: SceneView) -> None:
        super().__init__(window)
        self._window, self._view = window, scene_view
        self._row: RowLight | None = None
        self._pressed_at = 0.0
        self._was_on = False
        self._follow = QTimer(self, interval=FOLLOW_MS)
        self._follow.timeout.connect(self.light_at_pointer)

    @property
    def is_on(self) -> bool:
        """Whether something is lit."""
        return bool(self._view.lit) or (self._row is not None and isValid(self._row))

    def press(self) -> None:
        """Light what is under the pointer, and follow it until `release`. A second press ends the light."""
        self._was_on, self._pressed_at = self.is_on, time.perf_counter()
        self.clear()
        if not self._was_on:
            self.light_at_pointer()
            self._follow.start()

    def release(self) -> None:
        """End the light of a held key, and leave that of a short press on."""
        self._follow.stop()
        if not self._was_on and time.perf_counter() - self._pressed_at > HOLD_S:
            self.clear()

    def clear(self) -> None:
        """Light nothing."""
        self._follow.stop()
        self._view.set_lit("")
        self._set_row(None, QRect())

    def light(self, name: str) -> None:
        """Light an axis or an arrow of the scene by its name, such as ``"z of arrow"``."""
        self._set_row(None, QRect())
        self._view.set_lit(name)

    def light_at_pointer(self) -> None:
        """Light what is under the pointer. Where there is nothing, what is lit stays."""
        at = QCursor.pos()
        widget = QApplication.widgetAt(at)
        if widget is self._view:
            name = self._view.line_at(self._view.mapFromGlobal(at))
            if name:
                self.light(name)
        elif widget is not None and widget.window() in (self._window, *self._window.findChildren(QDockWidget)):
            self._view.set_lit("")
            self._set_row(*row_at(widget, widget.mapFromGlobal(at)))

    def _set_row(self, widget: QWidget | None, rect: QRect) -> None:
        row = self._row if self._row is not None and isValid(self._row) else None
        if row is not None and row.parentWidget() is widget and row.geometry() == rect:
            return
        if row is not None:
            row.hide()
            row.deleteLater()
        self._row = None if widget is None else RowLight(widget, rect)


class RowLight(QWidget):
    """Bright ground over a part of a widget, which lets all clicks through."""

    def __init__(self, widget: QWidget, rect: QRect) -> None:
        super().__init__(widget)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("lit")
        self.setGeometry(rect)
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = current_theme.qcolor("force", 0.22)
        painter.setPen(QPen(current_theme.qcolor("force"), 2))
        painter.setBrush(ground)
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), METRICS.field_radius, METRICS.field_radius)


def row_at(widget: QWidget, at: QPoint) -> tuple[QWidget, QRect]:
    """Return the row or the number at a place of a widget: the widget that has it, and its rectangle there."""
    parent = widget.parentWidget()
    if isinstance(parent, QAbstractItemView):
        cell = parent.visualRect(parent.indexAt(at))
        if cell.isValid():
            return widget, QRect(0, cell.y(), widget.width(), cell.height())
    if isinstance(widget, ReadOut):
        return widget, widget.part_at(at)
    highest = round(ROW_HEIGHT * max(widget.font().pixelSize() / METRICS.base, 1.0))
    row = widget
    while (
        (outer := row.parentWidget()) is not None
        and not outer.isWindow()
        and not isinstance(outer, QDockWidget)
        and outer.height() <= max(highest, row.height())
    ):
        row = outer
    return row, row.rect()

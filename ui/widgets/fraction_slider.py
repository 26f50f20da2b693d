"""Base of sliders whose knob is at a fraction of the range."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.qt_support.gesture_slider import GestureSlider
from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.knob import paint_knob
from framescope.ui.widgets.step_sizes import key_steps

_HALO = 0.4


class ShareSlider(GestureSlider):
    """A number between two ends; `share_of`, `value_at` and `steps_per_way` define the scale.

    Drag; arrow keys one step, Page fifteen, Ctrl a tenth of one; Home and End where they apply; Escape cancels a drag.
    """

    steps_per_way = 100.0
    """Number of arrow key steps from one end to the other."""
    has_ends = True
    """Whether Home and End go to the ends."""

    def __init__(self, value: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.value = value
        """The displayed number."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def share_of(self, value: float) -> float:
        """Return the fraction of the range at which a number is, possibly outside 0 to 1."""
        raise NotImplementedError

    def value_at(self, share: float) -> float:
        """Return the number at a fraction of the range, 0 to 1."""
        raise NotImplementedError

    def filled_from(self) -> float:
        """Return the fraction of the range from which the groove is filled up to the knob."""
        return 0.0

    def knob_x(self) -> float:
        """Return the position of the knob's centre, pixels."""
        return METRICS.halo / 2 + self._share() * self._span()

    # --- Qt events

    def sizeHint(self) -> QSize:
        return QSize(120, METRICS.field)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, METRICS.field)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._gesture.begin(self.value)
        self._is_dragging = True
        if abs(event.position().x() - self.knob_x()) > METRICS.knob / 2:
            self._drag_to(event.position().x())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_dragging:
            self._drag_to(event.position().x())

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Scrolling past it must not change it.
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = key_steps(event, is_sideways=True)
        ends = {Qt.Key.Key_Home: 0.0, Qt.Key.Key_End: 1.0} if self.has_ends else {}
        if event.key() == Qt.Key.Key_Escape and self._gesture.is_active:
            start = self._gesture.cancel()
            self._is_dragging = False
            self.value = self.value if start is None else start
            self.update()
            self.cancelled.emit()
        elif (steps or event.key() in ends) and not self._is_dragging:
            if not self._gesture.is_active:
                self._gesture.begin(self.value)
            self._held_key = event.key()
            end = ends.get(Qt.Key(event.key()))
            self._move(self.share_of(self.value) + steps / self.steps_per_way if end is None else end)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        painter.setPen(Qt.PenStyle.NoPen)
        middle, half, knob = self.height() / 2, METRICS.track / 2, self.knob_x()
        start = METRICS.halo / 2 + self.filled_from() * self._span()
        role = "accent" if self.isEnabled() else "disabled"
        painter.setBrush(current_theme.qcolor("slider_track"))
        painter.drawRoundedRect(QRectF(METRICS.halo / 2, middle - half, self._span(), METRICS.track), half, half)
        painter.setBrush(current_theme.qcolor(role))
        painter.drawRoundedRect(QRectF(min(start, knob), middle - half, abs(knob - start), METRICS.track), half, half)
        paint_knob(painter, QPointF(knob, middle), role, halo=_HALO * self._is_dragging, has_focus=self.hasFocus())

    # --- shared by the events

    def _span(self) -> float:
        return max(self.width() - METRICS.halo, 1.0)

    def _share(self) -> float:
        return min(max(self.share_of(self.value), 0.0), 1.0)

    def _drag_to(self, x: float) -> None:
        self._move(min(max((x - METRICS.halo / 2) / self._span(), 0.0), 1.0))

    def _move(self, share: float) -> None:
        self.value = self.value_at(share)
        self.update()
        self._gesture.move(self.value)

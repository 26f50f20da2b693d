"""A slider over a fixed range whose steps need not be even: logarithmic, or finer towards zero."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui import appearance
from framescope.ui.theme import METRICS
from framescope.ui.widgets.gesture import ValueGesture
from framescope.ui.widgets.knob import paint_knob
from framescope.ui.widgets.steps import key_steps

_STEPS = 100.0


class ScaleSlider(QWidget):
    """
    A number in a range.

    Drag, arrows a hundredth of the way, Page fifteen, Ctrl a tenth of one, Home and End; Escape gives a drag up.

    Parameters
    ----------
    value_at, share_of : callable
        The value at a share of the way, from 0 to 1, and the share of a value.
    name : str
        What a screen reader says.
    tip : str
        What the pointer is told.

    Signals
    -------
    previewed(float), committed(float)
        As in `ValueGesture`.
    cancelled()
        Escape during a drag; the number from before is shown again.
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()

    def __init__(
        self,
        value_at: Callable[[float], float],
        share_of: Callable[[float], float],
        name: str,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._value_at, self._share_of = value_at, share_of
        self._value = value_at(0.0)
        self._is_dragging = False
        self._held_key: int | None = None
        self._gesture = ValueGesture(self)
        self._gesture.previewed.connect(self.previewed)
        self._gesture.committed.connect(self.committed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self.setToolTip(tip)

    @property
    def value(self) -> float:
        """The number shown."""
        return self._value

    def set_value(self, value: float) -> None:
        """Show a number from outside; ignored during a gesture. Emits nothing."""
        if not self._gesture.is_active and value != self._value:
            self._value = value
            self.update()

    def knob_x(self) -> float:
        """Return where the knob's centre is, in pixels."""
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
        self._gesture.begin(self._value)
        self._is_dragging = True
        if abs(event.position().x() - self.knob_x()) > METRICS.knob / 2:
            self._drag_to(event.position().x())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_dragging:
            self._drag_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._is_dragging:
            self._is_dragging = False
            self._gesture.commit()
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Scrolling past it is not to change it.
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = key_steps(event, is_sideways=True)
        ends = {Qt.Key.Key_Home: 0.0, Qt.Key.Key_End: 1.0}
        if event.key() == Qt.Key.Key_Escape and self._gesture.is_active:
            start = self._gesture.cancel()
            self._is_dragging = False
            self._value = self._value if start is None else start
            self.update()
            self.cancelled.emit()
        elif (steps or event.key() in ends) and not self._is_dragging:
            if not self._gesture.is_active:
                self._gesture.begin(self._value)
            self._held_key = event.key()
            end = ends.get(Qt.Key(event.key()))
            self._move(self._share() + steps / _STEPS if end is None else end)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == self._held_key and not event.isAutoRepeat():
            self._held_key = None
            self._gesture.commit()
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._gesture.commit()
        self.update()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._is_dragging = False
        self._gesture.commit()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle, x = self.height() / 2, self.knob_x()
        start = METRICS.halo / 2
        groove = QRectF(start, middle - METRICS.track / 2, self._span(), METRICS.track)
        painter.setBrush(appearance.qcolor("slider_track"))
        painter.drawRoundedRect(groove, METRICS.track / 2, METRICS.track / 2)
        role = "accent" if self.isEnabled() else "disabled"
        painter.setBrush(appearance.qcolor(role))
        painter.drawRoundedRect(QRectF(start, groove.top(), x - start, METRICS.track), 2.0, 2.0)
        paint_knob(
            painter, QPointF(x, middle), role, halo=0.25 if self._is_dragging else 0.0, has_focus=self.hasFocus()
        )

    # --- what the events share

    def _span(self) -> float:
        return max(self.width() - METRICS.halo, 1.0)

    def _share(self) -> float:
        return min(max(self._share_of(self._value), 0.0), 1.0)

    def _drag_to(self, x: float) -> None:
        self._move((x - METRICS.halo / 2) / self._span())

    def _move(self, share: float) -> None:
        self._value = self._value_at(min(max(share, 0.0), 1.0))
        self._gesture.move(self._value)
        self.update()

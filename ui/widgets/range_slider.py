"""A slider for any number, in a range that grows with it."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui import appearance
from framescope.ui.theme import METRICS
from framescope.ui.widgets.gesture import ValueGesture
from framescope.ui.widgets.knob import paint_knob
from framescope.ui.widgets.steps import key_steps

_STEPS = 200.0
_DIGITS = 3


class RangeSlider(QWidget):
    """
    A number between zero and twice its size, or between -1 and 1 when it is zero.

    Drag, arrows a hundredth, Page fifteen, Ctrl a tenth; Escape gives a drag up. The range follows when the hand lets
    go.

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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = 0.0
        self._range = (-1.0, 1.0)
        self._is_dragging = False
        self._held_key: int | None = None
        self._gesture = ValueGesture(self)
        self._gesture.previewed.connect(self.previewed)
        self._gesture.committed.connect(self.committed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def value(self) -> float:
        """The number shown."""
        return self._value

    @property
    def range(self) -> tuple[float, float]:
        """The numbers at the ends."""
        return self._range

    @property
    def is_busy(self) -> bool:
        """Whether a gesture is going on."""
        return self._gesture.is_active

    def set_value(self, value: float) -> None:
        """Show a number from outside; ignored during a gesture. Emits nothing."""
        if self._gesture.is_active:
            return
        self._value = value
        low, high = self._range
        is_at_end = not low + 0.02 * (high - low) <= value <= high - 0.02 * (high - low)
        is_small = abs(value) < 0.02 * max(abs(low), abs(high))
        if is_at_end or is_small or (low, high) == (-1.0, 1.0):
            self._range = (-1.0, 1.0) if not value else (min(0.0, 2 * value), max(0.0, 2 * value))
        self.update()

    def reset(self, value: float) -> None:
        """Show a number and drop any gesture, as when another item comes into view."""
        self._gesture.cancel()
        self._is_dragging = False
        self._range = (-1.0, 1.0)
        self.set_value(value)

    def knob_x(self) -> float:
        """Return where the knob's centre is, in pixels."""
        low, high = self._range
        share = min(max((self._value - low) / (high - low), 0.0), 1.0)
        return METRICS.halo / 2 + share * self._span()

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
        if event.key() == Qt.Key.Key_Escape and self._gesture.is_active:
            start = self._gesture.cancel()
            self._is_dragging = False
            self._value = self._value if start is None else start
            self.update()
            self.cancelled.emit()
        elif steps and not self._is_dragging:
            if not self._gesture.is_active:
                self._gesture.begin(self._value)
            self._held_key = event.key()
            low, high = self._range
            self._move(self._value + steps * (high - low) / _STEPS)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == self._held_key and not event.isAutoRepeat():
            self._held_key = None
            self._gesture.commit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._is_dragging = False
        self._gesture.commit()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._is_dragging = False
        self._gesture.commit()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, half, knob = self.height() / 2, METRICS.track / 2, self.knob_x()
        low, high = self._range
        zero = METRICS.halo / 2 + (0.0 - low) / (high - low) * self._span()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(appearance.qcolor("slider_track"))
        painter.drawRoundedRect(QRectF(METRICS.halo / 2, middle - half, self._span(), METRICS.track), half, half)
        painter.setBrush(appearance.qcolor("accent"))
        painter.drawRect(QRectF(min(zero, knob), middle - half, abs(knob - zero), METRICS.track))
        paint_knob(painter, QPointF(knob, middle), "accent", halo=0.4 * self._is_dragging, has_focus=self.hasFocus())

    # --- what the events share

    def _span(self) -> float:
        return max(self.width() - METRICS.halo, 1)

    def _drag_to(self, x: float) -> None:
        low, high = self._range
        share = min(max((x - METRICS.halo / 2) / self._span(), 0.0), 1.0)
        self._move(low + share * (high - low))

    def _move(self, value: float) -> None:
        self._value = float(f"{value:.{_DIGITS}g}")
        self.update()
        self._gesture.move(self._value)

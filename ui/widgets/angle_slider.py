"""Slider of an angle: filled from zero, in degrees, continuing into the next turn beyond its ends."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.formatting import number_text
from framescope.ui.qt_support.gesture_slider import GestureSlider
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.knob import paint_knob
from framescope.ui.widgets.step_sizes import key_steps, wheel_steps

_HALF_TURN = 180.0
_SNAP_DEG = 15.0
# Pixels of a drag that stay at the first end, so that exactly 180 is reachable.
_END_REST = 6.0
_TICK_DEG = 90.0
_TICKS_DEG = (-180.0, -90.0, 0.0, 90.0, 180.0)


class AngleSlider(GestureSlider):
    """An angle from -180 to 180 degrees and beyond.

    Drag (Shift: multiples of 15 degrees), wheel and arrows 1 degree, Page 15, Ctrl a tenth, Home 0, double click
    resets, Escape cancels a drag. A click moves the keyboard focus and the wheel to it; Tab skips it and reaches the
    number beside it.

    Parameters
    ----------
    axis : int
        Axis (0, 1, 2) that gives the colour.

    Signals
    -------
    previewed(float), committed(float), cancelled()
        As in `GestureSlider`, in degrees.
    reset_requested()
        Double click: the owner resets the angle to its value before any edits by hand.
    """

    reset_requested = Signal()

    def __init__(self, axis: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis = axis
        self.value_deg = 0.0
        """The displayed angle, degrees."""
        self._turned_deg: float | None = None
        self._is_read_only = False
        self._is_hovered = False
        self._shows_focus = False
        # Offset from the pointer to the knob's centre, so that grabbing the knob does not move it.
        self._grip = 0.0
        self._drag_turn = 0
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)

    def set_value_deg(self, value_deg: float) -> None:
        """Display an angle from outside; ignored during a gesture. Emits nothing."""
        if not self._gesture.is_active and value_deg != self.value_deg:
            self._show(value_deg)

    def reset_deg(self, value_deg: float) -> None:
        """Display an angle and drop any gesture, for example for another item."""
        self._gesture.cancel()
        self._is_dragging = False
        self._show(value_deg)

    def set_axis(self, axis: int) -> None:
        """Use the colour of another axis."""
        self._axis = axis
        self.update()

    def set_turned_deg(self, turned_deg: float | None) -> None:
        """Display the progress of the turn, in staged mode; None outside that mode."""
        self._turned_deg = turned_deg
        self.update()

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow edits."""
        if is_read_only == self._is_read_only:
            return
        self._is_read_only = is_read_only
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_read_only else Qt.FocusPolicy.ClickFocus)
        self.update()

    def cancel(self) -> None:
        """Cancel a gesture and restore the previous angle."""
        start = self._gesture.cancel()
        self._is_dragging = False
        if start is not None:
            self._show(start)
            self.cancelled.emit()

    def knob_x(self) -> float:
        """Return the position of the knob's centre, pixels."""
        wrapped, _ = number_text.wrap_deg(self.value_deg)
        return self._x_of(wrapped)

    # --- Qt events

    def sizeHint(self) -> QSize:
        return QSize(138, METRICS.slider_row)

    def minimumSizeHint(self) -> QSize:
        return QSize(70, METRICS.slider_row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._is_read_only:
            event.ignore()
            return
        _, self._drag_turn = number_text.wrap_deg(self.value_deg)
        x = event.position().x()
        on_knob = abs(x - self.knob_x()) <= METRICS.halo / 2
        self._grip = self.knob_x() - x if on_knob else 0.0
        self._gesture.begin(self.value_deg)
        self._is_dragging = True
        self._shows_focus = False
        if not on_knob:
            self._drag_to(event)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_dragging:
            self._drag_to(event)
            return
        is_hovered = not self._is_read_only and abs(event.position().x() - self.knob_x()) <= METRICS.halo / 2
        if is_hovered != self._is_hovered:
            self._is_hovered = is_hovered
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._is_read_only:
            self._is_dragging = False
            self._gesture.cancel()
            self.reset_requested.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = wheel_steps(event)
        is_passing = not self.hasFocus()  # scrolling past must not change it
        if not steps or is_passing or self._is_read_only or self._is_dragging:
            event.ignore()
            return
        self._step_by(steps)
        self._gesture.settle()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = key_steps(event, is_sideways=True)
        if event.key() == Qt.Key.Key_Escape and self._gesture.is_active:
            self.cancel()
        elif self._is_read_only or self._is_dragging:
            event.ignore()
        elif event.key() == Qt.Key.Key_Home:
            self._jump(0.0)
        elif steps:
            self._held_key = event.key()
            self._step_by(steps)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # The ring marks keyboard focus; under the mouse the halo is enough.
        self._shows_focus = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = False
        super().focusOutEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        letter = AXIS_LETTERS[self._axis]
        role = f"axis_{letter}" if self.isEnabled() else "disabled"
        middle = self.height() / 2
        self._paint_track(painter, role, middle)
        knob = QPointF(self.knob_x(), middle)
        self._paint_knob(painter, role, knob)
        _, turn = number_text.wrap_deg(self.value_deg)
        if turn:
            painters.write_in(painter, fonts.number(10), f"axis_{letter}_text" if self.isEnabled() else "disabled")
            # Above the knob, kept within the widget at both ends.
            x = min(max(knob.x() - 20, 0), self.width() - 40)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(QRectF(x, -1, 40, 14), flags, number_text.turn_mark(turn))

    # --- painting

    def _paint_track(self, painter: QPainter, role: str, middle: float) -> None:
        left, right, zero = (self._x_of(value) for value in (-_HALF_TURN, _HALF_TURN, 0.0))
        half = METRICS.track / 2
        painters.fill_with(painter, "slider_track")
        painter.drawRoundedRect(QRectF(left, middle - half, right - left, METRICS.track), half, half)

        def fill(to_x: float, alpha: float) -> None:
            painter.setBrush(current_theme.qcolor(role, alpha))
            painter.drawRect(QRectF(min(zero, to_x), middle - half, abs(to_x - zero), METRICS.track))

        if self._turned_deg is None:
            fill(self.knob_x(), 1.0)
        else:
            fill(self.knob_x(), 0.45)
            fill(self._x_of(number_text.wrap_deg(self._turned_deg)[0]), 1.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setBrush(current_theme.qcolor("disabled"))
        for tick in _TICKS_DEG:
            painter.drawRect(QRectF(round(self._x_of(tick) - 0.5), middle + 7, 1, 3))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_knob(self, painter: QPainter, role: str, centre: QPointF) -> None:
        is_lit = (self._is_hovered or self._is_dragging) and self.isEnabled()
        paint_knob(
            painter,
            centre,
            role,
            fill="slider_track" if self._is_read_only else "knob",
            halo=0.0 if not is_lit else 0.45 if self._is_dragging else 0.3,
            has_focus=self.hasFocus() and self._shows_focus,
        )

    # --- shared by the events

    def _x_of(self, wrapped_deg: float) -> float:
        inset = METRICS.halo / 2
        return inset + (wrapped_deg + _HALF_TURN) / (2 * _HALF_TURN) * (self.width() - 2 * inset)

    def _drag_to(self, event: QMouseEvent) -> None:
        per_pixel = 2 * _HALF_TURN / max(self.width() - METRICS.halo, 1)
        offset = (event.position().x() + self._grip - self._x_of(0.0)) * per_pixel
        end_rest = _END_REST * per_pixel
        if abs(offset) > _HALF_TURN:
            beyond = max(abs(offset) - _HALF_TURN - end_rest, 0.0)
            offset = (_HALF_TURN + beyond) * (1 if offset > 0 else -1)
        value = offset + 2 * _HALF_TURN * self._drag_turn
        is_snapping = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        tick = round(value / _TICK_DEG) * _TICK_DEG
        if is_snapping:
            value = round(value / _SNAP_DEG) * _SNAP_DEG
        else:
            # The pixel of a tick is its angle: a quarter turn can be reached by hand.
            value = tick if abs(value - tick) <= 0.5 * per_pixel else round(value, 2)
        self._preview(value)

    def _step_by(self, steps: float) -> None:
        if not self._gesture.is_active:
            self._gesture.begin(self.value_deg)
        # Twelve digits: steps of 0.1 must not accumulate to 0.30000000000000004.
        self._preview(round(self.value_deg + steps, 12))

    def _jump(self, value_deg: float) -> None:
        if not self._gesture.is_active:
            self._gesture.begin(self.value_deg)
        self._preview(value_deg)
        self._gesture.commit()

    def _preview(self, value_deg: float) -> None:
        self._show(value_deg)
        self._gesture.move(value_deg)

    def _show(self, value_deg: float) -> None:
        self.value_deg = value_deg
        self.update()

"""Number field that also steps and scrubs: wheel, arrows, keys, and dragging sideways on the number."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.theme import icons
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.step_sizes import fineness, key_steps, wheel_steps

_ARROWS_WIDTH = 16
_ARROW_SIZE = 10
# Movement of a press, pixels, below which it is a click into the text.
_SCRUB_START = 4


class StepField(NumberField):
    """A number with steps.

    Wheel (while focused) and arrows change it by one step, Page by fifteen, Ctrl by a tenth. Dragging sideways on the
    number scrubs it by one step per pixel. A click edits the text.

    Parameters
    ----------
    step : float
        One step.
    has_arrows : bool
        Whether clickable arrows are painted at the right.
    decimals, unit, axis, parse
        As in `NumberField`.
    """

    def __init__(
        self,
        *,
        step: float,
        has_arrows: bool = True,
        decimals: int = 4,
        unit: str = "",
        axis: int | None = None,
        parse: Callable[[str], float] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(decimals=decimals, unit=unit, axis=axis, parse=parse, parent=parent)
        self._step = step
        self._has_arrows = has_arrows
        self._pressed_x: float | None = None
        self._scrub_x: float | None = None
        self._held_key: int | None = None
        if has_arrows:
            self._reserved = _ARROWS_WIDTH
            self._update_margins()
        # Focus is set on release, as the press may begin a scrub.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)

    def set_step(self, step: float) -> None:
        """Change the step, for example for another unit."""
        self._step = step

    def reset(self, value: float | None) -> None:
        super().reset(value)
        self._end_scrub()

    def cancel(self) -> None:
        super().cancel()
        self._end_scrub()

    # --- Qt events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = key_steps(event)
        if self._scrub_x is not None and event.key() != Qt.Key.Key_Escape:
            return
        if not steps or not self._can_step():
            super().keyPressEvent(event)
            return
        self._step_by(steps)
        self._held_key = event.key()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == self._held_key and not event.isAutoRepeat():
            self._held_key = None
            self._gesture.commit()
        super().keyReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = wheel_steps(event)
        is_passing = not self.hasFocus()  # scrolling past must not change it
        if not steps or is_passing or not self._can_step() or self._scrub_x is not None:
            event.ignore()
            return
        self._step_by(steps)
        self._gesture.settle()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._can_step():
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            super().mousePressEvent(event)
            return
        arrow = self._arrow_at(event.position())
        if arrow:
            self._step_by(arrow * fineness(event))
            self._gesture.commit()
        elif self.hasFocus():
            super().mousePressEvent(event)
        else:
            self._pressed_x = event.position().x()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._can_step() and self._arrow_at(event.position()):
            self.mousePressEvent(event)  # quick clicks are steps, each of them
        else:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._update_cursor(event.position())
        x = event.position().x()
        if self._pressed_x is None:
            super().mouseMoveEvent(event)
        elif self._scrub_x is not None:
            # Counted from the last position, so that Ctrl can slow it down half-way.
            self._move((self.value or 0.0) + (x - self._scrub_x) * self._step * fineness(event))
            self._scrub_x = x
        elif abs(x - self._pressed_x) >= _SCRUB_START:
            # The scrub needs the focus, so that Escape reaches it.
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._gesture.begin(self.value)
            self._scrub_x = x

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._scrub_x is not None:
            self._gesture.commit()
        elif self._pressed_x is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.selectAll()
        else:
            super().mouseReleaseEvent(event)
        self._end_scrub()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._update_cursor(event.position())
        super().enterEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._pressed_x = self._scrub_x = None
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_arrows:
            return
        role = "quiet" if self._can_step() else "disabled"
        ratio = self.devicePixelRatio()
        x, middle = self.width() - _ARROWS_WIDTH - 1, self.height() / 2
        painter = QPainter(self)
        painter.drawPixmap(QPointF(x, middle - _ARROW_SIZE), icons.pixmap("chevron-up", role, _ARROW_SIZE, ratio))
        painter.drawPixmap(QPointF(x, middle), icons.pixmap("chevron-down", role, _ARROW_SIZE, ratio))

    # --- shared by the events

    def _end_scrub(self) -> None:
        was_scrubbing = self._scrub_x is not None
        self._pressed_x = self._scrub_x = None
        if was_scrubbing:
            # So that the next press can begin a scrub again.
            self.clearFocus()

    def _can_step(self) -> bool:
        return self.isEnabled() and not self.isReadOnly()

    def _step_by(self, steps: float) -> None:
        self._commit_text()
        if self._error:
            return
        if not self._gesture.is_active:
            self._gesture.begin(self.value)
        self._move((self.value or 0.0) + steps * self._step)

    def _move(self, value: float) -> None:
        # Twelve digits: steps of 0.1 must not accumulate to 0.30000000000000004.
        self.value = round(value, 12)
        self._show()
        self._gesture.move(self.value)

    def _arrow_at(self, position: QPointF) -> int:
        if not self._has_arrows or position.x() < self.width() - _ARROWS_WIDTH - 4:
            return 0
        return 1 if position.y() < self.height() / 2 else -1

    def _update_cursor(self, position: QPointF) -> None:
        if self._arrow_at(position):
            self.setCursor(Qt.CursorShape.ArrowCursor)
        elif self._can_step() and (self._scrub_x is not None or not self.hasFocus()):
            self.setCursor(Qt.CursorShape.SizeHorCursor)
        else:
            self.setCursor(Qt.CursorShape.IBeamCursor)

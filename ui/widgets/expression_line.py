"""Line with an expression of t: quiet while it is read, and a field to type into once it is clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

from framescope.core.time_functions.expression_rewriting import terms_of
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.formatting.typed_signals import literal, pointed, split_unit, wrong_with
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

ELLIPSIS = "…"
_GAP = 6.0
_LEAST = 6
"""Signs of a term that say enough of it."""


class ExpressionLine(QLineEdit):
    """
    An expression in full when it has the keyboard, and as much of it as there is room for when not.

    Enter or leaving commits, Escape restores. What cannot be read stays, marked, until it is mended.

    Signals
    -------
    committed(str, str)
        What was typed, a number or an expression, and ``"deg"`` or ``"rad"`` where that stood behind it.
    message(str)
        What is wrong with the typed text; empty when it is well again.
    left()
        It is done with by keys: the keyboard goes back to the number.
    """

    committed = Signal(str, str)
    message = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._expression = ""
        self._unit = ""
        self._error = ""
        self.parameters: Mapping[str, float] = {}
        self.setProperty("kind", "expression")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFont(fonts.number(METRICS.secondary))
        self.setFixedHeight(METRICS.readout_row)
        self.textEdited.connect(self._on_edited)

    def set_expression(self, text: str, unit: str) -> None:
        """Show an expression and its unit; ignored while a hand is at it."""
        if (text, unit) == (self._expression, self._unit):
            return
        self._expression, self._unit = text, unit
        if not self.isModified():
            self.setText(text)
        self._say_whole()
        self.update()

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow changes."""
        self.setReadOnly(is_read_only)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_read_only else Qt.FocusPolicy.ClickFocus)
        self._say_whole()

    def cancel(self) -> None:
        """Give up what is being typed."""
        self.setText(self._expression)
        self._set_error("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._commit()
            if not self._error:
                self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._commit()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus() or self._error:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        if self.underMouse() and not self.isReadOnly():
            option = QStyleOptionFrame()
            self.initStyleOption(option)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        metrics, margin = self.fontMetrics(), METRICS.halo / 2
        unit_font = fonts.text(METRICS.caption)
        room = self.width() - 2 * margin - (fonts.width(unit_font, self._unit) + _GAP if self._unit else 0.0)
        shown = shortened(self._expression, metrics.horizontalAdvance, room)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(current_theme.qcolor("quiet"))
        painter.drawText(QRectF(margin, 0, self.width(), self.height()), middle, shown)
        painter.setFont(unit_font)
        x = margin + metrics.horizontalAdvance(shown) + _GAP
        painter.drawText(QRectF(x, 0, self.width(), self.height()), middle, self._unit)

    def _say_whole(self) -> None:
        how = "" if self.isReadOnly() else "\nClick to change it, or F2 in the number"
        self.setToolTip(literal_text(f"{self._expression} {self._unit}".strip() + how))

    def _commit(self) -> None:
        if not self.isModified():
            return
        text, unit = split_unit(self.text())
        if not text or (text == self._expression and not unit):
            self.cancel()
            return
        self._set_error(wrong_with(text, self.parameters))
        if self._error:
            return
        self.setModified(False)
        self.committed.emit(str(literal(text)) if literal(text) is not None else pointed(text), unit)

    def _on_edited(self) -> None:
        # An error is announced when it is committed, and taken back as soon as the text can be read.
        if self._error:
            self._set_error(wrong_with(split_unit(self.text())[0], self.parameters))

    def _set_error(self, error: str) -> None:
        if error != self._error:
            self._error = error
            self.setProperty("invalid", bool(error))
            self.style().polish(self)
            self.message.emit(error)


def shortened(text: str, width_of: Callable[[str], float], room: float) -> str:
    """Return an expression as far as there is room: its first terms and its last one, each with the sign before it.

    The constant that hands added stands at the end, and is what matters most.

    >>> shortened("20 + 70*smoothstep(t, 0, 3) - 70*smoothstep(t, 7, 9)", len, 36)
    '20 … - 70*smoothstep(t, 7, 9)'
    >>> shortened("-80*smoothstep(t, 10, 13)", len, 16)
    '-80*smoothstep(…'
    """
    if width_of(text) <= room:
        return text
    *front, last = terms_of(text)
    for n in range(len(front) - 1, 0, -1):
        tried = " ".join([*front[:n], ELLIPSIS, last])
        if width_of(tried) <= room:
            return tried
    if not front:
        return _cut(last, width_of, room)
    # Both ends of it are cut, and each keeps its sign.
    head = _cut(front[0], width_of, room / 2)
    between = " " if len(front) == 1 or head.endswith(ELLIPSIS) else f" {ELLIPSIS} "
    tail = _cut(last, width_of, room - width_of(head + between))
    return head + between + tail if len(tail) >= _LEAST or tail == last else _cut(f"{ELLIPSIS} {last}", width_of, room)


def _cut(text: str, width_of: Callable[[str], float], room: float) -> str:
    if width_of(text) <= room:
        return text
    n = next((n for n in range(len(text) - 1, 0, -1) if width_of(text[:n] + ELLIPSIS) <= room), 1)
    return text[:n] + ELLIPSIS

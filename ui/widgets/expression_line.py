"""Line with an expression of t: muted text until it is clicked, then a text field."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QWidget

from framescope.core.time_functions.expression_rewriting import terms_of
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.formatting.typed_signals import find_error, literal, split_unit, use_decimal_points
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.text_growth import FONT_EVENTS, growth

ELLIPSIS = "…"
_GAP = 6.0
_LEAST = 6
"""Minimum number of characters at which a shortened term is still informative."""


class ExpressionLine(QLineEdit):
    """An expression, in full while it has the keyboard focus, otherwise shortened to the available room.

    Enter or leaving the field commits, Escape restores. Invalid text stays, marked, until it is corrected.

    Signals
    -------
    committed(str, str)
        The typed number or expression, and ``"deg"`` or ``"rad"`` if it ended with a unit.
    message(str)
        Error in the typed text; empty once it is resolved.
    left_by_key()
        Enter or Escape ended the edit: the keyboard focus returns to the number.
    """

    committed = Signal(str, str)
    message = Signal(str)
    left_by_key = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._expression = ""
        self._unit = ""
        self._error = ""
        self.parameters: Mapping[str, float] = {}
        self.setProperty("kind", "expression")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFont(fonts.number(METRICS.secondary))
        self._grow()
        self.textEdited.connect(self._on_edited)

    def set_expression(self, text: str, unit: str) -> None:
        """Display an expression and its unit; ignored while the user is editing it."""
        if (text, unit) == (self._expression, self._unit):
            return
        has_new_unit = unit != self._unit
        self._expression, self._unit = text, unit
        if has_new_unit:  # its room is laid out anew, with all the rows
            self._grow()
        if not self.isModified():
            self.setText(text)
        self._update_tool_tip()
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in FONT_EVENTS and hasattr(self, "_unit"):
            self._grow()

    def _unit_font(self) -> QFont:
        return fonts.text(round(METRICS.caption * growth(self, METRICS.number)))

    def _grow(self) -> None:
        """Set the height, and the room of the unit, for the size of the font."""
        self.setFixedHeight(round(METRICS.readout_row * growth(self, METRICS.number)))
        self.setTextMargins(0, 0, round(fonts.width(self._unit_font(), self._unit) + _GAP) if self._unit else 0, 0)

    @property
    def expression(self) -> str:
        """The displayed expression, without typed changes."""
        return self._expression

    @property
    def unit(self) -> str:
        """Unit of the displayed expression."""
        return self._unit

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow edits."""
        self.setReadOnly(is_read_only)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_read_only else Qt.FocusPolicy.ClickFocus)
        self._update_tool_tip()

    def cancel(self) -> None:
        """Discard the text being typed."""
        self.setText(self._expression)
        self._set_error("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
            self.left_by_key.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._commit()
            if not self._error:
                self.left_by_key.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._commit()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus() or self._error:
            super().paintEvent(event)
            self._paint_unit()
            return
        painter = QPainter(self)
        if self.underMouse() and not self.isReadOnly():
            option = QStyleOptionFrame()
            self.initStyleOption(option)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        metrics, margin = self.fontMetrics(), METRICS.halo / 2
        unit_font = self._unit_font()
        room = self.width() - 2 * margin - (fonts.width(unit_font, self._unit) + _GAP if self._unit else 0.0)
        visible_text = shorten(self._expression, metrics.horizontalAdvance, room)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(current_theme.qcolor("quiet"))
        painter.drawText(QRectF(margin, 0, self.width(), self.height()), middle, visible_text)
        painter.setFont(unit_font)
        x = margin + metrics.horizontalAdvance(visible_text) + _GAP
        painter.drawText(QRectF(x, 0, self.width(), self.height()), middle, self._unit)

    def _paint_unit(self) -> None:
        """Paint the unit at the right edge while the text is being edited. A typed unit replaces it."""
        if not self._unit or split_unit(self.text())[1]:
            return
        painter = QPainter(self)
        painter.setFont(self._unit_font())
        painter.setPen(current_theme.qcolor("quiet"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, 0, self.width() - METRICS.halo / 2, self.height()), right, self._unit)

    def _update_tool_tip(self) -> None:
        how = "" if self.isReadOnly() else "\nClick to change it, or F2 in the number"
        self.setToolTip(literal_text(f"{self._expression} {self._unit}".strip() + how))

    def _commit(self) -> None:
        if not self.isModified():
            return
        text, unit = split_unit(self.text())
        if not text or (text == self._expression and not unit):
            self.cancel()
            return
        self._set_error(find_error(text, self.parameters))
        if self._error:
            return
        self.setModified(False)
        self.committed.emit(str(literal(text)) if literal(text) is not None else use_decimal_points(text), unit)

    def _on_edited(self) -> None:
        # An error appears on commit, and disappears as soon as the text is valid.
        if self._error:
            self._set_error(find_error(split_unit(self.text())[0], self.parameters))

    def _set_error(self, error: str) -> None:
        if error != self._error:
            self._error = error
            self.setProperty("invalid", bool(error))
            self.style().polish(self)
            self.message.emit(error)


def shorten(text: str, width_of: Callable[[str], float], room: float) -> str:
    """Shorten an expression to the available room: its first terms and its last one, each with its sign.

    The last term is the constant added by dragging, and matters most.

    >>> shorten("20 + 70*smoothstep(t, 0, 3) - 70*smoothstep(t, 7, 9)", len, 36)
    '20 … - 70*smoothstep(t, 7, 9)'
    >>> shorten("-80*smoothstep(t, 10, 13)", len, 16)
    '-80*smoothstep(…'
    """
    if width_of(text) <= room:
        return text
    *front, last = terms_of(text)
    for n in range(len(front) - 1, 0, -1):
        candidate = " ".join([*front[:n], ELLIPSIS, last])
        if width_of(candidate) <= room:
            return candidate
    if not front:
        return _cut(last, width_of, room)
    # Both terms are cut, and each keeps its sign.
    head = _cut(front[0], width_of, room / 2)
    between = " " if len(front) == 1 or head.endswith(ELLIPSIS) else f" {ELLIPSIS} "
    tail = _cut(last, width_of, room - width_of(head + between))
    return head + between + tail if len(tail) >= _LEAST or tail == last else _cut(f"{ELLIPSIS} {last}", width_of, room)


def _cut(text: str, width_of: Callable[[str], float], room: float) -> str:
    if width_of(text) <= room:
        return text
    n = next((n for n in range(len(text) - 1, 0, -1) if width_of(text[:n] + ELLIPSIS) <= room), 1)
    return text[:n] + ELLIPSIS

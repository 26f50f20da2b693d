"""Field for one number; its unit is painted, so that copying takes the number only."""

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.formatting.typed_quantities import number_in_unit, unit_of_text
from framescope.ui.qt_support.gesture import ValueGesture
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets.text_growth import FONT_EVENTS, growth
from framescope.ui.widgets.text_line import EDGE, text_room

_PREFIX_X = 7

_EQUALLY_WIDE = frozenset(f"0123456789.-{number_text.MINUS}+e")
"""Characters of the same width in the font of numbers, whose widths need no layout of text."""


class NumberField(QLineEdit):
    """A number, right-aligned in the font for numbers.

    A click into the field selects the number, so that typing replaces it; a second click sets the cursor. Enter or
    leaving the field commits the typed text; Escape restores. Invalid text stays, marked, until it is
    corrected. Copying an unchanged number copies it at full precision.

    Parameters
    ----------
    decimals : int
        Digits displayed after the decimal point; fewer where the field is too narrow for them and for the sign.
    unit : str
        Painted after the number, small and muted.
    prefix : str
        Painted at the left edge, for example the letter of an axis.
    axis : int, optional
        Axis (0, 1, 2) that gives the prefix its colour, or the number without a prefix.
    parse : callable, optional
        Turns typed text into a number or raises ValueError with a sentence. By default, a number typed with a unit is
        converted to the painted one.

    Signals
    -------
    previewed(float), committed(float)
        As in `ValueGesture`; typed text is previewed right before it is committed.
    cancelled()
        Escape: the previous number is restored.
    message(str)
        Error in the typed text; empty once it is resolved.
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()
    message = Signal(str)

    def __init__(
        self,
        *,
        decimals: int = 4,
        unit: str = "",
        prefix: str = "",
        axis: int | None = None,
        parse: Callable[[str], float] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._decimals = decimals
        self._unit = unit
        self._prefix = prefix
        self._axis = axis
        self._parse = parse or self._parse_in_unit
        self.value: float | None = None
        """The displayed number, or None."""
        self._error = ""
        self._is_clicked_into = False
        self._usual_placeholder = ""
        # Width at the right edge reserved for painting by a subclass.
        self._reserved = 0
        self._usual_width = 0
        self._advance = 0.0

        self._gesture = ValueGesture(self)
        self._gesture.previewed.connect(self.previewed)
        self._gesture.committed.connect(self.committed)
        self.textEdited.connect(self._on_edited)

        if axis is not None and not prefix:
            self.setProperty("axis", AXIS_LETTERS[axis])
        self.setFont(fonts.number())
        self.setProperty("kind", "number")
        self.setFixedHeight(METRICS.field)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._update_margins()

    @property
    def is_busy(self) -> bool:
        """Whether the user is editing: a gesture, a partly typed text, or an invalid text."""
        return self._gesture.is_active or self.isModified() or bool(self._error)

    def set_value(self, value: float | None) -> None:
        """Display a number from outside; ignored while the user is editing. Emits nothing.

        NaN is no number: the empty field shows a dash.
        """
        known = known_number(value)
        if not self.is_busy:
            self._show_dash(is_missing=value is not None and known is None)
            if known != self.value:
                self.value = known
                self._show()

    def reset(self, value: float | None) -> None:
        """Display a number and drop any text or gesture, for example for another item. NaN is no number."""
        self._gesture.cancel()
        self.value = known_number(value)
        self._show_dash(is_missing=value is not None and self.value is None)
        self._show()
        self._set_error("")

    def _show_dash(self, *, is_missing: bool) -> None:
        if is_missing and self.placeholderText() != DASH:
            self._usual_placeholder = self.placeholderText()
            self.setPlaceholderText(DASH)
        elif not is_missing and self.placeholderText() == DASH:
            self.setPlaceholderText(self._usual_placeholder)

    @property
    def draft(self) -> tuple[str, str] | None:
        """The invalid text in the field and its error, or None."""
        return (self.text(), self._error) if self._error else None

    def restore(self, draft: tuple[str, str]) -> None:
        """Put an invalid text back, with its error."""
        self.setText(draft[0])
        self.setModified(True)
        self._set_error(draft[1])

    def mark(self, error: str) -> None:
        """Mark the number as wrong for a reason of its owner (a row that is no rotation); an empty text unmarks it."""
        self._set_error(error)

    def set_usual_width(self, width: int) -> None:
        """Set a fixed width for the usual size of the number, logical pixels, which grows with the size of its font.

        0 leaves the width to the layout.
        """
        self._usual_width = width
        self._grow()

    def set_decimals(self, decimals: int) -> None:
        """Change the digits displayed after the decimal point."""
        self._decimals = decimals
        if not self.isModified():
            self._show()

    def set_unit(self, unit: str) -> None:
        """Change the painted unit."""
        self._unit = unit
        self._update_margins()

    def set_prefix(self, prefix: str) -> None:
        """Change the text painted at the left edge."""
        self._prefix = prefix
        self._update_margins()
        self.update()

    def set_axis_color(self, axis: int) -> None:
        """Use the colour of another axis for the number or its prefix."""
        if axis == self._axis:
            return
        self._axis = axis
        if not self._prefix:
            self.setProperty("axis", AXIS_LETTERS[axis])
            self.style().polish(self)
        self.update()

    def set_parse(self, parse: Callable[[str], float]) -> None:
        """Change the parser of typed text, for example for another unit."""
        self._parse = parse

    def finish(self) -> None:
        """Commit a running gesture; a partly typed text stays."""
        self._gesture.commit()

    def cancel(self) -> None:
        """Discard the typed text or the gesture, and restore the previous number."""
        was_active, start = self._gesture.is_active, self._gesture.cancel()
        if was_active:
            self.value = start
        self._show()
        self._set_error("")
        self.cancelled.emit()

    # --- Qt events

    def sizeHint(self) -> QSize:
        margins = self.textMargins()
        width = self._width_of("-000." + "0" * self._decimals) + margins.left() + margins.right() + 10
        return QSize(width, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._height)

    @property
    def _height(self) -> int:
        return round(METRICS.field * growth(self, METRICS.number))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self._shows_whole_number():
            QGuiApplication.clipboard().setText(number_text.full(self.value or 0.0))
        elif event.key() == Qt.Key.Key_Escape and self.is_busy:
            self.cancel()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._commit_text()
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_clicked_into = event.reason() == Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._is_clicked_into and not self.hasSelectedText():
            self.selectAll()
        self._is_clicked_into = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # Qt would select the digits on one side of the point alone.
        super().mouseDoubleClickEvent(event)
        if not self.isModified():
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._commit_text()
            self._gesture.commit()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def hideEvent(self, event: QHideEvent) -> None:
        self._gesture.commit()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        is_hidden = self._hides_number()
        if not self._unit and not self._prefix and not is_hidden:
            return
        painter = QPainter(self)
        if is_hidden:
            self._paint_ellipsis(painter)
        middle = Qt.AlignmentFlag.AlignVCenter
        quiet = "quiet" if self.isEnabled() else "disabled"
        # Typed text may contain its own unit.
        if self._unit and self.value is not None and not self.isModified() and not self._error:
            area = QRectF(0, 0, self.width() - self._reserved - 5, self.height())
            painters.write_in(painter, self.unit_font(), quiet)
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, self._unit)
        if self._prefix:
            role = quiet if self._axis is None or not self.isEnabled() else f"axis_{AXIS_LETTERS[self._axis]}_text"
            painters.write_in(painter, self._prefix_font(), role)
            painter.drawText(QRectF(_PREFIX_X, 0, self.width(), self.height()), middle, self._prefix)

    # --- shared by the events

    def _on_edited(self) -> None:
        # An error appears on Enter, and disappears as soon as the text is valid.
        if self._error:
            self._read()
        self.update()

    def _parse_in_unit(self, text: str) -> float:
        return number_in_unit(text, *unit_of_text(self._unit))

    def _read(self) -> float | None:
        try:
            value = self._parse(self.text())
        except ValueError as error:
            self._set_error(str(error))
            return None
        self._set_error("")
        return value

    def _commit_text(self) -> None:
        if not self.isModified():
            return
        if self.value is not None and self.text() == self._displayed_text():
            # Typed and reverted: the hidden digits must not be lost.
            self.setModified(False)
            self._set_error("")
            return
        value = self._read()
        if value is None:
            return
        if not self._gesture.is_active:
            self._gesture.begin(self.value)
        self.value = value
        self._show()
        self._gesture.move(value)
        self._gesture.commit()

    def _show(self) -> None:
        self.setText(self._displayed_text())
        if self.hasFocus():
            # Selected, so that typing replaces it, even while an animation changes it.
            self.selectAll()

    def _fit(self) -> None:
        """Show the digits for which the field has room now."""
        is_at_rest = self.isVisible() and not self.isModified() and not self._error
        if is_at_rest and self.text() != self._displayed_text():
            self._show()

    def _displayed_text(self) -> str:
        """Return the number with its digits, or with fewer, so that its sign and leading digits are visible."""
        if self.value is None:
            return ""
        text = number_text.fixed(self.value, self._decimals)
        if not self.isVisible():
            return text
        room = text_room(self).width()
        if self._width_of(text) <= room:
            return text
        shorter = _shorter_texts(self.value, self._decimals)
        fitting = next((text for text in shorter if self._width_of(text) <= room), None)
        return min(shorter, key=self._width_of) if fitting is None else fitting

    def _hides_number(self) -> bool:
        """Return whether even the shortest text of the number is cut, so that another number would be read."""
        is_at_rest = self.value is not None and not self.isModified() and not self._error and not self.hasFocus()
        return is_at_rest and self._width_of(self.text()) > text_room(self).width()

    def _paint_ellipsis(self, painter: QPainter) -> None:
        room = text_room(self)
        painter.fillRect(
            room.adjusted(-EDGE, 0, EDGE, 0), current_theme.qcolor("panel" if self.isReadOnly() else "field")
        )
        painters.write_in(painter, self.font(), "quiet")
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, ELLIPSIS)

    def _width_of(self, text: str) -> int:
        if not _EQUALLY_WIDE.issuperset(text):
            return self.fontMetrics().horizontalAdvance(text)
        if not self._advance:
            self._advance = fonts.width(self.font(), "0")
        return round(len(text) * self._advance)

    def _set_error(self, error: str) -> None:
        if error == self._error:
            return
        self._error = error
        self.setProperty("invalid", bool(error))
        self.style().polish(self)
        self.setAccessibleDescription(error)
        self.message.emit(error)

    def _shows_whole_number(self) -> bool:
        return self.value is not None and not self.isModified() and self.selectedText() in ("", self.text())

    def unit_font(self) -> QFont:
        """Return the font of the unit, which grows with the number, as in a presentation."""
        size = max(self.font().pixelSize() - (METRICS.number - METRICS.caption), METRICS.caption)
        return fonts.text(size if self.font().pixelSize() > METRICS.number else METRICS.caption)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in FONT_EVENTS and hasattr(self, "_usual_width"):
            self._advance = 0.0
            self._grow()
            self._update_margins()

    def _grow(self) -> None:
        """Set the height, and a fixed width, for the size of the font."""
        self.setFixedHeight(self._height)
        if self._usual_width:
            self.setFixedWidth(round(self._usual_width * growth(self, METRICS.number)))

    def _prefix_font(self) -> QFont:
        return fonts.number(max(self.font().pixelSize(), METRICS.number))

    def _update_margins(self) -> None:
        number, caption = self._prefix_font(), self.unit_font()
        left = _PREFIX_X + fonts.width(number, self._prefix) - 2 if self._prefix else 0
        right = fonts.width(caption, self._unit) + 2 if self._unit else 0
        self.setTextMargins(round(left), 0, round(right) + self._reserved, 0)
        self._fit()


def _shorter_texts(value: float, decimals: int) -> list[str]:
    """Return texts of a number, from all its decimals to one significant digit, each for less room.

    Each keeps the sign and the power of ten.

    >>> _shorter_texts(-30.0, 2)
    ['−30.00', '−30.0', '−3.0e1', '−30', '−3e1']
    >>> _shorter_texts(0.0123, 4)[-2:]
    ['0.01', '1e−2']
    """
    decimals_left = range(decimals, -1, -1)
    enough = min(_decimals_of(value, SIGNIFICANT), decimals)
    exact = [number_text.fixed(value, n) for n in decimals_left if n >= enough]
    rough = [number_text.fixed(value, n) for n in decimals_left if enough > n >= _decimals_of(value, 1)]
    return [*exact, number_text.scientific(value), *rough, number_text.scientific(value, 0)]


def _decimals_of(value: float, n_digits: int) -> int:
    """Return the decimals of a number with significant digits, at least 0."""
    if value == 0.0 or not math.isfinite(value):
        return 0
    return max(n_digits - 1 - math.floor(math.log10(abs(value))), 0)


SIGNIFICANT = 3
"""Significant digits that a number keeps in a narrow field before it is shown with an exponent."""

ELLIPSIS = "…"
"""Shown in place of a number for which a field has no room at all."""

DASH = "–"
"""Placeholder of a missing number."""


def known_number(value: float | None) -> float | None:
    """Return a number, or None for NaN, which stands for a missing number.

    >>> known_number(2.0), known_number(float("nan")), known_number(None)
    (2.0, None, None)
    """
    return None if value is None or math.isnan(value) else value

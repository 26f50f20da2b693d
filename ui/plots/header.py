"""Header of a plot: title, subtitle, and a legend with the values at the cursor."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.formatting.line_breaking import rows_of
from framescope.ui.plots.curves import CurveStyle
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.buttons import IconButton

_LINE = 20
_ROW = 18
_TITLE_LINE = 26
_LOOKS = ((18.0, 10.0), (14.0, 7.0))
"""Length of the line before a name and gap after a value. The second, smaller pair is used where it saves a line."""

_DASH_SCALE = 0.5
"""Factor of dashes for the lines of the legend, which are two pixels wide."""

_INNER = 4.0
_TITLE_GAP = 10
_MOST_ROWS = 3
"""Maximum number of rows for the title and for the subtitle in a picture."""
_MOST_ROWS_IN_WINDOW = 2
"""Maximum number of rows for the subtitle in the window, where the title has one row."""
_SHORTER = ((", in axes of ", ", in "), (" relative to ", " rel. to "))
"""Words of a subtitle, and the shorter ones that replace them, one after the other, where the row is narrow."""
_SIDE = METRICS.padding
_BUTTON = METRICS.small_button


class PlotHeader(QWidget):
    """Header painted as one widget, because the values change at every tick and labels would be laid out each time.

    Signals
    -------
    lines_changed()
        The legend needs another number of lines, or the titles another number of rows.
    entry_clicked(int)
        A curve of the legend was clicked.

    Parameters
    ----------
    is_whole
        Whether to wrap long titles instead of cutting them, as pictures have no tooltip.
    """

    lines_changed = Signal()
    entry_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, is_whole: bool = False) -> None:
        super().__init__(parent)
        self._is_whole = is_whole
        self._rows = self._rows_asked = 1
        self.scale = 1.0
        self._title = self._subtitle = self._unit = ""
        self._sample, self._entry_gap = _LOOKS[0]
        self._styles: tuple[CurveStyle, ...] = ()
        self.values: Sequence[float] = ()
        self._decimals = 2
        self._value_widths: tuple[float, ...] = ()
        self._hidden: frozenset[int] = frozenset()
        self.lines_needed = self._lines = 0
        """Lines below the title that the legend takes; 0 when it is beside the title."""
        self.menu_button = IconButton("ellipsis", "Menu of this plot", size=_BUTTON, parent=self)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_content(
        self,
        title: str,
        subtitle: str,
        styles: tuple[CurveStyle, ...],
        decimals: int,
        widest: Sequence[str],
        hidden: frozenset[int] = frozenset(),
        unit: str = "",
    ) -> None:
        """Show titles and the legend. The widest value of each curve keeps the legend from moving.

        A subtitle without room beside the title has rows of its own, since it names the frames. The unit is never cut.
        """
        self._title, self._subtitle, self._styles, self._decimals = title, subtitle, styles, decimals
        self._unit = unit
        self._hidden = hidden
        self.values = ()
        self._value_widths = tuple(fonts.width(fonts.number(), sample) for sample in widest)
        self._flow()
        self.update()

    def set_scale(self, scale: float) -> None:
        """Set the factor to the default size, as for a presentation."""
        if scale != self.scale:
            self.scale = scale
            self.menu_button.set_scale(scale)
            self.setFixedHeight(self.sizeHint().height())
            self._place_button()
            self._flow()
            self.update()

    def set_values(self, values: Sequence[float]) -> None:
        """Show the values at the cursor, scaled like the plot."""
        self.values = values
        self.update()

    @property
    def rows_needed(self) -> int:
        """Rows that title and subtitle take, at least one."""
        return len(self.word_rows())

    def set_lines(self, lines: int, rows: int = 1) -> None:
        """Set the lines for the legend and the rows for the title, equal for plots side by side."""
        if (lines, rows) != (self._lines, self._rows) or self.height() != self.sizeHint().height():
            self._lines, self._rows = lines, rows
            self.setFixedHeight(self.sizeHint().height())
            self.update()

    def sizeHint(self) -> QSize:
        height = self._words_height + _LINE * self._lines + (2 if self._lines else 6)
        return QSize(200, round(self.scale * height))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()
        self._flow()

    def _place_button(self) -> None:
        left = self.width() - self.scale * (_BUTTON + _SIDE - 4)
        self.menu_button.move(round(left), round(2 * self.scale))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.entry_at(event.position())
        if index is None or event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
        else:
            self.entry_clicked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        on_entry = self.entry_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if on_entry else Qt.CursorShape.ArrowCursor)

    def entry_at(self, position: QPointF) -> int | None:
        """Return the index of the curve whose legend entry is at a position, or None."""
        return next((i for i, area in enumerate(self.entry_areas()) if area.contains(position)), None)

    def entry_areas(self) -> list[QRectF]:
        """Return the areas of the legend entries, logical pixels."""
        size = self.scale
        return [QRectF(size * a.x(), size * a.y(), size * a.width(), size * a.height()) for a in self._entry_areas()]

    def _entry_areas(self) -> list[QRectF]:
        """Return the areas of the legend entries at the default size."""
        widths = self._entry_widths()
        if self._lines == 0:
            lefts, tops, left = list[float](), [4.0] * len(widths), self._right() - sum(widths) + self._entry_gap
            for width in widths:
                lefts.append(left)
                left += width
        else:
            lefts, tops = list[float](), list[float]()
            for line, count in enumerate(self._line_counts()):
                left = float(_SIDE)
                for width in widths[len(lefts) : len(lefts) + count]:
                    lefts.append(left)
                    tops.append(float(self._words_height + line * _LINE))
                    left += width
        return [
            QRectF(left, top, width - self._entry_gap, _LINE)
            for left, top, width in zip(lefts, tops, widths, strict=True)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.scale(self.scale, self.scale)
        self.paint_words(painter)
        self.paint_values(painter)

    def paint_words(self, painter: QPainter) -> None:
        """Paint the parts that do not change with time."""
        for i, row in enumerate(self.word_rows(self._rows > 1)):
            left = float(_SIDE)
            for text, font, role in row:
                painters.write_in(painter, font, role)
                width = fonts.width(font, text)
                painter.drawText(QRectF(left, 4 + i * _ROW, width + 2, _LINE), Qt.AlignmentFlag.AlignVCenter, text)
                left += width + _TITLE_GAP
        for index, area in enumerate(self._entry_areas()):
            self._paint_entry(painter, index, area)

    def paint_values(self, painter: QPainter) -> None:
        """Paint the values at the cursor into the legend."""
        painters.write_in(painter, fonts.number(), "text")
        for index, (area, value) in enumerate(zip(self._entry_areas(), self.values, strict=False)):
            if index in self._hidden:
                continue
            width = self._value_widths[index] + 2
            place = QRectF(area.right() - width + 2, area.top(), width, _LINE)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, number_text.fixed(value, self._decimals))

    # --- painting

    def _paint_entry(self, painter: QPainter, index: int, area: QRectF) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        style, is_hidden, top = self._styles[index], index in self._hidden, area.top()
        pen = QPen(current_theme.qcolor("disabled" if is_hidden else style.color), 2.0)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painters.set_dash(pen, style.dash, _DASH_SCALE)
        painter.setPen(pen)
        y = round(top + _LINE / 2)
        painter.drawLine(round(area.left()), y, round(area.left() + self._sample), y)
        x = area.left() + self._sample + _INNER
        name_width = fonts.width(fonts.text(METRICS.secondary), style.name)
        font = fonts.text(METRICS.secondary)
        # Struck out, since colour alone would not show that it is hidden.
        font.setStrikeOut(is_hidden)
        painters.write_in(painter, font, "quiet")
        painter.drawText(QRectF(x, top, name_width + 2, _LINE), middle, style.name)

    # --- layout

    @property
    def _width(self) -> float:
        """Width at the default size, in which everything is laid out and painted."""
        return self.width() / self.scale

    @property
    def _words_height(self) -> int:
        return _TITLE_LINE + (self._rows - 1) * _ROW

    def word_rows(self, is_split: bool = False) -> list[list[tuple[str, QFont, str]]]:
        """Return rows of title, subtitle and unit. Each text has a font and a colour role.

        With `is_split`, the subtitle is below the title even where both fit in one row, as in a plot beside it.
        """
        title_font, quiet_font = fonts.text(METRICS.base, 600), fonts.text(METRICS.secondary)
        quiet = self._quiet_text
        if self._words_width <= self._title_room and not (is_split and self._subtitle and not self._is_whole):
            return [[(self._title, title_font, "text"), *([(quiet, quiet_font, "quiet")] if quiet else [])]]
        room = self._width - 2 * _SIDE
        if self._is_whole:
            title_rows = [[(row, title_font, "text")] for row in _rows_of(self._title, title_font, room, _MOST_ROWS)]
            return title_rows + [[(row, quiet_font, "quiet")] for row in _rows_of(quiet, quiet_font, room, _MOST_ROWS)]
        unit = [(self._unit, quiet_font, "quiet")] if self._unit else []
        for_title = self._title_room - (_TITLE_GAP + fonts.width(quiet_font, self._unit) if unit else 0.0)
        title = QFontMetricsF(title_font).elidedText(self._title, Qt.TextElideMode.ElideRight, for_title)
        subtitle = self._subtitle
        for words, shorter in _SHORTER:
            subtitle = subtitle if fonts.width(quiet_font, subtitle) <= room else subtitle.replace(words, shorter)
        rows = _rows_of(subtitle, quiet_font, room, _MOST_ROWS_IN_WINDOW)
        return [[(title, title_font, "text"), *unit], *([(row, quiet_font, "quiet")] for row in rows)]

    @property
    def _quiet_text(self) -> str:
        return " · ".join(part for part in (self._subtitle, self._unit) if part)

    @property
    def _words_width(self) -> float:
        """Width of title, subtitle and unit in one row."""
        quiet = self._quiet_text
        width = fonts.width(fonts.text(METRICS.base, 600), self._title)
        return width + (_TITLE_GAP + fonts.width(fonts.text(METRICS.secondary), quiet) if quiet else 0.0)

    @property
    def _title_room(self) -> float:
        """Width of the first row: in the window, up to the menu button."""
        return (self._width - _SIDE if self._is_whole else self._right()) - _SIDE

    def _right(self) -> float:
        """Return the left edge of the menu button, or of the margin without a button."""
        has_button = not self.menu_button.isHidden()
        return self._width - _SIDE - (_BUTTON - 4.0 + METRICS.inner if has_button else 0.0)

    def _entry_widths(self) -> list[float]:
        font = fonts.text(METRICS.secondary)
        fixed = self._sample + 2 * _INNER + self._entry_gap
        names = (fonts.width(font, style.name) for style in self._styles)
        return [fixed + name + value for name, value in zip(names, self._value_widths, strict=True)]

    def _line_counts(self) -> list[int]:
        """Return the number of entries on each line."""
        counts: list[int] = []
        used = room = self._width - 2 * _SIDE + self._entry_gap
        for width in self._entry_widths():
            if used + width > room:
                counts.append(0)
                used = 0.0
            counts[-1] += 1
            used += width
        return counts

    def _flow(self) -> None:
        rows = self.rows_needed
        lines: list[int] = []
        for self._sample, self._entry_gap in _LOOKS:
            beside = self._words_width + _TITLE_GAP + METRICS.padding + sum(self._entry_widths()) - self._entry_gap
            is_beside = beside <= self._right() - _SIDE and rows == 1
            lines.append(0 if is_beside else len(self._line_counts()))
        needed = min(lines)
        self._sample, self._entry_gap = _LOOKS[lines.index(needed)]
        if (needed, rows) != (self.lines_needed, self._rows_asked):
            self.lines_needed, self._rows_asked = needed, rows
            self.lines_changed.emit()


def _rows_of(text: str, font: QFont, room: float, most: int) -> list[str]:
    """Return a text in at most so many rows that fit. The last row may be elided."""
    rows = rows_of(text, partial(fonts.width, font), room)
    if len(rows) <= most:
        return rows
    last = QFontMetricsF(font).elidedText(" ".join(rows[most - 1 :]), Qt.TextElideMode.ElideRight, room)
    return [*rows[: most - 1], last]
